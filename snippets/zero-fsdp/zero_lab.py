"""What one GPU holds while a model trains with Adam in mixed precision, for each stage of ZeRO, activations included."""

from typing import Annotated

WEIGHT, GRAD, OPTIMIZER = 2, 2, 12  # bytes per parameter: BF16, BF16, and FP32 copy with two moments
MODELS = {  # parameters, layers, hidden size, heads
    "Llama 3.1 8B": (
        8_030_261_248,  # fact: llama31-8b-params
        32,  # fact: llama31-8b-layers
        4096,  # fact: llama31-8b-hidden
        32,  # fact: llama31-8b-heads
    ),
    "Llama 3.1 70B": (
        70_553_706_496,  # fact: llama31-70b-params
        80,  # fact: llama31-70b-layers
        8192,  # fact: llama31-70b-hidden
        64,  # fact: llama31-70b-heads
    ),
    "Llama 3.1 405B": (
        405_853_388_800,  # fact: llama31-405b-params
        126,  # fact: llama31-405b-layers
        16384,  # fact: llama31-405b-hidden
        128,  # fact: llama31-405b-heads
    ),
}
ROOM = 80  # fact: h100-sxm-mem-capacity
SHARDED = {"none": (), "stage 1": ("optimizer",), "stage 2": ("optimizer", "gradients"), "stage 3": ("optimizer", "gradients", "weights")}

PREDICT = {"ask": "An 8B model trains with ZeRO stage 1 on 8 GPUs, and recomputes its blocks. How many GB does each GPU hold?",
           "at": {"gpus": 8, "stage": "stage 1"}, "unit": "GB"}
LEFT_OUT = ("What stage 3 gathers for a moment, buffers of collectives, fragmentation, and the logits. Activations follow Korthikanti et al. "
            "for a plain transformer block, which a gated one exceeds; one sequence per GPU.")


def simulate(
    gpus: Annotated[int, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], "GPUs", "Sharded over"] = 1,
    stage: Annotated[str, ["none", "stage 1", "stage 2", "stage 3"], "", "ZeRO"] = "none",
    model: Annotated[str, ["Llama 3.1 8B", "Llama 3.1 70B", "Llama 3.1 405B"], "", "Model"] = "Llama 3.1 8B",
    recompute: Annotated[str, ["nothing", "attention", "whole blocks"], "", "Recompute"] = "whole blocks",
    length: Annotated[int, [1024, 2048, 4096, 8192, 16384], "tokens", "A sequence has"] = 4096,
):
    parts = held(model, gpus, stage)
    parts["activations"] = activations(model, length, recompute)
    whole = sum(parts.values())
    first = min((n for n in (2**power for power in range(13)) if sum(held(model, n, stage).values()) + parts["activations"] <= ROOM), default=0)
    fits = f"fits into {ROOM} GB" if whole <= ROOM else f"does not fit into {ROOM} GB" + (f"; {first} GPUs would do" if first else ", on any number of GPUs")
    says = f"{model}, {'no ZeRO' if stage == 'none' else f'ZeRO {stage}'}, {gpus} GPU{'s' if gpus > 1 else ''}: {whole:,.1f} GB on each, which {fits}."
    table = [["", "GB on each GPU"], *([name, round(size, 2)] for name, size in parts.items()), ["together", round(whole, 2)]]
    return {"svg": picture(parts, whole), "table": table, "result": round(whole, 1), "says": says}


def held(model, gpus, stage):
    """Gigabytes of training state on one GPU."""
    parameters = MODELS[model][0]
    sizes = {"weights": WEIGHT, "gradients": GRAD, "optimizer": OPTIMIZER}
    return {name: size * parameters / 1e9 / (gpus if name in SHARDED[stage] else 1) for name, size in sizes.items()}


def activations(model, length, recompute):
    """Gigabytes that one sequence leaves for the backward pass: 34 s h + 5 a s^2 bytes per block, less what is recomputed."""
    _, layers, hidden, heads = MODELS[model]
    of_block = {"nothing": 34 * length * hidden + 5 * heads * length**2, "attention": 34 * length * hidden, "whole blocks": 2 * length * hidden}
    return layers * of_block[recompute] / 1e9


def picture(parts, whole):
    scale = 236 / max(whole, ROOM)
    bars, y = [], 30
    for (name, size), role in zip(parts.items(), ("cool", "good", "hot", "warn")):
        bars.append(f'<text x="12" y="{y + 15}">{name}</text><rect class="{role}" x="100" y="{y}" width="{size * scale:.1f}" height="20"/>'
                    f'<text class="small" x="{106 + size * scale:.0f}" y="{y + 15}">{size:,.1f}</text>')
        y += 30
    bars.append(f'<text class="strong" x="12" y="{y + 15}">together</text><rect class="{"bad" if whole > ROOM else "muted"}" x="100" y="{y}" width="{whole * scale:.1f}" height="20"/>'
                f'<text class="small" x="{106 + whole * scale:.0f}" y="{y + 15}">{whole:,.1f}</text>')
    edge = 100 + ROOM * scale
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 {y + 32}">{"".join(bars)}<path class="muted-line dash" d="M{edge:.0f} 22V{y + 26}"/>'
            f'<text class="small muted {"end" if edge > 240 else ""}" x="{edge - 4 if edge > 240 else edge + 4:.0f}" y="16">{ROOM} GB</text></svg>')
