"""Bites to /b/<slug>/, hubs, facts, terms, map, freshness and study from the library, bundled assets and posters into the site."""

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from gpubites.frame import frames_path
from gpubites.library import Library
from gpubites.render.cuda import sass_file_url
from gpubites.render.knowledge_map import map_view
from gpubites.render.labs import lab_groups
from gpubites.render.page import render_bite
from gpubites.render.simulator import frames_url
from gpubites.render.snippet import poster_url
from gpubites.render.view import bite_view, fact_groups, freshness_views, home_view, hub_view, notebook_views, term_views, written_sections
from gpubites.run.sass import sass_text

MATERIALS_ASSETS = ("assets/javascripts/", "assets/stylesheets/", "assets/images/")


# What is made from the library alone: where → what its template is given.
GENERATED = {
    "facts.md": lambda library: {
        "template": "facts.html",
        "title": "Facts and sources",
        "description": "Every number that a bite leans on: what it counts, under which conditions, who says so, and when it was read.",
        "groups": fact_groups(library),
    },
    "terms.md": lambda library: {
        "template": "terms.html",
        "title": "Terms",
        "description": "The terms of GPU engineering in one sentence each, and what NVIDIA, AMD and WebGPU call them.",
        "terms": term_views(library),
    },
    "search.md": lambda library: {
        "template": "search.html",
        "title": "Search",
        "description": "Search bites, terms, facts and notebooks: typos, half words and pasted error messages are fine.",
    },
    "map.md": lambda library: {
        "template": "map.html",
        "title": "Knowledge map",
        "description": "What builds on what: every bite, written or planned, with its prerequisites.",
        "map": map_view(library),
    },
    "labs.md": lambda library: {
        "template": "labs.html",
        "title": "Labs",
        "description": "Simulators to predict and turn, shaders to change: every lab with a picture, its level, and what it needs.",
        "groups": lab_groups(library),
    },
    "notebooks/index.md": lambda library: {
        "template": "notebooks.html",
        "title": "Notebooks",
        "description": "Longer calculations, executed from top to bottom, to read here or to download and run.",
        "notebooks": notebook_views(library),
    },
    "about/freshness.md": lambda library: {
        "template": "freshness.html",
        "title": "Freshness",
        "description": "When each bite was read against its sources, the one that was checked longest ago first.",
        "bites": freshness_views(library),
    },
}


# Studying happens in the page (web/elements/study): its template only needs to know which page it is.
STUDY = {
    "today": (
        "Today's five",
        "Five GPU bites for today in about five minutes: what is due first, then something new.",
    ),
    "review": (
        "Review",
        "Quiz questions, one after the other: what is due, what you missed, or one topic.",
    ),
    "interview": ("Interview", "A question, a countdown, your answer aloud, then the rubric: alone or five in a row, with a debrief."),
    "progress": (
        "Progress",
        "What you know, what is due, where you are weakest; and your own data, to export or erase.",
    ),
}


def study_page(name: str) -> dict[str, str]:
    title, description = STUDY[name]
    return {"template": "study.html", "title": title, "description": description, "study": name}


for name in STUDY:
    GENERATED[f"study/{'index' if name == 'today' else name}.md"] = lambda _, name=name: study_page(name)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    library: Library = config.extra["library"]
    # Material's own scripts, styles and images are not used by our pages (theme/base.html).
    for file in [file for file in files if file.src_uri.startswith(MATERIALS_ASSETS)]:
        files.remove(file)
    for bite in library.bites:
        file = files.get_file_from_path(bite.path.removeprefix("docs/"))
        if file:
            file.dest_uri = f"{bite.url}index.html"
    for section in ("", *(view.id for view in written_sections(library))):
        files.append(File.generated(config, f"s/{section or 'index'}.md", content=""))
    for uri in GENERATED:
        if there := files.get_file_from_path(uri):
            files.remove(there)  # what a forge shows in the page's place
        files.append(File.generated(config, uri, content=""))
    web = library.root / "build" / "web"
    for path in sorted((web / "assets").rglob("*")):
        if path.is_file():
            files.append(_static(config, path.relative_to(web).as_posix(), path))
    for snippet in library.snippets.values():
        if snippet.poster:
            files.append(_static(config, poster_url(snippet), library.root / snippet.poster))
        if snippet.frames:
            files.append(_static(config, frames_url(snippet), frames_path(library.root / snippet.path)))
        if snippet.cuda and snippet.cuda.sass:
            files.append(File.generated(config, sass_file_url(snippet), content=sass_text(list(snippet.cuda.sass))))
    return files


def _static(config: MkDocsConfig, uri: str, path: Path) -> File:
    return File.generated(config, uri, abs_src_path=str(path))


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    library: Library = config.extra["library"]
    uri = page.file.src_uri
    bite = library.by_path.get(f"docs/{uri}")
    if bite:
        rendered = render_bite(bite, library)
        page.title = bite.title
        page.meta = {
            "template": "bite.html",
            "title": bite.title,
            "description": bite.question,
            "bite": bite_view(bite, library),
            "rendered": rendered,
        }
        return rendered.markdown
    if uri.startswith("s/"):
        section = uri.removeprefix("s/").removesuffix(".md").removesuffix("index")
        hub = hub_view(section, library)
        page.meta |= {"template": "hub.html", "title": hub.title, "hub": hub}
    elif uri in GENERATED:
        page.meta |= GENERATED[uri](library)
    elif uri == "index.md":
        page.meta |= {"template": "home.html", "home": home_view(library)}
    return markdown


@event_priority(-50)
def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    rendered = page.meta.get("rendered")
    return rendered.fill(html) if rendered else html.replace("<pre>", '<pre tabindex="0">')
