"""The picture of a cluster's metadata: ZooKeeper's tree, or KRaft's quorum and log, and how they changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NotRequired, TypedDict

from kafkalab.views.cluster.picture import SIGNS
from kafkalab.views.static import Block, Para, Table
from kafkalab.views.words import shorten


class Node(TypedDict):
    """A node of ZooKeeper's tree as far as it was read; ``gone`` stands for one that ought to be there.

    ``k``: number of children, ``v``: version, ``z``: zxid, ``s``: its data in a few words, ``e``: ephemeral, ``c``:
    children that were listed.
    """

    k: NotRequired[int]
    v: NotRequired[int]
    z: NotRequired[int]
    s: NotRequired[str]
    e: NotRequired[bool]
    c: NotRequired[dict[str, Node]]
    gone: NotRequired[bool]


class Detail(TypedDict):
    """A node in full; ``session`` is "" for one that is persistent."""

    about: str
    session: str
    version: int
    created: float
    modified: float
    zxid: str
    bytes: int
    children: int
    data: str


class Absent(TypedDict):
    """A node that is not there."""

    about: str


class Connection(TypedDict):
    """The client's connection to ZooKeeper."""

    state: Literal["connecting", "connected", "suspended", "lost", "closed"]
    since: float
    session: str


Part = Literal["leader", "follower", "behind", "down"]


class Keeper(TypedDict):
    """A node of the quorum. ``seen``, ``caught``: seconds since it last fetched, and since it last had the whole log.

    Both are 0 while they are too short to matter.
    """

    part: Part
    role: str
    alive: bool
    gone: str
    end: int | None
    lag: int | None
    seen: int | None
    caught: int | None
    state: str | None
    fenced: bool


class Keepers(TypedDict):
    """The quorum. ``end``: the end of the leader's log, ``mark``: the high watermark."""

    kind: Literal["zookeeper", "kraft"]
    leader: int | None
    epoch: int | None
    end: int | None
    mark: int | None
    nodes: dict[str, Keeper]


class LogRecord(TypedDict):
    """A record of KRaft's metadata log."""

    offset: int
    at: float
    type: str
    kind: str
    text: str
    data: str


class Log(TypedDict):
    """The newest records in their order; None before they were read."""

    reading: bool
    at: float | None
    records: list[LogRecord] | None
    problem: str


class Line(TypedDict):
    """One line of what happened; ``since``: seconds since the learner's last action."""

    n: int
    at: float
    since: float | None
    kind: str
    word: str
    where: str
    text: str
    parts: list[str]
    by: str


class Mark(TypedDict):
    """Something that followed an action, ``t`` seconds after it."""

    t: float
    kind: str
    text: str
    exact: bool


class Action(TypedDict):
    """An action of the learner, and row → what followed until the next one."""

    at: float
    text: str
    rows: dict[str, list[Mark]]


class Target(TypedDict):
    """A node that can be acted on; "controller" also names the ``node`` that is the controller now."""

    state: str
    verbs: list[str]
    busy: str | None
    node: NotRequired[str]


class Side(TypedDict):
    """One cluster. ``recorded``: no cluster can be asked for more; ``problem``: why there is no tree."""

    name: str
    kafka: str
    kind: Literal["zookeeper", "kraft", ""]
    recorded: bool
    looked: bool
    at: float | None
    error: str | None
    controller: int | None
    quorum: Keepers | None
    targets: dict[str, Target]
    lines: list[Line]
    actions: list[Action]
    problem: str
    tree: Node | None
    details: dict[str, Detail | Absent]
    connection: Connection | None
    log: Log | None


class Picture(TypedDict):
    """The clusters by their number, "0" and "1"."""

    sides: dict[str, Side]


# --- The picture as paragraphs and tables, for where no widget runs.


_TREE, _LINES, _RECORDS = 200, 40, 40
#: Spaces that HTML does not drop.
_INDENT = 4 * "\u00a0"


def blocks(drawn: Picture) -> list[Block]:
    """Return each cluster's quorum, its tree or its log, what followed the last action, and what happened."""
    return [block for side in drawn["sides"].values() for block in _side(side)]


def _side(side: Side) -> Iterator[Block]:
    yield Para(_heading(side) or "no cluster has been read yet", "strong")
    log = side["log"]
    for text in (side["error"], side["problem"], log["problem"] if log else ""):
        if text:
            yield Para(f"⚠ {shorten(text, 300)}")
    if side["quorum"]:
        rows = [_keeper(id, node, side["quorum"]["kind"]) for id, node in side["quorum"]["nodes"].items()]
        yield Table(("Node", "Role", "Log end", "Behind", "Seen"), rows, "Who keeps the metadata")
    if side["tree"]:
        yield Table(("Node", "Kind", "Version", "Data"), list(_tree("/", side["tree"])), "ZooKeeper's tree", most=_TREE)
    if records := log and log["records"]:
        said = [(record["offset"], record["type"], record["text"]) for record in records[-_RECORDS:]]
        yield Table(("Offset", "Record", "What it says"), said, "The metadata log, its newest records")
    if side["actions"]:
        action = side["actions"][-1]
        followed = [
            ("in sync" if r == "isr" else r, f"+{m['t']:.2f} s", m["text"])
            for r, marks in action["rows"].items()
            for m in marks
        ]
        if followed:
            yield Table(("Part", "After", "What followed"), followed, shorten(f"After {action['text']}", 120))
    if side["lines"]:
        yield Table(("Since you acted", "Source", "What happened"), [_line(line) for line in side["lines"][-_LINES:]])


def _heading(side: Side) -> str:
    """Return the cluster in one line."""
    quorum = side["quorum"]
    parts = [side["name"], side["kafka"]]
    if side["controller"] is not None:
        parts.append(f"controller {side['controller']}")
    if quorum:
        leader = "nobody leads" if quorum["leader"] is None else f"leader {quorum['leader']}"
        parts.append(f"{'ZooKeeper' if quorum['kind'] == 'zookeeper' else 'quorum'}: {leader}, epoch {quorum['epoch']}")
    return " · ".join(shorten(part, 80) for part in parts if part)


def _keeper(id: str, node: Keeper, kind: str) -> tuple[str, ...]:
    """Return a node's sign and id, its role, its log's end, how far it is behind, and when it was seen last."""
    end = "" if node["end"] is None else f"0x{node['end']:x}" if kind == "zookeeper" else str(node["end"])
    return (
        f"{SIGNS[node['part']]} {id}",
        node["role"] if node["alive"] else f"{node['role']}, {node['gone']}",
        end,
        f"{node['lag']} records" if node["lag"] else "",
        # A node that is up to date has fetched just now.
        f"last fetched {node['seen']} s ago" if node["seen"] else "",
    )


def _tree(name: str, node: Node, depth: int = 0) -> Iterator[tuple[str, str, str, str]]:
    """Yield the listed nodes from the root down; their names are indented."""
    kind = "not there" if node.get("gone") else "ephemeral" if node.get("e") else "persistent" if "v" in node else ""
    sign = {"ephemeral": "⚡ ", "not there": "✕ "}.get(kind, "")
    version, data = ("", "") if node.get("gone") else (str(node.get("v", "")), shorten(node.get("s", ""), 200))
    yield _INDENT * depth + sign + shorten(name, 60), kind, version, data
    for child in sorted(node.get("c", {})):
        yield from _tree(child, node["c"][child], depth + 1)


def _line(line: Line) -> tuple[str, str, str]:
    since = "" if line["since"] is None else f"{line['since']:+.2f} s"
    return since, " ".join(filter(None, (line["word"], line["where"]))), shorten(line["text"], 300)
