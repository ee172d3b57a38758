"""A static host in a process of its own: serves a built site as GitHub Pages would, counts requests, changes folders as it runs.

python tests/browser/server.py site --port 8000            the site by hand (`make serve-site`)
with SiteServer(folder, prefix="/gpu-bites/") as server:   in a test; `server.kill()` takes the network away
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import unquote, urlsplit

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".xml": "application/xml",
    ".txt": "text/plain; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webp": "image/webp",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
}

LOGIN = b"<!doctype html><title>Hotel</title><h1>Welcome to our hotel</h1><p>Accept the terms to go on."


class SiteServer:
    """The server as tests see it. `url` ends with a slash. Every method returns when the server has done what it says."""

    def __init__(self, folder: Path, prefix: str = "/", cache: str = "no-store", port: int = 0) -> None:
        command = [sys.executable, __file__, str(folder), "--prefix", prefix, "--cache", cache, "--port", str(port), "--control"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)
        self.url: str = self._answer()["url"]

    def __enter__(self) -> SiteServer:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.kill()

    def requests(self) -> list[str]:
        """Every request so far, oldest first, as `GET b/coalescing/`: the path is relative to the site's root."""
        return [str(request) for request in self._ask(command="requests")["requests"]]

    def forget_requests(self) -> None:
        self._ask(command="forget")

    def deploy(self, folder: Path, after: int = 0) -> None:
        """Serves `folder` from now on, or once `after` more requests have been answered: a deploy in the middle of something."""
        self._ask(command="deploy", folder=str(folder), after=after)

    def ask_for_login(self, wanted: bool = True) -> None:
        """From now on every address is answered with a login page, as in a hotel: status 200, HTML, never cached."""
        self._ask(command="login", wanted=wanted)

    def hang(self, after: int, only: int = 1000) -> None:
        """Answers `after` more requests and keeps the next ones waiting, or `only` so many of them."""
        self._ask(command="hang", after=after, only=only)

    def go_on(self) -> None:
        """Answers those who wait."""
        self._ask(command="go on")

    def wait_until_hanging(self) -> None:
        while not self._ask(command="requests")["hanging"]:
            time.sleep(0.02)

    def kill(self) -> None:
        """The process is gone: open connections break and new ones are refused."""
        self.process.kill()
        self.process.communicate()

    def _ask(self, **command: object) -> Any:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        return self._answer()

    def _answer(self) -> Any:
        assert self.process.stdout
        return json.loads(self.process.stdout.readline())


@dataclass
class Site:
    """What is served now, and what has been asked for. Guarded by `lock`: each request has a thread."""

    folder: Path
    prefix: str
    cache: str
    requests: list[str] = field(default_factory=list)
    next_folder: Path | None = None
    next_after: int = 0
    asks_for_login: bool = False
    hang_after: int = 0
    hang_only: int = 0
    hanging: bool = False
    resumed: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def noted(self, request: str) -> Path:
        """Notes the request and returns the folder that answers it."""
        with self.lock:
            self.requests.append(request)
            if self.next_folder and self.next_after <= 0:
                self.folder, self.next_folder = self.next_folder, None
            self.next_after -= 1
            self.hang_after -= 1
            waits = self.hang_only > 0 and self.hang_after < 0
            if waits:
                self.hanging = True
                self.hang_only -= 1
            folder = self.folder
        if waits:
            self.resumed.wait()
        return folder


class StaticFiles(BaseHTTPRequestHandler):
    """GET and HEAD of files: directories get their slash, what is not there gets 404.html with its status."""

    protocol_version = "HTTP/1.1"
    site: Site  # set by `serve`

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        if not path.startswith(self.site.prefix):
            return self._send(HTTPStatus.NOT_FOUND, b"outside the site\n", "text/plain")
        relative = path.removeprefix(self.site.prefix)
        folder = self.site.noted(f"{self.command} {relative}")
        if self.site.asks_for_login:
            return self._send(HTTPStatus.OK, LOGIN, TYPES[".html"])
        file = (folder / relative).resolve()
        if not file.is_relative_to(folder):
            return self._send(HTTPStatus.NOT_FOUND, b"outside the site\n", "text/plain")
        if file.is_dir():
            if relative and not relative.endswith("/"):
                return self._redirect(f"{self.site.prefix}{relative}/")
            file = file / "index.html"
        if not file.is_file():
            missing = folder / "404.html"
            return self._send(HTTPStatus.NOT_FOUND, missing.read_bytes() if missing.is_file() else b"not found\n", TYPES[".html"])
        return self._send(HTTPStatus.OK, file.read_bytes(), TYPES.get(file.suffix, "application/octet-stream"))

    do_HEAD = do_GET

    def _redirect(self, target: str) -> None:
        self.send_response(HTTPStatus.MOVED_PERMANENTLY)
        self.send_header("Location", target)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _send(self, status: HTTPStatus, body: bytes, media_type: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", self.site.cache)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def handle_one_request(self) -> None:
        try:
            super().handle_one_request()
        except (ConnectionResetError, BrokenPipeError):
            self.close_connection = True  # a tab that closes in mid-answer is no news

    def log_message(self, format: str, *args: object) -> None:
        """Quiet: `requests()` tells what was asked for."""


def serve(site: Site, port: int) -> ThreadingHTTPServer:
    """A server bound to `port` (0: any free one) and answering from a thread that ends with the process."""
    server = ThreadingHTTPServer(("127.0.0.1", port), type("Handler", (StaticFiles,), {"site": site}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def obey(site: Site, command: dict[str, Any]) -> dict[str, Any]:
    """One control line and its answer."""
    with site.lock:
        if command["command"] == "deploy":
            folder = Path(command["folder"]).resolve()
            if command["after"]:
                site.next_folder, site.next_after = folder, command["after"]
            else:
                site.folder = folder
        if command["command"] == "login":
            site.asks_for_login = command["wanted"]
        if command["command"] == "hang":
            site.hang_after, site.hang_only = command["after"], command["only"]
        if command["command"] == "go on":
            site.hang_only, site.hanging = 0, False
            site.resumed.set()
        if command["command"] == "forget":
            site.requests.clear()
        return {"requests": site.requests, "hanging": site.hanging}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--prefix", default="/", help="where the site lives, such as /gpu-bites/")
    arguments.add_argument("--port", type=int, default=0)
    arguments.add_argument("--cache", default="no-store", help="the Cache-Control header; no-store keeps the HTTP cache out")
    arguments.add_argument("--control", action="store_true", help="obey JSON lines on stdin, answer on stdout, end with stdin")
    given = arguments.parse_args()
    site = Site(given.folder.resolve(), given.prefix, given.cache)
    server = serve(site, given.port)
    url = f"http://127.0.0.1:{server.server_address[1]}{given.prefix}"
    if not given.control:
        print(f"{given.folder} on {url}  (Ctrl-C ends it)", flush=True)
        threading.Event().wait()
    print(json.dumps({"url": url}), flush=True)
    for line in sys.stdin:
        print(json.dumps(obey(site, json.loads(line))), flush=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(0)
