#version 300 es
// Vertex stage: runs 3 times here, once per vertex.
uniform vec2 u_resolution;
uniform float u_time;
uniform float u_w; // w of vertex 0: 0.2 to 4 by 0.2, from 1

out vec3 v_weight; // leaves this stage once per vertex ...

void main() {
  // No buffers: the position is computed from the vertex number alone.
  float turn = float(gl_VertexID) / 3.0 + 0.04 * sin(u_time);
  float angle = radians(90.0 + 360.0 * turn);
  vec2 p = vec2(0.0, -0.2) + 0.98 * vec2(cos(angle), sin(angle));

  // Keep it equilateral on a canvas that is not square.
  p *= min(u_resolution.x, u_resolution.y) / u_resolution;

  // Vertex 0 says (1,0,0), vertex 1 (0,1,0), vertex 2 (0,0,1).
  v_weight = vec3(gl_VertexID == 0, gl_VertexID == 1, gl_VertexID == 2);

  // The one thing a vertex shader has to write: a position in clip space.
  // Divided by its w, it is at p again. What is interpolated feels w all the same.
  float w = gl_VertexID == 0 ? u_w : 1.0;
  gl_Position = vec4(p * w, 0.0, w);
}
