"""The files of the search index (gpubites.search)."""

from __future__ import annotations

from gpubites.library import Library
from gpubites.search.documents import documents
from gpubites.search.index import index_files
from gpubites.search.same import called_elsewhere, same_meaning


def search_files(library: Library) -> dict[str, str]:
    """Path below the site's root → text."""
    return index_files(documents(library), library.sections, same_meaning(library), called_elsewhere(library))
