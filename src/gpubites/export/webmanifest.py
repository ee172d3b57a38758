"""The web app manifest: what the site is called and looks like once it is installed."""

from __future__ import annotations

import json


def web_manifest(name: str, description: str, root: str) -> str:
    """The text of manifest.webmanifest. `root` is the path that the site lives under, such as `/gpu-bites/`."""
    icons = [
        {"src": "assets/icons/app.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"},
        {"src": "assets/icons/app-192.png", "sizes": "192x192", "type": "image/png", "purpose": "any"},
        {"src": "assets/icons/app-512.png", "sizes": "512x512", "type": "image/png", "purpose": "any"},
        {"src": "assets/icons/app-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
    ]
    manifest = {
        "id": root,  # written out: a relative id is resolved against the origin, where sites under sub-paths would share one
        "name": name,
        "short_name": name,
        "description": description,
        "lang": "en",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#fdfcfa",
        "theme_color": "#fdfcfa",
        "icons": icons,
    }
    return json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
