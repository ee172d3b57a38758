#version 300 es
// One branch in a fragment shader, and the groups of fragments that run in step. A group pays for every side that one of its lanes takes.
precision highp float;
uniform vec2 u_resolution;
uniform float u_time;
uniform float u_stripe; // Width of a stripe, in fragments: 1 to 32 by 1, from 14
uniform float u_tilt;   // Tilt of the stripes, in degrees: 0 to 45 by 5, from 20
uniform int u_lanes;    // Columns of a group of 32: 0 for 4, 1 for 8, 2 for 16: 0 to 2 by 1, from 1
uniform int u_far;      // Steps of the long side; the short one has 4: 4 to 64 by 4, from 20
in vec2 v_uv;
out vec4 color;

const vec2 SCREEN = vec2(96.0, 54.0); // large fragments, to see them

bool long_side(vec2 at) {
  float turn = radians(u_tilt);
  float along = dot(at + vec2(0.0, u_time), vec2(cos(turn), sin(turn)));
  return fract(along / (2.0 * u_stripe)) < 0.5;
}

void main() {
  vec2 at = floor(v_uv * SCREEN);
  vec2 group = u_lanes == 0 ? vec2(4, 8) : u_lanes == 1 ? vec2(8, 4) : vec2(16, 2);
  vec2 corner = floor(at / group) * group;

  int taken = 0; // lanes of this group on the long side
  for (int lane = 0; lane < 32; lane++) {
    vec2 beside = corner + vec2(lane % int(group.x), lane / int(group.x));
    if (long_side(beside + 0.5)) taken++;
  }
  float steps = float((taken > 0 ? u_far : 0) + (taken < 32 ? 4 : 0)); // all that the group issues
  float mine = long_side(at + 0.5) ? float(u_far) : 4.0;               // what this lane needs of it

  // Left: which side a lane takes. Right: the steps that its group issues, red where a lane waits through a side it did not take.
  vec3 side = mine > 4.0 ? vec3(0.96, 0.73, 0.25) : vec3(0.06, 0.45, 0.48);
  vec3 cost = mix(vec3(0.10, 0.20, 0.22), vec3(0.96, 0.73, 0.25), steps / float(u_far + 4));
  if (steps > mine) cost = mix(cost, vec3(0.80, 0.14, 0.10), (steps - mine) / steps);
  vec3 c = v_uv.x < 0.5 ? side : cost;

  vec2 cell = v_uv * SCREEN, border = abs(fract(cell / group + 0.5) - 0.5) * group;
  if (min(border.x, border.y) < 0.08) c *= 0.5;
  color = vec4(mix(c, vec3(1.0), step(abs(v_uv.x - 0.5) * u_resolution.x, 1.0)), 1.0);
}
