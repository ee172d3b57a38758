#version 300 es
// A picture cut into triangles, drawn in layers. Each corner does vertex work before it is placed.
uniform float u_time;
uniform float u_columns; // Triangle pairs along a side: 1 to 40 by 1, from 12
uniform float u_layers;  // Layers over each other: 1 to 10 by 1, from 4
uniform float u_scale;   // Size of the picture: 0.1 to 1 by 0.1, from 1
uniform float u_corner;  // Work per corner: 0 to 400 by 20, from 20
out vec2 v_at;

void main() {
  float pairs = u_columns * u_columns;
  int pair = gl_VertexID / 6, corner = int[](0, 1, 2, 2, 1, 3)[gl_VertexID % 6];
  int layer = pair / int(pairs);
  if (layer >= int(u_layers)) { // collapsed: no fragment, and hardly any work
    gl_Position = vec4(0.0);
    return;
  }
  vec2 place = vec2(pair % int(u_columns), (pair % int(pairs)) / int(u_columns));
  v_at = (place + vec2(corner & 1, corner >> 1)) / u_columns;

  float spin = v_at.x + float(layer);
  for (float i = 0.0; i < u_corner; i++) spin = sin(spin + 0.1 * u_time) * 1.3;
  vec2 bend = 0.02 * vec2(sin(6.0 * v_at.y + spin * 0.2), cos(6.0 * v_at.x + u_time)) * sin(3.1416 * v_at.x) * sin(3.1416 * v_at.y);
  gl_Position = vec4((v_at + bend - 0.5) * 1.9 * u_scale, 0.0, 1.0);
}
