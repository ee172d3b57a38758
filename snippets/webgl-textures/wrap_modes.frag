#version 300 es
// What a sampler does beyond the edge of its picture. WebGL 2 can wrap pictures of any size; WebGL 1 only powers of two.
precision highp float;
uniform sampler2D u_image; // wrap REPEAT
uniform vec2 u_resolution;
uniform int u_mode;      // 0 repeat, 1 mirrored repeat, 2 clamp to edge: 0 to 2 by 1, from 1
uniform float u_zoom;    // Pictures across the canvas: 1 to 6 by 0.5, from 3
in vec2 v_uv;
out vec4 color;

void main() {
  vec2 at = (v_uv - 0.5) * u_zoom * vec2(1.0, u_resolution.y / u_resolution.x) + 0.5;

  // The three modes, written out: each brings a coordinate back into 0..1.
  vec2 wrapped = fract(at);
  if (u_mode == 1) wrapped = 1.0 - abs(1.0 - mod(at, 2.0));
  if (u_mode == 2) wrapped = clamp(at, 0.0, 1.0);
  // Half a texel in from the edge, where a repeating sampler would blend with the other side.
  wrapped = clamp(wrapped, 1.0 / 16.0, 15.0 / 16.0);

  vec3 c = textureLod(u_image, wrapped, 0.0).rgb;
  // The picture itself is bright, what wrapping adds is dimmed, and a line runs along each edge.
  bool inside = all(greaterThanEqual(at, vec2(0.0))) && all(lessThanEqual(at, vec2(1.0)));
  if (!inside) c = mix(c, vec3(0.12), 0.35);
  vec2 edge = abs(at - clamp(at, 0.0, 1.0)), width = fwidth(at) * 1.5;
  vec2 line = min(abs(at), abs(at - 1.0));
  if ((line.x < width.x && edge.y == 0.0) || (line.y < width.y && edge.x == 0.0)) c = vec3(1.0);
  color = vec4(c, 1.0);
}
