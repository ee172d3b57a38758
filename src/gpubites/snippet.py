"""A snippet: a file under `snippets/<slug>/`, its named parts, and its recording."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gpubites.bite import SNIPPET_KINDS
from gpubites.compute import Plan, read_plan
from gpubites.cuda_example import WRONG, CudaRecordings, read_cuda_recordings
from gpubites.frame import Frame, frames_path, read_frames
from gpubites.run.cuda import compile_facts
from gpubites.run.recording import Recording, digests, parse_recording, recording_path, sha256_of
from gpubites.simulator import Simulator, is_simulator, read_simulator

MARK = re.compile(r"^\s*(?:#|//)\s*--8<--\s*\[(?P<edge>start|end):(?P<part>[a-z0-9-]+)\]\s*$")


@dataclass(frozen=True)
class Part:
    """A stretch of a file: what stands before, in and after it, and the line (in the file without marks) on which it begins."""

    before: str
    text: str
    after: str
    first_line: int


@dataclass(frozen=True)
class Snippet:
    """One source file, with its recording where there is one. `vertex` is the text of a shader's `.vert`.

    A simulator is a Python file that declares its controls; `frames` are its recorded answers, in the order of its settings.
    `plan` is what a compute lab is given and checked against.
    """

    slug: str
    path: str
    kind: str
    text: str
    vertex: str | None
    recording: Recording | None
    recording_error: str
    fresh: bool
    poster: str | None
    simulator: Simulator | None = None
    frames: tuple[Frame, ...] = ()
    cuda: CudaRecordings | None = None
    plan: Plan | None = None

    @property
    def name(self) -> str:
        return self.path.rsplit("/", 1)[-1]

    @property
    def stem(self) -> str:
        return self.name.rsplit(".", 1)[0]

    @property
    def wrong(self) -> bool:
        """Is it wrong on purpose, beside a right one?"""
        return self.stem.endswith(WRONG)

    @property
    def right_path(self) -> str:
        """The right one beside a wrong one."""
        return self.path.replace(f"{WRONG}.cu", ".cu")

    @property
    def runs_in_page(self) -> bool:
        return self.kind in ("python", "simulator", "shader", "webgpu")

    def part(self, name: str) -> Part | None:
        """A named part; the whole file for an empty name; None where there is no such part."""
        # Not splitlines(): it would also break at a form feed, which Python's line numbers do not.
        lines = self.text.removesuffix("\n").split("\n")
        if not name:
            return Part("", "\n".join(line for line in lines if not MARK.match(line)) + "\n", "", 1)
        places: dict[str, int] = {}
        for index, line in enumerate(lines):
            mark = MARK.match(line)
            if mark and mark["part"] == name:
                places[mark["edge"]] = index
        if not places.get("start", -1) < places.get("end", -1) or "start" not in places:
            return None
        before, text, after = (
            [line for line in stretch if not MARK.match(line)]
            for stretch in (
                lines[: places["start"]],
                lines[places["start"] + 1 : places["end"]],
                lines[places["end"] + 1 :],
            )
        )
        return Part(_joined(before), _joined(text), _joined(after), len(before) + 1)

    @property
    def clean_text(self) -> str:
        """The file without part marks, as a reader sees it."""
        whole = self.part("")
        return whole.text if whole else self.text


def _joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def read_snippets(root: Path, read: Callable[[Path], str]) -> dict[str, Snippet]:
    """Every snippet under `snippets/`, by its path relative to the project's root. `read` gives the text of a file."""
    found = {}
    for path in sorted((root / "snippets").glob("*/*")):
        if path.suffix in SNIPPET_KINDS and path.is_file():
            snippet = _read_snippet(root, path, read)
            found[snippet.path] = snippet
    return found


def _read_snippet(root: Path, path: Path, read: Callable[[Path], str]) -> Snippet:
    vertex, poster = path.with_suffix(".vert"), path.with_name(f"{path.stem}.recording.webp")
    sources = [path, vertex] if path.suffix == ".frag" and vertex.is_file() else [path]
    text = read(path)
    kind = "simulator" if is_simulator(path.name) else SNIPPET_KINDS[path.suffix]
    recording, error = _read_recording(recording_path(path), kind, read)
    simulator = read_simulator(text) if kind == "simulator" else None
    frames, frames_error = _read_frames(frames_path(path), simulator) if recording and simulator else ((), "")
    cuda = read_cuda_recordings(path, read) if path.suffix == ".cu" else None
    return Snippet(
        slug=path.parent.name,
        path=path.relative_to(root).as_posix(),
        kind=kind,
        text=text,
        vertex=read(vertex) if vertex in sources else None,
        recording=recording,
        recording_error=error or frames_error or (cuda.error if cuda else ""),
        fresh=recording is not None and _is_fresh(recording, sources, poster) and (cuda is None or cuda.fresh),
        poster=poster.relative_to(root).as_posix() if poster.is_file() else None,
        simulator=simulator,
        frames=frames,
        cuda=cuda,
        plan=read_plan(text) if kind == "webgpu" else None,
    )


def _read_frames(path: Path, simulator: Simulator) -> tuple[tuple[Frame, ...], str]:
    """The frames, or why there are none."""
    if not path.is_file():
        return (), f"{path.name} is missing"
    try:
        frames = read_frames(path.read_bytes())
    except (ValueError, KeyError, TypeError, IndexError) as error:
        return (), str(error)
    # As many as there are settings, or the file has changed since: the page finds a frame by its place.
    return (frames, "") if len(frames) == len(simulator.settings) else ((), "")


def _read_recording(path: Path, kind: str, read: Callable[[Path], str]) -> tuple[Recording | None, str]:
    if not path.is_file():
        return None, ""
    try:
        recording = parse_recording(read(path))
        if kind == "cuda":
            compile_facts(recording)
    except (ValueError, TypeError) as error:
        return None, " ".join(str(error).split())
    return recording, ""


def _is_fresh(recording: Recording, sources: list[Path], poster: Path) -> bool:
    """Made from exactly these files, no more and no fewer; picture and frames are those that were recorded then."""
    if recording.sources != digests(sources):
        return False
    frames = frames_path(sources[0])
    if frames.is_file() and recording.header.get("frames-sha256") != sha256_of(frames):
        return False
    return not poster.is_file() or recording.header.get("image-sha256") == sha256_of(poster)
