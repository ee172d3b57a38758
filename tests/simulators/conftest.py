"""Property tests here draw the same cases each time, and no clock decides."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("simulators", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("simulators")
