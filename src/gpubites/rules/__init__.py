"""The rules: one function each; its docstring is its documentation (docs/about/rules.md is made from them)."""

from gpubites.rules import (
    compute,
    facts,
    figures,
    files,
    front_matter,
    keywords,
    prose,
    quiz,
    rules_of_thumb,
    sections,
    shaders,
    simulators,
    snippets,
    structure,
    synonyms,
    terms,
)
from gpubites.rules.registry import RULES, Finding, Rule, check

__all__ = [
    "RULES",
    "Finding",
    "Rule",
    "check",
    "compute",
    "facts",
    "figures",
    "files",
    "front_matter",
    "keywords",
    "prose",
    "quiz",
    "rules_of_thumb",
    "sections",
    "shaders",
    "simulators",
    "snippets",
    "structure",
    "synonyms",
    "terms",
]
