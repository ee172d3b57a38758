// A histogram: each workgroup counts into bins of its own, then adds them to those of all.
// input values: 65536 u32 below 256
// output bins: 256 u32
// pass count: 32 workgroups
// check bins: histogram of values

@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>>;

const BINS = 256u;
var<workgroup> mine: array<atomic<u32>, BINS>;  // zeros at the start: WGSL promises it

@compute @workgroup_size(BINS)
fn count(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) t: u32,
         @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < arrayLength(&values); i += groups.x * BINS) {
    atomicAdd(&mine[values[i]], 1u);
  }
  workgroupBarrier();
  atomicAdd(&bins[t], atomicLoad(&mine[t]));
}
