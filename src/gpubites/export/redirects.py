"""Old addresses: a page per alias that leads to the bite and keeps the `#part`."""

from __future__ import annotations

from html import escape

from gpubites.content_map import SLUG
from gpubites.library import Library

# The same text on every redirect, so that one hash in the policy covers all of them.
KEEP_FRAGMENT = "location.replace(document.querySelector('link[rel=canonical]').href+location.hash)"
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<link rel="canonical" href="{canonical}">
<meta name="robots" content="noindex">
<noscript><meta http-equiv="refresh" content="0; url={target}"></noscript>
<script>{script}</script>
</head>
<body><p>This bite is now called <a href="{target}">{title}</a>.</p></body>
</html>
"""


def redirect_files(library: Library) -> dict[str, str]:
    """Path below the site's root → HTML, for every alias."""
    return {
        f"b/{alias}/index.html": PAGE.format(
            title=escape(bite.title),
            target=f"../{bite.slug}/",
            canonical=f"../{bite.slug}/",
            script=KEEP_FRAGMENT,
        )
        for bite in library.bites
        for alias in bite.aliases
        if SLUG.fullmatch(alias) and alias not in library.by_slug  # a wrong one is a problem (B010), also while `make` serves
    }
