#version 300 es
precision highp float;
in vec3 v_tint;
out vec4 color;

void main() {
  color = vec4(v_tint, 1.0);
}
