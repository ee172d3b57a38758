#version 300 es
// Fragment stage: runs once per fragment, thousands of times per frame.
precision highp float;
uniform float u_time;

in vec3 v_weight; // ... and arrives here interpolated, a new value each time
out vec4 color;   // the output has no fixed name in GLSL ES 3.00

const vec3 RUST = vec3(0.78, 0.27, 0.12);
const vec3 GOLD = vec3(0.96, 0.73, 0.25);
const vec3 TEAL = vec3(0.06, 0.45, 0.48);

void main() {
  // Mix the three corner colors by how near this fragment is to each corner.
  vec3 c = RUST * v_weight.x + GOLD * v_weight.y + TEAL * v_weight.z;

  // Lines of equal weight, one each tenth: even spacing means linear.
  vec3 tenth = v_weight * 10.0;
  vec3 width = max(fwidth(tenth), 1e-4);
  vec3 line = 1.0 - smoothstep(0.5, 1.5, abs(fract(tenth - 0.5) - 0.5) / width);
  c = mix(c, vec3(1.0), 0.22 * max(line.x, max(line.y, line.z)));

  // A front that sweeps from the base to vertex 0, drawn by this stage alone.
  float front = fract(0.15 * u_time);
  c += 0.35 * exp(-abs(v_weight.x - front) * 40.0);

  color = vec4(c, 1.0); // try: color = vec4(v_weight, 1.0);
}
