"""A warp's request on the page: whole as it comes, and stepped by keys and buttons."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from test_pages import axe_violations
from witness import Witness


def test_both_requests_are_stepped_together(page: Page, site_url: str, witness: Witness) -> None:
    page.goto(f"{site_url}b/coalescing/")
    figure = page.locator("#try-it warp-access").filter(has_text="strided_copy<8>")
    strided, coalesced = figure.locator(".access-says").all()
    expect(strided).to_have_text("32 lanes load 4 bytes each, 128 different bytes in 32 sectors: 1,024 bytes move.")
    figure.scroll_into_view_if_needed()

    figure.get_by_role("button", name="Next").press("ArrowRight")
    expect(strided).to_have_text("Sector 1 of 32: lane 0.")
    expect(figure.get_by_text("Play", exact=True)).to_be_hidden()  # less motion is asked for
    expect(coalesced).to_have_text("Sector 1 of 4: lanes 0-7.")
    expect(figure.locator(".lanes .now")).to_have_count(1 + 8)
    for _ in range(4):
        figure.get_by_role("button", name="Next").click()
    expect(strided).to_have_text("Sector 5 of 32: lane 4.")
    expect(coalesced).to_have_text("All 4 sectors are served.")
    expect(figure.locator(".waits")).to_have_count(27)
    assert axe_violations(page) == []

    figure.get_by_role("button", name="Back").click()
    expect(coalesced).to_have_text("Sector 4 of 4: lanes 24-31.")
    figure.get_by_role("button", name="Show all").click()
    expect(coalesced).to_have_text("32 lanes load 4 bytes each, 128 different bytes in 4 sectors: 128 bytes move.")
    expect(figure.locator(".waits, .now")).to_have_count(0)
