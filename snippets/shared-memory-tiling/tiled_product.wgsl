// A matrix product by tiles: 256 invocations load a tile of each matrix once and use it sixteen times.
// input left: 16384 f32 below 10
// input right: 16384 f32 below 10
// output product: 16384 f32
// pass multiply: 8 x 8 workgroups
// check product: matrix product of left and right

@group(0) @binding(0) var<storage, read> left: array<f32>;
@group(0) @binding(1) var<storage, read> right: array<f32>;
@group(0) @binding(2) var<storage, read_write> product: array<f32>;

const SIZE = 128u;  // the matrices are 128 x 128
const TILE = 16u;
var<workgroup> left_tile: array<array<f32, TILE>, TILE>;
var<workgroup> right_tile: array<array<f32, TILE>, TILE>;

@compute @workgroup_size(TILE, TILE)
fn multiply(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) t: vec3u) {
  var sum = 0.0;
  for (var first = 0u; first < SIZE; first += TILE) {
    left_tile[t.y][t.x] = left[id.y * SIZE + first + t.x];
    right_tile[t.y][t.x] = right[(first + t.y) * SIZE + id.x];
    workgroupBarrier();
    for (var k = 0u; k < TILE; k += 1u) { sum += left_tile[t.y][k] * right_tile[k][t.x]; }
    workgroupBarrier();  // nobody loads the next tile while another still reads this one
  }
  product[id.y * SIZE + id.x] = sum;
}
