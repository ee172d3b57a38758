#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include "../small.h"
namespace cg = cooperative_groups;
__global__ void sum(const float* x, float* out) {
  __shared__ float parts[8];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  float v = cg::reduce(tile, x[block.thread_rank()], cg::plus<float>());
  if (tile.thread_rank() == 0) parts[tile.meta_group_rank()] = v;
  block.sync();
  if (block.thread_rank() == 0) {
    float all = 0;
    for (float part : parts) all += part;
    *out = all + tile.size() + (tile.any(0) ? 1 : 0);
  } else if (block.thread_rank() < 8) {
    tile.any(0);
  }
}
int main() {
  float* out = device(std::vector<float>(1));
  sum<<<1, 64>>>(device(ramp(64)), out);
  float expected = 8;
  for (float v : ramp(64)) expected += v;
  return verdict(host(out, 1)[0] == expected);
}
