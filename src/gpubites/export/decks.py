"""What lies under /decks/: a deck of the whole library and one of each section, in three forms and on paper."""

from __future__ import annotations

from dataclasses import dataclass

from gpubites.cards import cards
from gpubites.export.anki import anki_package, day
from gpubites.export.card_texts import cards_csv, cards_markdown
from gpubites.library import Library
from gpubites.render.card import Face, face
from gpubites.render.view import written_sections

# As many cards as fit on one side of a sheet, A4 or Letter, and can be read there.
CARDS_PER_SHEET = 6


@dataclass(frozen=True)
class File:
    """`path` is relative to the site's root."""

    path: str
    content: bytes

    @property
    def kilobytes(self) -> int:
        return max(1, round(len(self.content) / 1000))


@dataclass(frozen=True)
class Deck:
    """`section` is empty for the whole library, which is not printed as one."""

    section: str
    title: str
    faces: tuple[Face, ...]
    anki: File
    csv: File
    markdown: File
    day: str

    @property
    def files(self) -> tuple[File, ...]:
        return (self.anki, self.csv, self.markdown)

    @property
    def quiz(self) -> int:
        """How many questions of quizzes it holds."""
        return sum(face.card.pile == "Quiz" for face in self.faces)

    @property
    def interview(self) -> int:
        """How many questions it holds that are answered aloud."""
        return len(self.faces) - self.quiz

    @property
    def print_url(self) -> str:
        return f"decks/print/{self.section}/" if self.section else ""

    @property
    def sheets(self) -> tuple[tuple[Face, ...], ...]:
        """The cards that stand on one sheet of paper together."""
        starts = range(0, len(self.faces), CARDS_PER_SHEET)
        return tuple(self.faces[start : start + CARDS_PER_SHEET] for start in starts)


def decks(library: Library, site: str, built: int) -> tuple[Deck, ...]:
    """The whole library's deck, then the sections' in the map's order.

    `site` is the address of the site's root with its last slash, `built` the time of the commit in seconds.
    """
    faces = tuple(face(card) for card in cards(library, site))

    def deck(section: str, title: str) -> Deck:
        shown = tuple(face for face in faces if face.card.bite.section == section) if section else faces
        listed = [face.card for face in shown]
        name = f"decks/gpu-bites-{section}" if section else "decks/gpu-bites"
        return Deck(
            section=section,
            title=title,
            faces=shown,
            anki=File(f"{name}.apkg", anki_package(shown, site, built)),
            csv=File(f"{name}.csv", cards_csv(listed).encode()),
            markdown=File(f"{name}.md", cards_markdown(listed, title, site).encode()),
            day=day(built),
        )

    return (deck("", "All sections"), *(deck(section.id, section.name) for section in written_sections(library)))
