#version 300 es
// The fixed stages, imitated on pixels large enough to see.
precision highp float;
uniform vec2 u_resolution;
uniform float u_time;
out vec4 color;

uniform float u_columns; // Large pixels across the canvas: 16 to 96 by 16, from 32
uniform float u_scissor; // Columns cut off on the left: 0 to 16 by 1, from 6
uniform float u_wall;    // Depth of the gray wall, from near to far: 0 to 1 by 0.05, from 0.45
const vec3 WRITTEN = vec3(0.96, 0.73, 0.25), BEHIND = vec3(0.20, 0.45, 0.80);
const vec3 CUT_OFF = vec3(0.72, 0.20, 0.16), DISCARDED = vec3(0.93, 0.92, 0.90);

// One value per edge: positive where p lies on its inner side.
vec3 edges(vec2 v[3], vec2 p) {
  vec3 e;
  for (int i = 0; i < 3; i++) {
    vec2 a = v[(i + 1) % 3], along = v[(i + 2) % 3] - a;
    e[i] = along.x * (p.y - a.y) - along.y * (p.x - a.x);
  }
  return e;
}

void main() {
  vec2 at = gl_FragCoord.xy / u_resolution.x * u_columns;
  vec2 grid = u_resolution / u_resolution.x * u_columns;
  vec2 cell = floor(at), p = cell + 0.5; // each pixel is asked at its center
  vec2 v[3];                             // the corners, in large pixels
  for (int i = 0; i < 3; i++) {
    float turn = 0.55 + 0.2 * u_time + 2.0944 * float(i);
    v[i] = grid * (0.5 + 0.47 * vec2(cos(turn), sin(turn)));
  }
  vec3 w = edges(v, p), o = edges(v, at);
  bool born = min(w.x, min(w.y, w.z)) > 0.0; // inside all three edges
  float z = dot(w, vec3(0.1, 0.5, 0.9)) / (w.x + w.y + w.z); // interpolated
  bool wall = p.x > 0.45 * grid.x && p.y < 0.7 * grid.y; // drawn earlier

  vec3 c = vec3(wall ? 0.48 : 0.11);
  if (born) c = wall && z >= u_wall ? BEHIND : WRITTEN;
  if (born && cell.x < u_scissor) c = CUT_OFF;
  if (born && mod(cell.x + cell.y, 5.0) < 1.0) c = DISCARDED;

  vec2 middle = abs(at - p); // the grid, a dot at each center, the outline
  if (max(middle.x, middle.y) > 0.46) c *= 0.7;
  if (length(middle) < 0.1) c = 1.0 - 0.5 * c;
  float side = min(o.x, min(o.y, o.z));
  color = vec4(mix(vec3(1.0), c, smoothstep(0.5, 1.5, abs(side) / fwidth(side))), 1.0);
}
