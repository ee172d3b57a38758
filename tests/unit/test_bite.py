"""A bite, typed from its text."""

from __future__ import annotations

import pytest

from gpubites.bite import Bite, FollowUp, Question, parse_bite, parse_fence
from gpubites.source import read_source


def bite(body: str, front: str = "title: Warps\n") -> Bite:
    return parse_bite(read_source("docs/bites/hw/warps.md", f"---\n{front}---\n{body}"))


def question(text: str) -> Question:
    (only,) = bite(f"## Quiz\n\n{text}").quiz
    return only


def test_front_matter_becomes_typed_values() -> None:
    read = bite(
        "",
        "title: Warps\nlevel: beginner\nroles: [all]\nsources:\n  - {title: A, url: u, kind: primary, for: x}\n  - 3\n"
        "checked: {on: 2026-11-30, how: live}\n",
    )
    assert (read.slug, read.url, read.title, read.level, read.roles) == ("warps", "b/warps/", "Warps", "beginner", ("all",))
    assert [(source.title, source.what_for) for source in read.sources] == [("A", "x")]
    assert (read.checked_on, read.checked_how) == ("2026-11-30", "live")


@pytest.mark.parametrize("value", ["3", "[a]", "{a: b}", "", "true", "2026-11-30"])
def test_values_of_any_type_are_read(value: str) -> None:
    keys = ("title", "question", "kind", "roles", "prereqs", "keywords", "aliases", "sources", "checked")
    read = bite("", "".join(f"{key}: {value}\n" for key in keys))
    assert all(isinstance(text, str) for text in (read.title, read.kind, read.checked_on, *read.roles, *read.prereqs))


def test_a_question_with_one_right_answer() -> None:
    read = question("### Which? {#q-which}\n\n- [ ] this\n    > no\n- [x] that\n    > yes\n")
    assert (read.id, read.text, read.kind, read.line, read.lost) == ("q-which", "Which?", "one", 6, ())
    assert [(answer.line, answer.right, answer.text, answer.why) for answer in read.answers] == [
        (8, False, "this", "no"),
        (10, True, "that", "yes"),
    ]


def test_a_question_with_several_right_answers() -> None:
    assert question("### Which? {#q-which}\n- [x] a\n    > since\n- [X] b\n    > too\n- [ ] c\n    > no\n").kind == "many"


def test_a_numeric_question_keeps_the_number_as_typed() -> None:
    read = question('### How many? {#q-many numeric="1048576" tolerance="0.5" unit="bytes"}\n\n> Since\n> it is.\n')
    assert read.numeric
    assert (read.kind, read.text, read.why) == ("numeric", "How many?", "Since it is.")
    assert (read.numeric.value, read.numeric.tolerance, read.numeric.unit) == ("1048576", "0.5", "bytes")


def test_a_numeric_question_tolerates_nothing_unless_it_says_so() -> None:
    read = question('### How many? {#q-many numeric="3"}\n\n> Three.\n')
    assert read.numeric
    assert (read.numeric.tolerance, read.numeric.unit) == ("0", "")


def test_answers_and_reasons_may_be_wrapped() -> None:
    (answer,) = question(
        "### Which? {#q-which}\n\n- [x] an answer\n  over lines\n    > a reason\n    > over lines\n      without a sign\n"
    ).answers
    assert answer.text == "an answer over lines"
    assert answer.why == "a reason over lines without a sign"


def test_what_is_no_part_of_a_question_is_told() -> None:
    read = question("### Which? {#q-which}\n\nSome text.\n\n- [x] a\n    > b\n- [] c\n* [ ] d\n    ```\n- (x) e\n")
    assert read.lost == (8, 12, 13, 14, 15)


def test_a_question_without_id_keeps_its_text() -> None:
    read = question("### Which of `{a}`?\n\n- [x] a\n    > b\n")
    assert (read.id, read.text) == ("", "Which of `{a}`?")


def test_a_heading_inside_a_fence_is_no_question() -> None:
    assert len(bite("## Quiz\n\n### One {#q-one}\n\n```\n### Two {#q-two}\n```\n").quiz) == 1


def test_the_rubric_has_weights() -> None:
    read = bite("## What it tests\n\n- (3) names it\n  over lines\n- no weight\n- (12) too heavy\n")
    assert [(point.line, point.weight, point.text) for point in read.rubric] == [(6, 3, "names it over lines"), (8, 0, ""), (9, 0, "")]


@pytest.mark.parametrize(
    ("item", "said", "why"),
    [
        ("- > They say this.\n\n  This is why.\n", "They say this.", "This is why."),
        ("- > They say\n  > this.\n\n  Why.\n\n  More.\n", "They say this.", "Why.\n\nMore."),
        ("- > They say\n  this, wrapped.\n\n  Why.\n", "They say this, wrapped.", "Why."),
        ("- > Nothing else.\n", "Nothing else.", ""),
        ("- No quotation.\n\n  Why.\n", "", "No quotation.\n\nWhy."),
        ("- > Said.\n  \n  Why.\n", "Said.", "Why."),
    ],
)
def test_a_red_flag_is_a_quotation_and_a_reason(item: str, said: str, why: str) -> None:
    (flag,) = bite(f"## Red flags\n\n{item}").red_flags
    assert (flag.said, flag.why) == (said, why)


def test_follow_ups_are_a_probe_and_a_gist() -> None:
    read = bite("## Follow-ups\n\n- **Why\n  so?** The gist,\n  wrapped.\n- No probe.\n")
    assert [(item.line, item.probe, item.gist) for item in read.follow_ups] == [(6, "Why so?", "The gist,\nwrapped."), (9, "", "")]


def test_an_item_may_hold_code_that_looks_like_items() -> None:
    (follow_up,) = bite("## Follow-ups\n\n- **How?** So:\n\n  ```\n- no item\n  ```\n").follow_ups
    assert "- no item" in follow_up.gist


def test_a_story_keeps_the_anchors_of_what_it_stands_for() -> None:
    read = bite("## In the room\n\none two\n\n## Frame\n\nthree\n")
    assert (read.words("explainer"), read.words("model-answer"), read.words("quiz")) == (2, 1, 0)
    section = read.part("explainer")
    assert section
    assert section.title == "In the room"


def test_minutes_come_from_the_words() -> None:
    assert bite("## Explainer\n\nshort\n").minutes == 1
    assert bite(f"## Explainer\n\n{'word ' * 540}\n").minutes == 3


def test_a_fence_with_a_source_is_a_snippet() -> None:
    fence = parse_fence('python {src="count.py" part="inner" run="yes"}', 7)
    assert fence
    assert (fence.line, fence.language, fence.src, fence.part, fence.option("run"), fence.option("none", "x")) == (
        7,
        "python",
        "count.py",
        "inner",
        "yes",
        "x",
    )


@pytest.mark.parametrize("info", ["", "python", "python {.numbered}", '{src="a.py"}', "c++ {src=}"])
def test_an_ordinary_fence_is_none(info: str) -> None:
    assert parse_fence(info, 1) is None


def test_fences_know_their_line_in_the_file() -> None:
    read = bite('## Try it\n\n```python {src="a.py"}\n```\n\n````\n```python {src="b.py"}\n```\n````\n')
    assert [(fence.line, fence.src) for fence in read.fences] == [(6, "a.py")]


def test_a_file_shown_in_two_parts_has_two_anchors() -> None:
    read = bite(
        '## Try it\n\n```python {src="a.py" part="one"}\n```\n```python {src="a.py" part="two"}\n```\n```python {src="a.py"}\n```\n'
    )
    assert [read.anchor_of(fence.src, fence.part) for fence in read.fences] == ["snippet-a", "snippet-a-two", "snippet-a-whole"]


def test_a_follow_up_is_named_after_its_first_words() -> None:
    assert FollowUp(1, "Do **stores** follow the `same` rule?", "Yes.").anchor == "follow-up-do-stores-follow-the-same-rule"
    long = FollowUp(1, "Your loads are perfectly coalesced and the kernel is still slow. What now?", "").anchor
    assert long == "follow-up-your-loads-are-perfectly-coalesced-and"
