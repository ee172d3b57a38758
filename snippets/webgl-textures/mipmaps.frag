#version 300 es
// A floor of one small texture, seen at a slant: near texels are large, far ones far smaller than a pixel.
precision highp float;
uniform sampler2D u_image; // 8 x 8 texels, with mipmaps
uniform vec2 u_resolution;
uniform float u_time;
uniform float u_repeats; // Copies of the texture across the floor: 1 to 40 by 1, from 24
uniform float u_bias;    // Mipmap level added on the right: -4 to 4 by 0.5, from 0
in vec2 v_uv;
out vec4 color;

void main() {
  // The ray of this fragment meets the floor; the horizon lies at two thirds of the height.
  float down = 0.67 - v_uv.y;
  if (down <= 0.0) {
    color = vec4(mix(vec3(0.78, 0.84, 0.90), vec3(0.45, 0.55, 0.68), v_uv.y * 3.0 - 2.0), 1.0);
    return;
  }
  float depth = 0.22 / down;
  vec2 floor_at = vec2((v_uv.x - 0.5) * depth * u_resolution.x / u_resolution.y, depth + 0.1 * u_time) * u_repeats / 4.0;

  // Left: level 0 always. Most texels are skipped, and which ones are hit changes from pixel to pixel: aliasing.
  vec3 level_0 = textureLod(u_image, floor_at, 0.0).rgb;
  // Right: the level whose texels are about as large as a pixel, found from the derivatives, and shifted by the bias.
  vec3 mipped = texture(u_image, floor_at, u_bias).rgb;

  vec3 c = v_uv.x < 0.5 ? level_0 : mipped;
  c = mix(c, vec3(1.0), step(abs(v_uv.x - 0.5) * u_resolution.x, 1.0));
  color = vec4(c, 1.0);
}
