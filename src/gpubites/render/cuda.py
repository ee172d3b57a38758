"""A CUDA example on the page: what it printed on the CPU host, what its memory accesses cost, what the compiler made of it, GPU times."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from html import escape
from itertools import groupby

from gpubites.bite import SnippetFence
from gpubites.cuda_example import GpuRun, HostProblem, HostRun, Timed, Traced
from gpubites.occupancy import SMS
from gpubites.render.access_figure import access_figures, compared
from gpubites.render.code import code_block
from gpubites.render.html import columns
from gpubites.run.cuda import SASS_ARCH, KernelFacts, compile_facts
from gpubites.snippet import Snippet

NOT_MEASURED = "not yet measured on a GPU"


def cuda_origin(snippet: Snippet) -> str:
    """Where what is shown comes from, for the bar above it."""
    if not snippet.recording:
        return "not recorded yet"
    host = snippet.cuda.host if snippet.cuda else None
    gpus = snippet.cuda.gpus if snippet.cuda else ()
    ran = ["run on the CPU host"] if host and host.verdict != "refused" else []
    measured = ", ".join(run.gpu for run in gpus)
    on_gpu = [] if snippet.wrong else [f"measured on {measured}" if measured else NOT_MEASURED]
    return " · ".join([f"compiled with nvcc {snippet.recording.version('nvcc')}", *ran, *on_gpu])


def render_cuda(snippet: Snippet, fence: SnippetFence, first: bool, right: Snippet | None, sass_url: str) -> str:
    """The content of the figure; what belongs to the file and not to a part of it is shown with its `first` part only."""
    part = snippet.part(fence.part) or snippet.part("")
    assert part, "a file is a part of itself"
    if snippet.wrong:
        return _wrong(snippet, right)
    source = f'<div class="frame-source highlight">{code_block(part.text, "cuda", f"Source of {snippet.name}")}</div>'
    if not first:
        return source
    if not snippet.recording or not snippet.cuda:
        return source + '<div class="frame-facts"><p>Compile facts are not recorded yet.</p></div>'
    facts = compile_facts(snippet.recording)
    return (
        source
        + _host_output(snippet, snippet.cuda.host)
        + _gpu_runs(snippet.name, snippet.cuda.gpus, snippet.cuda.host)
        + _access_figures(snippet, snippet.cuda.host)
        + _trace(snippet, snippet.cuda.host)
        + _facts(snippet.name, facts)
        + _sass(snippet, sass_url)
        + whole_file(snippet)
    )


def whole_file(snippet: Snippet) -> str:
    source = code_block(snippet.clean_text, "cuda", f"The whole of {snippet.name}")
    return f'<details class="frame-whole"><summary>Whole file</summary><div class="highlight">{source}</div></details>'


def sass_file_url(snippet: Snippet) -> str:
    """Relative to the site's root."""
    return f"assets/sass/{snippet.slug}-{snippet.stem}.txt"


# --- wrong on purpose ------------------------------------------------------------------------------------------------


def _wrong(snippet: Snippet, right: Snippet | None) -> str:
    """What differs from the right file, and what the checks say to it."""
    changed = "\n".join(changed_lines(right.clean_text, snippet.clean_text)) if right else snippet.clean_text
    name = right.name if right else "the right one"
    diff = f'<div class="frame-source highlight">{code_block(changed + chr(10), "diff", f"How {snippet.name} differs from {name}")}</div>'
    host = snippet.cuda.host if snippet.cuda else None
    if not host:
        return f'{diff}<div class="frame-facts"><p>Its run on the CPU is not recorded yet.</p></div>'
    findings = "".join(f"<li>{_problem(problem)}</li>" for problem in host.problems)
    return (
        f'{diff}<div class="frame-facts"><p><strong>Wrong on purpose.</strong> What the checks say when it runs on the CPU:</p>'
        f"<ul>{findings}</ul></div>{_output(snippet, host.output)}{whole_file(snippet)}"
    )


def changed_lines(right: str, wrong: str) -> list[str]:
    """The lines that differ, each with `-` or `+`, and two lines around them; nothing where the files agree."""
    before, after = ([line for line in text.splitlines() if not line.startswith("// gpu:")] for text in (right, wrong))
    diff = list(difflib.unified_diff(before, after, n=2, lineterm=""))[2:]
    kept = ["…" if line.startswith("@@") else line for line in diff]
    return kept[1:]


def _problem(problem: HostProblem) -> str:
    return escape(problem.message)


# --- the run on the CPU ----------------------------------------------------------------------------------------------


def _host_output(snippet: Snippet, host: HostRun | None) -> str:
    if not host:
        return ""
    if host.verdict == "refused":
        reason = " ".join(escape(problem.message) for problem in host.problems)
        return f'<p class="frame-note">Compiled only: the CPU host does not run it. {reason}</p>'
    notes = "".join(f'<p class="frame-note">{escape(note)}</p>' for note in host.notes)
    return _output(snippet, host.output) + notes


def _output(snippet: Snippet, output: str) -> str:
    label = f"What {snippet.name} printed on the CPU host"
    if not output.strip():
        return ""
    style = f"--columns: {columns(output)}"
    return f'<pre class="frame-output" tabindex="0" aria-label="{escape(label)}" style="{style}">{escape(output)}</pre>'


def _access_figures(snippet: Snippet, host: HostRun | None) -> str:
    """One wasteful request beside a thrifty one, where the program holds such a contrast."""
    pair = compared(host.trace) if host else None
    if not pair:
        return ""
    lines = {request.traced.line: _source_line(snippet, request.traced.line).split(" //")[0].rstrip() for request in pair}
    return f'<div class="frame-facts">{access_figures(pair, lines)}</div>'


def _trace(snippet: Snippet, host: HostRun | None) -> str:
    """A table of the lines whose accesses were traced, in the order of the file."""
    if not host or not host.trace:
        return ""
    functions: dict[int, set[str]] = {}
    for traced in host.trace:
        functions.setdefault(traced.line, set()).add(traced.function)
    rows = "".join(_traced_row(snippet, traced, len(functions[traced.line]) > 1) for traced in host.trace)
    table = _table(
        snippet.name,
        "Memory accesses, line by line",
        ["source line", "memory", "access", "requests", "sectors / request", "wavefronts / request", "bytes used", "bytes moved"],
        rows,
    )
    note = "Counted on the CPU: a request is what the lanes of one warp ask for at once, a sector 32 bytes of global memory, "
    note += "a wavefront one pass of shared memory."
    return _details("Memory accesses, traced on the CPU", f'{table}<p class="frame-note">{note}</p>')


def _traced_row(snippet: Snippet, traced: Traced, of_several: bool) -> str:
    """`of_several`: the line was compiled more than once, as a template is, and the row says for what."""
    shared = traced.space == "shared"
    cells = [
        traced.space,
        traced.access,
        f"{traced.requests:,}",
        _figure(traced.sectors_per_request),
        _figure(traced.wavefronts_per_request),
        f"{traced.bytes_used:,}",
        "" if shared else f"{traced.bytes_moved:,}",
    ]
    instance = f" in <code>{escape(traced.function)}</code>" if of_several else ""
    return f'<tr><th scope="row"><code>{escape(_source_line(snippet, traced.line))}</code>{instance}</th>' + _cells(cells) + "</tr>"


def _source_line(snippet: Snippet, line: int) -> str:
    lines = snippet.text.split("\n")
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""


def _figure(number: float | None) -> str:
    if number is None:
        return ""
    return f"{number:.2f}".rstrip("0").rstrip(".")


# --- the compiler ----------------------------------------------------------------------------------------------------

# Column of the compile facts → how a reader knows it. A column of zeros is left out, the first ones excepted.
FACT_COLUMNS = {
    "registers": "registers / thread",
    "shared": "shared memory, bytes / block",
    "dynamic": "dynamic shared memory, bytes / block",
    "spill": "spills, bytes",
    "threads": "threads / block",
    "blocks": "blocks / SM",
    "warps": "occupancy",
    "limiter": "limited by",
    "ldg": "global loads",
    "ldg128": "of them 128-bit",
    "stg": "global stores",
    "stg128": "of them 128-bit",
    "lds": "shared loads",
    "sts": "shared stores",
    "ffma": "FP32 FMA",
    "mma": "Tensor Core",
    "shfl": "shuffles",
    "atomic": "atomics",
    "bar": "barriers",
    "instructions": "instructions in all",
}
ALWAYS_SHOWN = ("registers", "spill", "threads", "blocks", "warps", "limiter", "instructions")


def _facts(file: str, facts: Sequence[KernelFacts]) -> str:
    shown = [column for column in FACT_COLUMNS if column in ALWAYS_SHOWN or any(getattr(fact, column) for fact in facts)]
    rows = "".join(
        f'<tr><th scope="row"><code>{escape(fact.kernel)}</code></th><td>{fact.arch}</td>'
        + _cells([_fact(fact, column) for column in shown])
        + "</tr>"
        for fact in facts
    )
    table = _table(file, "What the compiler made of it", ["kernel", "target", *(FACT_COLUMNS[column] for column in shown)], rows)
    note = (
        "Counted in the compiled code: how often an instruction stands there, not how often it runs. Occupancy is the share of an "
        "SM's warp slots that the first launch of the kernel can fill."
    )
    return _details(_in_short(facts), f'{table}<p class="frame-note">{note}</p>')


def _in_short(facts: Sequence[KernelFacts]) -> str:
    """The summary says what most readers want to know, of the architecture that is shown in full."""
    shown = [fact for fact in facts if fact.arch == SASS_ARCH]
    registers = sorted({fact.registers for fact in shown})
    spills = sum(fact.spill for fact in shown)
    span = f"{registers[0]}" if len(registers) == 1 else f"{registers[0]} to {registers[-1]}"
    return f"Compile facts: {span} registers a thread, {'spills' if spills else 'no spills'} ({SASS_ARCH})"


def _fact(fact: KernelFacts, column: str) -> str:
    if column == "warps":
        return f"{100 * fact.warps / SMS[fact.arch].warps:.0f} %" if fact.threads else "not launched"
    if column == "limiter":
        return fact.limiter.replace("shared", "shared memory").replace("+", ", ").replace("warps", "warp slots")
    return str(getattr(fact, column))


def _sass(snippet: Snippet, url: str) -> str:
    """The instructions that move data or make threads wait, each below the source line it was made from."""
    assert snippet.cuda
    telling = [instruction for instruction in snippet.cuda.sass if instruction.telling and instruction.line]
    if not telling:
        return ""
    tables = []
    for kernel, instructions in groupby(telling, key=lambda instruction: instruction.kernel):
        by_line: dict[int, list[str]] = {}
        for instruction in instructions:
            by_line.setdefault(instruction.line, []).append(instruction.text)
        rows = "".join(
            f'<tr><th scope="row"><code>{escape(_source_line(snippet, line))}</code></th><td>{_instructions(by_line[line])}</td></tr>'
            for line in sorted(by_line)
        )
        tables.append(_table(snippet.name, kernel, ["source line", "instructions"], rows))
    why = f"One target is shown, {SASS_ARCH}, to keep pages small; the compile facts are of all of them."
    whole = f'<p class="frame-note">{why} <a href="{escape(url)}">All instructions of {escape(snippet.name)}</a>, as text.</p>'
    return _details(f"Machine code beside its source lines ({SASS_ARCH})", "".join(tables) + whole)


def _instructions(texts: list[str]) -> str:
    """Each opcode once with its first operands: an unrolled loop would repeat it."""
    shown: dict[str, tuple[str, int]] = {}
    for text in texts:
        opcode = next(word for word in text.split() if not word.startswith("@"))
        first, count = shown.get(opcode, (text, 0))
        shown[opcode] = (first, count + 1)
    return "<br>".join(f"<code>{escape(first)}</code>{f' x {count}' if count > 1 else ''}" for first, count in shown.values())


# --- the GPU ---------------------------------------------------------------------------------------------------------


def _gpu_runs(file: str, runs: Sequence[GpuRun], host: HostRun | None) -> str:
    if not runs:
        return f'<p class="frame-note">{NOT_MEASURED[0].upper()}{NOT_MEASURED[1:]}, so no time is shown.</p>'
    return "".join(_gpu_run(file, run, host) for run in runs)


def _gpu_run(file: str, run: GpuRun, host: HostRun | None) -> str:
    """Predicted on the CPU and measured on the GPU, side by side."""
    agrees = "The same lines were printed on the CPU." if host and host.output == run.output else ""
    if not run.kernels:
        return f'<p class="frame-note">Ran on {escape(run.gpu)} on {escape(run.date[:10])}; its kernels are not timed. {agrees}</p>'
    fastest = min(kernel.median for kernel in run.kernels)
    rows = "".join(
        f'<tr><th scope="row"><code>{escape(kernel.kernel)}</code></th>' + _cells(_timed(kernel, fastest)) + "</tr>"
        for kernel in run.kernels
    )
    table = _table(
        file,
        f"Measured on {run.gpu}, at {run.scale:,} times the size that is shown",
        [
            "kernel",
            "predicted: bytes needed",
            "measured: median, µs",
            "10th to 90th percentile, µs",
            "bytes needed / time",
            "to the fastest",
        ],
        rows,
    )
    note = f"Driver {escape(run.driver)}, {escape(run.date[:10])}; {run.kernels[0].repeats} runs each, L2 overwritten before each. {agrees}"
    return f'<div class="frame-facts">{table}<p class="frame-note">{note}</p></div>'


def _timed(kernel: Timed, fastest: float) -> list[str]:
    rate = f"{kernel.gb_per_s:,.0f} GB/s" if kernel.bytes else ""
    return [
        f"{kernel.bytes:,}" if kernel.bytes else "",
        f"{kernel.median:,.1f}",
        f"{kernel.p10:,.1f} to {kernel.p90:,.1f}",
        rate,
        f"{kernel.median / fastest:.1f} x",
    ]


# --- shapes ----------------------------------------------------------------------------------------------------------


def _details(summary: str, content: str) -> str:
    return f'<details class="frame-more"><summary>{escape(summary)}</summary><div class="frame-facts">{content}</div></details>'


def _table(file: str, caption: str, head: Sequence[str], rows: str) -> str:
    """Named after its file as well: a page may hold several such tables, and a list of regions tells them apart."""
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    return (
        f'<div class="table-scroll" tabindex="0" role="region" aria-label="{escape(f"{caption}: {file}")}"><table>'
        f"<caption>{escape(caption)}</caption><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _cells(texts: Sequence[str]) -> str:
    return "".join(f"<td>{escape(text)}</td>" for text in texts)
