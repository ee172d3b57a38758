#version 300 es
// Left: a phone screen. Right: how often each of its pixels was drawn.
precision highp float;
uniform vec2 u_resolution;
uniform float u_time;
in vec2 v_uv;
out vec4 color;

uniform int u_window; // Background of the theme's window, 0 off: 0 to 1 by 1, from 1
uniform int u_root;   // Background of the root layout, 0 off: 0 to 1 by 1, from 1
uniform int u_list;   // Background of the list, 0 off: 0 to 1 by 1, from 1

const vec3 TINT[4] = vec3[](vec3(0.35, 0.45, 0.95), vec3(0.35, 0.75, 0.35),  // blue, green
                            vec3(0.97, 0.60, 0.72), vec3(0.85, 0.20, 0.18)); // pink, red
vec2 at;       // this fragment's place on the screen, 0 to 1
int draws = 0; // layers that have covered it
vec3 seen;     // the color so far

// An opaque layer between two corners. Later ones lie on top.
void layer(bool on, vec2 low, vec2 high, vec3 c) {
  if (!on || any(lessThan(at, low)) || any(greaterThan(at, high))) return;
  draws++;
  seen = c;
}

void main() {
  bool heat = v_uv.x > 0.5;
  float width = min(0.46, 0.55 * u_resolution.y / u_resolution.x);
  at = vec2((v_uv.x - (heat ? 0.75 : 0.25)) / width + 0.5, v_uv.y / 0.94 - 0.03);
  seen = vec3(0.12);
  vec2 low = vec2(0.0), high = vec2(1.0);
  layer(u_window == 1, low, high, vec3(0.93));
  layer(u_root == 1, low, high, vec3(0.95, 0.94, 0.91));
  layer(u_list == 1, low, vec2(1.0, 0.88), vec3(0.91, 0.89, 0.84));
  for (float i = 0.0; i < 4.0; i++) { // four cards that scroll a little
    vec2 card = vec2(0.05, 0.66 - 0.22 * i + 0.03 * sin(u_time));
    layer(true, card, card + vec2(0.9, 0.19), vec3(1.0));
    layer(true, card + vec2(0.03), card + vec2(0.29, 0.16), vec3(0.25, 0.45, 0.5));
    layer(true, card + vec2(0.35, 0.11), card + vec2(0.83, 0.13), vec3(0.2));
  }
  layer(true, vec2(0.0, 0.88), high, vec3(0.71, 0.26, 0.12)); // the app bar
  layer(true, vec2(0.68, 0.05), vec2(0.92, 0.18), vec3(0.96, 0.73, 0.25));

  bool over = heat && draws > 1; // drawn twice is overdrawn once
  color = vec4(over ? mix(seen, TINT[min(draws - 2, 3)], 0.75) : seen, 1.0);
}
