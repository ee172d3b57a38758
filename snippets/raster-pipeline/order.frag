#version 300 es
// The fixed stages after this shader: the depth test compares, blending mixes. Both depend on what was drawn before.
// pass: canvas, depth
// pass: canvas, depth read, blend
// pass: canvas, depth, blend
precision highp float;
uniform float u_glass; // How much a pane covers: 0.1 to 1 by 0.05, from 0.6
in vec2 v_at;
flat in int v_pane;
out vec4 color;

const vec3 TINT[5] = vec3[](vec3(0.86, 0.84, 0.80), vec3(0.96, 0.73, 0.25), vec3(0.06, 0.45, 0.48),
                            vec3(0.78, 0.22, 0.14), vec3(0.22, 0.36, 0.75));

void main() {
  vec3 c = TINT[v_pane];
  if (v_pane == 0) c *= 0.92 + 0.08 * step(0.5, fract(v_at.y * 20.0)); // the wall's boards
  vec2 rim = abs(v_at - 0.5);
  if (v_pane > 0 && max(rim.x, rim.y) > 0.485) c *= 0.6;
  color = vec4(c, v_pane < 2 ? 1.0 : u_glass); // blend: color x alpha + what is there x (1 - alpha)
}
