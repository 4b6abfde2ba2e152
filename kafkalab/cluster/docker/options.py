"""The options of a node's container: settings, limits and names, as pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kafkalab.cluster import jvm, properties
from kafkalab.cluster.docker.owner import CLUSTER, NODE
from kafkalab.cluster.net import CONTROLLER_PORT, LOOPBACK, OUTSIDE_PORT, ZOOKEEPER_PORT, Containers
from kafkalab.cluster.spec import ClusterSpec, NodeSpec
from kafkalab.state.model import Role

DATA = "/data"
#: User and group under whose ids a node runs.
USER = "1000:1000"
#: The folder that a node may write besides its data. Compression libraries unpack themselves there and run from there,
#: which Docker forbids in a tmpfs without ``exec``.
TMPFS = {"/tmp": "exec,size=64m,mode=1777"}

#: Memory limit of a container in bytes, about twice a lesson's need; the engine ends a node that exceeds it, no other.
MEMORY: dict[Role, int] = {"broker": 512 * 2**20, "controller": 384 * 2**20, "zookeeper": 256 * 2**20}
#: Maximum number of threads in a container, of which a broker runs about 80; a runaway node must not use them all up.
PIDS = 512

#: Limits of the output that the engine keeps of a node, so that a cluster that runs for weeks does not fill the disk.
LOGS: dict[str, Any] = {"Type": "json-file", "Config": {"max-size": "10m", "max-file": "2"}}

#: After a cut, connections that were open lead nowhere, and neither end is told. Kafka's own timeouts (30 s) are too
#: long for a lesson; these are as long as a follower may lag.
HEALING = {"replica.socket.timeout.ms": "10000", "controller.socket.timeout.ms": "10000"}


def network_name(cluster: str) -> str:
    """Return the name of the network of a cluster's nodes."""
    return f"kafkalab-{cluster}"


def name(cluster: str, node: str) -> str:
    """Return the name of a node's container, and of its volume."""
    return f"kafkalab-{cluster}-{node}"


def settings(spec: ClusterSpec, node: NodeSpec, layout: Sequence[NodeSpec], speed: Mapping[str, str]) -> str:
    """Return the text of the node's properties file."""
    net = Containers()
    if node.role == "zookeeper":
        return properties.render(properties.zookeeper(spec, node, layout, DATA, net))
    return properties.render(properties.broker(spec, node, layout, DATA, {**HEALING, **speed}, net))


def inside_port(node: NodeSpec) -> int:
    """Return the port on which the node listens first, inside its container."""
    if node.role == "zookeeper":
        return ZOOKEEPER_PORT
    return CONTROLLER_PORT if node.is_voter else OUTSIDE_PORT


def published(node: NodeSpec) -> dict[str, tuple[str, int]]:
    """Return the published ports as the engine takes them; none for a dedicated controller, which has no clients."""
    if node.role == "controller":
        return {}
    port = ZOOKEEPER_PORT if node.role == "zookeeper" else OUTSIDE_PORT
    return {f"{port}/tcp": (LOOPBACK, node.port)}


def jvm_options(node: NodeSpec, style: jvm.Style) -> str:
    """Return the JVM's heap and flags for the image's entry point, which adds the flags for safety."""
    heap = style.zookeeper_heap if node.role == "zookeeper" else style.broker_heap
    return " ".join((*heap, *style.flags))


def environment(
    spec: ClusterSpec, node: NodeSpec, rendered: str, cluster_id: str | None, style: jvm.Style
) -> dict[str, str]:
    """Return the environment variables for the image's entry point."""
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
    """Return the options with which the engine creates the container, except image, volume and network."""
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
        # Health is checked from outside; a process in each container every two seconds would not tell more.
        "healthcheck": {"test": ["NONE"]},
        "log_config": LOGS,
        "stop_signal": "SIGTERM",
    }
