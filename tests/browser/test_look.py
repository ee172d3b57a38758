"""The look, where it is behavior: themes, widths, thumbs, the outline, paper, and what is left without JavaScript."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

WIDTHS = (320, 390, 768, 1280, 1920)
BITE = "b/coalescing/"
PAGES = ("", "s/", "s/mem/", BITE, "b/webgl-textures/", "b/kernel-project/", "facts/", "study/", "404.html")
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}

# What sticks out of the page, tables and code aside: those scroll in their own box.
STICKS_OUT = """() => [...document.querySelectorAll("body *")].filter((element) =>
    !element.closest("pre, table, .visually-hidden") && element.checkVisibility()
    && element.getBoundingClientRect().right > document.documentElement.clientWidth + 1
  ).map((element) => `${element.localName}.${element.className}`)"""


def background(page: Page) -> str:
    return str(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))


def theme(page: Page) -> str | None:
    return page.locator("html").get_attribute("data-theme")


@pytest.mark.parametrize("system, other", [("dark", "light"), ("light", "dark")])
def test_the_toggle_goes_from_the_system_to_the_other_colors_and_round(page: Page, site_url: str, system: Any, other: str) -> None:
    page.emulate_media(color_scheme=system)
    page.goto(site_url)
    toggle, before = page.locator("[data-theme-toggle]"), background(page)
    expect(toggle).to_have_accessible_name("Colors: as the system")
    toggle.click()
    expect(toggle).to_have_accessible_name(f"Colors: {other}")
    assert background(page) != before, "the first press shows"
    toggle.click()
    expect(toggle).to_have_accessible_name(f"Colors: {system}")
    assert background(page) == before
    toggle.click()
    assert theme(page) is None


def test_the_chosen_theme_is_there_before_any_other_script(page: Page, site_url: str) -> None:
    page.goto(site_url)
    page.locator("[data-theme-toggle]").click(click_count=1)
    page.route("**/assets/app-*.js", lambda route: route.abort())
    page.goto(site_url + BITE)
    assert theme(page) == "dark"


def test_blocked_storage_costs_only_the_memory_of_the_choice(page: Page, site_url: str) -> None:
    page.add_init_script('Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } });')
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(site_url)
    page.locator("[data-theme-toggle]").click()
    assert theme(page) == "dark"
    assert problems == []


@pytest.mark.parametrize("path", PAGES)
def test_nothing_sticks_out_at_any_width(page: Page, site_url: str, path: str) -> None:
    page.goto(site_url + path)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(STICKS_OUT) == [], f"at {width} px"


# Two parts of the site that share a class would show here: a link in a sentence must not take over the row of a list.
LEAVES_ITS_LINE = """() => [...document.querySelectorAll("main p > :is(a:not(.button), abbr, code, em, strong)")].filter((element) => {
    if (!element.checkVisibility()) return false;
    const style = getComputedStyle(element);
    return !style.display.startsWith("inline") || parseFloat(style.borderBottomWidth) > 0;
  }).map((element) => `${element.localName}.${element.className} ${element.textContent}`)"""


@pytest.mark.parametrize("path", (BITE, "b/kernel-project/", "terms/", "facts/", "notebooks/roofline/"))
def test_what_stands_in_a_sentence_stays_in_its_line(page: Page, site_url: str, path: str) -> None:
    page.goto(site_url + path)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(LEAVES_ITS_LINE) == [], f"at {width} px"
    page.emulate_media(media="print")
    assert page.evaluate(LEAVES_ITS_LINE) == [], "on paper"


def test_the_bottom_bar_never_covers_the_end_of_a_page(page: Page, site_url: str) -> None:
    page.set_viewport_size(PHONE)
    page.goto(site_url + BITE)
    foot, bar = page.locator(".site-foot"), page.locator(".bottom-bar")
    # The footer grows when it is seen and the sizes of what can be kept arrive.
    foot.scroll_into_view_if_needed()
    expect(page.locator("keep-offline button").first).to_be_attached()
    page.wait_for_load_state("networkidle")
    for _ in range(50):
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        end, edge = foot.bounding_box(), bar.bounding_box()
        assert end and edge
        if end["y"] + end["height"] <= edge["y"] + 1:
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"the bar at {edge['y']} covers the foot, which ends at {end['y'] + end['height']}")


def test_the_bottom_bar_makes_room_for_a_keyboard(page: Page, site_url: str) -> None:
    page.set_viewport_size(PHONE)
    page.goto(site_url + BITE)
    page.locator("quiz-card input[inputmode=decimal]").first.focus()
    expect(page.locator(".bottom-bar")).to_be_hidden()
    expect(page.locator(".parts-open")).to_be_hidden()


def test_what_a_thumb_presses_is_at_least_forty_pixels_high(page: Page, site_url: str) -> None:
    page.set_viewport_size(PHONE)
    page.goto(site_url + BITE)
    # The buttons of elements come with their chunk, as each element nears the screen.
    buttons = {"bite-timer": ".dial", "sim-lab": ".button", "py-snippet": ".frame-controls .button", "quiz-card": ".quiz-check"}
    for element, button in buttons.items():
        page.locator(element).first.scroll_into_view_if_needed()
        expect(page.locator(element).first.locator(button).first).to_be_visible()
    small = page.evaluate(
        """() => [...document.querySelectorAll(".button, .dial, select, summary, .choice, .bar-item, .parts-open, .theme-toggle")]
          .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 40)
          .map((element) => element.outerHTML.slice(0, 80))"""
    )
    assert small == []


def test_on_a_phone_a_sheet_leads_to_a_part_and_closes(page: Page, site_url: str) -> None:
    page.set_viewport_size(PHONE)
    page.goto(site_url + BITE)
    sheet = page.locator("#parts")
    expect(sheet).to_be_hidden()
    page.get_by_role("button", name="Parts").click()
    sheet.get_by_role("link", name="Red flags").click()
    expect(sheet).to_be_hidden()
    expect(page.locator("#red-flags h2")).to_be_in_viewport()


def test_on_a_wide_screen_the_outline_follows(page: Page, site_url: str) -> None:
    page.set_viewport_size(DESKTOP)
    page.goto(site_url + BITE)
    color = "link => getComputedStyle(link).color"
    link = page.locator('#parts [href="#footgun"]')
    expect(link).to_be_visible()
    resting = link.evaluate(color)
    page.locator("#footgun").evaluate("part => part.scrollIntoView()")
    expect(link).not_to_have_css("color", resting)
    others = page.locator('#parts a:not([href="#footgun"])')
    assert {others.nth(index).evaluate(color) for index in range(others.count())} == {resting}


def test_code_is_wider_than_prose_but_leaves_the_outline_alone(page: Page, site_url: str) -> None:
    for width in (1024, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(site_url + BITE)
        prose, outline = page.locator("#try-it > p").first.bounding_box(), page.locator("#parts").bounding_box()
        assert prose and outline
        for wide in (".frame-python", ".frame-cuda", "#footgun"):
            box = page.locator(wide).first.bounding_box()
            assert box and box["width"] > prose["width"], f"{wide} at {width} px"
            assert box["x"] + box["width"] < outline["x"], f"{wide} at {width} px"


# Blocks that hold more than they show.
SCROLLS = """(which) => [...document.querySelectorAll(which)].filter((block) => block.scrollWidth > block.clientWidth + 1)
    .map((block) => block.getAttribute("aria-label"))"""


@pytest.mark.parametrize("slug", ["coalescing", "bank-conflicts", "roofline"])
def test_neither_code_on_a_desktop_nor_an_output_on_a_phone_has_to_be_scrolled(page: Page, site_url: str, slug: str) -> None:
    page.set_viewport_size(DESKTOP)
    page.goto(f"{site_url}b/{slug}/")
    assert page.evaluate(SCROLLS, "pre:not(.frame-whole pre), .table-scroll") == []
    page.set_viewport_size(PHONE)
    # A CUDA program may print wider lines than a phone shows.
    assert page.evaluate(SCROLLS, ".frame-output:not(.frame-cuda .frame-output)") == []


def test_the_outline_comes_before_the_bite_for_the_keyboard(page: Page, site_url: str) -> None:
    page.set_viewport_size(DESKTOP)
    page.goto(site_url + BITE)
    page.locator("#content").focus()
    page.keyboard.press("Tab")
    expect(page.locator("#parts a").first).to_be_focused()


AFTER = "link => getComputedStyle(link, '::after').content"


def test_on_paper_answers_are_open_sources_written_out_and_menus_gone(page: Page, site_url: str) -> None:
    page.emulate_media(media="print", color_scheme="dark")
    page.goto(site_url + BITE)
    for opened in ("details.answer p", ".follow-up p", ".quiz-answers p"):
        expect(page.locator(opened).first).to_be_visible()
    for gone in (".site-head", ".site-foot", ".bottom-bar", ".outline", ".copy-link", ".frame-controls", ".quiz-bar"):
        assert page.locator(f"{gone}:visible").count() == 0, gone
    assert background(page) == "rgb(255, 255, 255)"
    assert "https://" in page.locator(".sources a").first.evaluate(AFTER)
    assert page.locator("#explainer p a").first.evaluate(AFTER) == "none", "an address in a sentence is in the way"
    assert page.locator(".frame-source pre").first.evaluate("code => getComputedStyle(code).whiteSpace") == "pre-wrap"
    assert page.locator(".level").first.evaluate("level => getComputedStyle(level, '::before').printColorAdjust") == "exact"


@pytest.mark.parametrize("javascript", [True, False])
def test_on_paper_the_answers_come_after_the_last_question_under_their_letters(browser: Browser, site_url: str, javascript: bool) -> None:
    page = browser.new_page(java_script_enabled=javascript)
    page.emulate_media(media="print")
    page.goto(site_url + BITE)
    edges = "(boxes, edge) => boxes.map((box) => box.getBoundingClientRect()[edge])"
    questions = page.locator("quiz-card fieldset").evaluate_all(edges, "bottom")
    answers = page.locator("quiz-card .quiz-answers").evaluate_all(edges, "top")
    assert len(answers) == len(questions) >= 3
    assert min(answers) > max(questions)
    assert page.locator(".choice input:visible").count() == 0
    assert "upper-alpha" in page.locator(".choice").first.evaluate("choice => getComputedStyle(choice, '::before').content")
    assert page.locator(".quiz-answers ol").first.evaluate("list => getComputedStyle(list).listStyleType") == "upper-alpha"
    page.close()


def test_without_javascript_no_button_is_dead_and_every_answer_can_be_read(browser: Browser, site_url: str) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(site_url + BITE)
    assert page.locator("button:visible").all_inner_texts() in ([], ["Parts"])
    page.get_by_text("Reveal the model answer").click()
    expect(page.locator("details.answer p").first).to_be_visible()
    page.goto(site_url + "s/")
    expect(page.locator("bite-filter form")).to_be_hidden()
    expect(page.locator(".bite-card").first).to_be_visible()
    page.close()


def test_the_first_tab_stop_leads_past_the_header(page: Page, site_url: str) -> None:
    page.goto(site_url + BITE)
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    box = skip.bounding_box()
    assert box and box["width"] > 100 and box["y"] >= 0
    page.keyboard.press("Enter")
    expect(page.locator("#content")).to_be_focused()
