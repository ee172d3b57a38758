"""What saxpy<<<blocks, threads>>>(n, ...) does, one thread after the other."""

# --8<-- [start:launch]
N = 1000  # elements
THREADS = 256  # threads in a block
BLOCKS = (N + THREADS - 1) // THREADS  # round up; try N // THREADS
GUARD = True  # the kernel's "if (i < n)"


def saxpy(i, n, a, x, y):
    """The kernel, as the thread with global index i runs it."""
    if not GUARD or i < n:
        y[i] = a * x[i] + y[i]
# --8<-- [end:launch]


SPARE = 1024  # memory behind the arrays that belongs to someone else
x = [float(i) for i in range(N)] + [7.0] * SPARE
y = [1.0] * N + [7.0] * SPARE
for block in range(BLOCKS):  # in no fixed order on a GPU, and many at once
    for thread in range(THREADS):
        saxpy(block * THREADS + thread, N, 2.0, x, y)

done = sum(y[i] == 2.0 * x[i] + 1.0 for i in range(N))
foreign = sum(value != 7.0 for value in y[N:])
warps = BLOCKS * -(-THREADS // 32)
print(f"{BLOCKS} blocks x {THREADS} threads = {BLOCKS * THREADS:,} threads, {warps} warps")
print(f"elements done           {done:5} of {N}")
print(f"threads with no element {max(0, BLOCKS * THREADS - N):5}")
print(f"writes past the end     {foreign:5}")
print("\nblock  global indices      elements")
for block in range(BLOCKS):
    first, last = block * THREADS, (block + 1) * THREADS - 1
    print(f"{block:5}  {first:5} to {last:5}  {max(0, min(N, last + 1) - first):11}")
