"""Every kind of page in a real browser: no console error, no foreign request, no axe violation, in four settings."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from witness import DESKTOP, PHONE, Witness

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
PAGES = {
    "home": "",
    "all": "s/",
    "hub": "s/mem/",
    "question": "b/coalescing/",
    "explainer": "b/dynamic-batching/",
    "story": "b/kernel-project/",
    "shader": "b/vertex-and-fragment-shaders/",
    "notebook": "notebooks/roofline/",
    "notebooks": "notebooks/",
    "labs": "labs/",
    "facts": "facts/",
    "terms": "terms/",
    "map": "map/",
    "decks": "decks/",
    "cards": "decks/print/mem/",
    "freshness": "about/freshness/",
    "study": "study/",
    "about": "about/",
    "rules": "about/rules/",
    "404": "404.html",
}
SETTINGS = {
    "phone-light": {"viewport": PHONE, "color_scheme": "light"},
    "phone-dark": {"viewport": PHONE, "color_scheme": "dark"},
    "desktop-light": {"viewport": DESKTOP, "color_scheme": "light"},
    "desktop-dark": {"viewport": DESKTOP, "color_scheme": "dark"},
}


def axe_violations(page: Page) -> list[str]:
    """What axe finds against WCAG 2 A and AA, in words."""
    # Evaluated through the debugger, since the page's own policy refuses foreign scripts.
    page.evaluate(AXE.read_text())
    found: Any = page.evaluate("() => axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']})")
    return [
        f"{violation['id']}: {violation['help']}: {[node['html'][:160] for node in violation['nodes'][:4]]}"
        for violation in found["violations"]
    ]


def open_everything(page: Page) -> None:
    """What is folded or checked later has to be readable too."""
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true })")


# Looked at in all four settings. The others share their parts: one width in light and one in dark tell as much, `make test-full` has all.
IN_ALL_SETTINGS = ("home", "hub", "question", "explainer", "story", "notebook", "study")
FULL = bool(os.environ.get("GPUBITES_FULL"))


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        (name, setting)
        for name in PAGES
        for setting in SETTINGS
        if FULL or name in IN_ALL_SETTINGS or setting in ("phone-dark", "desktop-light")
    ],
)
def test_page_is_clean(browser: Browser, site_url: str, name: str, setting: str) -> None:
    context = browser.new_context(reduced_motion="reduce", **SETTINGS[setting])  # type: ignore[arg-type]
    witness = Witness(site_url)
    witness.watch(context)
    page = context.new_page()
    page.goto(site_url + PAGES[name], wait_until="networkidle")
    open_everything(page)
    assert axe_violations(page) == []
    wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wider <= 0, f"the page scrolls sideways by {wider} px"
    assert witness.foreign == []
    assert witness.errors == []
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_search_box_is_clean(browser: Browser, site_url: str, scheme: Any) -> None:
    context = browser.new_context(color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    page.goto(site_url)
    page.locator("[data-search]").first.click()
    page.get_by_role("combobox", name="Search").fill("bank")
    page.locator(".search-results li").first.wait_for()
    assert axe_violations(page) == []
    context.close()


def test_axe_would_complain(page: Page, site_url: str) -> None:
    """The check itself can fail: an image without text and a gray on gray are found."""
    page.goto(site_url)
    page.evaluate(
        """() => document.querySelector('main').insertAdjacentHTML('beforeend',
        '<img src="x.png"><p style="color:#999;background:#aaa">Hardly to be read</p>')"""
    )
    found = " ".join(axe_violations(page))
    assert "image-alt" in found
    assert "color-contrast" in found


@pytest.mark.parametrize("name", ["home", "question", "explainer", "story", "hub", "terms"])
def test_text_survives_200_percent_zoom(browser: Browser, site_url: str, name: str) -> None:
    """At 640 CSS px and double the text size, nothing is clipped and nothing scrolls sideways."""
    context = browser.new_context(viewport={"width": 640, "height": 450}, device_scale_factor=2)
    page = context.new_page()
    page.goto(site_url + PAGES[name])
    open_everything(page)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    clipped = page.evaluate(
        """() => [...document.querySelectorAll('main *')].filter((element) => {
            const style = getComputedStyle(element);
            const cut = ['hidden', 'clip'].includes(style.overflowX) || ['hidden', 'clip'].includes(style.overflowY);
            return cut && style.position !== 'absolute' && element.textContent.trim()
                && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1);
        }).map((element) => element.outerHTML.slice(0, 120))"""
    )
    assert clipped == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    context.close()
