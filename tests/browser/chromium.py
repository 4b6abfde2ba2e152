"""The system's Chromium, for whoever looks at pages: browsers are not downloaded."""

from __future__ import annotations

import shutil
from typing import Any


def options() -> dict[str, Any]:
    """How Playwright starts it."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert chromium, "no Chromium on PATH: run tests/setup-system.sh"
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    return {"executable_path": chromium, "args": quiet}
