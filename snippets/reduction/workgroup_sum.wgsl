// A sum in two passes: each workgroup makes one partial sum, one workgroup adds those.
// input values: 16384 u32 below 100
// scratch sums: 64 u32
// output total: 1 u32
// pass partial_sums: 64 workgroups
// pass final_sum: 1 workgroup
// check total: sum of values

@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
@group(0) @binding(2) var<storage, read_write> total: array<u32>;

const THREADS = 64u;
var<workgroup> part: array<u32, THREADS>;

// The tree: half of the invocations add, then a quarter of them, and so on.
fn tree(t: u32) {
  workgroupBarrier();
  for (var half = THREADS / 2u; half > 0u; half /= 2u) {
    if (t < half) { part[t] += part[t + half]; }
    workgroupBarrier();
  }
}

@compute @workgroup_size(THREADS)
fn partial_sums(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) t: u32,
                @builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u) {
  var sum = 0u;
  for (var i = id.x; i < arrayLength(&values); i += groups.x * THREADS) { sum += values[i]; }
  part[t] = sum;
  tree(t);
  if (t == 0u) { sums[group.x] = part[0]; }
}

@compute @workgroup_size(THREADS)
fn final_sum(@builtin(local_invocation_index) t: u32) {
  part[t] = sums[t];
  tree(t);
  if (t == 0u) { total[0] = part[0]; }
}
