"""States of views, compared with what becomes of them in JSON."""

from __future__ import annotations

from typing import Any


def as_json(value: Any) -> Any:
    """A state with its tuples as the lists that they are in JSON."""
    if isinstance(value, dict):
        return {key: as_json(inner) for key, inner in value.items()}
    return [as_json(inner) for inner in value] if isinstance(value, list | tuple) else value
