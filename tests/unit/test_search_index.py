"""The search index: words, documents, the files they are cut into, what means the same."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

from gpubites.export.opensearch import opensearch
from gpubites.export.search import search_files
from gpubites.library import Library
from gpubites.rules.keywords import is_symptom
from gpubites.search.documents import MOST_WORDS, Document, documents, hook, nearest, telling_words
from gpubites.search.index import DIGITS, MOST_LETTERS, index_files, invert, spelled, word_shards
from gpubites.search.same import called_elsewhere, same_meaning
from gpubites.search.words import STOP_WORDS, words_of
from gpubites.synonyms import Synonym, read_synonyms

CASES = Path(__file__).parents[1] / "search" / "words.json"


def test_texts_fall_into_words_as_queries_do() -> None:
    """The same cases hold the browser's side to it (tests/js/search.test.js)."""
    for text, words in json.loads(CASES.read_text(encoding="utf-8")):
        assert words_of(text) == words


def test_stop_words_are_words() -> None:
    assert all(word.isalpha() and word.islower() for word in STOP_WORDS)
    assert not STOP_WORDS & {"all", "out", "up", "same", "per", "gpu", "slow"}, "they tell something: all-reduce, out of memory"


def bite(title: str, *keywords: str, text: dict[str, tuple[int, int]] | None = None, section: str = "mem") -> Document:
    name, _, rest = title.partition(": ")
    return Document(
        "bite", (name, rest, "", *keywords), [title.lower(), title, "", list(keywords)], text or {}, level="beginner", section=section
    )


def test_telling_words_are_often_here_and_seldom_elsewhere() -> None:
    texts = [
        {"warp": Counter({0: 3, 4: 1}), "lane": Counter({4: 1}), "memory": Counter({0: 4})},
        {"memory": Counter({0: 4}), "tile": Counter({0: 2})},
        {"memory": Counter({0: 4})},
    ]
    first, _, third = telling_words(texts, [bite("One"), bite("Two"), bite("Three")])
    assert list(first) == ["warp", "memory", "lane"], "four times and only here, then four times everywhere, then once"
    assert first["warp"] == (2, 0), "the third of four grades, mostly in the first part"
    assert list(third) == ["memory"]


def test_words_of_the_title_or_a_keyword_are_found_without_the_text() -> None:
    (found,) = telling_words([{"warp": Counter({0: 3}), "lane": Counter({0: 1})}], [bite("Warps", "warp")])
    assert list(found) == ["lane"]


def test_a_long_text_is_told_by_its_best_words() -> None:
    long = {f"word{number}": Counter({0: number}) for number in range(1, 3 * MOST_WORDS)}
    words, _ = telling_words([long, {"other": Counter({0: 1})}], [bite("Long"), bite("Other")])
    assert len(words) == MOST_WORDS
    assert next(iter(words)) == f"word{3 * MOST_WORDS - 1}"


def read_back(files: dict[str, str]) -> dict[str, tuple[list[int], list[tuple[int, int]], int]]:
    """Word → entries, (document, how) in texts, digit of spread: the shards as the browser reads them."""
    found = {}
    for name in json.loads(files["search.json"])["words"]:
        shard = json.loads(files[f"search/{name}.json"])
        before, how = "", iter(shard["how"])
        columns = zip(shard["words"].split(" "), shard["entries"].split(","), shard["text"].split(","), shard["bites"], strict=True)
        for written, entries, text, spread in columns:
            before = before[: DIGITS.index(written[0])] + written[1:]
            places = [(document, int(next(how), 32)) for document in summed(text)]
            found[before] = (summed(entries), places, DIGITS.index(spread))
    return found


def summed(differences: str) -> list[int]:
    return list(accumulate(map(int, differences.split())))


def test_what_is_written_can_be_read_back() -> None:
    found = [bite("Warp: 32 lanes", "lockstep"), bite("Tile", "warp tile", text={"lane": (3, 2)})]
    files = index_files(found, {"mem": "Memory"})
    words = read_back(files)
    assert words["warp"] == ([0, 7], [], 0), "it stands in the bites that are listed, and in no other"
    assert words["lane"][1] == [(1, 3 * 8 + 2)]
    head = json.loads(files["search.json"])
    assert head["entries"] == "44"
    assert head["lengths"] == "1201" + "1002"
    assert (head["levels"], head["in"], head["runs"]) == ("bb", "00", "00")
    assert json.loads(files[f"search/{head['cards']['bite']['names'][0]}.json"])[1][0] == "tile"


def test_words_that_also_stand_elsewhere_are_worth_less() -> None:
    telling = {"lane": (0, 0)}
    found = [
        replace(bite("One", text=telling), words=frozenset({"lane"})),
        *(replace(bite("Two"), words=frozenset({"lane"})) for _ in "123"),
    ]
    assert read_back(index_files(found, {"mem": "Memory"}))["lane"][2] == 9, "four bites: four steps to a doubling, and one"


def test_shards_are_small_and_say_where_they_begin() -> None:
    many = [bite(f"{letters}word{number}") for letters in ("ab", "ac") for number in range(MOST_LETTERS // 10)]
    postings, _ = invert([*many, bite("banks")])
    shards = list(word_shards(postings))
    assert shards[0][0] == ""
    assert [first for first, _ in shards] == sorted({first for first, _ in shards})
    for (first, text), (then, _) in zip(shards, [*shards[1:], ("~", "")], strict=True):
        words = json.loads(text)["words"].split(" ")
        assert first <= words[0][1:] < then, "the first is written whole"
        assert len(text) <= MOST_LETTERS + 100
    half, _ = invert([*(bite(f"aword{number}") for number in range(MOST_LETTERS // 25)), bite("banks")])
    assert [first for first, _ in word_shards(half)] == ["", "b"], "what is half full ends with its letter"


def test_slips_are_looked_for_in_names_and_in_what_leads_to_more_than_one() -> None:
    bites = [bite("Warp: lanes", "stall", "rare"), bite("Tile", "stall", "8bit")]
    postings, _ = invert([*bites, replace(bite("term term", "rare"), kind="term")])
    assert spelled(bites, postings) == {"warp", "lanes", "stall", "tile"}


def test_a_file_of_another_build_has_another_name() -> None:
    one = index_files([bite("Warp", "lane")], {"mem": "Memory"})
    other = index_files([bite("Warp", "lanes")], {"mem": "Memory"})
    assert index_files([bite("Warp", "lane")], {"mem": "Memory"}) == one
    for path in one.keys() & other.keys() - {"search.json"}:
        assert one[path] == other[path], path


def test_a_library_becomes_documents_of_every_kind(good: Library) -> None:
    found = documents(good)
    assert list(dict.fromkeys(document.kind for document in found)) == ["bite", "notebook", "lab", "term", "planned", "rule", "fact"]
    coalescing = next(document for document in found if document.card[0] == "coalescing")
    assert coalescing.runs
    assert "coalesced access" in coalescing.entries, "the words of a term lead to its bite"
    assert all(part < 8 for _, part in coalescing.text.values())
    notebook = next(document for document in found if document.kind == "notebook")
    assert notebook.card == ["sectors", good.notebooks["sectors"].title]


def test_a_rule_of_thumb_leads_to_the_part_that_says_it(good: Library) -> None:
    (found,) = (document for document in documents(good) if document.kind == "rule")
    assert found.card == ["coalescing", "Floats of a warp", "Neighboring floats share sectors", "b/coalescing/#explainer"]
    other = replace(good.rules_of_thumb[0], says="neighboring floats share nothing")
    assert not [document for document in documents(replace(good, rules_of_thumb=(other,))) if document.kind == "rule"]


def test_a_planned_bite_names_the_nearest_that_is_written(good: Library) -> None:
    assert nearest("data-layout", good)[0][0] in good.by_slug


def test_the_hook_is_the_first_sentence(library: Library) -> None:
    for one in library.bites:
        assert 10 <= len(hook(one)) <= 160, f"{one.slug}: {hook(one)}"


def test_terms_and_synonyms_mean_the_same_both_ways(good: Library) -> None:
    with_synonym = replace(good, synonyms=(Synonym(("smem", "the shared memory"), "smem", "coalescing", 1),))
    assert ["smem", "shared memory"] in same_meaning(with_synonym), "stop words are left out"
    assert ["coalescing", "coalesced access"] in same_meaning(good)
    assert called_elsewhere(good) == {"wavefront": "warp", "subgroup": "warp"}, "one way: bites say our word"


def test_wrong_synonyms_are_told_apart() -> None:
    text = "- {words: [oom, out of memory], query: oom, finds: kv-cache}\n- {words: [oom], query: oom, find: kv-cache}\n- oom\n"
    synonyms, wrong = read_synonyms(text)
    assert [synonym.words for synonym in synonyms] == [("oom", "out of memory")]
    assert [line for line, _ in wrong] == [2, 2, 2, 3]
    assert read_synonyms("words: []\n") == ((), ((1, "the synonyms are a list"),))
    assert read_synonyms("- [\n")[1][0][0] == 2


def test_symptoms_are_sentences_or_name_an_error() -> None:
    for keyword in ("kernel slower than before", "OutOfMemoryError", "cudaErrorInvalidDevice", "CONTEXT_LOST_WEBGL", "NCCL_ERROR"):
        assert is_symptom(keyword), keyword
    for keyword in ("bank conflict", "strided access slow", "H100", "TF32"):
        assert not is_symptom(keyword), keyword


def test_a_browser_can_search_here() -> None:
    text = opensearch("GPU Bites", "Tiles & warps", "https://example.org/gpu-bites/")
    assert 'template="https://example.org/gpu-bites/search/?q={searchTerms}"' in text
    assert "Tiles &amp; warps" in text


def test_the_files_of_a_library_are_those_its_head_names(good: Library) -> None:
    files = search_files(good)
    head = json.loads(files["search.json"])
    named = {*head["words"], *(name for cards in head["cards"].values() for name in cards["names"])}
    assert files.keys() == {"search.json", *(f"search/{name}.json" for name in named)}
