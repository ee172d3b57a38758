"""Going from page to page as readers do: odd addresses, Back and Forward in a hurry, places kept, chunks that are gone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from deploys import SITE
from server import SiteServer
from witness import Witness

BITE = "b/coalescing/"
ODD_HASHES = ["#%E0%A4%A", "#__proto__", "#constructor", "#%", "#%00", "#quiz%20", "#<script>", "#' or 1=1", "##quiz"]


@pytest.fixture
def own_server() -> Iterator[SiteServer]:
    """For a test that takes the network away."""
    with SiteServer(SITE) as server:
        yield server


def shows(page: Page, url: str) -> None:
    """Address, title and text are those of one page."""
    expect(page).to_have_url(url)
    expect(page.locator("h1")).to_have_count(1)
    expect(page.locator("html")).not_to_have_attribute("aria-busy", "true")
    heading = page.locator("h1").inner_text()
    there = page.evaluate(
        """async () => {
            const html = await (await fetch(location.href)).text();
            return new DOMParser().parseFromString(html, "text/html").querySelector("h1").textContent;
        }"""
    )
    assert heading.split() == there.split()


def test_a_link_may_hold_anything_after_its_hash(page: Page, site_url: str, witness: Witness) -> None:
    for hash_ in ODD_HASHES:
        page.goto("about:blank")  # else only the hash would change
        page.goto(site_url + BITE + hash_)
        expect(page.locator("h1")).to_be_visible()
    page.goto(f"{site_url}s/")
    for hash_ in ODD_HASHES:
        page.evaluate("(hash) => { location.hash = hash; }", hash_)
    # An instant navigation to such an address, and the page is alive after it.
    page.evaluate(
        """(href) => {
            const link = Object.assign(document.createElement("a"), { href });
            document.querySelector("main").append(link);
            link.click();
        }""",
        site_url + BITE + "#%E0%A4%A",
    )
    expect(page).to_have_url(re.compile(re.escape(BITE)))
    card = page.locator("quiz-card").first
    card.scroll_into_view_if_needed()
    expect(card.get_by_role("button", name="Check")).to_be_visible()


def test_back_returns_to_the_place_and_a_new_page_begins_at_its_top(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(site_url + BITE)
    place = scrolled_to(page, 1400)
    page.evaluate("document.querySelector('main a.next-bite').click()")
    expect(page).not_to_have_url(site_url + BITE)
    page.wait_for_function("() => scrollY === 0")
    page.go_back()
    shows(page, site_url + BITE)
    page.wait_for_function("(place) => Math.abs(scrollY - place) < 3", arg=place)
    page.reload()
    page.wait_for_function("(place) => Math.abs(scrollY - place) < 3", arg=place)
    page.go_forward()
    expect(page).not_to_have_url(site_url + BITE)
    page.go_back()
    page.wait_for_function("(place) => Math.abs(scrollY - place) < 3", arg=place)


def scrolled_to(page: Page, place: int) -> int:
    page.evaluate("(place) => scrollTo(0, place)", place)
    page.wait_for_function("() => history.state?.scroll > 0")  # noted once the reader has come to rest
    return int(page.evaluate("history.state.scroll"))


def test_back_and_forward_in_a_hurry_end_on_one_page(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(f"{site_url}s/")
    urls = [page.url]
    # A busy browser counts a step from where it stands by then: with all ten steps back taken first, it is still on this site.
    page.evaluate("for (let place = 0; place < 10; place++) history.pushState(null, '', `#${place}`)")
    for link in ("main .bite-card a", "main a.next-bite", "main a.next-bite"):
        page.evaluate("(link) => document.querySelector(link).click()", link)
        page.wait_for_function("(before) => location.pathname !== before", arg=urlsplit(urls[-1]).path)
        urls.append(page.url)
    # Not waited for: a page that a busy machine could not fetch is loaded by the browser, which ends what runs in this one.
    page.evaluate("[-1, -1, 1, -1, 1, 1, -3, 2, -1, 1, -2, 3, -1].forEach((by, turn) => setTimeout(() => history.go(by), 15 * turn))")
    page.wait_for_timeout(500)
    page.wait_for_function("() => document.readyState === 'complete' && !document.documentElement.hasAttribute('aria-busy')")
    page.wait_for_timeout(300)
    assert page.url.split("#")[0] in urls
    shows(page, page.url)


def test_a_click_while_another_page_is_on_its_way_wins(own_server: SiteServer, page: Page) -> None:
    page.goto(f"{own_server.url}s/")
    links = page.evaluate("[...new Set(Array.from(document.querySelectorAll('.bite-card a'), (link) => link.href))].slice(0, 2)")
    own_server.hang(after=0, only=1)
    click = "(href) => [...document.links].find((link) => link.href === href).click()"
    page.evaluate(click, links[0])
    own_server.wait_until_hanging()
    page.evaluate(click, links[1])
    expect(page).to_have_url(links[1])
    own_server.go_on()
    page.wait_for_timeout(300)
    shows(page, links[1])


def test_search_that_cannot_be_loaded_says_so_and_comes_back_with_the_network(own_server: SiteServer, page: Page) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(own_server.url + BITE)
    port = int(own_server.url.rsplit(":", 1)[1].strip("/"))
    own_server.kill()
    page.keyboard.press("/")
    notice = page.locator(".site-notice")
    expect(notice.get_by_role("status")).to_contain_text("Search could not be loaded. Is there a connection?")
    page.keyboard.press("/")
    expect(page.locator(".site-notice")).to_have_count(1)
    with SiteServer(SITE, port=port):
        with page.expect_navigation(wait_until="load"):  # by then the page's script has run
            notice.get_by_role("button", name="Reload").click()
        expect(page.locator(".site-notice")).to_have_count(0)
        page.keyboard.press("/")
        expect(page.get_by_role("combobox", name="Search")).to_be_focused()
    assert errors == []
