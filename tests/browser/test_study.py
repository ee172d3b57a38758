"""Today's five: offline, with one thumb, by keyboard, in two tabs, past midnight, and where nothing can be stored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from deploys import KEEP, SITE, changed_site, every_page, text_changed
from server import SiteServer
from study import answer, card, choose, do_five, events, go_on
from witness import PHONE, Witness

BLOCKED = """for (const name of ['indexedDB', 'localStorage'])
    Object.defineProperty(window, name, {get() { throw new DOMException('blocked', 'SecurityError') }})"""
# Until not even a small record fits: a browser looks at its quota again when something large does not.
FILL = """async () => {
    const database = await new Promise((resolve) => {
        const opening = indexedDB.open("gpubites");
        opening.onsuccess = () => resolve(opening.result);
    });
    // What can be compressed would hardly fill anything.
    const noise = (size) => {
        const bytes = new Uint8Array(size);
        for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
        return bytes;
    };
    const fits = (size) => new Promise((resolve) => {
        const transaction = database.transaction("aside", "readwrite");
        transaction.objectStore("aside").put(noise(size));
        transaction.oncomplete = () => resolve(true);
        transaction.onabort = () => resolve(false);
    });
    let tries = 0;
    for (let size = 1_000_000; size >= 50; size = Math.floor(size / 2)) {
        while (await fits(size)) if (++tries > 100) throw new Error("it is never full");
    }
    database.close();
}"""


@pytest.fixture
def own_server() -> Iterator[SiteServer]:
    with SiteServer(SITE) as server:
        yield server


def test_a_newcomer_does_five_offline_with_a_thumb_and_meets_what_was_missed_again(browser: Browser, own_server: SiteServer) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True, reduced_motion="reduce", timezone_id="Europe/Berlin")
    page = context.new_page()
    page.clock.set_fixed_time("2026-12-01T08:00:00+01:00")
    page.goto(own_server.url)
    page.evaluate(KEEP)
    own_server.kill()
    page.get_by_role("navigation", name="Quick").get_by_role("link", name="Today").tap()
    expect(page.locator(".study-count")).to_have_text("0 of 5 for Tuesday, December 1")
    asked = do_five(page, wrong=2)
    assert len(set(asked)) == 5
    expect(page.locator(".study-stage")).to_contain_text("4 of 5 right. What you missed comes back tomorrow")
    expect(page.locator(".study-streak")).to_have_text("1 day in a row.")
    assert [event["right"] for event in events(page, least=5)] == [True, True, False, True, True]
    page.clock.set_fixed_time("2026-12-02T08:00:00+01:00")
    page.reload()
    expect(page.locator(".study-streak")).to_have_text("1 day in a row, and today is still open.")
    assert card(page).get_attribute("id") == asked[2]
    expect(page.locator(".study-why")).to_contain_text("Due again")
    context.close()


def test_everybody_without_a_history_gets_the_same_five(browser: Browser, site_url: str) -> None:
    lists = []
    for zone in ("America/New_York", "Asia/Tokyo"):
        context = browser.new_context(timezone_id=zone)
        page = context.new_page()
        page.clock.set_fixed_time("2026-12-01T14:00:00Z")
        page.goto(f"{site_url}study/")
        card(page)
        lists.append(page.locator(".study-five li").all_inner_texts())
        context.close()
    assert lists[0] == lists[1]
    assert len(set(lists[0])) == 5


def test_a_missed_question_says_why_and_where_to_go_back_to(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(f"{site_url}study/")
    question = card(page)
    choose(question, right=False)
    own = question.locator("label:has(:checked)")
    check = question.get_by_role("button", name="Check")
    check.scroll_into_view_if_needed()  # as a press does
    before = own.bounding_box()
    check.click()
    expect(page.locator(".study-stage .quiz-why").first).to_be_visible()
    after = own.bounding_box()
    assert before and after
    assert abs(before["y"] - after["y"]) < 2, "the reader's own answer stays in sight"
    expect(page.locator(".study-stage fieldset .quiz-revisit")).to_contain_text("Go back to")
    page.locator(".study-stage fieldset .quiz-revisit a").click()
    expect(page).to_have_url(re.compile("/b/"))  # both pages have an h1
    page.go_back()
    expect(page.locator(".study-count strong")).to_have_text("1 of 5")


def test_a_question_that_has_left_its_bite_can_be_skipped(page: Page, site_url: str, witness: Witness) -> None:
    def without_questions(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=response.text().replace('<quiz-card id="q-', '<quiz-card id="other-'))

    page.route("**/b/*/", without_questions)
    page.goto(f"{site_url}study/")
    first = page.locator(".study-stage h2")
    expect(page.get_by_text("This question is no longer in its bite")).to_be_visible()
    title = first.inner_text()
    page.get_by_role("button", name="Skip it for now").click()
    expect(first).not_to_have_text(title)
    expect(page.get_by_text("This question is no longer in its bite")).to_be_visible()


def test_an_answer_can_be_taken_back_and_graded(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(f"{site_url}study/")
    first = answer(page, right=False)
    page.get_by_role("button", name="Take it back").click()
    expect(page.locator(".study-count strong")).to_have_text("0 of 5")
    assert answer(page) == first
    page.get_by_role("button", name="I guessed").click()
    expect(page.get_by_text("Noted as a guess")).to_be_visible()
    assert [(event["kind"], event.get("grade")) for event in events(page, "grade", least=1)] == [("grade", 2)]
    assert len(events(page, "undo", least=1)) == 1
    page.get_by_role("button", name="Clear").click()
    answer(page)
    expect(page.get_by_text("For practice: your first answer of the day counts.")).to_be_visible()
    expect(page.get_by_role("button", name="Easy")).to_have_count(0)
    go_on(page)
    expect(page.locator(".study-count strong")).to_have_text("1 of 5")


def test_by_keyboard_alone(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(f"{site_url}study/")
    question = card(page)
    question.locator("input").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.locator(".study-next .primary")).to_be_visible()
    for _ in range(12):
        if page.locator(".study-next .primary").evaluate("button => button === document.activeElement"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".study-stage h2")).to_be_focused()
    expect(page.locator(".study-count strong")).to_have_text("1 of 5")


def test_two_tabs_are_one_reader(context: BrowserContext, site_url: str) -> None:
    first, second = context.new_page(), context.new_page()
    for page in (first, second):
        page.goto(f"{site_url}study/")
        card(page)
    asked = answer(first)
    expect(second.locator(".study-count strong")).to_have_text("1 of 5")
    expect(second.locator(".study-stage quiz-card")).not_to_have_attribute("id", asked)
    answer(second)
    expect(first.locator(".study-count strong")).to_have_text("2 of 5")
    go_on(first)
    expect(first.locator(".study-stage quiz-card")).not_to_have_attribute("id", asked)
    assert sorted(event["seq"] for event in events(first, least=2)) == [0, 1], "one device, one count"


def test_midnight_does_not_take_the_question_away(page: Page, site_url: str) -> None:
    page.clock.install(time="2026-12-01T23:58:00")
    page.goto(f"{site_url}study/")
    question = card(page)
    choose(question)
    before = question.get_attribute("id")
    page.clock.fast_forward("05:00")
    expect(page.locator(".study-count")).to_contain_text("Wednesday, December 2")
    assert card(page).get_attribute("id") == before
    answer(page)
    expect(page.locator(".study-count strong")).to_have_text("1 of 5")
    assert [event["day"] for event in events(page, least=1)] == ["2026-12-02"]


def test_a_site_update_in_mid_quiz_loses_nothing(page: Page, tmp_path: Path) -> None:
    with SiteServer(SITE) as server:
        page.goto(f"{server.url}study/")
        done = [answer(page, right=False)]
        go_on(page)
        choose(card(page))
        server.deploy(changed_site(tmp_path / "new", every_page(text_changed("</title>", ", second edition</title>"))))
        # The tab still has the old edition: its answer counts, and so does it in the new one.
        done.append(answer(page))
        page.evaluate("async () => { for (const each of await navigator.serviceWorker.getRegistrations()) await each.unregister(); }")
        page.reload()
        expect(page).to_have_title(re.compile("second edition"))
        expect(page.locator(".study-count strong")).to_have_text("2 of 5")
        assert [event["question"] for event in events(page, least=len(done))] == done


def test_a_quiz_in_its_bite_is_noted_too(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(f"{site_url}b/coalescing/")
    question = page.locator("#q-coalescing-aos")
    question.scroll_into_view_if_needed()
    expect(question.get_by_role("button", name="Check")).to_be_visible()
    choose(question, right=False)
    question.get_by_role("button", name="Check").dblclick()
    expect(page.get_by_text("Noted on this device")).to_be_visible()
    expect(question).to_have_attribute("data-checked", "wrong")
    [event] = events(page, least=1)
    assert (event["question"], event["bite"], event["right"], event["where"]) == ("q-coalescing-aos", "coalescing", False, "bite")


def test_blocked_storage_studies_for_this_visit_and_says_so_once(page: Page, site_url: str, witness: Witness) -> None:
    page.add_init_script(BLOCKED)
    page.goto(f"{site_url}study/")
    notice = page.get_by_text("This browser does not let the site store anything.")
    expect(notice).to_have_count(1)
    do_five(page)
    expect(notice).to_have_count(1)
    page.reload()
    expect(page.locator(".study-count strong")).to_have_text("0 of 5")


def test_a_full_device_keeps_what_was_there_and_the_rest_for_this_visit(browser: Browser, site_url: str) -> None:
    context = browser.new_context(service_workers="block")  # what it stores would count
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Storage.overrideQuotaForOrigin", {"origin": site_url.rstrip("/"), "quotaSize": 2_000_000})
    page.goto(f"{site_url}study/")
    answer(page)
    go_on(page)
    card(page)
    page.evaluate(FILL)
    answer(page)
    expect(page.get_by_text("This device has no room left")).to_be_visible()
    expect(page.locator(".study-count strong")).to_have_text("2 of 5")
    assert len(events(page)) == 1, "all of it, or nothing"
    session.send("Storage.overrideQuotaForOrigin", {"origin": site_url.rstrip("/")})
    go_on(page)
    answer(page)
    expect(page.get_by_text("This device has no room left")).to_be_hidden()
    assert len(events(page, least=3)) == 3
    context.close()


DAMAGE = """() => new Promise((resolve) => {
    const opening = indexedDB.open("gpubites");
    opening.onsuccess = () => {
        const store = opening.result.transaction("events", "readwrite").objectStore("events");
        store.put({ id: "damaged", at: "never" });
        store.put({ id: "from-later", at: 1, day: "2026-01-01", zone: "", offset: 0, kind: "hologram" });
        store.transaction.oncomplete = () => { opening.result.close(); resolve(); };
    };
})"""


def test_a_damaged_part_is_set_aside_and_can_be_downloaded(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(f"{site_url}study/")
    answer(page)
    expect(page.locator(".study-count strong")).to_have_text("1 of 5")
    events(page, least=1)
    page.evaluate(DAMAGE)
    page.reload()
    expect(page.get_by_text("could not be read. It was set aside")).to_be_visible()
    expect(page.locator(".study-count strong")).to_have_text("1 of 5")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download that part").click()
    assert '"id": "damaged"' in Path(download.value.path()).read_text()
    assert len(events(page, "hologram")) == 1, "a later edition's event is left where it is"
    assert events(page)[0]["right"]


def test_without_javascript_it_says_where_the_quizzes_are(browser: Browser, site_url: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site_url}study/")
    expect(page.get_by_text("Without it every bite has its quiz")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="all bites").click()
    expect(page).to_have_url(f"{site_url}s/")
    context.close()
