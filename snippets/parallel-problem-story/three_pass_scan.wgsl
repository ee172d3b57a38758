// A prefix sum in three passes: scan each block, scan the blocks' sums, add what came before.
// input values: 16384 u32 below 100
// scratch sums: 64 u32
// output scanned: 16384 u32
// pass scan_blocks: 64 workgroups
// pass scan_sums: 1 workgroup
// pass add_before: 64 workgroups
// check scanned: prefix sum of values

@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
@group(0) @binding(2) var<storage, read_write> scanned: array<u32>;

const BLOCK = 256u;
var<workgroup> part: array<u32, BLOCK>;

// Hillis and Steele: in each round every value adds the one `distance` to its left.
fn scan(t: u32, value: u32) -> u32 {
  part[t] = value;
  for (var distance = 1u; distance < BLOCK; distance *= 2u) {
    workgroupBarrier();
    var sum = part[t];
    if (t >= distance) { sum += part[t - distance]; }
    workgroupBarrier();  // all have read before anybody writes
    part[t] = sum;
  }
  return part[t];
}

@compute @workgroup_size(BLOCK)
fn scan_blocks(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) t: u32,
               @builtin(workgroup_id) group: vec3u) {
  let sum = scan(t, values[id.x]);
  scanned[id.x] = sum;
  if (t == BLOCK - 1u) { sums[group.x] = sum; }
}

@compute @workgroup_size(BLOCK)
fn scan_sums(@builtin(local_invocation_index) t: u32) {
  let count = arrayLength(&sums);
  let sum = scan(t, select(0u, sums[min(t, count - 1u)], t < count));
  if (t < count) { sums[t] = sum; }
}

@compute @workgroup_size(BLOCK)
fn add_before(@builtin(global_invocation_id) id: vec3u, @builtin(workgroup_id) group: vec3u) {
  if (group.x > 0u) { scanned[id.x] += sums[group.x - 1u]; }
}
