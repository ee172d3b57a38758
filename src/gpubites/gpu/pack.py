"""Packs every CUDA example, compiled here, with the recorder that runs them on a GPU machine."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import subprocess
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from gpubites.gpu import record
from gpubites.gpu.plan import gpu_plan
from gpubites.run.cuda import ARCHITECTURES, Toolkit, run_tool
from gpubites.run.recording import sha256_of
from gpubites.snippet import Snippet

MEASURE = Path(__file__).with_name("measure.cpp")
RECORDER = Path(record.__file__)
FLAGS = ("-std=c++17", "-O3", "-Xptxas", "-v", *(f"-gencode=arch=compute_{a[3:]},code={a}" for a in ARCHITECTURES))
WRAPPED = ("__cudaRegisterFunction", "__cudaGetKernel", "__cudaLaunchKernel", "cudaMalloc", "cudaMallocManaged", "cudaFree")
# No names, no build id, the C++ library linked in: the same bytes from every folder, and nothing to install.
LINK = ("-s", "-Wl,--build-id=none", "-static-libstdc++", "-static-libgcc", *(f"-Wl,--wrap={name}" for name in WRAPPED))
FOLDER = "gpu-bundle"


class CannotPack(Exception):
    """An example that is not in a state to be measured; the message names it and says what to do."""


@dataclass(frozen=True)
class Program:
    """A linked executable, and architecture → sha256 of the cubin inside."""

    content: bytes
    cubins: dict[str, str]

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


def pack(snippets: list[Snippet], root: Path, toolkit: Toolkit, commit: str) -> bytes:
    """The bundle, a .tar.gz: the same bytes for the same sources, toolkit, g++ and commit. Raises `CannotPack`."""
    files: dict[str, bytes] = {"record.py": RECORDER.read_bytes()}
    examples: dict[str, object] = {}
    for snippet in sorted(snippets, key=lambda snippet: snippet.path):
        if not snippet.fresh or not snippet.recording:
            raise CannotPack(f"{snippet.path} changed since it was recorded: make record")
        source, stem = root / snippet.path, f"programs/{snippet.slug}/{snippet.stem}"
        program = build(source, 1, toolkit)
        if program.cubins != snippet.recording.header.get("cubins"):
            raise CannotPack(f"{snippet.path}: the cubins in the program are not the recorded ones")
        files[stem] = program.content
        entry: dict[str, object] = {
            "source": sha256_of(source),
            "cubins": program.cubins,
            "program": {"path": stem, "sha256": program.sha256},
            "measured": None,
        }
        plan = gpu_plan(snippet.text)
        if plan:
            large = build(source, plan.scale, toolkit)
            files[f"{stem}.measured"] = large.content
            entry["measured"] = {
                "path": f"{stem}.measured",
                "sha256": large.sha256,
                "scale": plan.scale,
                "cubins": large.cubins,
            }
        examples[snippet.path] = entry
    manifest = {
        "format": record.FORMAT,
        "commit": commit,
        "nvcc": toolkit.version,
        "gxx": gxx_version(),
        "flags": [*FLAGS, *LINK],
        "glibc": _newest_glibc(files),
        "measure": sha256_of(MEASURE),
        "architectures": list(ARCHITECTURES),
        "examples": examples,
    }
    files["manifest.json"] = (json.dumps(manifest, indent=1) + "\n").encode()
    return _tar_gz(files)


def build(source: Path, scale: int, toolkit: Toolkit) -> Program:
    """From the cache, else from compiler and linker; nvcc runs in the source's folder, so that no path gets into the program."""
    code = sha256_of(MEASURE) + sha256_of(Path(__file__))
    parts = (source.name, sha256_of(source), str(scale), toolkit.lock, gxx_version(), code)
    kept = toolkit.cache.parent / "gpu" / hashlib.sha256("\0".join(parts).encode()).hexdigest()
    if not kept.is_file():
        content = _link(source, scale, toolkit)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.with_suffix(".part").write_bytes(content)
        kept.with_suffix(".part").replace(kept)
    return Program(kept.read_bytes(), _cubins(kept, toolkit))


def _link(source: Path, scale: int, toolkit: Toolkit) -> bytes:
    home = toolkit.bin.parent
    with tempfile.TemporaryDirectory() as folder:
        example, measure, program = (Path(folder) / name for name in ("example.o", "measure.o", "program"))
        nvcc, more = toolkit.bin / "nvcc", [f"-DSCALE={scale}"] if scale != 1 else []
        run_tool([nvcc, *FLAGS, *more, "-c", "-o", example, source.name], cwd=source.resolve().parent)
        run_tool(["g++", "-std=c++17", "-O2", f"-I{home / 'include'}", "-c", "-o", measure, MEASURE.name], cwd=MEASURE.parent)
        runtime: list[str | Path] = [home / "lib" / "libcudart_static.a", "-lrt", "-lpthread", "-ldl"]
        run_tool(["g++", *LINK, "-o", program, example, measure, *runtime])
        return program.read_bytes()


def _cubins(program: Path, toolkit: Toolkit) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        run_tool([toolkit.bin / "cuobjdump", "-xelf", "all", program.resolve()], cwd=Path(folder))
        found = {re.search(r"sm_\d+", path.name): sha256_of(path) for path in sorted(Path(folder).glob("*.cubin"))}
        by_arch = {match[0]: digest for match, digest in found.items() if match}
    return {arch: by_arch[arch] for arch in ARCHITECTURES}


def gxx_version() -> str:
    return subprocess.run(["g++", "-dumpfullversion"], capture_output=True, text=True, check=True).stdout.strip()


def _newest_glibc(files: dict[str, bytes]) -> str:
    """The oldest glibc that has every symbol the programs ask for."""
    asked = {version for content in files.values() for version in re.findall(rb"GLIBC_(\d+\.\d+)", content)}
    return max((version.decode() for version in asked), key=lambda text: [int(n) for n in text.split(".")], default="2.0")


def _tar_gz(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    # No time in the gzip header either.
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as squeezed, tarfile.open(fileobj=squeezed, mode="w") as tar:
        for name in sorted(files):
            member = tarfile.TarInfo(f"{FOLDER}/{name}")
            member.size, member.mode = len(files[name]), 0o755 if name.startswith("programs/") else 0o644
            tar.addfile(member, io.BytesIO(files[name]))
    return packed.getvalue()
