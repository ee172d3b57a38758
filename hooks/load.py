"""Load the library once a build; stop a strict build that has problems."""

import json
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.plugins import event_priority, get_plugin_logger

from gpubites.library import load_library
from gpubites.rules import check

log = get_plugin_logger("gpubites")


@event_priority(100)
def on_config(config: MkDocsConfig) -> MkDocsConfig:
    root = Path(config.config_file_path).parent
    library = load_library(root)
    problems = check(library)
    for problem in problems:
        log.warning(str(problem))
    if problems and config.strict:
        raise Abort(f"{len(problems)} problems: `make check` lists them")
    config.extra["library"] = library
    config.extra["names"] = json.loads((root / "build/web/names.json").read_text())
    return config
