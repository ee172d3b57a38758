"""A learner's collection in Anki's own library: what happens to it when a deck is imported, and what a card looks like."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest

if TYPE_CHECKING:  # anki.cards cannot be imported before anki.collection
    from anki.cards import Card
    from anki.notes import Note


@contextmanager
def fresh_collection(folder: Path) -> Iterator[Collection]:
    collection = Collection(str(folder / "collection.anki2"))
    try:
        yield collection
    finally:
        collection.close()


def imported(collection: Collection, package: bytes, folder: Path) -> dict[str, int]:
    """Import with the settings that Anki's dialog opens with; how many notes were new, updated, as they were, refused."""
    path = folder / "deck.apkg"
    path.write_bytes(package)
    log = collection.import_anki_package(ImportAnkiPackageRequest(package_path=str(path), options=ImportAnkiPackageOptions())).log
    refused = sum(map(len, (log.conflicting, log.first_field_match, log.missing_notetype, log.missing_deck, log.empty_first_field)))
    return {"new": len(log.new), "updated": len(log.updated), "same": len(log.duplicate), "refused": refused}


def note_of(collection: Collection, card_id: str) -> Note:
    (note_id,) = collection.find_notes(f'"Id:{card_id}"')
    return collection.get_note(note_id)


def card_of(collection: Collection, card_id: str) -> Card:
    (card,) = note_of(collection, card_id).cards()
    return card


def progress(card: Card) -> tuple[object, ...]:
    """Everything that studying has changed."""
    return (card.id, card.type, card.queue, card.due, card.ivl, card.factor, card.reps, card.lapses, card.flags, card.did)
