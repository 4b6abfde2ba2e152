"""What was read of ZooKeeper's tree → the tree as it is drawn, nested, and the node that is looked at. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kafkalab.state.znode_reading import Znode
from kafkalab.views.cluster_drawn import shown
from kafkalab.views.metadata_paths import about, brief, pretty
from kafkalab.views.metadata_watches import session

#: Of a node's children so many are listed; ZooKeeper lets there be millions.
CHILDREN_LISTED = 5000

Drawn = dict[str, Any]
Nodes = Mapping[str, Znode | None]


def join(parent: str, name: str) -> str:
    """The path of a child."""
    return f"/{name}" if parent == "/" else f"{parent}/{name}"


def tree(nodes: Nodes, missed: Iterable[str] = ()) -> Drawn:
    """The tree from its root, as far as it was read.

    A node is ``{"k": how many children, "v": version, "z": zxid, "s": its data in a few words, "e": ephemeral, "c":
    {name: node}}``; of one that was not read all are missing. ``{"gone": true}`` stands for a node that is missed.

    :param missed: paths of nodes that ought to be there; where their parent is listed and they are not, they are drawn.
    """
    absent: dict[str, list[str]] = {}
    for path in missed:
        parent, _, name = path.rpartition("/")
        absent.setdefault(parent or "/", []).append(name)
    return _drawn("/", nodes, absent)


def _drawn(path: str, nodes: Nodes, absent: Mapping[str, list[str]]) -> Drawn:
    node = nodes.get(path)
    if node is None:
        return {}
    drawn: Drawn = {"k": node.child_count, "v": node.version, "z": node.zxid, "s": brief(path, node)}
    if node.owner is not None:
        drawn["e"] = True
    if node.children is not None:
        drawn["k"] = len(node.children)
        drawn["c"] = {name: _drawn(join(path, name), nodes, absent) for name in node.children[:CHILDREN_LISTED] if name}
        for name in absent.get(path, ()):
            drawn["c"].setdefault(name, {"gone": True})
    return drawn


def detail(path: str, nodes: Nodes) -> Drawn | None:
    """A node in full, for the panel beside the tree; None when it was not read."""
    if path not in nodes:
        return None
    node = nodes[path]
    if node is None:
        return {"there": False, "about": about(path)}
    return {
        "there": True,
        "about": about(path, node.data),
        "session": session(node),
        "version": node.version,
        "created": node.created,
        "modified": node.modified,
        "zxid": f"0x{node.zxid:x}",
        "bytes": node.size,
        "children": node.child_count if node.children is None else len(node.children),
        "data": _tamed(pretty(node)),
    }


def _tamed(text: str) -> str:
    """Line by line, so that laid-out JSON keeps its lines."""
    return "\n".join(shown(line, 400) for line in text.split("\n")[:400])
