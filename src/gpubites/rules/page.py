"""docs/about/rules.md: every rule with its code and its docstring."""

from __future__ import annotations

from gpubites.rules.registry import RULES

GROUPS = {
    "B0": "Front matter",
    "B01": "Front matter",
    "B02": "Sections",
    "B03": "Quiz",
    "B04": "Structure",
    "F": "Files",
    "L": "Links",
    "M": "Figures",
    "N": "Numbers",
    "P": "The content map",
    "S": "Snippets",
    "T": "Terms",
    "W": "Words",
    "Y": "Synonyms",
}
HEAD = """# Rules

<!-- Made from the rules' docstrings by `make fix`. Edit src/gpubites/rules/ instead. -->

`make check` reports every problem of every file at once, as `path:line code message` with a hint.
Each rule has a bad and a good case that differ in one line (`tests/rules/cases.yml`).
"""


def rules_page() -> str:
    """The page's Markdown."""
    parts = [HEAD]
    heading = ""
    for code, rule in sorted(RULES.items()):
        group = next(GROUPS[prefix] for prefix in sorted(GROUPS, key=len, reverse=True) if code.startswith(prefix))
        if group != heading:
            parts.append(f"## {group}\n")
            heading = group
        explanation = " ".join(rule.explanation.split())
        parts.append(f"### {code} {{#{code.lower()}}}\n\n**{rule.name.capitalize()}.** {explanation}\n")
    return "\n".join(parts)
