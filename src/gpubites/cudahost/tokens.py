"""CUDA C++ as a list of tokens: enough to tell code from comments, strings, raw strings and preprocessor lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["space", "comment", "directive", "string", "number", "name", "mark"]


@dataclass(frozen=True)
class Token:
    """A stretch of the source; all tokens together are the source, byte for byte."""

    kind: Kind
    text: str
    line: int  # of its first character, counted from 1

    @property
    def is_code(self) -> bool:
        return self.kind not in ("space", "comment")


# In this order: a raw string before a string, a string with its prefix before a name.
_PATTERNS: tuple[tuple[Kind, str], ...] = (
    ("space", r"(?:\s|\\\n)+"),
    ("comment", r"//(?:\\\n|[^\n])*|/\*.*?\*/"),
    ("string", r'(?:u8|[uUL])?R"(?P<fence>[^\s()\\]{0,16})\(.*?\)(?P=fence)"'),
    ("string", r'(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"'),
    ("string", r"(?:u8|[uUL])?'(?:\\.|[^'\\\n])+'"),
    ("number", r"\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*"),
    ("name", r"[A-Za-z_$][\w$]*"),
    ("mark", r"<<<|>>>|::|->|\+\+|--|&&|\|\||[<>=!+\-*/%&|^]=|."),
)
_TOKEN = re.compile("|".join(f"(?P<{kind}{i}>{pattern})" for i, (kind, pattern) in enumerate(_PATTERNS)), re.DOTALL)
_DIRECTIVE_START = re.compile(r"[ \t]*#[ \t]*(?P<word>\w*)")


def tokenize(source: str) -> list[Token]:
    """The tokens of `source`. A directive is split like code, between `#word` and an empty directive token at its end."""
    tokens: list[Token] = []
    at, line, fresh = 0, 1, True  # fresh: nothing but blanks in this line so far
    ends = -1  # where the present directive ends
    while at < len(source):
        if at == ends:
            tokens.append(Token("directive", "", line))
            ends = -1
        if fresh and (directive := _DIRECTIVE_START.match(source, at)):
            end = directive.end()
            ends = _end_of_line(source, end)
            if directive["word"] in ("include", "pragma", "error", "warning", "line"):
                end = ends
            text = source[at:end]
            tokens.append(Token("directive", text, line))
            line += text.count("\n")
            at, fresh = end, False
            continue
        found = _TOKEN.match(source, at, ends if ends > at else len(source))
        assert found is not None and found.lastgroup is not None
        kind: Kind = next(kind for i, (kind, _) in enumerate(_PATTERNS) if found[f"{kind}{i}"] is not None)
        text = found[0]
        tokens.append(Token(kind, text, line))
        line += text.count("\n")
        at = found.end()
        fresh = "\n" in text.replace("\\\n", "") or fresh if kind in ("space", "comment") else False
    return tokens


def _end_of_line(source: str, at: int) -> int:
    while at < len(source) and source[at] != "\n":
        at += 2 if source.startswith("\\\n", at) else 1
    return at
