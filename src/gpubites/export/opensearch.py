"""The OpenSearch description: with it a browser can take the site's search for one of its own."""

from __future__ import annotations

from xml.sax.saxutils import escape

OPENSEARCH_PATH = "opensearch.xml"


def opensearch(name: str, description: str, site_url: str) -> str:
    """The text of opensearch.xml. `site_url` is where the site lives, with a closing slash."""
    home = escape(site_url, {'"': "&quot;"})
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>{escape(name)[:16]}</ShortName>
  <Description>{escape(description)}</Description>
  <InputEncoding>UTF-8</InputEncoding>
  <Image width="16" height="16" type="image/svg+xml">{home}assets/icons/app.svg</Image>
  <Url type="text/html" method="get" template="{home}search/?q={{searchTerms}}"/>
</OpenSearchDescription>
"""
