"""A real browser on the built site, served by a process of its own. A request to any other host fails the test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from gpubites.chromium import LAUNCH_ARGS, WEBGL_ARGS, find_chromium
from server import SiteServer
from witness import DESKTOP, PHONE, Witness

# How long a machine takes decides nothing: what is expected comes, or it does not.
expect.set_options(timeout=30_000)


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
