"""What happens to readers on the way: a network that wants a login first, storage cleared or damaged under an open page."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from deploys import KEEP, KEEP_OR_REASON, SITE
from server import SiteServer

SAYS_WHY = re.compile("could not be|cannot be", re.IGNORECASE)
CLEAR = """async () => {
  for (const name of await caches.keys()) await caches.delete(name);
  for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
}"""


@pytest.fixture
def server() -> Iterator[SiteServer]:
    with SiteServer(SITE) as server:
        yield server


@pytest.fixture
def calm(page: Page) -> Iterator[Page]:
    """A page in which no script may fail, whatever the network does."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    assert errors == []


def test_a_login_page_changes_nothing_for_a_reader_who_has_kept_the_library(server: SiteServer, calm: Page) -> None:
    calm.goto(server.url)
    calm.evaluate(KEEP)
    server.ask_for_login()
    calm.goto(f"{server.url}b/coalescing/")
    expect(calm.locator("h1")).not_to_contain_text("hotel")
    calm.evaluate("() => dispatchEvent(new Event('online'))")  # is there anything newer? No: that was no list of files
    assert calm.evaluate(KEEP_OR_REASON).startswith("mismatch: ")
    calm.reload()
    calm.keyboard.press("/")
    calm.get_by_role("combobox", name="Search").fill("roofline")
    expect(calm.locator(".search-results li").first).to_have_attribute("data-slug", "roofline")
    calm.keyboard.press("Enter")
    expect(calm).to_have_url(f"{server.url}b/roofline/")
    expect(calm.locator(".site-notice")).to_have_count(0)
    server.ask_for_login(False)
    assert calm.evaluate(KEEP_OR_REASON) == "kept"


def test_a_login_page_is_neither_kept_nor_taken_for_a_page_of_the_site(server: SiteServer, calm: Page) -> None:
    calm.goto(f"{server.url}b/coalescing/")
    calm.keyboard.press("ArrowDown")
    calm.evaluate("() => navigator.serviceWorker.ready.then(() => {})")
    server.ask_for_login()
    assert calm.evaluate(KEEP_OR_REASON).startswith("mismatch: ")
    calm.keyboard.press("/")
    expect(calm.locator(".site-notice")).to_contain_text("Search could not be loaded")
    # A link leads to what the network answers, as a load of the whole page: the reader has to log in.
    calm.evaluate("document.querySelector('main a.next-bite').click()")
    expect(calm.locator("h1")).to_have_text("Welcome to our hotel")
    server.ask_for_login(False)
    calm.reload()
    expect(calm.locator("h1")).not_to_contain_text("hotel")
    calm.keyboard.press("/")
    calm.get_by_role("combobox", name="Search").fill("roofline")
    expect(calm.locator(".search-results li").first).to_have_attribute("data-slug", "roofline")
    server.kill()
    calm.goto(f"{server.url}b/coalescing/")
    expect(calm.locator("h1")).not_to_contain_text("hotel")


def test_python_says_what_is_wrong_when_the_network_wants_a_login(server: SiteServer, calm: Page) -> None:
    calm.goto(f"{server.url}b/coalescing/")
    snippet = calm.locator("py-snippet").first
    snippet.scroll_into_view_if_needed()
    expect(snippet.get_by_role("button", name="Run")).to_be_visible()
    server.ask_for_login()
    snippet.get_by_role("button", name="Run").click()
    expect(snippet).to_contain_text(SAYS_WHY)
    expect(snippet.get_by_role("button", name="Run")).to_be_visible()


def test_storage_cleared_in_mid_visit_is_begun_again(server: SiteServer, calm: Page) -> None:
    calm.goto(f"{server.url}b/coalescing/")
    calm.evaluate(KEEP)
    calm.evaluate(CLEAR)
    # The open page reads on, and what it promises is true again once it is kept again.
    calm.evaluate("document.querySelector('main a.next-bite').click()")
    expect(calm).not_to_have_url(f"{server.url}b/coalescing/")
    expect(calm.locator("h1")).to_be_visible()
    assert calm.evaluate(KEEP_OR_REASON) == "kept"
    server.kill()
    response = calm.goto(f"{server.url}b/flash-attention/")
    assert response
    assert (response.status, response.from_service_worker) == (200, True)


@pytest.mark.parametrize("garbage", ["{", "null", '{"current": 7, "kept": "library"}'])
def test_records_that_were_damaged_are_found_out_anew(server: SiteServer, calm: Page, garbage: str) -> None:
    calm.goto(server.url)
    calm.evaluate(KEEP)
    calm.evaluate(
        """async (garbage) => {
        const cache = await caches.open((await caches.keys()).find((name) => name.startsWith("gpubites records")));
        for (const request of await cache.keys()) await cache.put(request, new Response(garbage));
    }""",
        garbage,
    )
    calm.reload()
    expect(calm.locator("h1")).to_be_visible()
    assert calm.evaluate(KEEP_OR_REASON) == "kept"
    server.kill()
    response = calm.goto(f"{server.url}b/flash-attention/")
    assert response
    assert response.status == 200
