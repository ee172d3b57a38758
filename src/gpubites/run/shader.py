"""The poster of a shader: the frame at one second, drawn by the page's own code in a headless browser without a graphics card."""

from __future__ import annotations

import base64
import hashlib
import io
import subprocess
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import Self, TypedDict

from PIL import Image, ImageChops
from playwright.sync_api import Browser, Page, Playwright, sync_playwright
from playwright.sync_api import Error as BrowserError

from gpubites.chromium import LAUNCH_ARGS, WEBGL_ARGS, find_chromium
from gpubites.run.recording import Recording, digests

ROOT = Path(__file__).resolve().parents[3]
HARNESS = ROOT / "web" / "core" / "record-shader.js"
GRID = (16, 9)
ENDLESS = "has not ended"  # what the harness says of a frame

# Two pictures are the same when hardly any channel of any pixel is further apart than a browser's update may move it.
CHANNEL_TOLERANCE = 6  # of 255
PIXELS_BEYOND = 0.002  # share of the pixels that may be further apart: edges


class ShaderError(Exception):
    """The shader does not compile, or never ends; the message names stage, line and reason."""


class Frame(TypedDict):
    """What the harness hands over: rows from the top, RGBA, in base64."""

    width: int
    height: int
    pixels: str
    renderer: str


class Studio:
    """A browser that draws posters, one after the other. `with Studio() as studio: record_shader(..., studio)`."""

    def __init__(self) -> None:
        # Playwright refuses to start in a thread that runs an event loop, as a test with pytest-playwright does.
        self._thread = ThreadPoolExecutor(1)

    def __enter__(self) -> Self:
        self._thread.submit(self._open).result()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._thread.submit(self._close).result()
        self._thread.shutdown()

    @property
    def version(self) -> str:
        """Of the browser."""
        return self._thread.submit(lambda: self._browser.version).result()

    def draw(self, fragment: str, vertex: str | None, vertices: int) -> Frame:
        """One frame. Raises `ShaderError`."""
        return self._thread.submit(self._draw, fragment, vertex, vertices).result()

    def _open(self) -> None:
        self._playwright: Playwright = sync_playwright().start()
        self._browser: Browser = self._playwright.chromium.launch(executable_path=find_chromium(), args=[*LAUNCH_ARGS, *WEBGL_ARGS])
        self._page: Page = self._browser.new_page()
        self._page.add_script_tag(content=_bundle())

    def _draw(self, fragment: str, vertex: str | None, vertices: int) -> Frame:
        source = {"vertex": vertex, "fragment": fragment}
        try:
            frame: Frame = self._page.evaluate("([source, vertices]) => recordShader(source, vertices)", [source, vertices])
        except BrowserError as error:
            # Only what the harness says: not which call failed, nor where in its bundle.
            said = error.message.removeprefix("Page.evaluate: ").removeprefix("Error: ").split("\n    at ")[0]
            if ENDLESS in said:  # the graphics process is still at it: the next shader gets another
                self._close()
                self._open()
            raise ShaderError(said) from None
        return frame

    def _close(self) -> None:
        self._browser.close()
        self._playwright.stop()


def record_shader(source: Path, vertices: int, today: date, studio: Studio | None = None) -> tuple[Recording, bytes]:
    """The recording of a `.frag` (with the `.vert` beside it, if any) and its poster as WebP. Raises `ShaderError`."""
    if studio is None:
        with Studio() as opened:
            return record_shader(source, vertices, today, opened)

    vertex = source.with_suffix(".vert")
    sources = [vertex, source] if vertex.is_file() else [source]
    try:
        fragment, *rest = [path.read_text(encoding="utf-8") for path in reversed(sources)]
    except UnicodeDecodeError as error:
        raise ShaderError(f"the source is not UTF-8: {error}") from None
    frame = studio.draw(fragment, rest[0] if rest else None, vertices)
    picture = Image.frombytes("RGBA", (frame["width"], frame["height"]), base64.b64decode(frame["pixels"])).convert("RGB")
    poster = _webp(picture)
    header: dict[str, object] = {
        "command": f"draw {source.name} at u_time 1.0 with {vertices} vertices",
        "kind": "shader",
        "sources": digests(sources),
        "image-sha256": hashlib.sha256(poster).hexdigest(),
        "vertices": vertices,
        "versions": {"chromium": studio.version},
        "machine": frame["renderer"],
        "date": today.isoformat(),
    }
    return Recording(header, describe(picture)), poster


def poster_path(source: Path) -> Path:
    """`two_stages.frag` → `two_stages.recording.webp`, beside it."""
    return source.with_name(f"{source.stem}.recording.webp")


def describe(picture: Image.Image) -> str:
    """The picture as text, so that a diff shows where it changed: size, mean, and a coarse grid of colors, 4 bits a channel."""
    columns, rows = GRID
    cells = _averages(picture, GRID)
    lines = [" ".join(_short_hex(cells[row * columns + column]) for column in range(columns)) for row in range(rows)]
    mean = "".join(f"{channel:02x}" for channel in _averages(picture, (1, 1))[0])
    return "\n".join([f"size {picture.width} x {picture.height}", f"mean #{mean}", f"grid {columns} x {rows}", *lines, ""])


def difference(poster: bytes, other: bytes) -> str:
    """In words, how two pictures differ beyond the tolerance; empty where they are the same."""
    one, two = (Image.open(io.BytesIO(data)).convert("RGB") for data in (poster, other))
    if one.size != two.size:
        return f"sizes differ: {one.size} and {two.size}"
    # The largest of the three channels' distances, per pixel.
    red, green, blue = ImageChops.difference(one, two).split()
    counts = ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()
    beyond = sum(counts[CHANNEL_TOLERANCE + 1 :]) / (one.width * one.height)
    if beyond <= PIXELS_BEYOND:
        return ""
    return f"{beyond:.1%} of the pixels are more than {CHANNEL_TOLERANCE} of 255 apart (allowed: {PIXELS_BEYOND:.1%})"


def _bundle() -> str:
    """The harness and the page's drawing code, as one script."""
    esbuild = ROOT / "node_modules" / ".bin" / "esbuild"
    return subprocess.run([esbuild, HARNESS, "--bundle"], capture_output=True, text=True, check=True).stdout


def _webp(picture: Image.Image) -> bytes:
    """Without loss: of thin lines and single pixels, which are what many shaders are about, a lossy one is larger, and other pixels."""
    data = io.BytesIO()
    picture.save(data, "WEBP", lossless=True, quality=100, method=6)
    return data.getvalue()


def _averages(picture: Image.Image, size: tuple[int, int]) -> list[tuple[int, int, int]]:
    shrunk = picture.resize(size, Image.Resampling.BOX)
    return list(zip(*[iter(shrunk.tobytes())] * 3, strict=True))


def _short_hex(color: tuple[int, int, int]) -> str:
    return "".join(f"{round(channel / 17):x}" for channel in color)
