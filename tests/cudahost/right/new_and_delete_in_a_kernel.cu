#include "../small.h"
struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float side) : side(side) {}
  __device__ float area() const override { return side * side; }
};
__global__ void k(float* out) {
  Shape* shape = new Square(threadIdx.x);
  float* parts = new float[2];
  parts[0] = shape->area();
  parts[1] = 1;
  out[threadIdx.x] = parts[0] + parts[1];
  delete[] parts;
  delete shape;
}
int main() {
  float* out = device(std::vector<float>(32));
  k<<<1, 32>>>(out);
  return verdict(host(out, 32)[5] == 26);
}
