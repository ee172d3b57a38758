"""Cards: what they ask, that they stand alone, and how they read as HTML, CSV and Markdown."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace

import pytest

from gpubites.bite import Bite, Question
from gpubites.cards import Card, Choice, address_of, birth_name, cards, cards_of, standing_alone
from gpubites.export.card_texts import COLUMNS, FORMULA, as_text, cards_csv, cards_markdown
from gpubites.library import Library
from gpubites.render.card import face

SITE = "https://example.org/gpu-bites/"


def card(library: Library, name: str) -> Card:
    return next(card for card in cards(library, SITE) if card.id == name)


def test_every_question_of_the_library_has_one_card_under_its_own_id(library: Library) -> None:
    made = cards(library, SITE)
    questions = [question.id for bite in library.bites for question in bite.quiz]
    assert [card.id for card in made if card.pile == "Quiz"] == questions
    assert [card.bite.slug for card in made if card.pile == "Interview"] == [bite.slug for bite in library.bites]
    assert len({card.id for card in made}) == len(made)


class Riddle(Question):
    @property
    def kind(self) -> str:
        return "riddle"


def test_a_kind_of_question_that_no_card_asks_is_an_error_with_its_place(good: Library) -> None:
    bite = good.by_slug["coalescing"]
    known = bite.quiz[0]
    strange = Riddle(**{name: getattr(known, name) for name in known.__dataclass_fields__})
    with pytest.raises(ValueError, match=rf"coalescing\.md:{known.line} `{known.id}` is a question of kind `riddle`.*gpubites\.cards"):
        cards_of(replace(bite, quiz=(strange,)), good, SITE)


def test_a_choice_has_its_reason(good: Library) -> None:
    asked = card(good, "q-coalescing-stride-two")
    assert asked.choices == (
        Choice("4", False, "That is stride one."),
        Choice("8", True, "32 lanes over 64 floats are 256 bytes."),
    )
    assert (asked.how, asked.kind, asked.section) == ("Choose one.", "one", "Memory")
    assert asked.address == f"{SITE}b/coalescing/#q-coalescing-stride-two"


def test_a_number_says_its_unit_in_front_and_what_still_counts_on_the_back(good: Library) -> None:
    asked = card(good, "q-coalescing-share")
    assert asked.how == "A number, in %."
    assert [part.text for part in asked.parts] == ["**12.5 %** (± 0.1). 128 bytes used, 1,024 moved."]


def test_an_interview_card_holds_rubric_model_answer_red_flags_and_follow_ups(good: Library) -> None:
    asked = card(good, "a-sectors")
    assert asked.question == good.by_slug["coalescing"].question
    assert [part.title for part in asked.parts] == ["What it tests, 6 points", "Model answer", "Red flags", "Follow-ups"]
    assert asked.parts[0].text.startswith("- (3) names the unit: sectors of 32 bytes per request of a warp\n")
    assert "> Coalescing means using shared memory.\n\nIt names one remedy" in asked.parts[2].text


def test_a_renamed_bite_keeps_its_card(good: Library) -> None:
    bite = good.by_slug["coalescing"]
    assert birth_name(replace(bite, aliases=())) == "coalescing"
    assert birth_name(replace(bite, aliases=("coalescing", "sectors-of-a-warp"))) == "coalescing", "the oldest name comes first"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("[3.35 TB/s](fact:h100-memory-rate) move", "3.35 TB/s move"),
        ("a [warp](../hw/warps.md#footgun)", f"a [warp]({SITE}b/warps/#footgun)"),
        ("the [layout](data-layout.md) changes", "the layout changes"),
        ("a [notebook](../../notebooks/sectors.ipynb)", f"a [notebook]({SITE}notebooks/sectors/)"),
        ("[all facts](../../facts.md)", f"[all facts]({SITE}facts/)"),
        ("[about](../../about/index.md)", f"[about]({SITE}about/)"),
        ("[above](#footgun)", f"[above]({SITE}b/coalescing/#footgun)"),
        ("[elsewhere](https://example.com/a.md)", "[elsewhere](https://example.com/a.md)"),
        ('<span class="given">8,192 tokens</span>', "8,192 tokens"),
        ("![Eight lanes\nof a warp](../../assets/figures/coalescing.svg)", "*(Figure: Eight lanes of a warp)*"),
        ("`[a](b.md)` and `a<b>c`", "`[a](b.md)` and `a<b>c`"),
        ("```cpp\nx[i](j.md);\n```", "```cpp\nx[i](j.md);\n```"),
    ],
)
def test_a_text_stands_alone(good: Library, written: str, read: str) -> None:
    assert standing_alone(written, good.by_slug["coalescing"], good, SITE) == read


def test_a_snippet_stands_in_place_of_its_fence(good: Library) -> None:
    text = standing_alone('See:\n\n```python {src="count_sectors.py" part="count"}\n```\n\nSo.', good.by_slug["coalescing"], good, SITE)
    assert text.startswith("See:\n\n```python\n") and text.endswith("\n```\n\nSo.")
    assert "patterns = {\n" in text and "--8<--" not in text


def test_every_link_of_the_library_has_an_address(library: Library) -> None:
    for asked in cards(library, SITE):
        texts = [
            asked.question,
            *(text for choice in asked.choices for text in (choice.text, choice.why)),
            *(part.text for part in asked.parts),
        ]
        for text in texts:
            outside = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)
            assert not re.search(r"\]\((?!https://)", outside), f"{asked.id}: {text}"
            assert "fact:" not in outside and "<span" not in outside


def test_the_address_of_a_planned_bite_is_empty(good: Library) -> None:
    assert address_of("data-layout.md#footgun", good.by_slug["coalescing"], good, SITE) == ""


def test_the_back_shows_what_is_right_first_and_the_front_keeps_the_order(good: Library) -> None:
    sides = face(card(good, "q-coalescing-stride-two"))
    assert sides.question == "Lane <code>i</code> reads <code>float x[2 * i]</code>, aligned. How many sectors are touched?"
    assert sides.asked == '<p class="how">Choose one.</p><ul class="choices"><li>4</li><li>8</li></ul>'
    assert sides.answer.index("✓ Right</b>: 8") < sides.answer.index("✗ Wrong</b>: 4")


def test_code_is_code_on_a_card(good: Library) -> None:
    bite = good.by_slug["coalescing"]
    shown = replace(card(good, "q-coalescing-share"), question='What does `a<b>("c")` do?', bite=bite)
    assert face(shown).question == 'What does <code>a&lt;b&gt;("c")</code> do?'
    part = replace(shown.parts[0], text="```cpp\nif (a < b)\n    x<<<1, 2>>>();\n```")
    text = re.sub(r"<[^>]+>", "", face(replace(shown, parts=(part,))).answer)
    assert text.strip() == "if (a &lt; b)\n    x&lt;&lt;&lt;1, 2&gt;&gt;&gt;();"


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def test_the_csv_has_a_row_for_each_card_and_ends_every_row_with_crlf(library: Library) -> None:
    made = cards(library, SITE)
    text = cards_csv(made)
    read = rows(text)
    assert tuple(read[0]) == COLUMNS
    assert [row["id"] for row in read] == [card.id for card in made]
    assert all(row["front"] and row["back"] and row["url"].startswith(SITE) for row in read)
    assert text.startswith(",".join(COLUMNS) + "\r\n") and text.endswith("\r\n")


def test_a_row_of_the_csv_reads_as_both_sides(good: Library) -> None:
    row = rows(cards_csv([card(good, "q-coalescing-aos")]))[0]
    assert row["front"] == (
        "What helps a kernel that reads one field of a struct?\n\nChoose one.\n\n- One array per field\n- A larger thread block"
    )
    assert row["back"].startswith("**Right**: One array per field\n\nNeighboring lanes")
    assert (row["section"], row["level"], row["roles"]) == ("Memory", "beginner", "kernel")


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", '=HYPERLINK("https://x.example")'])
def test_no_spreadsheet_takes_a_cell_for_a_formula(good: Library, cell: str) -> None:
    asked = replace(card(good, "q-coalescing-share"), question=cell, section=cell)
    row = rows(cards_csv([asked]))[0]
    assert row["front"].startswith("'" + cell[0])
    assert row["section"] == "'" + cell


def test_a_cell_that_is_no_formula_stays_as_it_is() -> None:
    assert [as_text(cell) for cell in ("", "a=1", "1-2", "'quoted'")] == ["", "a=1", "1-2", "'quoted'"]


def test_no_cell_of_the_library_begins_like_a_formula(library: Library) -> None:
    for row in rows(cards_csv(cards(library, SITE))):
        assert not any(cell.startswith(FORMULA) for cell in row.values())


def test_the_markdown_has_every_card_below_its_bite(library: Library) -> None:
    made = cards(library, SITE)
    text = cards_markdown(made, "All sections", SITE)
    places = [text.index(f"`{card.id}`") for card in made]
    assert places == sorted(places)
    for bite in library.bites:
        assert text.count(f"\n### [{bite.title}]({SITE}{bite.url})\n") == 1
    assert all(choice.why in text for card in made for choice in card.choices)


def test_a_bite_without_the_parts_that_a_preview_may_lack_still_has_a_card(good: Library) -> None:
    """`make` serves a bite that is being written."""
    bite: Bite = replace(good.by_slug["coalescing"], rubric=(), red_flags=(), follow_ups=(), quiz=())
    bare = replace(bite, source=replace(bite.source, sections=()))
    (asked,) = cards_of(bare, good, SITE)
    assert face(asked).question and face(asked).answer == ""
