"""The command line: `python -m gpubites check | new | record | rules | cuda | gpu`. The Makefile calls it."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from datetime import date
from io import TextIOWrapper
from pathlib import Path

from gpubites.cuda_example import gpu_run
from gpubites.cudahost.command import add_arguments as add_cuda_arguments
from gpubites.cudahost.command import run_command as run_cuda_command
from gpubites.library import load_library
from gpubites.new import CannotCreate, map_entry, new_bite
from gpubites.problem import did_you_mean
from gpubites.rules import check
from gpubites.rules.page import rules_page
from gpubites.run.recording import sha256_of


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m gpubites", description="Checks, starts and records bites.")
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="the project's folder (default: here)")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check", help="report every problem of every file")
    new = commands.add_parser("new", help="start a bite")
    new.add_argument("bite", help="<section>/<slug>")
    record = commands.add_parser("record", help="record the snippets and notebooks that changed")
    record.add_argument("--only", default="", help="a slug")
    record.add_argument("--again", action="store_true", help="also those that are fresh")
    rules = commands.add_parser("rules", help="write docs/about/rules.md from the rules")
    rules.add_argument("--check", action="store_true", help="only say whether it is up to date")
    add_cuda_arguments(commands.add_parser("cuda", help="run a CUDA program on the CPU and check it"))
    gpu = commands.add_parser("gpu", help="pack the CUDA examples for a GPU machine, and take in what it recorded")
    gpu.add_argument("what", choices=["pack", "import"])
    gpu.add_argument("file", type=Path, help="the bundle to write, or the recordings to check and add")
    options = parser.parse_args(arguments)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal that cannot write a file's name is told so, and nothing ends
    match options.command:
        case "check":
            return _check(options.root)
        case "new":
            return _new(options.root, options.bite)
        case "record":
            return _record(options.root, options.only, options.again)
        case "cuda":
            return run_cuda_command(options)
        case "gpu":
            return _gpu_pack(options.root, options.file) if options.what == "pack" else _gpu_import(options.root, options.file)
        case _:
            return _rules(options.root, options.check)


def _check(root: Path) -> int:
    library = load_library(root)
    problems = check(library)
    for problem in problems:
        print(problem)
    if not problems:
        print(f"{len(library.bites)} bites, {len(library.snippets)} snippets, {len(library.facts)} facts: no problem")
        return 0
    by_code = ", ".join(f"{code} {number}x" for code, number in sorted(Counter(problem.code for problem in problems).items()))
    count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    print(f"\n{count} ({by_code}). What a code means: docs/about/rules.md")
    return 1


def _new(root: Path, where: str) -> int:
    library = load_library(root)
    try:
        path, text = new_bite(where, library, date.today())
    except CannotCreate as refusal:
        print(refusal)
        return 1
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    section, slug = where.split("/", 1)
    if slug not in library.planned:
        # The map keeps slugs for good, so a bite that nobody planned is entered at its end.
        the_map = root / "docs" / "map.yml"
        text = the_map.read_text(encoding="utf-8").rstrip("\n")
        the_map.write_text(f"{text}\n{map_entry(slug, section)}", encoding="utf-8")
        print(f"entered `{slug}` at the end of docs/map.yml: move it to where it belongs")
    print(f"{path} is there. Fill in each TODO; `make check` tells what is missing.")
    return 0


def _record(root: Path, only: str, again: bool) -> int:
    # Imported here: recording needs a browser and a compiler, checking does not.
    from gpubites.run.record import record_all, recorded_names

    library = load_library(root)
    names = recorded_names(library)
    if only and only not in names:
        hint = did_you_mean(only, names) or ("it has nothing to record" if only in library.by_slug else f"known: {', '.join(names)}")
        print(f"`{only}` is neither a folder of snippets/ nor a notebook of docs/notebooks/\n    hint: {hint}")
        return 1
    failed = 0
    for outcome in record_all(library, date.today(), only, again):
        print(f"{outcome.state:9} {outcome.path} {outcome.detail}".rstrip(), flush=True)
        failed += outcome.state == "failed"
    return 1 if failed else 0


def _gpu_pack(root: Path, bundle: Path) -> int:
    from gpubites.gpu.pack import CannotPack, pack
    from gpubites.run.cuda import CompileError, Skipped, pinned_toolkit

    toolkit = pinned_toolkit(root)
    if isinstance(toolkit, Skipped):
        print(toolkit.reason)
        return 2
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, text=True).stdout.strip()
    examples = [snippet for snippet in load_library(root).snippets.values() if snippet.kind == "cuda" and not snippet.wrong]
    try:
        content = pack(examples, root, toolkit, commit)
    except (CannotPack, CompileError, ValueError) as refusal:
        print(refusal)
        return 1
    bundle.parent.mkdir(parents=True, exist_ok=True)
    bundle.write_bytes(content)
    print(f"{bundle}: {len(examples)} examples, {len(content) / 1e6:.1f} MB, sha256 {sha256_of(bundle)}")
    print("On the GPU machine: tar xzf it, then python3 gpu-bundle/record.py")
    return 0


def _gpu_import(root: Path, bundle: Path) -> int:
    from gpubites.gpu.admit import admit, gpu_recording_path

    library = load_library(root)
    try:
        text = bundle.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        print(f"{bundle} cannot be read: {error}")
        return 2
    admitted = admit(text, library.snippets, library.facts, root)
    for path, recording in admitted.recordings.items():
        target = gpu_recording_path(root / path, gpu_run(recording).gpu)
        target.write_text(recording.text(), encoding="utf-8")
        print(f"recorded  {target.relative_to(root)}")
    for problem in admitted.problems:
        print(f"refused   {problem}")
    return 1 if admitted.problems else 0


def _rules(root: Path, only_check: bool) -> int:
    target, text = root / "docs" / "about" / "rules.md", rules_page()
    if only_check:
        fresh = target.is_file() and target.read_text(encoding="utf-8") == text
        print("docs/about/rules.md is up to date" if fresh else "docs/about/rules.md is stale: make fix")
        return 0 if fresh else 1
    target.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
