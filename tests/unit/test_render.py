"""A bite as HTML: what Markdown makes of it, filled, is whole and balanced."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml
from markdown import Markdown

from gpubites.bite import SECTIONS, Bite, parse_bite
from gpubites.library import Library
from gpubites.prose import plain
from gpubites.render.code import code_block
from gpubites.render.holes import Holes
from gpubites.render.html import json_in_html
from gpubites.render.page import render_bite
from gpubites.render.prose import inline_svg
from gpubites.render.veil import unveiled
from gpubites.settled import settled
from gpubites.source import read_source

ROOT = Path(__file__).resolve().parents[2]
VOID = {"img", "input", "br", "hr", "path", "rect"}
# What ends a paragraph: inside <p> the browser would close it, and the page would not be what stands in the file.
BLOCKS = {"p", "div", "section", "figure", "details", "ul", "ol", "li", "pre", "blockquote", "table", "fieldset", "h2", "h3"}


class Config(yaml.SafeLoader):
    """mkdocs.yml, with `!ENV` left out."""


Config.add_multi_constructor("!", lambda loader, suffix, node: None)


def markdown() -> Markdown:
    """As the site's generator converts: the extensions of mkdocs.yml after MkDocs' own."""
    listed = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), Loader=Config)["markdown_extensions"]
    settings = {name: options for entry in listed if isinstance(entry, dict) for name, options in entry.items()}
    names = [name for entry in listed for name in ([entry] if isinstance(entry, str) else entry)]
    return Markdown(extensions=["toc", "tables", "fenced_code", *names], extension_configs=settings)


def html_of(bite: Bite, library: Library) -> str:
    page = render_bite(bite, library)
    return page.fill(markdown().convert(page.markdown))


class Checked(HTMLParser):
    """Reads HTML and keeps what is wrong with it, its ids, and the texts by tag."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.ids: Counter[str] = Counter()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        self.close()
        if self.open:
            self.wrong.append(f"never closed: {self.open}")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.tags.append((tag, attributes))
        if attributes.get("id"):
            self.ids[str(attributes["id"])] += 1
        if tag in BLOCKS and "p" in self.open:
            self.wrong.append(f"<{tag}> in a paragraph, line {self.getpos()[0]}")
        if tag == "a" and "a" in self.open:
            self.wrong.append(f"a link in a link, line {self.getpos()[0]}")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1] != tag:
            self.wrong.append(f"</{tag}> closes {self.open[-1:]}, line {self.getpos()[0]}")
        if tag in self.open:
            while self.open.pop() != tag:
                continue

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str, name: str = "") -> list[dict[str, str | None]]:
        return [attributes for found, attributes in self.tags if found == tag and name in (attributes.get("class") or "")]


def squeezed(text: str) -> str:
    return " ".join(text.split())


def words_of(markdown_text: str) -> str:
    """What stands on the page for a piece of Markdown, as far as letters and digits go."""
    return re.sub(r"[^a-z0-9]+", "", unescape(plain(markdown_text)).lower())


def letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", text.lower())


def slugs() -> list[str]:
    return sorted(path.stem for path in (ROOT / "docs/bites").glob("*/*.md"))


@pytest.mark.parametrize("slug", slugs())
def test_a_bite_of_the_library_is_balanced_and_complete(slug: str, library: Library) -> None:
    bite = library.by_slug[slug]
    html = html_of(bite, library)
    read = Checked(html)
    assert read.wrong == []
    assert [name for name, count in read.ids.items() if count > 1] == []
    assert not re.search(r"[⦃⦄⦅⦆\ue000\ue001]", html)
    assert 'href="fact:' not in html

    for anchor in SECTIONS.values():
        assert (anchor in read.ids) is (bite.part(anchor) is not None)
    shown = letters(read.text)
    for question in bite.quiz:
        assert read.ids[question.id] == 1
        for text in [question.text, question.why, *(text for answer in question.answers for text in (answer.text, answer.why))]:
            assert words_of(text) in shown
    for text in [
        *(flag.said for flag in bite.red_flags),
        *(flag.why for flag in bite.red_flags),
        *(point.text for point in bite.rubric),
        *(text for item in bite.follow_ups for text in (item.probe, item.gist)),
    ]:
        assert words_of(text) in shown


def test_the_good_bite_is_balanced(good: Library) -> None:
    for bite in good.bites:
        assert Checked(html_of(bite, good)).wrong == []


def test_every_answer_can_be_chosen_and_says_why(good: Library) -> None:
    read = Checked(html_of(good.by_slug["coalescing"], good))
    radios = [attributes for attributes in read.all("input") if attributes.get("type") == "radio"]
    assert [(radio["name"], radio["value"]) for radio in radios] == [
        ("q-coalescing-stride-two", "0"),
        ("q-coalescing-stride-two", "1"),
        ("q-coalescing-aos", "0"),
        ("q-coalescing-aos", "1"),
        ("q-coalescing-head", "0"),
        ("q-coalescing-head", "1"),
    ]
    assert [card["data-kind"] for card in read.all("quiz-card")] == ["one", "one", "numeric", "predict"]
    assert [unveiled(card["data-veil"], card["id"]) for card in read.all("quiz-card")] == [[0, 1], [1, 0], [["12.5", "0.1"]], [1, 0]]
    assert "Right: One array per field" in squeezed(read.text)


def test_several_right_answers_are_boxes_to_tick(good: Library) -> None:
    read = Checked(html_of(good.by_slug["warps"], good))
    assert [attributes["name"] for attributes in read.all("input") if attributes["type"] == "checkbox"] == ["q-warps-private"] * 3


def test_a_story_s_frame_and_nothing_else_is_its_worksheet(good: Library) -> None:
    html = html_of(good.by_slug["kernel-story"], good)
    (sheet,) = Checked(html).all("story-worksheet")
    assert sheet == {"data-slug": "kernel-story"}
    inside = html.partition("<story-worksheet")[2].partition("</story-worksheet>")[0]
    assert inside.count("<h3") == 3
    assert inside.count("<h3") == html.partition('id="model-answer"')[2].partition("</section>")[0].count("<h3")
    assert "<textarea" not in html and "<h2" not in inside
    assert Checked(html_of(good.by_slug["coalescing"], good)).all("story-worksheet") == []


# --- pieces, put into the good bite ----------------------------------------------------------------------------------


def with_section(library: Library, title: str, body: str) -> tuple[Bite, Library]:
    bite = library.by_slug["coalescing"]
    before, _, after = bite.source.text.partition(f"## {title}\n")
    rest = after.partition("\n## ")[2]
    changed = parse_bite(read_source(bite.path, f"{before}## {title}\n\n{body}\n\n## {rest}"))
    return changed, replace(library, bites=tuple(changed if other.slug == changed.slug else other for other in library.bites))


def section_html(library: Library, body: str) -> str:
    """What the page makes of `body`, put into the footgun."""
    html = html_of(*with_section(library, "Footgun", body))
    assert Checked(html).wrong == []
    found = re.search(r'<section [^>]*id="footgun".*?</h2>(.*?)</section>', html, re.DOTALL)
    assert found
    return found[1].strip()


def test_a_paragraph_that_begins_with_a_fact_keeps_its_tag(good: Library) -> None:
    html = section_html(good, "[32 bytes](fact:transaction) is the least.\n\nIt is [32 bytes](fact:transaction)")
    title = 'title="The smallest transaction of global memory. source: CUDA Programming Guide"'
    link = f'<a class="fact" href="../../facts/#transaction" {title}>32 bytes</a>'
    assert html == f"<p>{link} is the least.</p>\n<p>It is {link}</p>"


def test_a_derived_fact_says_how_it_was_computed(good: Library) -> None:
    assert "computed: h100-memory-rate * 7 / 8" in section_html(good, "[2,931 GB/s](fact:wasted-rate)")


def test_an_unknown_fact_is_plain_text(good: Library) -> None:
    assert section_html(good, "about [7 GB/s](fact:nothing) of it") == "<p>about 7 GB/s of it</p>"


def test_a_link_to_a_planned_bite_is_plain_text(good: Library) -> None:
    html = section_html(good, "the [layout of `a[i]`](data-layout.md) and [again](../mem/data-layout.md#quiz), [now](../hw/warps.md)")
    assert "<span class=planned>layout of <code>a[i]</code></span> and <span class=planned>again</span>" in html
    assert '<a href="../hw/warps.md">now</a>' in html


def test_links_in_code_stay_code(good: Library) -> None:
    html = section_html(good, "`[a](data-layout.md)`\n\n```\n[32 bytes](fact:transaction)\n![x](y.svg)\n```")
    assert "<code>[a](data-layout.md)</code>" in html
    assert "[32 bytes](fact:transaction)" in unescape(re.sub(r"<[^>]+>", "", html))


def test_links_that_leave_the_site_do_not_hand_over_the_page(good: Library) -> None:
    assert '<a rel="noopener" href="https://example.org/">' in section_html(good, "[there](https://example.org/)")


def test_a_figure_stands_between_paragraphs(good: Library) -> None:
    html = section_html(good, "before\n![Four words of text](../../assets/figures/coalescing.svg)\nafter")
    assert re.fullmatch(r"<p>before</p>\n<figure class=\"figure\"><svg .*</svg></figure>\n<p>after</p>", html, re.DOTALL)


def test_quotes_in_a_text_alternative_are_escaped(good: Library) -> None:
    html = section_html(good, '![A "quoted" <b>text</b> & more](../../assets/figures/coalescing.svg)')
    (svg,) = Checked(html).all("svg")
    assert svg["aria-label"] == 'A "quoted" <b>text</b> & more'
    assert "<b>" not in html


def test_a_drawing_is_named_by_its_text_alternative_alone() -> None:
    drawing = '<!-- x --><title id="t">a</title><path d=""/>'
    svg = f'<?xml version="1.0"?>\n<svg viewBox="0 0 1 1" role="img" aria-labelledby="t">{drawing}</svg>\n'
    assert inline_svg(svg, "what\nit shows") == (
        '<figure class="figure"><svg role="img" aria-label="what it shows" viewBox="0 0 1 1"><path d=""/></svg></figure>'
    )


def test_an_unknown_picture_is_left_to_the_generator(good: Library) -> None:
    assert '<img alt="Four words of text" src="none.svg"' in section_html(good, "![Four words of text](none.svg)")


LOOKS = ["`code` first", "- looks like a list", "# looks like a title", "**bold** and `code`", "1. one", "[x] y", "a < b & c"]


@pytest.mark.parametrize("text", LOOKS)
def test_answers_of_any_look_stay_in_their_line(good: Library, text: str) -> None:
    quiz = f"### {text}? {{#q-x}}\n\n- [x] {text}\n    > {text}\n- [ ] no\n    > {text}\n"
    read = Checked(html_of(*with_quiz(good, quiz)))
    assert read.wrong == []
    assert len(read.all("label", "choice")) == 2
    assert letters(read.text).count(letters(plain(text))) >= 5


def with_quiz(library: Library, quiz: str) -> tuple[Bite, Library]:
    bite = library.by_slug["coalescing"]
    changed = parse_bite(read_source(bite.path, f"{bite.source.text.partition('## Quiz')[0]}## Quiz\n\n{quiz}"))
    return changed, replace(library, bites=tuple(changed if other.slug == changed.slug else other for other in library.bites))


def test_a_large_number_is_asked_for_and_shown_as_typed(good: Library) -> None:
    read = Checked(html_of(*with_quiz(good, '### How many? {#q-x numeric="1048576" unit="bytes"}\n\n> Since.\n')))
    (card,) = read.all("quiz-card")
    assert unveiled(card["data-veil"], "q-x") == [["1048576", "0"]]
    assert "1048576 bytes. Since." in squeezed(read.text)


def test_steps_are_shown_in_another_order_than_the_right_one(good: Library) -> None:
    for steps in (("b", "a", "c"), ("a", "b", "c"), ("c", "b", "a")):
        quiz = "".join(f"{number}. {step}\n    > why {step}\n" for number, step in enumerate(steps, start=1))
        read = Checked(html_of(*with_quiz(good, f'### Which first? {{#q-x kind="order"}}\n\n{quiz}')))
        assert read.wrong == []
        (card,) = read.all("quiz-card")
        places = unveiled(card["data-veil"], "q-x")
        assert isinstance(places, list) and sorted(places) == [0, 1, 2] != places
        assert [attributes["data-shown"] for attributes in read.all("li") if "data-shown" in attributes] == ["0", "1", "2"]
        assert squeezed(read.text).count("why") == 3


def test_the_red_flag_among_sentences_is_named_in_the_answers(good: Library) -> None:
    quiz = "- [ ] Fine one.\n    > yes\n- [x] Wrong one.\n    > no\n- [ ] Fine two.\n    > yes\n"
    read = Checked(html_of(*with_quiz(good, f'### Asked? {{#q-x kind="flag"}}\n\n{quiz}')))
    assert read.wrong == []
    assert [box["type"] for box in read.all("input") if box["name"] == "q-x"] == ["radio"] * 3
    assert "Red flag: Wrong one." in squeezed(read.text) and "Fine: Fine two." in squeezed(read.text)


def test_all_variants_stand_in_the_page_and_the_first_in_the_form(good: Library) -> None:
    html = html_of(good.by_slug["warps"], good)
    read = Checked(html)
    assert read.wrong == []
    (card,) = [card for card in read.all("quiz-card") if card["data-kind"] == "numeric"]
    right = unveiled(card["data-veil"], card["id"])
    assert right == [[str(answer), "0"] for answer in (1, 2, 2, 4, 3, 6, 4, 8)]
    assert ["hidden" in part for part in read.all("div", "quiz-variant")] == [True] * 8
    form = html.partition('id="q-warps-least"')[2].partition('class="quiz-variant"')[0]
    assert "A load of 8 lanes asks for 4 bytes each." in form and "32 lanes" not in form
    assert "<strong>1 transactions</strong>. 8 x 4 = 32 bytes" in form


def test_a_predicted_output_shows_the_code_and_marks_its_line(good: Library) -> None:
    quiz = '### Bytes? {#q-x predict="count_sectors.py" part="count" line="lane i reads" unit="<i>"}\n\n> {output} <since>.\n'
    bite, library = with_quiz(good, quiz)
    html = html_of(settled(bite, good.facts, good.snippets), library)
    read = Checked(html)
    (card,) = read.all("quiz-card")
    assert unveiled(card["data-veil"], "q-x") == [["sectors", "0"]]
    assert "<mark>lane i reads  sectors</mark>\nx[i] " in html
    assert 'class="quiz-code highlight"' in html and "<code>sectors</code> &lt;i&gt;. <code>sectors</code>" in html


def test_a_unit_cannot_break_the_page(good: Library) -> None:
    read = Checked(html_of(*with_quiz(good, '### How many? {#q-x numeric="3" unit="<b>&"}\n\n> Since.\n')))
    assert read.wrong == []
    assert "3 <b>&. Since." in squeezed(read.text)


# --- snippets --------------------------------------------------------------------------------------------------------


def with_snippet(library: Library, name: str, text: str) -> Library:
    path = f"snippets/coalescing/{name}"
    return replace(library, snippets=library.snippets | {path: replace(library.snippets[path], text=text)})


def data_of(html: str, name: str) -> dict[str, object]:
    found = re.search(rf'<script type="application/json" class="{name}">(.*?)</script>', html, re.DOTALL)
    assert found
    data = json.loads(found[1])
    assert isinstance(data, dict)
    return data


def test_the_page_holds_the_whole_file_and_where_the_part_begins(good: Library) -> None:
    data = data_of(html_of(good.by_slug["coalescing"], good), "py-source")
    snippet = good.snippets["snippets/coalescing/count_sectors.py"]
    assert f"{data['before']}{data['part']}{data['after']}" == snippet.clean_text
    assert str(data["part"]).startswith("patterns = {")
    assert data["firstLine"] == 13


def test_a_snippet_cannot_close_its_element(good: Library) -> None:
    hostile = '# --8<-- [start:count]\nprint("</script><script>alert(1)</script><!-- \u2028 ⦃")\n# --8<-- [end:count]\n'
    library = with_snippet(good, "count_sectors.py", hostile)
    html = html_of(library.by_slug["coalescing"], library)
    assert Checked(html).wrong == []
    assert html.count("</script>") == 2
    assert data_of(html, "py-source")["part"] == hostile.split("\n")[1] + "\n"


def test_a_shader_cannot_close_its_element(good: Library) -> None:
    library = with_snippet(good, "stripes.frag", "// </script><img src=x onerror=alert(1)>\n")
    html = html_of(library.by_slug["coalescing"], library)
    assert Checked(html).wrong == []
    assert "<img src=x" not in html
    assert data_of(html, "shader-source") == {"vertex": None, "fragment": "// </script><img src=x onerror=alert(1)>\n"}


def test_recorded_output_is_text(good: Library) -> None:
    path = "snippets/coalescing/count_sectors.py"
    recording = good.snippets[path].recording
    assert recording
    changed = replace(good.snippets[path], recording=replace(recording, body="<b>&amp;</b>\n"))
    html = html_of(good.by_slug["coalescing"], replace(good, snippets=good.snippets | {path: changed}))
    assert "&lt;b&gt;&amp;amp;&lt;/b&gt;" in html


def test_a_demo_has_its_picture_in_words(good: Library) -> None:
    read = Checked(html_of(good.by_slug["coalescing"], good))
    (poster,) = read.all("img", "frame-poster")
    assert poster["alt"] == "Stripes, eight to a sector"
    assert poster["src"] == "../../assets/posters/coalescing-stripes.webp"
    assert poster["loading"] == "lazy"


def test_cuda_says_that_nothing_was_measured(good: Library) -> None:
    read = Checked(html_of(good.by_slug["coalescing"], good))
    assert "not yet measured on a GPU" in read.text
    assert [name for name in ("sm_80", "sm_90", "sm_100") if name in read.text] == ["sm_80", "sm_90", "sm_100"]


def test_a_snippet_without_recording_says_so(good: Library) -> None:
    snippets = {path: replace(snippet, recording=None) for path, snippet in good.snippets.items()}
    read = Checked(html_of(good.by_slug["coalescing"], replace(good, snippets=snippets)))
    assert read.wrong == []
    assert read.text.count("not recorded yet") == 3


def test_json_in_html_is_still_json() -> None:
    data = {"a": "</script><!--<b>", "b": [None, 1, "é\u2028\\u003c"]}
    assert json.loads(json_in_html(data)) == data
    assert "<" not in json_in_html(data)


def test_a_code_block_keeps_its_text_and_names_it() -> None:
    html = code_block('\n\nif a < b:  # "x"\n    pass\n', "python", 'a "name"')
    read = Checked(html)
    assert read.text == '\n\nif a < b:  # "x"\n    pass\n'
    assert read.all("pre") == [{"tabindex": "0", "aria-label": 'a "name"'}]


# --- holes -----------------------------------------------------------------------------------------------------------


def filled(holes: Holes, text: str) -> str:
    return holes.fill(Markdown().convert(text))


def test_a_block_stands_alone_between_paragraphs() -> None:
    holes = Holes()
    assert filled(holes, f"one{holes.block('<div>x</div>')}two") == "<p>one</p>\n<div>x</div>\n<p>two</p>"


def test_an_inline_hole_leaves_the_paragraph_in_place() -> None:
    holes = Holes()
    assert filled(holes, f"{holes.inline('<b>')}one{holes.inline('</b>')}") == "<p><b>one</b></p>"


def test_around_replaces_the_paragraph() -> None:
    holes = Holes()
    assert filled(holes, holes.around("<li>", "*one* `<two>`", "</li>")) == "<li><em>one</em> <code>&lt;two&gt;</code></li>"


def test_around_with_an_inline_hole_at_its_very_edge() -> None:
    holes = Holes()
    link = f"{holes.inline('<a>')}32{holes.inline('</a>')}"
    assert filled(holes, holes.around("<li>", link, "</li>")) == "<li><a>32</a></li>"


def test_blocks_side_by_side_are_all_filled() -> None:
    holes = Holes()
    text = holes.block("<ul>") + "".join(holes.around("<li>", str(number), "</li>") for number in range(12)) + holes.block("</ul>")
    assert filled(holes, text).replace("\n", "") == "<ul>" + "".join(f"<li>{number}</li>" for number in range(12)) + "</ul>"
