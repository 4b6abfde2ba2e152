"""Reads a recording's page as a browser would: its elements, its data, its policy."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from kafkalab.state.patch import applied


@dataclass
class Page(HTMLParser):
    """Scripts by id (or type), meta tags, and what tags there are besides."""

    path: Path
    scripts: dict[str, str] = field(default_factory=dict)
    meta: dict[str, str] = field(default_factory=dict)
    tags: set[str] = field(default_factory=set)
    attributes: list[tuple[str, str, str]] = field(default_factory=list)
    text: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self._script = ""
        self.feed(self.path.read_text(encoding="utf-8"))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.tags.add(tag)
        self.attributes += [(tag, name, value) for name, value in found.items()]
        if tag == "meta":
            self.meta[found.get("http-equiv") or found.get("name") or "charset"] = found.get("content", "")
        self._script = found.get("id") or found.get("type", "style") if tag in ("script", "style") else ""
        if self._script:
            self.scripts[self._script] = ""

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._script = ""

    def handle_data(self, data: str) -> None:
        if self._script:
            self.scripts[self._script] += data
        elif data.strip():
            self.text.append(data.strip())

    @property
    def head(self) -> Any:
        """What the script is told at once."""
        return json.loads(self.scripts["kl-head"])

    def told(self, id: str) -> Any:
        """What a view is told."""
        return json.loads(zlib.decompress(base64.b64decode(self.scripts[id])))

    def states(self, id: str) -> Iterator[tuple[int, Any]]:
        """A view's states: milliseconds, state."""
        told = self.told(id)
        state = told["first"]
        for i, at in enumerate(told["at"]):
            if i:
                state = applied(state, told["patches"][i - 1])
            yield at, state

    def of(self, kind: str) -> list[str]:
        """The ids of the views of a kind."""
        return [view["id"] for view in self.head["views"] if view["kind"] == kind]
