"""What machines read: the API, the search index, the facts, the terms, what studying needs, redirects of old slugs."""

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig

from gpubites.export.api import api_files
from gpubites.export.facts import facts_file
from gpubites.export.opensearch import OPENSEARCH_PATH, opensearch
from gpubites.export.redirects import redirect_files
from gpubites.export.search import search_files
from gpubites.export.study import study_file
from gpubites.export.terms import terms_file


def on_post_build(config: MkDocsConfig) -> None:
    library, site = config.extra["library"], Path(config.site_dir)
    described = {OPENSEARCH_PATH: opensearch(config.site_name, config.site_description or "", config.site_url or "/")}
    texts = api_files(library) | redirect_files(library) | search_files(library) | facts_file(library) | terms_file(library)
    for path, text in (texts | study_file(library) | described).items():
        target = site / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
