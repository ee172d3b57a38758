// Moves particles along x, kept as an array of structs and as one array per field.
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

struct Particle {
  float x, y, z, mass;
};

// --8<-- [start:kernel]
// Array of structs: neighbors' x are 16 bytes apart. 16 sectors a warp, of which
// a quarter is used.
__global__ void move_structs(Particle* particles, int n, float distance) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) particles[i].x += distance;
}

// One array per field: neighbors' x are neighbors. 4 sectors, all of them used.
__global__ void move_fields(float* x, int n, float distance) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += distance;
}
// --8<-- [end:kernel]

// gpu: scale=2048 bytes=8*16384*SCALE
#ifndef SCALE
#define SCALE 1
#endif
constexpr int N = (1 << 14) * SCALE;
constexpr int THREADS = 256;
constexpr int BLOCKS = N / THREADS;
constexpr float DISTANCE = 2.0f;

int main() {
  std::vector<Particle> structs(N);
  std::vector<float> fields(N);
  for (int i = 0; i < N; ++i) {
    structs[i] = {static_cast<float>(i), 1.0f, 2.0f, 3.0f};
    fields[i] = static_cast<float>(i);
  }

  Particle* device_structs = nullptr;
  float* device_x = nullptr;
  CHECK(cudaMalloc(&device_structs, N * sizeof(Particle)));
  CHECK(cudaMalloc(&device_x, N * sizeof(float)));
  CHECK(cudaMemcpy(device_structs, structs.data(), N * sizeof(Particle), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_x, fields.data(), N * sizeof(float), cudaMemcpyHostToDevice));

  move_structs<<<BLOCKS, THREADS>>>(device_structs, N, DISTANCE);
  CHECK(cudaGetLastError());
  move_fields<<<BLOCKS, THREADS>>>(device_x, N, DISTANCE);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(structs.data(), device_structs, N * sizeof(Particle), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(fields.data(), device_x, N * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_structs));
  CHECK(cudaFree(device_x));

  int wrong = 0;
  for (int i = 0; i < N; ++i) {
    const Particle& p = structs[i];
    float x = static_cast<float>(i) + DISTANCE;
    wrong += !(p.x == x && p.y == 1.0f && p.z == 2.0f && p.mass == 3.0f && fields[i] == x);
  }
  std::printf("%s particle_layout: %d particles in both layouts, %d wrong\n",
              wrong ? "FAIL" : "PASS", N, wrong);
  return wrong ? 1 : 0;
}
