"""What a compute lab gives: run by the page's own code in a headless browser, on WebGPU without a graphics card."""

from __future__ import annotations

import subprocess
from datetime import date
from pathlib import Path
from typing import TypedDict

from playwright.sync_api import Error as BrowserError
from playwright.sync_api import sync_playwright

from gpubites.chromium import LAUNCH_ARGS, WEBGPU_ARGS, find_chromium
from gpubites.compute import Plan
from gpubites.run.recording import Recording, digests
from gpubites.run.shader import Studio

ROOT = Path(__file__).resolve().parents[3]
HARNESS = ROOT / "web" / "core" / "record-compute.js"
# WebGPU is there in secure contexts only; this address is answered by the recorder itself.
NOWHERE = "https://recorder.invalid/"


class ComputeError(Exception):
    """The program does not compile, or its output is not the CPU's; the message says which."""


class Outcome(TypedDict):
    """What the harness hands over: the text that is shown, whether the output is right, all of its values, and what computed them."""

    text: str
    right: bool
    values: list[float]
    device: str


class ComputeStudio(Studio):
    """A browser that runs compute labs, one after the other."""

    def compute(self, code: str, plan: Plan) -> Outcome:
        """One run. Raises `ComputeError`."""
        return self._thread.submit(self._compute, code, plan).result()

    def _open(self) -> None:
        self._playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.launch(executable_path=find_chromium(), args=[*LAUNCH_ARGS, *WEBGPU_ARGS])
        self._page = self._browser.new_page()
        self._page.route(NOWHERE, lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
        self._page.goto(NOWHERE)
        esbuild = ROOT / "node_modules" / ".bin" / "esbuild"
        bundle = subprocess.run([esbuild, HARNESS, "--bundle"], capture_output=True, text=True, check=True).stdout
        self._page.add_script_tag(content=bundle)

    def _compute(self, code: str, plan: Plan) -> Outcome:
        try:
            outcome: Outcome = self._page.evaluate("([code, plan]) => recordCompute(code, plan)", [code, plan.as_data()])
        except BrowserError as error:
            raise ComputeError(error.message.removeprefix("Page.evaluate: ").removeprefix("Error: ").split("\n    at ")[0]) from None
        return outcome


def record_compute(source: Path, plan: Plan, today: date, studio: ComputeStudio) -> Recording:
    """The recording of a `.wgsl`. Raises `ComputeError`: what is wrong is not recorded."""
    outcome = studio.compute(source.read_text(encoding="utf-8"), plan)
    if not outcome["right"]:
        raise ComputeError(outcome["text"])
    header: dict[str, object] = {
        "command": f"run {source.name} on WebGPU",
        "kind": "webgpu",
        "sources": digests([source]),
        "versions": {"chromium": studio.version},
        "machine": outcome["device"],
        "date": today.isoformat(),
    }
    return Recording(header, outcome["text"])
