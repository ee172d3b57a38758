"""Split a kernel's share of peak memory bandwidth into two factors that call for different cures."""

# --8<-- [start:kernels]
PEAK = 3350  # fact: h100-sxm-mem-bw

# Examples, not measurements: put your own kernels here.
# name: (MB the algorithm needs, MB the profiler saw move, microseconds)
kernels = {
    "one field of a struct": (200, 800, 285),
    "tiny grid": (200, 200, 285),
    "fused, contiguous": (200, 204, 72),
    "second pass, L2 hits": (40, 5, 20),
}
# --8<-- [end:kernels]

print(f"{'share of peak':21} useful = needed x achieved")
print(f"{'':30} / moved   / peak")
for name, (needed, moved, time) in kernels.items():
    achieved = moved * 1e6 / (time * 1e-6) / 1e9 / PEAK  # on the memory bus
    density = needed / moved
    if density > 1:
        cure = "caches helped"
    elif density < 0.8:
        cure = "move less"
    elif achieved < 0.7:
        cure = "more in flight"
    else:
        cure = "need less"
    print(f"{name:21} {density * achieved:6.0%} {density:8.0%} {achieved:8.0%}  {cure}")
