"""Last: the app manifest, the policy in every page, the service worker, and the list of what can be kept offline."""

import shutil
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.plugins import event_priority, get_plugin_logger

from gpubites.export.offline import offline_manifest
from gpubites.export.policy import policy_problems, with_policy
from gpubites.export.webmanifest import web_manifest

log = get_plugin_logger("gpubites")
serving = False


def on_startup(command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
    global serving
    serving = command == "serve"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.extra["preview"] = serving
    return config


@event_priority(-100)
def on_post_build(config: MkDocsConfig) -> None:
    site, project = Path(config.site_dir), Path(config.config_file_path).parent
    root = urlsplit(config.site_url or "/").path
    manifest = web_manifest(config.site_name, config.site_description or "", root)
    (site / "manifest.webmanifest").write_text(manifest, encoding="utf-8")
    if serving:  # live reload needs inline scripts, and a kept page would hide what was saved
        shutil.copy(project / "web/sw-retire.js", site / "sw.js")
        return
    shutil.copy(project / "build/web/sw.js", site / "sw.js")
    pages = {path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    problems = policy_problems(pages)
    for problem in problems:
        log.warning(str(problem))
    if problems:
        raise Abort(f"{len(problems)} problems with the policy: see above")
    for path, html in with_policy(pages, config.extra["names"]["frames"]).items():
        (site / path).write_text(html, encoding="utf-8")
    files = [path for path in site.rglob("*") if path.is_file()]
    keepable = offline_manifest((path.relative_to(site).as_posix(), path.read_bytes()) for path in files)
    (site / "offline.json").write_text(keepable, encoding="utf-8")
