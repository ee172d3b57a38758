"""How many independent chains of multiply-adds a CPU socket and a GPU need before they are busy."""

# Cores or SMs, multiply-adds each starts per cycle (FP32), clock in GHz.
CPU = (
    56,  # fact: xeon-8480c-cores
    64 // 2,  # two FLOPs to a multiply-add
    2.9,  # fact: xeon-8480c-clock
)
GPU = (
    132,  # fact: h100-sxm-sm-count
    128,  # fact: h100-sxm-fp32-lanes-per-sm
    1.983,  # fact: h100-sxm-fp32-clock
)

# --8<-- [start:chains]
DEPTH = 1000  # multiply-adds in a chain, each needs the one before
LATENCY = 4  # cycles until the next one of a chain can start (assumed for both)
LAUNCH = {"CPU": 0.0, "GPU": 5.0}  # microseconds before work begins (assumed)


def microseconds(machine, units, per_cycle, clock, chains):
    """Each round advances every chain by one: it takes a latency, or longer if the lanes run out."""
    lanes = units * per_cycle
    round_cycles = max(LATENCY, chains / lanes)
    return LAUNCH[machine] + DEPTH * round_cycles / clock / 1000


WIDTHS = [1, 1_000, 7_168, 20_000, 67_584, 1_000_000, 100_000_000]
# --8<-- [end:chains]

for name, (units, per_cycle, _) in [("CPU", CPU), ("GPU", GPU)]:
    lanes = units * per_cycle
    print(f"{name}: {lanes:6,} lanes, full from {lanes * LATENCY:6,} chains on")

print("\n     chains      CPU us      GPU us  faster")
for chains in WIDTHS:
    cpu = microseconds("CPU", *CPU, chains)
    gpu = microseconds("GPU", *GPU, chains)
    ratio = max(cpu, gpu) / min(cpu, gpu)
    print(f"{chains:11,} {cpu:11,.1f} {gpu:11,.1f}  {'CPU' if cpu < gpu else 'GPU'} {ratio:.1f}x")
