#version 300 es
// This text is compiled when the page loads. Then it runs for every fragment.
precision highp float;
uniform vec2 u_resolution; // JavaScript sets both before each draw
uniform float u_time;      // in seconds
uniform float u_pins;      // Pins along each side: 3 to 15 by 1, from 9
out vec4 color;

const float BITE = 0.5;  // radius of the bite; try 0.0, then 0.9

const vec3 PAPER = vec3(0.97, 0.95, 0.91), METAL = vec3(0.62, 0.58, 0.52);
const vec3 DARK = vec3(0.71, 0.26, 0.12), LIGHT = vec3(0.88, 0.47, 0.23);

// Distance to a square with round corners: negative inside.
float square(vec2 p, float half_side, float round_by) {
  vec2 q = abs(p) - half_side + round_by;
  return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - round_by;
}

void main() {
  // All that one invocation knows: where it is, and the uniforms.
  vec2 p = (2.0 * gl_FragCoord.xy - u_resolution) / u_resolution.y;
  float pixel = 2.0 / u_resolution.y;

  // No loop over pixels: the GPU is that loop. This one runs over the teeth.
  float open = BITE * (0.9 + 0.08 * cos(3.0 * u_time));
  float bite = length(p - 0.62) - open;
  for (int tooth = 0; tooth < 5; tooth++) {
    float turn = radians(183.0 + 21.0 * float(tooth));
    vec2 tip = 0.62 + open * vec2(cos(turn), sin(turn));
    bite = min(bite, length(p - tip) - 0.2 * open);
  }

  float die = square(p, 0.62, 0.08), legs = square(p, 0.74, 0.0);
  float along = abs(p.x) > abs(p.y) ? p.y : p.x; // position on that side
  bool leg = abs(along) < 0.6 && fract(along * u_pins / 1.2 + 0.25) < 0.5;

  vec3 cores = mix(DARK, LIGHT, 0.5 + 0.5 * sin(18.0 * p.x) * sin(18.0 * p.y));
  vec3 c = leg && legs < 0.0 ? METAL : PAPER;
  c = mix(c, cores, smoothstep(pixel, -pixel, die));
  color = vec4(mix(c, PAPER, smoothstep(pixel, -pixel, bite)), 1.0);
}
