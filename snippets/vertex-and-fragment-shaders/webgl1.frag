// GLSL ES 1.00, as WebGL 1 wants it; WebGL 2 still takes it. Port it: put `#version 300 es` before this line, and follow the errors.
precision highp float;
uniform vec2 u_resolution;
uniform float u_time;
uniform sampler2D u_image;
uniform float u_rings; // Rings across the canvas: 2 to 20 by 1, from 8
varying vec2 v_uv;

void main() {
  vec2 p = (v_uv - 0.5) * vec2(u_resolution.x / u_resolution.y, 1.0);
  float away = length(p) * u_rings - 0.3 * u_time;
  vec3 c = texture2D(u_image, vec2((floor(away) + 0.5) / 8.0, 0.3)).rgb;

  // A loop needs a constant bound here. In 3.00 it may be a uniform.
  for (int i = 0; i < 3; i++) {
    vec2 at = p - 0.28 * vec2(cos(2.0944 * float(i) + 0.2 * u_time), sin(2.0944 * float(i) + 0.2 * u_time));
    if (length(at) < 0.09) c = 1.0 - c;
  }

  // The width of a pixel, by hand. In 3.00 fwidth(away) says it.
  float line = 0.5 - abs(fract(away) - 0.5);
  c = mix(vec3(1.0), c, smoothstep(0.5, 1.5, line * u_resolution.y / u_rings));
  gl_FragColor = vec4(c, 1.0);
}
