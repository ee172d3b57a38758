#version 300 es
// One small triangle, drawn many times in one call: the number of the copy comes from the vertex number.
uniform vec2 u_resolution;
uniform float u_time;
uniform float u_count;  // Copies that are drawn: 1 to 1000 by 1, from 600
uniform float u_spread; // How far they drift apart: 0 to 1 by 0.05, from 1
out vec3 v_tint;

void main() {
  int copy = gl_VertexID / 3, corner = gl_VertexID % 3;
  // Copies beyond the count fall on one point, and cover no pixel.
  float on = float(copy) < u_count ? 1.0 : 0.0;
  float turn = 2.39996 * float(copy); // the golden angle: neighbors in number are far apart in place
  float away = sqrt(float(copy) / 1000.0) * u_spread;
  vec2 center = away * vec2(cos(turn), sin(turn));
  float spin = u_time + 0.1 * float(copy) + 2.0944 * float(corner);
  vec2 p = center * 1.2 + on * 0.03 * vec2(cos(spin), sin(spin));
  p.x *= u_resolution.y / u_resolution.x;
  v_tint = mix(vec3(0.96, 0.73, 0.25), vec3(0.72, 0.20, 0.16), away);
  gl_Position = vec4(p, 0.0, 1.0);
}
