#version 300 es
// Five upright panes, seen from the front: a wall, a gold board, and three panes of glass between and before them.
uniform vec2 u_resolution;
uniform float u_time;
uniform int u_pass;  // 0 what is opaque, 1 glass that only reads depth, 2 glass that writes it, too
uniform int u_order; // Glass: 0 far to near, 1 near to far: 0 to 1 by 1, from 0
uniform int u_write; // Glass writes depth: 0 no, 1 yes: 0 to 1 by 1, from 0
out vec2 v_at;
flat out int v_pane;

const vec4 PLACE[5] = vec4[]( // x, y, half of the side, depth: -1 near, 1 far
    vec4(0.0, 0.0, 2.0, 0.9), vec4(-0.1, -0.15, 0.42, 0.2),
    vec4(-0.55, 0.2, 0.45, 0.6), vec4(0.35, 0.25, 0.48, 0.0), vec4(0.1, -0.3, 0.5, -0.5));

void main() {
  int pane = gl_VertexID / 6;
  if (pane > 1 && u_order == 1) pane = 6 - pane; // the draws come in this order
  int wanted = pane < 2 ? 0 : 1 + u_write;       // the pass that draws this pane
  int corner = int[](0, 1, 2, 2, 1, 3)[gl_VertexID % 6];
  v_at = vec2(corner & 1, corner >> 1);
  v_pane = pane;
  vec4 place = PLACE[pane];
  float drift = pane == 0 ? 0.0 : 0.06 * (1.0 - place.w) * sin(0.8 * u_time + 1.0); // near panes move more
  vec2 p = place.xy + vec2(drift, 0.0) + place.z * (2.0 * v_at - 1.0);
  p.x *= u_resolution.y / u_resolution.x * (pane == 0 ? 2.0 : 1.4);
  gl_Position = u_pass == wanted ? vec4(p, place.w, 1.0) : vec4(0.0); // a triangle without area makes no fragment
}
