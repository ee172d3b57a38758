"""What the simulators of serving and cost always hold to."""

from __future__ import annotations

from math import ceil, inf
from random import Random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models import simulator

batching = simulator("continuous-batching/batching_lab.py")
queue = simulator("queueing/queue_lab.py")
kv = simulator("paged-attention/kv_lab.py")
speculative = simulator("prefill-and-decode/speculative_lab.py")
autoscale = simulator("latency-breach/autoscale_lab.py")
cost = simulator("right-sizing/cost_lab.py")
RULES = ("static", "dynamic", "continuous", "chunked prefill")
REQUESTS = st.lists(st.tuples(st.floats(0, 500), st.integers(1, 400), st.integers(1, 30)), min_size=1, max_size=12).map(sorted)

# Batching


@given(REQUESTS, st.integers(1, 8), st.sampled_from([16, 64, 512]))
def test_every_rule_makes_every_token_once_and_none_before_its_request(
    requests: list[tuple[float, int, int]], slots: int, chunk: int
) -> None:
    for rule in RULES:
        done = batching.serve(requests, rule, slots, chunk)
        assert sorted((at, made) for at, *_, made in done) == sorted((at, tokens) for at, _, tokens in requests)
        assert all(at < first <= end and pause >= 0 for at, first, end, pause, _ in done)


@given(st.integers(1, 30), st.integers(1, 8))
def test_continuous_is_never_slower_than_static_where_a_step_costs_the_same_whatever_it_holds(tokens: int, slots: int) -> None:
    flat = dict(batching.serve.__globals__)
    batching.EACH, kept = 0.0, batching.EACH
    try:
        rng = Random(tokens)
        requests = sorted((rng.random() * 200, rng.randint(1, 90), rng.randint(1, tokens)) for _ in range(12))
        ends = {rule: fmean(end - at for at, _, end, *_ in batching.serve(requests, rule, slots, 64)) for rule in ("static", "continuous")}
    finally:
        batching.EACH = kept
    assert flat["FIXED"] == batching.FIXED
    assert ends["continuous"] <= ends["static"] + 1e-9


def test_a_chunk_bounds_the_pause_that_a_long_prompt_makes() -> None:
    requests = [(0.0, 10, 100), (50.0, 5000, 5)]
    pauses = {rule: max(pause for *_, pause, _ in batching.serve(requests, rule, 4, 64)) for rule in ("continuous", "chunked prefill")}
    assert pauses["continuous"] == pytest.approx(batching.FIXED + batching.EACH * 5001)
    assert pauses["chunked prefill"] <= batching.FIXED + batching.EACH * (64 + 4)


# Queueing


@pytest.mark.parametrize("load", [0.2, 0.5, 0.8])
@pytest.mark.parametrize("service", list(queue.SPREADS))
def test_the_simulated_queue_agrees_with_pollaczek_and_khinchine(load: float, service: str) -> None:
    watched = fmean(queue.in_system(load, service, 100_000))
    assert watched == pytest.approx(queue.pollaczek_khinchine(load, queue.SPREADS[service]), rel=0.05)


def test_the_wait_grows_without_bound_and_mm1_is_one_over_what_is_left() -> None:
    assert queue.pollaczek_khinchine(0.5, 1) == 2
    assert queue.pollaczek_khinchine(0.9, 1) == pytest.approx(10)
    assert queue.pollaczek_khinchine(0.999, 0) > 400


# Paged KV cache


def test_bytes_per_token_of_the_model() -> None:
    assert kv.PER_TOKEN == 2 * 32 * 8 * 128 * 2, "two of layers x KV heads x head size x bytes"


@given(st.integers(1, 512), st.lists(st.integers(1, 4096), min_size=400, max_size=400))
def test_a_block_wastes_less_than_itself_and_blocks_of_one_nothing(block: int, lengths: list[int]) -> None:
    count, used, waste = kv.fit(lengths, lambda tokens: ceil(tokens / block) * block)
    assert count >= 1
    assert 0 <= waste < block
    assert 0 < used <= 1
    assert kv.fit(lengths, lambda tokens: tokens)[2] == 0
    _, _, reserved = kv.fit(lengths, lambda tokens: 4096)
    assert reserved == pytest.approx(4096 - fmean(lengths[: kv.fit(lengths, lambda tokens: 4096)[0]]))


# Speculative decoding


@given(st.floats(0.01, 0.99), st.integers(1, 12))
def test_tokens_per_pass_follow_the_published_sum(accept: float, drafts: int) -> None:
    assert speculative.expected(accept, drafts) == pytest.approx((1 - accept ** (drafts + 1)) / (1 - accept))
    assert 1 < speculative.expected(accept, drafts) < drafts + 1
    assert speculative.speedup(accept, drafts, 0.0) == speculative.expected(accept, drafts)


@given(st.sampled_from([0.1, 0.5, 0.9, 0.95, 0.99]), st.sampled_from([0.01, 0.05, 0.2]))
def test_no_other_number_of_drafts_is_worth_more_than_the_one_that_is_named(accept: float, cost_of_one: float) -> None:
    best = speculative.most_worth(accept, cost_of_one)
    assert best == max(range(1, 500), key=lambda count: speculative.speedup(accept, count, cost_of_one))


def test_simulated_passes_agree_with_the_sum() -> None:
    made = fmean(speculative.accepted(0.8, 4, Random(1), 50_000))
    assert made == pytest.approx(speculative.expected(0.8, 4), rel=0.01)


# Autoscaling


@given(st.integers(0, 600), st.sampled_from([0.5, 0.7, 1.0]), st.integers(0, 6))
@settings(max_examples=30)
def test_no_request_is_lost_and_a_queue_is_what_came_less_what_was_served(start: int, target: float, spare: int) -> None:
    before = 0.0
    for load, waiting, ready in autoscale.run(start, target, spare):
        assert waiting == pytest.approx(max(0.0, before + load - autoscale.RATE * ready))
        assert ready >= 1
        before = waiting


def test_a_slower_start_and_a_fuller_target_never_shorten_the_queue() -> None:
    def worst(start: int, target: float) -> float:
        return max(waiting for _, waiting, _ in autoscale.run(start, target, 0))

    assert worst(0, 0.7) == 0
    assert worst(30, 0.7) <= worst(120, 0.7) <= worst(300, 0.7)
    assert worst(120, 0.5) <= worst(120, 1.0)
    assert worst(240, 0.7) == pytest.approx(240 * (autoscale.PEAK - autoscale.RATE * 3)), (
        "what arrives beyond three replicas until help is there"
    )


# Cost per token


@given(st.sampled_from(list(cost.GPUS)), st.integers(1, 60), st.sampled_from([10, 50, 100]))
def test_a_larger_batch_never_makes_a_token_dearer_and_an_idle_gpu_does(gpu: str, batch: int, busy: int) -> None:
    assert cost.tokens_per_second(gpu, batch) <= cost.tokens_per_second(gpu, batch + 1)
    whole, part = (cost.simulate(1, 3.0, share, gpu)["result"] for share in (100, busy))
    assert part == pytest.approx(whole * 100 / busy, rel=0.02)


def test_the_floor_of_a_decoding_step_is_the_fact() -> None:
    assert cost.step("H100 SXM", 1) * 1e3 == pytest.approx(4.48, abs=0.05), "weights at 3.35 TB/s"
    assert cost.most_requests("L4") < inf
