"""Rules for snippets and their recordings."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from gpubites.bite import Bite, parse_fence
from gpubites.cuda_example import WRONG
from gpubites.library import Library
from gpubites.problem import Problem, did_you_mean
from gpubites.rules.registry import Finding, bite_rule, library_rule
from gpubites.snippet import MARK
from gpubites.snippet_output import unfit
from gpubites.source import fenced_blocks

LONGEST_BLOCK = 25
# A snippet may type a fact to four digits.
ROUNDING = 5e-4
FENCE_LANGUAGES = {"python": "python", "simulator": "python", "shader": "glsl", "webgpu": "wgsl", "cuda": "cuda"}
# Option → what it may say.
FENCE_OPTIONS: dict[str, dict[str, str]] = {
    "python": {"run": "yes"},
    "simulator": {},
    "shader": {"vertices": r"[1-9]\d*", "alt": ".+"},
    "webgpu": {},
    "cuda": {"expect": ".+"},
}
SHOWN_WHOLE = ("shader", "simulator", "webgpu")
NAME = re.compile(r"[a-z][a-z0-9_]*")
FACT_COMMENT = re.compile(r"(?:#|//)\s*fact:\s*(?P<id>.*?)\s*$")
NUMBER = re.compile(r"(?<![\w.])\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?")


@bite_rule("S001")
def snippet_source_exists(bite: Bite, library: Library) -> Iterator[Finding]:
    """A fence with a source names a file in the bite's own snippets folder, and a part that stands in it."""
    for fence in bite.fences:
        snippet = library.snippet_of(bite, fence)
        if not snippet:
            names = [other.name for other in library.snippets.values() if other.slug == bite.slug]
            hint = did_you_mean(fence.src, names) or f"put the file into snippets/{bite.slug}/"
            yield Finding(fence.line, f"snippets/{bite.slug}/{fence.src} does not exist", hint)
        elif not snippet.part(fence.part):
            mark = "#" if snippet.path.endswith(".py") else "//"
            yield Finding(
                fence.line,
                f"{snippet.name} has no part `{fence.part}`",
                f"mark it: {mark} --8<-- [start:{fence.part}] … {mark} --8<-- [end:{fence.part}]",
            )


@bite_rule("S002")
def fence_fits_its_source(bite: Bite, library: Library) -> Iterator[Finding]:
    """A fence with a source is empty, in the language of the file, with the options of the kind of snippet, and stands once."""
    for block in fenced_blocks(bite.source.text.split("\n")):
        if "src=" in block.info and not parse_fence(block.info, block.start + 1):
            yield Finding(block.start + 1, "a fence with a source of another form", '```python {src="count_sectors.py"}')
        elif "src=" in block.info and block.end - block.start > 1:
            yield Finding(block.start + 1, "a fence with a source is empty: the file is shown in it", "move the code into the file")
    shown: set[tuple[str, str]] = set()
    for fence in bite.fences:
        if (fence.src, fence.part) in shown:
            yield Finding(fence.line, f"{fence.src} is shown already", "show another part, or none")
        shown.add((fence.src, fence.part))
        snippet = library.snippet_of(bite, fence)
        if not snippet:
            continue
        if fence.language != FENCE_LANGUAGES[snippet.kind]:
            language = FENCE_LANGUAGES[snippet.kind]
            hint = f'```{language} {{src="{snippet.name}"}}'
            yield Finding(fence.line, f"{snippet.name} is shown in a `{language}` fence, not `{fence.language}`", hint)
        if fence.part and snippet.kind in SHOWN_WHOLE:
            message = f"a {snippet.kind} is shown whole"
            yield Finding(fence.line, message, f'```{FENCE_LANGUAGES[snippet.kind]} {{src="{snippet.name}"}}')
        options = FENCE_OPTIONS[snippet.kind]
        known = ", ".join(options) or "none"
        for name, value in fence.options:
            if name not in options:
                yield Finding(fence.line, f"unknown option `{name}`", did_you_mean(name, options) or f"known: {known}")
            elif not re.fullmatch(options[name], value):
                yield Finding(fence.line, f"`{value}` is no value of `{name}`", "run is yes, vertices a number, alt and expect a text")


@library_rule("S003")
def snippet_is_recorded(library: Library) -> Iterator[Problem]:
    """Every snippet has a recording that can be read; a shader also has its picture."""
    for snippet in library.snippets.values():
        if snippet.recording_error:
            yield Problem(snippet.path, 1, "S003", f"its recording cannot be read: {snippet.recording_error}", "make record")
        elif not snippet.recording or (snippet.kind == "shader" and not snippet.poster):
            yield Problem(snippet.path, 1, "S003", "is not recorded", "make record")


@library_rule("S004")
def recording_is_fresh(library: Library) -> Iterator[Problem]:
    """A recording was made from exactly the bytes that are shown, and a picture is the one that was drawn then."""
    for snippet in library.snippets.values():
        if snippet.recording and not snippet.fresh:
            yield Problem(snippet.path, 1, "S004", "changed since it was recorded", "make record")


@library_rule("S005")
def snippet_is_shown(library: Library) -> Iterator[Problem]:
    """Every snippet is shown by its bite: a file that nobody sees rots."""
    shown = {snippet.path for bite in library.bites for snippet in library.snippets_of(bite)}
    for snippet in library.snippets.values():
        if snippet.path not in shown:
            hint = f'```{FENCE_LANGUAGES[snippet.kind]} {{src="{snippet.name}"}}'
            yield Problem(snippet.path, 1, "S005", f"no bite `{snippet.slug}` shows it", hint)


@library_rule("S006")
def typed_facts_agree(library: Library) -> Iterator[Problem]:
    """A line that ends in `# fact: <id>` types that fact's number."""
    for snippet in library.snippets.values():
        for index, line in enumerate(snippet.text.split("\n"), start=1):
            comment = FACT_COMMENT.search(line)
            if not comment:
                continue
            fact = library.facts.get(comment["id"])
            if not fact:
                hint = did_you_mean(comment["id"], library.facts) or "an id of facts/*.yml"
                yield Problem(snippet.path, index, "S006", f"`{comment['id']}` is no fact", hint)
                continue
            typed = [float(number.replace("_", "")) for number in NUMBER.findall(line[: comment.start()])]
            if fact.value is not None and not any(_same(number, fact.value) for number in typed):
                hint = "type the fact's number on this line, or link another fact"
                yield Problem(snippet.path, index, "S006", f"the fact `{fact.id}` says {fact.text}", hint)


def changed(right: str, wrong: str) -> int:
    """How many lines differ; what is to be measured on a GPU does not count, since a wrong program is not."""
    before, after = ([line for line in text.split("\n") if not line.startswith("// gpu:")] for text in (right, wrong))
    blocks = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return sum(max(b - a, d - c) for tag, a, b, c, d in blocks if tag != "equal")


def _same(typed: float, value: float) -> bool:
    """Equal up to a power of a thousand: a snippet may compute in bytes per second where the fact says GB/s."""
    return any(abs(typed - value * 1000.0**power) <= ROUNDING * abs(typed) for power in range(-4, 5))


@library_rule("S008")
def notebook_is_recorded(library: Library) -> Iterator[Problem]:
    """A notebook can be read, and its outputs were recorded from exactly the code that stands in it."""
    for notebook in library.notebooks.values():
        if notebook.error or not notebook.fresh:
            message = notebook.error or "changed since it was recorded, or never was"
            yield Problem(notebook.path, 1, "S008", message, "make record")


@bite_rule("S007")
def block_is_short(bite: Bite, library: Library) -> Iterator[Finding]:
    """A code block on the page stays within 25 lines; a long file shows a named part."""
    for fence in bite.fences:
        snippet = library.snippet_of(bite, fence)
        part = snippet.part(fence.part) if snippet and snippet.kind not in SHOWN_WHOLE else None
        if part and part.text.count("\n") > LONGEST_BLOCK:
            yield Finding(fence.line, f"{part.text.count(chr(10))} lines of code, at most {LONGEST_BLOCK} fit", "show a smaller part")
    for block in fenced_blocks(bite.source.text.split("\n")):
        if block.end - block.start - 1 > LONGEST_BLOCK:
            lines = block.end - block.start - 1
            yield Finding(block.start + 1, f"{lines} lines of code, at most {LONGEST_BLOCK} fit", "show what matters")


@library_rule("S009")
def part_marks_pair_up(library: Library) -> Iterator[Problem]:
    """Every mark of a part is `# --8<-- [start:name]` or `[end:name]` (`//` in CUDA), each name opened once, then closed once."""
    for snippet in library.snippets.values():
        edges: dict[str, list[tuple[str, int]]] = {}
        for line, text in enumerate(snippet.text.split("\n"), start=1):
            mark = MARK.match(text)
            if mark:
                edges.setdefault(mark["part"], []).append((mark["edge"], line))
            elif "--8<--" in text:
                hint = "# --8<-- [start:name-of-part]"
                yield Problem(snippet.path, line, "S009", "a mark of another form, which would be shown", hint)
        for part, found in edges.items():
            if [edge for edge, _ in found] != ["start", "end"]:
                said = ", ".join(f"{edge} in line {line}" for edge, line in found)
                yield Problem(snippet.path, found[0][1], "S009", f"part `{part}` has {said}", "one start, then one end")


@library_rule("S010")
def snippet_has_a_name_of_its_own(library: Library) -> Iterator[Problem]:
    """A snippet's file name is lower-case words joined by underscores, and no other snippet of the bite has the same one."""
    taken: dict[tuple[str, str], str] = {}
    for snippet in library.snippets.values():
        if not NAME.fullmatch(snippet.stem.removesuffix(WRONG) if snippet.kind == "cuda" else snippet.stem):
            hint = "lower-case words joined by underscores, beginning with a letter"
            yield Problem(snippet.path, 1, "S010", f"`{snippet.name}` is no name for a snippet", hint)
        other = taken.setdefault((snippet.slug, snippet.stem), snippet.name)
        if other != snippet.name:
            yield Problem(snippet.path, 1, "S010", f"would share its recording with {other}", "name it after what it shows")


@bite_rule("S011")
def picture_has_its_vertices(bite: Bite, library: Library) -> Iterator[Finding]:
    """The recorded picture of a shader was drawn with as many vertices as the page draws."""
    for fence in bite.fences:
        snippet = library.snippet_of(bite, fence)
        if not snippet or snippet.kind != "shader" or not snippet.recording:
            continue
        recorded, wanted = str(snippet.recording.header.get("vertices")), fence.option("vertices", "3")
        if recorded != wanted:
            message = f"{fence.src} was recorded with {recorded} vertices, and is shown with {wanted}"
            yield Finding(fence.line, message, f"make record only={bite.slug} again=1")


@library_rule("S012")
def output_fits_the_page(library: Library) -> Iterator[Problem]:
    """What a Python snippet printed has at most 40 lines of at most 64 columns, and is not nothing."""
    for snippet in library.snippets.values():
        if snippet.kind != "python" or not snippet.recording:
            continue
        if reason := unfit(snippet.recording.body):
            yield Problem(snippet.path, 1, "S012", reason, "print the rows that teach, then: make record")


# A twin that differs in more lines is another program, and teaches nothing by its difference.
MOST_CHANGED = 8


@bite_rule("S014")
def wrong_on_purpose_says_how(bite: Bite, library: Library) -> Iterator[Finding]:
    """A `<name>.wrong.cu` differs from `<name>.cu` in few lines, and its fence says what the checks find; no other fence does."""
    for fence in bite.fences:
        snippet = library.snippet_of(bite, fence)
        if not snippet or snippet.kind != "cuda":
            continue
        expected = fence.option("expect")
        if not snippet.wrong:
            if expected:
                yield Finding(fence.line, f"{snippet.name} is right, and expects `{expected}`", f"name it {snippet.stem}{WRONG}.cu")
            continue
        right = library.snippets.get(snippet.right_path)
        if not right:
            yield Finding(fence.line, f"{snippet.right_path} does not exist", "a wrong program stands beside the right one")
        elif not 1 <= changed(right.text, snippet.text) <= MOST_CHANGED:
            lines = changed(right.text, snippet.text)
            yield Finding(fence.line, f"{snippet.name} differs from {right.name} in {lines} lines, at most {MOST_CHANGED}", "change less")
        if not expected:
            yield Finding(fence.line, f"{snippet.name} does not say what is found", 'expect="race: shared"')
        found = [problem.label for problem in snippet.cuda.host.problems] if snippet.cuda and snippet.cuda.host else None
        if expected and found is not None and expected not in found:
            said = ", ".join(dict.fromkeys(found)) or "nothing"
            yield Finding(fence.line, f"`{expected}` is expected, and found is: {said}", "mend the program, or what it expects")


@library_rule("S015")
def right_program_passed(library: Library) -> Iterator[Problem]:
    """A CUDA example that is right ran on the CPU host without a finding, or is refused there by name."""
    for snippet in library.snippets.values():
        host = snippet.cuda.host if snippet.cuda and not snippet.wrong else None
        if host and host.verdict == "fail":
            finding = host.problems[0].message if host.problems else "its own check failed"
            line = (host.problems[0].line if host.problems else 1) or 1
            yield Problem(snippet.path, line, "S015", finding, "mend it; wrong on purpose is `<name>.wrong.cu`")
