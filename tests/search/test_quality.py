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


@pytest.mark.parametrize(("message", "slug"), MESSAGES, ids=[slug for _, slug in MESSAGES])
def test_a_message_pasted_whole_finds_its_bite(site: Path, message: str, slug: str) -> None:
    (answer,) = ask(site, [message])
    assert answer["bites"][0]["slug"] == slug


def test_the_index_fits_the_budget(library: Library) -> None:
    """Now, and with the bites that are planned: made from the words of those that are written."""
    assert compressed(search_files(library)) <= WHOLE_INDEX
    assert compressed(larger_index(library, len(library.planned))) <= WHOLE_INDEX


def compressed(files: dict[str, str]) -> int:
    return sum(len(brotli.compress(text.encode())) for text in files.values())
