#version 300 es
// One triangle and its w. The hardware cuts it where it leaves the volume -w <= x, y, z <= w, then divides by w.
uniform vec2 u_resolution;
uniform float u_near; // Corner 0 moves towards the viewer: 0 to 2.5 by 0.1, from 2
uniform float u_grow; // Size of the triangle: 0.4 to 2 by 0.1, from 1
out vec4 v_clip;

void main() {
  float angle = radians(90.0 + 120.0 * float(gl_VertexID));
  vec2 p = u_grow * vec2(cos(angle), sin(angle)) * vec2(u_resolution.y / u_resolution.x, 1.0);
  // Only corner 0 changes its depth: beyond z = -w it is in front of the near plane, and that tip is cut off.
  float z = gl_VertexID == 0 ? 0.4 - u_near : 0.4;
  float w = 1.0;
  gl_Position = v_clip = vec4(p, z, w);
}
