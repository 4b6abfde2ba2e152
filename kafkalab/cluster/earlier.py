"""What an earlier run of a named cluster asks of this one: the same shape, nodes and ports, and a Kafka not older."""

from __future__ import annotations

import logging
from typing import Any

from kafkalab.cluster import remains
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.spec import ClusterSpec, NodeSpec, lay_out
from kafkalab.errors import BadInput, StartFailed

log = logging.getLogger(__name__)


def nodes(folder: ClusterFolder, spec: ClusterSpec, version: str) -> tuple[tuple[NodeSpec, ...], str | None]:
    """The nodes of an earlier run and the cluster's id; no nodes if there was none, or if its file is lost.

    Raises BadInput or StartFailed when the folder holds what this spec cannot be started on.
    """
    content = folder.content()
    if not isinstance(content, dict) or not {"spec", "nodes"} <= content.keys():
        _same_names(folder, spec)
        return (), None
    if content["spec"].get("mode") == spec.mode:
        remains.not_newer(folder.name, content.get("version"), version)
    before, layout, more = folder.read()
    if before != spec:
        raise BadInput(
            f"The cluster {folder.name!r} exists already, in another shape.",
            seen=differences(before, spec),
            do=f"Take another name, or remove the old one: kafkalab down --remove --name {folder.name}",
        )
    return layout, more.get("cluster_id")


def differences(before: ClusterSpec, now: ClusterSpec) -> str:
    """``brokers=2, asked for: brokers=3``: what differs between two specs. Pure."""
    was, wanted = before.to_dict(), now.to_dict()
    unlike = [key for key in was if was[key] != wanted[key]]

    def told(of: dict[str, Any]) -> str:
        return ", ".join(f"{key}={of[key]!r}" for key in unlike)

    return f"{told(was)}; asked for: {told(wanted)}"


def _same_names(folder: ClusterFolder, spec: ClusterSpec) -> None:
    """Without a file that can be read, the data itself must be of the nodes that are asked for."""
    data = folder.path / "data"
    there = {p.name for p in data.iterdir() if p.is_dir() and any(p.iterdir())} if data.is_dir() else set()
    if not there:
        return
    asked = {n.name for n in lay_out(spec, lambda wanted: wanted or 0)}
    if there != asked:
        raise StartFailed(
            f"The file that says what the cluster {folder.name!r} is cannot be read, and its data has another shape.",
            seen=f"data of {', '.join(sorted(there))}; asked for: {', '.join(sorted(asked))}",
            do=f"Ask for those nodes, or begin anew: kafkalab down --remove --name {folder.name}",
        )
    log.warning("The file of the cluster %r could not be read; it is written anew from its data.", folder.name)
