"""Seal: notices when files of kafkalab itself change while a notebook runs, which no honest notebook does."""

from __future__ import annotations

from pathlib import Path

from kafkalab.checks.grade_book import FOLDERS

_PACKAGE = Path(__file__).resolve().parent.parent
_KINDS = (".py", ".json", ".ipynb")

#: What is looked at of a file: it has been written to if one of these is another.
_Look = tuple[int, int, int]


class Seal:
    """The files that judges are made of, as they were when grading began.

    It changes nothing: in a checkout it may be its owner who is at work on them.
    """

    def __init__(self, folders: tuple[Path, ...] = (_PACKAGE / "checks", *FOLDERS)) -> None:
        self._folders = folders
        self._files = self._looks()

    def broken(self) -> list[str]:
        """A sentence if files changed since this was asked last."""
        now = self._looks()
        changed = sorted(path.name for path in now.keys() | self._files if now.get(path) != self._files.get(path))
        self._files = now
        if not changed:
            return []
        shown = ", ".join(changed[:5]) + (f" and {len(changed) - 5} more" if len(changed) > 5 else "")
        return [f"Files of kafkalab itself changed while it ran: {shown}. If that was not you, install it anew."]

    def _looks(self) -> dict[Path, _Look]:
        found: dict[Path, _Look] = {}
        for folder in self._folders:
            for path in folder.rglob("*"):
                if path.suffix in _KINDS and path.is_file():
                    state = path.stat()
                    found[path] = (state.st_mtime_ns, state.st_ctime_ns, state.st_size)
        return found
