"""Visits of built sites in a real browser: what was requested, and the milliseconds until something was seen."""

from __future__ import annotations

import socket
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import copy
from time import monotonic

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from gpubites.chromium import LAUNCH_ARGS, WEBGL_ARGS, find_chromium

# The static host of the browser tests: a bench needs a checkout anyway.
ROOT = Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "tests" / "browser"))
from server import SiteServer  # type: ignore[import-not-found]  # noqa: E402

VIEWPORT: ViewportSize = {"width": 1280, "height": 900}
SLOWDOWN = 4
SETTLE_MS = 1500  # after the network fell silent: what a page does when it is idle is part of its first view
BOOT_MS = 180_000
SEARCH_FIELD = "dialog[open] [type=search]"
# Typed letter by letter; every word of it stands in several bites.
QUERY = "shared memory bandwidth"
KEY_MS = 120  # between two letters of a person who types fast; what follows the first results comes after 150
REST_MS = 400
TYPED_TIMES = 4
MAIN_THREAD = ("ScriptDuration", "RecalcStyleDuration", "LayoutDuration")

NOTE_LONG_TASKS = """
  window.blocked = 0;
  const add = (list) => list.getEntries().forEach(({ duration }) => { blocked += Math.max(0, duration - 50); });
  new PerformanceObserver(add).observe({ type: "longtask", buffered: true });
"""
# The link is ours, so that every site is asked in the same way. What counts is the frame in which the new heading is painted.
FOLLOW = """(href) => new Promise((seen, fail) => {
  setTimeout(() => fail(new Error("no new h1 at " + href)), 20_000);
  const title = () => document.querySelector("h1")?.textContent;
  const before = title();
  const link = Object.assign(document.createElement("a"), { href });
  document.querySelector("main").append(link);
  const clicked = performance.now();
  const painted = () => requestAnimationFrame(() => setTimeout(() => seen(performance.now() - clicked)));
  new MutationObserver((_, observer) => {
    if ([before, undefined].includes(title())) return;
    observer.disconnect();
    painted();
  }).observe(document.documentElement, { childList: true, subtree: true });
  link.click();
})"""
# A field and what was typed in it: nothing is looked up.
BARE_FIELD = """<!doctype html><dialog open><input type="search" class="search-input"><p></p></dialog>
  <script>
    const [field, said] = document.querySelectorAll("input, p");
    field.addEventListener("input", () => { said.replaceChildren(field.value); });
  </script>"""
# From the key to the frame in which the changed list is painted.
NOTE_KEYS = """() => {
  window.keys = [];
  let pressed;
  addEventListener("keydown", (event) => { pressed = event.timeStamp; }, true);
  new MutationObserver(() => {
    if (pressed === undefined) return;
    const since = pressed;
    pressed = undefined;
    requestAnimationFrame(() => setTimeout(() => keys.push(performance.now() - since)));
  }).observe(document.querySelector("dialog[open]"), { childList: true, subtree: true });
}"""
RUN = """(snippet) => new Promise((seen, fail) => {
  setTimeout(() => fail(new Error("no output")), 180_000);
  const output = snippet.querySelector(".frame-output");
  const pressed = performance.now();
  new MutationObserver((changes, observer) => {
    if (!changes.some((change) => change.addedNodes.length)) return;
    observer.disconnect();
    seen(performance.now() - pressed);
  }).observe(output, { childList: true, subtree: true });
  snippet.querySelector("button.primary").click();
})"""
# The first touch of a simulator: from the press to the frame of the new setting, drawn from the file of frames.
TOUCH = """(lab) => new Promise((seen, fail) => {
  setTimeout(() => fail(new Error("no frame")), 20_000);
  const pressed = performance.now();
  new MutationObserver((_, observer) => {
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => seen(performance.now() - pressed)));
  }).observe(lab.querySelector(".lab-picture"), { childList: true });
  lab.querySelector(".lab-slider button:last-of-type").click();
})"""
# The third time that the meter speaks: the first second holds the start.
METER = """() => new Promise((seen, fail) => {
  setTimeout(() => fail(new Error("no frame time")), 20_000);
  let spoken = 0;
  const meter = document.querySelector("shader-demo .frame-meter");
  new MutationObserver(() => ++spoken === 3 && seen(parseFloat(meter.textContent))).observe(meter, { childList: true });
})"""
SNAPSHOT = """async (drop) => {
  const names = (await caches.keys()).filter((name) => name.startsWith("gpubites snapshot "));
  if (drop) for (const name of names) await caches.delete(name);
  return names.length > 0 && (await (await caches.open(names[0])).keys()).length > 0;
}"""
BARE_WORKER = """
import { loadPyodide } from "./pyodide.mjs";
onmessage = async ({ data }) => {
  const python = await loadPyodide();
  python.setStdout({ batched: (line) => postMessage(line) });
  python.runPython(data);
};
"""
RUN_BARE = """(code) => new Promise((seen, fail) => {
  setTimeout(() => fail(new Error("no output")), 180_000);
  const pressed = performance.now();
  const worker = new Worker("worker.js", { type: "module" });
  worker.onmessage = () => seen(performance.now() - pressed);
  worker.onerror = (error) => fail(new Error(error.message));
  worker.postMessage(code);
})"""


def serve(site: Path, port: int = 0) -> SiteServer:
    """With the caching of GitHub Pages. To be closed by `with`."""
    return SiteServer(site, cache="max-age=600", port=port)


def free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        port: int = asked.getsockname()[1]
        return port


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=[*LAUNCH_ARGS, *WEBGL_ARGS])
        yield browser
        browser.close()


@contextmanager
def tab(browser: Browser, *, workers: bool = True) -> Iterator[Page]:
    """A page of a reader who has never been here. Without `workers`, what a service worker asks for stays out of the count."""
    context = browser.new_context(viewport=VIEWPORT, service_workers="allow" if workers else "block")
    context.set_default_timeout(30_000)
    yield context.new_page()
    context.close()


def first_view(browser: Browser, host: SiteServer, path: str) -> list[str]:
    """The paths requested by a page that nobody scrolls or touches."""
    with tab(browser) as page:
        host.forget_requests()
        _settle(page, host.url + path)
        return _paths(host)


def first_search(browser: Browser, host: SiteServer, path: str) -> list[str]:
    """The paths requested from the key that opens the search box to its first results."""
    with tab(browser, workers=False) as page:
        _settle(page, host.url + path)
        host.forget_requests()
        _open_search(page)
        return _paths(host)


def _settle(page: Page, url: str) -> None:
    page.goto(url, wait_until="networkidle")
    page.wait_for_timeout(SETTLE_MS)


def _paths(host: SiteServer) -> list[str]:
    return [request.split(" ", 1)[1] for request in host.requests()]


def _open_search(page: Page) -> None:
    page.keyboard.press("/")
    page.locator(SEARCH_FIELD).press_sequentially(QUERY, delay=KEY_MS)
    # Three come with every key, the fourth with the rest.
    page.locator("dialog[open] .search-results [data-rank='4']").wait_for()
    page.wait_for_load_state("networkidle")


def blocked_ms(browser: Browser, url: str) -> float:
    """How long tasks beyond 50 ms held the main thread in a first view, on a slow device."""
    with tab(browser) as page:
        page.add_init_script(NOTE_LONG_TASKS)
        _slow_down(page)
        _settle(page, url)
        return float(page.evaluate("blocked"))


def _slow_down(page: Page) -> None:
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})


def follow_ms(browser: Browser, urls: Sequence[str], prepare: str = "") -> Iterator[float]:
    """From the click on a link to the next page's heading on the screen, for each address but the first. `prepare` runs there."""
    with tab(browser) as page:
        page.goto(urls[0], wait_until="networkidle")
        if prepare:
            page.evaluate(prepare)
            page.reload(wait_until="networkidle")
        yield from (float(page.evaluate(FOLLOW, url)) for url in urls[1:])


def key_presses(browser: Browser, url: str) -> tuple[list[float], list[float]]:
    """For each letter of a query, once the index is there: the main thread's work and the milliseconds to its results, on a slow device.

    The work is CPU time of script, style and layout, which others on the machine change less than they do the clock. It is taken without
    the slowdown and multiplied: a slowed thread spends the time that it waits. To the results it is by the clock, on a slowed page.
    """
    with tab(browser, workers=False) as page:
        page.goto(url, wait_until="networkidle")
        _open_search(page)
        _type_anew(page, QUERY)
        page.evaluate(NOTE_KEYS)
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})

        def spent() -> float:
            metrics = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
            return float(sum(metrics[name] for name in MAIN_THREAD))

        work = [SLOWDOWN * 1000 * took for took in _type_anew(page, QUERY, spent)]
        page.evaluate("() => { keys.length = 0; }")
        return work, _seen_ms(page)


def bare_key_ms(browser: Browser) -> list[float]:
    """The same milliseconds in a page that only says what was typed: what of them is the browser's and this machine's."""
    with tab(browser, workers=False) as page:
        page.set_content(BARE_FIELD)
        page.evaluate(NOTE_KEYS)
        return _seen_ms(page)


def _seen_ms(page: Page) -> list[float]:
    """For each letter of a query, the milliseconds until the frame with its results, on a slowed page; often enough for a percentile."""
    _slow_down(page)
    for _ in range(TYPED_TIMES):
        _type_anew(page, QUERY)
    return [float(took) for took in page.evaluate("keys")]


def _type_anew(page: Page, query: str, spent: Callable[[], float] = lambda: 0) -> list[float]:
    """Types so slowly that every letter's results come, and what follows them; returns what each letter added until its first results."""
    page.locator(SEARCH_FIELD).fill("")
    page.wait_for_timeout(REST_MS)
    added = []
    for letter in query:
        before = spent()
        page.keyboard.press(letter)
        page.wait_for_timeout(KEY_MS)
        added.append(spent() - before)
        page.wait_for_timeout(REST_MS)
    return added


@dataclass(frozen=True)
class Runs:
    """Milliseconds from Run to the first output, by what was there: nothing, a Python that runs, the files, the files and a snapshot."""

    cold: float
    again: float
    warm: float
    snapshot: float


def run_ms(browser: Browser, url: str) -> Runs:
    """The page's first Python snippet, run in four visits' worth of ways."""
    with tab(browser) as page:
        page.goto(url, wait_until="networkidle")
        snippet = page.locator("py-snippet").first
        snippet.scroll_into_view_if_needed()
        recorded = snippet.locator(".frame-output").inner_text()
        ready = snippet.locator("button.primary[aria-disabled=false]")

        def run() -> float:
            ready.wait_for(timeout=BOOT_MS)
            took = float(snippet.evaluate(RUN))
            ready.wait_for(timeout=BOOT_MS)
            shown = snippet.locator(".frame-output").inner_text()
            assert shown == recorded, f"{url} shows {shown!r}"
            return took

        def run_anew(start: str) -> float:
            page.reload(wait_until="networkidle")
            snippet.scroll_into_view_if_needed()
            took = run()
            began = page.locator("iframe").first.get_attribute("data-start")
            assert began == start, f"Python began from {began}"
            return took

        cold, again = run(), run()
        page.evaluate("() => gpubites.keepOffline({ python: true })")  # a start is kept only for who keeps Python
        run()
        deadline = monotonic() + BOOT_MS / 1000
        while not page.evaluate(SNAPSHOT, False):
            assert monotonic() < deadline, "no snapshot was kept"
            page.wait_for_timeout(200)
        snapshot = run_anew("snapshot")
        page.evaluate(SNAPSHOT, True)
        return Runs(cold, again, run_anew("plain"), snapshot)


def first_frame_ms(browser: Browser, url: str) -> float:
    """From the first press on a slider of the page's first simulator to its new picture. Nothing of it is loaded but the page."""
    with tab(browser) as page:
        page.goto(url, wait_until="networkidle")
        lab = page.locator("sim-lab").first
        lab.scroll_into_view_if_needed()
        lab.locator(".lab-slider button").first.wait_for()
        return float(lab.evaluate(TOUCH))


def shader_frame_ms(browser: Browser, url: str) -> float:
    """Between two frames of the page's first shader demo while it plays, by its own meter, once it has settled."""
    with tab(browser) as page:
        page.goto(url, wait_until="networkidle")
        demo = page.locator("shader-demo").first
        demo.scroll_into_view_if_needed()
        demo.get_by_role("button", name="Run", exact=True).click()
        return float(page.evaluate(METER))


def bare_run_ms(browser: Browser, code: str) -> float:
    """The same for a page that holds nothing but a worker with Pyodide as it comes."""
    with tempfile.TemporaryDirectory() as folder:
        for path in (ROOT / "node_modules" / "pyodide").iterdir():
            if path.suffix in (".mjs", ".wasm", ".zip", ".json"):
                copy(path, folder)
        (Path(folder) / "worker.js").write_text(BARE_WORKER)
        (Path(folder) / "index.html").write_text("<!doctype html><title>bare</title>")
        with serve(Path(folder)) as host, tab(browser) as page:
            page.goto(host.url)
            return float(page.evaluate(RUN_BARE, code))
