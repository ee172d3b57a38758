#version 300 es
// Shows where in the clip volume a fragment lies: z from the near plane (gold) to the far one (teal), with a line each fifth.
precision highp float;
in vec4 v_clip;
out vec4 color;

void main() {
  vec3 ndc = v_clip.xyz / v_clip.w; // what is left after the division: -1 to 1
  float depth = 0.5 + 0.5 * ndc.z;
  vec3 c = mix(vec3(0.96, 0.73, 0.25), vec3(0.06, 0.45, 0.48), depth);
  float fifth = depth * 5.0;
  float line = abs(fract(fifth - 0.5) - 0.5) / max(fwidth(fifth), 1e-4);
  c = mix(vec3(1.0), c, smoothstep(0.5, 1.5, line));
  color = vec4(c, 1.0);
}
