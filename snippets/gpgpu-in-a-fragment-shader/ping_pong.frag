#version 300 es
// A sum without shared memory: each pass reads what the pass before wrote, and adds four values into one.
// pass: texture 127 x 64, 7 times
// pass: canvas
// check: sum
precision highp float;
precision highp usampler2D;
uniform usampler2D u_before; // floats, kept bit by bit in integers
uniform float u_time;
uniform int u_pass;    // 0 makes the input, 1 to 6 add, 7 is the canvas
uniform int u_stop;    // Last pass that adds: 0 to 6 by 1, from 6
uniform float u_waves; // Waves in the input: 1 to 12 by 1, from 3
in vec2 v_uv;
layout(location = 0) out vec4 color; // seen on the canvas
layout(location = 1) out uvec4 next; // what the next pass reads

// Levels lie side by side, as in a heap: 64 columns from index 64 on, 32 from 32 on, the total at index 1. Texel 0 is index 1.
float value(ivec2 i) { return uintBitsToFloat(texelFetch(u_before, i - ivec2(1, 0), 0).x); }
int side(int level) { return 64 >> level; }
bool holds(int level, ivec2 i) { return i.x >= side(level) && i.x < 2 * side(level) && i.y < side(level); }

void draw() {
  vec2 cell = v_uv * vec2(130.0, 73.125) - vec2(0.5, 4.5);
  ivec2 i = ivec2(floor(cell));
  color = vec4(0.08, 0.09, 0.10, 1.0);
  for (int level = 0; level < 7; level++) {
    if (!holds(level, i)) continue;
    float mean = value(i) / exp2(2.0 * float(level)); // 4 values each level
    vec3 c = mix(vec3(0.06, 0.30, 0.34), vec3(0.98, 0.80, 0.35), mean);
    bool now = level == int(u_time) % 7;              // a light that runs through the passes
    vec2 rim = abs(fract(cell) - 0.5);
    color.rgb = level > u_stop ? vec3(0.16) : c * (level > 0 && max(rim.x, rim.y) > 0.42 ? 0.75 : 1.0) * (now ? 1.0 : 0.8);
  }
}

void main() {
  if (u_pass == 7) { draw(); return; }
  ivec2 i = ivec2(gl_FragCoord.xy) + ivec2(1, 0);
  float x = 0.0;
  if (u_pass == 0) {
    vec2 p = (vec2(i) - vec2(64.0, 0.0)) / 64.0;
    if (holds(0, i)) x = 0.5 + 0.5 * sin(6.2832 * u_waves * length(p - 0.5)) * (1.0 - p.y);
  } else {
    x = value(i); // what is there already
    if (holds(u_pass, i) && u_pass <= u_stop) {
      ivec2 from = 2 * i;
      x = value(from) + value(from + ivec2(1, 0)) + value(from + ivec2(0, 1)) + value(from + 1);
    }
  }
  next = uvec4(floatBitsToUint(x), 0u, 0u, 0u);
}
