"""What machines read: the API, redirects."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from gpubites.bite import parse_bite
from gpubites.export.api import api_files, section_texts
from gpubites.export.facts import facts_file
from gpubites.export.redirects import KEEP_FRAGMENT, redirect_files
from gpubites.export.study import STUDY_PATH, study_file
from gpubites.export.terms import terms_file
from gpubites.library import Library
from gpubites.source import read_source

# Name → what it holds. In this order: readers of the raw file find it where the documentation says.
SUMMARY = {
    "slug": str,
    "title": str,
    "question": str,
    "kind": str,
    "level": str,
    "section": str,
    "roles": list,
    "prereqs": list,
    "aliases": list,
    "keywords": list,
    "url": str,
    "checked": str,
    "words": dict,
    "quiz": int,
    "snippets": list,
    "sources": int,
}


# What only the file of a bite has.
PARTS = ("sections", "questions", "red_flags", "follow_ups", "rubric")


def listing(library: Library) -> dict[str, dict[str, Any]]:
    data = json.loads(api_files(library)["api/v1/bites.json"])
    assert set(data) == {"version", "bites"}
    assert data["version"] == 1
    return {entry["slug"]: entry for entry in data["bites"]}


def test_the_list_has_every_bite_in_the_map_s_order(library: Library) -> None:
    assert list(listing(library)) == [bite.slug for bite in library.bites]


def test_an_entry_has_exactly_the_promised_keys(library: Library) -> None:
    for entry in listing(library).values():
        assert {name: type(value) for name, value in entry.items()} == SUMMARY
        assert list(entry) == list(SUMMARY)
        assert set(entry["words"]) == {"explainer", "model_answer"}
        for snippet in entry["snippets"]:
            assert set(snippet) == {"id", "kind", "recorded", "gpu"}
            assert snippet["kind"] in ("python", "simulator", "shader", "webgpu", "cuda", "notebook")
            assert snippet["recorded"] is True
            assert snippet["gpu"] is False


def test_the_entry_of_the_good_bite(good: Library) -> None:
    entry = listing(good)["coalescing"]
    assert entry == {
        "slug": "coalescing",
        "title": "Coalescing: how many sectors a warp touches",
        "question": "Two kernels read the same number of floats. Why can one take several times longer?",
        "kind": "question",
        "level": "beginner",
        "section": "mem",
        "roles": ["kernel"],
        "prereqs": ["warps"],
        "aliases": ["sectors"],
        "keywords": [
            "coalesced access",
            "strided access slow",
            "sectors per request",
            "nvprof gld_efficiency",
            "array of structs slow on gpu",
            "bandwidth far below the peak",
        ],
        "url": "b/coalescing/",
        "checked": "2026-11-30",
        "words": {"explainer": 127, "model_answer": 184},
        "quiz": 4,
        "snippets": [
            {"id": "count_sectors", "kind": "python", "recorded": True, "gpu": False},
            {"id": "stripes", "kind": "shader", "recorded": True, "gpu": False},
            {"id": "strided_copy", "kind": "cuda", "recorded": True, "gpu": False},
            {"id": "sectors", "kind": "notebook", "recorded": True, "gpu": False},
        ],
        "sources": 2,
    }


def test_every_bite_has_a_file_with_its_sections_as_text(library: Library) -> None:
    files = api_files(library)
    assert set(files) == {"api/v1/bites.json", *(f"api/v1/bites/{bite.slug}.json" for bite in library.bites)}
    listed = listing(library)
    for bite in library.bites:
        data = json.loads(files[f"api/v1/bites/{bite.slug}.json"])
        assert set(data) == {"version", *PARTS, *SUMMARY}
        assert {name: data[name] for name in SUMMARY} == listed[bite.slug], "the list's fields mean the same here"
        sections = {section["id"]: section for section in data["sections"]}
        assert {"explainer", "model-answer", "what-it-tests", "red-flags", "follow-ups", "quiz"} <= set(sections)
        for section in sections.values():
            assert set(section) == {"id", "title", "text"}
            assert section["text"]
            assert not re.search(r"\]\((?:fact:|https:|\.\.?/|#)", section["text"])
            assert "```" not in section["text"]


def whole(library: Library, slug: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(api_files(library)[f"api/v1/bites/{slug}.json"])
    return data


def test_the_quiz_is_told_question_by_question(good: Library) -> None:
    chosen, _, number, predicted = whole(good, "coalescing")["questions"]
    assert chosen == {
        "id": "q-coalescing-stride-two",
        "kind": "one",
        "question": "Lane i reads float x[2 * i], aligned. How many sectors are touched?",
        "answers": [
            {"text": "4", "right": False, "why": "That is stride one."},
            {"text": "8", "right": True, "why": "32 lanes over 64 floats are 256 bytes."},
        ],
    }
    assert number == {
        "id": "q-coalescing-share",
        "kind": "numeric",
        "question": "32 sectors per request for 4-byte loads: what share is used?",
        "value": 12.5,
        "tolerance": 0.1,
        "unit": "%",
        "why": "128 bytes used, 1,024 moved.",
    }
    assert (predicted["kind"], predicted["snippet"]) == ("predict", "count_sectors.py")
    assert predicted["code"].startswith("patterns = {")
    assert predicted["answers"][0] == {"text": "sectors", "right": True, "why": "It counts sectors, not bytes."}


def test_values_that_are_drawn_are_told_as_the_first_variant(good: Library) -> None:
    told = whole(good, "warps")
    drawn = told["questions"][-1]
    assert drawn["question"] == "A load of 8 lanes asks for 4 bytes each. How many transactions is that at least?"
    assert (drawn["value"], drawn["why"]) == (1.0, "8 x 4 = 32 bytes, in pieces of 32: 1.")
    text = next(section["text"] for section in told["sections"] if section["id"] == "quiz")
    assert drawn["question"] in text and "{" not in text and "8..32" not in text


def test_red_flags_follow_ups_and_rubric_are_values(good: Library) -> None:
    data = whole(good, "coalescing")
    assert data["red_flags"] == [
        {
            "says": "Coalescing means using shared memory.",
            "why": "It names one remedy for the mechanism. Say what the load of a warp costs first.",
        }
    ]
    assert data["follow_ups"][0] == {"probe": "Does an unaligned start matter?", "gist": "One extra sector, mostly a hit in L1."}
    assert data["follow_ups"][2]["probe"] == "What did nvprof call it?"
    assert data["rubric"][0] == {"weight": 3, "point": "names the unit: sectors of 32 bytes per request of a warp"}


def test_every_bite_tells_as_much_as_its_page(library: Library) -> None:
    files = api_files(library)
    for bite in library.bites:
        data = json.loads(files[f"api/v1/bites/{bite.slug}.json"])
        assert [question["id"] for question in data["questions"]] == [question.id for question in bite.quiz]
        assert len(data["questions"]) == data["quiz"]
        for question in data["questions"]:
            if question["kind"] == "numeric":
                assert isinstance(question["value"], float) and isinstance(question["tolerance"], float) and question["why"]
                continue
            if question["kind"] == "predict" and "output" in question:
                assert question["output"] and question["code"] and question["why"]
                continue
            right = [answer["right"] for answer in question["answers"]]
            if question["kind"] == "order":
                assert all(right) and len(right) >= 3, "the steps, in their order"
            else:
                assert any(right) and not all(right) and (question["kind"] == "many") is (sum(right) > 1)
            assert all(answer["text"] and answer["why"] for answer in question["answers"])
        for name, number in (("red_flags", len(bite.red_flags)), ("follow_ups", len(bite.follow_ups)), ("rubric", len(bite.rubric))):
            assert len(data[name]) == number
            assert all(all(entry.values()) for entry in data[name])


def test_the_text_of_a_section_keeps_its_code(good: Library) -> None:
    sections = {section["id"]: section["text"] for section in whole(good, "coalescing")["sections"]}
    snippet = good.snippets["snippets/coalescing/count_sectors.py"].part("count")
    assert snippet
    prose, code, *_ = sections["try-it"].split("\n\n")
    assert prose == "Change an index and run it. A notebook has more."
    assert code == snippet.text.rstrip("\n").split("\n\n")[0]
    assert "--8<--" not in sections["try-it"]
    text = good.by_slug["coalescing"].source.text.replace(
        "**Cause**: an", "```cuda\nif (i < n)\n    y[i] = a * x[i];\n```\n\n**Cause**: an"
    )
    bite = parse_bite(read_source("docs/bites/mem/coalescing.md", text))
    footgun = next(section["text"] for section in section_texts(bite, good) if section["id"] == "footgun")
    assert "\n\nif (i < n)\n    y[i] = a * x[i];\n\nCause: an array of structs." in footgun


def test_every_field_is_documented(root: Path) -> None:
    documented = set(re.findall(r"`([a-z_]+)`", (root / "docs/about/api.md").read_text(encoding="utf-8")))
    assert {*SUMMARY, *PARTS, "version"} <= documented


def test_addresses_are_relative_to_the_site(library: Library) -> None:
    for entry in listing(library).values():
        assert entry["url"] == f"b/{entry['slug']}/"


class Redirect(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_an_alias_leads_to_its_bite_with_and_without_javascript(good: Library) -> None:
    files = redirect_files(good)
    assert list(files) == ["b/sectors/index.html"]
    html = files["b/sectors/index.html"]
    tags = Redirect(html).tags
    assert ("link", {"rel": "canonical", "href": "../coalescing/"}) in tags
    assert ("meta", {"http-equiv": "refresh", "content": "0; url=../coalescing/"}) in tags
    assert ("a", {"href": "../coalescing/"}) in tags
    assert ("meta", {"name": "robots", "content": "noindex"}) in tags
    assert f"<script>{KEEP_FRAGMENT}</script>" in html


def test_a_title_cannot_break_a_redirect(good: Library) -> None:
    bites = tuple(replace(bite, title="</title><script>alert(1)</script>") for bite in good.bites)
    (html,) = redirect_files(replace(good, bites=bites)).values()
    assert html.count("<script>") == 1


def test_the_facts_that_are_shown_come_with_their_conditions_and_their_origin(good: Library) -> None:
    data = json.loads(facts_file(good)["facts.json"])
    assert data["version"] == 1
    assert "spare" not in data["facts"], "no bite shows it"
    assert data["facts"]["transaction"] == {
        "conditions": ["per GPU"],
        "text": "32 bytes",
        "what": "The smallest transaction of global memory.",
        "source": ["CUDA Programming Guide", "https://docs.nvidia.com/cuda/cuda-programming-guide/"],
        "seen": "2026-11-30",
        "status": "verified",
    }


def test_a_computed_fact_comes_with_its_formula_and_what_goes_in(good: Library) -> None:
    shown = replace(
        good, bites=tuple(replace(bite, source=replace(bite.source, text="[2.9 TB/s](fact:wasted-rate)")) for bite in good.bites)
    )
    entry = json.loads(facts_file(shown)["facts.json"])["facts"]["wasted-rate"]
    assert entry["formula"] == "h100-memory-rate * 7 / 8"
    assert entry["inputs"] == [["h100-memory-rate", "3,350 GB/s"]]
    assert "source" not in entry


def test_a_term_comes_with_its_definition_its_bite_and_the_vendors_words(good: Library) -> None:
    data = json.loads(terms_file(good)["terms.json"])
    assert data["version"] == 1
    assert data["terms"]["warp"] == {
        "term": "warp",
        "means": "Threads that share one instruction at a time.",
        "bite": ["Warps", "b/warps/"],
        "says": {"nvidia": "warp", "amd": "wavefront", "webgpu": "subgroup"},
    }


# --- study -----------------------------------------------------------------------------------------------------------


def test_studying_knows_every_bite_and_question_and_only_written_prerequisites(good: Library) -> None:
    listing = json.loads(study_file(good)[STUDY_PATH])
    assert listing["version"] == 1
    assert [entry["slug"] for entry in listing["bites"]] == [bite.slug for bite in good.bites]
    for entry, bite in zip(listing["bites"], good.bites, strict=True):
        assert [question["id"] for question in entry["questions"]] == [question.id for question in bite.quiz]
        assert set(entry["prereqs"]) <= set(bite.prereqs) & good.by_slug.keys()
        assert entry["section"] in listing["sections"]
    asked = next(entry for entry in listing["bites"] if entry["slug"] == "coalescing")["questions"]
    assert {question["kind"] for question in asked} == {"one", "numeric", "predict"}
    assert not any("`" in question["text"] or "](" in question["text"] for question in asked), "plain text, not Markdown"
