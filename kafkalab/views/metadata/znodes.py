"""ZooKeeper's tree as it is drawn: nested nodes, the selected node in full, and what each node means to Kafka."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from kafkalab.state.changes import many
from kafkalab.state.metadata.znodes import Znode, ZnodeEvent
from kafkalab.views.metadata.events import Entry, isr_change, isr_text
from kafkalab.views.metadata.picture import Absent, Detail, Node
from kafkalab.views.words import shorten

# --- The meaning of ZooKeeper's nodes to Kafka: a sentence for each path, and a word or two for its data.


#: Maximum number of characters of a node's data that are shown.
DATA_SHOWN = 4000

STATE = re.compile(r"/brokers/topics/([^/]+)/partitions/(\d+)/state")
BROKER = re.compile(r"/brokers/ids/(\d+)")

_ABOUT: dict[str, str] = {
    "/": "The root. What brokers must agree on stands in this tree, and each can ask to be told when a node changes.",
    "/admin": "What was asked of the controller and is not done yet.",
    "/admin/delete_topics": "Topics to be deleted. The controller deletes them, then takes their node away.",
    "/admin/reassign_partitions": "Replicas that are being moved from broker to broker; the node goes when they are.",
    "/admin/preferred_replica_election": "Partitions whose preferred leader is to lead again.",
    "/brokers": "Brokers and topics.",
    "/brokers/ids": "The brokers that live: each keeps a node here as long as its session lives.",
    "/brokers/seqid": "Counts ids for brokers whose settings give them none.",
    "/brokers/topics": "Every topic; below each the state of its partitions.",
    "/cluster": "What is said of the cluster as a whole.",
    "/cluster/id": "The cluster's id, made by the broker that was first to start.",
    "/config": "Settings that were changed while the brokers run.",
    "/config/brokers": "Settings of single brokers, changed at run time.",
    "/config/changes": "Notes that a setting changed, so that every broker reads it again. They go after 15 minutes.",
    "/config/clients": "Quotas of clients, by their client id.",
    "/config/ips": "Limits on new connections, by address.",
    "/config/topics": "The settings of each topic that are its own; for the others, those of the brokers hold.",
    "/config/users": "Quotas and passwords of users.",
    "/consumers": "Consumers once kept their offsets here; today they are records of the topic __consumer_offsets.",
    "/controller": "Whoever creates this node first is the controller, as long as its session lives.",
    "/controller_epoch": "How many controllers there have been. Orders of an earlier one are refused.",
    "/feature": "Which versions of newer features all brokers have agreed on.",
    "/isr_change_notification": "Leaders once noted here that an ISR changed; since Kafka 2.7 they ask the controller.",
    "/latest_producer_id_block": "Up to which number ids were handed out to idempotent producers.",
    "/log_dir_event_notification": "A broker whose disk fails leaves a note here for the controller.",
    "/zookeeper": "ZooKeeper's own affairs.",
    "/zookeeper/config": "Which servers are in the ensemble.",
    "/zookeeper/quota": "How much may be written where.",
}

#: Patterns of other paths → what such a node means; {0} and {1} are the parts of the path in parentheses.
_BELOW: dict[re.Pattern[str], str] = {
    BROKER: "Broker {0} is registered here while its session lives{address}.",
    STATE: "{0} P{1}: {state}.",
    re.compile(r"/brokers/topics/([^/]+)/partitions/(\d+)"): "Partition {1} of {0}; its state is below.",
    re.compile(r"/brokers/topics/([^/]+)/partitions"): "The partitions of {0}.",
    re.compile(r"/brokers/topics/([^/]+)"): (
        "Topic {0}: on which brokers each partition's replicas are, the preferred leader first."
    ),
    re.compile(r"/config/topics/([^/]+)"): "The settings that are topic {0}'s own.",
    re.compile(r"/config/brokers/([^/]+)"): "Settings of broker {0}, changed at run time.",
    re.compile(r"/config/changes/.+"): "A setting was changed; every broker that reads this reads it again.",
    re.compile(r"/admin/delete_topics/([^/]+)"): "Topic {0} is to be deleted.",
    re.compile(r"/zookeeper/.*"): "ZooKeeper's own.",
}


def about(path: str, data: bytes = b"") -> str:
    """Return what a node means to Kafka, in a sentence; "" for a node that is not Kafka's."""
    if path == "/controller" and (id := controller(data)) is not None:
        return f"Broker {id} is the controller: it was first to create this node, and is it while its session lives."
    if path in _ABOUT:
        return _ABOUT[path]
    for pattern, says in _BELOW.items():
        if match := pattern.fullmatch(path):
            names = (shorten(name, 60) for name in match.groups())
            address = _address(data)
            return says.format(*names, address=address and f", at {address}", state=_state(data))
    return ""


def brief(path: str, node: Znode) -> str:
    """Return a node's data in a few words, for its row."""
    if STATE.fullmatch(path):
        leader, isr, epoch = leadership(node.data)
        return f"leader {'nobody' if leader is None else leader} · ISR {', '.join(map(str, isr))} · epoch {epoch}"
    if path == "/controller":
        id = controller(node.data)
        return "" if id is None else f"broker {id}"
    if BROKER.fullmatch(path):
        return _address(node.data)
    if isinstance(partitions := parsed(node.data).get("partitions"), dict):
        return many(len(partitions), "partition")
    return shorten(text(node.data), 48) if node.size else ""


def pretty(node: Znode) -> str:
    """Return a node's data for reading: JSON indented, other text as it is, bytes that are no text as ``\\xNN``."""
    data = parsed(node.data)
    laid_out = json.dumps(data, indent=2, ensure_ascii=False) if data else text(node.data)
    cut = laid_out[:DATA_SHOWN]
    more = node.size - len(node.data) or len(laid_out) - len(cut)
    return f"{cut}\n… {more} more bytes" if more > 0 else cut


def text(data: bytes) -> str:
    """Return bytes as text; bytes that are no text become ``\\xNN``."""
    return data.decode("utf-8", "backslashreplace")


def parsed(data: bytes) -> Mapping[str, Any]:
    """Return the parsed JSON object; an empty one when the data is none."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def controller(data: bytes) -> int | None:
    """Return the controller's id from the data of ``/controller``, or None."""
    return parsed(data).get("brokerid")


def leadership(data: bytes) -> tuple[int | None, tuple[int, ...], int | None]:
    """Return (leader, ISR, leader epoch) from a partition's state; the leader is None when there is none."""
    found = parsed(data)
    leader = found.get("leader", -1)
    return None if leader == -1 else leader, tuple(found.get("isr", ())), found.get("leader_epoch")


def _state(data: bytes) -> str:
    if not parsed(data):
        return "who leads, and who is in sync"
    leader, isr, epoch = leadership(data)
    leads = "nobody leads" if leader is None else f"broker {leader} leads"
    return f"{leads}, in sync: {', '.join(map(str, isr)) or 'nobody'}, leader epoch {epoch}"


def _hex(session: int | None) -> str:
    return "" if session is None else f"0x{session:x}"


def _address(data: bytes) -> str:
    """Return where a broker listens: host and port, or the first endpoint when it has none in the clear."""
    found = parsed(data)
    if found.get("host") and found.get("port", -1) != -1:
        return shorten(f"{found['host']}:{found['port']}", 60)
    return shorten(str(next(iter(found.get("endpoints", ())), "")), 60)


# --- Entries for watches of ZooKeeper that fired: what they mean to Kafka.


def from_watch(event: ZnodeEvent, verbs: Mapping[str, str]) -> Entry:
    """Return the entry for a watch that fired.

    :param verbs: node → what the learner did to it last, which tells why its session ended.
    """
    path, before, after = event.path, event.before, event.after
    entry = Entry(event.at, "other", "", "watch", event.type or "changed meanwhile", path)
    if event.type == "NodeChildrenChanged" or event.appeared or event.vanished:
        return _children(entry, event)
    if match := BROKER.fullmatch(path):
        return _broker(entry, match[1], before, after, verbs.get(f"broker-{match[1]}"))
    if path == "/controller":
        return _controller(entry, before, after)
    if path == "/controller_epoch" and after is not None:
        was = text(before.data) if before else "?"
        return replace(entry, text=f"controller epoch {shorten(was, 12)} → {shorten(text(after.data), 12)}")
    if (match := STATE.fullmatch(path)) and after is not None:
        return _broker_state(entry, f"{shorten(match[1])} P{match[2]}", before, after)
    if after is None or before is None:
        return replace(entry, text="it is gone" if after is None else "it is new")
    return replace(entry, text=f"its data was written, version {after.version}")


#: The learner's verb → how the session of a broker then ends.
_ENDED = {
    "stop": "it closed its session as it stopped",
    **dict.fromkeys(("kill", "pause", "cut"), "its session expired: nobody kept it alive"),
}


def _broker(entry: Entry, id: str, before: Znode | None, after: Znode | None, verb: str | None) -> Entry:
    if after is None:
        said = f"{_ENDED.get(verb or '', 'its session ended')}; broker {id} is no longer registered"
        return replace(entry, kind="gone", text=said, short=f"broker {id}'s session over")
    if before is None or before.owner != after.owner:
        again = "" if before is None else " anew"
        said = f"broker {id} registered itself{again}, in session {_hex(after.owner)}"
        return replace(entry, kind="came", text=said, short=f"broker {id} registered")
    return replace(entry, text=f"broker {id} changed its registration")


def _controller(entry: Entry, before: Znode | None, after: Znode | None) -> Entry:
    was = None if before is None else controller(before.data)
    now = None if after is None else controller(after.data)
    entry = replace(entry, kind="controller")
    if now is None:
        return replace(entry, text=f"broker {was}'s session ended: nobody is the controller", short=f"{was} → nobody")
    if was == now:
        return replace(entry, text=f"broker {now} wrote it again: it is still the controller", short=f"{now} again")
    ended = "" if was is None else f"broker {was}'s session ended, and "
    said = f"{ended}broker {now} was first to create it: it is the controller"
    return replace(entry, text=said, short=f"{'nobody' if was is None else was} → {now}")


def _broker_state(entry: Entry, name: str, before: Znode | None, after: Znode) -> Entry:
    leader, isr, epoch = leadership(after.data)
    if before is None:
        return replace(entry, text=f"{name}: leader {leader}", key="new")
    old, old_isr, _ = leadership(before.data)
    change = isr_change(old_isr, isr)
    shrank = f", {isr_text(old_isr, isr)}" if change else ""
    if leader == old:
        said = isr_text(old_isr, isr) if change else f"written again, leader epoch {epoch}"
        return replace(
            entry, kind="isr" if change else "other", text=f"{name}: {said}", key=change or "again", isr=change
        )
    if leader is None:
        return replace(entry, kind="leaderless", text=f"{name}: nobody leads{shrank}", key="leaderless", isr=change)
    said = f"{name}: leader {'nobody' if old is None else old} → {leader}, epoch {epoch}{shrank}"
    return replace(entry, kind="leader", text=said, key="leader", isr=change)


def _children(entry: Entry, event: ZnodeEvent) -> Entry:
    parts = []
    for names, what in ((event.vanished, "gone"), (event.appeared, "new")):
        if names:
            several = f" and {len(names) - 3} more" if len(names) > 3 else ""
            parts.append(f"{', '.join(shorten(name, 30) for name in names[:3])}{several} {what}")
    topics = event.path == "/brokers/topics" and bool(parts)
    said = f"below it: {'; '.join(parts)}" if parts else "its children changed, and changed back"
    return replace(entry, kind="topic" if topics else "children", text=said)


#: Maximum number of a node's children that are listed; ZooKeeper may have millions.
CHILDREN_LISTED = 500

Nodes = Mapping[str, Znode | None]


def join(parent: str, name: str) -> str:
    """Return the path of a child."""
    return f"/{name}" if parent == "/" else f"{parent}/{name}"


def tree(nodes: Nodes, missed: Iterable[str] = ()) -> Node:
    """Return the tree from its root, as far as it was read.

    :param missed: paths of nodes that ought to exist; they are drawn when their parent is listed without them.
    """
    absent: dict[str, list[str]] = {}
    for path in missed:
        parent, _, name = path.rpartition("/")
        absent.setdefault(parent or "/", []).append(name)
    return _drawn("/", nodes, absent)


def _drawn(path: str, nodes: Nodes, absent: Mapping[str, list[str]]) -> Node:
    node = nodes.get(path)
    if node is None:
        return {}
    drawn: Node = {"k": node.child_count, "v": node.version, "z": node.zxid, "s": brief(path, node)}
    if node.owner is not None:
        drawn["e"] = True
    if node.children is not None:
        drawn["k"] = len(node.children)
        drawn["c"] = {name: _drawn(join(path, name), nodes, absent) for name in node.children[:CHILDREN_LISTED] if name}
        for name in absent.get(path, ()):
            drawn["c"].setdefault(name, {"gone": True})
    return drawn


def detail(path: str, nodes: Nodes) -> Detail | Absent | None:
    """Return a node in full, for the panel beside the tree; None when it was not read."""
    if path not in nodes:
        return None
    node = nodes[path]
    if node is None:
        return {"about": about(path)}
    return {
        "about": about(path, node.data),
        "session": _hex(node.owner),
        "version": node.version,
        "created": node.created,
        "modified": node.modified,
        "zxid": f"0x{node.zxid:x}",
        "bytes": node.size,
        "children": node.child_count if node.children is None else len(node.children),
        "data": "\n".join(shorten(line, 400) for line in pretty(node).split("\n")[:400]),
    }
