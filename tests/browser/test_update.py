"""A new version is deployed while tabs are open: every tab stays of one piece, and each changes when its reader says so."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from deploys import (
    KEEP,
    KEEP_OR_REASON,
    SITE,
    changed_site,
    damaged_site,
    entry_script,
    every_page,
    new_entry_script,
    pack_files,
    text_changed,
)
from server import SiteServer

EDITION = " (second edition)"
# A request that an update makes to learn whether there is one.
ASKING = {"GET offline.json", "GET sw.js"}


@pytest.fixture
def server() -> Iterator[SiteServer]:
    with SiteServer(SITE) as server:
        yield server


@pytest.fixture
def second_edition(tmp_path: Path) -> Path:
    """Every page says so in its heading."""
    return changed_site(tmp_path / "second", every_page(text_changed("</h1>", f"{EDITION}</h1>")))


@pytest.fixture
def tabs(server: SiteServer, context: BrowserContext) -> list[Page]:
    """Two tabs of a kept library."""
    tabs = [context.new_page(), context.new_page()]
    tabs[0].goto(server.url)
    tabs[0].evaluate(KEEP)
    for tab, slug in zip(tabs, ("coalescing", "roofline"), strict=True):
        tab.goto(f"{server.url}b/{slug}/")
    return tabs


def check_for_updates(tab: Page) -> None:
    """What a tab does by itself when it is opened, when it is looked at again, and when the network comes back."""
    tab.evaluate("() => dispatchEvent(new Event('online'))")


def notice(tab: Page) -> None:
    expect(tab.locator(".site-notice")).to_contain_text("A new version is ready")


def follow_link(tab: Page, slug: str) -> None:
    tab.locator(f"main a[href*='{slug}']").first.click()
    expect(tab).to_have_url(re.compile(f"/b/{slug}/$"))


def test_the_tab_that_accepts_changes_and_the_other_stays(server: SiteServer, tabs: list[Page], second_edition: Path) -> None:
    one, other = tabs
    server.deploy(second_edition)
    check_for_updates(one)
    notice(one)
    notice(other)
    expect(one.locator("h1")).not_to_contain_text(EDITION)
    one.get_by_role("button", name="Reload").click()
    expect(one.locator("h1")).to_contain_text(EDITION)
    expect(one.locator(".site-notice")).to_have_count(0)
    server.kill()
    follow_link(other, "coalescing")
    expect(other.locator("h1")).not_to_contain_text(EDITION)
    one.reload()
    expect(one.locator("h1")).to_contain_text(EDITION)


def test_a_tab_keeps_its_version_when_the_worker_is_stopped(
    server: SiteServer, context: BrowserContext, tabs: list[Page], second_edition: Path
) -> None:
    one, other = tabs
    server.deploy(second_edition)
    check_for_updates(one)
    notice(one)
    one.get_by_role("button", name="Reload").click()
    expect(one.locator("h1")).to_contain_text(EDITION)
    stop_workers(context, one)
    server.kill()
    follow_link(other, "coalescing")
    expect(other.locator("h1")).not_to_contain_text(EDITION)


def test_a_tab_keeps_its_version_when_the_worker_itself_is_replaced(
    server: SiteServer, context: BrowserContext, tabs: list[Page], second_edition: Path
) -> None:
    one, other = tabs
    worker = second_edition / "sw.js"
    content = worker.read_bytes()
    worker.unlink()
    worker.write_bytes(content + b"\n// another worker\n")
    server.deploy(second_edition)
    one.reload()
    notice(other)
    other.evaluate("() => navigator.serviceWorker.getRegistration().then((registration) => registration.update())")
    one.get_by_role("button", name="Reload").click()
    expect(one.locator("h1")).to_contain_text(EDITION)
    server.kill()
    follow_link(other, "coalescing")
    expect(other.locator("h1")).not_to_contain_text(EDITION)


def test_a_download_goes_on_when_another_worker_arrives_in_its_middle(server: SiteServer, page: Page, tmp_path: Path) -> None:
    page.goto(server.url)
    page.keyboard.press("ArrowDown")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => {})")
    server.deploy(damaged_site(tmp_path / "next", {"sw.js": lambda code: code + b"\n// another worker\n"}))
    server.hang(after=20, only=1)
    page.evaluate(f"() => {{ window.tried = ({KEEP_OR_REASON})(); }}")
    server.wait_until_hanging()
    page.evaluate("() => navigator.serviceWorker.ready.then((registration) => registration.update()).then(() => {})")
    server.go_on()
    assert page.evaluate("() => window.tried") == "kept"
    server.kill()
    response = page.goto(f"{server.url}b/roofline/")
    assert response
    assert response.from_service_worker


def test_an_update_fetches_only_what_has_changed(server: SiteServer, tabs: list[Page], tmp_path: Path) -> None:
    one, _ = tabs
    server.forget_requests()
    server.deploy(changed_site(tmp_path / "next", {"b/coalescing/index.html": text_changed("</h1>", f"{EDITION}</h1>")}))
    check_for_updates(one)
    notice(one)
    one.get_by_role("button", name="Reload").click()
    expect(one.locator("h1")).to_contain_text(EDITION)
    fetched = [request for request in server.requests() if request not in ASKING]
    assert set(fetched) == {"GET b/coalescing/"}
    assert len(fetched) <= 2  # what the browser had of its own, then past its cache


def test_a_new_tab_gets_the_new_version_once_it_is_complete(
    server: SiteServer, context: BrowserContext, tabs: list[Page], second_edition: Path
) -> None:
    server.deploy(second_edition)
    check_for_updates(tabs[0])
    notice(tabs[0])
    server.kill()
    third = context.new_page()
    third.goto(f"{server.url}b/roofline/")
    expect(third.locator("h1")).to_contain_text(EDITION)
    expect(third.locator(".site-notice")).to_have_count(0)


def test_an_update_that_cannot_be_completed_changes_nothing(server: SiteServer, tabs: list[Page], tmp_path: Path) -> None:
    one, _ = tabs
    whole = changed_site(tmp_path / "whole", every_page(text_changed("</h1>", f"{EDITION}</h1>")))
    server.deploy(damaged_site(tmp_path / "damaged", {"b/roofline/index.html": lambda content: content[:-9]}, whole))
    assert one.evaluate(KEEP_OR_REASON).startswith("mismatch: ")
    one.reload()
    expect(one.locator("h1")).not_to_contain_text(EDITION)
    expect(one.locator(".site-notice")).to_have_count(0)
    server.deploy(whole)
    check_for_updates(one)
    notice(one)


@pytest.mark.parametrize("after", [1, 5, 20, 40])
def test_a_deploy_in_the_middle_of_the_download_never_mixes(server: SiteServer, page: Page, second_edition: Path, after: int) -> None:
    page.goto(server.url)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => {})")  # from here on it is the download that asks
    server.deploy(second_edition, after=after)
    page.evaluate(KEEP)
    kept = current_version(page)
    server.kill()
    tab = page.context.new_page()  # the first one may be of the version before, and stays so
    tab.goto(server.url)
    editions = tab.evaluate(
        """(paths) => Promise.all(paths.map(async (path) => (await (await fetch(path)).text()).includes("(second edition)")))""",
        [path for path in pack_files("library") if path.endswith(".html")],
    )
    assert len(set(editions)) == 1
    assert kept == version_of(second_edition if editions[0] else SITE)


def test_a_rollback_is_a_version_like_any_other(server: SiteServer, tabs: list[Page], second_edition: Path) -> None:
    one, _ = tabs
    server.deploy(second_edition)
    check_for_updates(one)
    notice(one)
    one.get_by_role("button", name="Reload").click()
    expect(one.locator("h1")).to_contain_text(EDITION)
    server.forget_requests()
    server.deploy(SITE)
    check_for_updates(one)
    notice(one)
    one.get_by_role("button", name="Reload").click()
    expect(one.locator("h1")).not_to_contain_text(EDITION)
    expect(one.locator(".site-notice")).to_have_count(0)
    assert current_version(one) == version_of(SITE)
    assert set(server.requests()) <= ASKING, "the other tab still reads the first edition, so all of it is here"


def test_what_no_tab_reads_any_more_is_dropped(server: SiteServer, tabs: list[Page], second_edition: Path) -> None:
    one, _ = tabs
    files = len({digest for _, digest, _ in listing(SITE)})
    assert stored_count(one) == files
    server.deploy(second_edition)
    check_for_updates(one)
    notice(one)
    assert stored_count(one) > files  # both tabs still read the old pages
    for tab in tabs:
        tab.get_by_role("button", name="Reload").click()
        expect(tab.locator("h1")).to_contain_text(EDITION)
    check_for_updates(one)
    one.wait_for_timeout(500)
    assert stored_count(one) > files  # the Back button may bring the old pages back
    let_time_pass(one)
    check_for_updates(one)
    one.wait_for_timeout(500)
    assert stored_count(one) == files


def test_a_visitor_s_old_tab_is_not_mixed_with_the_new_version(server: SiteServer, page: Page, second_edition: Path) -> None:
    page.goto(f"{server.url}b/coalescing/")
    page.keyboard.press("ArrowDown")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => {})")
    page.wait_for_timeout(1500)
    page.evaluate("() => { window.isStillThisDocument = true; }")
    server.deploy(second_edition)
    # The next page is of another version, so it is loaded as a whole and not put into this one.
    follow_link(page, "memory-hierarchy")
    expect(page.locator("h1")).to_contain_text(EDITION)
    assert not page.evaluate("() => window.isStillThisDocument")


def test_a_visitor_s_old_tab_is_offered_the_new_version(server: SiteServer, page: Page, second_edition: Path) -> None:
    page.goto(f"{server.url}b/coalescing/")
    page.keyboard.press("ArrowDown")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => {})")
    page.wait_for_timeout(1500)
    server.deploy(second_edition)
    check_for_updates(page)
    notice(page)
    page.get_by_role("button", name="Not now").click()
    expect(page.locator(".site-notice")).to_be_hidden()
    expect(page.locator("h1")).not_to_contain_text(EDITION)


def test_a_change_of_our_own_script_reaches_a_kept_reader(server: SiteServer, tabs: list[Page], tmp_path: Path) -> None:
    one, other = tabs
    renamed = changed_site(tmp_path / "renamed", new_entry_script())
    old = entry_script()
    new = old.replace("assets/app-", "assets/app-X")
    (renamed / old).rename(renamed / new)
    renamed = changed_site(tmp_path / "next", {}, renamed)
    server.deploy(renamed)
    check_for_updates(one)
    notice(one)
    one.get_by_role("button", name="Reload").click()
    expect(one.locator(f"script[src$='{new}']")).to_have_count(1)
    server.kill()
    follow_link(other, "coalescing")
    expect(other.locator(f"script[src$='{old}']")).to_have_count(1)


def listing(site: Path) -> list[list[str]]:
    return list(json.loads((site / "offline.json").read_text())["packs"]["library"]["files"])


def version_of(site: Path) -> str:
    return str(json.loads((site / "offline.json").read_text())["version"])


def current_version(page: Page) -> str:
    return str(
        page.evaluate("""async () => {
        const name = (await caches.keys()).find((name) => name.startsWith("gpubites records"));
        const cache = await caches.open(name);
        const [shelf] = (await cache.keys()).filter(({ url }) => url.endsWith(".records/shelf"));
        return (await (await cache.match(shelf)).json()).current;
    }""")
    )


def stored_count(page: Page) -> int:
    return int(
        page.evaluate("""async () => {
        const name = (await caches.keys()).find((name) => name.startsWith("gpubites contents"));
        return (await (await caches.open(name)).keys()).length;
    }""")
    )


def let_time_pass(page: Page) -> None:
    """As if a quarter of an hour had gone by: a tab's record outlives it for that long, since Back may bring it back."""
    page.evaluate("""async () => {
        const cache = await caches.open((await caches.keys()).find((name) => name.startsWith("gpubites records")));
        for (const request of await cache.keys()) {
            const record = request.url.includes(".records/client/") && (await (await cache.match(request)).json());
            if (record.gone) await cache.put(request, Response.json({ ...record, gone: record.gone - 16 * 60_000 }));
        }
    }""")


def stop_workers(context: BrowserContext, page: Page) -> None:
    devtools = context.new_cdp_session(page)
    devtools.send("ServiceWorker.enable")
    devtools.send("ServiceWorker.stopAllWorkers")
    devtools.detach()
