"""One training step as a race between input and GPU, under a list of fixes."""

# --8<-- [start:order]
# Which fix looks useless where it stands? Predict, run, reorder.
ORDER = ["bf16", "compile", "workers", "batch x4"]
JOB = {  # assumed; put your own measurements here
    "batch": 32,
    "load": 12.0,  # ms to decode one sample on one CPU core
    "workers": 2,
    "matmul": 3.2,  # ms per sample, in full FP32
    "pointwise": 1.0,  # ms per sample, waiting for memory
    "launch": 30.0,  # ms per step: 6,000 launches of 5 us
}
# --8<-- [end:order]


def workers(job):
    job["workers"] = 16


def bf16(job):
    job["matmul"] /= 8  # an assumed gain; the ratio of peaks is higher
    job["pointwise"] /= 2  # half the bytes


def compile_model(job):
    job["pointwise"] /= 2  # fused: intermediates stay on chip
    job["launch"] /= 4


def larger_batch(job):
    job["batch"] *= 4


FIXES = {"workers": workers, "bf16": bf16, "compile": compile_model,
         "batch x4": larger_batch}


def step(job):
    """Milliseconds of a step, and what sets them."""
    kernels = job["batch"] * (job["matmul"] + job["pointwise"])
    gpu = max(kernels, job["launch"])  # launches run ahead, or not
    limit = "kernels" if kernels >= job["launch"] else "launches"
    load = job["batch"] * job["load"] / job["workers"]
    return max(load, gpu), "input" if load > gpu else limit


job = dict(JOB)
for name in ["as found", *ORDER]:
    FIXES.get(name, lambda job: None)(job)
    ms, limit = step(job)
    print(f"{name:<10}{ms:>7.1f} ms {job['batch'] / ms * 1e3:>7.0f} samples/s"
          f"  limit: {limit}")
