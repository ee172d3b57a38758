"""A program that attacks: whatever it tries from inside the sandbox is refused, and the page and its caches are as they were."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from snippets import BOOT, Snippet, open_python_page, run
from witness import wait_until

pytestmark = pytest.mark.xdist_group("python")  # one process, one warm page for most of them

# Each attempt runs in a worker of the attacker's own, made from a blob: free of the runner's wrappers, in all of JavaScript.
# An attempt that resolves was allowed. `heard` tells which of an object's events came first, its good one or its error.
HEARD = """const heard = (source, good) => new Promise((ok, no) => {
  source["on" + good] = ok;
  source.onerror = no;
  setTimeout(no, 500);
});"""
ATTEMPTS = {
    "fetch": "fetch(SITE)",
    "fetch without reading": "fetch('https://example.com/?secret', {mode: 'no-cors'})",
    "fetch that outlives the page": "fetch(SITE, {method: 'POST', keepalive: true, mode: 'no-cors'})",
    "XMLHttpRequest": "(() => { const x = new XMLHttpRequest(); x.open('GET', SITE); x.send(); return heard(x, 'load'); })()",
    "WebSocket": "heard(new WebSocket(SITE.replace('http', 'ws')), 'open')",
    "EventSource": "heard(new EventSource(SITE), 'open')",
    "WebTransport": "new WebTransport('https://127.0.0.1:1/').ready",
    "import()": "import(SITE + 'sw.js')",
    "import() of data": "import('data:text/javascript,export default 1')",
    "importScripts": "(async () => importScripts(SITE + 'sw.js'))()",
    "importScripts of a blob": "(async () => importScripts(URL.createObjectURL(new Blob(['1']))))()",
    "eval": "(async () => (0, eval)('1'))()",
    "new Function": "(async () => new Function('return 1')())()",
    "setTimeout with text": "new Promise((ok, no) => { self.ok = ok; setTimeout('self.ok()', 0); setTimeout(no, 200); })",
    "a worker from the site": "heard(new Worker(SITE + 'sw.js'), 'message')",
    "IndexedDB": "heard(indexedDB.open('p'), 'success')",
    "caches": "caches.open('stolen')",
    "caches.match": "caches.match(SITE)",
    "localStorage": "(async () => localStorage.length)()",
    "cookieStore": "cookieStore.getAll()",
    "files of the origin": "navigator.storage.getDirectory()",
    "locks": "navigator.locks.request('l', () => 1)",
    "service workers": "navigator.serviceWorker.getRegistrations()",
    "a font from elsewhere": "new FontFace('f', 'url(https://example.com/f.woff2)').load()",
    "parent": "(async () => parent.document)()",
    "top": "(async () => top.location.href)()",
    "document": "(async () => document.cookie)()",
    "opening a window": "(async () => open(SITE))()",
    "navigating": "(async () => { location.href = SITE; location.assign(SITE); })()",
}

ATTACK = """
import json
import js
from pyodide.ffi import create_proxy, to_js
import asyncio

script = '''
const SITE = %(site)s;
%(heard)s
const attempts = {%(attempts)s};
(async () => {
  const results = {};
  for (const name in attempts) {
    try { await attempts[name](); results[name] = "ALLOWED"; } catch (error) { results[name] = "refused"; }
  }
  postMessage(JSON.stringify(results));
})();
'''
async def main():
    blob = js.Blob.new(to_js([script]))
    worker = js.Worker.new(js.URL.createObjectURL(blob))
    answer = asyncio.get_running_loop().create_future()
    worker.onmessage = create_proxy(lambda event: answer.set_result(event.data))
    worker.onerror = create_proxy(lambda event: answer.set_result(json.dumps({"worker": event.message})))
    print(await answer)
asyncio.run(main())
"""


def attack(site_url: str) -> str:
    attempts = ", ".join(f"{json.dumps(name)}: () => {attempt}" for name, attempt in ATTEMPTS.items())
    return ATTACK % {"site": json.dumps(site_url), "heard": HEARD, "attempts": attempts}


@pytest.fixture(scope="module")
def warm(browser: Browser, site_url: str) -> Iterator[Page]:
    context = browser.new_context()
    page = context.new_page()
    open_python_page(page, site_url)
    run(page, "print(1)")
    yield page
    context.close()


SNAPSHOT = """async () => {
  const digestOf = async (bytes) => Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)),
    (byte) => byte.toString(16).padStart(2, "0")).join("");
  for (const name of await caches.keys()) {
    if (!name.startsWith("gpubites snapshot ")) continue;
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const kept = await cache.match(request);
      const bytes = new Uint8Array(await kept.arrayBuffer());
      let digest = kept.headers.get("X-Content-Digest");
      %s;
      await cache.put(request, new Response(bytes, {headers: {"X-Content-Digest": digest}}));
    }
  }
}"""


def everything_cached(page: Page) -> dict[str, str]:
    """Every entry of every cache, and what it holds."""
    found: dict[str, str] = page.evaluate(
        """async () => {
             const found = {};
             for (const name of await caches.keys()) {
               if (name.startsWith("gpubites snapshot ")) continue; // large, and may come at any time
               const cache = await caches.open(name);
               for (const request of await cache.keys()) {
                 found[name + " " + request.url] = await (await cache.match(request)).text();
               }
             }
             return found;
           }"""
    )
    return found


def test_every_way_out_is_refused_and_the_cached_home_page_is_what_it_was(context: BrowserContext, site_url: str) -> None:
    answered: list[str] = []
    context.on("response", lambda response: answered.append(response.url) if response.request.service_worker is None else None)
    page = context.new_page()
    open_python_page(page, site_url)
    page.evaluate("async (home) => { await (await caches.open('kept')).add(home); localStorage.setItem('kept', 'mine'); }", site_url)
    before = everything_cached(page)
    assert any(key.endswith(site_url) for key in before)
    run(page, "print(1)")
    answered.clear()

    results = json.loads(run(page, attack(site_url)))
    assert results == dict.fromkeys(ATTEMPTS, "refused")

    assert [url for url in answered if not url.startswith("blob:")] == []
    after = everything_cached(page)
    assert {key: after.get(key) for key in before} == before
    assert not [key for key in after if "stolen" in key]
    assert page.evaluate("localStorage.getItem('kept')") == "mine"
    assert page.url.startswith(site_url)


def test_the_runners_own_worker_is_as_closed_without_its_wrappers(warm: Page, site_url: str) -> None:
    code = f"""
import js
from pyodide.ffi import run_sync
js.Reflect.deleteProperty(js.self, "fetch")
for name, attempt in {{
    "fetch": lambda: run_sync(js.fetch({site_url!r})),
    "caches": lambda: run_sync(js.caches.open("stolen")),
    "eval": lambda: js.eval("1"),
    "Function": lambda: js.Function.new("return 1"),
    "importScripts": lambda: js.importScripts({site_url!r} + "sw.js"),
    "localStorage": lambda: js.localStorage,
    "parent": lambda: js.parent,
    "document": lambda: js.document,
}}.items():
    try:
        attempt()
    except BaseException as error:
        print(name, "refused")
    else:
        print(name, "ALLOWED")
"""
    text = run(warm, code)
    assert text.count("refused") == 8 and "ALLOWED" not in text


def test_the_frame_itself_can_reach_nothing_either(warm: Page, site_url: str) -> None:
    """The worker cannot reach the frame's window. If it could, this is what it would find."""
    run(warm, "print(1)")
    element = warm.locator("iframe").first
    expect(element).to_have_attribute("sandbox", "allow-scripts")
    frame = next(frame for frame in warm.frames if frame is not warm.main_frame)
    tried = frame.evaluate(
        """async (site) => {
             const framed = () => new Promise((ok, no) => {
               const inner = document.createElement("iframe");
               inner.src = site;
               inner.onload = () => (inner.contentDocument ? ok() : no());
               document.documentElement.append(inner);
               setTimeout(no, 500);
             });
             const opened = () => { if (!open(site)) throw new Error("no window"); };
             const tries = {
               fetch: () => fetch(site), storage: () => localStorage.length, caches: () => caches.keys(), frames: framed,
               parent: () => parent.document.title, top: () => { top.location = "https://example.com/"; }, open: opened,
             };
             const results = {};
             for (const name in tries) {
               try { await tries[name](); results[name] = "ALLOWED"; } catch { results[name] = "refused"; }
             }
             return [self.origin, results];
           }""",
        site_url,
    )
    assert tried == ["null", dict.fromkeys(("fetch", "storage", "caches", "parent", "top", "open", "frames"), "refused")]
    assert warm.url.startswith(site_url)
    frame.evaluate("location.href = 'https://example.com/'")
    warm.wait_for_timeout(300)
    assert not [frame.url for frame in warm.frames if "example.com" in frame.url]
    open_python_page(warm, site_url)


def test_what_begins_from_a_snapshot_is_as_closed_and_a_damaged_snapshot_is_not_used(context: BrowserContext, site_url: str) -> None:
    page = context.new_page()
    open_python_page(page, site_url)
    start = page.locator("iframe").first
    same = "import random\nprint(random.random())"
    numbers = {run(page, same)}
    expect(start).to_have_attribute("data-start", "plain")
    run(page, "print(1)")
    assert page.locator("iframe[data-start=making]").count() == 0
    assert page.evaluate(SNAPSHOT % "return true") is None, "kept unasked"

    page.evaluate("() => gpubites.keepOffline({ python: true })")
    run(page, "print(1)")
    wait_until(page, lambda: bool(page.evaluate(SNAPSHOT % "return bytes.length > 0")), BOOT / 1000)
    weight = page.evaluate(SNAPSHOT % "return bytes.length")
    assert round(weight / 1e6) == 31, f"web/elements/keep-offline.js promises 31 MB: {weight}"

    page.reload()
    open_python_page(page, site_url)
    for _ in range(2):  # two workers, of one memory
        numbers.add(run(page, same))
        expect(start).to_have_attribute("data-start", "snapshot")
        assert run(page, "import js\njs.left = 1\nprint('numpy' in __import__('sys').modules)") == "False\n"
    assert len(numbers) == 3
    assert json.loads(run(page, attack(site_url))) == dict.fromkeys(ATTEMPTS, "refused")
    assert run(page, "import numpy as np\nprint(np.linalg.norm([3, 4]))") == "5.0\n"

    # Other bytes under the right name; then bytes that were noted, but cannot be begun from.
    page.evaluate(SNAPSHOT % "bytes[1 << 20] ^= 1")
    page.reload()
    open_python_page(page, site_url)
    assert run(page, "print(6 * 7)") == "42\n"
    expect(start).to_have_attribute("data-start", "plain")
    wait_until(page, lambda: bool(page.evaluate(SNAPSHOT % "return digest === (await digestOf(bytes))")), BOOT / 1000)
    page.evaluate(SNAPSHOT % "bytes[0] ^= 1; digest = await digestOf(bytes)")
    page.reload()
    open_python_page(page, site_url)
    assert run(page, "print(6 * 7)") == "42\n"
    expect(start).to_have_attribute("data-start", "plain")
    wait_until(page, lambda: bool(page.evaluate(SNAPSHOT % "return bytes.length === 0")))


def test_forged_messages_are_text_at_most(warm: Page) -> None:
    code = """
import js, json
for run in range(20):
    for message in (
        {"type": "output", "run": run, "stream": "out", "text": "<b>forged</b>\\n", "html": "<b>x</b>"},
        {"type": "output", "run": run, "stream": "__proto__", "text": {"toString": 1}},
        {"type": "started", "run": run}, {"type": "ready", "version": "<b>9</b>"}, {"type": "unheard of"},
        {"__proto__": {"polluted": 1}, "type": "output", "constructor": {"prototype": {"polluted": 1}}},
    ):
        js.postMessage(json.dumps(message))
print("honest")
"""
    snippet = Snippet(warm, code)
    text = snippet.run()
    assert text.endswith("honest\n")
    assert set(text.splitlines()) <= {"honest", "<b>forged</b>"}
    expect(snippet.figure.locator("b")).to_have_count(0)
    assert warm.evaluate("({}).polluted") is None
    assert run(warm, "print(1 + 1)") == "2\n"


def test_a_forged_start_does_not_buy_time(warm: Page) -> None:
    code = """
import js, json, time
print("started")
while True:
    for run in range(20): js.postMessage(json.dumps({"type": "started", "run": run}))
    time.sleep(0.5)
"""
    snippet = Snippet(warm, code)
    snippet.run()
    snippet.says("Stopped after 10 seconds, the most a program may take in this page. Python on your own machine has no such limit.")


def test_a_program_cannot_forge_its_end(warm: Page) -> None:
    """It would go on unseen. What ends a run carries a secret, and the program cannot learn it from what is sent meanwhile."""
    code = """
import js, json
from pyodide.ffi import create_proxy
seen = []
def spy(this, *_):
    seen.append(str(this.run))
    return this
js.Object.prototype.toJSON = create_proxy(spy, capture_this=True)
print("first")
print("second")
for run in seen + [1, "1", "", None]: js.postMessage(json.dumps({"type": "done", "run": run, "ok": True, "reuse": True}))
print(seen)
while True: pass
"""
    snippet = Snippet(warm, code)
    assert snippet.run() == "first\nsecond\n[]\n"
    snippet.says("Stopped after 10 seconds, the most a program may take in this page. Python on your own machine has no such limit.")


@pytest.mark.parametrize("flood", ["js.postMessage('{}')", "js.postMessage('x' * 10**7)", "js.postMessage(js.Object.new())"])
def test_a_flood_is_stopped_while_the_page_stays_usable(warm: Page, flood: str) -> None:
    run(warm, "print(1)")
    snippet = Snippet(warm, f"import js\nprint('flood')\nwhile True: {flood}")
    snippet.press("Run")
    expect(snippet.output).to_have_text("flood\n", timeout=BOOT)
    expect(snippet.button("Stop")).to_be_hidden(timeout=5000)
    snippet.says("The program sent more than a page can show, and was stopped.")
    assert run(warm, "print(1 + 1)") == "2\n"


def test_what_a_program_changes_in_javascript_does_not_meet_the_next(warm: Page) -> None:
    changes = (
        "js.JSON.stringify = lambda *_: '{}'",
        "js.Object.prototype.type = 'done'",
        "js.setInterval(js.postMessage, 1, 'x')",
    )
    run(warm, "\n".join(("import js", *changes)))
    snippet = Snippet(warm, "import json\nprint(json.dumps({'a': 1}))")
    assert snippet.run() == '{"a": 1}\n'


def test_a_worker_that_closes_itself_is_noticed(warm: Page) -> None:
    snippet = Snippet(warm, "import js, time\njs.close()\ntime.sleep(1)\nprint('still here')")
    snippet.run()
    assert run(warm, "print(1 + 1)") == "2\n"
