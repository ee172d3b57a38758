#version 300 es
// What bounds a frame? Turn one knob at a time and watch the time of a frame. Colors: fragments per triangle in sight.
precision highp float;
uniform vec2 u_resolution;
uniform float u_columns; // Triangle pairs along a side: 1 to 40 by 1, from 12
uniform float u_scale;   // Size of the picture: 0.1 to 1 by 0.1, from 1
uniform float u_pixel;   // Work per fragment: 0 to 400 by 20, from 20
in vec2 v_at;
out vec4 color;

void main() {
  float spin = v_at.x;
  for (float i = 0.0; i < u_pixel; i++) spin = sin(spin + v_at.y) * 1.3;

  vec2 side = 0.95 * u_scale * u_resolution / u_columns; // of a pair, in pixels
  float fragments = 0.5 * side.x * side.y;               // of one triangle
  // Gold: thousands of fragments share the work of three corners. Red: a handful does.
  vec3 c = mix(vec3(0.80, 0.16, 0.12), vec3(0.97, 0.76, 0.30), clamp(log2(fragments) / 12.0, 0.0, 1.0));
  vec2 pair = fract(v_at * u_columns), line = abs(pair - 0.5);
  vec2 width = 1.5 * fwidth(v_at) * u_columns;
  bool edge = any(greaterThan(line, 0.5 - width)) || abs(pair.x + pair.y - 1.0) < width.x + width.y;
  color = vec4(c * (edge ? 0.55 : 0.9 + 0.02 * spin), 1.0);
}
