"""FLOPs and bytes of six operations, then the bytes of one matrix product tile by tile."""

# --8<-- [start:operations]
SIZE = 2  # bytes per element: 4 is FP32, 2 is BF16, 1 is FP8
Q_HEADS, KV_HEADS, D = 32, 8, 128  # attention of Llama-3.1-8B


def vector_add(n):  # (FLOPs, elements read and written)
    return n, 3 * n


def linear(batch, k=4096, n=4096):
    return 2 * batch * k * n, k * n + batch * (k + n)


def attention(queries, context, scores_in_memory=False):
    q_and_out = 2 * Q_HEADS * D * queries
    k_and_v = 2 * KV_HEADS * D * context
    scores = Q_HEADS * queries * context  # written, read, written, read
    moved = q_and_out + k_and_v + (4 * scores if scores_in_memory else 0)
    return 4 * Q_HEADS * D * queries * context, moved
# --8<-- [end:operations]


operations = {
    "vector add": vector_add(1 << 24),
    "linear, batch 1": linear(1),
    "linear, batch 64": linear(64),
    "linear, batch 4096": linear(4096),
    "attention, 1 query": attention(1, 8192),
    "attention, 8192 queries": attention(8192, 8192),
    "same, scores in memory": attention(8192, 8192, scores_in_memory=True),
}
print(f"{SIZE} bytes per element          MFLOP      MB  FLOP/byte")
for name, (flops, elements) in operations.items():
    moved = SIZE * elements
    print(f"{name:24} {flops / 1e6:11,.1f} {moved / 1e6:7,.1f} {flops / moved:10.2f}")

# --8<-- [start:tiles]
N = 1024  # C = A B, all three N x N


def elements_moved(tile):
    """What blocks load and store when each computes one tile of C."""
    moved = 0
    for _row in range(0, N, tile):
        for _column in range(0, N, tile):
            for _step in range(0, N, tile):
                moved += 2 * tile * tile  # a tile of A and a tile of B
            moved += tile * tile  # the finished tile of C
    return moved


print(f"\nC = A B, {N} wide       MFLOP      MB  FLOP/byte")
for tile in (32, 64, 128, 256, 512, 1024):
    flops, moved = 2 * N**3, SIZE * elements_moved(tile)
    print(f"tiles of {tile:4}     {flops / 1e6:11,.1f} {moved / 1e6:7,.1f} {flops / moved:10.2f}")
# --8<-- [end:tiles]
