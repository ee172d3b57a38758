"""A new bite: a file in which every section says in one sentence what belongs there."""

from __future__ import annotations

import json
from datetime import date

from gpubites.bite import SECTIONS
from gpubites.content_map import SLUG
from gpubites.library import Library
from gpubites.problem import did_you_mean
from gpubites.rules.sections import titles_of

WHAT_BELONGS = {
    "explainer": """\
TODO One idea in 110 to 170 words, sixty seconds aloud: the first sentence defines, an example comes before the general case.""",
    "model-answer": """\
TODO What you would say in two or three minutes, in the order you would say it: mechanism, number, how you would measure it.""",
    "what-it-tests": """\
- (3) TODO names the mechanism: three to six points an interviewer could tick, each with its weight
- (2) TODO puts a number on it
- (2) TODO says how it would be measured""",
    "red-flags": """\
- > TODO A sentence as a candidate says it; one to three of them.

  TODO Why it betrays a misconception, and what to say instead.""",
    "footgun": """\
TODO Code or configuration that works, ships and hurts.

**Symptom**: TODO what is seen. **Cause**: TODO why. **Cure**: TODO what to change.""",
    "try-it": """\
TODO A snippet to change and run, and what to look for; delete this section where there is nothing to try.""",
    "follow-ups": """\
- **TODO A probe that goes one level deeper?** TODO The gist of an answer; three to five of them.
- **TODO And at the other extreme?** TODO The gist.
- **TODO How would you find out?** TODO The gist.""",
}
# What a story says in another way.
STORY_BELONGS = {
    "explainer": """\
TODO What the interviewer listens for, in 110 to 170 words, sixty seconds aloud: what the question sounds like, what sinks it.

**Tip to quantify.** TODO Which number to have ready, and how it was measured.""",
    "model-answer": """\
### 1. TODO Name of the step

TODO What it must contain, what good sounds like, and what the interviewer probes next.

### 2. TODO Name of the step

TODO The same.

### 3. TODO The measured result

TODO The number before, the number after, how they were measured, and what it cost.""",
}
QUESTION = """### TODO A question that makes the reader decide or compute? {{#q-{slug}-{number}}}

- [ ] TODO A tempting wrong answer
    > TODO Why it is wrong.
- [x] TODO The right answer
    > TODO Why it is right."""
QUIZ_QUESTIONS = 3
FRONT = """---
title: {title}
question: TODO The question as an interviewer would say it?
kind: {kind}                 # question | explainer | story
level: {level}               # beginner | intermediate | advanced
section: {section}
roles: [{roles}]
prereqs: [{prereqs}]
aliases: []
keywords: []                 # six or more words people type: synonyms, and at least two symptoms or error messages
sources:                     # two or more, at least one primary
  - {{title: TODO, url: "https://", kind: primary, for: TODO what it was used for}}
  - {{title: TODO, url: "https://", kind: secondary, for: TODO}}
checked: {{on: {today}, how: live}}   # the day you read the facts against the sources
---
"""


class CannotCreate(Exception):
    """Why there is no new file; the text tells what to do."""


def new_bite(where: str, library: Library, today: date) -> tuple[str, str]:
    """`mem/some-slug` → path and text of the new file. Raises `CannotCreate`."""
    if not where:
        raise CannotCreate(f"which bite? make new bite=<section>/<slug>, such as mem/some-slug\n{_planned_in_sections(library)}")
    section, _, slug = where.partition("/")
    if section not in library.sections or not slug:
        known = ", ".join(library.sections)
        hint = did_you_mean(section, library.sections)
        raise CannotCreate(f"`{where}` is not <section>/<slug>; the sections are {known}. {hint}".rstrip())
    if not SLUG.fullmatch(slug):
        raise CannotCreate(f"`{slug}` is no slug: lower-case words and digits joined by hyphens, such as `bank-conflicts`")
    path = f"docs/bites/{section}/{slug}.md"
    renamed = next((bite for bite in library.bites if slug in bite.aliases), None)
    if slug in library.by_slug:
        raise CannotCreate(f"{library.by_slug[slug].path} exists already")
    if renamed:
        raise CannotCreate(f"`{slug}` is an old slug of {renamed.path} and leads there for good: take another")
    planned = library.planned.get(slug)
    if planned and planned.section != section:
        raise CannotCreate(f"docs/map.yml plans `{slug}` in `{planned.section}`: make new bite={planned.section}/{slug}")
    kind = planned.kind if planned else usual_kind(section)
    front = FRONT.format(
        title=json.dumps(planned.title if planned else "TODO A title that a searcher would recognize", ensure_ascii=False),
        kind=kind,
        level=planned.level if planned else "beginner",
        section=section,
        roles=", ".join(planned.roles if planned else ["all"]),
        prereqs=", ".join(planned.prereqs if planned else []),
        today=today.isoformat(),
    )
    return path, front + "".join(
        f"\n## {title}\n\n{_what_belongs(anchor, kind, slug)}\n" for title, anchor in zip(titles_of(kind), SECTIONS.values(), strict=True)
    )


def _planned_in_sections(library: Library) -> str:
    """One line for each section: its name, and what is planned there and not yet written."""
    lines = []
    for section, name in library.sections.items():
        left = [slug for slug, planned in library.planned.items() if planned.section == section and slug not in library.by_slug]
        lines.append(f"  {section:6} {name}: {', '.join(left) or 'all written'}")
    return "\n".join(lines)


def _what_belongs(anchor: str, kind: str, slug: str) -> str:
    if anchor == "quiz":
        return "\n\n".join(QUESTION.format(slug=slug, number=number) for number in range(1, QUIZ_QUESTIONS + 1))
    if kind == "story" and anchor in STORY_BELONGS:
        return STORY_BELONGS[anchor]
    return WHAT_BELONGS[anchor]


def map_entry(slug: str, section: str) -> str:
    """What stands in docs/map.yml for a bite that was not planned: it keeps the slug for good. Nothing is left to fill in."""
    return (
        f"- slug: {slug}\n  topic_title: {slug.replace('-', ' ').capitalize()}\n  section: {section}\n"
        f"  kind: {usual_kind(section)}\n  level: beginner\n  idea: Was not planned; the bite says what it is about.\n"
        "  prereqs: []\n  needs: []\n  roles: [all]\n"
    )


def usual_kind(section: str) -> str:
    """The kind of a bite that was not planned."""
    return "story" if section == "story" else "question"
