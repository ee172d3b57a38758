// Inverts a gray image whose sides are no multiples of the block.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t error = (call);                                                      \
    if (error != cudaSuccess) {                                                      \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));            \
      std::exit(1);                                                                  \
    }                                                                                \
  } while (0)

// --8<-- [start:kernel]
// A block covers 16 x 16 pixels, a thread one of them. The grid is rounded up,
// so the blocks at the right and lower edge have threads without a pixel.
__global__ void invert(unsigned char* pixels, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;  // runs along a row
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  pixels[y * width + x] = 255 - pixels[y * width + x];
}
// --8<-- [end:kernel]

constexpr int WIDTH = 100;
constexpr int HEIGHT = 70;

int main() {
  std::vector<unsigned char> image(WIDTH * HEIGHT), result(WIDTH * HEIGHT);
  for (int i = 0; i < WIDTH * HEIGHT; ++i) image[i] = static_cast<unsigned char>(i * 31 % 256);

  unsigned char* pixels = nullptr;
  CHECK(cudaMalloc(&pixels, image.size()));
  CHECK(cudaMemcpy(pixels, image.data(), image.size(), cudaMemcpyHostToDevice));

  dim3 block(16, 16);
  dim3 grid((WIDTH + block.x - 1) / block.x, (HEIGHT + block.y - 1) / block.y);
  invert<<<grid, block>>>(pixels, WIDTH, HEIGHT);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(result.data(), pixels, result.size(), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(pixels));

  int wrong = 0;
  for (int i = 0; i < WIDTH * HEIGHT; ++i) wrong += result[i] != 255 - image[i];
  int threads = grid.x * block.x * grid.y * block.y;
  std::printf("%s invert_image: %d x %d pixels, %d threads without one, %d wrong\n",
              wrong ? "FAIL" : "PASS", WIDTH, HEIGHT, threads - WIDTH * HEIGHT, wrong);
  return wrong ? 1 : 0;
}
