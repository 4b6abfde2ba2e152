"""The options of a node's container: settings, limits, names. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kafkalab.cluster import jvm, properties
from kafkalab.cluster.docker.owner import CLUSTER, NODE
from kafkalab.cluster.net import CONTROLLER_PORT, LOOPBACK, OUTSIDE_PORT, ZOOKEEPER_PORT, Containers
from kafkalab.cluster.spec import ClusterSpec, NodeSpec
from kafkalab.state.model import Role

DATA = "/data"
#: The user, and its group, as whom a node runs.
USER = "1000:1000"
#: What a node may write besides its data. Compression libraries unpack themselves there and are run from there, which
#: Docker forbids in a tmpfs unless told.
TMPFS = {"/tmp": "exec,size=64m,mode=1777"}

#: Bytes a container may use: a node of a lesson takes about half; then the engine ends it, and its neighbours live.
MEMORY: dict[Role, int] = {"broker": 512 * 2**20, "controller": 384 * 2**20, "zookeeper": 256 * 2**20}
#: A broker runs about 80 threads; something gone wild must not take the machine's.
PIDS = 512

#: The engine keeps a node's output; a cluster that is left up for weeks must not fill the disk with it.
LOGS: dict[str, Any] = {"Type": "json-file", "Config": {"max-size": "10m", "max-file": "2"}}

#: After a cut, a connection that was open leads nowhere, and no end of it hears of that. Kafka's own time-outs (30 s)
#: would be longer than a class looks; these are as long as a follower may lag.
HEALING = {"replica.socket.timeout.ms": "10000", "controller.socket.timeout.ms": "10000"}


def network_name(cluster: str) -> str:
    """The network of a cluster's nodes."""
    return f"kafkalab-{cluster}"


def name(cluster: str, node: str) -> str:
    """The name of a node's container, and of its volume."""
    return f"kafkalab-{cluster}-{node}"


def settings(spec: ClusterSpec, node: NodeSpec, layout: Sequence[NodeSpec], speed: Mapping[str, str]) -> str:
    """The node's properties file."""
    net = Containers()
    if node.role == "zookeeper":
        return properties.render(properties.zookeeper(spec, node, layout, DATA, net))
    return properties.render(properties.broker(spec, node, layout, DATA, {**HEALING, **speed}, net))


def inside_port(node: NodeSpec) -> int:
    """Where the node listens first, inside its container."""
    if node.role == "zookeeper":
        return ZOOKEEPER_PORT
    return CONTROLLER_PORT if node.is_voter else OUTSIDE_PORT


def published(node: NodeSpec) -> dict[str, tuple[str, int]]:
    """Which port of the container is to be found where on this machine; a controller of its own has no clients."""
    if node.role == "controller":
        return {}
    port = ZOOKEEPER_PORT if node.role == "zookeeper" else OUTSIDE_PORT
    return {f"{port}/tcp": (LOOPBACK, node.port)}


def jvm_options(node: NodeSpec, style: jvm.Style) -> str:
    """Heap and flags, for the image's entry point, which adds those for safety."""
    heap = style.zookeeper_heap if node.role == "zookeeper" else style.broker_heap
    return " ".join((*heap, *style.flags))


def environment(
    spec: ClusterSpec, node: NodeSpec, rendered: str, cluster_id: str | None, style: jvm.Style
) -> dict[str, str]:
    """What the image's entry point is told."""
    told = {
        "KAFKALAB_NODE": node.name,
        "KAFKALAB_MODE": spec.mode,
        "KAFKALAB_SETTINGS": rendered,
        "KAFKALAB_JVM": jvm_options(node, style),
    }
    return {**told, "KAFKALAB_CLUSTER_ID": cluster_id} if spec.mode == "kraft" and cluster_id else told


def options(
    spec: ClusterSpec, node: NodeSpec, environment: Mapping[str, str], labels: Mapping[str, str]
) -> dict[str, Any]:
    """What the engine is asked for, but for image, volume and network."""
    memory = MEMORY[node.role]
    return {
        "name": name(spec.name, node.name),
        "hostname": node.name,
        "environment": dict(environment),
        "labels": {**labels, CLUSTER: spec.name, NODE: node.name},
        "ports": published(node),
        "user": USER,
        "read_only": True,
        "tmpfs": TMPFS,
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges"],
        "mem_limit": memory,
        "memswap_limit": memory,
        "pids_limit": PIDS,
        # Whether a node is up is asked from outside; a process in each container every two seconds would tell no more.
        "healthcheck": {"test": ["NONE"]},
        "log_config": LOGS,
        "stop_signal": "SIGTERM",
    }
