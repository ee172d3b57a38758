"""Searching in a real browser: the box and the page, by keyboard, for a screen reader, on a phone, after a deploy, without a server."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from deploys import KEEP, changed_site
from server import SiteServer
from test_pages import axe_violations
from witness import PHONE, Witness

BITE = "b/coalescing/"
MESSAGE = 'docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].'


def field(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Search the bites")


def results(page: Page) -> Locator:
    return page.locator(".search-results [data-rank]")


def others(page: Page) -> Locator:
    """What comes after the first bites, once typing rests; then the list is whole."""
    return page.get_by_role("group", name="Terms, facts and more")


def ask(page: Page, query: str) -> None:
    page.keyboard.press("/")
    field(page).fill(query)
    results(page).first.wait_for()


def test_a_result_says_what_it_is_and_why(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(site_url + BITE)
    ask(page, "bank conflicts")
    first = results(page).first
    expect(first).to_have_attribute("data-slug", "bank-conflicts")
    expect(first.locator("strong mark").first).to_have_text("bank")
    expect(first.locator(".search-about")).to_contain_text("Memory")
    expect(first.locator(".search-line")).to_have_text("Shared memory is split into 32 banks.")
    expect(others(page)).to_be_visible()
    expect(results(page).last).to_have_attribute("data-rank", str(results(page).count()))
    assert [item.get_attribute("data-rank") for item in results(page).all()] == [str(rank + 1) for rank in range(results(page).count())]
    field(page).fill("padding tile 33")
    expect(first).to_have_attribute("data-slug", "bank-conflicts")
    expect(first.locator(".search-why")).to_contain_text("Known for")


def test_the_keyboard_walks_the_results_and_goes_round(page: Page, site_url: str) -> None:
    page.goto(site_url + BITE)
    ask(page, "memory")
    expect(others(page)).to_be_visible()
    options = page.locator(".search-results").get_by_role("option")
    page.keyboard.press("ArrowUp")
    expect(options.last).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    second = options.nth(1)
    expect(field(page)).to_have_attribute("aria-activedescendant", second.get_attribute("id") or "")
    expect(field(page)).to_be_focused()
    target = second.get_attribute("href") or ""
    page.keyboard.press("Enter")
    expect(page).to_have_url(target)
    expect(page.locator("dialog.search")).to_be_hidden()


def test_the_first_escape_clears_the_second_closes(page: Page, site_url: str) -> None:
    page.goto(site_url + BITE)
    ask(page, "warp")
    expect(field(page)).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Escape")
    expect(field(page)).to_have_value("")
    expect(field(page)).to_have_attribute("aria-expanded", "false")
    expect(page.locator("dialog.search")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog.search")).to_be_hidden()


def test_who_is_faster_than_the_index_gets_the_first_result(page: Page, site_url: str) -> None:
    page.goto(site_url + BITE)
    page.keyboard.press("Control+k")
    expect(field(page)).to_be_focused()
    page.evaluate(
        """() => {
            const input = document.querySelector(".search-input");
            input.value = "roofline";
            input.dispatchEvent(new Event("input"));
            input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", cancelable: true }));
        }"""
    )
    expect(page).to_have_url(f"{site_url}b/roofline/")


def test_a_screen_reader_hears_how_many_and_what(page: Page, site_url: str) -> None:
    page.goto(site_url + BITE)
    ask(page, "colescing")
    status = page.locator("dialog.search").get_by_role("status")
    expect(status).to_contain_text(re.compile(r"^\d+ bites?.* “colescing” taken as “coalescing”$"))
    expect(page.get_by_role("listbox", name="Results")).to_be_visible()
    expect(page.locator(".search-results").get_by_role("option").first).to_have_accessible_name(re.compile("Coalescing.*Memory.*beginner"))
    expect(others(page).get_by_role("option").first).to_be_visible()


def test_parts_facts_terms_rules_of_thumb_and_what_is_planned(page: Page, site_url: str) -> None:
    page.goto(site_url + BITE)
    ask(page, "flash attention red flags")
    part = page.locator("[data-kind=part]")
    expect(part.locator("strong")).to_contain_text("Red flags · FlashAttention")
    assert int(part.get_attribute("data-rank") or 0) > int(results(page).first.get_attribute("data-rank") or 0)
    field(page).fill("h100 sxm5 peak memory bandwidth")
    expect(page.locator("[data-kind=fact]").first).to_contain_text("H100")
    field(page).fill("kv cache")
    expect(page.locator("[data-kind=term]").first).to_contain_text("KV cache")
    field(page).fill("pipeline bubble")
    rule = page.locator("[data-kind=rule]")
    expect(rule).to_contain_text("Rule of thumb")
    expect(rule.locator("a")).to_have_attribute("href", f"{site_url}b/hybrid-parallelism/#model-answer")
    field(page).fill("roofline notebook")
    expect(page.locator("[data-kind=notebook]")).to_contain_text("Notebook")
    page.locator("[data-kind=notebook] a").click()
    expect(page).to_have_url(f"{site_url}notebooks/roofline/")


def test_a_planned_bite_leads_to_the_nearest(page: Page, site_url: str, site: Path) -> None:
    head = json.loads((site / "search.json").read_text())
    planned = [card for name in head["cards"]["planned"]["names"] for card in json.loads((site / "search" / f"{name}.json").read_text())]
    if not planned:
        pytest.skip("every planned bite is written")
    slug, title, [(nearest, _), *_] = planned[0]
    page.goto(site_url + BITE)
    ask(page, title)
    found = page.locator(f"[data-kind=planned][data-slug={slug}]")
    expect(found).to_contain_text("Not written yet")
    expect(found).to_contain_text("Nearest: ")
    expect(found.locator("a")).to_have_attribute("href", f"{site_url}b/{nearest}/")


def test_nothing_found_helps(page: Page, site_url: str) -> None:
    page.goto(site_url + BITE)
    ask(page, "ocupazy")
    expect(page.locator(".search-meant")).to_contain_text("Did you mean")
    page.locator(".search-meant button").first.click()
    expect(results(page).first).to_have_attribute("data-slug", "occupancy")
    field(page).fill("zzqqx")
    expect(page.locator("dialog.search").get_by_role("status")).to_contain_text("Nothing fits")
    expect(results(page)).to_have_count(3)
    field(page).fill("overdraw")
    expect(results(page).first).to_have_attribute("data-slug", "overdraw")
    page.locator("dialog.search").get_by_label("Section").select_option("mem")
    expect(page.locator("dialog.search").get_by_role("status")).to_have_text("No bite fits the filters. Without them:")


def test_a_search_can_be_linked_and_come_back_to(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(f"{site_url}search/?q=memory&section=mem")
    expect(results(page).first).to_be_visible()
    expect(page.get_by_label("Section")).to_have_value("mem")
    field(page).fill("bank")
    expect(results(page).first).to_have_attribute("data-slug", "bank-conflicts")
    expect(page).to_have_url(f"{site_url}search/?q=bank&section=mem")
    results(page).first.locator("a").click()
    expect(page).to_have_url(f"{site_url}b/bank-conflicts/")
    page.go_back()
    expect(field(page)).to_have_value("bank")
    expect(results(page).first).to_have_attribute("data-slug", "bank-conflicts")
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("/")
    expect(field(page)).to_be_focused()
    expect(page.locator("dialog.search")).to_have_count(0)


def test_a_browser_can_take_it_as_a_search_engine(page: Page, site_url: str) -> None:
    page.goto(site_url + BITE)
    link = page.locator('link[rel=search][type="application/opensearchdescription+xml"]')
    address = link.evaluate("(link) => link.href")
    assert page.request.get(address).ok
    assert "search/?q={searchTerms}" in page.request.get(address).text()


def test_recent_searches_stay_on_the_device_and_can_be_forgotten(page: Page, site_url: str) -> None:
    page.goto(site_url + BITE)
    ask(page, "occupancy")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{site_url}b/occupancy/")
    page.reload()
    page.keyboard.press("/")
    recent = page.get_by_role("listbox", name="Recent searches").get_by_role("option")
    expect(recent).to_have_text(["occupancy"])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(field(page)).to_have_value("occupancy")
    expect(results(page).first).to_have_attribute("data-slug", "occupancy")
    field(page).fill("")
    page.get_by_role("button", name="Forget recent searches").click()
    expect(recent).to_have_count(0)
    assert "occupancy" not in page.evaluate("JSON.stringify(localStorage)")


def test_on_a_phone_a_message_is_pasted(phone: Page, site_url: str) -> None:
    phone.goto(site_url + BITE)
    phone.locator(".bottom-bar [data-search]").tap()
    field(phone).fill(MESSAGE)
    first = results(phone).first
    expect(first).to_have_attribute("data-slug", "docker-gpu")
    box = first.bounding_box()
    assert box
    assert box["width"] <= PHONE["width"]
    assert box["height"] >= 44
    first.locator("a").tap()
    expect(phone).to_have_url(f"{site_url}b/docker-gpu/")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_box_and_page_are_clean(browser: Browser, site_url: str, scheme: str) -> None:
    context = browser.new_context(viewport=PHONE, color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{site_url}search/?q=flash+atention")
    results(page).first.wait_for()
    assert axe_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.goto(site_url + BITE)
    page.keyboard.press("/")
    field(page).fill("ocupazy")
    results(page).first.wait_for()
    assert axe_violations(page) == []
    context.close()


def test_nothing_is_fetched_before_it_is_asked_for(page: Page, site_url: str) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url.removeprefix(site_url)))
    page.goto(site_url + BITE, wait_until="networkidle")
    page.evaluate("() => new Promise((ready) => { const look = () => (window.gpubites ? ready() : setTimeout(look, 20)); look(); })")
    assert not [path for path in requests if path.startswith("search")]
    page.keyboard.press("/")
    field(page).wait_for()
    page.wait_for_load_state("networkidle")
    assert [path for path in requests if path.startswith("search")] == ["search.json"], "the head comes with the focus"
    field(page).press_sequentially("warp")
    results(page).first.wait_for()
    shards = [path for path in requests if path.startswith("search/")]
    assert 0 < len(shards) < 10, shards


def test_without_a_server_it_works_whole(browser: Browser, site: Path) -> None:
    with SiteServer(site) as server:
        context = browser.new_context()
        page = context.new_page()
        page.goto(server.url, wait_until="networkidle")
        page.evaluate(KEEP)
        server.kill()
        page.goto(f"{server.url}search/?q=padding+tile")
        expect(results(page).first).to_have_attribute("data-slug", "bank-conflicts")
        field(page).fill("oalescing")
        expect(results(page).first).to_have_attribute("data-slug", "coalescing")
        results(page).first.locator("a").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Coalescing")
        context.close()


def test_two_builds_are_never_mixed(browser: Browser, site: Path, tmp_path: Path) -> None:
    """A file of the index goes with a deploy while the box is open: all of the index is fetched anew."""
    head = json.loads((site / "search.json").read_text())
    name = [name for first, name in zip(head["from"].split(" "), head["words"], strict=True) if first <= "occupancy"][-1]
    renamed = {**head, "words": ["00000000" if other == name else other for other in head["words"]]}
    later = changed_site(tmp_path / "later", {"search.json": lambda _: json.dumps(renamed).encode()}, site)
    (later / "search" / "00000000.json").write_bytes((later / "search" / f"{name}.json").read_bytes())
    (later / "search" / f"{name}.json").unlink()
    with SiteServer(site) as server:
        context = browser.new_context(service_workers="block")
        page = context.new_page()
        page.goto(server.url + BITE)
        ask(page, "warp")
        server.deploy(later)
        server.forget_requests()
        field(page).fill("occupancy")
        expect(results(page).first).to_have_attribute("data-slug", "occupancy")
        asked = server.requests()
        assert asked.index(f"GET search/{name}.json") < asked.index("GET search.json") < asked.index("GET search/00000000.json")
        context.close()


def test_first_results_and_the_rest_are_of_one_build(browser: Browser, site: Path, tmp_path: Path) -> None:
    """A deploy comes while typing rests: not one title of the build that is gone is left, and the next query is of the new one."""
    later = renamed_index(changed_site(tmp_path / "later", {}, site))
    with SiteServer(site) as server:
        context = browser.new_context(service_workers="block")
        page = context.new_page()
        page.clock.install()
        page.goto(server.url + BITE)
        page.keyboard.press("/")
        expect(page.get_by_label("Section").locator("option").nth(1)).to_be_attached()
        # The rest waits for a timer: it goes off when the test says so.
        page.clock.pause_at(page.evaluate("Date.now() + 1000"))
        field(page).fill("memory")
        expect(results(page)).to_have_count(3)
        expect(page.locator(".search-results strong", has_text="(new)")).to_have_count(0)
        server.deploy(later)
        page.clock.run_for(1000)
        expect(others(page)).to_be_visible()
        titles = page.locator("[data-kind=bite] strong").all_inner_texts()
        assert len(titles) > 3
        assert all(title.endswith("(new)") for title in titles), titles
        field(page).fill("occupancy")
        expect(results(page).first.locator("strong")).to_contain_text("Occupancy")
        expect(results(page).first.locator("strong")).to_contain_text("(new)")
        context.close()


def renamed_index(site: Path) -> Path:
    """The index of a later build: every file has another name, every bite another title."""
    text = (site / "search.json").read_text()
    bites = json.loads(text)["cards"]["bite"]["names"]
    for file in list((site / "search").glob("*.json")):
        content = json.loads(file.read_text())
        if file.stem in bites:
            content = [[slug, f"{title} (new)", line] for slug, title, line in content]
        text = text.replace(f'"{file.stem}"', f'"new{file.stem}"')
        file.with_name(f"new{file.name}").write_text(json.dumps(content))
        file.unlink()
    (site / "search.json").unlink()
    (site / "search.json").write_text(text)
    return site
