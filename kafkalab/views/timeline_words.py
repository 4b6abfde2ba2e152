"""The time line in words: moments, signs, and how the cluster was; the same as ``static/timeline_words.js`` says."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from kafkalab.views.cluster_drawn import count

#: kind → (sign, tone, lane); what is not listed is a dot among what partitions did.
SIGNS: dict[str, tuple[str, str, str]] = {
    "you": ("⚑", "accent", "you"),
    "named": ("★", "accent", "you"),
    "capture_failed": ("⚠", "bad", "brokers"),
    "capture_recovered": ("✓", "ok", "brokers"),
    "broker_down": ("✕", "bad", "brokers"),
    "quorum_node_down": ("✕", "bad", "brokers"),
    "leader_lost": ("✕", "bad", "partitions"),
    "broker_up": ("●", "ok", "brokers"),
    "broker_added": ("●", "ok", "brokers"),
    "quorum_node_up": ("●", "ok", "brokers"),
    "controller_moved": ("◆", "ink", "brokers"),
    "quorum_leader_moved": ("◆", "ink", "partitions"),
    "leader_moved": ("♛", "ink", "partitions"),
    "leader_elected": ("♛", "ink", "partitions"),
    "isr_shrank": ("◌", "warn", "partitions"),
    "isr_changed": ("◌", "warn", "partitions"),
    "isr_grew": ("●", "ok", "partitions"),
    "topic_created": ("+", "ink", "partitions"),
    "topic_deleted": ("−", "ink", "partitions"),
    "partitions_added": ("+", "ink", "partitions"),
    "replicas_moved": ("⇄", "ink", "partitions"),
    "rebalanced": ("⇄", "ink", "groups"),
    "member_joined": ("+", "ink", "groups"),
    "member_left": ("−", "ink", "groups"),
    "group_created": ("+", "ink", "groups"),
    "group_gone": ("−", "ink", "groups"),
    "group_state": ("⇄", "ink", "groups"),
    "rewound": ("↶", "ink", "groups"),
}
LEGEND = "⚑ you did  ★ named  ✕ failed  ♛ another leader  ◌ the ISR shrank  ● back again  ⇄ a group changed"

#: Graver and graver.
_GRAVE = ("·+−⇄↶✓", "●", "◌", "◆♛", "✕⚠", "★", "⚑")


def sign(kind: str) -> tuple[str, str, str]:
    """The sign, colour and lane of a kind of event."""
    return SIGNS.get(kind, ("·", "ink", "partitions"))


def weight(kind: str) -> int:
    """Of several in one place, the one with most is drawn."""
    return next(i for i, marks in enumerate(_GRAVE) if sign(kind)[0] in marks)


def moment(seconds: float, digits: int = 1) -> str:
    """Seconds since the beginning, as a clock: "2:14.3", "1:02:14.3"."""
    tens = 10**digits
    whole = int(max(0.0, seconds) * tens + 1e-6)
    s = whole // tens
    fraction = f".{whole % tens:0{digits}d}" if digits else ""
    hours, minutes = s // 3600, s % 3600 // 60
    return (f"{hours}:{minutes:02d}" if hours else f"{minutes}") + f":{s % 60:02d}{fraction}"


def row_at(rows: list[list[Any]], at: float) -> list[Any] | None:
    """The row of a step function that holds at a moment; None before the first."""
    place = bisect_right(rows, at + 0.0005, key=lambda row: row[0])
    return rows[place - 1] if place else None


def brokers_up(drawn: dict[str, Any]) -> str:
    """ "2 of 3 brokers up"."""
    row = row_at(drawn["steps"]["brokers"], drawn["at"])
    return "not looked at yet" if row is None else f"{row[1]} of {row[2]} broker{'' if row[2] == 1 else 's'} up"


def values(drawn: dict[str, Any]) -> dict[str, str]:
    """How the cluster was at the moment: name of a row → in words."""
    at, steps = drawn["at"], drawn["steps"]
    rows = {name: row_at(steps[name], at) for name in ("brokers", "leaderless", "short", "lag")}
    told = {name: "–" if row is None or row[1] is None else count(row[1]) for name, row in rows.items()}
    if rows["brokers"]:
        told["brokers"] = f"{rows['brokers'][1]}/{rows['brokers'][2]}"
    return told


def title(drawn: dict[str, Any]) -> str:
    """ "truck-lab · Kafka 3.9.2 · ZooKeeper · local processes · 2 of 3 brokers up"."""
    return " · ".join(filter(None, (drawn["name"], drawn["kafka"], drawn["label"], brokers_up(drawn))))


def standing(drawn: dict[str, Any]) -> str:
    """ "0:12.4 of 2:14, live", "…, recorded"."""
    return f"{moment(drawn['at'])} of {moment(drawn['seconds'])}, {'live' if drawn['live'] else 'recorded'}"
