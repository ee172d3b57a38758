"""A bite as a page: Markdown with holes, which the site generator converts and `Page.fill` completes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from gpubites.bite import Bite
from gpubites.library import Library
from gpubites.prose import LINK, plain
from gpubites.render.copy_link import copy_link
from gpubites.render.holes import Holes
from gpubites.render.prose import ROOT, render_prose
from gpubites.render.quiz import render_quiz
from gpubites.render.terms import FirstUses
from gpubites.source import Section

ANSWER_FIRST = (
    '<p class="answer-first">Say your own answer first. Two or three minutes, aloud.</p>'
    '<details class="answer"><summary class="button"><span class="when-closed">Reveal the model answer</span>'
    '<span class="when-open">Hide the model answer</span></summary>'
)
# Section → seconds it should take to say.
ALOUD = {"explainer": 60, "model-answer": 180}
# Symptom, cause and cure may share a paragraph in the file; a reader in a hurry looks for the cure.
CAUSE_OR_CURE = re.compile(r"[ \n](\*\*(?:Cause|Cure)\*\*)")
Prose = Callable[[str], str]
BARE_PRE = re.compile(r"<pre>")
EXTERNAL_LINK = re.compile(r'<a href="(https?://[^"]+)"')


@dataclass(frozen=True)
class Page:
    """What MkDocs gets (`markdown`), and how its HTML is finished (`fill`)."""

    markdown: str
    holes: Holes

    def fill(self, html: str) -> str:
        """The finished content of the page."""
        filled = self.holes.fill(html)
        # A block that scrolls has to be reachable by keyboard.
        filled = BARE_PRE.sub('<pre tabindex="0">', filled)
        return EXTERNAL_LINK.sub(r'<a rel="noopener" href="\1"', filled)


def render_bite(bite: Bite, library: Library) -> Page:
    """Every section in a `<section>` with its fixed anchor, quiz and answers as forms that read without JavaScript."""
    holes = Holes()
    first_uses = FirstUses(bite, library, holes, ROOT)
    parts = []
    for anchor in bite.page_order:
        section = bite.part(anchor)
        if section:
            parts.append(_section(section, anchor, bite, library, holes, first_uses))
    return Page("\n".join(parts), holes)


def _section(section: Section, anchor: str, bite: Bite, library: Library, holes: Holes, first_uses: FirstUses) -> str:
    def bare(text: str) -> str:
        """For what is pressed, chosen or quoted, where a link would be in the way."""
        return render_prose(text, bite, library, holes)

    def prose(text: str) -> str:
        return render_prose(text, bite, library, holes, first_uses.link)

    body = {
        "what-it-tests": lambda: _rubric(bite, bare, holes),
        "red-flags": lambda: _red_flags(bite, prose, bare, holes),
        "footgun": lambda: prose(CAUSE_OR_CURE.sub(r"\n\n\1", section.body)),
        "follow-ups": lambda: _follow_ups(bite, prose, bare, holes),
        "quiz": lambda: render_quiz(bite, library, bare, holes),
    }.get(anchor, lambda: prose(section.body))()
    if anchor == "model-answer" and bite.kind == "question":
        body = holes.block(ANSWER_FIRST) + body + holes.block("</details>")
    if anchor == "model-answer" and bite.kind == "story":
        body = holes.block(f'<story-worksheet data-slug="{escape(bite.slug)}">') + body + holes.block("</story-worksheet>")
    # "In the room" of a story is read, not recited, and its frame is filled in.
    seconds = ALOUD.get(anchor) if bite.kind != "story" else None
    timer = f'<bite-timer data-seconds="{seconds}"></bite-timer>' if seconds else ""
    heading = (
        f'<section class="part part-{anchor}" id="{anchor}" aria-labelledby="{anchor}-title">'
        f'<h2 id="{anchor}-title">{escape(section.title)} {copy_link(anchor, section.title)}</h2>{timer}'
    )
    return holes.block(heading) + body + holes.block("</section>")


def _rubric(bite: Bite, prose: Prose, holes: Holes) -> str:
    items = [
        holes.around(
            f'<li><span class="weight" aria-label="{point.weight} {"point" if point.weight == 1 else "points"}">'
            f"{point.weight}</span> <span>",
            prose(point.text),
            "</span></li>",
        )
        for point in bite.rubric
    ]
    total = f"What a listener gives points for, {sum(point.weight for point in bite.rubric)} in all."
    return holes.block(f'<p class="rubric-total">{total}</p><ul class="rubric">') + "".join(items) + holes.block("</ul>")


def _red_flags(bite: Bite, prose: Prose, bare: Prose, holes: Holes) -> str:
    return "".join(
        holes.around('<div class="red-flag"><blockquote><p>', bare(flag.said), "</p></blockquote>")
        + prose(flag.why)
        + holes.block("</div>")
        for flag in bite.red_flags
    )


def _without_links(markdown: str) -> str:
    """For a summary, which is itself pressed: a link in it could not be told from it."""
    return LINK.sub(lambda link: link["text"], markdown)


def _follow_ups(bite: Bite, prose: Prose, bare: Prose, holes: Holes) -> str:
    return "".join(
        holes.around(f'<details class="follow-up" id="{follow_up.anchor}"><summary>', bare(_without_links(follow_up.probe)), "</summary>")
        + prose(follow_up.gist)
        + holes.block(f"{copy_link(follow_up.anchor, plain(follow_up.probe))}</details>")
        for follow_up in bite.follow_ups
    )
