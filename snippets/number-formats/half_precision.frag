#version 300 es
// What mediump may do: the same wave computed in 32 and in 16 bits. Desktop GPUs compute mediump in 32, so 16 are made here by rounding.
precision highp float;
uniform vec2 u_resolution;
uniform float u_time;
uniform float u_offset; // Distance from the origin: 0 to 4096 by 32, from 128
uniform float u_waves;  // Waves across the canvas: 2 to 40 by 1, from 12
in vec2 v_uv;
out vec4 color;

// To the nearest half and back: 10 mantissa bits.
float half_of(float x) { return unpackHalf2x16(packHalf2x16(vec2(x, 0.0))).x; }

void main() {
  // A coordinate far from the origin, as a world position or a clock that ran for an hour.
  float x = u_offset + v_uv.x * 4.0 + 0.05 * u_time;
  bool low = v_uv.y < 0.5;
  float at = low ? half_of(x) : x;

  float wave = 0.5 + 0.5 * sin((at - u_offset) * u_waves * 1.5708);
  vec3 c = mix(vec3(0.10, 0.20, 0.24), vec3(0.96, 0.73, 0.25), wave);
  if (low) c = mix(vec3(0.20, 0.09, 0.06), vec3(0.94, 0.50, 0.30), wave);
  c = mix(c, vec3(1.0), step(abs(v_uv.y - 0.5) * u_resolution.y, 1.0));
  color = vec4(c, 1.0);
}
