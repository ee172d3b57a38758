"""Where the browser is looked for, and in what order."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpubites.chromium import NoBrowser, find_chromium, first_found


def test_a_later_place_is_asked_only_when_the_earlier_ones_had_nothing() -> None:
    asked = []

    def place(name: str, found: Path | None) -> Path | None:
        asked.append(name)
        return found

    here = Path("/usr/bin/chromium")
    assert first_found([lambda: place("path", None), lambda: place("cache", here), lambda: place("download", None)]) == here
    assert asked == ["path", "cache"]


def test_without_any_browser_one_line_says_what_to_install() -> None:
    with pytest.raises(NoBrowser, match="install") as caught:
        first_found([lambda: None])
    assert "\n" not in str(caught.value)


def test_the_variable_wins_over_the_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mine = tmp_path / "my-chromium"
    mine.write_text("#!/bin/sh\n")
    mine.chmod(0o755)
    monkeypatch.setenv("CHROMIUM", str(mine))
    assert find_chromium() == mine


def test_a_variable_that_names_nothing_is_no_reason_to_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROMIUM", "/nowhere/chromium")
    with pytest.raises(NoBrowser, match="/nowhere/chromium"):
        find_chromium()
