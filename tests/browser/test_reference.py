"""Where a number comes from, what a word means, what builds on what: by mouse, keyboard and touch, and without JavaScript."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from test_pages import SETTINGS, axe_violations
from witness import PHONE, Witness

READ = "b/warps-and-simt/"
NOTE = ".reference-note"


def first_fact(page: Page) -> str:
    """The id of the first number of the explainer."""
    return str(page.locator("#explainer a.fact").first.get_attribute("href")).split("#")[1]


def derived(site: Path) -> tuple[str, str, dict[str, Any]]:
    """A page that shows a computed number, its id, and its entry."""
    facts = json.loads((site / "facts.json").read_text())["facts"]
    for path in sorted(site.glob("b/*/index.html")):
        for found in re.finditer(r'class="fact" href="[^"]*#([^"]+)"', path.read_text()):
            if "formula" in facts[found[1]]:
                return f"b/{path.parent.name}/", found[1], facts[found[1]]
    raise AssertionError("no bite shows a computed number")


def test_pointing_at_a_number_says_where_it_comes_from(page: Page, site_url: str, site: Path, witness: Witness) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(site_url + READ, wait_until="networkidle")
    assert not [url for url in asked if "facts.json" in url], "the facts came with the page"
    fact = json.loads((site / "facts.json").read_text())["facts"][first_fact(page)]
    link = page.locator("#explainer a.fact").first
    link.hover()
    note = page.locator(NOTE)
    expect(note).to_be_visible()
    expect(note).to_contain_text(fact["text"])
    expect(note).to_contain_text(fact["what"])
    expect(note).to_contain_text(" · ".join(fact["conditions"]))
    expect(note).to_contain_text(f"read on {fact['seen']}")
    expect(note.get_by_role("link", name=fact["source"][0])).to_have_attribute("href", fact["source"][1])
    assert link.get_attribute("aria-describedby") == note.get_attribute("id")
    # The pointer may go into the note, and closes it by going elsewhere.
    note.hover()
    page.wait_for_timeout(400)
    expect(note).to_be_visible()
    page.locator("h1").hover()
    expect(note).to_have_count(0)
    expect(link).not_to_have_attribute("aria-describedby", "reference-note")
    link.hover()
    expect(note).to_be_visible()
    assert len([url for url in asked if "facts.json" in url]) == 1, "the facts are fetched once"


def test_pointing_at_a_term_says_what_it_means_and_where_it_is_explained(page: Page, site_url: str, site: Path, witness: Witness) -> None:
    terms = json.loads((site / "terms.json").read_text())["terms"]
    page.goto(site_url + "b/occupancy/", wait_until="networkidle")
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true })")
    link = page.locator("a.term").first
    term = terms[str(link.get_attribute("href")).split("#")[1]]
    link.hover()
    note = page.get_by_role("note", name=f"What {link.inner_text()} means")
    expect(note).to_contain_text(term["means"])
    expect(note).to_contain_text(f"Explained in: {term['bite'][0]}")
    for word in term["says"].values():
        expect(note).to_contain_text(word)
    note.get_by_role("link", name="All terms").click()
    page.wait_for_url("**/terms/#*")


def test_a_passing_pointer_opens_nothing(page: Page, site_url: str) -> None:
    page.goto(site_url + READ)
    link = page.locator("#explainer a.fact").first
    # Once, so that all it takes is there.
    link.hover()
    expect(page.locator(NOTE)).to_be_visible()
    page.locator("h1").hover()
    expect(page.locator(NOTE)).to_have_count(0)
    opened = page.evaluate_handle(
        "() => { const seen = []; new MutationObserver(() => seen.push(document.querySelectorAll('.reference-note').length))"
        ".observe(document.body, { childList: true, subtree: true }); return seen; }"
    )
    box = link.bounding_box()
    assert box
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.move(5, 5)
    page.wait_for_timeout(500)
    assert not any(opened.json_value())


def test_a_computed_number_shows_its_formula_and_what_went_in(page: Page, site_url: str, site: Path) -> None:
    where, fact_id, fact = derived(site)
    page.goto(site_url + where)
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true })")
    page.locator(f"a.fact[href$='#{fact_id}']").first.hover()
    note = page.locator(NOTE)
    expect(note.locator("code")).to_have_text(fact["formula"])
    for name, text in fact["inputs"]:
        expect(note).to_contain_text(f"{name} = {text}")


def test_the_keyboard_opens_a_note_goes_into_it_and_escapes(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(site_url + READ)
    link = page.locator("#explainer a.fact").first
    # Focus as the Tab key gives it, from the heading's link before.
    page.locator("#explainer .copy-link").focus()
    page.keyboard.press("Tab")
    while not link.evaluate("link => link === document.activeElement"):
        page.keyboard.press("Tab")
    note = page.locator(NOTE)
    expect(note).to_be_visible()
    page.keyboard.press("Tab")
    expect(note.get_by_role("link").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(note).to_have_count(0)
    expect(link).to_be_focused()
    page.wait_for_timeout(300)
    expect(note).to_have_count(0)
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(note).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url("**/facts/#*")


def test_the_first_tap_opens_the_note_and_its_link_leads_on(phone: Page, site_url: str) -> None:
    phone.goto(site_url + READ, wait_until="networkidle")
    link = phone.locator("#explainer a.fact").first
    fact_id = first_fact(phone)
    link.tap()
    note = phone.locator(NOTE)
    expect(note).to_be_visible()
    assert phone.url.endswith(READ)
    box = note.bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"], box
    phone.locator("h1").tap()
    expect(note).to_have_count(0)
    link.tap()
    note.get_by_role("link", name="All facts").tap()
    phone.wait_for_url(f"**/facts/#{fact_id}")
    expect(phone.locator(NOTE)).to_have_count(0)


def test_a_second_tap_follows_the_number(phone: Page, site_url: str) -> None:
    phone.goto(site_url + READ, wait_until="networkidle")
    link = phone.locator("#explainer a.fact").first
    link.tap()
    expect(phone.locator(NOTE)).to_be_visible()
    link.tap()
    phone.wait_for_url("**/facts/#*")


def test_without_the_facts_a_tap_follows_the_number(browser: Browser, site_url: str) -> None:
    # A service worker would fetch them past the route.
    context = browser.new_context(viewport=PHONE, has_touch=True, service_workers="block")
    page = context.new_page()
    page.route("**/facts.json", lambda route: route.abort())
    page.goto(site_url + READ, wait_until="networkidle")
    page.locator("#explainer a.fact").first.tap()
    page.wait_for_url("**/facts/#*")
    context.close()


@pytest.mark.parametrize("setting", SETTINGS)
def test_an_open_note_is_clean(browser: Browser, site_url: str, site: Path, setting: str) -> None:
    context = browser.new_context(reduced_motion="reduce", **SETTINGS[setting])  # type: ignore[arg-type]
    page = context.new_page()
    where, fact_id, _ = derived(site)
    page.goto(site_url + where)
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true })")
    page.locator(f"a.fact[href$='#{fact_id}']").first.hover()
    expect(page.locator(NOTE)).to_be_visible()
    assert axe_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    context.close()


def test_the_lens_translates_and_is_remembered_at_the_same_address(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(f"{site_url}terms/#warp")
    said = page.locator("#warp .term-said")
    expect(said.locator("visible=true")).to_have_count(0)
    page.get_by_role("button", name="AMD").click()
    expect(said.locator("visible=true")).to_have_text("AMD: wavefront")
    assert page.url == f"{site_url}terms/#warp"
    page.reload()
    expect(page.get_by_role("button", name="AMD")).to_have_attribute("aria-pressed", "true")
    expect(said.locator("visible=true")).to_have_text("AMD: wavefront")
    page.get_by_role("button", name="WebGPU").click()
    expect(said.locator("visible=true")).to_have_text("WebGPU: subgroup")
    page.get_by_role("button", name="WebGPU").click()
    expect(said.locator("visible=true")).to_have_count(0)


def test_the_lens_works_where_storage_is_blocked(page: Page, site_url: str, witness: Witness) -> None:
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('blocked'); } })")
    page.goto(site_url + "terms/")
    page.get_by_role("button", name="WebGPU").click()
    expect(page.locator("#shared-memory .term-said").locator("visible=true")).to_have_text("WebGPU: workgroup memory")


def test_the_map_lights_what_a_bite_rests_on_and_leads_to(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(site_url + "map/")
    expect(page.locator(".filter-count")).to_contain_text("bites")
    page.locator("a.map-node[data-slug=coalescing]").focus()
    before = page.locator(".map-node.is-before").evaluate_all("nodes => nodes.map((node) => node.dataset.slug).sort()")
    assert before == ["cpu-vs-gpu", "memory-hierarchy", "streaming-multiprocessor", "warps-and-simt"]
    after = page.locator(".map-node.is-after").evaluate_all("nodes => nodes.map((node) => node.dataset.slug)")
    assert "shared-memory-tiling" in after
    assert not set(after) & set(before)
    page.keyboard.press("Enter")
    page.wait_for_url("**/b/coalescing/")


def test_the_map_narrows_picture_and_list_alike(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(site_url + "map/")
    expect(page.locator(".filter-count")).to_contain_text("bites")
    page.get_by_label("Section").select_option("gfx")
    shown = page.locator(".map-node").locator("visible=true").count()
    assert 0 < shown == page.locator(".map-list li").locator("visible=true").count()
    expect(page.locator(".filter-count")).to_have_text(f"{shown} bites")
    page.get_by_label("Role").select_option("edge")
    assert 0 < page.locator(".map-list li").locator("visible=true").count() < shown
    page.get_by_label("Role").select_option("training")
    expect(page.get_by_text("No bite fits both")).to_be_visible()


def test_all_of_it_reads_without_javascript(browser: Browser, site_url: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site_url + "terms/")
    row = page.locator(".vocabularies tr:has(a[href$='#warp'])")
    expect(row).to_contain_text("warp")
    expect(row).to_contain_text("subgroup")
    expect(page.locator("#warp dd")).to_be_visible()
    expect(page.get_by_role("button", name="AMD")).to_be_hidden()
    page.goto(site_url + "map/")
    expect(page.locator(".map-list li", has_text="Builds on").first).to_be_visible()
    page.goto(site_url + READ)
    page.locator("#explainer a.fact").first.click()
    page.wait_for_url("**/facts/#*")
    context.close()


def test_facts_are_narrowed_by_words_and_the_one_that_was_asked_for_is_marked(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}facts/")
    everything = page.locator(".fact-row").count()
    page.get_by_role("searchbox", name="Words of a fact").fill("h100 sxm bandwidth")
    expect(page.locator(".filter-count")).to_have_text(re.compile(r"^\d+ facts$"))
    shown = page.locator(".fact-row:visible")
    assert 0 < shown.count() < everything
    assert "bandwidth" in shown.first.inner_text().lower()
    page.get_by_role("searchbox").fill("h100 no-such-word")
    expect(page.get_by_text("No fact has all of these words")).to_be_visible()
    expect(page.locator("h2:visible")).to_have_count(1)  # "Read it offline", at the foot
    page.get_by_role("searchbox").fill("")
    expect(page.locator(".fact-row:visible")).to_have_count(everything)

    page.goto(f"{site_url}b/coalescing/")
    link = page.locator("#explainer a.fact").first
    fact = str(link.get_attribute("href")).partition("#")[2]
    link.evaluate("link => link.click()")
    page.wait_for_url(f"**/facts/#{fact}")
    expect(page.locator(".fact-row:target")).to_have_attribute("id", fact)
    expect(page.locator(f"#{fact}")).to_be_in_viewport()
