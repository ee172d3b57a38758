"""What the simulator of fair share and preemption always holds to."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import simulator

fair = simulator("multi-tenant-scheduling/fair_share_lab.py")
POLICIES = ("first come", "quota", "fair share", "fair share, preempting")
Job = tuple[str, int, tuple[int, int], int]
NEED = st.tuples(st.integers(1, 10), st.integers(1, 80))
FILLED = [("A", 0, (8, 64), 600)] * 6  # so that those who come later find the cluster full
JOBS = st.lists(st.tuples(st.sampled_from("ABC"), st.integers(0, 400), NEED, st.integers(1, 500)), min_size=1, max_size=14).map(
    lambda jobs: sorted([*FILLED, *jobs], key=lambda job: job[1])
)
WEIGHTS = st.fixed_dictionaries({team: st.integers(1, 3) for team in "ABC"})
SAVES = st.sampled_from([15, 60, 240])


def running(jobs: list[Job], done: dict[str, Any], at: int) -> list[Job]:
    return [jobs[place] for place, since, to in done["spans"] if since <= at < to]


def test_the_example_of_dominant_resource_fairness() -> None:
    """Ghodsi et al., section 4.1: of 9 CPUs and 18 GB, tasks of 1 CPU and 4 GB get three, tasks of 3 CPUs and 1 GB two."""
    jobs: list[Job] = [("A", 0, (1, 4), 60)] * 9 + [("B", 0, (3, 1), 60)] * 9
    done = fair.run(jobs, "fair share", {"A": 1, "B": 1}, 60, (9, 18))
    assert Counter(team for team, *_ in running(jobs, done, 0)) == {"A": 3, "B": 2}


@given(WEIGHTS, st.integers(3, 40))
def test_one_resource_is_shared_by_weight_to_within_a_job(weights: dict[str, int], room: int) -> None:
    """Weighted max-min: nobody could be given one more without another falling below."""
    jobs: list[Job] = [(team, 0, (1, 0), 60) for team in "ABC"] * room
    done = fair.run(jobs, "fair share", weights, 60, (room, 1))
    held = Counter(team for team, *_ in running(jobs, done, 0))
    assert sum(held.values()) == room
    assert all(Fraction(held[more] - 1, weights[more]) <= Fraction(held[less], weights[less]) for more in "ABC" for less in "ABC")


@given(JOBS, st.sampled_from(POLICIES), WEIGHTS, SAVES)
def test_every_gpu_minute_is_accounted_for_and_never_more_than_there_are(
    jobs: list[Job], policy: str, weights: dict[str, int], save: int
) -> None:
    if policy == "quota":
        jobs = [(team, at, (min(gpus, 4), min(cores, 36)), work) for team, at, (gpus, cores), work in jobs]  # the smallest quota takes them
    done = fair.run(jobs, policy, weights, save)
    assert done["unfinished"] == 0
    assert done["gpu_minutes"]["useful"] == sum(gpus * work for _, _, (gpus, _), work in jobs)
    assert sum(done["gpu_minutes"].values()) == sum((to - since) * jobs[place][2][0] for place, since, to in done["spans"])
    for at in {since for _, since, _ in done["spans"]}:
        held = running(jobs, done, at)
        assert all(sum(need[kind] for _, _, need, _ in held) <= fair.CAPACITY[kind] for kind in (0, 1))
    assert all(since >= jobs[place][1] and to > since for place, since, to in done["spans"]), "nobody is stopped in the minute of a start"
    if policy != "fair share, preempting":
        assert not done["evictions"] and len(done["spans"]) == len(jobs)
        assert done["gpu_minutes"]["done again"] == done["gpu_minutes"]["starting"] == 0


@given(JOBS, WEIGHTS, SAVES)
def test_a_preemption_takes_from_no_team_that_then_has_less(jobs: list[Job], weights: dict[str, int], save: int) -> None:
    done = fair.run(jobs, "fair share, preempting", weights, save)
    assert all(kept >= taken for _, _, kept, taken in done["evictions"])
    assert len(done["spans"]) == len(jobs) + len(done["evictions"]), "each preemption ends one stretch, and only that"
    lost = sum(jobs[place][2][0] * save for _, place, *_ in done["evictions"])
    assert done["gpu_minutes"]["done again"] <= lost, "less than one interval each"
    assert sum(done["again"].values()) == done["gpu_minutes"]["done again"]


def test_a_job_that_could_stay_is_not_preempted() -> None:
    jobs: list[Job] = [("A", 0, (3, 1), 600), *[("A", 0, (5, 1), 600)] * 5, *[("C", 0, (1, 60), 600)] * 4, ("B", 60, (4, 1), 60)]
    done = fair.run(jobs, "fair share, preempting", {"A": 1, "B": 1, "C": 1}, 60)
    assert [jobs[place][:3] for at, place, *_ in done["evictions"]] == [("A", 0, (5, 1))], "C has the largest share, but no GPUs to give"


@given(JOBS, WEIGHTS)
def test_nobody_waits_who_is_next_and_fits(jobs: list[Job], weights: dict[str, int]) -> None:
    done = fair.run(jobs, "fair share", weights, 60)
    begins = {place: since for place, since, _ in done["spans"]}
    for at in set(begins.values()) | {job[1] for job in jobs}:
        held = running(jobs, done, at)
        waiting = [place for place in sorted(begins) if jobs[place][1] <= at < begins[place]]
        if not waiting:
            continue
        used = [sum(need[kind] for _, _, need, _ in held) for kind in (0, 1)]

        def share(team: str, held: list[Job] = held) -> Fraction:
            own = [need for mine, _, need, _ in held if mine == team]
            return max(Fraction(sum(need[kind] for need in own), fair.CAPACITY[kind]) for kind in (0, 1)) / weights[team]

        least = min(share(jobs[place][0]) for place in waiting)
        nearest = [next(place for place in waiting if jobs[place][0] == team) for team in "ABC" if any(jobs[p][0] == team for p in waiting)]
        heads = [place for place in nearest if share(jobs[place][0]) == least]
        assert not all(used[kind] + jobs[place][2][kind] <= fair.CAPACITY[kind] for place in heads for kind in (0, 1))


@pytest.mark.parametrize("save", [1, 7, 60])
def test_progress_is_what_minute_by_minute_makes_it(save: int) -> None:
    work = safe = since = 0
    for minute in range(300):
        assert fair.progress(minute, save) == (work, safe)
        assert fair.stretched(work, save) <= minute or not work
        if since < save:
            work, since = work + 1, since + 1
        else:  # the minute of the save; SAVING is one
            safe, since = work, 0
    assert fair.SAVING == 1
    assert [fair.stretched(work, 60) for work in (1, 60, 61, 720)] == [1, 60, 62, 731]


def test_only_preemption_gives_a_team_its_share_before_a_job_ends() -> None:
    first = {policy: fair.simulate(policy, hours=12, save=240)["result"] for policy in POLICIES}
    two_saves = 2 / 60
    assert first == {
        "first come": round(24 + 2 * two_saves - 3, 1),
        "quota": 0,
        "fair share": round(12 + two_saves - 3, 1),
        "fair share, preempting": 0,
    }


def test_what_is_done_again_grows_with_the_interval_and_saving_shrinks() -> None:
    def spent(save: int) -> dict[str, int]:
        return dict(fair.run(fair.trace(12), "fair share, preempting", {"A": 1, "B": 1, "C": 1}, save)["gpu_minutes"])

    often, seldom = spent(15), spent(480)
    assert often["done again"] < seldom["done again"] and often["saving"] > seldom["saving"]
