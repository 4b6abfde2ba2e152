"""Why a member is gone, from the log of the broker that coordinates its group: the protocol does not tell it."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

#: How many lines of a broker's log are looked at.
LINES = 300


class Reason(NamedTuple):
    """``why``: it "died" (nothing was heard of it for its session time-out) or it "left" (it said so).

    ``said`` is the reason that its client gave for leaving, "" where it gave none.
    """

    why: Literal["died", "left"]
    said: str


# The words of Kafka 3.9 and 4.x, classic groups and those of the newer protocol.
_DIED = re.compile(
    r"has failed, removing it|on heartbeat expiration|session (?:timeout )?expired|fenced from the group"
)
_LEFT = re.compile(r"has left group|left the consumer group|on LeaveGroup|explicit `LeaveGroup`")
_SAID = re.compile(r"client reason: (?P<said>.*?)\)?\.? \([\w.]+\)$")


def why_gone(log: str, member_id: str) -> Reason | None:
    """What the newest line on this member's end says; None where there is none.

    :param log: the last lines of the coordinator's log.
    """
    for line in reversed(log.splitlines()):
        # The id ends with a uuid, or is one: no other member's id holds it.
        if member_id not in line:
            continue
        if _DIED.search(line):
            return Reason("died", "")
        if _LEFT.search(line):
            said = _SAID.search(line)
            words = said["said"] if said else ""
            return Reason("left", "" if words == "not provided" else words)
    return None
