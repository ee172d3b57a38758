"""Compute labs, in a browser that has WebGPU (computed by the CPU), and in one that finds no GPU for it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserType, Locator, Page, expect

from gpubites.chromium import LAUNCH_ARGS, WEBGPU_ARGS, find_chromium
from gpubites.run.recording import parse_recording, recording_path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "snippets" / "reduction" / "workgroup_sum.wgsl"
RECORDED = parse_recording(recording_path(SOURCE).read_text()).body


@pytest.fixture(scope="module")
def webgpu(browser_type: BrowserType) -> Iterator[Browser]:
    browser = browser_type.launch(executable_path=find_chromium(), args=[*LAUNCH_ARGS, *WEBGPU_ARGS])
    yield browser
    browser.close()


def lab_in(page: Page, site_url: str) -> Locator:
    page.goto(f"{site_url}b/reduction/#snippet-workgroup_sum")
    lab = page.locator("#snippet-workgroup_sum")
    lab.scroll_into_view_if_needed()
    return lab


def put(lab: Locator, code: str) -> None:
    """Types the program into the editor, and runs it."""
    lab.locator(".cm-content").click()
    lab.page.keyboard.press("Control+a")
    lab.page.keyboard.insert_text(code)
    lab.page.keyboard.press("Control+Enter")


def test_a_lab_runs_is_changed_and_put_back(webgpu: Browser, site_url: str) -> None:
    lab = lab_in(webgpu.new_page(), site_url)
    lab.get_by_role("button", name="Run").click()
    expect(lab.locator(".frame-status")).to_have_text("Right.")
    expect(lab.locator(".frame-output")).to_have_text(RECORDED)
    expect(lab.locator(".frame-origin")).to_have_text(re.compile("your run · WebGPU on .*swiftshader"))

    code = SOURCE.read_text()
    lab.get_by_role("button", name="Edit").click()
    put(lab, code.replace("total[0] = part[0];", "total[0] = part[0] + 7u;"))
    expect(lab.locator(".frame-status")).to_have_text("Wrong: see the output.")
    expect(lab.locator(".frame-output")).to_contain_text("total is 810872, the CPU says 810865.")

    put(lab, code.replace("part[t] = sum;", "part[t] = summ;"))
    expect(lab.locator(".frame-status")).to_have_text("unresolved value 'summ' (line 30)")
    expect(lab.locator(".editor-message")).to_contain_text("unresolved value 'summ'")

    put(lab, code.replace("fn final_sum", "fn last_sum"))
    expect(lab.locator(".frame-status")).to_contain_text("final_sum")

    lab.get_by_role("button", name="Reset").click()
    expect(lab.locator(".frame-output")).to_have_text(RECORDED)
    expect(lab.locator(".frame-origin")).to_contain_text("output recorded on WebGPU")
    assert json.loads(lab.locator(".compute-source").text_content() or "")["code"] == code
    lab.page.close()


def test_without_a_gpu_for_it_the_recorded_result_stays(page: Page, site_url: str) -> None:
    lab = lab_in(page, site_url)
    lab.get_by_role("button", name="Run").click()
    expect(lab.locator(".frame-status")).to_have_text("This browser finds no GPU for WebGPU, so the recorded result stays.")
    expect(lab.locator(".frame-output")).to_have_text(RECORDED)


def test_without_webgpu_there_is_nothing_to_press(page: Page, site_url: str) -> None:
    page.add_init_script("Object.defineProperty(Navigator.prototype, 'gpu', { value: undefined })")
    lab = lab_in(page, site_url)
    expect(lab.locator(".frame-status")).to_have_text("This browser has no WebGPU, so the recorded result stays.")
    expect(lab.get_by_role("button")).to_have_count(0)


def test_a_program_that_never_ends_is_stopped(webgpu: Browser, site_url: str) -> None:
    """The last of this browser: its graphics process is still at it."""
    lab = lab_in(webgpu.new_page(), site_url)
    lab.get_by_role("button", name="Edit").click()
    endless = "var i = 1u; while (i > 0u) { i = max(1u, sums[i % 3u]) + 1u; }\n  part[t] = i;"
    put(lab, SOURCE.read_text().replace("part[t] = sums[t];", endless))
    expect(lab.locator(".frame-status")).to_have_text("It had not ended after 10 seconds, and was stopped.")
