"""Snippets as figures: source, controls for the browser, recorded output, and where that came from."""

from __future__ import annotations

from html import escape

from gpubites.bite import SnippetFence
from gpubites.render.code import LANGUAGES, code_block
from gpubites.render.cuda import cuda_origin, render_cuda, sass_file_url
from gpubites.render.html import columns, json_in_html, kept_under
from gpubites.render.simulator import simulator_content
from gpubites.run.recording import Recording
from gpubites.snippet import Snippet

# The height of a poster is recorded with it; this is the shape every demo is drawn in.
POSTER_WIDTH, POSTER_HEIGHT = 640, 360
KIND_NAMES = {"python": "Python", "simulator": "Simulator", "shader": "Shader", "webgpu": "WebGPU", "cuda": "CUDA"}


def render_snippet(snippet: Snippet, fence: SnippetFence, root: str, anchor: str, first: bool = True, right: Snippet | None = None) -> str:
    """The figure of one fence. `root` leads from the page to the site's root (`../../`), `anchor` is the figure's id.

    `first`: is it the first fence with this file? `right` is the program beside one that is wrong on purpose.
    """
    if snippet.kind == "python":
        origin, content = _python_origin(snippet.recording), _python(snippet, fence)
    elif snippet.kind == "simulator":
        origin, content = _simulator_origin(snippet), simulator_content(snippet)
    elif snippet.kind == "shader":
        origin, content = "runs in your browser · picture recorded from this file", _shader(snippet, fence, root)
    elif snippet.kind == "webgpu":
        origin, content = _webgpu_origin(snippet.recording), _webgpu(snippet, fence)
    else:
        sass = f"{root}{sass_file_url(snippet)}"
        origin, content = cuda_origin(snippet), render_cuda(snippet, fence, first, right, sass)
    return (
        f'<figure class="frame frame-{snippet.kind}" id="{escape(anchor)}">'
        f'<figcaption class="frame-bar"><span class="frame-kind">{KIND_NAMES[snippet.kind]}</span> '
        f'<span class="frame-name">{escape(snippet.name)}</span> '
        f'<span class="frame-origin">{escape(origin)}</span></figcaption>{content}</figure>'
    )


def _python(snippet: Snippet, fence: SnippetFence) -> str:
    part = snippet.part(fence.part) or snippet.part("")
    assert part, "a file is a part of itself"
    data = {"before": part.before, "part": part.text, "after": part.after, "firstLine": part.first_line}
    whole = _whole_file(snippet) if part.before or part.after else ""
    output = snippet.recording.body if snippet.recording else "Not recorded yet."
    shown = (
        f'<div class="frame-source highlight">{code_block(part.text, "python", f"Source of {snippet.name}")}</div>'
        f'<script type="application/json" class="py-source">{json_in_html(data)}</script>'
        f'<div class="frame-controls"></div>'
        f'<pre class="frame-output" tabindex="0" aria-label="Output of {escape(snippet.name)}" style="--columns: {columns(output)}">'
        f"{escape(output)}</pre>{whole}"
    )
    return f"<py-snippet {kept_under(snippet, fence.part)}>{shown}</py-snippet>"


def _python_origin(recording: Recording | None) -> str:
    return f"output recorded with CPython {recording.version('python')}" if recording else "not recorded yet"


def _simulator_origin(snippet: Snippet) -> str:
    recording = snippet.recording
    return f"{len(snippet.frames)} settings recorded with CPython {recording.version('python')}" if recording else "not recorded yet"


def _whole_file(snippet: Snippet) -> str:
    around = ": the lines around this part run too" if snippet.runs_in_page else ""
    source = code_block(snippet.clean_text, LANGUAGES[snippet.kind], f"The whole of {snippet.name}")
    return f'<details class="frame-whole"><summary>Whole file{around}</summary><div class="highlight">{source}</div></details>'


def _shader(snippet: Snippet, fence: SnippetFence, root: str) -> str:
    stages = []
    if snippet.vertex is not None:
        stages.append(_stage("vertex", f"{snippet.stem}.vert", snippet.vertex))
    stages.append(_stage("fragment", snippet.name, snippet.text))
    description = fence.option("alt") or f"What {snippet.name} draws"
    poster = (
        f'<img class="frame-poster" src="{root}{poster_url(snippet)}" width="{POSTER_WIDTH}" height="{POSTER_HEIGHT}" '
        f'loading="lazy" decoding="async" alt="{escape(description)}">'
    )
    data = json_in_html({"vertex": snippet.vertex, "fragment": snippet.text})
    return (
        f'<shader-demo data-name="{escape(snippet.stem)}" data-vertices="{escape(fence.option("vertices", "3"))}">'
        f'<div class="frame-stage">{poster}</div><div class="frame-controls"></div>{"".join(stages)}'
        f'<script type="application/json" class="shader-source">{data}</script></shader-demo>'
    )


def _webgpu(snippet: Snippet, fence: SnippetFence) -> str:
    assert snippet.plan
    output = snippet.recording.body if snippet.recording else "Not recorded yet."
    data = json_in_html({"code": snippet.text, "plan": snippet.plan.as_data()})
    return (
        f"<compute-lab {kept_under(snippet, fence.part)}>"
        f'<div class="frame-source highlight">{code_block(snippet.text, "wgsl", f"Source of {snippet.name}")}</div>'
        f'<div class="frame-controls"></div>'
        f'<pre class="frame-output" tabindex="0" aria-label="Output of {escape(snippet.name)}" style="--columns: {columns(output)}">'
        f"{escape(output)}</pre>"
        f'<script type="application/json" class="compute-source">{data}</script></compute-lab>'
    )


def _webgpu_origin(recording: Recording | None) -> str:
    return f"output recorded on WebGPU, {recording.header.get('machine')}" if recording else "not recorded yet"


def _stage(stage: str, name: str, text: str) -> str:
    source = code_block(text, "glsl", f"Source of {name}")
    title = f'<p class="frame-stage-name">{escape(name)}</p>'
    return f'<div class="frame-source highlight" data-stage="{stage}">{title}{source}</div>'


def poster_url(snippet: Snippet) -> str:
    """Relative to the site's root."""
    return f"assets/posters/{snippet.slug}-{snippet.stem}.webp"
