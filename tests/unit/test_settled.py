"""Questions that draw values or ask for an output: what the library makes of them, and what the page keeps veiled."""

from __future__ import annotations

from dataclasses import replace

from gpubites.bite import Bite, Question, parse_bite
from gpubites.facts import Fact
from gpubites.library import Library
from gpubites.render.veil import unveiled, veiled
from gpubites.render.view import facts_used
from gpubites.settled import settled
from gpubites.source import read_source


def asked(library: Library, text: str, facts: dict[str, Fact] | None = None) -> Question:
    (question,) = settled(bite(text), facts or library.facts, library.snippets).quiz
    return question


def bite(text: str) -> Bite:
    return parse_bite(read_source("docs/bites/mem/coalescing.md", f"---\ntitle: A\n---\n## Quiz\n\n{text}"))


def test_facts_are_drawn_with_their_text_and_device_and_follow_the_fact(good: Library) -> None:
    other = replace(good.facts["h100-memory-rate"], id="other-rate", value=2000.0, device="Other")
    facts = {**good.facts, "other-rate": other}
    text = (
        '### {gb} GB on {rate.device} at {rate}? {#q-x numeric="1000 * gb / rate" tolerance="1%" unit="ms"}\n\n'
        ": rate = h100-memory-rate, other-rate\n: gb = 14, 67\n\n> {gb} GB at {rate}: {answer} ms.\n"
    )
    question = asked(good, text, facts)
    assert question.trouble == ()
    assert [variant.text for variant in question.variants][:3] == [
        "14 GB on H100 SXM at [3,350 GB/s](fact:h100-memory-rate)?",
        "67 GB on H100 SXM at [3,350 GB/s](fact:h100-memory-rate)?",
        "14 GB on Other at [2,000 GB/s](fact:other-rate)?",
    ]
    assert [variant.numeric.value for variant in question.variants] == ["4.179", "20", "7", "33.5"]
    assert [variant.numeric.tolerance for variant in question.variants] == ["0.04179", "0.2", "0.07", "0.335"]
    assert (question.id, question.text, question.numeric) == ("q-x", question.variants[0].text, question.variants[0].numeric)
    drawing = settled(bite(text), facts, good.snippets)
    assert {"h100-memory-rate", "other-rate"} <= facts_used(drawing, replace(good, facts=facts)), "each has its row on the page of facts"
    assert question.why == "14 GB at [3,350 GB/s](fact:h100-memory-rate): 4.179 ms."


def test_of_many_combinations_twelve_are_asked_the_first_one_among_them(good: Library) -> None:
    text = '### {a} x {b}? {{#q-{name} numeric="a * b"}}\n\n: a = 1..10\n: b = 100..1000 by 100\n\n> {a} x {b} = {answer}\n'
    first, again, other = (asked(good, text.replace("{{", "{").replace("}}", "}").replace("{name}", name)) for name in ("x", "x", "y"))
    assert len(first.variants) == len(set(first.variants)) == 12
    assert first.text == "1 x 100?"
    assert first == again and first.variants[1:] != other.variants[1:], "which ones hangs on the id alone"


def test_a_predicted_value_is_the_recording_s(good: Library) -> None:
    text = '### How many? {#q-x predict="count_sectors.py" part="count" line="The same with" value="1"}\n\n> Since {output}.\n'
    question = asked(good, text)
    assert question.recorded is None and "has no number" in question.trouble[0].message
    snippet = good.snippets["snippets/coalescing/count_sectors.py"]
    assert snippet.recording
    told = replace(snippet, recording=replace(snippet.recording, body="a 1\nb -2,048 of 7.5\n"))
    library = replace(good, snippets={**good.snippets, snippet.path: told})
    for line, value, answer in (("a", "1", "1"), ("b", "1", "-2,048"), ("b -2,048", "1", "7.5"), ("b", "", "-2,048 of 7.5")):
        which = f' value="{value}"' if value else ""
        question = asked(library, f'### ? {{#q-x predict="count_sectors.py" part="count" line="{line}"{which}}}\n\n> Since {{output}}.\n')
        assert question.trouble == () and question.recorded
        assert (question.recorded.answer, question.why) == (answer, f"Since `{answer}`.")
        assert (question.kind, question.recorded.is_number) == ("predict", bool(value))


def test_a_kernel_s_output_is_that_of_the_cpu_host(good: Library) -> None:
    question = asked(good, '### Wrong? {#q-x predict="strided_copy.cu" part="kernel"}\n\n> Since.\n')
    host = good.snippets["snippets/coalescing/strided_copy.cu"].cuda
    assert question.recorded and host and host.host
    assert (question.recorded.kind, question.recorded.answer) == ("cuda", host.host.output.strip())


def test_the_veil_hides_and_gives_back() -> None:
    # tests/js/reading.test.js lifts the same one.
    assert veiled([["12.5", "0.1"], [1, 0]], "q-a") == "KnZDQB9PRA9NUx1PQA88XXZQXR08LA=="
    assert unveiled(veiled([["größer", "0"]], "q-ä"), "q-ä") == [["größer", "0"]]
    assert veiled([1, 0], "q-a") != veiled([0, 1], "q-a")
