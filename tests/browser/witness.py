"""What no page may do, noted while a test runs; and what every test knows: two sizes of window, and how to wait."""

from __future__ import annotations

import time
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}
# What the browser says when a page is left in the middle of a download.
EXPECTED_NOISE = ("net::ERR_ABORTED",)
PATIENCE = 30  # seconds: how long a busy machine may take, not how long it takes


def wait_until(page: Page, is_so: Callable[[], bool], patience: float = PATIENCE) -> None:
    """For what `expect` cannot see, such as what is stored."""
    deadline = time.monotonic() + patience
    while not is_so():
        assert time.monotonic() < deadline, f"not in {patience} seconds"
        page.wait_for_timeout(50)


class Witness:
    """Notes what no page may do: errors on the console, exceptions, requests to another host."""

    def __init__(self, home: str) -> None:
        self.home = home
        self.errors: list[str] = []
        self.foreign: list[str] = []

    def watch(self, context: BrowserContext) -> None:
        context.on("request", lambda request: self._request(request.url))
        context.on("console", lambda message: self._console(message.type, message.text))
        context.on("weberror", lambda error: self.errors.append(str(error.error)))

    def _request(self, url: str) -> None:
        if not url.startswith((self.home, "data:", "blob:", "about:")):
            self.foreign.append(url)

    def _console(self, kind: str, text: str) -> None:
        if kind == "error" and not any(noise in text for noise in EXPECTED_NOISE):
            self.errors.append(text)
