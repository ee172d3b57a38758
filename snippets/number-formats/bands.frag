#version 300 es
precision highp float;
in vec2 v_uv;
out vec4 color;

// Each row stores the same ramp, 0 at the left to the range at the right, in one format.
uniform float u_range; // Range of the ramp: 1 to 16 by 1, from 8

// Nearest value with e exponent bits and m mantissa bits; nothing is kept for inf or NaN.
float stored(float x, float e, float m) {
  float bias = exp2(e - 1.0) - 1.0;
  float top = exp2(e) - 1.0 - bias;                     // largest exponent
  float octave = max(floor(log2(x)), 1.0 - bias);       // below: subnormals
  float gap = exp2(octave - m);                         // one gap per octave
  float largest = (2.0 - exp2(-m)) * exp2(top);
  return min(round(x / gap) * gap, largest);
}

// Four bits as a plain integer: sixteen codes, one scale, equal gaps.
float integer4(float x) { return round(x / u_range * 15.0) / 15.0 * u_range; }

void main() {
  float x = max(v_uv.x * u_range, 1e-6);
  int row = int((1.0 - v_uv.y) * 5.0);  // 0 is the top row
  float y = x;                          // row 0: exact
  if (row == 1) y = integer4(x);
  if (row == 2) y = stored(x, 2.0, 1.0);  // E2M1: try 1.0, 2.0
  if (row == 3) y = stored(x, 3.0, 2.0);
  if (row == 4) y = stored(x, 2.0, 3.0);

  float light = y / u_range;
  vec3 ink = mix(vec3(0.10, 0.08, 0.07), vec3(0.98, 0.80, 0.62), light);
  float line = step(0.03, fract((1.0 - v_uv.y) * 5.0));  // a dark line between rows
  color = vec4(ink * line, 1.0);
}
