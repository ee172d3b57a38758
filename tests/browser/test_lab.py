"""Simulators in the page: the first touch answers without Python, the guess comes first, and what Python makes is drawn without rights."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from gpubites.frame import Frame
from gpubites.library import Library
from gpubites.snippet import Snippet as LibrarySnippet
from snippets import BOOT, Snippet, open_python_page
from test_pages import AXE, axe_violations
from witness import DESKTOP, PHONE, Witness

pytestmark = pytest.mark.xdist_group("python")
BITE, LAB = "b/bank-conflicts/", "snippet-bank_lab"
PYTHON = re.compile(r"assets/python/")
WALKED = ("bank-conflicts", "roofline", "queueing")  # the bites whose labs are tried one by one; GPUBITES_FULL=1: all
SAMPLE = 2  # frames of each simulator that Pyodide answers too; GPUBITES_FULL=1: all
FULL = bool(os.environ.get("GPUBITES_FULL"))


def open_lab(page: Page, site_url: str, query: str = "") -> Locator:
    page.goto(f"{site_url}{BITE}{query}")
    lab = page.locator(f"#{LAB}")
    lab.scroll_into_view_if_needed()
    expect(lab.locator(".lab-tools")).to_be_attached()
    return lab


def says(lab: Locator, words: str | re.Pattern[str]) -> None:
    expect(lab.locator(".lab-says")).to_contain_text(words)


@pytest.fixture(scope="module")
def warm(browser: Browser, site_url: str) -> Iterator[Page]:
    """A page in which Python runs: it is started once."""
    context = browser.new_context()
    page = context.new_page()
    open_lab(page, site_url)
    yield page
    context.close()


def test_the_first_touch_answers_with_no_python_loaded(page: Page, site_url: str, witness: Witness) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    lab = open_lab(page, site_url)
    assert not [url for url in requests if url.endswith(".frames")], "nothing is fetched before the reader asks"
    slider = lab.get_by_role("slider")
    slider.focus()
    slider.press("ArrowRight")
    says(lab, "Stride 33: the warp asks 32 banks of 32, and needs 1 pass")
    assert slider.get_attribute("aria-valuetext") == "33 elements"
    expect(lab.get_by_role("img")).to_have_accessible_name(re.compile("Stride 33"))
    lab.get_by_role("combobox", name="Each lane loads one").select_option("float4")
    says(lab, "needs 4 passes, the least there is")
    lab.get_by_text("The numbers as a table").click()
    expect(lab.locator("tbody tr")).to_have_count(32)
    assert not [url for url in requests if PYTHON.search(url)]
    assert len([url for url in requests if url.endswith(".frames")]) == 1


def test_a_guess_stands_beside_the_result_and_is_kept_on_this_device(page: Page, site_url: str, witness: Witness) -> None:
    lab = open_lab(page, site_url)
    lab.get_by_role("button", name="Predict").click()
    expect(lab.get_by_text("Type a number first.")).to_be_visible()
    lab.get_by_role("textbox").fill("8")
    lab.get_by_role("textbox").press("Enter")
    verdict = lab.locator(".lab-verdict")
    expect(verdict).to_contain_text("You said 8 passes, the model says 1: too high by a factor of 8.")
    expect(verdict).to_be_focused()
    says(lab, "Stride 33")
    kept = """() => new Promise((resolve) => { const open = indexedDB.open("gpubites"); open.onsuccess = () => {
      const all = open.result.transaction("guesses").objectStore("guesses").getAll(); all.onsuccess = () => resolve(all.result); }; })"""
    for _ in range(50):  # a guess is stored after it is shown
        page.wait_for_timeout(100)
        if page.evaluate("async () => (await indexedDB.databases()).length"):
            break
    [record] = page.evaluate(kept)
    assert (record["lab"], record["guess"], record["result"], record["factor"]) == (LAB, 8, 1, 8)
    assert record["updated"] > 0


def test_an_address_opens_a_setting_and_follows_the_slider(page: Page, site_url: str, witness: Witness) -> None:
    lab = open_lab(page, site_url, "?bank_lab.stride=16&bank_lab.element=float2")
    says(lab, "Stride 16")
    expect(lab.locator("output")).to_have_text("16 elements")
    lab.get_by_role("button", name="less").click()
    says(lab, "Stride 15")
    page.wait_for_url("**/?bank_lab.stride=15&bank_lab.element=float2")
    lab.get_by_role("button", name="Start values").click()
    says(lab, "Stride 32")
    expect(page).to_have_url(re.compile(r"/b/bank-conflicts/$"))


def test_the_picture_and_the_numbers_read_without_javascript(browser: Browser, site_url: str) -> None:
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    page.goto(site_url + BITE)
    lab = page.locator(f"#{LAB}")
    expect(lab.get_by_role("img")).to_have_accessible_name(re.compile("Stride 32: .* needs 32 passes"))
    expect(lab.get_by_text("From one lane's element to the next: 32 elements.")).to_be_visible()
    expect(lab.locator(".lab-says")).to_be_visible()
    lab.get_by_text("The numbers as a table").click()
    expect(lab.get_by_role("cell", name="32", exact=True).first).to_be_visible()
    context.close()


def test_a_finger_moves_it_on_a_phone(phone: Page, site_url: str) -> None:
    lab = open_lab(phone, site_url)
    lab.get_by_role("button", name="more").tap()
    says(lab, "Stride 33")
    box = lab.get_by_role("button", name="more").bounding_box()
    assert box and min(box["width"], box["height"]) >= 40


def test_without_the_recorded_settings_it_says_so(browser: Browser, site_url: str) -> None:
    context = browser.new_context(service_workers="block")  # so that the test stands between page and network
    page = context.new_page()
    lab = open_lab(page, site_url)
    page.route("**/*.frames", lambda route: route.abort())
    lab.get_by_role("button", name="more").click()
    expect(lab.get_by_text("could not be loaded")).to_be_visible()
    page.unroute("**/*.frames")
    lab.get_by_role("button", name="more").click()
    says(lab, "Stride 34")
    context.close()


def test_a_changed_model_survives_a_reload_and_travels_in_a_link_that_runs_nothing(
    context: BrowserContext, site_url: str, witness: Witness
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    lab = open_lab(page, site_url, "?bank_lab.stride=16")
    lab.get_by_text("The model in Python").click()
    lab.get_by_role("button", name="Edit").click()
    lab.locator(".cm-content").fill("print('mine')")
    expect(lab.locator(".runner-version-words")).to_have_text(re.compile("Your draft, kept in this browser.* The picture is still that of"))
    lab.get_by_role("button", name="Copy link to this code").click()
    expect(lab.get_by_text("Copied: the link shows this code")).to_be_visible()
    url = page.evaluate("navigator.clipboard.readText()")

    page.reload()
    lab = page.locator(f"#{LAB}")
    lab.scroll_into_view_if_needed()
    expect(lab.locator(".runner-version-words")).to_contain_text("Your draft")
    lab.get_by_text("The model in Python").click()
    expect(lab.locator(".runner-plain")).to_have_text("print('mine')")
    expect(lab.get_by_text(re.compile(r"Run needs Python: 1\d\.\d MB"))).to_be_visible()
    lab.get_by_role("button", name="Reset").click()
    expect(lab.locator(".frame-source")).to_contain_text("def simulate")
    page.close()

    page = context.new_page()
    page.goto(url)
    lab = page.locator(f"#{LAB}")
    expect(lab.locator(".runner-version-words")).to_contain_text("somebody else may have written. It has not been run")
    expect(lab.locator(".runner-version-words")).to_be_in_viewport()
    expect(lab.locator(".cm-content")).to_have_text("print('mine')")
    says(lab, "Stride 16")
    assert page.locator("iframe").count() == 0


# With Python


def edit(lab: Locator, page: Page, old: str, new: str) -> None:
    """Replaces a stretch of the model in the editor, as a paste does."""
    text = lab.locator(".lab-code .frame-source pre").text_content() or ""
    assert text.count(old) == 1
    # Whichever test came first: the page is shared.
    lab.locator(".lab-code").evaluate(
        "(code) => { for (let at = code; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true; }"
    )
    expect(lab.get_by_role("button", name="Edit").or_(lab.locator(".cm-content")).first).to_be_visible()
    if lab.get_by_role("button", name="Edit").is_visible():
        lab.get_by_role("button", name="Edit").click()
    editor = lab.locator(".cm-content")
    editor.click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(text.replace(old, new))
    lab.get_by_role("button", name="Run").click()


def test_edited_code_answers_draws_and_steps_back(warm: Page) -> None:
    lab = warm.locator(f"#{LAB}")
    lab.get_by_text("The model in Python").click()
    lab.get_by_role("button", name="Edit").click()
    expect(lab.get_by_text(re.compile(r"Run needs Python: 1\d\.\d MB"))).to_be_visible()
    edit(lab, warm, "BANKS = 32", "print('sixteen')\nBANKS = 16")
    expect(lab.get_by_text(re.compile("Answered by Python"))).to_be_visible(timeout=BOOT)
    says(lab, "1 bank of 16")
    expect(lab.locator(".frame-output")).to_have_text("sixteen\n")
    lab.get_by_role("button", name="more").click()
    says(lab, "Stride 33: the warp asks 16 banks of 16")
    lab.get_by_role("button", name="Reset").click()
    says(lab, "Stride 33: the warp asks 32 banks of 32")


def test_an_error_names_the_line_and_the_picture_fades(warm: Page) -> None:
    lab = warm.locator(f"#{LAB}")
    edit(lab, warm, "least = len(groups)", "least = len(groups) // 0")
    expect(lab.get_by_text(re.compile(r"ZeroDivisionError.*\(line \d+\)"))).to_be_visible(timeout=BOOT)
    expect(lab.locator(".editor-error")).to_have_text("    least = len(groups) // 0")
    expect(lab.locator("sim-lab")).to_have_attribute("data-stale", "")
    lab.get_by_role("button", name="Reset").click()
    expect(lab.locator("sim-lab")).not_to_have_attribute("data-stale", "")


def test_a_hostile_picture_is_only_shapes(warm: Page) -> None:
    lab = warm.locator(f"#{LAB}")
    hostile = (
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9' onload='window.hit = 1'><script>window.hit = 1</script>"
        "<image href='/x.png'/><a href='https://example.com'><text>go</text></a><rect width='3' height='3' style='fill:red' "
        "onclick='window.hit = 1'/><foreignObject><iframe xmlns='http://www.w3.org/1999/xhtml' src='/'/></foreignObject></svg>"
    )
    edit(lab, warm, '"svg": picture(all_asked, passes, least)', f'"svg": {json.dumps(hostile)}')
    expect(lab.locator(".lab-picture svg > *")).to_have_count(1, timeout=BOOT)
    drawn = lab.locator(".lab-picture").inner_html()
    assert "rect" in drawn and not re.search(r"script|href|on\w+=|style|image|iframe", drawn)
    assert warm.evaluate("window.hit") is None
    lab.get_by_role("button", name="Reset").click()


def test_the_controls_follow_a_changed_signature(warm: Page) -> None:
    lab = warm.locator(f"#{LAB}")
    lab.get_by_role("button", name="Start values").click()
    ranged = 'stride: Annotated[int, range(1, 67), "elements", "From one lane\'s element to the next"] = 32'
    edit(lab, warm, ranged, 'stride: Annotated[int, range(64, 129, 64), "words", "From lane to lane"] = 128')
    says(lab, re.compile("Stride 128: .* needs 32 passes"))
    slider = lab.get_by_role("slider")
    expect(slider).to_have_accessible_name("From lane to lane")
    expect(slider).to_have_attribute("aria-valuetext", "128 words")
    expect(lab.get_by_text("The controls follow the signature you wrote.")).to_be_visible()
    expect(lab.locator(".lab-predict")).to_be_hidden()
    expect(lab.locator(".frame-origin")).to_have_text("your model, answered by Python in this browser")
    lab.get_by_role("button", name="less").click()
    says(lab, "Stride 64:")

    edit(lab, warm, "range(1, 67)", "[2, 1]")  # a signature that is none: what was there stays
    expect(lab.locator(".editor-message")).to_contain_text("Line 17: `stride` has values that do not grow")
    expect(lab.get_by_text("Controls and picture stay as they were.")).to_be_visible()
    expect(slider).to_have_accessible_name("From lane to lane")
    says(lab, "Stride 64:")

    lab.get_by_role("button", name="Reset").click()
    expect(slider).to_have_accessible_name("From one lane's element to the next")
    says(lab, "Stride 64: the warp asks 1 bank of 32")  # the address still says 64
    expect(lab.locator(".frame-origin")).to_contain_text("198 settings recorded")


def test_pyodide_gives_the_recorded_frames(warm: Page, library: Library, site_url: str) -> None:
    open_python_page(warm, site_url)
    simulators = [snippet for snippet in library.snippets.values() if snippet.simulator]
    assert simulators
    different = {snippet.path: found for snippet in simulators if (found := in_pyodide(warm, snippet))}
    assert different == {}  # all of them: the whole walk takes five minutes


def in_pyodide(page: Page, snippet: LibrarySnippet) -> list[str]:
    """The settings to which Pyodide gives another frame than CPython did. Which ones are asked changes from day to day."""
    assert snippet.simulator
    settings = snippet.simulator.settings
    step = 1 if FULL else max(1, len(settings) // SAMPLE)
    places = list(range(date.today().toordinal() % step, len(settings), step))
    different = []
    for pair in batched(places, 2):  # few at a time: a page stops a program after ten seconds
        ask = (
            "import hashlib, json\n"
            "keys = ('svg', 'table', 'result', 'says')\n"
            f"for setting in {[settings[place] for place in pair]!r}:\n"
            "    answer = simulate(**setting)\n"
            "    text = json.dumps([{key: answer[key] for key in keys}], ensure_ascii=False, separators=(',', ':'))\n"
            "    print(hashlib.sha256(text.encode()).hexdigest())\n"
        )
        printed = Snippet(page, f"{snippet.clean_text}\n{ask}").run().split()
        expected = [hashlib.sha256(as_json(snippet.frames[place]).encode()).hexdigest() for place in pair]
        if printed != expected:
            different.append(f"{[settings[place] for place in pair]}: {' '.join(printed)[:300]}")
    return different


def as_json(frame: Frame) -> str:
    """What `ask` hashes."""
    listed = [{"svg": frame.svg, "table": frame.table, "result": frame.result, "says": frame.says}]
    return json.dumps(listed, ensure_ascii=False, separators=(",", ":"))


def batched(places: list[int], size: int) -> list[list[int]]:
    return [places[first : first + size] for first in range(0, len(places), size)]


# Every lab


WALKS: list[dict[str, Any]] = [{"viewport": PHONE, "color_scheme": "dark"}]
if FULL:
    WALKS += [{"viewport": PHONE}, {"viewport": DESKTOP, "color_scheme": "dark"}, {"viewport": DESKTOP}]


def test_every_lab_is_accessible_and_answers(browser: Browser, site_url: str, library: Library) -> None:
    """Everything unfolded, on a phone in the dark; in full, the shaders' bites too, in all four settings."""
    assert Path(AXE).is_file()
    wrong: dict[str, list[str]] = {}
    for number, setting in enumerate(WALKS):
        context = browser.new_context(reduced_motion="reduce", **setting)
        witness = Witness(site_url)
        witness.watch(context)
        page = context.new_page()
        for bite in library.bites:
            labs = [snippet for snippet in library.snippets_of(bite) if snippet.kind in ("shader", "webgpu") or snippet.simulator]
            if labs and (FULL or bite.slug in WALKED):
                page.goto(site_url + bite.url)
                if found := wrong_with(page, labs):
                    wrong[f"{bite.slug}, setting {number}"] = found
        assert witness.foreign == []
        assert witness.errors == []
        context.close()
    assert wrong == {}


def wrong_with(page: Page, labs: list[LibrarySnippet]) -> list[str]:
    for snippet in labs:
        lab = page.locator(f"#snippet-{snippet.stem}")
        lab.scroll_into_view_if_needed()
        if not snippet.simulator:
            expect(lab.locator(".frame-controls :is(button, .frame-status)").first).to_be_attached()
            continue
        expect(lab.locator(".lab-ask")).to_be_visible()
        asked = snippet.simulator.prediction
        assert asked
        if asked.choices:
            lab.locator(".lab-ask select").select_option(asked.choices[0])
        else:
            lab.locator(".lab-ask input").fill("7")
        lab.get_by_role("button", name="Predict").click()
        expect(lab.locator(".lab-verdict")).to_contain_text("You said")
    page.evaluate("document.querySelectorAll('sim-lab details').forEach((fold) => { fold.open = true })")
    wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return axe_violations(page) + [f"scrolls sideways by {wider} px"] * (wider > 0)
