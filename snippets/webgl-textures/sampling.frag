#version 300 es
precision highp float;
uniform sampler2D u_image; // 8 x 8 texels, wrap REPEAT
uniform vec2 u_resolution;
uniform float u_time;

in vec2 v_uv;   // 0..1 across the canvas
out vec4 color;

uniform float u_texels; // Texels across the canvas, as a power of two: 1 to 12 by 0.5, from 2.5

void main() {
  float pixels = u_resolution.x / exp2(u_texels); // screen pixels per texel

  // Where this fragment looks, counted in texels. The view drifts slowly.
  vec2 drift = 0.35 * vec2(u_time, 0.4 * u_time);
  vec2 t = (v_uv - 0.5) * u_resolution / pixels + 4.0 + drift;

  // Left: one texel by its integer address. No filter, no mipmap and no wrap,
  // so the wrap is done by hand: & 7 works because 8 is a power of two.
  vec3 nearest = texelFetch(u_image, ivec2(floor(t)) & 7, 0).rgb;

  // Right: the sampler. 0..1 spans the image; the filter and the wrap mode
  // are the ones that were set with texParameteri.
  vec3 filtered = texture(u_image, t / 8.0).rgb;

  vec3 c = v_uv.x < 0.5 ? nearest : filtered;

  // A ring around each texel's center: there both halves hold the same color.
  float d = length(fract(t) - 0.5) * pixels;
  if (pixels > 20.0) c = mix(c, vec3(1.0), 1.0 - smoothstep(0.6, 1.6, abs(d - 5.0)));

  // The border between the halves.
  c = mix(c, vec3(1.0), step(abs(v_uv.x - 0.5) * u_resolution.x, 1.0));
  color = vec4(c, 1.0);
}
