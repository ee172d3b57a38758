"""Reading a bite: quiz, reveal, timer, links to parts, filters, navigation, search; by mouse, by keyboard, and without JavaScript."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from study import choose, put_in_order, right_of, typed_answer
from witness import Witness

BITE = "b/coalescing/"


def test_model_answer_is_revealed(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(site_url + BITE)
    fold = page.locator("#model-answer details")
    expect(fold).not_to_have_attribute("open", "")
    page.get_by_text("Reveal the model answer").click()
    expect(fold).to_have_attribute("open", "")
    expect(page.locator("#model-answer p").first).to_be_visible()


def test_link_to_the_model_answer_opens_it(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}{BITE}#model-answer")
    expect(page.locator("#model-answer details")).to_have_attribute("open", "")


def test_wrong_answer_is_explained(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(site_url + BITE)
    card = page.locator("quiz-card[data-kind=one]").first
    card.scroll_into_view_if_needed()
    right = right_of(card)
    card.locator("input").nth(right.index(0)).check()
    card.get_by_role("button", name="Check").click()
    expect(card.get_by_role("status")).to_have_text("Not quite: read why.")
    expect(card.locator("fieldset .quiz-why")).to_have_count(len(right))
    for why in card.locator("fieldset .quiz-why").all():
        assert len(why.inner_text().split()) > 3
    expect(card.locator("label.is-right")).to_have_count(1)
    card.get_by_role("button", name="Try again").click()
    expect(card.locator("fieldset .quiz-why")).to_have_count(0)
    card.locator("input").nth(right.index(1)).check()
    card.get_by_role("button", name="Check").click()
    expect(card.get_by_role("status")).to_have_text("Right.")


def test_checking_without_an_answer_asks_for_one(page: Page, site_url: str) -> None:
    page.goto(site_url + BITE)
    card = page.locator("quiz-card[data-kind=one]").first
    card.scroll_into_view_if_needed()
    card.get_by_role("button", name="Check").click()
    expect(card.get_by_role("status")).to_have_text("Choose an answer first")
    expect(card.locator(".quiz-why")).to_have_count(0)


def test_number_is_read_as_people_type_it(page: Page, site_url: str) -> None:
    page.goto(site_url + BITE)
    card = page.locator("quiz-card[data-kind=numeric]").first
    card.scroll_into_view_if_needed()
    field = card.locator("input[type=text]")
    expect(card.get_by_role("button", name="Check")).to_be_visible()
    value = float(typed_answer(card))
    field.fill(f"{value:g}".replace(".", ","))
    field.press("Enter")
    expect(card.get_by_role("status")).to_have_text("Right.")
    card.get_by_role("button", name="Clear").click()
    field.fill(str(value + 1))
    field.press("Enter")
    expect(card.get_by_role("status")).to_have_text("Not quite: read why.")


def test_values_are_drawn_anew_and_an_output_is_revealed(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(f"{site_url}b/what-is-cuda/")
    drawn, predicted = page.locator("#q-what-is-cuda-tail"), page.locator("#q-what-is-cuda-empty")
    drawn.scroll_into_view_if_needed()
    expect(drawn.get_by_role("button", name="Check")).to_be_visible()
    seen = set()
    for _ in range(3):
        seen.add(drawn.locator(".quiz-asked").inner_text())
        choose(drawn)
        drawn.get_by_role("button", name="Check").click()
        expect(drawn.get_by_role("status")).to_have_text("Right.")
        expect(drawn.locator("fieldset .quiz-why")).to_contain_text(f"= {int(typed_answer(drawn)):,} fail the guard")
        drawn.get_by_role("button", name="Clear").click()
    assert len(seen) == 3, "other values at each attempt"
    choose(predicted, right=False)
    expect(predicted.locator("fieldset .quiz-output")).to_have_count(0)
    predicted.get_by_role("button", name="Check").click()
    expect(predicted.locator("fieldset .quiz-output mark")).to_have_text("0 x   32: cudaErrorInvalidConfiguration")
    expect(predicted.locator("label.is-right")).to_have_text("cudaErrorInvalidConfiguration")
    predicted.get_by_role("button", name="Try again").click()
    expect(predicted.locator("fieldset .quiz-output")).to_have_count(0)


def test_quiz_by_keyboard_alone(page: Page, site_url: str) -> None:
    page.goto(site_url + BITE)
    card = page.locator("quiz-card[data-kind=one]").first
    card.scroll_into_view_if_needed()
    expect(card.get_by_role("button", name="Check")).to_be_visible()
    card.locator("input").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(card.get_by_role("status")).to_have_text(re.compile("Right|Not quite"))


def test_timer_counts_from_the_clock(page: Page, site_url: str) -> None:
    page.clock.install()
    page.goto(site_url + BITE)
    timer = page.locator("#explainer bite-timer")
    dial, said = timer.get_by_role("button"), timer.get_by_role("status")
    expect(dial).to_have_text("Say it in 60 seconds")
    dial.click()
    expect(said).to_have_text("60 seconds begin")
    page.clock.run_for(15_000)
    expect(dial).to_have_text("Stop · 45 s left")
    dial.click()
    expect(dial).to_have_text("Say it in 60 seconds")
    expect(said).to_have_text("Stopped")
    dial.click()
    page.clock.run_for(61_000)
    expect(dial).to_have_text("Time. Again?")
    expect(said).to_have_text("Time")


def test_the_model_answer_has_three_minutes_that_stay_in_sight(page: Page, site_url: str) -> None:
    page.clock.install()
    page.goto(site_url + BITE)
    page.get_by_text("Reveal the model answer").click()
    dial = page.locator("#model-answer bite-timer").get_by_role("button")
    expect(dial).to_have_text("Say it in 3 minutes")
    last = page.locator("#model-answer p").last
    last.evaluate("part => part.scrollIntoView()")
    expect(dial).not_to_be_in_viewport()
    page.locator("#model-answer").evaluate("part => part.scrollIntoView()")
    dial.click()
    page.clock.run_for(55_000)
    expect(dial).to_have_text("Stop · 2:05 left")
    last.evaluate("part => part.scrollIntoView()")
    expect(dial).to_be_in_viewport(ratio=1)


def test_heading_copies_its_link(browser: Browser, site_url: str) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(site_url + BITE)
    page.locator("#red-flags .copy-link").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Link copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"{site_url}{BITE}#red-flags"
    context.close()


def test_questions_and_follow_ups_have_links_of_their_own(browser: Browser, site_url: str) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"], reduced_motion="reduce")
    page = context.new_page()
    page.goto(site_url + BITE)
    page.locator("quiz-card .copy-link").nth(1).press("Enter")
    question = str(page.evaluate("navigator.clipboard.readText()"))
    assert re.fullmatch(re.escape(f"{site_url}{BITE}") + r"#q-[a-z0-9-]+", question)
    page.locator(".follow-up summary").nth(1).click()
    page.locator(".follow-up .copy-link").nth(1).press("Enter")
    follow_up = str(page.evaluate("navigator.clipboard.readText()"))
    assert "#follow-up-" in follow_up

    for link, part in ((question, page.locator("quiz-card").nth(1)), (follow_up, page.locator(".follow-up").nth(1))):
        page.goto("about:blank")
        page.goto(link)
        expect(part).to_be_in_viewport()
    expect(page.locator(".follow-up").nth(1)).to_have_attribute("open", "")
    expect(page.locator(".follow-up").first).not_to_have_attribute("open", "")
    context.close()


def test_a_link_to_a_follow_up_that_was_reworded_leads_to_the_follow_ups(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}{BITE}#follow-up-as-it-was-asked-before")
    expect(page.locator("#follow-ups h2")).to_be_in_viewport()


@pytest.mark.parametrize("anchor", ["explainer", "model-answer", "what-it-tests", "red-flags", "footgun", "follow-ups", "quiz", "sources"])
def test_every_part_has_its_fixed_anchor(page: Page, site_url: str, anchor: str) -> None:
    page.goto(f"{site_url}{BITE}#{anchor}")
    expect(page.locator(f"#{anchor}")).to_be_in_viewport()


def test_filters_are_kept_in_the_address(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(f"{site_url}s/")
    everything = page.locator(".bite-card:visible").count()
    page.get_by_label("Level").select_option("beginner")
    expect(page).to_have_url(re.compile("level=beginner"))
    beginners = page.locator(".bite-card:visible").count()
    assert 0 < beginners < everything
    page.get_by_label("Can be run").check()
    page.reload()
    expect(page.get_by_label("Level")).to_have_value("beginner")
    expect(page.get_by_label("Can be run")).to_be_checked()
    for card in page.locator(".bite-card:visible").all():
        assert card.get_attribute("data-level") == "beginner"
        assert card.get_attribute("data-run")


def test_filters_are_cleared_at_once(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}s/edge/?level=beginner&kind=story")
    everything = page.locator(".bite-card").count()
    expect(page.get_by_text("No bite fits all of these.")).to_be_visible()
    page.get_by_role("button", name="Clear the filters").click()
    expect(page.locator(".bite-card:visible")).to_have_count(everything)
    expect(page).to_have_url(f"{site_url}s/edge/")
    expect(page.get_by_label("Level")).to_be_focused()
    clear = page.get_by_role("button", name="Clear", exact=True)
    expect(clear).to_be_hidden()
    page.get_by_label("Kind").select_option("question")
    clear.click()
    expect(page.get_by_label("Kind")).to_have_value("")
    expect(page).to_have_url(f"{site_url}s/edge/")


def test_a_filter_that_is_none_filters_nothing(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}s/?level=<script>alert(1)</script>&role=nobody")
    expect(page.get_by_label("Level")).to_have_value("")
    assert page.locator(".bite-card:visible").count() == page.locator(".bite-card").count()


def test_navigation_swaps_the_page_and_back_returns(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(f"{site_url}s/")
    page.evaluate("window.stayed = true")
    page.locator(".bite-card a").first.click()
    expect(page).to_have_url(re.compile("/b/"))
    expect(page.locator("h1")).to_have_count(1)
    assert page.evaluate("window.stayed"), "the page was loaded anew"
    assert page.evaluate("document.activeElement.localName") == "main"
    page.go_back()
    expect(page).to_have_url(f"{site_url}s/")
    expect(page.locator(".bite-card").first).to_be_visible()
    assert page.evaluate("window.stayed")


def test_the_frame_around_a_navigated_page_still_leads_home(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(f"{site_url}s/")
    page.locator(".bite-card a").first.click()
    expect(page).to_have_url(re.compile("/b/"))
    page.locator(".site-head .brand").click()
    expect(page).to_have_url(site_url)
    page.locator(".site-foot").get_by_role("link", name="Facts").click()
    expect(page).to_have_url(f"{site_url}facts/")


def test_navigated_page_is_alive(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(f"{site_url}s/")
    page.locator('.bite-card a[href*="coalescing"]').first.click()
    expect(page).to_have_url(f"{site_url}{BITE}")
    card = page.locator("quiz-card").first
    card.scroll_into_view_if_needed()
    expect(card.get_by_role("button", name="Check")).to_be_visible()


def test_search_loads_on_demand_and_finds(page: Page, site_url: str, witness: Witness) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(site_url, wait_until="networkidle")
    assert not [url for url in requests if "search.json" in url], "the index came with the page"
    page.keyboard.press("/")
    box = page.get_by_role("combobox", name="Search")
    expect(box).to_be_focused()
    box.press_sequentially("bank confl")
    first = page.locator(".search-results li").first
    expect(first).to_have_attribute("data-slug", "bank-conflicts")
    page.keyboard.press("ArrowDown")
    expect(first.get_by_role("option")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{site_url}b/bank-conflicts/")
    expect(page.locator("dialog.search")).not_to_be_visible()


@pytest.mark.parametrize(
    ("query", "slug"),
    [("coalesing", "coalescing"), ("flashatention", "flash-attention"), ("readiness", "health-checks"), ("nvswitch", "nvlink-nvswitch")],
)
def test_search_forgives_a_typo(page: Page, site_url: str, query: str, slug: str) -> None:
    page.goto(site_url)
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Search").fill(query)
    expect(page.locator(".search-results li").first).to_have_attribute("data-slug", slug)


def test_search_narrows_and_says_when_nothing_fits(page: Page, site_url: str) -> None:
    page.goto(site_url)
    page.keyboard.press("/")
    page.get_by_role("combobox", name="Search").fill("memory")
    # Comes with the rest, once typing rests.
    expect(page.get_by_role("group", name="Terms, facts and more")).to_be_visible()
    everything = page.locator(".search-results li").count()
    page.locator("dialog.search").get_by_label("Section").select_option("mem")
    expect(page.locator(".search-results li")).not_to_have_count(everything)
    assert 0 < page.locator(".search-results li").count() < everything
    page.get_by_role("combobox", name="Search").fill("<zzqqx onxyq> qqzzx")
    expect(page.locator("dialog.search").get_by_role("status")).to_contain_text("Nothing fits")


def test_unknown_address_helps(page: Page, site_url: str) -> None:
    response = page.goto(f"{site_url}b/no-such-bite/at/all/")
    assert response and response.status == 404
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.get_by_role("button", name="Search").first.click()
    expect(page.get_by_role("combobox", name="Search")).to_be_focused()
    page.get_by_role("combobox", name="Search").fill("roofline")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{site_url}b/roofline/")


def test_everything_reads_without_javascript(browser: Browser, site_url: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site_url + BITE)
    for anchor in ["explainer", "what-it-tests", "red-flags", "footgun", "follow-ups", "quiz"]:
        expect(page.locator(f"#{anchor} h2")).to_be_visible()
    page.get_by_text("Reveal the model answer").click()
    expect(page.locator("#model-answer p").first).to_be_visible()
    answers = page.locator("quiz-card details.quiz-answers").first
    answers.locator("summary").click()
    expect(answers.locator("li").first).to_be_visible()
    # Nothing that needs JavaScript pretends to work without it.
    for button in page.locator("button:visible").all():
        assert button.get_attribute("popovertarget"), button.evaluate("element => element.outerHTML")
    context.close()


def test_paper_holds_the_model_answer(page: Page, site_url: str) -> None:
    """Animations are on, as in a reader's browser: a card that begins to turn must not be printed blank."""
    page.emulate_media(reduced_motion="no-preference")
    page.goto(site_url + BITE)
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print", reduced_motion="no-preference")
    opacity = page.locator("#model-answer details").evaluate("fold => getComputedStyle(fold, '::details-content').opacity")
    assert opacity == "1"


def test_printing_opens_the_answers(page: Page, site_url: str) -> None:
    page.goto(site_url + BITE)
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    expect(page.locator("#model-answer p").first).to_be_visible()
    for selector in ["header.site-head", ".bottom-bar", ".outline", ".site-foot nav"]:
        for element in page.locator(selector).all():
            expect(element).not_to_be_visible()
    page.emulate_media(media="screen")
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    expect(page.locator("#model-answer details")).not_to_have_attribute("open", "")


@pytest.mark.parametrize("path", ["", "s/", BITE, "notebooks/roofline/"])
def test_first_view_keeps_to_the_budget(page: Page, site_url: str, path: str) -> None:
    """Ten requests, and nothing of Python, editor or search before it is asked for. Bytes are counted by tests/site."""
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url.removeprefix(site_url)))
    page.goto(site_url + path, wait_until="networkidle")
    assert len(requests) <= 10, "\n".join(requests)
    assert not [url for url in requests if "python" in url or url == "search.json"], requests


def test_storage_blocked_still_reads_and_searches(browser: Browser, site_url: str) -> None:
    context = browser.new_context()
    context.add_init_script(
        """for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
            Object.defineProperty(window, name, {get() { throw new DOMException('blocked', 'SecurityError') }})"""
    )
    witness = Witness(site_url)
    witness.watch(context)
    page = context.new_page()
    page.goto(site_url + BITE, wait_until="networkidle")
    page.get_by_text("Reveal the model answer").click()
    page.locator("[data-theme-toggle]").click()
    page.keyboard.press("/")
    page.get_by_role("combobox", name="Search").fill("roofline")
    expect(page.locator(".search-results li").first).to_have_attribute("data-slug", "roofline")
    assert witness.errors == []
    context.close()


def test_theme_toggle_is_remembered(page: Page, site_url: str) -> None:
    page.goto(site_url)
    toggle = page.locator("[data-theme-toggle]")
    toggle.click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_steps_are_put_in_order_by_keyboard(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(f"{site_url}b/raster-pipeline/")
    question = page.locator("#q-raster-pipeline-stages")
    question.scroll_into_view_if_needed()
    expect(question.get_by_role("button", name="Check")).to_be_visible()
    question.locator(".quiz-steps li").nth(1).get_by_role("button", name="Up").focus()
    page.keyboard.press("Enter")
    expect(question.get_by_role("status")).to_have_text("Now 1 of 6.")
    expect(question.locator(".quiz-steps li").first.get_by_role("button", name="Up")).to_be_focused()
    put_in_order(question)
    question.get_by_role("button", name="Check").click()
    expect(question.get_by_role("status")).to_have_text("Right.")
    expect(question.locator(".quiz-steps .quiz-why")).to_have_count(6)


def test_the_red_flag_is_found_and_every_sentence_explained(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(f"{site_url}b/cpu-vs-gpu/")
    question = page.locator("#q-cpu-vs-gpu-flag")
    question.scroll_into_view_if_needed()
    expect(question.get_by_role("button", name="Check")).to_be_visible()
    question.get_by_role("radio").nth(1).check()
    question.get_by_role("button", name="Check").click()
    expect(question.get_by_role("status")).to_have_text("Right.")
    expect(question.locator("fieldset .quiz-why strong")).to_have_text(["Fine: ", "Red flag: ", "Fine: ", "Fine: "])
