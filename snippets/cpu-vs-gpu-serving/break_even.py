"""Cost of a million requests on CPU and GPU replicas, by request rate."""
from math import ceil

# --8<-- [start:offer]
# Placeholders. `rate`: requests per second that one replica serves
# within the latency target, measured. `price`: per hour, yours.
CPU = {"price": 0.80, "rate": 60}
GPU = {"price": 1.60, "rate": 900}
SPARE = 1  # replicas that may fail while the rest carries the load
# --8<-- [end:offer]


def replicas(offer, rate):
    return ceil(rate / offer["rate"]) + SPARE


def cost(offer, rate):
    """Price of one million requests at a steady rate."""
    hours = 1e6 / rate / 3600
    return replicas(offer, rate) * offer["price"] * hours


print(f"{'':>10}{'replicas':>12}{'per million':>18}{'GPU':>8}")
print(f"{'rate/s':>10}{'CPU':>7}{'GPU':>5}{'CPU':>10}{'GPU':>8}{'busy':>8}")
for rate in [1, 10, 50, 100, 200, 400, 800, 1600, 3200]:
    cpu, gpu = replicas(CPU, rate), replicas(GPU, rate)
    busy = rate / (gpu * GPU["rate"])
    print(f"{rate:>10}{cpu:>7}{gpu:>5}{cost(CPU, rate):>10.2f}"
          f"{cost(GPU, rate):>8.2f}{busy:>8.1%}")

cheaper = [r for r in range(1, 5001) if cost(GPU, r) < cost(CPU, r)]
print(f"\nthe GPU first costs less at {cheaper[0]} requests/s"
      if cheaper else "\nthe CPU costs less up to 5000 requests/s")
