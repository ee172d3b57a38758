"""What a plan of tensor, pipeline and data parallelism keeps on a GPU, and what each of the three sends in one training step."""

from math import ceil
from typing import Annotated

WEIGHT, GRADIENT, OPTIMIZER = 2, 2, 12  # bytes per parameter: BF16, BF16, and FP32 copy with two moments
MODELS = {  # layers, hidden size, feed-forward size, heads, KV heads, words
    "Llama 3.1 8B": (
        32,  # fact: llama31-8b-layers
        4096,  # fact: llama31-8b-hidden
        14336,  # fact: llama31-8b-ffn
        32,  # fact: llama31-8b-heads
        8,  # fact: llama31-8b-kv-heads
        128256,  # fact: llama31-8b-vocab
    ),
    "Llama 3.1 70B": (
        80,  # fact: llama31-70b-layers
        8192,  # fact: llama31-70b-hidden
        28672,  # fact: llama31-70b-ffn
        64,  # fact: llama31-70b-heads
        8,  # fact: llama31-70b-kv-heads
        128256,  # fact: llama31-70b-vocab
    ),
    "Llama 3.1 405B": (
        126,  # fact: llama31-405b-layers
        16384,  # fact: llama31-405b-hidden
        53248,  # fact: llama31-405b-ffn
        128,  # fact: llama31-405b-heads
        8,  # fact: llama31-405b-kv-heads
        128256,  # fact: llama31-405b-vocab
    ),
}
NODE = 8  # GPUs that share NVLink; each has a port of its own to the network
PEAK = 989.4  # fact: h100-sxm-bf16-dense
ROOM = 80  # fact: h100-sxm-mem-capacity
NVLINK = 450  # fact: h100-sxm-nvlink-one-way
PORT = 50  # fact: ib-ndr-bytes
KEPT = 34  # fact: acts-bytes-per-value
AXES = ("tensor", "pipeline", "data")
LEVELS = {"none": 0, "stage 1": 1, "stage 2": 2, "stage 3": 3}

PREDICT = {"ask": "Llama 3.1 70B on 512 GPUs: tensor 4, pipeline 2, data 64, ZeRO stage 1. For which of the three does a GPU send the most bytes in a step?",
           "at": {"tensor": 4, "pipe": 2}, "choices": ["tensor", "pipeline", "data"]}
LEFT_OUT = ("What hides behind arithmetic: the seconds are each at its own peak, and do not add up to a step. Also latency, the traffic of embeddings, "
            "logits, buffers, fragmentation, and waiting for longer stages. Activations follow Korthikanti et al. for a plain block, which a gated one exceeds. "
            "A micro-batch is one sequence, the schedule 1F1B, a tensor group splits sequences too, its ranks are neighbors, then come stages, then replicas.")


def simulate(
    tensor: Annotated[int, [1, 2, 4, 8, 16], "GPUs", "A tensor group has"] = 4,
    pipe: Annotated[int, [1, 2, 4, 8, 16], "stages", "A pipeline has"] = 2,
    zero: Annotated[str, ["none", "stage 1", "stage 2", "stage 3"], "", "ZeRO over the replicas"] = "stage 1",
    model: Annotated[str, ["Llama 3.1 8B", "Llama 3.1 70B", "Llama 3.1 405B"], "", "Model"] = "Llama 3.1 70B",
    gpus: Annotated[int, [256, 512, 1024, 2048, 4096, 8192, 16384], "GPUs", "The cluster has"] = 512,
    sequences: Annotated[int, [512, 1024, 2048, 4096], "sequences", "A step takes"] = 1024,
    length: Annotated[int, [2048, 4096, 8192, 16384], "tokens", "A sequence has"] = 4096,
    recompute: Annotated[str, ["attention", "whole blocks"], "", "Recompute"] = "attention",
):
    data = gpus // (tensor * pipe)
    micro = sequences // data
    if not micro:
        needs = f"{data:,} replicas need as many sequences, and a step has {sequences:,}: no plan. Cut each replica over more GPUs."
        return {"svg": message(f"{data:,} replicas, {sequences:,} sequences: no plan"), "table": [["replicas", "sequences"], [data, sequences]], "result": "none", "says": needs}
    parts = kept(model, tensor, pipe, data, zero, micro, length, recompute)
    whole = sum(parts.values())
    traffic = sent(model, tensor, pipe, data, zero, micro, length)
    links = {axis: link(axis, tensor, pipe, data) for axis in AXES}
    math = seconds_of_math(model, gpus, sequences * length, recompute)
    times = {"arithmetic": math, "bubble": math * (pipe - 1) / micro, **{axis: traffic[axis] / links[axis][1] for axis in AXES}}
    most = max(traffic, key=traffic.get)
    said = ", ".join(f"{short(traffic[axis])} GB for {axis} over {links[axis][0].replace('network', 'the network')}" for axis in AXES if traffic[axis])
    says = (f"{model}, tensor {tensor}, pipeline {pipe}, data {data}: {whole:,.1f} GB on a GPU {'fit' if whole <= ROOM else 'do not fit'} into {ROOM} GB. "
            f"In a step it sends {said}. The pipeline idles {round(idle(pipe, micro), 1):g} % of the time.")
    table = [["", "GB", "over", "seconds"], *([f"{name}, kept", round(size, 2), "", ""] for name, size in parts.items()),
             ["together", round(whole, 2), "", ""], *([f"{axis}, sent", round(traffic[axis], 2), links[axis][0], round(times[axis], 3)] for axis in AXES),
             *([name, "", "", round(times[name], 3)] for name in ("arithmetic", "bubble"))]
    plan = f"{data:,} {'replica' if data == 1 else 'replicas'} of {tensor * pipe} {'GPU' if tensor * pipe == 1 else 'GPUs'}, {micro:,} {'micro-batch' if micro == 1 else 'micro-batches'} each"
    return {"svg": picture(plan, parts, whole, times, traffic, links), "table": table, "result": most, "says": says}


def layers_of(model, pipe, stage):
    """Layers of a stage; the first ones take one more where they do not divide."""
    layers = MODELS[model][0]
    return layers // pipe + (stage < layers % pipe)


def layer_parameters(model, tensor):
    """Parameters of one layer on one GPU. Norms are whole on each; where GPUs outnumber the KV heads, these are copied."""
    _, hidden, ffn, heads, kv_heads, _ = MODELS[model]
    return (2 * hidden * hidden + 3 * hidden * ffn) / tensor + 2 * hidden * kv_heads * (hidden // heads) / min(tensor, kv_heads) + 2 * hidden


def parameters(model, tensor, pipe, stage):
    """Parameters on one GPU of a stage: its layers, the embedding on the first, the output and its norm on the last."""
    _, hidden, _, _, _, words = MODELS[model]
    ends = (stage == 0) * words * hidden / tensor + (stage == pipe - 1) * (words * hidden / tensor + hidden)
    return layers_of(model, pipe, stage) * layer_parameters(model, tensor) + ends


def kept(model, tensor, pipe, data, zero, micro, length, recompute):
    """Gigabytes on one GPU of the first stage, which 1F1B makes keep the most micro-batches."""
    count, layers, level = parameters(model, tensor, pipe, 0), layers_of(model, pipe, 0), LEVELS[zero]
    values = length * MODELS[model][1] / tensor
    in_flight = layers * min(pipe, micro)
    sizes = {
        "weights": WEIGHT * count / (data if level > 2 else 1),
        "gradients": GRADIENT * count / (data if level > 1 else 1),
        "optimizer": OPTIMIZER * count / (data if level > 0 else 1),
        "activations": values * (KEPT * in_flight if recompute == "attention" else 2 * in_flight + KEPT),
    }
    if level > 2:  # two layers whole, this one and the next, weights and gradients
        sizes["gathered"] = 2 * (WEIGHT + GRADIENT) * layer_parameters(model, tensor)
    return {name: size / 1e9 for name, size in sizes.items()}


def sent(model, tensor, pipe, data, zero, micro, length):
    """Gigabytes that one GPU sends in a step, for each axis: the most that any GPU of the replica sends."""
    slice_of_one = length * MODELS[model][1] * 2 / 1e9  # the activations of a micro-batch in BF16
    sums = 4 * layers_of(model, pipe, 0) * micro  # two in the forward pass of a layer, two in the backward pass
    messages = min(2, pipe - 1) * micro  # activations onward, gradients back; at the ends only one of the two
    passes = {"none": 2, "stage 1": 2, "stage 2": micro + 1, "stage 3": 3 * micro}[zero]
    return {
        "tensor": sums * 2 * (tensor - 1) / tensor * slice_of_one,
        "pipeline": messages * slice_of_one / tensor,
        "data": passes * (data - 1) / data * WEIGHT * parameters(model, tensor, pipe, 0) / 1e9,
    }


def link(axis, tensor, pipe, data):
    """The name of the link that a group needs, and GB/s for each GPU. Rings of a group use the ports of all of its GPUs in a node."""
    size, apart = {"tensor": (tensor, 1), "pipeline": (pipe, tensor), "data": (data, tensor * pipe)}[axis]
    if size * apart <= NODE:
        return "NVLink", NVLINK
    beside = 1 if axis == "pipeline" else max(1, NODE // apart)
    return "network", min(NVLINK, beside * PORT)


def idle(pipe, micro):
    """Per cent of the time in which a stage waits for the pipeline to fill and drain."""
    return 100 * (pipe - 1) / (micro + pipe - 1)


def seconds_of_math(model, gpus, tokens, recompute):
    """6 FLOPs per parameter and token, 8 where blocks run forward twice, at the peak."""
    return (8 if recompute == "whole blocks" else 6) * parameters(model, 1, 1, 0) * tokens / gpus / (PEAK * 1e12)


def short(number):
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def spoken(seconds):
    return f"{short(seconds)} s" if seconds >= 1 or not seconds else f"{short(seconds * 1e3)} ms"


def message(text):
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 60"><text x="12" y="34">{text}</text></svg>'


def picture(plan, parts, whole, times, traffic, links):
    """What is kept as one bar against the memory, then the times of a step, each on its own."""
    roles = {"weights": "cool", "gradients": "good", "optimizer": "hot", "activations": "warn", "gathered": "muted"}
    scale, x, bar, legend = 376 / max(whole, ROOM), 12.0, [], []
    for place, (name, size) in enumerate(parts.items()):
        bar.append(f'<rect class="{roles[name]}" x="{x:.1f}" y="48" width="{size * scale:.1f}" height="22"/>')
        x += size * scale
        left, low = 12 + place % 3 * 128, 96 + place // 3 * 20
        legend.append(f'<rect class="{roles[name]}" x="{left}" y="{low - 10}" width="12" height="10"/><text x="{left + 17}" y="{low}">{name} {short(size)}</text>')
    edge = 12 + ROOM * scale
    rows, longest, y = [], max(times.values()), 158
    for name, time in times.items():
        axis = name in AXES
        role = "cool" if axis else "muted" if name == "bubble" else "good"
        rows.append(f'<text x="12" y="{y + 12}">{name}</text><rect class="{role}" x="84" y="{y}" width="{time / longest * 120:.1f}" height="16"/>'
                    f'<text x="{89 + time / longest * 120:.0f}" y="{y + 12}">{spoken(time)}</text>')
        if axis and traffic[name]:
            rows.append(f'<text class="end muted" x="388" y="{y + 12}">{short(traffic[name])} GB, {links[name][0]}</text>')
        y += 24
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 284"><text class="small" x="12" y="16">{plan}</text>'
            f'<text class="small strong" x="12" y="39">A GPU keeps {whole:,.1f} GB; the line is at {ROOM} GB</text>{"".join(bar)}<path class="{"bad" if whole > ROOM else "muted"}-line" d="M{edge:.0f} 45V73"/>'
            f'<g class="small">{"".join(legend)}'
            f'<text class="strong" x="12" y="148">A step, each at its own peak</text>{"".join(rows)}</g></svg>')
