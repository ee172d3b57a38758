"""The list of what can be kept offline."""

import hashlib
import json

import pytest

from gpubites.export.offline import offline_manifest, pack_of


@pytest.mark.parametrize(
    ("path", "pack"),
    [
        ("index.html", "library"),
        ("b/coalescing/index.html", "library"),
        ("assets/app-1A2B3C4D.js", "library"),
        ("assets/posters/overdraw.webp", "library"),
        ("notebooks/roofline/index.html", "library"),
        ("search.json", "library"),
        ("facts.json", "library"),
        ("terms.json", "library"),
        ("manifest.webmanifest", "library"),
        ("404.html", "library"),
        ("assets/python/pyodide.asm-1a2b3c4d.wasm", "python"),
        ("assets/python/worker-1a2b3c4d.js", "python"),
        ("assets/python/numpy-2.4.3-cp314-1a2b3c4d.whl", "numpy"),
        ("sw.js", None),
        ("offline.json", None),
        ("sitemap.xml", None),
        ("assets/app-1A2B3C4D.js.map", None),
        ("assets/icons/app.recording.txt", None),
        ("api/v1/bites.json", None),
        ("decks/index.html", "library"),
        ("decks/print/mem/index.html", None),
        ("assets/javascripts/lunr/wordcut.js", None),
    ],
)
def test_every_file_belongs_to_one_pack_or_to_none(path: str, pack: str | None) -> None:
    assert pack_of(path) == pack


def test_a_file_is_listed_with_its_hash_and_size_and_the_pack_with_its_sum() -> None:
    manifest = json.loads(offline_manifest([("index.html", b"home"), ("404.html", b"lost page"), ("sw.js", b"worker")]))
    files = [["404.html", hashlib.sha256(b"lost page").hexdigest(), 9], ["index.html", hashlib.sha256(b"home").hexdigest(), 4]]
    assert manifest["packs"]["library"] == {"bytes": 13, "files": files}
    assert manifest["packs"]["numpy"] == {"bytes": 0, "files": []}


def test_equal_sites_have_equal_versions_and_any_change_makes_another() -> None:
    def version(*files: tuple[str, bytes]) -> str:
        return str(json.loads(offline_manifest(files))["version"])

    home, lost = ("index.html", b"home"), ("404.html", b"lost")
    assert version(home, lost) == version(lost, home)
    assert version(home, lost) == version(home, lost, ("sw.js", b"another worker"))
    assert version(home, lost) != version(home, ("404.html", b"last"))
    assert version(home, lost) != version(home, ("405.html", b"lost"))


def test_the_version_is_the_hash_of_the_packs_as_json_stringify_writes_them() -> None:
    manifest = json.loads(offline_manifest([("assets/é.svg", b"<svg/>")]))
    # What JSON.stringify gives: no spaces, no escapes.
    written = json.dumps(manifest["packs"], separators=(",", ":"), ensure_ascii=False)
    assert manifest["version"] == hashlib.sha256(written.encode()).hexdigest()
