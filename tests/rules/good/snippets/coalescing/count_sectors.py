"""Count the sectors that one warp touches."""

SECTOR = 32  # fact: transaction
LANES = range(32)


def sectors(addresses, width):
    """How many different sectors hold the bytes that the lanes want."""
    wanted = {address + byte for address in addresses for byte in range(width)}
    return len({byte // SECTOR for byte in wanted})


# --8<-- [start:count]
patterns = {
    "x[i]": [4 * i for i in LANES],
    "x[i + 1]": [4 * (i + 1) for i in LANES],
    "x[2 * i]": [4 * 2 * i for i in LANES],
    "x[8 * i]": [4 * 8 * i for i in LANES],
}
# --8<-- [end:count]

print("lane i reads  sectors")
for name, addresses in patterns.items():
    print(f"{name:12} {sectors(addresses, 4):8}")
print()
print("The same with eight bytes to a lane:")
for name, addresses in patterns.items():
    print(f"{name:12} {sectors([2 * a for a in addresses], 8):8}")
