// One sum.
// input values: 64 u32 below 10
// output total: 1 u32
// pass add_up: 1 workgroup
// check total: sum of values

@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> total: array<atomic<u32>>;

@compute @workgroup_size(64)
fn add_up(@builtin(local_invocation_index) t: u32) {
  atomicAdd(&total[0], values[t]);
}
