"""Count the passes that one warp's shared-memory access takes, for strides and for tile layouts."""

BANKS = 32  # fact: cc-all-smem-banks
LANES = range(32)


# --8<-- [start:count]
def passes(words):
    """Different words in the busiest bank: 1 means no conflict."""
    banks = {}
    for word in words:
        banks.setdefault(word % BANKS, set()).add(word)
    return max(len(wanted) for wanted in banks.values())


# Where element (row, col) of a 32 x 32 tile of floats is kept.
layouts = {
    "tile[32][32]": lambda row, col: row * 32 + col,
    "tile[32][33]": lambda row, col: row * 33 + col,
    "tile[32][36]": lambda row, col: row * 36 + col,
    "swizzled words": lambda row, col: row * 32 + (col ^ row),
    "swizzled chunks": lambda row, col: row * 32 + (col ^ row % 8 * 4),
}
# --8<-- [end:count]


def float4_passes(word):
    """Eight lanes, one float4 each from eight rows; "-" where its four floats do not lie in order and aligned."""
    firsts = [word(row, 4) for row in LANES[:8]]
    words = [word(row, 4 + k) for row in LANES[:8] for k in range(4)]
    whole = words == [first // 4 * 4 + k for first in firsts for k in range(4)]
    return passes(words) if whole else "-"


print("lane i reads word  passes")
for stride in (1, 2, 3, 4, 8, 16, 32, 33):
    print(f"{stride:>2} * i {passes([stride * i for i in LANES]):19}")
print(f"i // 2 {passes([i // 2 for i in LANES]):18}")
print(f"7 {passes([7 for _ in LANES]):23}")

print("\npasses for       a row  a column  8 rows of float4")
for name, word in layouts.items():
    row = passes([word(5, i) for i in LANES])
    column = passes([word(i, 5) for i in LANES])
    print(f"{name:15} {row:6} {column:9} {float4_passes(word):>17}")
