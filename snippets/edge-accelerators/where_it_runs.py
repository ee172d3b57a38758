"""Where the layers of a network run on an Edge TPU, and how long one inference takes."""

GAIN = 122 / 2.6  # fact: coral-mobilenet-v2-cpu-ms
CACHE = 8.0  # fact: coral-sram

SUPPORTED = {"CONV_2D", "DEPTHWISE", "RELU6", "ADD", "POOL", "DENSE", "SOFTMAX"}

# --8<-- [start:networks]
STREAM = 400.0  # MB/s for weights that do not fit: a placeholder
# (operation, ms on the CPU, MB of 8-bit weights)
BACKBONE = [("CONV_2D", 10, 0.1), ("ACTIVATION", 2, 0), ("DEPTHWISE", 20, 0.2),
            ("CONV_2D", 50, 1.2), ("ADD", 3, 0), ("POOL", 5, 0)]
HEAD = [("DENSE", 10, 1.3), ("SOFTMAX", 1, 0)]
BIG_HEAD = [("DENSE", 60, 40.0), ("SOFTMAX", 1, 0)]
LATE = [("TOP_K", 1, 0)]


def network(activation, *parts):
    layers = [layer for part in parts for layer in part]
    return [(activation if op == "ACTIVATION" else op, ms, mb) for op, ms, mb in layers]


NETWORKS = {
    "unknown activation": network("CUSTOM", BACKBONE, HEAD),
    "ReLU6": network("RELU6", BACKBONE, HEAD),
    "ReLU6, top-k at the end": network("RELU6", BACKBONE, HEAD, LATE),
    "ReLU6, 40 MB head": network("RELU6", BACKBONE, BIG_HEAD),
}
# --8<-- [end:networks]


def cut(layers):
    """By default the compiler splits once, at the first unsupported operation."""
    ops = [op for op, _, _ in layers]
    return next((i for i, op in enumerate(ops) if op not in SUPPORTED), len(ops))


print(f"{'ms per inference':25}{'TPU':>6}{'stream':>8}{'CPU':>6}{'all':>7}")
for name, layers in NETWORKS.items():
    on_tpu, on_cpu = layers[: cut(layers)], layers[cut(layers) :]
    tpu = sum(ms for _, ms, _ in on_tpu) / GAIN
    stream = max(0, sum(mb for _, _, mb in on_tpu) - CACHE) / STREAM * 1000
    cpu = sum(ms for _, ms, _ in on_cpu)
    print(f"{name:25}{tpu:6.1f}{stream:8.1f}{cpu:6.1f}{tpu + stream + cpu:7.1f}")
