"""Load the library once a build; stop a strict build that has problems."""

import json
import logging
from pathlib import Path
from typing import Literal

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.plugins import event_priority, get_plugin_logger

from gpubites.library import load_library
from gpubites.rules import check

log = get_plugin_logger("gpubites")
serving = False


def on_startup(command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
    global serving
    serving = command == "serve"
    if not serving:  # says what is wrong, not what is done; with --quiet, --strict would not hear of it either
        logging.getLogger("mkdocs").setLevel(logging.WARNING)


@event_priority(100)
def on_config(config: MkDocsConfig) -> MkDocsConfig:
    root = Path(config.config_file_path).parent
    if not serving:  # into a folder of its own making
        _spare(Path(config.site_dir), root)
    library = load_library(root)
    problems = check(library)
    for problem in problems:
        log.warning(str(problem))
    if problems and config.strict:
        raise Abort(f"{len(problems)} problems: `make check` lists them")
    config.extra["library"] = library
    config.extra["names"] = json.loads((root / "build/web/names.json").read_text())
    return config


def _spare(site: Path, root: Path) -> None:
    """MkDocs empties the folder it builds into, whatever it is: SITE_DIR=src would delete the sources, SITE_DIR=~ a home."""
    if site != root / "site" and not (site / "404.html").is_file() and site.is_dir() and any(site.iterdir()):
        raise Abort(f"{site} holds something else than a site: remove it first, or name another folder in SITE_DIR")
