"""The decks of the built site: opened with Anki's own library, whole and by section; the same bytes from a second build."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from anki.collection import Collection

from anki_collection import card_of, fresh_collection, imported
from gpubites.cards import Card, cards
from gpubites.export.anki import FIELDS
from gpubites.library import Library
from gpubites.render.card import face
from gpubites.render.view import written_sections

KILOBYTES_A_CARD = 2


@pytest.fixture(scope="module")
def whole(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collection]:
    """A collection into which the whole deck was imported."""
    folder = tmp_path_factory.mktemp("anki")
    with fresh_collection(folder) as collection:
        imported(collection, (site / "decks/gpu-bites.apkg").read_bytes(), folder)
        yield collection


@pytest.fixture(scope="module")
def made(library: Library, site: Path) -> tuple[Card, ...]:
    return cards(library, address(site))


def address(site: Path) -> str:
    """Where the built site says that it lives."""
    found = re.search(r'<link rel="canonical" href="([^"]+)decks/"', (site / "decks/index.html").read_text())
    assert found
    return found[1]


def test_the_deck_holds_every_card_and_nothing_else(whole: Collection, made: tuple[Card, ...]) -> None:
    assert {whole.get_note(found)["Id"] for found in whole.find_notes("")} == {card.id for card in made}
    assert whole.card_count() == whole.note_count() == len(made)
    for query in (
        "tag:gpu-bites::kind::numeric",
        "tag:gpu-bites::section::mem",
        "tag:gpu-bites::level::beginner",
        "tag:gpu-bites::role::kernel",
    ):
        assert 0 < len(whole.find_notes(query)) < len(made)


def test_every_card_shows_both_sides(whole: Collection, made: tuple[Card, ...]) -> None:
    for card in made:
        shown, sides = card_of(whole, card.id), face(card)
        front, back = shown.question(), shown.answer()
        assert sides.question in front and sides.asked in front and sides.answer + sides.more in back
        for side in (front, back):
            assert not re.search(rf"\{{\{{\S*(?:{'|'.join(FIELDS)})", side), f"{card.id}: a field of the template was not filled"
            assert not re.search(r"<img|\[sound:|\[latex\]|\[\$", side), f"{card.id}: Anki would look for a file"
            outside_code = re.sub(r"<code.*?</code>", "", side, flags=re.DOTALL)
            assert "\\(" not in outside_code and "\\[" not in outside_code, f"{card.id}: Anki would set that as maths"


def test_no_picture_or_sound_is_missing(whole: Collection) -> None:
    report = whole.media.check()
    assert list(report.missing) == [] and list(report.unused) == []


def test_the_sections_decks_are_the_whole_deck_in_pieces(site: Path, library: Library, made: tuple[Card, ...], tmp_path: Path) -> None:
    with fresh_collection(tmp_path) as collection:
        for section in written_sections(library):
            log = imported(collection, (site / f"decks/gpu-bites-{section.id}.apkg").read_bytes(), tmp_path)
            expected = sum(card.bite.section == section.id for card in made)
            assert log == {"new": expected, "updated": 0, "same": 0, "refused": 0}
        whole = imported(collection, (site / "decks/gpu-bites.apkg").read_bytes(), tmp_path)
        assert whole == {"new": 0, "updated": 0, "same": len(made), "refused": 0}


BUILD = """
import hashlib, sys, time
from pathlib import Path
from gpubites.export.decks import decks
from gpubites.library import load_library
for deck in decks(load_library(Path(sys.argv[1])), sys.argv[2], int(sys.argv[3])):
    for file in deck.files:
        print(file.path, hashlib.sha256(file.content).hexdigest())
"""


def test_a_second_build_gives_the_same_bytes(root: Path, site: Path, whole: Collection) -> None:
    """In another process, with other hashes, in another time zone, at another time."""
    built = str(whole.db.scalar("select max(mod) from notes"))
    environment = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Pacific/Auckland"}
    arguments = [sys.executable, "-c", BUILD, str(root), address(site), built]
    again = subprocess.run(arguments, env=environment, check=True, capture_output=True, text=True).stdout.split("\n")
    there = [f"{path.relative_to(site).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in _files(site)]
    assert sorted(line for line in again if line) == sorted(there)


def _files(site: Path) -> list[Path]:
    return [path for path in (site / "decks").iterdir() if path.suffix in (".apkg", ".csv", ".md")]


def test_the_page_lists_every_file_with_its_size(site: Path) -> None:
    page = (site / "decks/index.html").read_text()
    for path in _files(site):
        assert f'href="{path.name}" download' in page
        if path.suffix == ".apkg":
            assert f"<small>{max(1, round(path.stat().st_size / 1000))} kB</small>" in page
    assert len(_files(site)) == 3 * len(re.findall(r'<li class="deck">', page))


def test_every_card_is_on_paper_once(site: Path, made: tuple[Card, ...], library: Library) -> None:
    papers = [(site / f"decks/print/{section.id}/index.html").read_text() for section in written_sections(library)]
    assert sum(len(re.findall(r'<li class="sheet-card', paper)) for paper in papers) == 2 * len(made)
    text = "".join(papers)
    assert all(face(card).question in text and face(card).answer in text for card in made)


def test_decks_stay_small(site: Path, made: tuple[Card, ...]) -> None:
    assert (site / "decks/gpu-bites.apkg").stat().st_size < KILOBYTES_A_CARD * 1000 * len(made)


def test_the_page_of_decks_is_kept_offline_and_neither_the_files_nor_the_sheets(site: Path) -> None:
    kept = re.findall(r'"(decks/[^"]+)"', (site / "offline.json").read_text())
    assert kept == ["decks/index.html"]
