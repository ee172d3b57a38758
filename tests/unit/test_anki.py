"""An Anki package as its reader meets it: Anki's own library imports it, shows it, and imports a newer one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest
from anki.collection import Collection

from anki_collection import card_of, fresh_collection, imported, note_of, progress
from gpubites.cards import Card, cards
from gpubites.export.anki import FIELDS, MODEL_ID, anki_package, deck_name, tags
from gpubites.library import Library
from gpubites.render.card import face

SITE = "https://example.org/gpu-bites/"
BUILT, LATER = 1_764_500_000, 1_765_500_000  # 2025-11-30 and 2025-12-12: before the clock of whoever runs this
KNOWN, HARD, PUT_ASIDE = "q-coalescing-stride-two", "q-coalescing-share", "q-coalescing-aos"


def package(made: list[Card], built: int = BUILT) -> bytes:
    return anki_package([face(card) for card in made], SITE, built)


@pytest.fixture
def made(good: Library) -> list[Card]:
    return list(cards(good, SITE))


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    with fresh_collection(tmp_path) as collection:
        yield collection


def test_every_card_is_imported_into_its_deck(collection: Collection, made: list[Card], tmp_path: Path) -> None:
    assert imported(collection, package(made), tmp_path) == {"new": len(made), "updated": 0, "same": 0, "refused": 0}
    for card in made:
        assert collection.decks.name(card_of(collection, card.id).did) == deck_name(card)
        assert set(note_of(collection, card.id).tags) == set(tags(card, BUILT))
        assert f'<a href="{SITE}">GPU Bites</a>' in collection.decks.by_name(deck_name(card))["desc"]


def test_both_sides_show_what_the_card_holds(collection: Collection, made: list[Card], tmp_path: Path) -> None:
    imported(collection, package(made), tmp_path)
    for card in made:
        shown, sides = card_of(collection, card.id), face(card)
        front, back = shown.question(), shown.answer()
        assert sides.question in front and sides.asked in front
        assert sides.answer not in front, "the front gives nothing away"
        assert sides.question in back and sides.answer + sides.more in back
        assert f'<a href="{card.address}">' in back
        for side in (front, back):
            assert not re.search(r"\{\{|\}\}|<img|\[sound:", side)


def test_new_cards_come_in_the_order_of_the_library(collection: Collection, made: list[Card], tmp_path: Path) -> None:
    imported(collection, package(made), tmp_path)
    positions = [card_of(collection, card.id).due for card in made]
    assert positions == sorted(positions) and len(set(positions)) == len(positions)


def test_importing_twice_changes_nothing(collection: Collection, made: list[Card], tmp_path: Path) -> None:
    imported(collection, package(made), tmp_path)
    assert imported(collection, package(made), tmp_path) == {"new": 0, "updated": 0, "same": len(made), "refused": 0}
    assert collection.card_count() == len(made)


def studied(collection: Collection) -> dict[str, tuple[object, ...]]:
    """One card learned, one failed and flagged, one suspended."""
    for name, rating in ((KNOWN, 4), (HARD, 1)):
        card = card_of(collection, name)
        card.start_timer()
        collection.sched.answerCard(card, rating)
    collection.set_user_flag_for_cards(3, [card_of(collection, HARD).id])
    collection.sched.suspend_cards([card_of(collection, PUT_ASIDE).id])
    return {name: progress(card_of(collection, name)) for name in (KNOWN, HARD, PUT_ASIDE)}


def test_a_newer_deck_changes_texts_and_keeps_progress(collection: Collection, made: list[Card], tmp_path: Path) -> None:
    imported(collection, package(made), tmp_path)
    before = studied(collection)
    assert len(set(before.values())) == 3 and before[KNOWN][4] > 0, "there is something to lose"

    removed = next(card for card in made if card.id == PUT_ASIDE)
    changed = replace(next(card for card in made if card.id == KNOWN), question="Said in other words?")
    added = replace(changed, id="q-coalescing-new", question="A new one?")
    newer = [{KNOWN: changed}.get(card.id, card) for card in made if card is not removed] + [added]
    assert imported(collection, package(newer, LATER), tmp_path) == {"new": 1, "updated": len(made) - 1, "same": 0, "refused": 0}

    assert {name: progress(card_of(collection, name)) for name in before} == before
    assert note_of(collection, KNOWN)["Question"] == "Said in other words?"
    assert card_of(collection, "q-coalescing-new").type == 0, "a new card is new"
    assert collection.card_count() == len(made) + 1, "Anki deletes nothing"
    query = "tag:gpu-bites::* -tag:gpu-bites::built::2025-12-12"
    assert [collection.get_note(found)["Id"] for found in collection.find_notes(query)] == [PUT_ASIDE], "as /decks/ says"


def test_an_older_deck_changes_nothing(collection: Collection, made: list[Card], tmp_path: Path) -> None:
    imported(collection, package(made, LATER), tmp_path)
    before = studied(collection)
    older = [replace(card, question="Long ago?") for card in made]
    assert imported(collection, package(older, BUILT), tmp_path) == {"new": 0, "updated": 0, "same": len(made), "refused": 0}
    assert {name: progress(card_of(collection, name)) for name in before} == before
    assert note_of(collection, KNOWN)["Question"] != "Long ago?"


def test_a_new_look_reaches_the_cards_that_are_there(
    collection: Collection, made: list[Card], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    imported(collection, package(made), tmp_path)
    before = studied(collection)
    monkeypatch.setattr("gpubites.export.anki.CSS", ".card { color: red; }")
    monkeypatch.setattr("gpubites.export.anki.BACK", "{{Answer}} on a new back")
    assert imported(collection, package(made, LATER), tmp_path)["refused"] == 0
    assert "on a new back" in card_of(collection, KNOWN).answer()
    assert "color: red" in card_of(collection, KNOWN).answer()
    assert {name: progress(card_of(collection, name)) for name in before} == before


def test_a_renamed_bite_keeps_its_progress_and_leads_to_the_new_address(
    collection: Collection, good: Library, made: list[Card], tmp_path: Path
) -> None:
    imported(collection, package(made), tmp_path)
    card = card_of(collection, "a-warps")
    card.start_timer()
    collection.sched.answerCard(card, 4)
    before = progress(card_of(collection, "a-warps"))

    old = good.by_slug["warps"]
    source = replace(old.source, path=old.source.path.replace("warps.md", "warps-and-lanes.md"))
    renamed = replace(old, source=source, aliases=("warps",))
    library = replace(good, bites=tuple(renamed if bite is old else bite for bite in good.bites))
    assert imported(collection, package(list(cards(library, SITE)), LATER), tmp_path)["new"] == 0
    assert progress(card_of(collection, "a-warps")) == before
    assert f"{SITE}b/warps-and-lanes/#model-answer" in card_of(collection, "a-warps").answer()


def test_cards_stay_in_the_deck_to_which_a_reader_moved_them(collection: Collection, made: list[Card], tmp_path: Path) -> None:
    imported(collection, package(made), tmp_path)
    mine = collection.decks.id("Before the interview")
    collection.set_deck([card_of(collection, KNOWN).id], mine)
    collection.decks.rename(collection.decks.by_name("GPU Bites"), "Chips")
    added = replace(made[0], id="q-coalescing-new")
    assert imported(collection, package([*made, added], LATER), tmp_path)["new"] == 1
    assert card_of(collection, KNOWN).did == mine
    assert collection.decks.name(card_of(collection, HARD).did) == "Chips::Quiz::Memory"
    assert collection.decks.name(card_of(collection, "q-coalescing-new").did) == "GPU Bites::Quiz::Hardware"


def test_a_reader_s_own_tag_is_lost_when_the_deck_is_newer_and_a_flag_stays(
    collection: Collection, made: list[Card], tmp_path: Path
) -> None:
    """What /decks/ says about one's own changes is what Anki does."""
    imported(collection, package(made), tmp_path)
    note = note_of(collection, KNOWN)
    note.tags.append("mine")
    collection.update_note(note)
    collection.set_user_flag_for_cards(3, [card_of(collection, KNOWN).id])
    changed = note_of(collection, KNOWN).mod
    assert changed > BUILT
    imported(collection, package(made, changed - 1), tmp_path)
    assert "mine" in note_of(collection, KNOWN).tags
    imported(collection, package(made, changed + 1), tmp_path)
    assert "mine" not in note_of(collection, KNOWN).tags
    assert card_of(collection, KNOWN).flags == 3


def test_what_hangs_on_ids_stays_for_good(collection: Collection, made: list[Card], tmp_path: Path) -> None:
    """Another id of the note's type, another field, another guid: and every reader would have each card twice, or none updated."""
    imported(collection, package(made), tmp_path)
    note = note_of(collection, KNOWN)
    assert (note.guid, note.mid) == ("gpu-bites q-coalescing-stride-two", 1741803264)
    assert note.mid == MODEL_ID and tuple(note.keys()) == FIELDS == ("Id", "Question", "Asked", "Answer", "Bite")
    assert [template["name"] for template in note.note_type()["tmpls"]] == ["Card"]
    assert collection.decks.name(card_of(collection, KNOWN).did) == "GPU Bites::Quiz::Memory"


def test_tags_are_by_section_level_role_and_kind(good: Library, made: list[Card]) -> None:
    asked = next(card for card in made if card.id == HARD)
    assert tags(asked, BUILT) == [
        "gpu-bites::section::mem",
        "gpu-bites::level::beginner",
        "gpu-bites::bite::coalescing",
        "gpu-bites::kind::numeric",
        "gpu-bites::built::2025-11-30",
        "gpu-bites::role::kernel",
    ]


def test_equal_cards_are_equal_bytes(made: list[Card], tmp_path: Path) -> None:
    assert package(made) == package(made)
    assert package(made) != package(made, LATER)
    (tmp_path / "deck.apkg").write_bytes(package(made))
    with ZipFile(tmp_path / "deck.apkg") as archive:
        assert [(entry.filename, entry.date_time[0]) for entry in archive.infolist()] == [("collection.anki2", 1980), ("media", 1980)]
