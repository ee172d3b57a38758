"""Rules for compute labs."""

from __future__ import annotations

from collections.abc import Iterator

from gpubites.library import Library
from gpubites.problem import Problem
from gpubites.rules.registry import library_rule


@library_rule("S031")
def compute_lab_has_a_plan(library: Library) -> Iterator[Problem]:
    """A WGSL file says in its opening comments what it is given, in which passes it runs, and what its output is checked against."""
    for snippet in library.snippets.values():
        for wrong in snippet.plan.wrong if snippet.plan else ():
            yield Problem(snippet.path, wrong.line, "S031", wrong.message, wrong.hint)
