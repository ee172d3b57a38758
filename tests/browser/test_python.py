"""Python in the page: runs, streams, stops, explains, and leaves the page as it found it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from gpubites.library import Library
from snippets import BOOT, Snippet, open_python_page, run

pytestmark = pytest.mark.xdist_group("python")  # one process, one warm page for most of them
LONG = "import time\nprint('started', flush=True)\ntime.sleep(600)\n"


@pytest.fixture(scope="module")
def warm(browser: Browser, site_url: str) -> Iterator[Page]:
    """One page for many tests: Python is downloaded and started once, as in a reader's visit."""
    context = browser.new_context()
    page = context.new_page()
    open_python_page(page, site_url)
    run(page, "print(1)")
    yield page
    context.close()


@pytest.fixture
def fresh(browser: Browser, site_url: str) -> Iterator[Page]:
    """A page in which nothing has run yet. Without a service worker, so that a test can stand between page and network."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    open_python_page(page, site_url)
    yield page
    context.close()


def loaded(page: Page) -> list[str]:
    """The files of the site that the page has loaded so far, by name."""
    names: list[str] = page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name.split('/').at(-1))")
    return names


# What is loaded, and when


def test_nothing_of_python_is_loaded_before_run_and_numpy_only_when_imported(fresh: Page) -> None:
    before = loaded(fresh)
    assert not [name for name in before if re.search(r"pyodide|stdlib|worker|numpy|\.wasm", name)]
    assert run(fresh, "print(6 * 7)") == "42\n"
    after = loaded(fresh)
    assert [name for name in after if name.endswith(".wasm")]
    assert not [name for name in after if "numpy" in name]
    assert run(fresh, "import numpy as np\nprint(np.arange(4).sum())\n") == "6\n"
    assert [name for name in loaded(fresh) if "numpy" in name]


def test_a_download_shows_how_far_it_is_and_can_be_stopped(fresh: Page) -> None:
    fresh.route("**/*.wasm", lambda route: None)  # never answered
    snippet = Snippet(fresh, "print(1)")
    snippet.press("Run")
    snippet.says("Downloading Python (13")
    progress = snippet.figure.get_by_role("progressbar")
    expect(progress).to_be_visible()
    assert snippet.text() == "recorded\n"
    snippet.press("Stop")
    snippet.says("Stopped.")
    expect(progress).to_be_hidden()
    fresh.unroute("**/*.wasm")
    assert snippet.run() == "1\n"


def test_a_damaged_download_is_not_used_and_the_recording_stays(fresh: Page) -> None:
    def damage(route: Route) -> None:
        answer = route.fetch()
        body = bytearray(answer.body())
        body[1000] ^= 1
        route.fulfill(response=answer, body=bytes(body))

    fresh.route("**/*.zip", damage)
    snippet = Snippet(fresh, "print(1)")
    assert snippet.run() == "recorded\n"
    snippet.says("Python could not be downloaded")
    fresh.unroute("**/*.zip")
    assert snippet.run() == "1\n"


def test_without_a_connection_it_says_so(fresh: Page) -> None:
    snippet = Snippet(fresh, "print(1)")
    fresh.context.set_offline(True)
    assert snippet.run() == "recorded\n"
    snippet.says("Is there a connection?")
    snippet.says("“Make Python available offline” at the foot of the page")
    fresh.context.set_offline(False)


def test_python_runs_where_storage_is_blocked(context: BrowserContext, site_url: str) -> None:
    context.add_init_script(
        """for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) Object.defineProperty(window, name, {
             get() { throw new DOMException("blocked", "SecurityError"); } });"""
    )
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    open_python_page(page, site_url)
    assert run(page, "print(sum(range(10)))") == "45\n"
    first = page.locator("figure:has(> py-snippet)").first
    first.get_by_role("button", name="Edit").click()
    first.locator(".cm-content").fill("print('mine')")
    expect(first.locator(".runner-version")).to_contain_text("Your draft, kept for this visit only")
    assert errors == []


# What a run shows


def test_a_run_replaces_the_recording_and_reset_brings_it_back(warm: Page) -> None:
    snippet = Snippet(warm, "print('mine')")
    assert snippet.run() == "mine\n"
    snippet.says(re.compile(r"^Done in \d+\.\d\d s\.$"))
    expect(snippet.origin).to_have_text(re.compile(r"your run · Python 3\.14\.\d+ in this browser"))
    expect(snippet.output).to_have_accessible_name("Output of mine.py, your run")
    snippet.press("Reset")
    assert snippet.text() == "recorded\n"
    expect(snippet.origin).to_have_text("recorded with CPython")
    expect(snippet.output).to_have_accessible_name("Output of mine.py")
    expect(snippet.button("Reset")).to_be_hidden()


def test_what_stands_before_and_after_the_part_runs_too(warm: Page) -> None:
    snippet = Snippet(warm, "b = a + 1", before="a = 1\n", after="print(a, b)\n")
    assert snippet.run() == "1 2\n"


def test_output_streams_while_the_program_runs(warm: Page) -> None:
    snippet = Snippet(warm, "import time\nprint('one')\nprint('two')\ntime.sleep(3)\nprint('three')\n")
    snippet.press("Run")
    expect(snippet.output).to_have_text("one\ntwo\n", use_inner_text=False, timeout=2500)
    expect(snippet.button("Stop")).to_be_visible()
    expect(snippet.output).to_have_text("one\ntwo\nthree\n")


def test_computing_after_a_print_does_not_hold_the_print_back(warm: Page) -> None:
    snippet = Snippet(warm, "for i in range(3): print(i)\nwhile True: pass\n")
    snippet.press("Run")
    expect(snippet.output).to_have_text("0\n1\n2\n", timeout=3000)
    snippet.press("Stop")
    snippet.says("Stopped.")


def test_a_traceback_names_the_readers_line_and_the_editor_marks_it(warm: Page) -> None:
    snippet = Snippet(warm, "def half(n):\n    return 1 / n\n\nhalf(0)\n", before="import math\n\n")
    snippet.press("Edit")
    text = snippet.run()
    assert text.startswith('Traceback (most recent call last):\n  File "mine.py", line 6, in <module>\n    half(0)\n')
    assert "_pyodide" not in text and "run_file" not in text
    snippet.says("ZeroDivisionError: division by zero (line 4)")
    marked = snippet.figure.locator(".editor-error")
    expect(marked).to_have_text("    return 1 / n")
    message = snippet.figure.get_by_text("Line 4: ZeroDivisionError")
    expect(message).to_be_visible()
    line, said = marked.bounding_box(), message.bounding_box()
    assert line and said and abs(said["y"] - line["y"] - line["height"]) < 2, "the message stands below its line"
    snippet.editor.press("End")
    snippet.editor.press_sequentially(" ")
    expect(marked).to_have_count(0)


def test_an_error_outside_of_the_part_is_told_at_the_end_it_lies_beyond(warm: Page) -> None:
    snippet = Snippet(warm, "total = 1\n", before="import math\n\n", after="print(total)\n")
    snippet.press("Edit")
    expect(snippet.figure.locator(".editor-hint")).to_contain_text("The lines around this part run too")
    snippet.editor.press("ControlOrMeta+a")
    snippet.editor.press_sequentially("sum = 2")
    snippet.run()
    snippet.says("NameError: name 'total' is not defined (line 4)")
    message = snippet.figure.locator(".editor-message")
    expect(message).to_have_text("Line 4, after this part: print(total)\nNameError: name 'total' is not defined")
    expect(snippet.figure.locator(".editor-error")).to_have_count(0)
    last, said = snippet.figure.locator(".cm-line").last.bounding_box(), message.bounding_box()
    assert last and said and said["y"] >= last["y"] + last["height"] - 1

    before = Snippet(warm, "print(1)\n", name="other", before="1 / 0\n")
    before.press("Edit")
    before.run()
    expect(before.figure.locator(".editor-message")).to_have_text("Line 1, before this part: 1 / 0\nZeroDivisionError: division by zero")
    first, said = before.figure.locator(".cm-line").first.bounding_box(), before.figure.locator(".editor-message").bounding_box()
    assert first and said and said["y"] < first["y"]


@pytest.mark.parametrize(
    ("code", "explained"),
    [
        ("name = input('who? ')", "There is no keyboard here for input()"),
        ("import threading\nthreading.Thread(target=print).start()", "Threads do not run in the browser"),
        ("import subprocess\nsubprocess.run(['ls'])", "Other programs do not run in the browser"),
        ("import multiprocessing\nmultiprocessing.Pool(2)", "Processes do not run in the browser"),
        ("import requests", "the standard library and numpy can be imported"),
        ("import urllib.request\nurllib.request.urlopen('https://example.com')", "There is no network here"),
    ],
)
def test_what_cannot_work_is_explained(warm: Page, code: str, explained: str) -> None:
    assert explained in run(warm, code)


def test_output_is_text_whatever_it_holds(warm: Page) -> None:
    snippet = Snippet(warm, "print('<img src=x onerror=alert(1)><b>bold</b>')\nraise ValueError('<i>no</i>')\n")
    assert "<b>bold</b>" in snippet.run()
    snippet.says("ValueError: <i>no</i> (line 2)")
    expect(snippet.figure.locator("b, i, img")).to_have_count(0)


def test_a_printed_svg_with_a_title_is_drawn_from_shapes_and_texts_only(warm: Page) -> None:
    svg = """<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 20' onload='window.hit = 1'><title>A bar, %s</title>
<script>window.hit = 1</script><style>* { fill: red }</style><foreignObject><b>no</b></foreignObject><image href='/x.png'/>
<a href='/'><text y='9'>out</text></a><rect width='40' height='9' class='hot' style='fill: url(/y)'/><text y='19'>in</text></svg>"""
    snippet = Snippet(warm, f"print('before')\nprint({svg % 'hot'!r})\nprint('after')\nprint({svg.replace('<title>', '<desc>')!r})\n")
    text = snippet.run()
    picture = snippet.output.get_by_role("img", name="A bar, hot")
    expect(picture).to_be_visible()
    drawn = picture.evaluate("svg => svg.outerHTML")
    assert "rect" in drawn and not re.search(r"script|href|on\w+=|style|image|foreign|out", drawn)
    assert warm.evaluate("window.hit") is None
    assert text.startswith("before\n") and "after\n<svg" in text, "what has no title is text"
    assert "well formed" in text

    untitled = Snippet(warm, "print('<svg xmlns=\"http://www.w3.org/2000/svg\"><rect/></svg>')")
    assert "A picture needs a <title>" in untitled.run()
    expect(untitled.output.locator("svg")).to_have_count(0)


def test_every_run_starts_afresh(warm: Page) -> None:
    run(warm, "kept = 1\nprint('half', end='')")
    assert run(warm, "print('kept' in globals())") == "False\n"


def test_asyncio_runs_and_its_leftover_tasks_end_with_it(warm: Page) -> None:
    code = """
import asyncio
async def forever():
    try:
        while True: await asyncio.sleep(0.01)
    finally: print('cleaned up')
async def main():
    task = asyncio.create_task(forever())
    await asyncio.sleep(0.05)
    print('main ends')
asyncio.run(main())
"""
    assert run(warm, code) == "main ends\ncleaned up\n"


def test_dataclasses_and_numpy_work_as_in_a_file(warm: Page) -> None:
    code = """
from dataclasses import dataclass
import numpy as np
@dataclass
class Tile:
    rows: "int"
print(Tile(2), np.ones((2, 3), dtype=np.float32).sum(axis=0))
"""
    assert run(warm, code) == "Tile(rows=2) [2. 2. 2.]\n"


def test_every_snippet_of_the_library_prints_its_recording_here_too(warm: Page, library: Library) -> None:
    snippets = [snippet for snippet in library.snippets.values() if snippet.kind == "python" and snippet.recording]
    assert snippets
    for snippet in snippets:
        assert snippet.recording
        assert (snippet.name, run(warm, snippet.clean_text)) == (snippet.name, snippet.recording.body)


# Limits


@pytest.mark.parametrize(
    "code",
    [
        "while True: pass",
        "import time\ntime.sleep(600)",
        "import time\nwhile True:\n  try: time.sleep(1)\n  except BaseException: pass",
    ],
)
def test_stop_ends_any_program_and_the_next_one_runs(warm: Page, code: str) -> None:
    snippet = Snippet(warm, f"print('started')\n{code}")
    snippet.press("Run")
    expect(snippet.output).to_have_text("started\n", timeout=BOOT)
    snippet.press("Stop")
    expect(snippet.status).to_have_text("Stopped.", timeout=1000)
    assert snippet.text() == "started\n"
    assert run(warm, "print(1 + 1)") == "2\n"


def test_a_program_may_run_for_ten_seconds(warm: Page) -> None:
    snippet = Snippet(warm, "print('started')\nwhile True: pass")
    assert snippet.run() == "started\n"
    snippet.says("Stopped after 10 seconds, the most a program may take in this page. Python on your own machine has no such limit.")
    assert run(warm, "print(1 + 1)") == "2\n"


def test_memory_ends_at_its_cap_and_python_lives_on(warm: Page) -> None:
    code = """
from pyodide_js import _module
blocks = []
try:
    while True: blocks.append(bytearray(16 << 20))
except MemoryError:
    print(len(blocks) * 16, _module.HEAP8.length <= 512 << 20)
"""
    mebibytes, under = run(warm, code).split()
    assert 300 < int(mebibytes) < 512
    assert under == "True"
    assert run(warm, "print(1 + 1)") == "2\n"
    assert "Python has 512 MiB here." in run(warm, "blocks = []\nwhile True: blocks.append(bytearray(16 << 20))")


def test_a_hundred_thousand_prints_show_a_thousand_and_leave_the_page_alone(warm: Page) -> None:
    warm.evaluate(
        """() => {
             window.longest = 0;
             let last = performance.now();
             const tick = () => {
               const now = performance.now();
               window.longest = Math.max(window.longest, now - last);
               last = now;
               setTimeout(tick, 4);
             };
             tick();
           }"""
    )
    snippet = Snippet(warm, "for i in range(100_000): print(i)")
    text = snippet.run()
    assert text.startswith("0\n1\n2\n")
    kept = "80,000 lines after that were not kept. A page keeps 20,000 lines or 1,000,000 characters."
    assert text.endswith(f"\n999\n19,000 lines more. {kept} Show more")
    more = snippet.figure.get_by_role("button", name="Show more")
    more.click()
    expect(snippet.output).to_contain_text(f"1999\n18,000 lines more. {kept}")
    for _ in range(18):
        more.click()
    expect(more).to_be_hidden()
    expect(snippet.output).to_be_focused()
    assert (snippet.output.text_content() or "").startswith("".join(f"{line}\n" for line in range(20_000)) + "80,000 lines after")
    assert warm.evaluate("window.longest") < 1000
    assert run(warm, "print(1 + 1)") == "2\n"


def test_one_endless_line_is_cut(warm: Page) -> None:
    text = run(warm, "print('x' * 1_000_000)")
    assert text.count("x") < 100_100
    assert "1 line more." in text


def test_an_interpreter_that_dies_is_replaced(warm: Page) -> None:
    snippet = Snippet(warm, "import os\nos.abort()")
    snippet.run()
    snippet.says("Python stopped working")
    assert run(warm, "print(1 + 1)") == "2\n"


# Several snippets, and pages that change


def test_a_second_snippet_waits_for_the_first(warm: Page) -> None:
    first = Snippet(warm, "import time\ntime.sleep(2)\nprint('first')", name="first")
    second = Snippet(warm, "print('second')", name="second")
    first.press("Run")
    second.press("Run")
    second.says("Waiting for the other program to end.")
    expect(second.output).to_have_text("second\n", timeout=BOOT)
    assert first.text() == "first\n"


def test_a_snippet_that_waits_can_be_stopped(warm: Page) -> None:
    first = Snippet(warm, "import time\ntime.sleep(2)\nprint('first')", name="first")
    second = Snippet(warm, "print('second')", name="second")
    first.press("Run")
    second.press("Run")
    second.press("Stop")
    second.says("Stopped.")
    expect(first.output).to_have_text("first\n", timeout=BOOT)
    assert second.text() == "recorded\n"


def test_a_snippet_that_leaves_the_page_stops(warm: Page) -> None:
    Snippet(warm, LONG, name="gone").press("Run")
    expect(warm.locator("#snippet-gone .frame-output")).to_have_text("started\n", timeout=BOOT)
    warm.evaluate("document.querySelector('#snippet-gone').remove()")
    assert run(warm, "print(1 + 1)") == "2\n"


def test_a_snippet_that_comes_back_is_as_the_page_made_it(warm: Page) -> None:
    snippet = Snippet(warm, "print('mine')")
    snippet.run()
    warm.evaluate("""() => { const main = document.querySelector("main"); const figure = document.querySelector("#snippet-mine");
        figure.remove(); main.append(figure); }""")
    assert snippet.text() == "recorded\n"
    expect(snippet.button("Run")).to_have_count(1)
    assert snippet.run() == "mine\n"


# Keyboard and editor


def test_the_editor_is_loaded_by_edit_and_reset_closes_it(fresh: Page) -> None:
    snippet = Snippet(fresh, "print('as written')\n", before="import math\n")
    before = set(loaded(fresh))
    snippet.press("Edit")
    expect(snippet.editor).to_be_focused()
    assert set(loaded(fresh)) - before
    expect(snippet.editor).to_have_accessible_name("mine.py, editable")
    expect(snippet.figure.locator(".cm-lineNumbers")).to_contain_text("2")
    snippet.editor.fill("print('changed')")
    expect(snippet.figure.locator(".frame-source")).to_be_hidden()
    snippet.press("Reset")
    expect(snippet.editor).to_have_count(0)
    expect(snippet.figure.locator(".frame-source")).to_be_visible()


@pytest.mark.parametrize("keys", ["Control+Enter", "Meta+Enter"])
def test_control_or_command_enter_runs_what_was_edited(warm: Page, keys: str) -> None:
    snippet = Snippet(warm, "print('as written')\n", after="print('after')\n")
    snippet.press("Edit")
    snippet.editor.fill("print('changed')")
    snippet.editor.press(keys)
    expect(snippet.output).to_have_text("changed\nafter\n", timeout=BOOT)
    expect(snippet.editor).to_have_text("print('changed')")


def test_tab_indents_and_escape_then_tab_leaves_the_editor(warm: Page) -> None:
    snippet = Snippet(warm, "x = 1\n")
    snippet.press("Edit")
    expect(snippet.editor).to_be_focused()
    snippet.editor.press("Tab")
    expect(snippet.editor).to_be_focused()
    snippet.editor.press("Escape")
    warm.keyboard.press("Tab")
    expect(snippet.button("Run")).to_be_focused()


def test_the_focus_is_never_lost(warm: Page) -> None:
    snippet = Snippet(warm, LONG)
    snippet.button("Run").focus()
    warm.keyboard.press("Enter")
    expect(snippet.button("Run")).to_be_focused()
    expect(snippet.output).to_have_text("started\n", timeout=BOOT)
    warm.keyboard.press("Tab")
    expect(snippet.button("Stop")).to_be_focused()
    warm.keyboard.press("Enter")
    expect(snippet.button("Run")).to_be_focused()
    snippet.button("Reset").focus()
    warm.keyboard.press("Enter")
    expect(snippet.button("Run")).to_be_focused()
