"""What the simulators of training, attention and number formats always hold to."""

from __future__ import annotations

import struct
from math import exp, isclose, isfinite, isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import simulator

allreduce = simulator("collectives/allreduce_lab.py")
pipeline = simulator("hybrid-parallelism/pipeline_lab.py")
planner = simulator("hybrid-parallelism/planner_lab.py")
zero = simulator("zero-fsdp/zero_lab.py")
flash = simulator("flash-attention/flash_lab.py")
formats = simulator("number-formats/format_lab.py")
outlier = simulator("int8-quantization/outlier_lab.py")

# All-reduce


@given(st.integers(2, 9).flatmap(lambda n: st.lists(st.lists(st.integers(-99, 99), min_size=n, max_size=n), min_size=n, max_size=n)))
def test_a_ring_leaves_the_sum_everywhere_and_sends_its_share(values: list[list[int]]) -> None:
    held, sent = allreduce.ring_all_reduce(values)
    ranks = len(values)
    sums = [sum(column) for column in zip(*values, strict=True)]
    assert held == [sums] * ranks
    assert sent == [2 * (ranks - 1)] * ranks, "chunks of 1 / ranks: 2 (n - 1) / n of the buffer"


@given(st.floats(1e3, 1e11), st.sampled_from([8, 16, 64, 512]), st.floats(1e-6, 1e-4))
def test_times_are_those_of_the_closed_forms(size: float, ranks: int, step: float) -> None:
    rate = (450 if ranks <= 8 else 50) * 1e9
    times = allreduce.seconds(size, ranks, step)
    assert times["ring"] == pytest.approx(2 * (ranks - 1) * (step + size / ranks / rate))
    assert all(time > 0 for time in times.values())
    if ranks <= 8:
        assert times["two levels"] == pytest.approx(times["ring"]), "one node has one level"
    bigger = allreduce.seconds(size * 2, ranks, step)
    assert all(bigger[way] > times[way] for way in times)


# Pipelines


@pytest.mark.parametrize("stages", [2, 3, 4, 8])
@pytest.mark.parametrize("rounds", [1, 2, 3])
@pytest.mark.parametrize(("schedule", "chunks"), [("GPipe", 1), ("1F1B", 1), ("interleaved, 2 chunks", 2), ("interleaved, 4 chunks", 4)])
def test_the_bubble_is_that_of_the_papers(schedule: str, chunks: int, stages: int, rounds: int) -> None:
    micro = stages * rounds
    todo = pipeline.orders(schedule, stages, micro, chunks)
    done, end = pipeline.run(todo, stages, chunks)
    assert len(done) == 2 * stages * micro * chunks, "every piece of work is done once"
    assert (end - 3 * micro) / end == pytest.approx((stages - 1) / (chunks * micro + stages - 1))
    if schedule == "1F1B":
        assert [pipeline.most_held(order) for order in todo] == [min(micro, stages - stage) for stage in range(stages)]
    if schedule == "GPipe":
        assert all(pipeline.most_held(order) == micro for order in todo)


def test_no_work_starts_before_what_it_needs() -> None:
    done, _ = pipeline.run(pipeline.orders("interleaved, 2 chunks", 4, 8, 2), 4, 2)
    ends = {(forward, m, chunk * 4 + stage): end for stage, _, end, (forward, m, chunk) in done}
    for stage, start, _, (forward, m, chunk) in done:
        at = chunk * 4 + stage
        needs = (True, m, at - 1) if forward else (False, m, at + 1) if at < 7 else (True, m, at)
        if not (forward and at == 0):
            assert start >= ends[needs] - 1e-9


# ZeRO


@given(st.integers(1, 2048), st.sampled_from(list(zero.MODELS)))
def test_sixteen_bytes_a_parameter_are_cut_stage_by_stage(gpus: int, model: str) -> None:
    parameters = zero.MODELS[model][0] / 1e9
    held = [sum(zero.held(model, gpus, stage).values()) for stage in zero.SHARDED]
    assert held == pytest.approx([parameters * size for size in (16, 4 + 12 / gpus, 2 + 14 / gpus, 16 / gpus)])
    assert held == sorted(held, reverse=True)


def test_the_papers_example_of_zero() -> None:
    """Rajbhandari et al., figure 1: 7.5 billion parameters on 64 GPUs take 120, 31.4, 16.6 and 1.9 GB."""
    parameters = zero.MODELS["Llama 3.1 8B"][0]
    sizes = [sum(zero.held("Llama 3.1 8B", 64, stage).values()) * 7.5e9 / parameters for stage in zero.SHARDED]
    assert sizes == pytest.approx([120, 31.4, 16.6, 1.9], abs=0.05)


def test_recomputing_more_keeps_less() -> None:
    kept = [zero.activations("Llama 3.1 8B", 4096, what) for what in ("nothing", "attention", "whole blocks")]
    assert kept == sorted(kept, reverse=True)
    assert kept[1] == pytest.approx(34 * 4096 * 4096 * 32 / 1e9)


# Plans of three axes
SIZES, MODELS = st.sampled_from([1, 2, 4, 8]), st.sampled_from(list(planner.MODELS))


@given(SIZES, st.integers(1, 16), MODELS)
def test_a_replica_holds_every_parameter_once(tensor: int, pipe: int, model: str) -> None:
    held = sum(planner.parameters(model, tensor, pipe, stage) for stage in range(pipe)) * tensor
    copied = (tensor - 1) * (2 * planner.MODELS[model][0] + 1) * planner.MODELS[model][1]  # norms, whole on each
    assert held - copied == pytest.approx(zero.MODELS[model][0], abs=1), "the facts count them from the same layout"
    assert sum(planner.layers_of(model, pipe, stage) for stage in range(pipe)) == planner.MODELS[model][0]


@given(SIZES, st.sampled_from([1, 2, 4, 8, 16]), st.integers(1, 64), MODELS, st.sampled_from(["attention", "whole blocks"]))
def test_a_plan_that_cuts_more_keeps_no_more(tensor: int, pipe: int, data: int, model: str, recompute: str) -> None:
    def kept(tensor: int, zero: str, data: int) -> dict[str, float]:
        return dict(planner.kept(model, tensor, pipe, data, zero, 16, 4096, recompute))

    names = ("weights", "gradients", "optimizer")
    state = [sum(kept(tensor, level, data)[name] for name in names) for level in zero.SHARDED]
    assert state == sorted(state, reverse=True)
    for level in zero.SHARDED:
        now = kept(tensor, level, data)
        assert all(now[name] > size for name, size in kept(2 * tensor, level, data).items()), "a tensor group cuts everything"
        assert all(now[name] >= size for name, size in kept(tensor, level, 2 * data).items())


@pytest.mark.parametrize("level", list(zero.SHARDED))
def test_one_axis_alone_is_the_zero_simulator(level: str) -> None:
    plan = planner.kept("Llama 3.1 70B", 1, 1, 64, level, 1, 4096, "attention")
    state = zero.held("Llama 3.1 70B", 64, level)
    assert {name: plan[name] for name in state} == pytest.approx(state)
    assert plan["activations"] == pytest.approx(zero.activations("Llama 3.1 70B", 4096, "attention"))


@given(st.sampled_from([2, 4, 8, 16]), SIZES, st.integers(1, 40), MODELS, st.sampled_from([2048, 4096]))
def test_tensor_groups_send_what_narayanan_counts(tensor: int, pipe: int, micro: int, model: str, length: int) -> None:
    """Section 3.2: 8 b s h (t - 1) / t values for each layer and micro-batch, and b s h between two stages."""
    values = length * planner.MODELS[model][1]
    sent = planner.sent(model, tensor, pipe, 8, "stage 1", micro, length)
    layers = planner.layers_of(model, pipe, 0)
    assert sent["tensor"] == pytest.approx(micro * layers * 8 * values * (tensor - 1) / tensor * 2 / 1e9)
    assert sent["pipeline"] * tensor <= 2 * micro * values * 2 / 1e9 + 1e-9, "the group sends each activation once, in slices"
    assert sent["tensor"] > sent["pipeline"]
    # The ring itself, played: an all-reduce of `tensor` chunks.
    _, chunks = allreduce.ring_all_reduce([[1] * tensor] * tensor)
    assert sent["tensor"] == pytest.approx(4 * layers * micro * chunks[0] / tensor * values * 2 / 1e9)


@pytest.mark.parametrize("pipe", [2, 4, 8])
@pytest.mark.parametrize("micro", [4, 8, 24])
def test_the_bubble_and_the_memory_of_a_plan_are_those_of_the_played_pipeline(pipe: int, micro: int) -> None:
    todo = pipeline.orders("1F1B", pipe, micro, 1)
    _, end = pipeline.run(todo, pipe, 1)
    assert planner.idle(pipe, micro) == pytest.approx(100 * (end - 3 * micro) / end)
    one = planner.kept("Llama 3.1 70B", 1, pipe, 1, "none", 1, 4096, "attention")["activations"]
    all_of_them = planner.kept("Llama 3.1 70B", 1, pipe, 1, "none", micro, 4096, "attention")["activations"]
    assert all_of_them / one == pytest.approx(pipeline.most_held(todo[0]))


def test_sharding_the_gradients_sends_in_every_micro_batch() -> None:
    sent = {level: planner.sent("Llama 3.1 8B", 1, 1, 8, level, 16, 4096)["data"] for level in zero.SHARDED}
    weights = 2 * zero.MODELS["Llama 3.1 8B"][0] * 7 / 8 / 1e9
    assert [round(size / weights, 6) for size in sent.values()] == [2, 2, 17, 48], "passes: once a step, or once a micro-batch"
    assert planner.sent("Llama 3.1 8B", 1, 1, 1, "stage 3", 16, 4096) == {"tensor": 0, "pipeline": 0, "data": 0}, "one GPU sends nothing"


def test_a_group_uses_nvlink_only_where_it_fits_into_a_node() -> None:
    assert planner.link("tensor", 8, 1, 64) == ("NVLink", 450)
    assert planner.link("tensor", 16, 1, 32) == ("network", 400), "eight ports serve a node's eight members"
    assert planner.link("pipeline", 4, 2, 64) == ("NVLink", 450) and planner.link("pipeline", 8, 2, 32) == ("network", 50)
    assert planner.link("data", 4, 2, 64) == ("network", 50), "one replica in a node, so one port of it for each rank of a group"
    assert planner.link("data", 1, 1, 512) == ("network", 400)


def test_a_cluster_with_more_replicas_than_sequences_has_no_plan() -> None:
    frame = planner.simulate(tensor=1, pipe=1, gpus=16384, sequences=512)
    assert frame["result"] == "none" and "16,384 replicas need as many sequences" in frame["says"]


# Attention in tiles


@pytest.mark.parametrize("tile", [1, 3, 8, 50])
def test_tiles_give_the_softmax_that_the_whole_row_gives(tile: int) -> None:
    queries, keys, values = flash.example(24, 6)
    tiled = flash.attention(queries, keys, values, tile)
    for q, row in zip(queries, tiled, strict=True):
        scores = [sum(a * b for a, b in zip(q, k, strict=True)) for k in keys]
        weights = [exp(score - max(scores)) for score in scores]
        exact = [sum(w * v[c] for w, v in zip(weights, values, strict=True)) / sum(weights) for c in range(6)]
        assert all(isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) for a, b in zip(row, exact, strict=True))


@given(st.integers(1, 100_000), st.sampled_from([16, 64, 256]), st.sampled_from([64, 128]))
def test_larger_tiles_never_move_more_and_no_tile_less_than_the_inputs(length: int, rows: int, width: int) -> None:
    assert flash.bytes_tiled(length, rows, width) >= flash.bytes_tiled(length, rows * 2, width) >= 4 * length * width * 2
    assert flash.bytes_in_full(length, width) - flash.scores(length) == 4 * length * width * 2


# Number formats


def test_half_precision_is_decoded_as_struct_decodes_it() -> None:
    for code in range(0x8000):
        [expected] = struct.unpack("<e", struct.pack("<H", code))
        value = formats.decode(code, 5, 10, "infinity and NaN")
        assert (isnan(value) and isnan(expected)) or value == expected


def test_bfloat16_is_the_upper_half_of_a_float() -> None:
    codes = np.arange(0x8000, dtype=np.uint32)
    expected = (codes << 16).view(np.float32)
    for code, theirs in zip(codes.tolist(), expected.tolist(), strict=True):
        value = formats.decode(code, 8, 7, "infinity and NaN")
        assert (isnan(value) and isnan(theirs)) or value == theirs


@pytest.mark.parametrize(
    ("exponent", "mantissa", "top", "largest", "smallest", "count"),
    [
        (4, 3, "numbers, one NaN", 448, 2**-9, 127),  # OCP FP8 E4M3
        (5, 2, "infinity and NaN", 57344, 2**-16, 124),  # OCP FP8 E5M2
        (2, 1, "numbers only", 6, 0.5, 8),  # OCP MX FP4 E2M1
        (3, 2, "numbers only", 28, 2**-4, 32),  # OCP MX FP6 E3M2
        (2, 3, "numbers only", 7.5, 0.125, 32),  # OCP MX FP6 E2M3
        (5, 10, "infinity and NaN", 65504, 2**-24, 31744),  # IEEE half
    ],
)
def test_the_limits_are_those_of_the_specifications(
    exponent: int, mantissa: int, top: str, largest: float, smallest: float, count: int
) -> None:
    values = formats.finite(exponent, mantissa, top)
    assert (values[-1], values[1], len(values)) == (largest, smallest, count)
    assert values == sorted(set(values))


@given(st.floats(1e-6, 60000))
def test_a_number_is_stored_as_half_precision_stores_it(number: float) -> None:
    assert formats.store(number, HALF, "infinity and NaN") == float(np.float16(number))


HALF = formats.finite(5, 10, "infinity and NaN")

# Quantization


@given(
    st.lists(st.floats(-100, 100).filter(lambda value: value == 0 or abs(value) > 1e-3), min_size=1, max_size=64),
    st.sampled_from([2, 3, 4, 8]),
    st.integers(1, 64),
)
def test_no_value_is_off_by_more_than_half_a_step_of_its_group(values: list[float], bits: int, group: int) -> None:
    values = [value or 1.0 for value in values]
    stored = outlier.quantize(values, bits, group)
    for first in range(0, len(values), group):
        part, kept = values[first : first + group], stored[first : first + group]
        scale = max(map(abs, part)) / (2 ** (bits - 1) - 1)
        assert all(abs(a - b) <= scale * 0.5000001 for a, b in zip(part, kept, strict=True))
        assert len({round(value / scale) for value in kept}) <= 2**bits - 1


def test_smaller_groups_and_more_bits_never_lose_more() -> None:
    zeros = [outlier.simulate(30, group, 4)["result"] for group in (16, 128, 4096)]
    assert zeros == sorted(zeros) and zeros[-1] > 90, "one outlier takes the range of all that share its scale"
    assert outlier.simulate(1, 4096, 8)["result"] < outlier.simulate(1, 4096, 3)["result"]
    assert all(isfinite(value) for value in outlier.row(100))
