// Arguments of a launch convert to the kernel's parameters, and those with a default may be left out.
#include "../small.h"
struct Shape { int rows, columns; };
__global__ void k(int* out, Shape shape, const int* none, float scale = 2, void (*hook)(int) = nullptr) {
  out[0] = int((shape.rows + shape.columns) * scale) + (none == nullptr) + (hook == nullptr);
}
template <class... Values>
void launch(void (*kernel)(Values...), Values... values) { kernel<<<1, 1>>>(values...); }
int main() {
  int* out = device(std::vector<int>(1));
  k<<<1, 1>>>(out, {1, 2}, NULL);
  bool good = host(out, 1)[0] == 8;
  k<<<dim3{1}, {1, 1}>>>(out, {.rows = 1, .columns = 3}, 0, 3, 0);
  good = good && host(out, 1)[0] == 14;
  launch<int*, Shape, const int*, float, void (*)(int)>(&k, out, {2, 2}, nullptr, 1.5f, nullptr);
  return verdict(good && host(out, 1)[0] == 8);
}
