"""Rules for words and links."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from gpubites.bite import ANCHORS, Bite
from gpubites.library import Library
from gpubites.problem import Problem, did_you_mean
from gpubites.prose import BY_REFERENCE, FACT_LINK, LINK, REFERENCE_LINK, find_in_prose
from gpubites.rules.registry import Finding, bite_rule, library_rule

DATED_SPAN = re.compile(r'<span class="dated">.*?</span>', re.DOTALL)
KEYWORDS = re.compile(r"^keywords:.*(?:\n[ -].*)*", re.MULTILINE)
# Term → what to say today.
DATED = {
    r"\bnvprof\b": "Nsight Systems or Nsight Compute",
    r"\bnvvp\b": "Nsight Systems or Nsight Compute",
    r"\bnvidia-docker2?\b": "NVIDIA Container Toolkit",
    r"\bgl_Frag(?:Color|Data)\b": "a declared `out vec4`",
    r"\btexture(?:2D|Cube)(?:Lod|Proj)?\(": "texture()",
    r"\b(?:attribute|varying) (?:(?:low|medium|high)p )?(?:float|[iu]?vec[234]|mat[234])\b": "in or out",
    r"\b__(?:shfl(?:_up|_down|_xor)?|ballot|any|all)\(": "the _sync form",
    r"\bcudaThread(?:Synchronize|Exit)\b": "cudaDeviceSynchronize or cudaDeviceReset",
    r"\btorch\.distributed\.launch\b": "torchrun",
    r"\bTensorFlow Lite\b": "LiteRT",
}
DATED_TERM = re.compile("|".join(DATED))
FILLER = re.compile(r"\b(?:simply|obviously|of\s+course|needless\s+to\s+say|as\s+we\s+all\s+know|game.changer|cutting.edge)\b", re.I)
BITE_TARGET = re.compile(r"^(?:\.\./(?P<section>[a-z]+)/)?(?P<slug>[a-z0-9-]+)\.md(?:#(?P<anchor>.*))?$")
SECTION_ANCHORS = tuple(dict.fromkeys(ANCHORS.values()))
OLD_SHADER = "// GLSL ES 1.00"


@library_rule("W001")
def dated_term_is_marked(library: Library) -> Iterator[Problem]:
    """A term of yesterday is not used; where it must be named it stands in `<span class="dated">…</span>`.

    Keywords may hold it, since people search with it; a shader that begins with `// GLSL ES 1.00` is old on purpose.
    """
    texts = {bite.path: DATED_SPAN.sub(_blanked, KEYWORDS.sub(_blanked, bite.source.text, count=1)) for bite in library.bites}
    for snippet in library.snippets.values():
        if not snippet.text.startswith(OLD_SHADER):
            texts[snippet.path] = snippet.text
        if snippet.vertex is not None:
            texts[snippet.path.replace(".frag", ".vert")] = snippet.vertex
    for path, text in texts.items():
        for term in DATED_TERM.finditer(text):
            today = next(word for pattern, word in DATED.items() if re.fullmatch(pattern, term[0]))
            hint = f'say {today}, or mark it: <span class="dated">{term[0]}</span>'
            yield Problem(path, text.count("\n", 0, term.start()) + 1, "W001", f"`{term[0]}` is dated", hint)


def _blanked(match: re.Match[str]) -> str:
    """Blanks where the match was, so that lines keep their numbers."""
    return re.sub(r"[^\n]", " ", match[0])


@bite_rule("W002")
def no_filler(bite: Bite, library: Library) -> Iterator[Finding]:
    """No "simply", "obviously", "of course": they tell a reader who is lost that it is their fault."""
    for found in find_in_prose(FILLER, bite.source.text, 1):
        yield Finding(found.line, f"`{found.match[0]}` says nothing", "delete it")


@bite_rule("L001")
def link_resolves(bite: Bite, library: Library) -> Iterator[Finding]:
    """A link leads to a bite (written or planned), a fixed section of one, another file of docs/, or an https address."""
    text = bite.source.text
    for found in (*find_in_prose(LINK, text, 1), *find_in_prose(REFERENCE_LINK, text, 1)):
        target = found.match["target"]
        if target.startswith("fact:"):
            if not FACT_LINK.fullmatch(found.match[0]):
                yield Finding(found.line, f"`{target}` stands in a link of another form", "[600 GB/s](fact:a100-nvlink-total)")
        elif not target.startswith("https://"):
            yield from _wrong_target(target, found.line, bite, library)


@bite_rule("L002")
def link_stands_inline(bite: Bite, library: Library) -> Iterator[Finding]:
    """A link says where it leads on the spot, `[text](target)`: not `[text][name]` with a target further down."""
    targets = {}
    for found in find_in_prose(REFERENCE_LINK, bite.source.text, 1):
        targets[found.match["name"].lower()] = found.match["target"]
        yield Finding(found.line, "the target of a reference link", f"[text]({found.match['target']}) where the text stands")
    for found in find_in_prose(BY_REFERENCE, bite.source.text, 1):
        target = targets.get((found.match["name"] or found.match["text"]).lower(), "…")
        yield Finding(found.line, f"`{found.match[0]}` is a reference link", f"[{found.match['text']}]({target})")


def _wrong_target(target: str, line: int, bite: Bite, library: Library) -> Iterator[Finding]:
    if target.startswith("http://"):
        yield Finding(line, f"`{target}` is not https", target.replace("http://", "https://", 1))
        return
    if target.startswith("#"):
        yield from _wrong_anchor(target[1:], line, bite, library)
        return
    to_bite = BITE_TARGET.match(target)
    if not to_bite:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(bite.path), target.split("#")[0]))
        if not (path.startswith("docs/") and is_file(library, path)):
            hint = "../<section>/<slug>.md, a file of docs/, or https://…"
            yield Finding(line, f"`{target}` leads nowhere: {path} does not exist in docs/", hint)
        return
    slug, anchor = to_bite["slug"], to_bite["anchor"]
    if not library.knows(slug):
        hint = did_you_mean(slug, library.planned) or "a slug of docs/map.yml"
        yield Finding(line, f"`{slug}` is no bite", hint)
        return
    section = _section_of(slug, library)
    folder = to_bite["section"] or bite.source.folder
    if section and section != folder:
        yield Finding(line, f"`{slug}` lies in `{section}`, not `{folder}`", f"../{section}/{slug}.md")
    if anchor is not None:
        yield from _wrong_anchor(anchor, line, library.by_slug.get(slug), library)


def _section_of(slug: str, library: Library) -> str:
    if slug in library.by_slug:
        return library.by_slug[slug].source.folder
    return library.planned[slug].section if slug in library.planned else ""


def is_file(library: Library, path: str) -> bool:
    try:
        return (library.root / path).is_file()
    except (OSError, ValueError):
        # A name too long for the disk, such as a data: address, is no file either.
        return False


def _wrong_anchor(anchor: str, line: int, bite: Bite | None, library: Library) -> Iterator[Finding]:
    """Of a bite that is planned (None) only the fixed sections can be linked."""
    anchors = [*SECTION_ANCHORS, "sources"]
    if bite:
        anchors = [section for section in SECTION_ANCHORS if bite.part(section)] + ["sources"]
        anchors += [question.id for question in bite.quiz]
        anchors += [bite.anchor_of(fence.src, fence.part) for fence in bite.fences]
    if anchor not in anchors:
        where = f" of `{bite.slug}`" if bite else ""
        yield Finding(line, f"`#{anchor}` is no part{where}", did_you_mean(anchor, anchors) or f"one of {', '.join(anchors)}")
