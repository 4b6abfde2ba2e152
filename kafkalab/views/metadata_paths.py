"""What Kafka keeps in which node of ZooKeeper's tree: a sentence for each, and a word or two for its data. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from kafkalab.state.znode_reading import Znode
from kafkalab.views.cluster_drawn import shown

#: So much of a node's data is shown.
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

_BELOW: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Any], str]], ...] = (
    (BROKER, lambda m, d: f"Broker {m[1]} is registered here while its session lives{_address(d, ', at {}')}."),
    (STATE, lambda m, d: f"{_name(m[1])} P{m[2]}: {_state(d) or 'who leads, and who is in sync'}."),
    (
        re.compile(r"/brokers/topics/([^/]+)/partitions/(\d+)"),
        lambda m, d: f"Partition {m[2]} of {_name(m[1])}; its state is below.",
    ),
    (re.compile(r"/brokers/topics/([^/]+)/partitions"), lambda m, d: f"The partitions of {_name(m[1])}."),
    (
        re.compile(r"/brokers/topics/([^/]+)"),
        lambda m, d: (
            f"Topic {_name(m[1])}: on which brokers each partition's replicas are, the preferred leader first."
        ),
    ),
    (re.compile(r"/config/topics/([^/]+)"), lambda m, d: f"The settings that are topic {_name(m[1])}'s own."),
    (re.compile(r"/config/brokers/([^/]+)"), lambda m, d: f"Settings of broker {_name(m[1])}, changed at run time."),
    (
        re.compile(r"/config/changes/.+"),
        lambda m, d: "A setting was changed; every broker that reads this reads it again.",
    ),
    (re.compile(r"/admin/delete_topics/([^/]+)"), lambda m, d: f"Topic {_name(m[1])} is to be deleted."),
    (re.compile(r"/zookeeper/.*"), lambda m, d: "ZooKeeper's own."),
)


def about(path: str, data: bytes = b"") -> str:
    """What a node is to Kafka, in a sentence; "" for one that is not Kafka's."""
    if path == "/controller" and (id := controller(data)) is not None:
        return f"Broker {id} is the controller: it was first to create this node, and is it while its session lives."
    if path in _ABOUT:
        return _ABOUT[path]
    for pattern, say in _BELOW:
        if match := pattern.fullmatch(path):
            return say(match, parsed(data))
    return ""


def brief(path: str, node: Znode) -> str:
    """A node's data in a few words, to stand in its row."""
    data = parsed(node.data)
    if STATE.fullmatch(path):
        leader, isr, epoch = leadership(node.data)
        return f"leader {'nobody' if leader is None else leader} · ISR {', '.join(map(str, isr))} · epoch {epoch}"
    if path == "/controller":
        id = controller(node.data)
        return "" if id is None else f"broker {id}"
    if BROKER.fullmatch(path):
        return _address(data, "{}")
    if isinstance(data, Mapping) and isinstance(data.get("partitions"), Mapping):
        n = len(data["partitions"])
        return f"{n} partition{'' if n == 1 else 's'}"
    return shown(text(node.data), 48) if node.size else ""


def pretty(node: Znode) -> str:
    """A node's data to be read: JSON laid out, other text as it is, bytes that are no text as ``\\xNN``."""
    data = parsed(node.data)
    laid_out = json.dumps(data, indent=2, ensure_ascii=False) if isinstance(data, (dict, list)) else text(node.data)
    cut = laid_out[:DATA_SHOWN]
    more = node.size - len(node.data) or len(laid_out) - len(cut)
    return f"{cut}\n… {more} more bytes" if more > 0 else cut


def text(data: bytes) -> str:
    """Bytes as text; those that are none as ``\\xNN``."""
    return data.decode("utf-8", "backslashreplace")


def parsed(data: bytes) -> Any:
    """JSON; None for anything else."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def controller(data: bytes) -> int | None:
    """Who the controller is, by the data of ``/controller``."""
    found = parsed(data)
    id = found.get("brokerid") if isinstance(found, Mapping) else None
    return id if isinstance(id, int) else None


def leadership(data: bytes) -> tuple[int | None, tuple[int, ...], int | None]:
    """(leader, ISR, leader epoch) by a partition's state; the leader is None where nobody leads."""
    found = parsed(data)
    if not isinstance(found, Mapping):
        return None, (), None
    return _leadership(found)


def _leadership(found: Mapping[str, Any]) -> tuple[int | None, tuple[int, ...], int | None]:
    leader, isr, epoch = found.get("leader"), found.get("isr"), found.get("leader_epoch")
    return (
        leader if isinstance(leader, int) and leader >= 0 else None,
        tuple(id for id in isr if isinstance(id, int)) if isinstance(isr, list) else (),
        epoch if isinstance(epoch, int) else None,
    )


def _state(data: Any) -> str:
    if not isinstance(data, Mapping) or "leader" not in data:
        return ""
    leader, isr, epoch = _leadership(data)
    leads = "nobody leads" if leader is None else f"broker {leader} leads"
    return f"{leads}, in sync: {', '.join(map(str, isr)) or 'nobody'}, leader epoch {epoch}"


def _address(data: Any, form: str) -> str:
    if not isinstance(data, Mapping):
        return ""
    if data.get("host") and data.get("port", -1) != -1:
        return form.format(shown(f"{data['host']}:{data['port']}", 60))
    endpoints = data.get("endpoints")
    return form.format(shown(str(endpoints[0]), 60)) if isinstance(endpoints, list) and endpoints else ""


def _name(name: str) -> str:
    return shown(name, 60)
