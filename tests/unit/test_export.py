"""What machines read: the API, the search documents, redirects."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

from gpubites.export.api import api_files
from gpubites.export.facts import facts_file
from gpubites.export.redirects import KEEP_FRAGMENT, redirect_files
from gpubites.export.search import MOST_WORDS, search_file, telling_words
from gpubites.export.terms import terms_file
from gpubites.library import Library

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
            "low bandwidth",
        ],
        "url": "b/coalescing/",
        "checked": "2026-11-30",
        "words": {"explainer": 127, "model_answer": 184},
        "quiz": 3,
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
    for bite in library.bites:
        data = json.loads(files[f"api/v1/bites/{bite.slug}.json"])
        assert set(data) == {"version", "sections", *SUMMARY}
        sections = {section["id"]: section for section in data["sections"]}
        assert {"explainer", "model-answer", "what-it-tests", "red-flags", "follow-ups", "quiz"} <= set(sections)
        for section in sections.values():
            assert set(section) == {"id", "title", "text"}
            assert section["text"]
            assert "](" not in section["text"]
            assert "```" not in section["text"]


def test_addresses_are_relative_to_the_site(library: Library) -> None:
    for entry in listing(library).values():
        assert entry["url"] == f"b/{entry['slug']}/"


def test_search_documents_have_what_is_searched_and_shown(good: Library) -> None:
    data = json.loads(search_file(good)["search.json"])
    documents = {document["slug"]: document for document in data["bites"]}
    assert data["version"] == 1
    assert list(documents) == [bite.slug for bite in good.bites]
    document = documents["coalescing"]
    assert document["url"] == "b/coalescing/"
    assert document["sectionName"] == "Memory"
    assert document["run"] is True
    assert documents["warps"]["run"] is False
    assert "sectors" in document["text"].split()
    assert len(document["text"].split()) <= MOST_WORDS


def test_telling_words_are_often_here_and_seldom_elsewhere() -> None:
    texts = {"one": Counter(warp=4, lane=1, memory=4), "two": Counter(memory=4, tile=2), "three": Counter(memory=4)}
    words = telling_words(texts)
    assert words["one"] == ["warp", "memory", "lane"], "four times and only here, then four times everywhere, then once"
    assert words["three"] == ["memory"]


def test_a_long_text_is_told_by_its_best_words() -> None:
    long = Counter({f"word{number}": number for number in range(1, 3 * MOST_WORDS)})
    words = telling_words({"long": long, "other": Counter(other=1)})["long"]
    assert len(words) == MOST_WORDS
    assert words[0] == f"word{3 * MOST_WORDS - 1}"


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
