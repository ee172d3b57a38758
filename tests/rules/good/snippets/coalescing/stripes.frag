#version 300 es
precision highp float;

in vec2 v_uv;
out vec4 color;

void main() {
    color = vec4(vec3(step(0.5, fract(v_uv.x * 8.0))), 1.0);
}
