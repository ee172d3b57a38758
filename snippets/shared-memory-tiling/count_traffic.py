"""Count what a tiled matrix product loads from global memory, tile by tile."""

PEAK = 67  # fact: h100-sxm-fp32
BANDWIDTH = 3350  # fact: h100-sxm-mem-bw

# --8<-- [start:count]
M = N = K = 512


def floats_loaded(rows, cols, depth):
    """Floats that all blocks load; a block makes rows x cols outputs."""
    loaded = 0
    for row in range(0, M, rows):
        for col in range(0, N, cols):
            height, width = min(rows, M - row), min(cols, N - col)
            for step in range(0, K, depth):
                steps = min(depth, K - step)
                loaded += height * steps + steps * width  # of A, of B
    return loaded


tiles = [  # rows and columns of outputs, depth of a step
    (1, 1, K),
    (8, 8, 8),
    (16, 16, 16),
    (32, 32, 32),
    (32, 32, 8),
    (16, 64, 16),
    (64, 64, 16),
    (128, 128, 16),
]
# --8<-- [end:count]

FLOPS = 2 * M * N * K
print(f"{M} x {N} x {K}, FP32: {FLOPS / 1e6:.0f} million FLOPs")
print("    tile  depth     loads   saved  FLOP/byte  shared")
untiled = floats_loaded(1, 1, K)
for rows, cols, depth in tiles:
    loaded = floats_loaded(rows, cols, depth)
    shared = 4 * depth * (rows + cols) / 1024 if rows * cols > 1 else 0
    size, saved = f"{rows}x{cols}", f"{untiled / loaded:.1f}x"
    intensity = FLOPS / (4 * loaded)
    print(f"{size:>8} {depth:6} {loaded / 1e3:8,.0f}k {saved:>7} {intensity:10.2f} {shared:5.1f} KiB")
print(f"ridge of an H100 SXM in FP32: {1000 * PEAK / BANDWIDTH:.0f} FLOP/byte")
