#version 300 es
// Pass 0: one triangle on a screen of 48 x 27 pixels. Pass 1: a triangle that covers the canvas, to look at them.
uniform float u_time;
uniform int u_pass;
uniform float u_length; // Length of the triangle: 0.1 to 1 by 0.05, from 0.85
uniform float u_width;  // Its width: 0.02 to 0.8 by 0.02, from 0.3
out vec2 v_uv;

void main() {
  v_uv = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
  gl_Position = vec4(v_uv * 2.0 - 1.0, 0.0, 1.0);
  if (u_pass == 1) return;
  vec2 corner[3] = vec2[](vec2(-u_length, -u_width), vec2(u_length, 0.0), vec2(-u_length, u_width));
  vec2 p = corner[gl_VertexID];
  float turn = 0.4 + 0.05 * u_time;
  p = mat2(cos(turn), sin(turn), -sin(turn), cos(turn)) * p;
  gl_Position = vec4(p * vec2(0.5625, 1.0) * 1.3, 0.0, 1.0);
}
