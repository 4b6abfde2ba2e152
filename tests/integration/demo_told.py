"""What a demo must have told: broker 102 was killed and is back, and no report was lost or doubled."""

from __future__ import annotations

from typing import Any


def nothing_lost(result: dict[str, Any], mode: str) -> None:
    assert result["mode"] == mode
    assert result["sent"] == result["acknowledged"] == result["seen"]
    assert (result["lost"], result["duplicated"], result["isr_full"]) == (0, 0, True)
    told = [event["what"] for event in result["events"]]
    for a, b in (
        ("is killed", "broker 102 is down"),
        ("broker 102 is down", "is started again"),
        ("is started again", "broker 102 is up"),
    ):
        assert next(i for i, t in enumerate(told) if a in t) < next(i for i, t in enumerate(told) if b in t)
