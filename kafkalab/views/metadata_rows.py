"""A drawn state → rows of words, which the static forms share. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kafkalab.views.cluster_drawn import SIGNS, shown

Drawn = dict[str, Any]

#: The rows of a time line, as they are called.
ROW_NAMES = {
    "quorum": "quorum",
    "noticed": "noticed",
    "controller": "controller",
    "leaders": "leaders",
    "isr": "in sync",
}


def tree_rows(tree: Drawn, most: int) -> Iterator[tuple[int, str, Drawn]]:
    """(depth, name, node) of what is listed, from the top; at most so many."""
    left = most

    def below(name: str, node: Drawn, depth: int) -> Iterator[tuple[int, str, Drawn]]:
        nonlocal left
        if left <= 0:
            return
        left -= 1
        yield depth, name, node
        for child in sorted(node.get("c", {})):
            yield from below(child, node["c"][child], depth + 1)

    yield from below("/", tree, 0)


def node_words(node: Drawn) -> tuple[str, str, str]:
    """(kind, version, data in a few words) of a node of the tree."""
    if node.get("gone"):
        return "not there", "", ""
    kind = "ephemeral" if node.get("e") else "persistent" if "v" in node else ""
    return kind, str(node.get("v", "")), str(node.get("s", ""))


def quorum_rows(quorum: Drawn) -> Iterator[tuple[str, str, str, str, str]]:
    """(sign and id, role, log end, behind, last seen) of each node."""
    for id, node in quorum["nodes"].items():
        sign = SIGNS[node["part"]]
        role = node["role"] if node["alive"] else f"{node['role']}, {node['gone']}"
        end = "" if node["end"] is None else f"0x{node['end']:x}" if quorum["kind"] == "zookeeper" else str(node["end"])
        behind = f"{node['lag']} records" if node["lag"] else ""
        yield f"{sign} {id}", role, end, behind, seen(node)


def seen(node: Drawn) -> str:
    """ "last seen 35 s ago"; "" for a node that is up to date, or of which nobody says."""
    return f"last fetched {node['seen']} s ago" if node.get("seen") else ""


def heading(side: Drawn) -> str:
    """The cluster, in a line."""
    quorum = side["quorum"]
    parts = [side["name"], side["kafka"]]
    if side["controller"] is not None:
        parts.append(f"controller {side['controller']}")
    if quorum:
        leader = "nobody leads" if quorum["leader"] is None else f"leader {quorum['leader']}"
        parts.append(f"{'ZooKeeper' if quorum['kind'] == 'zookeeper' else 'quorum'}: {leader}, epoch {quorum['epoch']}")
    return " · ".join(shown(str(part), 80) for part in parts if part)


def line_words(line: Drawn) -> str:
    """A line of the list."""
    since = "" if line["since"] is None else f"{line['since']:+.2f} s "
    about = " ".join(filter(None, (line["word"], line["where"])))
    return f"{since}{about}: {line['text']}" if about else f"{since}{line['text']}"


def last_action(side: Drawn) -> Drawn | None:
    """The learner's last action, with the rows of what followed; None before the first."""
    return side["actions"][max(side["actions"], key=int)] if side["actions"] else None
