"""A picture of a cluster as text, for a terminal, a log, and wherever no widget and no HTML is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from kafkalab.state.group_changes import spans
from kafkalab.views.cluster_drawn import MEANINGS, SIGNS, Drawn, brokers, count, groups, quorum_nodes, shown, topics

_TOPICS = 20
_GROUPS = 20
_MEMBERS = 8
#: Of a broker with more replicas than this only sums are told, and only partitions that are not well are named (as
#: static/cluster_picture.js draws it), so many at most.
_REPLICAS, _NAMED = 60, 10
#: What is said of a quorum's node besides its role.
_BESIDES = {"paused": "paused", "cut": "cut off"}


def to_text(picture: Drawn) -> str:
    """The cluster in a few lines: a title, its brokers, each topic with who leads and follows what, quorum, groups.

    :param picture: what :func:`kafkalab.views.cluster_drawn.drawn` gives.
    """
    lines = [title(picture)]
    if picture["error"]:
        lines.append(f"cannot be looked at now: {shown(picture['error']['text'].splitlines()[0], 200)}")
    own = [t for t in topics(picture) if not t["internal"]]
    held = {b["id"]: _replicas(own, b["id"]) for b in brokers(picture)}
    crowded = any(sums.total() > _REPLICAS for sums in held.values())
    lines += [_broker(b) + (_sums(held[b["id"]]) if crowded else "") for b in brokers(picture)]
    for topic in own[:_TOPICS]:
        lines += [_troubles(topic)] if crowded else _topic(topic)
    if len(own) > _TOPICS:
        lines.append(f"… and {len(own) - _TOPICS} more topics")
    if internal := len(picture["topics"]) - len(own):
        lines.append(f"{internal} internal {'topic' if internal == 1 else 'topics'} not shown")
    if picture["quorum"]:
        lines.append(quorum_line(picture["quorum"]))
    for group in groups(picture)[:_GROUPS]:
        lines += _group(group)
    if len(picture["groups"]) > _GROUPS:
        lines.append(f"… and {len(picture['groups']) - _GROUPS} more groups")
    if own:
        lines.append("  ".join(f"{SIGNS[part]} {meaning}" for part, meaning in MEANINGS.items()))
    return "\n".join(lines)


def title(picture: Drawn) -> str:
    """ "truck-lab · Kafka 3.9.2 · ZooKeeper · local processes · 2 of 3 brokers up"."""
    all = picture["brokers"].values()
    known = picture["looked"] and not picture["error"]
    up = f"{sum(bool(b['alive']) for b in all)} of {len(all)} brokers up" if known else "not looked at yet"
    if picture["error"]:
        up = "not answering"
    parts = (shown(picture["name"]), picture["kafka"], shown(picture["label"]), up)
    return " · ".join(part for part in parts if part)


def records(topic: Drawn) -> str:
    """ "21 400 records", with "at least" where some partition could not be asked; "" where nothing is known."""
    if topic["records"] is None:
        return ""
    least = "at least " if topic["unknown"] else ""
    return f"{least}{count(topic['records'])} {'record' if topic['records'] == 1 else 'records'}"


def size(topic: Drawn) -> str:
    """ "10 partitions, RF 3, 21 400 records"."""
    n = len(topic["partitions"])
    parts = (f"{n} partition{'' if n == 1 else 's'}", f"RF {topic['replication']}", records(topic))
    return ", ".join(part for part in parts if part)


def quorum_line(quorum: Drawn) -> str:
    """ "ZooKeeper: 1 leader, 2 follower, 3 down"."""
    epoch = f" (epoch {quorum['epoch']})" if quorum["epoch"] is not None else ""
    return f"{quorum['kind']}{epoch}: " + ", ".join(f"{n['id']} {quorum_role(n)}" for n in quorum_nodes(quorum))


def quorum_role(node: Drawn) -> str:
    """What a quorum's node is, in a word or two: leader, follower, down, and what its process does."""
    state = node["node"]["state"] if node["node"] else ""
    said = node["role"] or ("unknown" if node["alive"] is None else "no answer")
    if node["alive"] is False:
        said = node["gone"]
    if node["lag"]:
        said += f" {count(node['lag'])} behind"
    return f"{said}, {_BESIDES[state]}" if state in _BESIDES else said


def group_line(group: Drawn) -> str:
    """ "Stable, coordinator 101, lag 42, range"."""
    parts = [shown(group["state"])]
    parts.append(f"coordinator {group['coordinator']}" if group["coordinator"] is not None else "no coordinator")
    if group["lag"] is not None:
        parts.append(f"lag {count(group['lag'])}")
    if group["assignor"]:
        parts.append(shown(group["assignor"]))
    return ", ".join(parts)


def held(holds: list[Drawn]) -> str:
    """ "trucks_gps P0–P4, Topic-B P1"."""
    return ", ".join(f"{shown(h['topic'])} {spans(p for p, _ in h['partitions'])}" for h in holds)


def member_name(member: Drawn) -> str:
    """The client id, with the end of the member id where others share it."""
    return shown(member["client"]) + (f"…{shown(member['tail'])}" if member["tail"] else "")


def _broker(broker: Drawn) -> str:
    badge = " · controller" if broker["controller"] else ""
    rack = f" · rack {shown(broker['rack'])}" if broker["rack"] else ""
    return f"broker {broker['id']}  {broker['standing']}{badge}{rack}"


def _replicas(topics: Iterable[Drawn], broker: int) -> Counter[str]:
    """How many replicas of these topics the broker leads, follows, lacks records of, or has although it is down."""
    parts = (replica for topic in topics for p in topic["partitions"] for replica in p["replicas"])
    return Counter(part for id, part, *_ in parts if id == broker)


def _sums(parts: Counter[str]) -> str:
    """ "   ♛ leads 96   ● follows 192   ◌ 3 behind"."""
    said = {"leader": "leads {}", "follower": "follows {}", "behind": "{} behind", "down": "holds {}"}
    return "".join(f"   {SIGNS[p]} {said[p].format(count(parts[p]))}" for p in MEANINGS if p in parts)


def _troubles(topic: Drawn) -> str:
    """A topic among many partitions: its size, and only those of its partitions that are not well."""
    lone = [p["partition"] for p in topic["partitions"] if p["leader"] is None]
    short = [p["partition"] for p in topic["partitions"] if p["short"] and p["leader"] is not None]
    said = [f"{shown(topic['name'])}: {size(topic)}"]
    for word, found in (("no leader", lone), ("under-replicated", short)):
        more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        said += [f"{word}: {spans(found[:_NAMED])}{more}"] if found else []
    return " · ".join(said)


def _topic(topic: Drawn) -> list[str]:
    lines = [f"{shown(topic['name'])}: {size(topic)}"]
    parts: dict[int, dict[str, list[int]]] = {}
    behind: dict[int, int] = {}
    for p in topic["partitions"]:
        for broker, part, *records in p["replicas"]:
            parts.setdefault(broker, {}).setdefault(part, []).append(p["partition"])
            behind[broker] = behind.get(broker, 0) + sum(records)
    for broker, mine in sorted(parts.items()):
        said = "   ".join(f"{SIGNS[part]} {spans(mine[part])}" for part in MEANINGS if part in mine)
        late = f" −{count(behind[broker])}" if behind[broker] else ""
        lines.append(f"  {broker}  {said}{late}")
    if lone := [p["partition"] for p in topic["partitions"] if p["leader"] is None]:
        lines.append(f"  no leader: {spans(lone)}")
    return lines


def _group(group: Drawn) -> list[str]:
    lines = [f"group {shown(group['id'])}: {group_line(group)}"]
    for member in group["members"][:_MEMBERS]:
        lines.append(f"  {member_name(member)}  {held(member['holds']) or 'standing by'}")
    if len(group["members"]) > _MEMBERS:
        lines.append(f"  … and {len(group['members']) - _MEMBERS} more members")
    if group["unheld"]:
        lines.append(f"  held by nobody: {held(group['unheld'])}")
    return lines
