"""One attention head in tiles: bytes from HBM, FLOPs per byte and on-chip space, by query rows per tile."""

PEAK = 989.4  # fact: h100-sxm-bf16-dense
HBM = 3350  # fact: h100-sxm-mem-bw
REGISTERS = 256  # fact: h100-sxm-regfile-per-sm
SHARED = 227  # fact: cc-9-0-smem-block

# --8<-- [start:tiles]
TOKENS, HEAD, BYTES = 8192, 128, 2
KEYS, STAGES = 128, 2  # rows of a K or V tile; tiles of each kept in flight
L2_HITS = 0.0  # share of the repeated K and V reads that L2 serves: try 0.9
ROWS = [1, 4, 8, 64, 128, 192, 256]  # query rows that share one pass over K and V


def traffic(rows):
    """FLOPs and HBM bytes: Q and O once, K and V once for every Q tile."""
    flops = 4 * TOKENS * TOKENS * HEAD  # Q times K, then weights times V
    matrix = TOKENS * HEAD * BYTES
    passes = 1 + (TOKENS / rows - 1) * (1 - L2_HITS)
    return flops, 2 * matrix + 2 * matrix * passes


def on_chip(rows):
    """KiB of registers (scores and output, FP32) and of shared memory (Q, K, V)."""
    registers = rows * (KEYS + HEAD) * 4 / 1024
    shared = (rows + 2 * STAGES * KEYS) * HEAD * BYTES / 1024
    return registers, shared
# --8<-- [end:tiles]


print(f"ridge: {PEAK * 1000 / HBM:.0f} FLOP/byte")
print(f"not tiled, scores and weights: {4 * TOKENS * TOKENS * BYTES / 2**20:,.0f} MiB\n")
print("                       at most   regs   smem")
print("rows HBM MiB FLOP/byte TFLOP/s    KiB    KiB")
for rows in ROWS:
    flops, moved = traffic(rows)
    regs, smem = on_chip(rows)
    roof = min(PEAK, flops / moved * HBM / 1000)
    fits = "" if regs < REGISTERS and smem <= SHARED else "  too big"
    print(f"{rows:4} {moved / 2**20:7,.0f} {flops / moved:9.1f} {roof:7.0f} {regs:6.0f} {smem:6.0f}{fits}")
