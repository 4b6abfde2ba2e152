"""Where kafkalab keeps things: jars in the user's cache, clusters and logs in the user's data folder.

``KAFKALAB_CACHE`` and ``KAFKALAB_HOME`` move them.
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from kafkalab.errors import KafkalabError

#: How the file begins that tries whether a folder can be written.
WRITABLE = ".writable-"


def cache_dir() -> Path:
    """The folder of what can be fetched again (jars); may not exist yet."""
    return Path(os.environ.get("KAFKALAB_CACHE") or platformdirs.user_cache_path("kafkalab")).expanduser().absolute()


def home_dir() -> Path:
    """The folder of clusters and their logs; may not exist yet."""
    return Path(os.environ.get("KAFKALAB_HOME") or platformdirs.user_data_path("kafkalab")).expanduser().absolute()


def make_dir(path: Path, variable: str, error: type[KafkalabError] = KafkalabError) -> Path:
    """Make a private folder and prove that it can be written; otherwise say which variable moves it elsewhere."""
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        probe = path / f"{WRITABLE}{os.getpid()}"
        probe.write_bytes(b"x")
        probe.unlink()
    except OSError as e:
        raise error(
            f"The folder {path} cannot be written.",
            seen=f"{type(e).__name__}: {e.strerror or e}",
            do=f"Free space or fix its permissions, or set {variable} to a folder you can write.",
        ) from e
    return path
