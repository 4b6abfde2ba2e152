"""Where a recording's page is written: over an older page, never over anything else, and whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from kafkalab.errors import BadInput
from kafkalab.views.recording_page_document import MARK


def checked(path: str | os.PathLike[str]) -> Path:
    """Where the page goes, if it may: into a folder that is there, over nothing but an older page."""
    place = Path(path).expanduser().absolute()
    if not place.parent.is_dir():
        raise BadInput("There is no such folder.", seen=str(place.parent), do="Make it first.")
    if place.is_dir():
        raise BadInput("That is a folder: the page needs a name in it.", seen=str(place), do=f"{place}/recording.html")
    if place.exists():
        with place.open("rb") as file:
            begin = file.read(1000)
        if begin.strip() and MARK.encode() not in begin:
            raise BadInput(
                "There is a file of that name that is no page of a recording.",
                seen=str(place),
                do="Take another name, or delete it first.",
            )
    return place


def write(place: Path, content: bytes) -> None:
    """The whole page or none of it: whoever opens it meanwhile finds the one of before."""
    handle, draft = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(draft, 0o644)
        os.replace(draft, place)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(draft)
        raise
