"""Cards as they are seen: in Anki's card on a phone, light and dark, and cut from paper."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from anki_collection import card_of, fresh_collection, imported
from gpubites.cards import cards
from gpubites.export.anki import anki_package
from gpubites.library import Library
from gpubites.render.card import face
from test_pages import axe_violations
from witness import PHONE

# As Anki's own reviewers mark the night: on a computer, on Android.
NIGHTS = {"day": "card", "night": "card nightMode", "night on Android": "card night_mode"}
# One of each kind, and one whose answer holds code.
SHOWN = ("q-coalescing-same-cost", "q-coalescing-aos", "q-coalescing-share", "a-coalescing", "a-what-is-cuda")


@pytest.fixture(scope="module")
def sides(library: Library, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, str]]:
    """Card → front and back, as Anki renders them."""
    folder = tmp_path_factory.mktemp("anki")
    faces = [face(card) for card in cards(library, "https://example.org/") if card.id in SHOWN]
    with fresh_collection(folder) as collection:
        imported(collection, anki_package(faces, "https://example.org/", 1_764_500_000), folder)
        shown = {name: card_of(collection, name) for name in SHOWN}
        return {name: (card.question(), card.answer()) for name, card in shown.items()}


def show(page: Page, side: str, body: str) -> None:
    page.set_content(
        f'<!doctype html><html lang="en"><title>Anki</title><body class="{body}"><main><h1 hidden>Anki</h1>{side}</main></body></html>'
    )


@pytest.mark.parametrize("night", NIGHTS)
def test_a_card_can_be_read_on_a_phone(browser: Browser, sides: dict[str, tuple[str, str]], night: str) -> None:
    page = browser.new_page(viewport=PHONE)
    for name, (front, back) in sides.items():
        for side in (front, back):
            show(page, side, NIGHTS[night])
            page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true })")
            assert [found for found in axe_violations(page) if found.startswith("color-contrast")] == [], name
            wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wider <= 0, f"{name} scrolls sideways by {wider} px"
            size = page.evaluate("parseFloat(getComputedStyle(document.querySelector('.gpu-bites')).fontSize)")
            assert size >= 17
    page.close()


def test_choices_are_mixed_and_none_is_lost(browser: Browser, sides: dict[str, tuple[str, str]]) -> None:
    page = browser.new_page()
    front, back = sides["q-coalescing-same-cost"]
    orders = set()
    for _ in range(40):  # four choices: that all forty are alike happens once in 10⁵⁴
        show(page, front, "card")
        orders.add(tuple(page.locator(".choices li").all_inner_texts()))
    assert len(orders) > 1
    assert {tuple(sorted(order)) for order in orders} == {("x[31 - i]", "x[i * 31]", "x[i + 1]", "x[i + 8]")}
    show(page, back, "card")
    assert [text.split("\n")[0] for text in page.locator(".reasons li").all_inner_texts()] == [
        "✓ Right: x[i + 8]",
        "✓ Right: x[31 - i]",
        "✗ Wrong: x[i + 1]",
        "✗ Wrong: x[i * 31]",
    ]
    page.close()


def test_every_card_fits_its_place_on_paper(browser: Browser, site: Path, site_url: str) -> None:
    page = browser.new_page()
    page.emulate_media(media="print")
    for paper in sorted((site / "decks/print").iterdir()):
        page.goto(f"{site_url}decks/print/{paper.name}/")
        too_long = page.evaluate("""() => [...document.querySelectorAll(".sheet-card")]
            .filter((card) => card.scrollHeight > card.clientHeight + 1 || card.scrollWidth > card.clientWidth + 1)
            .map((card) => card.textContent.trim().slice(0, 60))""")
        assert too_long == [], paper.name
    page.close()


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_each_answer_is_printed_on_the_back_of_its_question(browser: Browser, site_url: str, paper: str) -> None:
    """Two pages a sheet, and no page in between; the first of a row stands on the left in front, and on the right behind."""
    page = browser.new_page()
    page.goto(f"{site_url}decks/print/mem/")
    pdf = page.pdf(format=paper)
    sheets = page.locator(".sheet").count()
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == sheets
    page.emulate_media(media="print")
    middles = """(sheet) => [...sheet.children].map((card) => {
        const [inner, outer] = [card.getBoundingClientRect(), sheet.getBoundingClientRect()];
        return inner.x + inner.width / 2 - outer.x - outer.width / 2;
    })"""  # right of the middle of the sheet is positive
    for front, back in zip(page.locator(".sheet:not(.sheet-backs)").all(), page.locator(".sheet-backs").all(), strict=True):
        for question, answer in zip(front.evaluate(middles), back.evaluate(middles), strict=True):
            assert question == pytest.approx(-answer, abs=1) and abs(question) > 100
        assert front.evaluate(middles)[0] < 0
    page.close()
