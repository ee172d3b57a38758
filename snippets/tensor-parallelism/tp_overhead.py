"""All-reduce time against arithmetic in one layer's forward pass, at peak."""

# --8<-- [start:cost]
TOKENS = 4096  # in one micro-batch; double it: what changes?
RATE = 450  # fact: h100-sxm-nvlink-one-way
PEAK = 989.4  # fact: h100-sxm-bf16-dense

MODELS = {  # hidden size, parameters of one layer in billions
    "Llama-3.1-8B": (4096, 0.218),
    "Llama-3.1-70B": (8192, 0.856),
    "Llama-3.1-405B": (16384, 3.188),
}


def layer(hidden, billions, ranks):
    """Milliseconds of arithmetic and of two all-reduces."""
    arithmetic = 2 * billions * TOKENS / ranks / PEAK
    message = TOKENS * hidden * 2 / 1e9  # BF16, in GB
    sends = 2 * 2 * (ranks - 1) / ranks * message
    return arithmetic, sends / RATE * 1e3


print(f"{'':<15}{'ranks':>6}{'math ms':>9}{'comm ms':>9}{'ratio':>8}")
for name, (hidden, billions) in MODELS.items():
    for ranks in (2, 4, 8):
        arithmetic, comm = layer(hidden, billions, ranks)
        print(f"{name:<15}{ranks:>6}{arithmetic:>9.2f}{comm:>9.2f}"
              f"{comm / arithmetic:>8.0%}")
# --8<-- [end:cost]
