"""Clusters by name, for the command line: their status, how they are stopped and removed, and Kafka's own tools."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from kafkalab.cluster import tools
from kafkalab.cluster.backends import clean_abandoned, is_running, remove_stopped
from kafkalab.cluster.folder import ClusterFolder, existing
from kafkalab.cluster.net import LOOPBACK
from kafkalab.errors import BadInput, KafkalabError
from kafkalab.handles.cluster import LAB, Cluster
from kafkalab.home import home_dir
from kafkalab.state.model import NodeState


def status() -> dict[str, Any]:
    """Return every cluster of this user, running or stopped: the shape of ``kafkalab status --json``."""
    clean_abandoned()
    return {"clusters": [c for folder in existing() if (c := _describe(folder))]}


def _describe(folder: ClusterFolder) -> dict[str, Any] | None:
    try:
        spec, layout, more = folder.read()
    except BadInput:
        return None  # it was removed while we looked
    running = is_running(folder)
    kind = more.get("backend", "local")
    unlike = "pid" if kind == "docker" else "container"  # the other backend's word for what runs a node
    nodes: tuple[NodeState, ...] = ()
    with suppress(KafkalabError):
        nodes = Cluster.attach(folder.name).nodes() if running else ()
    nodes = nodes or tuple(NodeState(n.name, n.role, n.id, "stopped", n.port) for n in layout)
    return {
        "name": folder.name,
        "backend": kind,
        "mode": spec.mode,
        "cluster_id": more.get("cluster_id"),
        "running": running,
        "bootstrap_servers": ",".join(f"{LOOPBACK}:{n.port}" for n in layout if n.role == "broker"),
        "nodes": [{k: v for k, v in asdict(n).items() if k not in ("severable", unlike)} for n in nodes],
    }


def chosen(name: str | None, servers: str | None) -> Cluster:
    """Return the cluster at these servers, or of that name; by default the one of ``KAFKALAB_CLUSTER``, or else lab."""
    lab = os.environ.get("KAFKALAB_CLUSTER") or LAB
    return Cluster.connect(servers) if servers else Cluster.attach(lab if name is None else name)


def down(name: str, remove: bool) -> str:
    """Stop a cluster, and remove its data if asked to; return a sentence on what was done. Idempotent."""
    folder = ClusterFolder.of(name)
    if is_running(folder):
        Cluster.attach(name).stop()
        done = f"{name} is down"
    elif not folder.path.exists():
        return f"There is no cluster {name}; nothing to do."
    else:
        done = f"{name} was not running"
    if remove and folder.path.exists():
        remove_stopped(folder)
        return f"{done}; its data is removed."
    if not folder.path.exists():
        return f"{done}."
    return f"{done}; its topics are kept for the next start (kafkalab down --remove --name {name} removes them)."


def reset(name: str) -> tuple[str, str]:
    """Make a cluster as new; return a sentence on what was done, and its addresses if it is running.

    One that is stopped loses its data, whatever state that is in, and begins anew with its next start. The checkpoints
    of kept streams go too, whichever cluster they read: nothing in them says that.
    """
    folder = ClusterFolder.of(name)
    servers = ""
    if is_running(folder) or not folder.path.exists():
        servers = Cluster.attach(name).reset().bootstrap_servers
    else:
        remove_stopped(folder)
    checkpoints = home_dir() / "checkpoints"
    kept = sorted(path.name for path in checkpoints.glob("*"))
    shutil.rmtree(checkpoints, ignore_errors=True)
    done = f"{name} has been reset{'' if servers else ': it begins anew with its next start'}."
    if kept:
        done += f" The checkpoints of kept streams are removed too, of every cluster: {', '.join(kept)}."
    return done, servers


def down_all(remove: bool) -> list[str]:
    """Stop every cluster of this user; return a sentence for each."""
    clean_abandoned()
    return [down(folder.name, remove) for folder in existing()]


# --- ``kafkalab tool``: this process becomes one of Kafka's own tools, aimed at one of your clusters.


def run_tool(tool: str, arguments: Sequence[str], name: str | None, servers: str | None) -> None:
    """Become the tool, for the cluster of that name or at those servers; it gets everything after its own name."""
    for word in ("--name", "--bootstrap-servers"):
        if any(a.partition("=")[0] == word for a in arguments):
            raise BadInput(
                f"{word} names the cluster, so write it before the tool's name.", do=f"kafkalab tool {word} … {tool} …"
            )
    tools.replace_process(tool, arguments, chosen(name, servers).where())
