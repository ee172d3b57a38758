"""Shader demos in the browser: the picture of the poster, the reader's edits, and what happens when a context goes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, Locator, Page, expect

from gpubites.run.shader import difference

pytestmark = pytest.mark.xdist_group("shader")  # drawn by the CPU: two such tests at once only wait for each other

TWO_STAGES = "b/vertex-and-fragment-shaders/"
SAMPLING = "b/webgl-textures/"
REDUCTION = "b/gpgpu-in-a-fragment-shader/"  # passes into textures, and a check

# Keeps every WebGL context that the page opens, and counts what is drawn.
WATCH = """
window.contexts = []; window.draws = 0;
for (const kind of [HTMLCanvasElement, OffscreenCanvas]) {
  const getContext = kind.prototype.getContext;
  kind.prototype.getContext = function (...options) {
    const gl = getContext.apply(this, options);
    if (gl && !contexts.includes(gl)) contexts.push(gl);
    return gl;
  };
}
const draw = WebGL2RenderingContext.prototype.drawArrays;
WebGL2RenderingContext.prototype.drawArrays = function (...options) { draws++; return draw.apply(this, options); };
"""
# The size of the poster and whole pixels, so that a picture of it can be compared one to one.
POSTER_PLACE = """.frame-stage { position: fixed !important; bottom: 0; left: 0; width: 640px !important; height: 360px; z-index: 9; }
.frame-shader ~ .frame-shader .frame-stage { display: none; }"""  # a page may hold several: the first is looked at

OpenDemo = Callable[..., Locator]


@pytest.fixture
def open_demo(browser: Browser, site_url: str) -> Iterator[OpenDemo]:
    """`open_demo(TWO_STAGES, reduced_motion="reduce")` → the demo of that page, in a context of its own."""
    opened: list[BrowserContext] = []

    def open_one(path: str, **options: Any) -> Locator:
        context = browser.new_context(viewport={"width": 1280, "height": 1400}, **options)
        opened.append(context)
        page = context.new_page()
        page.add_init_script(WATCH)
        page.goto(site_url + path)
        demo = page.locator("shader-demo").first
        demo.scroll_into_view_if_needed()
        expect(button(demo, "Run")).to_be_visible()
        return demo

    yield open_one
    for context in opened:
        context.close()


@pytest.fixture
def still(open_demo: OpenDemo) -> Locator:
    """A demo that shows the one frame of its poster."""
    demo = open_demo(TWO_STAGES, reduced_motion="reduce")
    button(demo, "Run").click()
    expect(demo).to_have_attribute("data-state", "still")
    return demo


@pytest.fixture
def playing(open_demo: OpenDemo) -> Locator:
    demo = open_demo(TWO_STAGES)
    button(demo, "Run").click()
    expect(demo).to_have_attribute("data-state", "playing")
    return demo


def button(demo: Locator, word: str) -> Locator:
    return demo.get_by_role("button", name=word, exact=True)


def status(demo: Locator) -> Locator:
    return demo.locator(".frame-status[role=status]")  # a slider's output has the role, too


def picture(demo: Locator) -> bytes:
    """What is seen of the canvas, at the poster's size."""
    if demo.page.locator("#poster-place").count() == 0:
        demo.page.add_style_tag(content=POSTER_PLACE).evaluate("style => (style.id = 'poster-place')")
    return demo.locator("canvas").screenshot()


def poster(demo: Locator) -> bytes:
    """The file that the page shows first."""
    address = demo.locator(".frame-poster").evaluate("image => image.src")
    return demo.page.request.get(address).body()


def watched(demo: Locator, what: str) -> Any:
    return demo.page.evaluate(what)


def edit(demo: Locator, stage: str, change: Callable[[str], str]) -> None:
    """As a reader does it: all of the text is replaced in the editor."""
    editor = demo.locator(f"[data-stage={stage}] .cm-content")
    if editor.count() == 0:
        button(demo, "Edit").click()
    expect(editor).to_be_visible()
    source = watched_source(demo)[stage]
    editor.focus()
    demo.page.keyboard.press("Control+A")
    demo.page.keyboard.insert_text(change(source))


def watched_source(demo: Locator) -> dict[str, str]:
    source: dict[str, str] = demo.locator(".shader-source").evaluate("script => JSON.parse(script.textContent)")
    return source


def broken(source: str) -> str:
    """An unknown name on the line after `void main`."""
    return re.sub(r"(void main\(\) \{\n)", r"\1  float x = missing;\n", source)


def line_of_main(source: str) -> int:
    return next(number for number, line in enumerate(source.splitlines(), 1) if line.startswith("void main"))


def lose_context(demo: Locator) -> None:
    watched(demo, "contexts.at(-1).getExtension('WEBGL_lose_context').loseContext()")


def test_nothing_is_drawn_before_the_reader_asks(open_demo: OpenDemo) -> None:
    demo = open_demo(TWO_STAGES)
    expect(demo.locator(".frame-poster")).to_be_visible()
    expect(demo.locator("canvas")).to_have_count(0)
    assert watched(demo, "[contexts.length, draws]") == [0, 0]


@pytest.mark.parametrize("path", [TWO_STAGES, SAMPLING, REDUCTION])
def test_the_live_picture_is_the_poster(open_demo: OpenDemo, path: str) -> None:
    demo = open_demo(path, reduced_motion="reduce")
    button(demo, "Run").click()
    expect(demo.locator("canvas")).to_be_visible()
    expect(demo.locator(".frame-poster")).to_be_hidden()
    assert difference(poster(demo), picture(demo)) == ""


def test_an_altered_shader_is_not_the_poster(still: Locator) -> None:
    edit(still, "fragment", lambda source: source.replace("TEAL = vec3(0.06,", "TEAL = vec3(0.26,"))
    draws = watched(still, "draws")
    still.page.wait_for_function("before => draws > before", arg=draws)
    assert "of the pixels" in difference(poster(still), picture(still))


def test_it_moves_until_it_is_stopped(playing: Locator) -> None:
    first = picture(playing)
    playing.page.wait_for_timeout(300)
    assert picture(playing) != first

    button(playing, "Stop").click()
    expect(playing).to_have_attribute("data-state", "still")
    stopped = picture(playing)
    playing.page.wait_for_timeout(300)
    assert picture(playing) == stopped
    button(playing, "Run").click()
    expect(playing).to_have_attribute("data-state", "playing")


def test_the_picture_stays_in_view_while_its_source_is_edited(still: Locator) -> None:
    edit(still, "fragment", lambda source: source)
    still.page.set_viewport_size({"width": 390, "height": 844})
    still.locator("[data-stage=fragment] .cm-line").last.scroll_into_view_if_needed()
    expect(still.locator("canvas")).to_be_in_viewport(ratio=0.99)


@pytest.mark.parametrize("stage", ["vertex", "fragment"])
def test_a_compile_error_stands_beside_its_line_and_the_last_good_picture_stays(still: Locator, stage: str) -> None:
    before = picture(still)
    line = line_of_main(watched_source(still)[stage]) + 1
    edit(still, stage, broken)

    expect(status(still)).to_contain_text(f"{stage.capitalize()} shader, line {line}: 'missing': undeclared identifier")
    expect(still.locator(f"[data-stage={stage}] .editor-error")).to_have_text("  float x = missing;")
    expect(still.locator(f"[data-stage={stage}] .editor-message")).to_contain_text(f"Line {line}: 'missing'")
    assert picture(still) == before

    edit(still, stage, lambda source: source)
    expect(still.locator(".editor-error")).to_have_count(0)
    expect(status(still)).not_to_contain_text("missing")


def test_the_head_says_whose_picture_it_is(open_demo: OpenDemo) -> None:
    demo = open_demo(TWO_STAGES, reduced_motion="reduce")
    origin = demo.locator("xpath=..").locator(".frame-origin")
    expect(origin).to_contain_text("recorded from this file")
    button(demo, "Run").click()
    expect(origin).to_have_text("drawn by this browser")
    edit(demo, "fragment", lambda source: source.replace("TEAL = vec3(0.06,", "TEAL = vec3(0.26,"))
    expect(origin).to_have_text("your version, drawn by this browser")
    button(demo, "Reset").click()
    expect(origin).to_have_text("drawn by this browser")


def test_stages_that_do_not_fit_together_are_told(still: Locator) -> None:
    edit(still, "vertex", lambda source: source.replace("v_weight", "v_height"))
    expect(status(still)).to_contain_text("do not fit together")
    expect(status(still)).to_contain_text("v_weight")


def test_reset_brings_back_source_and_picture(still: Locator) -> None:
    edit(still, "fragment", lambda source: source.replace("color = vec4(c, 1.0)", "color = vec4(1.0)"))
    expect(still.locator(".cm-editor").first).to_be_visible()
    button(still, "Reset").click()
    expect(still.locator(".cm-editor")).to_have_count(0)
    expect(still.locator("[data-stage=fragment] pre")).to_contain_text("color = vec4(c, 1.0)")
    still.page.wait_for_timeout(500)  # longer than a late compile of the edit would take
    assert difference(poster(still), picture(still)) == ""


def test_reset_turns_the_clock_back(playing: Locator) -> None:
    playing.page.wait_for_timeout(1_000)
    playing.page.emulate_media(reduced_motion="reduce")
    expect(playing).to_have_attribute("data-state", "still")
    assert difference(poster(playing), picture(playing)) != ""
    button(playing, "Reset").click()
    assert difference(poster(playing), picture(playing)) == ""


def test_a_lost_context_is_told_and_reset_rebuilds_it(still: Locator) -> None:
    lose_context(still)
    expect(status(still)).to_contain_text("took the picture away")
    expect(still.locator(".frame-poster")).to_be_visible()
    expect(still.locator("canvas")).to_have_count(0)

    button(still, "Reset").click()
    expect(still.locator("canvas")).to_be_visible()
    assert difference(poster(still), picture(still)) == ""


def test_a_lost_context_keeps_the_readers_edit_for_run(still: Locator) -> None:
    edit(still, "fragment", lambda source: source.replace("color = vec4(c, 1.0)", "color = vec4(1.0)"))
    still.page.wait_for_timeout(500)
    white = picture(still)
    lose_context(still)
    expect(status(still)).to_contain_text("took the picture away")
    button(still, "Run").click()
    expect(still.locator("canvas")).to_be_visible()
    assert picture(still) == white


def test_a_shader_that_hangs_is_stopped_and_reset_rebuilds_it(playing: Locator) -> None:
    def hangs(work: int) -> bool:
        loop = f"float spin = 0.0; for (int i = 0; i < {work}; i++) spin += sin(spin + float(i));"
        edit(playing, "fragment", lambda source: source.replace("vec3 c =", f"{loop} vec3 c = spin +"))
        try:
            expect(status(playing)).to_contain_text("One frame took more than 3 seconds", timeout=8_000)
        except AssertionError:
            return False
        return True

    assert any(hangs(work) for work in (8_000, 32_000, 128_000)), "with more work for a machine with more cores"
    # Dispatched: a real click waits for the next frame, and the browser may still be busy with the last.
    button(playing, "Reset").dispatch_event("click")
    playing.locator(".frame-stage").evaluate("stage => stage.scrollIntoView({ block: 'center' })")  # it plays where it is seen
    expect(playing).to_have_attribute("data-state", "playing", timeout=60_000)
    expect(playing.locator("[data-stage=fragment] pre")).not_to_contain_text("spin")


def test_thirty_demos_share_six_contexts(open_demo: OpenDemo) -> None:
    demo = open_demo(TWO_STAGES)
    page = demo.page
    warnings: list[str] = []
    page.on("console", lambda message: warnings.append(message.text))
    page.evaluate("document.querySelectorAll('.frame-shader ~ .frame-shader').forEach((other) => other.remove())")
    demo.evaluate("demo => { for (let i = 0; i < 29; i++) demo.closest('figure').after(demo.closest('figure').cloneNode(true)); }")
    demos = page.locator("shader-demo")
    expect(demos).to_have_count(30)
    for index in range(30):
        button(demos.nth(index), "Run").click()
        expect(demos.nth(index)).not_to_have_attribute("data-state", "poster")

    expect(page.locator("shader-demo canvas")).to_have_count(6)
    for _ in range(100):  # a context in the middle of a slow frame is given back later
        page.wait_for_timeout(100)
        if page.evaluate("contexts.filter((gl) => !gl.isContextLost()).length") == 6:
            break
    else:
        raise AssertionError("more than six contexts live")
    for index in range(24):
        expect(status(demos.nth(index))).to_contain_text("rests at its last picture")
        expect(demos.nth(index).locator(".frame-poster")).to_have_attribute("src", re.compile("^data:image/png"))

    # The one that rests goes on, and the next in line rests.
    button(demos.nth(0), "Run").click()
    expect(demos.nth(0)).to_have_attribute("data-state", "playing")
    expect(demos.nth(24)).to_have_attribute("data-state", "poster")
    expect(page.locator("shader-demo canvas")).to_have_count(6)
    assert [text for text in warnings if "context" in text.lower()] == []


def test_it_rests_while_it_is_off_screen(playing: Locator) -> None:
    playing.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(playing).to_have_attribute("data-state", "still")
    draws = watched(playing, "draws")
    playing.page.wait_for_timeout(200)
    assert watched(playing, "draws") == draws
    playing.locator(".frame-stage").scroll_into_view_if_needed()
    expect(playing).to_have_attribute("data-state", "playing")


def test_it_rests_while_the_tab_is_hidden(playing: Locator) -> None:
    set_hidden = """hidden => {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    playing.page.evaluate(set_hidden, True)
    expect(playing).to_have_attribute("data-state", "still")
    playing.page.evaluate(set_hidden, False)
    expect(playing).to_have_attribute("data-state", "playing")


def test_reduced_motion_gets_one_frame_until_motion_is_asked_for(still: Locator) -> None:
    first = picture(still)
    still.page.wait_for_timeout(200)
    assert picture(still) == first

    button(still, "Animate").click()
    expect(still).to_have_attribute("data-state", "playing")
    button(still, "Stop").click()
    expect(button(still, "Animate")).to_be_visible()


def test_motion_stops_when_the_reader_turns_it_off(playing: Locator) -> None:
    playing.page.emulate_media(reduced_motion="reduce")
    expect(playing).to_have_attribute("data-state", "still")
    expect(button(playing, "Animate")).to_be_visible()


def test_leaving_the_page_gives_everything_back(playing: Locator) -> None:
    edit(playing, "fragment", lambda source: source)
    playing.page.evaluate("""() => {
      window.figure = document.querySelector("shader-demo").closest("figure");
      window.place = figure.nextSibling;
      figure.remove();
    }""")
    playing.page.wait_for_function("() => contexts.every(gl => gl.isContextLost())")  # a function: the page forbids eval
    assert watched(playing, "figure.querySelectorAll('canvas, .cm-editor, button').length") == 0
    draws = watched(playing, "draws")

    playing.page.evaluate("place.before(figure)")
    expect(playing.locator(".frame-poster")).to_be_visible()
    expect(button(playing, "Run")).to_have_count(1)
    assert watched(playing, "draws") == draws
    button(playing, "Run").click()
    playing.locator(".frame-stage").scroll_into_view_if_needed()  # it plays where it is seen
    expect(playing).to_have_attribute("data-state", "playing")


def test_without_webgl_the_poster_stays_and_one_sentence_says_why(
    browser_type: BrowserType, browser_type_launch_args: dict[str, Any], site_url: str
) -> None:
    launch = {**browser_type_launch_args, "args": [*browser_type_launch_args["args"], "--disable-3d-apis"]}
    browser = browser_type.launch(**launch)
    page: Page = browser.new_page()
    page.goto(site_url + TWO_STAGES)
    demo = page.locator("shader-demo").first
    demo.scroll_into_view_if_needed()
    button(demo, "Run").click()
    expect(status(demo)).to_have_text(re.compile("no WebGL 2.*the recorded picture stays"))
    expect(demo.locator(".frame-poster")).to_be_visible()
    expect(demo.locator("canvas")).to_have_count(0)
    browser.close()


# Sliders


def test_a_slider_starts_the_demo_redraws_it_and_reset_puts_it_back(open_demo: OpenDemo) -> None:
    demo = open_demo(SAMPLING, reduced_motion="reduce").page.locator("shader-demo[data-name=mipmaps]")
    demo.scroll_into_view_if_needed()
    slider = demo.get_by_role("slider", name="Copies of the texture across the floor")
    slider.focus()
    slider.press("End")
    expect(demo).to_have_attribute("data-state", "still")
    expect(demo.locator("output").first).to_have_text("40")
    slider.press("Home")
    expect(demo.locator("output").first).to_have_text("1")
    few = demo.locator("canvas").screenshot()
    slider.press("End")
    for _ in range(50):  # a slow frame is waited for
        demo.page.wait_for_timeout(100)
        if difference(few, demo.locator("canvas").screenshot()):
            break
    else:
        raise AssertionError("it draws the same")
    button(demo, "Reset").click()
    expect(demo.locator("output").first).to_have_text("24")


def test_an_image_that_the_browser_keeps_from_scripts_is_refused_in_its_own_words(open_demo: OpenDemo) -> None:
    page = open_demo(SAMPLING, reduced_motion="reduce").page
    page.evaluate("document.querySelectorAll('.frame-shader:not(#snippet-upload)').forEach((other) => other.remove())")
    demo = page.locator("shader-demo")
    demo.scroll_into_view_if_needed()
    said = demo.locator(".shader-verdict").first
    choice = demo.get_by_role("combobox", name="Image to upload")
    choice.select_option("plain.svg")
    expect(said).to_have_text("texImage2D took plain.svg: 256 x 256 texels.")
    taken = picture(demo)
    assert difference(poster(demo), taken) != ""
    choice.select_option("html.svg")
    expect(said).to_contain_text("SecurityError")
    assert difference(taken, picture(demo)) == "", "the texture holds what it held"
    choice.select_option("test picture")
    expect(said).to_be_hidden()
    assert difference(poster(demo), picture(demo)) == ""


def test_an_edited_comment_makes_another_slider(open_demo: OpenDemo) -> None:
    demo = open_demo(SAMPLING, reduced_motion="reduce").page.locator("shader-demo[data-name=mipmaps]")
    demo.scroll_into_view_if_needed()
    button(demo, "Edit").click()
    editor = demo.locator(".cm-content")
    text = (demo.locator(".frame-source pre").text_content() or "").replace("1 to 40 by 1, from 24", "3 to 5 by 1, from 4")
    editor.click()
    demo.page.keyboard.press("ControlOrMeta+a")
    demo.page.keyboard.insert_text(text)
    expect(demo.get_by_role("slider").first).to_have_attribute("max", "5")
    expect(demo.locator("output").first).to_have_text("4")


def test_a_playing_demo_says_how_long_a_frame_takes(playing: Locator) -> None:
    expect(playing.locator(".frame-meter")).to_have_text(re.compile(r"^\d+\.\d ms a frame(, the last drawn in \d+\.\d)?$"), timeout=20_000)
    button(playing, "Stop").click()
    expect(playing.locator(".frame-meter")).to_have_text("")


# Passes


def test_a_result_is_computed_again_on_the_cpu_and_passes_that_are_missing_are_told(open_demo: OpenDemo) -> None:
    demo = open_demo(REDUCTION, reduced_motion="reduce")
    verdict = demo.locator(".shader-verdict")
    button(demo, "Run").click()
    expect(verdict).to_have_text(re.compile(r"^Sum of the input: [\d,.]+ on the GPU, [\d,.]+ on the CPU\. They agree\.$"))

    slider = demo.get_by_role("slider", name="Last pass that adds")
    slider.focus()
    slider.press("ArrowLeft")
    expect(verdict).to_contain_text("They differ.")
    slider.press("ArrowRight")
    expect(verdict).to_contain_text("They agree.")

    lose_context(demo)
    expect(status(demo)).to_contain_text("took the picture away")
    expect(verdict).to_be_hidden()
    button(demo, "Reset").click()
    expect(verdict).to_contain_text("They agree.")


def test_a_wrong_pass_is_told_beside_its_line_and_a_wrong_sum_is_found(open_demo: OpenDemo) -> None:
    demo = open_demo(REDUCTION, reduced_motion="reduce")
    line = next(number for number, text in enumerate(watched_source(demo)["fragment"].splitlines(), 1) if "// pass: texture" in text)
    edit(demo, "fragment", lambda source: source.replace("64, 7 times", "64, seven times"))
    expect(status(demo)).to_contain_text(f"Fragment shader, line {line}: a pass reads")
    expect(demo.locator(".editor-error")).to_contain_text("seven times")

    edit(demo, "fragment", lambda source: source.replace(" + value(from + 1)", ""))
    expect(demo.locator(".shader-verdict")).to_contain_text("They differ.")
