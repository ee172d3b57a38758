"""Python snippets in a page of the built site: puts one of our own there, as a bite holds it, and works it as a reader does."""

from __future__ import annotations

import json
import re
import urllib.request
from typing import Any

from playwright.sync_api import Locator, Page, expect

BOOT = 90_000  # ms: the first run downloads and starts Python, on a machine that does other things too

PUT = """([name, source]) => {
  document.getElementById("snippet-" + name)?.remove();
  const figure = document.createElement("figure");
  figure.className = "frame frame-python";
  figure.id = "snippet-" + name;
  figure.innerHTML = `<figcaption class="frame-bar"><span class="frame-kind">Python</span>
    <span class="frame-name">${name}.py</span> <span class="frame-origin">recorded with CPython</span></figcaption>
    <py-snippet data-name="${name}.py"><div class="frame-source highlight"><pre><code></code></pre></div>
    <script type="application/json" class="py-source"></script><div class="frame-controls"></div>
    <pre class="frame-output" tabindex="0" aria-label="Output of ${name}.py">recorded\\n</pre></py-snippet>`;
  figure.querySelector("code").textContent = source.part;
  figure.querySelector(".py-source").textContent = JSON.stringify(source);
  document.querySelector("main").append(figure);
}"""


def open_python_page(page: Page, site_url: str) -> None:
    """Opens a bite that holds a Python snippet, so that the page has what it needs to run one."""
    with urllib.request.urlopen(f"{site_url}api/v1/bites.json") as answer:
        bites: list[dict[str, Any]] = json.load(answer)["bites"]
    page.goto(next(site_url + bite["url"] for bite in bites if any(snippet["kind"] == "python" for snippet in bite["snippets"])))
    page.locator("py-snippet").first.scroll_into_view_if_needed()  # what it needs is loaded when it is about to be seen
    expect(page.locator("py-snippet:defined").first).to_be_attached(timeout=BOOT)


class Snippet:
    """A snippet in the page: `before`, `part` and `after` as in a bite, and a recording that says `recorded`."""

    def __init__(self, page: Page, part: str, *, name: str = "mine", before: str = "", after: str = "") -> None:
        first_line = before.count("\n") + 1
        page.evaluate(PUT, [name, {"before": before, "part": part, "after": after, "firstLine": first_line}])
        self.page = page
        self.name = name
        self.figure: Locator = page.locator(f"#snippet-{name}")
        self.status = self.figure.locator(".frame-status")
        self.output = self.figure.locator(".frame-output")
        self.origin = self.figure.locator(".frame-origin")
        self.editor = self.figure.locator(".cm-content")

    def press(self, word: str) -> None:
        self.figure.get_by_role("button", name=word, exact=True).click()

    def button(self, word: str) -> Locator:
        return self.figure.get_by_role("button", name=word, exact=True)

    def says(self, words: str | re.Pattern[str]) -> None:
        expect(self.status).to_contain_text(words, timeout=BOOT)

    def text(self) -> str:
        return self.output.text_content() or ""

    def run(self) -> str:
        """Presses Run, waits for the end, returns the output with all notices."""
        self.press("Run")
        expect(self.button("Stop")).to_be_hidden(timeout=BOOT)
        return self.text()


def run(page: Page, code: str) -> str:
    """What the program shows."""
    return Snippet(page, code).run()
