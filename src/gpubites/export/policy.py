"""The Content-Security-Policy: one text for every page, which allows the site's own files and the inline scripts of the build."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping

from gpubites.problem import Problem

_ATTRIBUTES = r"""(?:[^>"']|"[^"]*"|'[^']*')*"""
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_SCRIPT = re.compile(rf"<script\b({_ATTRIBUTES})>(.*?)</script\s*>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(rf"<([a-z][\w-]*)\b({_ATTRIBUTES})>", re.IGNORECASE)
_HANDLER = re.compile(r"""(?:^|\s|["'])(on[a-z]+)\s*=""", re.IGNORECASE)
_QUOTED = re.compile(r""""[^"]*"|'[^']*'""")
_SCRIPT_ADDRESS = re.compile(r"""\s(?:href|src|action|formaction)\s*=\s*["']?\s*javascript:""", re.IGNORECASE)
_TYPE = re.compile(r"""(?:^|\s)type\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)
_SOURCE = re.compile(r"(?:^|\s)src\s*=", re.IGNORECASE)
_CHARSET = re.compile(r"<meta\s+charset=[^>]*>", re.IGNORECASE)
_RUN_TYPES = frozenset({"", "module", "text/javascript", "application/javascript", "importmap", "speculationrules"})


def policy(script_hashes: Iterable[str]) -> str:
    """The policy that allows exactly the inline scripts with these hashes (`sha256-…`), whatever their order."""
    hashes = sorted({f"'{script_hash}'" for script_hash in script_hashes})
    directives = {
        "default-src": "'none'",
        "script-src": " ".join(["'self'", "'wasm-unsafe-eval'", *hashes]),
        "style-src": "'self' 'unsafe-inline'",  # aligned table cells carry style attributes
        "img-src": "'self' data: blob:",
        "font-src": "'self'",
        "media-src": "blob:",  # a reader's own voice, played back to them
        "connect-src": "'self'",
        "worker-src": "'self' blob:",
        "frame-src": "'self'",
        "manifest-src": "'self'",
        "base-uri": "'self'",
        "form-action": "'self'",
    }
    return "; ".join(f"{name} {sources}" for name, sources in directives.items())


def with_policy(pages: Mapping[str, str], frame_hashes: Iterable[str] = ()) -> dict[str, str]:
    """The pages (path → HTML) with one policy for all: instant navigation keeps the first page's policy for the next ones.

    `frame_hashes` are those of the inline scripts in frames that our own scripts open: such a frame inherits the page's policy.
    """
    hashes = {script_hash(text) for html in pages.values() for text in inline_scripts(html)}
    tag = f'<meta http-equiv="Content-Security-Policy" content="{policy([*hashes, *frame_hashes])}">'
    return {path: _CHARSET.sub(lambda charset: charset[0] + tag, html, count=1) for path, html in pages.items()}


def policy_problems(pages: Mapping[str, str]) -> list[Problem]:
    """Everything in the pages that the policy would stop silently, and every page that has no place for it."""
    return [problem for path, html in pages.items() for problem in _page_problems(path, html)]


def script_hash(text: str) -> str:
    """`sha256-…`, as a policy names an inline script."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def inline_scripts(html: str) -> list[str]:
    """The text of each script that would run; JSON and other data blocks do not, and need no hash."""
    found = _SCRIPT.findall(_COMMENT.sub("", html))
    return [text for attributes, text in found if not _SOURCE.search(attributes) and _type(attributes) in _RUN_TYPES]


def _type(attributes: str) -> str:
    given = _TYPE.search(attributes)
    return given[1].lower() if given else ""


def _page_problems(path: str, html: str) -> list[Problem]:
    problems = []
    plain = _SCRIPT.sub(_blank, _COMMENT.sub(_blank, html))  # blanked, not cut: lines keep their numbers
    for tag in _TAG.finditer(plain):
        handler = _HANDLER.search(_QUOTED.sub('""', tag[2]))
        if handler:
            said = f"`{handler[1]}` on <{tag[1]}> would never run: the policy stops inline handlers"
            problems.append(Problem(path, _line(plain, tag.start()), "P001", said, "add the listener in web/"))
        if _SCRIPT_ADDRESS.search(tag[2]):
            said = f"a `javascript:` address on <{tag[1]}> would never run: the policy stops it"
            problems.append(Problem(path, _line(plain, tag.start()), "P002", said, "use a button, and a listener in web/"))
    charset = _CHARSET.search(html)
    first_script = _SCRIPT.search(html)
    if not charset:
        said = "no `<meta charset>` to put the policy after"
        problems.append(Problem(path, 1, "P003", said, "it comes first in the head"))
    elif first_script and first_script.start() < charset.start():
        said = "a script before `<meta charset>`, and so before the policy, is not held to it"
        problems.append(Problem(path, _line(html, first_script.start()), "P004", said, "move `<meta charset>` up"))
    return problems


def _blank(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
