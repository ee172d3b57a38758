"""What a DeepSpeed config asks of GPUs, host and network, before a job runs."""

# --8<-- [start:config]
PARAMS, GPUS, PER_NODE = 8.03e9, 8, 8
PIPELINE_STAGES = 1  # a PipelineModule in code, no config key
CONFIG = {
    "train_micro_batch_size_per_gpu": 1,
    "gradient_accumulation_steps": 16,
    "gradient_clipping": 1.0,
    "zero_optimization": {"stage": 2, "offload": False},
}
# --8<-- [end:config]
GPU_MEMORY = 80  # fact: h100-sxm-mem-capacity
PCIE = 64 * 128 / 130  # fact: pcie5-x16-raw

zero = CONFIG["zero_optimization"]
stage, offload = zero["stage"], zero["offload"]
micro = CONFIG["train_micro_batch_size_per_gpu"]
steps = CONFIG.get("gradient_accumulation_steps", 1)
ranks = GPUS // PIPELINE_STAGES  # data-parallel ranks
owned = PARAMS / PIPELINE_STAGES / 1e9  # billions on this GPU

weights = 2 * owned / (ranks if stage == 3 else 1)
grads = 2 * owned / (ranks if stage >= 2 else 1)
optimizer = 12 * owned / (ranks if stage >= 1 else 1)
on_gpu = weights if offload else weights + grads + optimizer
on_host = 16 * owned / ranks * min(GPUS, PER_NODE) if offload else 0

one_pass = 2 * owned * (ranks - 1) / ranks
passes = {0: 2, 1: 2, 2: steps + 1, 3: 3 * steps}[stage]

print(f"batch     {micro} x {steps} x {ranks} = {micro * steps * ranks}")
print(f"GPU       {on_gpu:.1f} GB of state, before activations")
print(f"host      {on_host:.1f} GB per node, before buffers")
print(f"network   {passes * one_pass:.0f} GB sent per GPU and step")
if offload:
    copied = 2 * owned / ranks
    print(f"PCIe      {copied / PCIE:.2f} s each way per step, at best")

advice = {
    "stage 2 and 3 do not run with a pipeline":
        PIPELINE_STAGES > 1 and stage >= 2,
    "stage 2 and 3 reduce gradients in every micro-batch":
        stage >= 2 and steps > 1,
    "gradient_clipping is left to the version's default":
        "gradient_clipping" not in CONFIG,
    "the state does not fit": on_gpu > GPU_MEMORY,
    "offload is not needed for the state to fit":
        offload and 16 * owned / ranks < GPU_MEMORY / 2,
    "no ZeRO is needed for the state to fit":
        stage > 0 and 16 * owned < GPU_MEMORY / 2,
}
for text in (text for text, applies in advice.items() if applies):
    print(f"- {text}")
