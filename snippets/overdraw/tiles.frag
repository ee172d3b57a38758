#version 300 es
// How a tile-based GPU sees a frame: first every triangle is put into the list of each tile it may touch, then tiles are drawn one by one.
precision highp float;
uniform vec2 u_resolution;
uniform float u_time;
uniform float u_tile;   // Side of a tile, in pixels of a screen 640 wide: 8 to 128 by 8, from 32
uniform int u_count;    // Triangles: 1 to 48 by 1, from 20
uniform float u_size;   // Size of a triangle, in pixels: 4 to 200 by 4, from 60
in vec2 v_uv;
out vec4 color;

const vec2 SCREEN = vec2(640.0, 360.0);

float hash(float n) { return fract(sin(n * 12.9898) * 43758.5453); }

vec2 corner(int triangle, int which) {
  float n = float(triangle), turn = 6.2832 * hash(n + 0.7) + 0.2 * u_time + 2.0944 * float(which);
  return vec2(hash(n), hash(n + 0.3)) * SCREEN + u_size * (0.5 + 0.5 * hash(n + 0.9)) * vec2(cos(turn), sin(turn));
}

float edge(vec2 a, vec2 b, vec2 p) { return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x); }

void main() {
  vec2 p = v_uv * SCREEN, low = floor(p / u_tile) * u_tile;
  int listed = 0;               // triangles in this tile's list
  vec3 c = vec3(0.12, 0.13, 0.14);
  for (int i = 0; i < u_count; i++) {
    vec2 a = corner(i, 0), b = corner(i, 1), d = corner(i, 2);
    vec2 from = min(a, min(b, d)), to = max(a, max(b, d)); // the bounding box decides
    if (all(greaterThan(to, low)) && all(lessThan(from, low + u_tile))) listed++;
    float inside = min(edge(a, b, p), min(edge(b, d, p), edge(d, a, p)));
    if (inside > 0.0) c = mix(vec3(0.06, 0.45, 0.48), vec3(0.35, 0.75, 0.70), hash(float(i) + 0.5)); // later ones lie on top
  }
  // The longer its list, the warmer a tile.
  float warm = float(min(listed, 8)) / 8.0;
  c = mix(c, mix(vec3(0.96, 0.73, 0.25), vec3(0.80, 0.14, 0.10), warm), listed == 0 ? 0.0 : 0.25 + 0.45 * warm);
  vec2 line = min(p - low, low + u_tile - p) * u_resolution / SCREEN;
  color = vec4(c * (min(line.x, line.y) < 1.0 ? 0.45 : 1.0), 1.0);
}
