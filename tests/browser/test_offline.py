"""Reading without a network: the server's process is killed, and it forbade the HTTP cache, so what is seen was stored."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, BrowserType, Page, Response, expect

from deploys import KEEP, KEEP_OR_REASON, SITE, changed_site, damaged_site, pack_bytes, pack_files, text_changed
from server import SiteServer
from witness import wait_until


@pytest.fixture
def server() -> Iterator[SiteServer]:
    with SiteServer(SITE) as server:
        yield server


@pytest.fixture
def kept(server: SiteServer, page: Page) -> Page:
    """Only the home page has been visited, the library is kept, and the server is gone."""
    page.goto(server.url)
    page.evaluate(KEEP)
    server.kill()
    return page


def visit(page: Page, url: str) -> Response:
    response = page.goto(url)
    assert response
    return response


def test_a_page_that_was_never_visited_comes_from_the_worker(server: SiteServer, kept: Page) -> None:
    response = visit(kept, f"{server.url}b/coalescing/")
    assert response.status == 200
    assert response.from_service_worker
    expect(kept.locator("h1")).to_be_visible()
    again = kept.reload()
    assert again
    assert again.from_service_worker


def test_every_file_of_the_library_is_there_byte_for_byte(server: SiteServer, kept: Page) -> None:
    fetched = kept.evaluate(
        """(paths) => Promise.all(paths.map(async (path) => {
            const content = await (await fetch(path)).arrayBuffer();
            const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
            return [path, Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join(""), content.byteLength];
        }))""",
        pack_files("library"),
    )
    assert [tuple(file) for file in fetched] == library_files()


@pytest.mark.parametrize("path", ["b/coalescing", "b/coalescing?from=mail", "b/coalescing/index.html", "b/coalescing/?from=mail#red-flags"])
def test_an_address_may_lack_its_slash_or_carry_a_query(server: SiteServer, kept: Page, path: str) -> None:
    response = visit(kept, server.url + path)
    assert (response.status, response.from_service_worker) == (200, True)
    assert re.match(r".*/b/coalescing/(index\.html)?(\?|#|$)", kept.url)
    expect(kept.locator("h1")).to_be_visible()


def test_the_tab_that_kept_the_library_reads_on_at_once(server: SiteServer, kept: Page) -> None:
    kept.evaluate("() => { window.isStillThisDocument = true; }")
    kept.locator("main a[href*='b/']").first.click()
    expect(kept).to_have_url(re.compile(r"/b/[a-z-]+/$"))
    expect(kept.locator("h1")).to_be_visible()
    assert kept.evaluate("window.isStillThisDocument")


def test_a_link_leads_on_without_a_page_load(server: SiteServer, kept: Page) -> None:
    visit(kept, f"{server.url}b/coalescing/")
    kept.evaluate("() => { window.isStillThisDocument = true; }")
    heading = kept.locator("h1").inner_text()
    kept.locator("main a.next-bite").click()
    expect(kept).not_to_have_url(f"{server.url}b/coalescing/")
    expect(kept.locator("h1")).not_to_have_text(heading)
    assert kept.evaluate("window.isStillThisDocument")


def test_an_unknown_address_is_a_404_with_the_site_s_page(server: SiteServer, kept: Page) -> None:
    response = visit(kept, f"{server.url}b/no-such-bite/")
    assert (response.status, response.from_service_worker) == (404, True)
    expect(kept.locator("h1")).to_have_text("Nothing lives at this address")
    assert kept.evaluate("() => document.querySelector('script[type=module]').src.startsWith(location.origin)")


def test_answers_have_the_right_type_and_no_more_than_was_asked_for(server: SiteServer, kept: Page) -> None:
    ask = """async ([path, options]) => {
        const response = await fetch(path, options);
        const { status } = response;
        return [status, response.headers.get("Content-Type"), (await response.arrayBuffer()).byteLength];
    }"""
    size = (SITE / "b/roofline/index.html").stat().st_size
    assert kept.evaluate(ask, ["b/roofline/", {"method": "HEAD"}]) == [200, "text/html; charset=utf-8", 0]
    # A server may answer a range with the whole.
    assert kept.evaluate(ask, ["b/roofline/", {"headers": {"Range": "bytes=0-9"}}]) == [200, "text/html; charset=utf-8", size]
    assert kept.evaluate(ask, ["assets/icons/app.svg", {}])[1] == "image/svg+xml"
    assert kept.evaluate(ask, ["search.json", {}])[:2] == [200, "application/json"]


def test_search_finds_bites(server: SiteServer, kept: Page) -> None:
    visit(kept, f"{server.url}b/coalescing/")
    kept.keyboard.press("/")
    kept.get_by_role("combobox", name="Search the bites").fill("roofline")
    hit = kept.locator("a[href*='/b/roofline/']:visible").first
    expect(hit).to_be_visible()


def test_a_number_says_where_it_comes_from(server: SiteServer, kept: Page) -> None:
    visit(kept, f"{server.url}b/coalescing/")
    kept.locator("#explainer a.fact").first.hover()
    expect(kept.locator(".reference-note")).to_contain_text("read on")


def test_a_shader_demo_runs(server: SiteServer, kept: Page) -> None:
    visit(kept, f"{server.url}b/vertex-and-fragment-shaders/")
    demo = kept.locator("shader-demo").first
    demo.scroll_into_view_if_needed()
    poster = demo.locator("img.frame-poster")
    expect(poster).to_have_js_property("complete", True)
    assert poster.evaluate("(image) => image.naturalWidth") > 0
    expect(demo.locator(".frame-controls button").first).to_be_visible()


def test_a_simulator_answers_from_its_recorded_frames(server: SiteServer, kept: Page) -> None:
    visit(kept, f"{server.url}b/multi-tenant-scheduling/")
    lab = kept.locator("#snippet-fair_share_lab")
    lab.scroll_into_view_if_needed()
    lab.locator(".lab-ask input").fill("0")
    lab.get_by_role("button", name="Predict").click()
    expect(lab.locator(".lab-verdict")).to_contain_text("You said 0 hours, the model says 9")
    lab.get_by_role("combobox", name="Policy").select_option("first come")
    expect(lab.locator(".lab-says")).to_contain_text("First come: B's first job waits 21.1 hours.")
    expect(lab.get_by_role("img")).to_have_accessible_name(re.compile("First come: "))


def test_python_runs_once_its_pack_has_been_fetched(server: SiteServer, page: Page) -> None:
    page.goto(server.url)
    page.evaluate("() => gpubites.keepOffline({ python: true })")
    server.kill()
    visit(page, f"{server.url}b/coalescing/")
    snippet = page.locator("py-snippet").first
    snippet.scroll_into_view_if_needed()
    output = snippet.locator(".frame-output")
    recorded = output.inner_text()
    snippet.get_by_role("button", name="Run").click()
    expect(snippet.get_by_role("button", name="Stop")).to_be_visible()
    expect(snippet.get_by_role("button", name="Run")).to_be_visible(timeout=60_000)
    expect(output).to_have_text(recorded)


def test_progress_ends_at_the_size_that_was_promised(server: SiteServer, page: Page) -> None:
    page.goto(server.url)
    seen = page.evaluate(
        """async () => {
            const seen = [];
            await gpubites.keepOffline({ onProgress: ({ done, total }) => seen.push([done, total]) });
            return seen;
        }"""
    )
    assert {total for _, total in seen} == {pack_bytes("library")}
    assert seen[-1][0] == pack_bytes("library")
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert len(seen) > 5


def test_keeping_twice_fetches_nothing_twice(server: SiteServer, page: Page) -> None:
    page.goto(server.url)
    page.evaluate(KEEP)
    server.forget_requests()
    page.evaluate(KEEP)
    assert set(server.requests()) <= {"GET offline.json", "GET sw.js"}


def test_a_damaged_file_is_refused_and_nothing_counts_as_kept(page: Page, tmp_path: Path) -> None:
    damaged = damaged_site(tmp_path / "damaged", {"b/roofline/index.html": lambda content: content[:-100]})
    with SiteServer(damaged) as server:
        page.goto(server.url)
        reason = page.evaluate(KEEP_OR_REASON)
        assert reason.startswith("mismatch: ")
        assert "b/roofline/index.html" in reason
        assert "Try again" in reason
        page.locator("keep-offline").scroll_into_view_if_needed()
        expect(page.get_by_role("button", name="Keep offline")).to_be_visible()
        server.deploy(SITE)
        assert page.evaluate(KEEP_OR_REASON) == "kept"


def test_a_cut_manifest_is_refused(page: Page, tmp_path: Path) -> None:
    shorter = damaged_site(tmp_path / "cut", {"offline.json": lambda text: re.sub(rb'\["b/roofline[^]]*\],', b"", text)})
    with SiteServer(shorter) as server:
        page.goto(server.url)
        assert page.evaluate(KEEP_OR_REASON).startswith("mismatch: ")


def test_a_network_that_dies_half_way_leaves_what_has_come_for_the_next_try(server: SiteServer, page: Page) -> None:
    page.goto(server.url)
    port = int(server.url.rsplit(":", 1)[1].strip("/"))
    server.hang(after=20)
    page.evaluate(f"() => {{ window.tried = ({KEEP_OR_REASON})(); }}")
    server.wait_until_hanging()
    server.kill()
    assert page.evaluate("() => window.tried").startswith("network: ")
    with SiteServer(SITE, port=port) as again:
        assert page.evaluate(KEEP_OR_REASON) == "kept"
        files = [request for request in again.requests() if request not in ("GET offline.json", "GET sw.js")]
        assert 0 < len(files) < len(pack_files("library")) - 5


def test_a_full_disk_is_said_so_and_nothing_counts_as_kept(server: SiteServer, context: BrowserContext, page: Page) -> None:
    page.goto(server.url)
    devtools = context.new_cdp_session(page)
    devtools.send("Storage.overrideQuotaForOrigin", {"origin": server.url.rstrip("/"), "quotaSize": 20_000})
    reason = page.evaluate(KEEP_OR_REASON)
    assert reason.startswith("full: ")
    assert "room" in reason
    devtools.send("Storage.overrideQuotaForOrigin", {"origin": server.url.rstrip("/")})
    assert page.evaluate(KEEP_OR_REASON) == "kept"


def test_a_visit_keeps_what_was_read(server: SiteServer, page: Page) -> None:
    page.goto(f"{server.url}b/coalescing/")
    read_on(page)
    page.goto(f"{server.url}b/roofline/")
    read_on(page)
    server.kill()
    response = visit(page, f"{server.url}b/coalescing/")
    assert (response.status, response.from_service_worker) == (200, True)
    expect(page.locator("h1")).to_be_visible()
    unread = visit(page, f"{server.url}b/bank-conflicts/")
    assert unread.status == 503
    expect(page.locator("h1")).to_have_text("This page is not on this device")
    page.get_by_role("link", name=re.compile("roofline", re.IGNORECASE)).click()
    expect(page).to_have_url(f"{server.url}b/roofline/")
    assert visit(page, f"{server.url}b/no-such-bite/").status == 404


def test_a_visitor_s_next_page_is_the_server_s(server: SiteServer, page: Page, tmp_path: Path) -> None:
    page.goto(f"{server.url}b/coalescing/")
    read_on(page)
    server.deploy(changed_site(tmp_path / "next", {"b/coalescing/index.html": text_changed("</h1>", " (second edition)</h1>")}))
    page.goto(f"{server.url}b/coalescing/")
    expect(page.locator("h1")).to_contain_text("(second edition)")


def test_a_script_that_writes_to_the_caches_does_not_change_what_is_served(server: SiteServer, kept: Page) -> None:
    kept.evaluate(
        """async (urls) => {
        for (const name of await caches.keys()) {
            const cache = await caches.open(name);
            const poison = () => new Response("<h1>poison</h1>", { headers: { "Content-Type": "text/html" } });
            for (const url of urls) await cache.put(url, poison());
        }
    }""",
        [server.url, f"{server.url}b/coalescing/"],
    )
    visit(kept, server.url)
    expect(kept.locator("h1")).not_to_have_text("poison")
    visit(kept, f"{server.url}b/coalescing/")
    expect(kept.locator("h1")).not_to_have_text("poison")


def test_stored_content_that_is_not_what_its_hash_says_is_not_served(server: SiteServer, page: Page) -> None:
    page.goto(server.url)
    page.evaluate(KEEP)
    page.evaluate("""async () => {
        const cache = await caches.open((await caches.keys()).find((name) => name.startsWith("gpubites contents")));
        for (const request of await cache.keys()) await cache.put(request, new Response("<h1>poison</h1>"));
    }""")
    visit(page, f"{server.url}b/coalescing/")  # the server still has the right one
    expect(page.locator("h1")).not_to_have_text("poison")
    server.kill()
    assert visit(page, f"{server.url}b/flash-attention/").status == 503
    expect(page.locator("h1")).to_have_text("This page is not on this device")


def test_what_was_lost_is_fetched_again_at_the_next_visit(server: SiteServer, page: Page) -> None:
    page.goto(server.url)
    page.evaluate(KEEP)
    page.evaluate("""async () => {
        const cache = await caches.open((await caches.keys()).find((name) => name.startsWith("gpubites contents")));
        for (const request of await cache.keys()) await cache.delete(request);
    }""")
    page.reload()
    wait_for_count(page, len({digest for _, digest, _ in library_files()}))
    server.kill()
    assert visit(page, f"{server.url}b/flash-attention/").status == 200


def test_an_installed_app_fetches_the_library_in_sight(server: SiteServer, page: Page) -> None:
    page.goto(server.url)
    page.keyboard.press("ArrowDown")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => {})")
    page.evaluate("() => { dispatchEvent(new Event('appinstalled')); }")
    expect(page.locator(".site-notice .keep-library progress")).to_be_visible()
    expect(page.locator(".site-notice .keep-said").first).to_contain_text("without a network")
    server.kill()
    assert visit(page, f"{server.url}b/flash-attention/").status == 200


def test_the_button_keeps_and_removes(server: SiteServer, page: Page) -> None:
    page.goto(server.url)
    page.locator("keep-offline").scroll_into_view_if_needed()
    button = page.get_by_role("button", name=re.compile(r"^Keep offline \(\d+(\.\d)? MB\)$"))
    expect(page.get_by_role("button", name=re.compile(r"^Make Python available offline \(\d+(\.\d)? MB\)$"))).to_be_visible()
    button.click()
    expect(page.locator(".keep-library .keep-said")).to_contain_text("without a network")
    expect(button).to_be_hidden()
    page.reload()
    page.locator("keep-offline").scroll_into_view_if_needed()
    expect(page.locator(".keep-library .keep-said")).to_contain_text("without a network")
    page.get_by_role("button", name="Remove from this device").click()
    expect(button).to_be_visible()
    assert stored(page) == []


def test_it_works_under_a_sub_path(page: Page, tmp_path: Path) -> None:
    moved = changed_site(tmp_path / "moved", {"404.html": lambda html: re.sub(rb'(href|src)="/', rb'\1="/gpu-bites/', html)})
    with SiteServer(moved, prefix="/gpu-bites/") as server:
        page.goto(server.url)
        page.evaluate(KEEP)
        server.kill()
        response = visit(page, f"{server.url}b/coalescing")
        assert (response.status, response.from_service_worker) == (200, True)
        assert page.url == f"{server.url}b/coalescing/"
        lost = visit(page, f"{server.url}deep/down/nowhere/")
        assert (lost.status, lost.from_service_worker) == (404, True)
        with pytest.raises(Exception, match="ERR_"):
            page.goto(server.url.replace("/gpu-bites/", "/"))


def test_the_app_can_be_installed(server: SiteServer, browser_type: BrowserType, browser_type_launch_args: dict, tmp_path: Path) -> None:
    # A throw-away profile counts as incognito, where nothing can be installed.
    context = browser_type.launch_persistent_context(tmp_path / "profile", **browser_type_launch_args)
    try:
        page = context.new_page()
        page.goto(server.url)
        devtools = context.new_cdp_session(page)
        assert devtools.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
        manifest = json.loads(devtools.send("Page.getAppManifest")["data"])
        assert manifest["id"] == "/"
        for icon in manifest["icons"]:
            assert (SITE / icon["src"]).is_file()
    finally:
        context.close()


def test_with_storage_blocked_the_site_reads_and_says_why_it_cannot_be_kept(
    server: SiteServer, browser_type: BrowserType, browser_type_launch_args: dict, tmp_path: Path
) -> None:
    preferences = tmp_path / "profile" / "Default" / "Preferences"
    preferences.parent.mkdir(parents=True)
    preferences.write_text(json.dumps({"profile": {"default_content_setting_values": {"cookies": 2}}}))
    context = browser_type.launch_persistent_context(tmp_path / "profile", **browser_type_launch_args)
    try:
        page = context.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.goto(f"{server.url}b/coalescing/")
        assert page.evaluate("() => { try { return localStorage.length, 'open' } catch { return 'blocked' } }") == "blocked"
        page.keyboard.press("ArrowDown")
        page.locator("keep-offline").scroll_into_view_if_needed()
        expect(page.locator(".keep-library .keep-said")).to_contain_text("cannot be kept offline")
        assert page.evaluate(KEEP_OR_REASON).startswith("blocked: ")
        assert errors == []
    finally:
        context.close()


def read_on(page: Page) -> None:
    """Does what a reader does, and waits until the worker has kept the page."""
    page.wait_for_load_state("load")
    page.keyboard.press("ArrowDown")
    path = re.sub(r"^https?://[^/]*/", "", page.url) + "index.html"
    [wanted] = [digest for file, digest, _ in library_files() if file == path]
    wait_until(page, lambda: any(digest.endswith(wanted) for digest in stored(page)))


def wait_for_count(page: Page, count: int) -> None:
    wait_until(page, lambda: len(stored(page)) == count)


def stored(page: Page) -> list[str]:
    """The addresses of what is in the store; they end with the content's hash."""
    found = page.evaluate("""async () => {
        const name = (await caches.keys()).find((name) => name.startsWith("gpubites contents"));
        return name ? (await (await caches.open(name)).keys()).map(({ url }) => url) : [];
    }""")
    return [str(url) for url in found]


def library_files() -> list[tuple[str, str, int]]:
    return [tuple(file) for file in json.loads((SITE / "offline.json").read_text())["packs"]["library"]["files"]]
