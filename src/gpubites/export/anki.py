"""Cards as an Anki package: the same ids for good, so that importing a newer one updates texts and keeps progress."""

from __future__ import annotations

import hashlib
import io
import itertools
import sqlite3
import zipfile
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from html import escape

import genanki

from gpubites.cards import Card
from gpubites.render.card import Face

NAME = "GPU Bites"
# Anki finds the type of a note by its id and refuses to update notes whose type has got other fields or templates. So these stay.
MODEL_ID = 1_741_803_264
FIELDS = ("Id", "Question", "Asked", "Answer", "Bite")
DESCRIPTION = (
    'Questions from <a href="{site}">GPU Bites</a>, under <a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>. '
    'Import a newer deck to update it; what you have learned stays. <a href="{site}decks/">How updates behave</a>.'
)

# In another order each time, so that the place of the right choice is nothing to remember. The back is read in the order of the file.
FRONT = """<article class="gpu-bites">
<p class="bite">{{text:Bite}}</p>
<p class="question">{{Question}}</p>
{{Asked}}
</article>
<script>
(function () {
  var list = document.querySelector(".gpu-bites .choices");
  if (list) for (var left = list.children.length; left; left--) list.appendChild(list.children[Math.floor(Math.random() * left)]);
})();
</script>
"""
BACK = """<article class="gpu-bites">
<p class="question">{{Question}}</p>
<hr id="answer">
{{Answer}}
<p class="bite">{{Bite}}</p>
</article>
"""
# Anki says `nightMode`, AnkiDroid `night_mode`. Plain rules only: phones keep their web views for years.
CSS = """.card { margin: 0; padding: 1rem; background: #fdfcfa; }
.gpu-bites { max-width: 34rem; margin: 0 auto; color: #1c1a17; text-align: left; overflow-wrap: break-word;
  font: 18px/1.5 -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
.gpu-bites p { margin: 0 0 0.75rem; }
.gpu-bites .question { font-size: 1.125em; font-weight: 600; line-height: 1.4; }
.gpu-bites .how, .gpu-bites .bite { color: #605b52; font-size: 0.8em; }
.gpu-bites .bite:last-child { margin-top: 1.5rem; }
.gpu-bites h2, .gpu-bites summary { margin: 1.25rem 0 0.5rem; font-size: 1em; font-weight: 600; }
.gpu-bites summary { padding: 0.5rem 0; cursor: pointer; }
.gpu-bites hr { height: 1px; margin: 1.25rem 0; border: 0; background: #ddd8cd; }
.gpu-bites ul, .gpu-bites ol { margin: 0 0 0.75rem; padding-left: 1.25rem; }
.gpu-bites li { margin-top: 0.375rem; }
.gpu-bites .choices, .gpu-bites .reasons { padding: 0; list-style: none; }
.gpu-bites .choices li { margin: 0 0 0.5rem; padding: 0.5rem 0.75rem; border: 1px solid #ddd8cd; border-radius: 6px; }
.gpu-bites .reasons li { margin: 0 0 0.75rem; padding: 0 0 0 0.75rem; border-left: 3px solid #ddd8cd; }
.gpu-bites .reasons p { margin: 0; }
.gpu-bites .reasons .right { border-color: #1f6b42; }
.gpu-bites .right b { color: #1f6b42; }
.gpu-bites .wrong b { color: #ae2418; }
.gpu-bites a { color: #b4431f; }
.gpu-bites blockquote { margin: 0 0 0.5rem; padding-left: 0.75rem; border-left: 3px solid #ae2418; }
.gpu-bites blockquote p { margin: 0; }
.gpu-bites code { padding: 0.1em 0.3em; border-radius: 3px; background: #f3efe7; overflow-wrap: anywhere;
  font: 0.875em ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.gpu-bites pre { margin: 0 0 0.75rem; padding: 0.75rem; overflow-x: auto; border-radius: 6px; background: #f3efe7; }
.gpu-bites pre code { padding: 0; background: none; overflow-wrap: normal; white-space: pre; }
.gpu-bites table { border-collapse: collapse; font-size: 0.9em; }
.gpu-bites th, .gpu-bites td { padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid #ddd8cd; text-align: left; }
.nightMode.card, .night_mode.card, .nightMode .card, .night_mode .card { background: #15161a; }
.nightMode .gpu-bites, .night_mode .gpu-bites { color: #e9e5dc; }
.nightMode .gpu-bites .how, .night_mode .gpu-bites .how,
.nightMode .gpu-bites .bite, .night_mode .gpu-bites .bite { color: #a5a096; }
.nightMode .gpu-bites hr, .night_mode .gpu-bites hr { background: #363840; }
.nightMode .gpu-bites li, .night_mode .gpu-bites li,
.nightMode .gpu-bites td, .night_mode .gpu-bites td, .nightMode .gpu-bites th, .night_mode .gpu-bites th { border-color: #363840; }
.nightMode .gpu-bites .reasons .right, .night_mode .gpu-bites .reasons .right { border-color: #74c596; }
.nightMode .gpu-bites .right b, .night_mode .gpu-bites .right b { color: #74c596; }
.nightMode .gpu-bites .wrong b, .night_mode .gpu-bites .wrong b { color: #f48f84; }
.nightMode .gpu-bites blockquote, .night_mode .gpu-bites blockquote { border-color: #f48f84; }
.nightMode .gpu-bites a, .night_mode .gpu-bites a { color: #f0966a; }
.nightMode .gpu-bites code, .night_mode .gpu-bites code,
.nightMode .gpu-bites pre, .night_mode .gpu-bites pre { background: #1f2127; }
.nightMode .gpu-bites pre code, .night_mode .gpu-bites pre code { background: none; }
"""


def anki_package(faces: Sequence[Face], site: str, built: int) -> bytes:
    """The bytes of an `.apkg`. `built` is the time of the commit in seconds: equal cards of one commit are equal bytes."""
    model = genanki.Model(
        MODEL_ID,
        NAME,
        fields=[{"name": name} for name in FIELDS],
        templates=[{"name": "Card", "qfmt": FRONT, "afmt": BACK}],
        css=CSS,
        sort_field_index=FIELDS.index("Question"),
    )
    # Of a deck without cards of its own Anki takes the name alone, so each of the decks below says where it comes from.
    description = DESCRIPTION.format(site=escape(site))
    decks: dict[str, genanki.Deck] = {}
    for place, face in enumerate(faces):
        name = deck_name(face.card)
        deck = decks.setdefault(name, genanki.Deck(_deck_id(name), name, description))
        deck.add_note(genanki.Note(model, _fields(face), guid=f"gpu-bites {face.card.id}", tags=tags(face.card, built), due=place))
    return _zipped(_database(list(decks.values()), built))


def deck_name(card: Card) -> str:
    """`GPU Bites::Quiz::Memory`: a reader opens all quizzes, or those of one section."""
    return f"{NAME}::{card.pile}::{card.section}"


def tags(card: Card, built: int) -> list[str]:
    """By section, level, role and kind, below a root of their own: they mix with no other deck's.

    Anki keeps a card that a newer deck has not got. It is the one whose day of the build is an older one.
    """
    bite = card.bite
    found = [f"section::{bite.section}", f"level::{bite.level}", f"bite::{bite.slug}", f"kind::{card.kind}", f"built::{day(built)}"]
    return [f"gpu-bites::{tag}" for tag in (*found, *(f"role::{role}" for role in bite.roles))]


def day(built: int) -> str:
    """`2026-11-30`, wherever it is built."""
    return datetime.fromtimestamp(built, UTC).date().isoformat()


def _fields(face: Face) -> list[str]:
    bite = face.card.bite
    where = f'<a href="{escape(face.card.address)}">{escape(bite.title)}</a> · {escape(face.card.section)} · {escape(bite.level)}'
    return [face.card.id, face.question, face.asked, face.answer + face.more, where]


def _deck_id(name: str) -> int:
    """Between 2³⁰ and 2³¹, as genanki advises, made from the name: Anki itself goes by the name."""
    return (1 << 30) + int.from_bytes(hashlib.sha256(name.encode()).digest()[:4]) % (1 << 30)


def _database(decks: list[genanki.Deck], built: int) -> bytes:
    """What genanki writes, without the temporary file it would write it to."""
    with closing(sqlite3.connect(":memory:")) as connection:
        genanki.Package(decks).write_to_db(connection.cursor(), built, itertools.count(built * 1000))
        connection.commit()
        return connection.serialize()


def _zipped(database: bytes) -> bytes:
    """Without the time of the day, which genanki's own files hold."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in (("collection.anki2", database), ("media", b"{}")):
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return target.getvalue()
