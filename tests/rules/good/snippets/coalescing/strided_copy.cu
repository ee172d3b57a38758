// Copies every stride-th float, and checks the copy.
#include <cstdio>

// --8<-- [start:kernel]
__global__ void strided_copy(const float* in, float* out, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * stride];
}
// --8<-- [end:kernel]

int main() {
    const int n = 1024, stride = 2;
    float *in, *out;
    if (cudaMallocManaged(&in, n * stride * sizeof(float)) || cudaMallocManaged(&out, n * sizeof(float))) return 1;
    for (int i = 0; i < n * stride; ++i) in[i] = float(i);
    strided_copy<<<n / 256, 256>>>(in, out, stride);
    if (cudaDeviceSynchronize()) return 1;
    for (int i = 0; i < n; ++i)
        if (out[i] != in[i * stride]) return 1;
    std::puts("PASS");
    return 0;
}
