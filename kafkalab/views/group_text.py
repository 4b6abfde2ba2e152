"""A group as text, for a terminal, a log, and wherever no widget and no HTML is shown."""

from __future__ import annotations

from kafkalab.state.group_changes import spans
from kafkalab.views.cluster_drawn import count
from kafkalab.views.gantt_svg import clock
from kafkalab.views.group_drawn import Drawn
from kafkalab.views.group_svg import headline
from kafkalab.views.svg import shorten

_MEMBERS, _PAUSES = 40, 10


def to_text(drawn: Drawn) -> str:
    """A title, a line a member with what it holds, what nobody holds, and the last pauses."""
    about = drawn["about"]
    lines = [" · ".join(p for p in (headline(drawn), about["standing"], lag_text(about["lag"])) if p)]
    if drawn["error"]:
        lines.append(f"cannot be looked at now: {shorten(drawn['error']['text'].splitlines()[0], 200)}")
    for id in drawn["ranks"][:_MEMBERS]:
        lines.append(f"  {drawn['members'][id]['name']}  {holds_text(drawn, id)}")
    if len(drawn["ranks"]) > _MEMBERS:
        lines.append(f"  … and {len(drawn['ranks']) - _MEMBERS} more members")
    if lone := holds_text(drawn, None):
        lines.append(f"  held by nobody: {lone}")
    for pause in drawn["gantt"]["pauses"][:_PAUSES]:
        lines.append(f"  {clock(pause['from'])} {pause['text']}")
    return "\n".join(lines)


def lag_text(lag: int | None) -> str:
    """ "lag 42", "" where it is not known."""
    return "" if lag is None else f"lag {count(lag)}"


def holds_text(drawn: Drawn, member: str | None) -> str:
    """ "trucks_gps P0–P2, Topic-B P1": what a member holds, or for None, what nobody holds."""
    topics: dict[str, list[int]] = {}
    for key in drawn["order"]:
        p = drawn["partitions"][key]
        if p["member"] == member or (member is None and p["member"] not in drawn["members"]):
            topics.setdefault(p["topic"], []).append(p["partition"])
    said = ", ".join(f"{shorten(topic)} {spans(partitions)}" for topic, partitions in topics.items())
    return said or ("" if member is None else str(drawn["members"][member]["said"]))
