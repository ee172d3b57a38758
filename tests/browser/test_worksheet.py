"""The worksheet of a story: what a reader writes is there again, whatever becomes of the page, and leaves it only when they say so."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from deploys import KEEP, SITE, changed_site
from server import SiteServer
from test_pages import axe_violations, open_everything
from witness import DESKTOP, PHONE, Witness, wait_until

STORY = "b/kernel-project/"
STEPS = [
    "1. Context: model, workload, target",
    "2. The kernels and what changed in them",
    "3. How profiling found the limit",
    "4. The change and its price",
    "5. The result, and what you would do differently",
]
BLOCKED = """Object.defineProperty(window, 'indexedDB', {get() { throw new DOMException('blocked', 'SecurityError') }})"""
# What is stored, read past our own code.
STORED = """(table) => new Promise((resolve, reject) => {
    const opening = indexedDB.open("gpubites");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
        const reading = opening.result.transaction(table).objectStore(table).getAll();
        reading.onsuccess = () => { opening.result.close(); resolve(reading.result); };
    };
})"""


def opened(page: Page, url: str) -> Locator:
    """The worksheet of the story, its boxes there."""
    page.goto(url + STORY)
    return alive(page)


def alive(page: Page) -> Locator:
    sheet = page.locator("story-worksheet")
    sheet.scroll_into_view_if_needed()
    expect(sheet.locator("textarea").first).to_be_visible()
    return sheet


def box(within: Page | Locator, step: int) -> Locator:
    return within.get_by_role("textbox", name=STEPS[step - 1], exact=True)


def stored(page: Page) -> dict[str, str]:
    """Text by step, as it lies on the device."""
    return {record["step"]: record["text"] for record in records(page, "worksheet")}


def records(page: Page, table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(STORED, table)
    return found


def wait_until_stored(page: Page, text: str) -> None:
    wait_until(page, lambda: text in stored(page).values())


def exported(page: Page, button: str = "Export as Markdown") -> tuple[str, str]:
    """The name and the content of the file that the reader gets."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    return download.value.suggested_filename, Path(download.value.path()).read_text(encoding="utf-8")


def test_every_step_has_a_box_with_its_name_below_its_text(page: Page, site_url: str, witness: Witness) -> None:
    sheet = opened(page, site_url)
    expect(sheet.get_by_role("textbox")).to_have_count(len(STEPS))
    for step, name in enumerate(STEPS, start=1):
        expect(box(page, step)).to_have_accessible_name(name)
        order = "([heading, box]) => heading.compareDocumentPosition(box) & Node.DOCUMENT_POSITION_FOLLOWING"
        heading = sheet.get_by_role("heading", name=name).element_handle()
        assert page.evaluate(order, [heading, box(page, step).element_handle()])


def test_what_was_typed_is_there_after_a_reload(page: Page, site_url: str, witness: Witness) -> None:
    opened(page, site_url)
    box(page, 1).fill("Decoding at batch 8.")
    wait_until_stored(page, "Decoding at batch 8.")
    page.reload()
    alive(page)
    expect(box(page, 1)).to_have_value("Decoding at batch 8.")
    expect(box(page, 2)).to_have_value("")


def test_a_reload_right_after_a_key_loses_nothing(page: Page, site_url: str) -> None:
    opened(page, site_url)
    for text in ("one", "one two", "one two three"):
        box(page, 3).fill(text)
        page.reload()
        alive(page)
        expect(box(page, 3)).to_have_value(text)


def test_a_closed_tab_loses_nothing(context: BrowserContext, page: Page, site_url: str) -> None:
    opened(page, site_url)
    box(page, 4).fill("closed at once")
    with page.expect_event("close"):
        page.close(run_before_unload=True)
    page = context.new_page()
    opened(page, site_url)
    expect(box(page, 4)).to_have_value("closed at once")


def test_writing_is_stored_when_the_hands_rest(page: Page, site_url: str) -> None:
    opened(page, site_url)
    box(page, 2).press_sequentially("one word after another", delay=30)
    assert "one word after another" not in stored(page).values(), "a key is no reason to write"
    wait_until_stored(page, "one word after another")
    assert len(stored(page)) == 1


def test_text_is_there_after_navigating_away_and_back(page: Page, site_url: str, witness: Witness) -> None:
    opened(page, site_url)
    page.evaluate("() => { window.isStillThisDocument = true; }")
    box(page, 1).fill("left at once")
    page.locator(".site-foot").get_by_role("link", name="Facts").click()
    expect(page).to_have_url(f"{site_url}facts/")
    page.go_back()
    alive(page)
    expect(box(page, 1)).to_have_value("left at once")
    assert page.evaluate("window.isStillThisDocument")


def next_edition(content: bytes) -> bytes:
    """One step has another number, one another name."""
    return content.replace(b"2. The kernels and", b"3. The kernels and").replace(b"4. The change and", b"4. A step and")


def test_text_stays_when_the_site_is_updated(context: BrowserContext, page: Page, tmp_path: Path) -> None:
    with SiteServer(SITE) as server:
        opened(page, server.url)
        box(page, 2).fill("of a step that moves")
        box(page, 4).fill("of a step that goes")
        wait_until_stored(page, "of a step that goes")
        server.deploy(changed_site(tmp_path / "new", {f"{STORY}index.html": next_edition}))
        # As the tab that accepts the update has it: the new edition and nothing of the old one.
        page.evaluate("async () => { for (const each of await navigator.serviceWorker.getRegistrations()) await each.unregister(); }")
        page = context.new_page()
        opened(page, server.url)
        expect(page.get_by_role("textbox", name="3. The kernels and what changed in them")).to_have_value("of a step that moves")
        former = page.get_by_role("textbox", name="4. The change and its price (a step of an earlier edition)")
        expect(former).to_have_value("of a step that goes")
        assert "## 4. The change and its price\n\nof a step that goes\n" in exported(page)[1]


# --- two tabs --------------------------------------------------------------------------------------------------------


@pytest.fixture
def tabs(context: BrowserContext, site_url: str) -> tuple[Page, Page]:
    """Two tabs on the same story."""
    first, second = context.new_page(), context.new_page()
    for page in (first, second):
        opened(page, site_url)
    return first, second


def test_the_other_tab_shows_the_newer_text(tabs: tuple[Page, Page]) -> None:
    first, second = tabs
    box(first, 1).fill("from the first tab")
    expect(box(second, 1)).to_have_value("from the first tab")
    box(second, 1).fill("from the first tab, and the second")
    expect(box(first, 1)).to_have_value("from the first tab, and the second")
    box(second, 2).fill("another step")
    expect(box(first, 2)).to_have_value("another step")
    for page in tabs:
        expect(page.get_by_text("Another tab wrote")).not_to_be_visible()


def write_in_both(tabs: tuple[Page, Page], later: int = 0) -> None:
    """In the same moment, so that neither has heard of the other; or in the first tab some milliseconds later."""
    soon = time.time() * 1000 + 1000
    for page, text, moment in zip(tabs, ("the first tab's", "the second tab's"), (soon + later, soon), strict=True):
        page.evaluate(
            """([text, moment]) => { setTimeout(() => {
                const area = document.querySelector("story-worksheet textarea");
                area.value = text;
                area.dispatchEvent(new Event("input"));
            }, moment - Date.now()) }""",
            [text, moment],
        )


TEXTS = {"the first tab's", "the second tab's"}


def who_asks(tabs: tuple[Page, Page]) -> tuple[Page, str, str]:
    """The tab whose text came a moment earlier and is not the stored one: with its text, and the other's."""
    asks = [page.get_by_text("Another tab wrote something else for this step.") for page in tabs]
    wait_until(tabs[0], lambda: any(note.is_visible() for note in asks))
    page = tabs[0] if asks[0].is_visible() else tabs[1]
    mine = box(page, 1).input_value()
    [other] = TEXTS - {mine}
    return page, mine, other


def test_two_tabs_at_once_ask_and_lose_nothing(tabs: tuple[Page, Page]) -> None:
    write_in_both(tabs)
    page, _, other = who_asks(tabs)
    page.get_by_role("button", name="Show that text").click()
    expect(box(page, 1)).to_have_value(other)
    expect(box(page, 1)).to_be_focused()
    wait_until_stored(page, other)
    page.reload()
    alive(page)
    expect(box(page, 1)).to_have_value(other)


def test_keeping_mine_writes_it_over_the_other(tabs: tuple[Page, Page]) -> None:
    write_in_both(tabs)
    page, mine, _ = who_asks(tabs)
    page.get_by_role("button", name="Keep mine").click()
    wait_until_stored(page, mine)
    for tab in tabs:
        expect(box(tab, 1)).to_have_value(mine)


def test_keeping_mine_answers_the_other_tab_too_where_both_ask(tabs: tuple[Page, Page]) -> None:
    """The second tab's text arrives in the first while that is not stored yet, and the other way round."""
    write_in_both(tabs, later=200)
    for tab in tabs:
        expect(tab.get_by_text("Another tab wrote something else for this step.")).to_be_visible()
    tabs[0].get_by_role("button", name="Keep mine").click()
    for tab in tabs:
        expect(box(tab, 1)).to_have_value("the first tab's")
        expect(tab.get_by_text("Another tab wrote")).not_to_be_visible()


# --- the bar ---------------------------------------------------------------------------------------------------------


def test_the_estimate_follows_the_words(page: Page, site_url: str) -> None:
    sheet = opened(page, site_url)
    expect(sheet.locator(".worksheet-total")).to_have_text("About 0 s aloud, of five minutes")
    box(page, 1).fill("word " * 140)
    box(page, 2).fill("word " * 70)
    expect(box(page, 1)).to_have_accessible_description("about 1 min aloud")
    expect(box(page, 2)).to_have_accessible_description("about 30 s aloud")
    expect(sheet.locator(".worksheet-total")).to_have_text("About 1 min 30 s aloud, of five minutes")
    box(page, 3).fill("word " * 630)
    expect(sheet.locator(".worksheet-total")).to_have_text("About 6 min aloud: 1 min over five minutes")


def test_ticks_are_counted_and_kept(page: Page, site_url: str) -> None:
    sheet = opened(page, site_url)
    sheet.locator("summary").click()
    expect(sheet.get_by_role("checkbox")).to_have_count(6)
    sheet.get_by_role("checkbox", name="names the limit with a counter").check()
    sheet.get_by_role("checkbox", name="says what remains").check()
    expect(sheet.locator(".worksheet-score")).to_have_text("4 of 13 points")
    wait_until(page, lambda: len(records(page, "ticks")) == 2)
    page.reload()
    sheet = alive(page)
    expect(sheet.locator(".worksheet-score")).to_have_text("4 of 13 points")


def test_the_export_holds_everything(page: Page, site_url: str) -> None:
    sheet = opened(page, site_url)
    box(page, 1).fill("It took <ms>.\n# not a heading\n```\nleft <open>")
    sheet.locator("summary").click()
    sheet.get_by_role("checkbox", name="states the price").check()
    name, text = exported(page)
    assert re.fullmatch(r"kernel-project-\d{4}-\d\d-\d\d\.md", name)
    assert text.startswith("# Your GPU kernel project, told with evidence\n\n2")
    assert f"{name[15:25]}. About " in text
    assert re.findall(r"^#+ .*", text, re.MULTILINE)[1:] == [*(f"## {step}" for step in STEPS), "## Rubric: 2 of 13 points"]
    assert f"## {STEPS[0]}\n\nIt took \\<ms>.\n\\# not a heading\n```\nleft <open>\n```\n\n## {STEPS[1]}\n" in text
    assert text.count("- [ ] (") == 5
    assert "- [x] (2) states the price and how correctness was checked\n" in text


def test_text_is_never_html(page: Page, site_url: str, witness: Witness) -> None:
    hostile = "</textarea><img src=x onerror=\"document.title = 'owned'\"><b>bold</b>"
    opened(page, site_url)
    box(page, 1).fill(hostile)
    wait_until_stored(page, hostile)
    page.reload()
    sheet = alive(page)
    expect(box(page, 1)).to_have_value(hostile)
    assert sheet.locator("img, b").count() == 0


def test_clear_asks_once_and_can_be_undone(page: Page, site_url: str) -> None:
    sheet = opened(page, site_url)
    page.get_by_role("button", name="Clear", exact=True).click()
    expect(sheet.get_by_text("There is nothing to clear.")).to_be_visible()
    box(page, 1).fill("to be cleared")
    sheet.locator("summary").click()
    sheet.get_by_role("checkbox", name="states the price").check()
    page.get_by_role("button", name="Clear", exact=True).click()
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(box(page, 1)).to_have_value("to be cleared")
    page.get_by_role("button", name="Clear", exact=True).click()
    page.get_by_role("button", name="Clear all").click()
    expect(box(page, 1)).to_have_value("")
    expect(sheet.locator(".worksheet-score")).to_have_text("0 of 13 points")
    expect(page.get_by_role("button", name="Undo")).to_be_focused()
    page.get_by_role("button", name="Undo").click()
    expect(box(page, 1)).to_have_value("to be cleared")
    expect(sheet.locator(".worksheet-score")).to_have_text("2 of 13 points")
    page.reload()
    alive(page)
    expect(box(page, 1)).to_have_value("to be cleared")
    page.get_by_role("button", name="Clear", exact=True).click()
    page.get_by_role("button", name="Clear all").click()
    page.reload()
    sheet = alive(page)
    expect(box(page, 1)).to_have_value("")
    expect(sheet.locator(".worksheet-score")).to_have_text("0 of 13 points")


# --- where nothing can be stored -------------------------------------------------------------------------------------


def test_blocked_storage_works_for_this_visit_and_says_so(page: Page, site_url: str, witness: Witness) -> None:
    page.add_init_script(BLOCKED)
    sheet = opened(page, site_url)
    notice = sheet.get_by_text("This browser does not let the site store anything.")
    expect(notice).to_be_visible()
    expect(notice).to_contain_text("export it before you go")
    box(page, 1).fill("for this visit")
    # Longer than typing has to rest before it is stored.
    page.wait_for_timeout(600)
    expect(sheet.get_by_text("This browser does not let the site store anything.")).to_have_count(1)
    page.locator(".site-foot").get_by_role("link", name="Facts").click()
    expect(page).to_have_url(f"{site_url}facts/")
    page.go_back()
    alive(page)
    expect(box(page, 1)).to_have_value("for this visit")
    assert "for this visit" in exported(page, "Export now")[1]


def test_a_full_device_keeps_the_old_text_whole_and_the_new_one_for_this_visit(browser: Browser, site_url: str) -> None:
    context = browser.new_context(service_workers="block")  # what it stores would count
    page = context.new_page()
    quota = {"origin": site_url.rstrip("/"), "quotaSize": 500_000}
    session = context.new_cdp_session(page)
    session.send("Storage.overrideQuotaForOrigin", quota)
    sheet = opened(page, site_url)
    box(page, 1).fill("fits")
    wait_until_stored(page, "fits")
    large = "too much " * 100_000
    for step, text in ((1, large), (2, "nor this")):
        box(page, step).evaluate("(area, text) => { area.value = text; area.dispatchEvent(new Event('input')); }", text)
    notice = sheet.get_by_text("This device has no room left")
    expect(notice).to_be_visible()
    assert list(stored(page).values()) == ["fits"], "all of it, or nothing"
    session.send("Storage.overrideQuotaForOrigin", {"origin": quota["origin"]})
    box(page, 3).fill("room again")
    expect(notice).not_to_be_visible()
    assert sorted(stored(page).values()) == ["nor this", "room again", large]
    context.close()


def test_without_javascript_the_frame_is_what_it_was(browser: Browser, site_url: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site_url + STORY)
    expect(page.locator("#model-answer h3")).to_have_count(len(STEPS))
    expect(page.locator("story-worksheet").get_by_role("textbox")).to_have_count(0)
    expect(page.locator("story-worksheet").get_by_role("button")).to_have_count(0)
    context.close()


def test_offline_it_writes_keeps_and_exports(page: Page) -> None:
    with SiteServer(SITE) as server:
        page.goto(server.url)
        page.evaluate(KEEP)
        server.kill()
        opened(page, server.url)
        box(page, 5).fill("on a plane")
        wait_until_stored(page, "on a plane")
        page.reload()
        alive(page)
        expect(box(page, 5)).to_have_value("on a plane")
        assert "on a plane" in exported(page)[1]


def test_a_newer_database_is_read_and_not_locked_out(context: BrowserContext, page: Page, site_url: str) -> None:
    """A tab of an earlier edition goes on where a later one has added a table, also while it is open."""
    sheet = opened(page, site_url)
    box(page, 1).fill("before")
    wait_until_stored(page, "before")
    page.evaluate(
        """() => new Promise((resolve, reject) => {
            const opening = indexedDB.open("gpubites", 99);
            opening.onupgradeneeded = () => opening.result.createObjectStore("later");
            opening.onblocked = () => reject(new Error("a tab held on to the old version"));
            opening.onsuccess = () => { opening.result.close(); resolve(); };
        })"""
    )
    box(page, 1).fill("after")
    wait_until_stored(page, "after")
    expect(sheet.locator(".worksheet-notice")).not_to_be_visible()
    page.reload()
    alive(page)
    expect(box(page, 1)).to_have_value("after")


# --- hands and eyes --------------------------------------------------------------------------------------------------


def test_by_keyboard_alone(page: Page, site_url: str) -> None:
    sheet = opened(page, site_url)
    box(page, 5).focus()
    page.keyboard.type("typed /k with a slash")
    expect(box(page, 5)).to_have_value("typed /k with a slash")
    page.keyboard.press("Tab")
    expect(sheet.locator("summary")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(sheet.get_by_role("checkbox").first).to_be_checked()
    for _ in range(6):
        page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Export as Markdown")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Clear all")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Clear", exact=True)).to_be_focused()
    expect(box(page, 5)).to_have_value("typed /k with a slash")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_everybody_can_read_and_reach_it(browser: Browser, site_url: str, viewport: dict[str, int], scheme: str) -> None:
    context = browser.new_context(viewport=viewport, color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    tabs = (context.new_page(), context.new_page())
    for page in tabs:
        opened(page, site_url)
    write_in_both(tabs)
    page, _, _ = who_asks(tabs)
    box(page, 2).fill("word " * 800)
    page.evaluate("document.querySelector('.worksheet-notice').hidden = false")
    page.get_by_role("button", name="Clear", exact=True).click()
    open_everything(page)
    assert axe_violations(page) == []
    for control in page.locator("story-worksheet :is(button, textarea, summary, label.choice):visible").all():
        area = control.bounding_box()
        assert area
        assert area["height"] >= 40, control.evaluate("element => element.outerHTML")
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    context.close()
