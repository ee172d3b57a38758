"""The search of the built site: how good it is, every synonym, messages pasted whole, and what the index weighs."""

from __future__ import annotations

from pathlib import Path

import brotli
import pytest

from gpubites.bench.asking import ask
from gpubites.bench.larger_index import larger_index
from gpubites.bench.search_quality import LEAST_HIT1, LEAST_HIT3, Query, by_kind, quality, rank_of, read_queries
from gpubites.export.search import search_files
from gpubites.library import Library

WHOLE_INDEX = 120_000  # bytes with brotli, at 141 bites

# As a terminal or a log has them: quotes, paths, addresses, times. The bite that has to come first.
MESSAGES = [
    (
        'Traceback (most recent call last):\n  File "/home/ada/train/run.py", line 214, in <module>\n    main()\n'
        '  File "/opt/conda/lib/python3.11/site-packages/torch/utils/data/dataloader.py", line 1251, in _try_get_data\n'
        "RuntimeError: DataLoader worker (pid(s) 40217, 40218) is killed by signal: Bus error. It is possible that dataloader's workers "
        "are out of shared memory. Please try to raise your shared memory limit.",
        "containerized-training",
    ),
    (
        "docker: Error response from daemon: could not select device driver \"\" with capabilities: [[gpu]].\nSee 'docker run --help'.",
        "docker-gpu",
    ),
    (
        "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 580.65",
        "driver-compatibility",
    ),
    (
        "RuntimeError: CUDA error: no kernel image is available for execution on the device\n"
        "CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.\n"
        "For debugging consider passing CUDA_LAUNCH_BLOCKING=1",
        "driver-compatibility",
    ),
    (
        "2026-11-30T08:14:55Z default-scheduler 0/12 nodes are available: 12 Insufficient nvidia.com/gpu. "
        "preemption: 0/12 nodes are available: 12 No preemption victims found for incoming pod.",
        "kubernetes-gpus",
    ),
    (
        "Warning  Unhealthy  3m12s (x7 over 5m)  kubelet  Readiness probe failed: HTTP probe failed with statuscode: 503",
        "health-checks",
    ),
    (
        "[rank0]: ValueError: The model's max seq len (131072) is larger than the maximum number of tokens that can be stored in KV cache "
        "(41664). Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.",
        "kv-cache",
    ),
    (
        "/tmp/site/demo.js:88 ERROR: 0:14: 'gl_FragColor' : undeclared identifier",
        "vertex-and-fragment-shaders",
    ),
    (
        "AssertionError: Check batch related parameters. train_batch_size is not equal to micro_batch_per_gpu * gradient_acc_step * "
        "world_size 256 != 4 * 8 * 1",
        "deepspeed",
    ),
    (
        "“Uncaught (in promise) SecurityError: Failed to execute 'texImage2D' on 'WebGLRenderingContext': "
        "The image element contains cross-origin data, and may not be loaded.”",
        "webgl-textures",
    ),
    (
        "docker: Error response from daemon: failed to create task for container: failed to create shim task: OCI runtime create failed: "
        "runc create failed: unable to start container process: error during container init: error running hook #0: error running hook: "
        "exit status 1, stdout: , stderr: Auto-detected mode as 'legacy'\nnvidia-container-cli: initialization error: load library failed: "
        "libnvidia-ml.so.1: cannot open shared object file: no such file or directory: unknown.",
        "docker-gpu",
    ),
    (
        '  File "/usr/local/lib/python3.10/dist-packages/torch/cuda/__init__.py", line 298, in _lazy_init\n    torch._C._cuda_init()\n'
        "RuntimeError: The NVIDIA driver on your system is too old (found version 11040). Please update your GPU driver by downloading and "
        "installing a new version from the URL: http://www.nvidia.com/Download/index.aspx",
        "driver-compatibility",
    ),
    (
        "[rank3]:[E1130 04:11:52.771203 ProcessGroupNCCL.cpp:616] [Rank 3] Watchdog caught collective operation timeout: "
        "WorkNCCL(SeqNum=1021, OpType=ALLREDUCE, NumelIn=8388608, NumelOut=8388608, Timeout(ms)=600000) ran for 600341 milliseconds before "
        "timing out.",
        "collectives",
    ),
    (
        "[.WebGL-0x3b7c04c0d800]RENDER WARNING: texture bound to texture unit 0 is not renderable. It might be non-power-of-2 and have "
        "incompatible texture filtering (maybe)?",
        "webgl-textures",
    ),
    (
        "WARNING 11-30 09:12:44 [scheduler.py:1754] Sequence group cmpl-5f2c is preempted by PreemptionMode.RECOMPUTE mode because there "
        "is not enough KV cache space. This can affect the end-to-end performance. Increase gpu_memory_utilization or "
        "tensor_parallel_size to provide more KV cache memory. total_num_cumulative_preemption=51",
        "paged-attention",
    ),
    (
        'Warning  Unhealthy  21s (x4 over 51s)  kubelet  Liveness probe failed: Get "http://10.244.1.17:8000/health": context deadline '
        "exceeded (Client.Timeout exceeded while awaiting headers)",
        "health-checks",
    ),
    (
        "couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu in flavor h100, 8 more needed",
        "multi-tenant-scheduling",
    ),
    (
        "UserWarning: This DataLoader will create 16 worker processes in total. Our suggested max number of worker in current system is 8, "
        "which is smaller than what this DataLoader is going to create.",
        "slow-single-gpu",
    ),
    (
        "========= COMPUTE-SANITIZER\n========= Barrier error detected. Divergent thread(s) in block\n"
        "=========     at 0x1f0 in /home/u/k.cu:18:reduce(float *, float *)\n=========     by thread (128,0,0) in block (0,0,0)",
        "barriers-and-fences",
    ),
    (
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB of which 1.11 GiB "
        "is free. Process 3821 has 78.03 GiB memory in use. Of the allocated memory 74.90 GiB is allocated by PyTorch, and 1.02 GiB is "
        "reserved by PyTorch but unallocated.",
        "zero-fsdp",
    ),
    (
        "RuntimeError: CUDA error: too many resources requested for launch\nCompile with `TORCH_USE_CUDA_DSA` to enable device-side "
        "assertions.",
        "occupancy",
    ),
]


@pytest.fixture(scope="module")
def found(site: Path, library: Library) -> dict[str, list[str]]:
    """Query → slugs, best first."""
    texts = [query.text for query in read_queries(library.by_slug)]
    return {text: [bite["slug"] for bite in answer["bites"]] for text, answer in zip(texts, ask(site, texts), strict=True)}


def test_the_untouched_third_finds_its_bites(found: dict[str, list[str]], library: Library) -> None:
    """Which queries fail is not said: whoever reads them could no longer measure with them. `make search-eval` has more."""
    reached = by_kind([query for query in read_queries(library.by_slug) if query.held_out], found)["all"]
    assert reached.hit3 >= LEAST_HIT3, f"hit@3 is {reached.hit3:.3f}"
    assert reached.hit1 >= LEAST_HIT1, f"hit@1 is {reached.hit1:.3f}"


def test_a_search_that_finds_nothing_has_no_quality(library: Library) -> None:
    queries = read_queries(library.by_slug)
    assert by_kind(queries, {})["all"] == quality([0] * len(queries))
    assert quality([1, 3, 0, 4]).hit3 == 0.5
    assert quality([1, 2, 0, 0]).mrr == 0.375
    assert rank_of(Query("warp", "words", ("warps-and-simt",)), ["coalescing", "warps-and-simt"]) == 2


def test_every_synonym_finds_its_bite(site: Path, library: Library) -> None:
    answers = ask(site, [synonym.query for synonym in library.synonyms])
    missed = [
        f"line {synonym.line}: {synonym.query} → {', '.join(slugs)}, not {synonym.finds}"
        for synonym, answer in zip(library.synonyms, answers, strict=True)
        if synonym.finds not in (slugs := [bite["slug"] for bite in answer["bites"]][:3])
    ]
    assert missed == []


def test_messages_pasted_whole_find_their_bites(site: Path) -> None:
    answers = ask(site, [message for message, _ in MESSAGES])
    found = [(slug, answer["bites"][0]["slug"]) for (_, slug), answer in zip(MESSAGES, answers, strict=True)]
    assert [pair for pair in found if pair[0] != pair[1]] == [], "wanted, found"


# Nothing, signs only, other alphabets, markup, patterns, names of JavaScript, and a page that was pasted by mistake.
ODD = [
    "",
    " ",
    "🔥",
    "זיכרון משותף",
    "共有メモリ",
    "<img src=x onerror=alert(1)>",
    "[a-z]+(.*)$^\\",
    "__proto__ constructor",
    "%20%3C",
    "a" * 10_000,
]


def test_odd_queries_are_only_queries(site: Path) -> None:
    long = MESSAGES[0][0] + "\n  at step (x.py:12)" * 1000
    *odd, pasted, flame = ask(site, [*ODD, long, "🔥 bank conflicts <b>"])
    assert all(answer["count"] == 0 for answer, query in zip(odd, ODD, strict=True) if not query.isascii() or not query.strip())
    assert pasted["bites"][0]["slug"] == MESSAGES[0][1], "what follows a message changes nothing"
    assert flame["bites"][0]["slug"] == "bank-conflicts"


def test_the_index_fits_the_budget(library: Library) -> None:
    """Now, and with the bites that are planned: made from the words of those that are written."""
    assert compressed(search_files(library)) <= WHOLE_INDEX
    assert compressed(larger_index(library, len(library.planned))) <= WHOLE_INDEX


def compressed(files: dict[str, str]) -> int:
    return sum(len(brotli.compress(text.encode())) for text in files.values())
