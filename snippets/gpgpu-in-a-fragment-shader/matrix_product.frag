#version 300 es
// C = A x B, one fragment per element of C. Each pass adds four products to what the pass before wrote.
// pass: texture 32 x 32, 9 times
// pass: canvas
// check: product
precision highp float;
precision highp usampler2D;
uniform usampler2D u_input;  // A in x and B in y, as pass 0 wrote them
uniform usampler2D u_before; // the sums so far
uniform int u_pass;    // 0 makes A and B, 1 to 8 add, 9 is the canvas
uniform int u_stop;    // Last pass that adds: 0 to 8 by 1, from 8
uniform float u_blur;  // Width of the band in A: 0 to 12 by 0.5, from 3
in vec2 v_uv;
layout(location = 0) out vec4 color;
layout(location = 1) out uvec4 next;

const int N = 32, SLICE = 4;

float a(int row, int k) { return uintBitsToFloat(texelFetch(u_input, ivec2(k, row), 0).x); }
float b(int k, int column) { return uintBitsToFloat(texelFetch(u_input, ivec2(column, k), 0).y); }
float c(int row, int column) { return uintBitsToFloat(texelFetch(u_before, ivec2(column, row), 0).x); }

// A blurs down the columns of B, which holds a ring and a bar.
float make_a(float row, float k) {
  float off = abs(row - k);
  return off <= u_blur ? 1.0 / (2.0 * min(u_blur, 31.0) + 1.0) : 0.0;
}
float make_b(float k, float column) {
  float away = length(vec2(column, k) - vec2(12.0, 15.5));
  return abs(away - 8.0) < 2.0 || abs(column - 26.0) < 2.0 ? 1.0 : 0.05;
}

void draw() {
  vec2 at = vec2(v_uv.x * 3.0, (v_uv.y - 0.5) * 1.6875 + 0.5); // three squares in a row
  vec2 p = (vec2(fract(at.x), 1.0 - at.y) - 0.5) / 0.86 + 0.5;
  if (any(lessThan(p, vec2(0.0))) || any(greaterThanEqual(p, vec2(1.0)))) { color = vec4(0.08, 0.09, 0.10, 1.0); return; }
  int row = int(p.y * float(N)), column = int(p.x * float(N)), which = int(at.x);
  float x = which == 0 ? a(row, column) / a(16, 16) : which == 1 ? b(row, column) : c(row, column);
  vec3 ink = which == 0 ? vec3(0.35, 0.75, 0.78) : which == 1 ? vec3(0.96, 0.62, 0.35) : vec3(0.98, 0.82, 0.40);
  color = vec4(mix(vec3(0.13), ink, x), 1.0);
  int k = which == 0 ? column : row; // columns of A and rows of B that were not used yet
  if (which < 2 && k >= u_stop * SLICE) color.rgb *= 0.45;
}

void main() {
  if (u_pass == 9) { draw(); return; }
  int row = int(gl_FragCoord.y), column = int(gl_FragCoord.x);
  if (u_pass == 0) {
    float k = float(column), r = float(row);
    next = floatBitsToUint(vec4(make_a(r, k), make_b(r, k), 0.0, 0.0));
    return;
  }
  float sum = u_pass == 1 ? 0.0 : c(row, column); // before pass 1 lies the input
  int first = (u_pass - 1) * SLICE;
  for (int k = first; k < first + SLICE && u_pass <= u_stop; k++) sum += a(row, k) * b(k, column);
  next = floatBitsToUint(vec4(sum, 0.0, 0.0, 0.0));
}
