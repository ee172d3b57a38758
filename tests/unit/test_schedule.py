"""When a question comes back, by a second implementation: Python's `fsrs` says the same as the page, for thousands of random histories."""

from __future__ import annotations

import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fsrs import Card, Rating, Scheduler

ROOT = Path(__file__).parents[2]
HISTORIES = 4000
SEED = 20261130
HUNDRED_YEARS = 36500.0


def histories() -> list[dict[str, Any]]:
    """As the page's own code schedules them, run by node."""
    if not (ROOT / "node_modules" / "ts-fsrs").is_dir():
        pytest.skip("npm packages are not installed: make install")
    command = ["node", "tests/js/study/schedules.mjs", str(SEED), str(HISTORIES)]
    told: list[dict[str, Any]] = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
    return told


def test_schedules_agree_with_a_second_implementation() -> None:
    schedulers = {
        retention: Scheduler(desired_retention=retention, learning_steps=(), relearning_steps=(), enable_fuzzing=False)
        for retention in (0.8, 0.85, 0.9, 0.95)
    }
    told = histories()
    reviews = 0
    for history in told:
        card = Card()
        for review in history["reviews"]:
            reviews += 1
            day = datetime.fromisoformat(review["day"]).replace(tzinfo=UTC)
            card, _ = schedulers[history["retention"]].review_card(card, Rating(review["grade"]), day)
            assert card.stability is not None and card.difficulty is not None
            # Both end an interval at a hundred years; the page ends the stability there too.
            card.stability = min(card.stability, HUNDRED_YEARS)
            # The page keeps eight decimals of each.
            assert review["stability"] == pytest.approx(card.stability, rel=1e-5, abs=1e-6)
            assert review["difficulty"] == pytest.approx(card.difficulty, rel=1e-5, abs=1e-6)
            due = datetime.fromisoformat(review["due"]).replace(tzinfo=UTC)
            if review["grade"] == Rating.Again:
                # The page's own rule, where FSRS alone might wait for weeks.
                assert (due - day).days == 1
                continue
            # A half day may be rounded to either side; nothing else may differ.
            days = abs((due - card.due).days)
            assert days == 0 or (days == 1 and is_half(card.stability, schedulers[history["retention"]])), (history, review, card)
    assert len(told) == HISTORIES
    assert reviews > 5 * HISTORIES


def is_half(stability: float, scheduler: Scheduler) -> bool:
    """Does the interval end so near a half that the eighth decimal of the stability decides?"""
    interval = stability / scheduler._FACTOR * (scheduler.desired_retention ** (1 / scheduler._DECAY) - 1)
    return abs(interval % 1 - 0.5) < 1e-3
