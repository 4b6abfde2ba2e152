"""Formats the storage of KRaft nodes: cluster id, node id, and the features the metadata log begins with.

Kafka's own StorageTool makes ``bootstrap.checkpoint`` (the first metadata records, the same for a whole release).
It is run once and its result kept in the cache, for a JVM a node at each start cost more than the brokers' own start.
"""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Sequence
from pathlib import Path

from kafkalab.cluster import properties
from kafkalab.cluster.java import Java, environment
from kafkalab.cluster.spec import ClusterSpec, NodeSpec
from kafkalab.errors import StartFailed
from kafkalab.home import cache_dir, make_dir


def new_cluster_id() -> str:
    """A random id in Kafka's form: 22 URL-safe characters. Never begins with a dash, which tools take for an option."""
    while (id := base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")).startswith("-"):
        pass
    return id


def format_storage(folder: Path, cluster_id: str, node_id: int, checkpoint: Path) -> None:
    """Make a node's empty data folder what ``kafka-storage format`` would make of it; leaves a formatted one alone."""
    if (folder / "meta.properties").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(checkpoint, folder / "bootstrap.checkpoint")
    meta = {"version": "1", "cluster.id": cluster_id, "node.id": str(node_id), "directory.id": new_cluster_id()}
    new = folder / ".meta.properties"
    new.write_text(properties.render(meta))
    os.replace(new, folder / "meta.properties")  # last and at once: with it the folder counts as formatted


def bootstrap_checkpoint(
    java: Java, classpath: str, version: str, spec: ClusterSpec, nodes: Sequence[NodeSpec]
) -> Path:
    """The release's bootstrap.checkpoint, from the cache or made now by Kafka's StorageTool."""
    kept = cache_dir() / "kraft" / f"bootstrap-{version}.checkpoint"
    if kept.is_file() and kept.stat().st_size > 0:
        return kept
    make_dir(kept.parent, "KAFKALAB_CACHE", StartFailed)
    with tempfile.TemporaryDirectory(prefix=".format-", dir=kept.parent) as scratch:
        settings = Path(scratch, "server.properties")
        data = Path(scratch, "data")
        settings.write_text(properties.render(properties.broker(spec, nodes[0], nodes, data.name)))
        done = subprocess.run(
            [
                *(str(java.executable), "-XX:TieredStopAtLevel=1", "kafka.tools.StorageTool"),
                *("format", "--cluster-id", new_cluster_id(), "--config", str(settings)),
            ],
            cwd=scratch,  # its settings name the folder from here: Kafka would split a longer path at a comma
            env=environment(CLASSPATH=classpath),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        made = data / "bootstrap.checkpoint"
        if done.returncode or not made.is_file():
            raise StartFailed(
                "Kafka's StorageTool could not format the storage of a KRaft node.",
                seen=f"it ended with {done.returncode}",
                log="\n".join((done.stdout + done.stderr).splitlines()[-15:]),
            )
        os.replace(made, kept)
    return kept
