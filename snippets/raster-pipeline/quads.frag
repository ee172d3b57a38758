#version 300 es
// Fragments run in quads of 2 x 2, so that differences exist. Lanes outside the triangle run along as helpers.
// pass: texture 48 x 27
// pass: canvas
precision highp float;
precision highp int; // as in the vertex stage, or u_pass would have two types
precision highp usampler2D;
uniform usampler2D u_before;
uniform vec2 u_resolution;
uniform int u_pass;
uniform int u_show; // 0 lanes, 1 a neighbor's number by dFdx: 0 to 1 by 1, from 0
in vec2 v_uv;
layout(location = 0) out vec4 color;
layout(location = 1) out uvec4 next;

// A number of its own for each pixel, whole and below 256, so that differences are exact.
float number(ivec2 at) { return float((at.x * 73 + at.y * 151) % 251); }

void main() {
  if (u_pass == 0) {
    ivec2 at = ivec2(gl_FragCoord.xy);
    // This lane's number plus or minus the difference is the number of the lane beside it: data from another lane, without memory.
    float mine = number(at), beside = mine + dFdx(mine) * (at.x % 2 == 0 ? 1.0 : -1.0);
    next = uvec4(1, uint(mine), uint(beside), beside == number(ivec2(at.x ^ 1, at.y)));
    return;
  }
  vec2 cell = v_uv * vec2(48.0, 27.0);
  ivec2 at = ivec2(cell), quad = at & ~1;
  uvec4 here = texelFetch(u_before, at, 0);
  uint lanes = 0u; // of this quad, inside the triangle
  for (int lane = 0; lane < 4; lane++) lanes += texelFetch(u_before, min(quad + ivec2(lane & 1, lane >> 1), ivec2(47, 26)), 0).x;

  color = vec4(0.10, 0.11, 0.12, 1.0);                                       // no quad
  if (lanes > 0u) color.rgb = vec3(0.62, 0.17, 0.13);                        // a helper: it runs, and writes nothing
  if (here.x == 1u) color.rgb = vec3(0.96, 0.73, 0.25);                      // inside
  if (here.x == 1u && u_show == 1) {
    bool got = here.w == 1u; // the number of the pixel beside it in the quad
    color.rgb = got ? mix(vec3(0.05, 0.25, 0.28), vec3(0.35, 0.85, 0.85), float(here.z) / 250.0) : vec3(1.0);
  }
  vec2 pixel = min(fract(cell), 1.0 - fract(cell)), border = min(fract(cell / 2.0), 1.0 - fract(cell / 2.0)) * 2.0;
  color.rgb *= min(pixel.x, pixel.y) < 0.04 ? 0.8 : 1.0;
  if (min(border.x, border.y) < 0.06) color.rgb *= 0.35;
}
