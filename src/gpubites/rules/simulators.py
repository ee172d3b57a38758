"""Rules for simulators."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from gpubites.library import Library
from gpubites.problem import Problem
from gpubites.rules.registry import library_rule
from gpubites.simulator import imports

# What would make a frame depend on when and where it was recorded.
WORLDLY = frozenset({"time", "datetime", "os", "pathlib", "secrets", "uuid", "socket", "subprocess", "threading", "tempfile", "platform"})


@library_rule("S020")
def simulator_says_what_it_needs(library: Library) -> Iterator[Problem]:
    """A simulator's parameters are annotated with type, values, unit and label; it asks for a prediction and says what it leaves out."""
    for snippet in library.snippets.values():
        for wrong in snippet.simulator.wrong if snippet.simulator else ():
            yield Problem(snippet.path, wrong.line, "S020", wrong.message, wrong.hint)


@library_rule("S021")
def simulator_is_plain_python(library: Library) -> Iterator[Problem]:
    """A simulator imports nothing but the standard library and numpy, and depends on no clock, chance or file."""
    for snippet in library.snippets.values():
        for line, name in imports(snippet.text) if snippet.simulator else ():
            if name not in sys.stdlib_module_names and name != "numpy":
                message = f"imports `{name}`, which the page does not have"
                yield Problem(snippet.path, line, "S021", message, "the standard library, or numpy")
            elif name in WORLDLY:
                message = f"imports `{name}`: the same setting would not always give the same frame"
                yield Problem(snippet.path, line, "S021", message, "pass what varies as a parameter; random.Random(seed) repeats itself")
