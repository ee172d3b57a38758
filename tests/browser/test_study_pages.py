"""Review, progress and interview: what was missed comes back, the reader's data moves to another browser, a mock ends with a debrief."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from deploys import KEEP, SITE
from server import SiteServer
from study import answer, card, do_five, events, go_on
from test_pages import SETTINGS, axe_violations, open_everything
from witness import Witness

# As a simulator notes it, written past our own code.
GUESSED = """() => new Promise((resolve) => {
    const opening = indexedDB.open("gpubites");
    opening.onsuccess = () => {
        const writing = opening.result.transaction("guesses", "readwrite");
        writing.objectStore("guesses").put({ lab: "lab", ask: "How many?", guess: 12, result: 8, factor: 1.5, updated: 1 });
        writing.oncomplete = () => { opening.result.close(); resolve(); };
    };
})"""

# The text that came with the file is written on, in another tab, before the import is undone.
WRITTEN_SINCE = """() => new Promise((resolve) => {
    const opening = indexedDB.open("gpubites");
    opening.onsuccess = () => {
        const writing = opening.result.transaction("worksheet", "readwrite");
        const text = { bite: "kernel-project", step: "one", name: "One", text: "written since", updated: 6, base: 5 };
        writing.objectStore("worksheet").put(text);
        writing.oncomplete = () => { opening.result.close(); resolve(); };
    };
})"""
TEXTS = """() => new Promise((resolve) => {
    const opening = indexedDB.open("gpubites");
    opening.onsuccess = () => {
        const reading = opening.result.transaction("worksheet").objectStore("worksheet").getAll();
        reading.onsuccess = () => { opening.result.close(); resolve(reading.result.map(({ text }) => text)); };
    };
})"""


@pytest.fixture
def own_server() -> Iterator[SiteServer]:
    with SiteServer(SITE) as server:
        yield server


def study_some_days(page: Page, url: str) -> list[str]:
    """Today's five on the first of December, one of them missed; then it is the third. What was asked."""
    page.clock.set_fixed_time("2026-12-01T08:00:00Z")
    page.goto(f"{url}study/")
    asked = do_five(page, wrong=1)
    page.clock.set_fixed_time("2026-12-03T08:00:00Z")
    return asked


def test_what_was_missed_is_reviewed_when_due_and_then_is_done(page: Page, site_url: str, witness: Witness) -> None:
    asked = study_some_days(page, site_url)
    page.goto(f"{site_url}study/review/")
    due = page.locator(".study-head .study-count")
    expect(due).to_have_text("5 questions due")
    assert card(page).get_attribute("id") == asked[1], "what is least sure comes first"
    answer(page)
    expect(due).to_have_text("4 questions due")
    go_on(page)
    expect(page.locator(".study-stage h2")).to_be_focused()
    page.get_by_label("Show").select_option("missed")
    expect(page.locator(".study-stage")).to_contain_text("Nothing is missed")
    expect(page).to_have_url(re.compile(r"\?show=missed$"))


def test_quizzes_only_by_topic(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(f"{site_url}study/review/?show=all&section=mem")
    expect(page.locator(".study-why")).to_contain_text("Memory")
    first = card(page).get_attribute("id")
    answer(page, right=False)
    go_on(page)
    assert card(page).get_attribute("id") != first


def test_a_chosen_retention_changes_when_things_come_back(page: Page, site_url: str, witness: Witness) -> None:
    study_some_days(page, site_url)
    page.goto(f"{site_url}study/review/")
    due = page.locator(".study-head .study-count")
    expect(due).to_have_text("5 questions due")
    page.get_by_text("How soon things come back").click()
    page.get_by_label("Chance of knowing").select_option("0.8")
    expect(due).to_have_text("1 question due")
    [event] = events(page, "set", least=1)
    assert (event["name"], event["value"]) == ("retention", 0.8)


def test_progress_moves_to_another_browser_and_back_out(
    browser: Browser, page: Page, site_url: str, tmp_path: Path, witness: Witness
) -> None:
    asked = study_some_days(page, site_url)
    page.goto(f"{site_url}study/progress/")
    expect(page.locator(".study-numbers")).to_contain_text("5 answers")
    page.evaluate(GUESSED)
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    file = tmp_path / "progress.json"
    download.value.save_as(file)
    progress = json.loads(file.read_text())
    progress["worksheet"] = [{"bite": "kernel-project", "step": "one", "name": "One", "text": "from the file", "updated": 5, "base": 0}]
    file.write_text(json.dumps(progress))
    other = browser.new_context().new_page()
    other.clock.set_fixed_time("2026-12-03T08:00:00Z")
    other.goto(f"{site_url}study/progress/")
    expect(other.get_by_text("Nothing was answered on this device yet")).to_be_visible()
    chooser = other.get_by_label("File with your progress")
    chooser.set_input_files(file)
    expect(other.get_by_text("This file adds 5 entries of 2026-12-01; 1 worksheet text; 1 guess.")).to_be_visible()
    assert events(other) == [], "nothing yet"
    other.get_by_role("button", name="Take it in").click()
    expect(other.locator(".study-numbers")).to_contain_text("5 answers")
    assert [event["question"] for event in events(other, least=len(asked))] == asked
    expect(other.locator("#guessed")).to_contain_text("1 guess, each before a simulator answered")
    other.evaluate(WRITTEN_SINCE)
    other.get_by_role("button", name="Undo").click()
    expect(other.get_by_text("It is as it was before")).to_be_visible()
    expect(other.locator("#guessed")).to_have_count(0)
    assert events(other) == []
    assert other.evaluate(TEXTS) == ["written since"]
    chooser.set_input_files(file)
    other.get_by_role("button", name="Take it in").click()
    expect(other.get_by_text("Taken in.")).to_be_visible()
    chooser.set_input_files(file)
    expect(other.get_by_text("Everything in this file is here already")).to_be_visible()
    other.goto(f"{site_url}study/review/")
    assert card(other).get_attribute("id") == asked[1]
    other.context.close()


def test_a_bad_file_changes_nothing_and_says_why(page: Page, site_url: str, tmp_path: Path, witness: Witness) -> None:
    page.goto(f"{site_url}study/progress/")
    chooser = page.get_by_label("File with your progress")
    for text, why in (
        ("not json", "it is not JSON"),
        ('{"format": "gpubites-progress", "version": 1, "events": [', "cut short"),
        (json.dumps({"format": "gpubites-progress", "version": 99}), "newer edition"),
        (json.dumps({"format": "gpubites-progress", "version": 1, "events": [{}], "worksheet": [], "ticks": []}), "event 1 of 1"),
    ):
        file = tmp_path / "bad.json"
        file.write_text(text)
        chooser.set_input_files(file)
        expect(page.get_by_text(why)).to_be_visible()
        expect(page.get_by_text("Nothing was changed.")).to_be_visible()
    assert events(page) == []


def test_erasing_asks_and_offers_an_export_first(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(f"{site_url}study/")
    answer(page)
    events(page, least=1)
    page.goto(f"{site_url}study/progress/")
    page.get_by_role("button", name="Erase progress…").click()
    expect(page.get_by_role("button", name="Keep it")).to_be_focused()
    with page.expect_download():
        page.get_by_role("button", name="Export first").click()
    page.get_by_role("button", name="Keep it").click()
    assert len(events(page, least=1)) == 1
    page.get_by_role("button", name="Erase progress…").click()
    page.get_by_role("button", name="Erase all progress").click()
    expect(page.get_by_text("Nothing was answered on this device yet")).to_be_visible()
    assert events(page) == []


def grade(page: Page, points: int) -> None:
    """Reveals, ticks so many points, and goes on to the follow-ups."""
    page.get_by_role("button", name="Reveal and grade").click()
    boxes = page.get_by_role("group", name="What did you say?").get_by_role("checkbox")
    expect(boxes.first).to_be_visible()
    for index in range(min(points, boxes.count())):
        boxes.nth(index).check()
    page.get_by_role("button", name="Note it, and the follow-ups").dblclick()  # notes it once


def test_a_mock_of_five_offline_ends_with_a_debrief(browser: Browser, own_server: SiteServer) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(own_server.url)
    page.evaluate(KEEP)
    own_server.kill()
    page.goto(f"{own_server.url}study/interview/")
    page.get_by_label("Time").select_option(label="5 minutes: five outlines")
    page.get_by_role("button", name="Start").click()
    for number in range(1, 6):
        expect(page.locator(".study-why")).to_contain_text(f"Question {number} of 5")
        expect(page.get_by_role("timer")).to_have_text(re.compile(r"^(1:00|0:\d\d)$"))
        page.get_by_role("textbox").fill(f"Outline {number}")
        grade(page, 10 if number > 1 else 0)
        page.locator("details.follow-up > summary").first.click()
        page.get_by_role("button", name="I had it").first.click()
        page.get_by_role("button", name="Next question" if number < 5 else "Finish").click()
    expect(page.get_by_role("heading", name="Debrief")).to_be_visible()
    expect(page.locator(".study-debrief > li")).to_have_count(5)
    page.get_by_role("button", name="Copy as Markdown").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("# Mock interview, 20")
    assert "4 strong, 0 adequate, 1 missed." in text
    assert "> Outline 5" in text
    assert text.count(": I had it") == 5
    told = events(page, "aloud", least=5)
    assert [event["result"] for event in told] == ["miss", *["strong"] * 4]
    assert told[0]["weak"] and not told[1]["weak"]
    context.close()


def test_the_countdown_runs_out_and_an_answer_survives_a_reload(page: Page, site_url: str, witness: Witness) -> None:
    page.clock.install()
    page.goto(f"{site_url}study/interview/?bite=coalescing")
    clock = page.get_by_role("timer")
    expect(clock).to_have_text(re.compile("^(3:00|2:5)"))
    page.get_by_role("textbox").fill("sectors of 32 bytes")
    page.reload()
    expect(page.get_by_role("textbox")).to_have_value("sectors of 32 bytes")
    page.clock.run_for(181_000)
    expect(clock).to_contain_text("over")
    grade(page, 2)
    page.get_by_role("button", name="Finish").click()
    expect(page.get_by_role("heading", name="How it went")).to_be_visible()


def test_a_voice_stays_in_the_page_and_goes_with_the_question(browser: Browser, site_url: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    # A tone in place of a microphone: this machine has none.
    page.add_init_script(
        """navigator.mediaDevices.getUserMedia = async () => {
            const audio = new AudioContext();
            const target = audio.createMediaStreamDestination();
            const tone = audio.createOscillator();
            tone.connect(target);
            tone.start();
            return target.stream;
        };"""
    )
    witness = Witness(site_url)
    witness.watch(context)
    page.goto(f"{site_url}study/interview/?bite=coalescing")
    page.get_by_role("button", name="Record my voice").click()
    expect(page.get_by_text("Recording. It stays in this page.")).to_be_visible()
    page.get_by_role("button", name="Stop recording").click()
    expect(page.locator("audio")).to_have_attribute("src", re.compile("^blob:"))
    assert page.get_by_role("link", name="Keep it as a file").get_attribute("download") is not None
    grade(page, 1)
    page.get_by_role("button", name="Finish").click()
    expect(page.locator("audio")).to_have_count(0)
    assert (witness.errors, witness.foreign) == ([], [])
    context.close()


@pytest.mark.parametrize("setting", ["phone-light", "desktop-dark"])
def test_everybody_can_read_every_study_page(browser: Browser, site_url: str, setting: str) -> None:
    context = browser.new_context(reduced_motion="reduce", **SETTINGS[setting])  # type: ignore[arg-type]
    page = context.new_page()
    study_some_days(page, site_url)
    assert axe_violations(page) == []
    for name in ("review", "progress", "interview/?bite=coalescing"):
        page.goto(f"{site_url}study/{name}")
        expect(page.locator(".study-body > *").first).to_be_visible()
        open_everything(page)
        assert axe_violations(page) == [], name
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0, name
    page.get_by_role("button", name="Reveal and grade").click()
    expect(page.get_by_role("group", name="What did you say?")).to_be_visible()
    assert axe_violations(page) == []
    small = page.locator("main :is(button, summary, label.choice, select):visible").evaluate_all(
        "all => all.filter((one) => one.getBoundingClientRect().height < 40).map((one) => one.outerHTML.slice(0, 90))"
    )
    assert small == []
    context.close()
