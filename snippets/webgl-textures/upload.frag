#version 300 es
// What the texture holds, as it is.
precision highp float;
uniform vec2 u_resolution;
uniform sampler2D u_image; // Image: test picture, plain.svg, html.svg
in vec2 v_uv;
out vec4 color;

void main() {
  vec2 p = (v_uv - 0.5) * vec2(u_resolution.x / u_resolution.y, 1.0) * 1.1 + 0.5; // 0 to 1 across the image
  bool inside = all(greaterThan(p, vec2(0.0))) && all(lessThan(p, vec2(1.0)));
  color = vec4(inside ? texture(u_image, p).rgb : vec3(0.082, 0.086, 0.102), 1.0);
}
