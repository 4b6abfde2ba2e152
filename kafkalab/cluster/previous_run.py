"""Checks and repairs the data of an earlier run before a cluster starts on it.

Kafka's own messages say little: for a damaged file at best that a log directory has failed, for foreign data that an id
does not match. With some damage it starts as if it were empty and forgets topics. So we check the data before any node
is launched. Small files that Kafka can write again are set aside (``NAME.damaged``). Nothing is removed, and an error
names what cannot be repaired.
"""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.spec import ClusterSpec, Mode, NodeSpec, lay_out
from kafkalab.errors import BadInput, StartFailed

PARTITION = re.compile(r".+-\d+")
METADATA_LOG = "__cluster_metadata-0"
#: Checkpoint files of a log directory. They only save work: without one, Kafka reads the logs themselves.
CHECKPOINTS = (
    "recovery-point-offset-checkpoint",
    "log-start-offset-checkpoint",
    "replication-offset-checkpoint",
    "cleaner-offset-checkpoint",
)


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner of a data folder, as its meta.properties says: the cluster, the node's id, the mode that wrote it."""

    cluster_id: str
    node_id: int
    mode: Mode


def owner(meta_properties: str) -> Owner | None:
    """Return the owner that a meta.properties names; None when the text is damaged. Pure."""
    pairs = (line.partition("=") for line in meta_properties.splitlines() if not line.startswith("#"))
    said = {key.strip(): value.strip() for key, _, value in pairs}
    mode: Mode = "kraft" if said.get("version") == "1" else "zookeeper"
    node, cluster = said.get("node.id" if mode == "kraft" else "broker.id", ""), said.get("cluster.id", "")
    # Kafka's ids have 22 characters, and it ends every line: anything shorter is a file that was cut off.
    sound = meta_properties.endswith("\n") and node.isdecimal() and len(cluster) == 22
    return Owner(cluster, int(node), mode) if sound else None


def owners(data: Mapping[NodeSpec, Path]) -> dict[NodeSpec, Owner]:
    """Return the owner of each node's data; a node whose meta.properties is missing or damaged is left out."""
    return {node: found for node, at in data.items() if (found := owner(_read(at / "meta.properties")))}


def one_owner(name: str, mode: Mode, cluster_id: str | None, found: Mapping[NodeSpec, Owner]) -> str | None:
    """Return the id of the cluster that owns all the data (None: no owner yet); StartFailed for foreign data. Pure."""
    for node, its in found.items():
        if its.mode != mode:
            raise _foreign(name, node, f"it was written in {its.mode} mode; asked for: {mode}")
        if its.node_id != node.id:
            raise _foreign(name, node, f"it belongs to node {its.node_id}")
        cluster_id = cluster_id or its.cluster_id
        if its.cluster_id != cluster_id:
            raise _foreign(name, node, f"it belongs to the cluster {its.cluster_id}, not to {cluster_id}")
    return cluster_id


def _foreign(name: str, node: NodeSpec, seen: str) -> StartFailed:
    return StartFailed(
        f"The data of {node.name} does not belong to the cluster {name!r}, so nothing was started.",
        seen=seen,
        do=f"Put back the right data, or choose another name, or start over: kafkalab down --remove --name {name}",
    )


def not_newer(name: str, written_by: str | None, ours: str) -> None:
    """Raise StartFailed if a newer Kafka wrote the data; an older one's is converted by Kafka itself. Pure."""
    if written_by and _release(written_by) > _release(ours):
        raise StartFailed(
            f"The data of the cluster {name!r} was written by Kafka {written_by}, which is newer than this one.",
            seen=f"this is Kafka {ours}, which may not understand it",
            do="Use the newer kafkalab again, or choose another name for a new cluster.",
        )


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", version))


def whole(name: str, data: Mapping[NodeSpec, Path]) -> None:
    """Raise StartFailed if there are records, but most of the metadata that says what they belong to is gone.

    The nodes that keep the metadata would agree on an empty cluster, and the brokers would then drop their partitions.
    """
    keepers = [n for n in data if n.is_voter or n.role == "zookeeper"]
    what = "version-2" if any(n.role == "zookeeper" for n in keepers) else METADATA_LOG
    lost = [n for n in keepers if not _has(data[n] / what)]
    records = [n for n in data if n.role == "broker" and any(_partitions(data[n]))]
    if records and 2 * len(lost) > len(keepers):
        raise StartFailed(
            f"Most of the metadata of the cluster {name!r} is gone, so nothing was started.",
            seen=f"no {what} in the data of {', '.join(n.name for n in lost)}; "
            f"partitions are there, in the data of {', '.join(n.name for n in records)}",
            do=f"Put it back if you can; otherwise start over: kafkalab down --remove --name {name}",
        )


@dataclass(slots=True)
class Damage:
    """The damaged small files in a broker's data.

    ``anew``: Kafka writes them again. ``from_logs``: Kafka writes them again if it reads the whole logs. ``topics``:
    they say which topic a partition belongs to. ``votes``: they say which node a voter has voted for.
    """

    anew: list[Path] = field(default_factory=list)
    from_logs: list[Path] = field(default_factory=list)
    topics: list[Path] = field(default_factory=list)
    votes: list[Path] = field(default_factory=list)


def damage(data: Path) -> Damage:
    """Return what is damaged in a broker's data folder; usually nothing."""
    found = Damage([data / name for name in CHECKPOINTS if not _is_checkpoint(data / name)])
    if (data / METADATA_LOG / "quorum-state").exists() and _vote(data) is None:
        found.votes.append(data / METADATA_LOG / "quorum-state")
    if (data / "meta.properties").exists() and owner(_read(data / "meta.properties")) is None:
        found.anew.append(data / "meta.properties")
    for partition in _partitions(data):
        if not _is_checkpoint(partition / "leader-epoch-checkpoint"):
            found.from_logs.append(partition / "leader-epoch-checkpoint")
        if (partition / "partition.metadata").exists() and _topic(partition) is None:
            found.topics.append(partition / "partition.metadata")
    return found


def mend(name: str, data: Mapping[NodeSpec, Path]) -> list[str]:
    """Set aside what Kafka can write again and restore what copies say; StartFailed names what cannot be restored.

    Nothing is changed unless everything can be repaired. Returns what was done, a line for each file.
    """
    found = {at: damage(at) for node, at in data.items() if node.role != "zookeeper" and at.is_dir()}
    known = {}
    for path in (path for its in found.values() for path in its.topics):
        topic = path.parent.name.rpartition("-")[0]
        others = (p for at in found for p in _partitions(at) if p.name.rpartition("-")[0] == topic)
        known[path] = next((text for p in others if (text := _topic(p))), None)
    if lost := [str(path) for path, text in known.items() if text is None]:
        raise StartFailed(
            f"The data of the cluster {name!r} is damaged, so nothing was started.",
            seen=f"unreadable: {', '.join(lost[:5])}{', …' * (len(lost) > 5)}",
            do=f"Put back what you have a copy of, or start over: kafkalab down --remove --name {name}",
        )
    done = []
    for at, its in found.items():
        for path in its.anew + its.from_logs + its.votes:
            _set_aside(path)
            done.append(f"{path} was damaged and is set aside; Kafka writes it again.")
        if its.from_logs:  # without these two files, Kafka reads the whole logs
            for path in (at / "recovery-point-offset-checkpoint", at / ".kafka_cleanshutdown"):
                if path.exists():
                    _set_aside(path)
    votes = [vote for at in found if (vote := _vote(at))]
    for path in (path for its in found.values() for path in its.votes if votes):
        path.write_text(json.dumps(new_vote(votes)))
    for path, text in known.items():
        _set_aside(path)
        path.write_text(text or "")
        done.append(f"{path} was damaged and is repaired from another partition of its topic.")
    return done


def new_vote(votes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the state of a voter that has forgotten its vote: no leader yet, in an epoch later than all others'. Pure.

    In an epoch that others know, it might vote twice, or not know that it is the leader itself.
    """
    last = max(votes, key=lambda vote: int(vote["leaderEpoch"]))
    nobody: dict[str, Any] = {"leaderId": -1, "leaderEpoch": int(last["leaderEpoch"]) + 1, "votedId": -1}
    if "votedDirectoryId" in last:
        nobody["votedDirectoryId"] = "A" * 22
    return {**last, **nobody}


def _set_aside(path: Path) -> None:
    os.replace(path, path.with_name(path.name + ".damaged"))


def _topic(partition: Path) -> str | None:
    """Return the text of partition.metadata, the same for all partitions of a topic; None when it is damaged."""
    text = _read(partition / "partition.metadata")
    return text if re.fullmatch(r"version: 0\s+topic_id: \S{22}\s*", text) else None


def _partitions(data: Path) -> Iterator[Path]:
    """Yield the folders of the topics' partitions, without the metadata log."""
    if data.is_dir():
        with os.scandir(data) as entries:
            names = sorted(e.name for e in entries if PARTITION.fullmatch(e.name) and e.is_dir())
        yield from (data / n for n in names if n != METADATA_LOG and not n.endswith(("-delete", "-stray", "-future")))


def _is_checkpoint(path: Path) -> bool:
    """Return whether a checkpoint is intact: a version, a count and that number of lines. Empty or missing is fine."""
    text = _read(path)
    if not text:
        return True
    lines = text.splitlines()
    good = text.endswith("\n") and all(re.fullmatch(r"(\S+ )*-?\d+", line) for line in lines)
    return good and len(lines) >= 2 and lines[1].isdecimal() and len(lines) == 2 + int(lines[1])


def _vote(data: Path) -> dict[str, Any] | None:
    """Return a voter's quorum-state, with its vote and epoch; None when the file is missing or damaged."""
    try:
        said = json.loads(_read(data / METADATA_LOG / "quorum-state"))
    except ValueError:
        return None
    return said if isinstance(said, dict) and isinstance(said.get("leaderEpoch"), int) else None


def _has(folder: Path) -> bool:
    return folder.is_dir() and any(folder.iterdir())


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


# --- What an earlier run of a named cluster requires: the same shape, nodes and ports, and a Kafka that is not older.


log = logging.getLogger(__name__)


def nodes(folder: ClusterFolder, spec: ClusterSpec, version: str) -> tuple[tuple[NodeSpec, ...], str | None]:
    """Return the nodes of an earlier run and the cluster's id; no nodes if there was no run or its file is lost.

    Raises BadInput or StartFailed when a cluster of this spec cannot be started on what the folder holds.
    """
    content = folder.content()
    if not isinstance(content, dict) or not {"spec", "nodes"} <= content.keys():
        _same_names(folder, spec)
        return (), None
    if content["spec"].get("mode") == spec.mode:
        not_newer(folder.name, content.get("version"), version)
    before, layout, more = folder.read()
    if before != spec:
        raise BadInput(
            f"The cluster {folder.name!r} exists already, with other settings.",
            seen=differences(before, spec),
            do=f"Choose another name, or remove the old cluster: kafkalab down --remove --name {folder.name}",
        )
    return layout, more.get("cluster_id")


def differences(before: ClusterSpec, now: ClusterSpec) -> str:
    """Return the differences between two specs, as in ``brokers=2; asked for: brokers=3``. Pure."""
    was, wanted = before.to_dict(), now.to_dict()
    unlike = [key for key in was if was[key] != wanted[key]]

    def told(of: dict[str, Any]) -> str:
        return ", ".join(f"{key}={of[key]!r}" for key in unlike)

    return f"{told(was)}; asked for: {told(wanted)}"


def _same_names(folder: ClusterFolder, spec: ClusterSpec) -> None:
    """Check, without a readable cluster.json, that the data is of the nodes asked for; raise StartFailed if not."""
    data = folder.path / "data"
    there = {p.name for p in data.iterdir() if p.is_dir() and any(p.iterdir())} if data.is_dir() else set()
    if not there:
        return
    asked = {n.name for n in lay_out(spec, lambda wanted: wanted or 0)}
    if there != asked:
        raise StartFailed(
            f"The file cluster.json of {folder.name!r} cannot be read, and its data is that of other nodes.",
            seen=f"data of {', '.join(sorted(there))}; asked for: {', '.join(sorted(asked))}",
            do=f"Ask for those nodes, or start over: kafkalab down --remove --name {folder.name}",
        )
    log.warning("The file cluster.json of %r could not be read; kafkalab writes it again from the data.", folder.name)
