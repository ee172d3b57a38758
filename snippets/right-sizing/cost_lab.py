"""What a million output tokens cost on one GPU, from its price, the batch it runs and how busy it is kept."""

from typing import Annotated

GPUS = {  # GB, GB/s, TFLOP/s in BF16
    "L4": (
        24,  # fact: l4-mem-capacity
        300,  # fact: l4-mem-bw
        121,  # fact: l4-bf16-dense
    ),
    "A100 SXM 80 GB": (
        80,  # fact: a100-80-sxm-mem-capacity
        2039,  # fact: a100-80-sxm-mem-bw
        312,  # fact: a100-80-sxm-bf16-dense
    ),
    "H100 SXM": (
        80,  # fact: h100-sxm-mem-capacity
        3350,  # fact: h100-sxm-mem-bw
        989.4,  # fact: h100-sxm-bf16-dense
    ),
}
READ = 15.01e9  # fact: llama31-8b-read-bf16
MULTIPLIED = 7_504_924_672  # fact: llama31-8b-multiplied-params
WEIGHTS = 16.06e9  # fact: llama31-8b-weights-bf16
KV = 131_072  # fact: llama31-8b-kv-bytes-token
PROMPT, OUTPUT = 1000, 300  # tokens of a request

PREDICT = {"ask": "An H100 at 3 dollars an hour, always busy, decodes for 64 requests at once. What does a million output tokens cost at the floor, in dollars?",
           "at": {"batch": 64, "price": 3.0, "busy": 100}, "unit": "dollars"}
LEFT_OUT = ("Latency targets, queueing, engine overhead and everything that keeps a GPU from its peaks: this is a floor, and a real engine "
            "costs more. The price is yours to set. A Llama 3.1 8B in BF16, 1,000 prompt and 300 output tokens.")


def simulate(
    batch: Annotated[int, [1, 2, 4, 8, 16, 32, 64, 128, 256], "requests", "Decoded at once"] = 32,
    price: Annotated[float, [0.5, 1, 2, 3, 5, 10], "dollars an hour", "The GPU costs"] = 3.0,
    busy: Annotated[int, [10, 25, 50, 75, 100], "% of the time", "The GPU is kept busy"] = 100,
    gpu: Annotated[str, ["L4", "A100 SXM 80 GB", "H100 SXM"], "", "GPU"] = "H100 SXM",
):
    fits = most_requests(gpu)
    real = min(batch, fits)
    rate = tokens_per_second(gpu, real)
    cost = price / 3600 / (rate * busy / 100) * 1e6
    says = (f"{gpu}, {real} request{'s' if real > 1 else ''} at once{f' (no more than {fits} fit)' if real < batch else ''}: at most {rate:,.0f} output tokens/s, so that a million cost at least "
            f"{cost:,.2f} dollars when {busy} % busy.")
    table = [["requests at once", "tokens/s, at most", "ms per token", "dollars per million"]]
    for count in (1, 2, 4, 8, 16, 32, 64, 128, 256):
        if count <= fits:
            table.append([count, round(tokens_per_second(gpu, count)), round(step(gpu, count) * 1e3, 2), round(price / 3600 / (tokens_per_second(gpu, count) * busy / 100) * 1e6, 3)])
    return {"svg": picture(gpu, real, price, busy, cost), "table": table, "result": round(cost, 2), "says": says}


def most_requests(gpu):
    return int((GPUS[gpu][0] * 1e9 - WEIGHTS) / (KV * (PROMPT + OUTPUT)))


def step(gpu, batch):
    """Seconds of one decoding step, at the peaks: weights and caches are read, or the arithmetic takes longer."""
    _, bandwidth, peak = GPUS[gpu]
    bytes_read = READ + batch * KV * (PROMPT + OUTPUT / 2)
    return max(bytes_read / (bandwidth * 1e9), 2 * MULTIPLIED * batch / (peak * 1e12))


def tokens_per_second(gpu, batch):
    """Output tokens, with the time of the prompts counted in."""
    prompts = batch * 2 * MULTIPLIED * PROMPT / (GPUS[gpu][2] * 1e12)
    return batch * OUTPUT / (OUTPUT * step(gpu, batch) + prompts)


def picture(gpu, batch, price, busy, cost):
    """Cost over the batch, both by factors of two."""
    from math import log2

    def at(count, dollars):
        return 52 + log2(count) * 41, 186 - (log2(dollars) + 7) * 8.8

    points = [at(count, price / 3600 / (tokens_per_second(gpu, count) * busy / 100) * 1e6) for count in (1, 2, 4, 8, 16, 32, 64, 128, 256) if count <= most_requests(gpu)]
    x, y = at(batch, cost)
    ticks = "".join(f'<text class="end" x="46" y="{at(1, n)[1] + 4:.0f}">{n:,g}</text>' for n in (0.01, 0.1, 1, 10, 100, 1000))
    ticks += "".join(f'<text class="mid" x="{at(n, 1)[0]:.0f}" y="203">{n}</text>' for n in (1, 4, 16, 64, 256))
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 226"><path class="line" d="M52 18V186H392"/>'
            f'<path class="cool-line" d="M{"L".join(f"{px:.1f} {py:.1f}" for px, py in points)}"/><circle class="hot" cx="{x:.1f}" cy="{y:.1f}" r="6"/>'
            f'<g class="small muted">{ticks}<text x="60" y="16">dollars per million output tokens</text><text class="mid" x="220" y="222">requests at once</text></g></svg>')
