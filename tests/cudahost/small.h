// What the programs of these suites share.
#pragma once
#include <cstdio>
#include <vector>

template <class T>
T* device(const std::vector<T>& values) {
  T* pointer = nullptr;
  cudaMalloc(&pointer, values.size() * sizeof(T));
  cudaMemcpy(pointer, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return pointer;
}

template <class T>
std::vector<T> host(const T* pointer, size_t count) {
  std::vector<T> values(count);
  cudaMemcpy(values.data(), pointer, count * sizeof(T), cudaMemcpyDeviceToHost);
  return values;
}

inline std::vector<float> ramp(int count) {
  std::vector<float> values(count);
  for (int i = 0; i < count; ++i) values[i] = float(i % 17);
  return values;
}

inline int verdict(bool good) {
  std::printf(good ? "PASS\n" : "FAIL\n");
  return good ? 0 : 1;
}
