"""A real browser on the built site, served by a process of its own. A request to any other host fails the test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from gpubites.chromium import LAUNCH_ARGS, WEBGL_ARGS, find_chromium
from server import SiteServer

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}
# What the browser says when a page is left in the middle of a download, and for a 404 that a test asked for.
EXPECTED_NOISE = ("net::ERR_ABORTED",)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, "executable_path": str(find_chromium()), "args": [*LAUNCH_ARGS, *WEBGL_ARGS]}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "viewport": DESKTOP, "reduced_motion": "reduce"}


@pytest.fixture(scope="session")
def server(site: Path) -> Iterator[SiteServer]:
    with SiteServer(site) as server:
        yield server


@pytest.fixture(scope="session")
def site_url(server: SiteServer) -> str:
    return server.url


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


@pytest.fixture
def witness(context: BrowserContext, site_url: str) -> Iterator[Witness]:
    """Watches the test's pages; the test fails at its end if one of them misbehaved."""
    witness = Witness(site_url)
    witness.watch(context)
    yield witness
    assert not witness.foreign, f"requests to other hosts: {witness.foreign}"
    assert not witness.errors, f"errors on the console: {witness.errors}"


@pytest.fixture
def phone(browser: Browser, site_url: str) -> Iterator[Page]:
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce", has_touch=True)
    yield context.new_page()
    context.close()
