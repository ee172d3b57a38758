"""The link by a heading, with which a reader passes on a part of a page."""

from __future__ import annotations

from html import escape


def copy_link(anchor: str, title: str) -> str:
    """The link by a heading: an ordinary link without JavaScript, a copy button with it."""
    return f'<a class="copy-link" href="#{anchor}" aria-label="Copy link to {escape(title)}">#</a>'
