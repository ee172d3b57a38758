"""Check and record: one code path. What a snippet gives now becomes its recording, where the old one is not fresh."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from gpubites.cuda_example import host_recording_path, sass_recording_path
from gpubites.frame import frames_path
from gpubites.library import Library
from gpubites.run.compute import ComputeError, ComputeStudio, record_compute
from gpubites.run.cuda import CompileError, Skipped, pinned_toolkit, record_cuda, record_sass
from gpubites.run.cuda_host import record_host
from gpubites.run.icons import icon_path, record_icons
from gpubites.run.notebook import NotebookError, changed_cells, record_notebook
from gpubites.run.python import SAME_EACH_TIME, SnippetError, record_python
from gpubites.run.recording import Recording, parse_recording, recording_path
from gpubites.run.shader import ShaderError, Studio, poster_path, record_shader
from gpubites.run.simulator import record_simulator
from gpubites.snippet import Snippet

APP_ICON = "docs/assets/icons/app.svg"


@dataclass(frozen=True)
class Outcome:
    """`state` is fresh, recorded, skipped or failed; `detail` says why."""

    path: str
    state: str
    detail: str = ""


def vertices_of(snippet: Snippet, library: Library) -> int:
    """How many vertices the page draws a shader with: what its fence says, else 3."""
    bite = library.by_slug.get(snippet.slug)
    fences = [fence for fence in bite.fences if fence.src == snippet.name] if bite else []
    given = fences[0].option("vertices", "3") if fences else "3"
    # What is no number is a problem of the fence (S011), told by `make check`.
    return int(given) if given.isdecimal() else 3


def record_all(library: Library, today: date, only: str = "", again: bool = False) -> Iterator[Outcome]:
    """Record what is not fresh (`again`: everything); `only` is a slug or a notebook's name. One outcome each, once it is known."""
    with ExitStack() as open_late:
        recorders = _recorders(library, today, open_late)
        for snippet in library.snippets.values():
            if only not in ("", snippet.slug):
                continue
            if _complete(snippet, library) and not again:
                yield Outcome(snippet.path, "fresh")
            else:
                yield recorders[snippet.kind](snippet)
        for notebook in library.notebooks.values():
            if only in ("", notebook.name):
                fresh = notebook.fresh and not again
                yield Outcome(notebook.path, "fresh") if fresh else _record_notebook(library.root / notebook.path, library, today)
        icon = library.root / APP_ICON
        if only in ("", icon.stem) and icon.is_file():
            yield Outcome(APP_ICON, "fresh") if _icon_is_fresh(icon) and not again else _record_icon(icon, today)


def recorded_names(library: Library) -> list[str]:
    """What `only` may say."""
    return sorted({snippet.slug for snippet in library.snippets.values()} | set(library.notebooks) | {Path(APP_ICON).stem})


def _complete(snippet: Snippet, library: Library) -> bool:
    """Fresh; a shader also has its poster, drawn with as many vertices as the page draws, and a simulator its frames."""
    if snippet.kind == "simulator":
        return snippet.fresh and bool(snippet.frames)
    if snippet.kind == "cuda":
        parts = snippet.cuda
        return snippet.fresh and parts is not None and parts.host is not None and (snippet.wrong or bool(parts.sass))
    if snippet.kind != "shader" or not snippet.recording:
        return snippet.fresh
    return snippet.fresh and snippet.poster is not None and snippet.recording.header.get("vertices") == vertices_of(snippet, library)


def _recorders(library: Library, today: date, open_late: ExitStack) -> dict[str, Callable[[Snippet], Outcome]]:
    studio: list[Studio] = []
    compute_studio: list[ComputeStudio] = []

    def python(snippet: Snippet) -> Outcome:
        try:
            return _write(snippet, library, record_python(library.root / snippet.path, today))
        except SnippetError as error:
            return _failed(snippet.path, error)

    def simulator(snippet: Snippet) -> Outcome:
        source = library.root / snippet.path
        assert snippet.simulator
        try:
            recording, frames = record_simulator(source, snippet.simulator, today)
        except SnippetError as error:
            return _failed(snippet.path, error)
        frames_path(source).write_bytes(frames)
        return _write(snippet, library, recording)

    def shader(snippet: Snippet) -> Outcome:
        # One browser for all shaders, started with the first.
        if not studio:
            studio.append(open_late.enter_context(Studio()))
        source = library.root / snippet.path
        try:
            recording, poster = record_shader(source, vertices_of(snippet, library), today, studio[0])
        except ShaderError as error:
            return _failed(snippet.path, error)
        poster_path(source).write_bytes(poster)
        return _write(snippet, library, recording)

    def webgpu(snippet: Snippet) -> Outcome:
        if not compute_studio:
            compute_studio.append(open_late.enter_context(ComputeStudio()))
        assert snippet.plan
        try:
            return _write(snippet, library, record_compute(library.root / snippet.path, snippet.plan, today, compute_studio[0]))
        except ComputeError as error:
            return _failed(snippet.path, error)

    def cuda(snippet: Snippet) -> Outcome:
        toolkit = pinned_toolkit(library.root)
        if isinstance(toolkit, Skipped):
            return Outcome(snippet.path, "skipped", toolkit.reason)
        source = library.root / snippet.path
        try:
            compiled = record_cuda(source, today, toolkit)
            host = record_host(source, today)
            if not isinstance(host, Skipped):
                host_recording_path(source).write_text(host.text(), encoding="utf-8")
            if not snippet.wrong:
                sass = record_sass(source, today, toolkit)
                sass_recording_path(source).write_text(sass.text(), encoding="utf-8")
            return _write(snippet, library, compiled)
        except CompileError as error:
            return _failed(snippet.path, error)

    return {"python": python, "simulator": simulator, "shader": shader, "webgpu": webgpu, "cuda": cuda}


def _failed(path: str, error: Exception) -> Outcome:
    first, *rest = str(error).strip().split("\n")
    hint = getattr(error, "hint", "")
    lines = [first, *(f"    {line}".rstrip() for line in rest), *([f"    hint: {hint}"] if hint else [])]
    return Outcome(path, "failed", "\n".join(lines))


def _write(snippet: Snippet, library: Library, recording: Recording) -> Outcome:
    recording_path(library.root / snippet.path).write_text(recording.text(), encoding="utf-8")
    return Outcome(snippet.path, "recorded")


def _icon_is_fresh(icon: Path) -> bool:
    try:
        return parse_recording(recording_path(icon).read_text(encoding="utf-8")).is_fresh(icon.parent)
    except (OSError, ValueError):
        return False  # none, or one that cannot be read: recorded anew


def _record_icon(icon: Path, today: date) -> Outcome:
    recording, pictures = record_icons(icon, today)
    for size, png in pictures.items():
        icon_path(icon, size).write_bytes(png)
    recording_path(icon).write_text(recording.text(), encoding="utf-8")
    return Outcome(APP_ICON, "recorded")


def _record_notebook(path: Path, library: Library, today: date) -> Outcome:
    shown = path.relative_to(library.root).as_posix()
    try:
        text = record_notebook(path, today)
        if changed := changed_cells(text, record_notebook(path, today)):
            raise NotebookError(f"shows something else each time: cell {', '.join(changed)}", SAME_EACH_TIME)
    except NotebookError as error:
        return _failed(shown, error)
    path.write_text(text, encoding="utf-8")
    return Outcome(shown, "recorded")
