"""Formats the storage of KRaft nodes: cluster id, node id, and the features the metadata log begins with.

Kafka's own StorageTool makes ``bootstrap.checkpoint`` (the first metadata records, the same for a whole release). We
run it once and keep the result in the cache, because a JVM for each node cost more time than the start of the brokers.
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
from kafkalab.home import cache_dir, make_dir, write_whole


def new_cluster_id() -> str:
    """Return a random id in Kafka's form, 22 URL-safe characters; never a dash in front, which looks like an option."""
    while (id := base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")).startswith("-"):
        pass
    return id


def format_storage(folder: Path, cluster_id: str, node_id: int, checkpoint: Path) -> None:
    """Format a node's empty data folder as ``kafka-storage format`` would; leave a formatted one alone."""
    if (folder / "meta.properties").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(checkpoint, folder / "bootstrap.checkpoint")
    meta = {"version": "1", "cluster.id": cluster_id, "node.id": str(node_id), "directory.id": new_cluster_id()}
    write_whole(folder / "meta.properties", properties.render(meta))  # last: with it the folder counts as formatted


def bootstrap_checkpoint(
    java: Java, classpath: str, version: str, spec: ClusterSpec, nodes: Sequence[NodeSpec]
) -> Path:
    """Return the release's bootstrap.checkpoint from the cache; if it is missing, make it with Kafka's StorageTool."""
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
            cwd=scratch,  # log.dirs is relative to it: Kafka would split an absolute path at a comma
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
