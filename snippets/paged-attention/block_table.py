"""A KV-cache block allocator (append, fork, copy on write, release), then its waste."""
from math import ceil

SIZE, free = 4, [0, 1, 2, 3, 4]  # tokens per block; physical blocks nobody uses
slots, refs, tables = {}, {}, {}  # block -> tokens, block -> users, name -> blocks


def take():
    if not free:
        raise MemoryError("no free block: preempt a sequence")
    block = free.pop(0)
    slots[block], refs[block] = [], 1
    return block


# --8<-- [start:table]
STEPS = ["A+prompt", "B=fork A", "A+x", "B+y", "release A", "C+continuation"]


def append(name, token):
    table = tables.setdefault(name, [])  # physical blocks in logical order
    if not table or len(slots[table[-1]]) == SIZE:
        table.append(take())  # one block, and only when it is needed
    elif refs[table[-1]] > 1:  # shared and not full: copy on write
        shared, table[-1] = table[-1], take()
        slots[table[-1]] = list(slots[shared])
        refs[shared] -= 1
    slots[table[-1]].append(token)


# --8<-- [start:release]
def fork(parent, child):
    tables[child] = list(tables[parent])
    for block in tables[child]:
        refs[block] += 1


def release(name):
    for block in tables.pop(name):
        refs[block] -= 1
        if refs[block] == 0:
            free.append(block)
# --8<-- [end:release]
# --8<-- [end:table]


for step in STEPS:
    if "+" in step:
        for token in step.split("+")[1]:
            append(step[0], token)
    else:
        fork(step[-1], step[0]) if "fork" in step else release(step[-1])
    for name, table in tables.items():
        print(f"{step:15}", name, table, "|".join("".join(slots[b]) for b in table))

# --8<-- [start:waste]
DEFAULT = 16  # fact: vllm-block-size
LONGEST = 2048  # one stretch per sequence: what a contiguous design reserves
LENGTHS = [90, 1310, 40, 512, 233, 777, 18, 150, 64, 401]  # tokens at the end

print("\ndesign          table entries   slots held   used")
for size in [LONGEST, 256, 64, DEFAULT, 4, 1]:
    entries = sum(ceil(n / size) for n in LENGTHS)
    name = "contiguous" if size == LONGEST else f"blocks of {size}"
    print(f"{name:15} {entries:13,} {entries * size:12,} {sum(LENGTHS) / entries / size:6.0%}")
# --8<-- [end:waste]
