"""The containers of one cluster in an engine: look at them, create, start and stop them, cut them off, join them."""

from __future__ import annotations

import contextlib
import io
import tarfile
from collections.abc import Mapping
from typing import Any, cast

from kafkalab.cluster.docker import options
from kafkalab.cluster.docker.engine import is_missing, speaking
from kafkalab.cluster.docker.owner import CLUSTER, HOME, NODE, OWNER, THROW_AWAY, Held, one, remove
from kafkalab.cluster.owned import cluster_id_in
from kafkalab.cluster.spec import ClusterSpec, NodeSpec
from kafkalab.errors import NodeFailed, StartFailed, WaitTimeout
from kafkalab.state.model import State
from kafkalab.waiting import wait_until

#: Exit code of a container that was killed: 128 + SIGKILL.
KILLED = 137


class Containers:
    """One cluster's containers, network and volumes. Safe to use from several threads.

    :param labels: labels of everything created here, besides those with the cluster's and the node's names.
    """

    def __init__(self, client: Any, cluster: str, labels: Mapping[str, str]) -> None:
        self.client = client
        self.cluster = cluster
        self.labels = dict(labels)
        self.network = options.network_name(cluster)

    # what there is

    def held(self) -> Held:
        """Return everything the engine keeps for the cluster, except what a later owner made under the same name."""
        with speaking("Docker could not list the cluster's containers."):
            found = one(self.client, self.cluster)
        owner = self.labels[OWNER]
        found.containers = [c for c in found.containers if c["Labels"].get(OWNER) == owner]
        found.networks = [n for n in found.networks if n["Labels"].get(OWNER) == owner]
        return found

    def states(self) -> dict[str, tuple[State, str]]:
        """Return ``{node: (state, its container's short id)}``, with one quick request."""
        with speaking("Docker could not list the cluster's containers."):
            labels = [f"{name}={self.labels[name]}" for name in (HOME, CLUSTER, OWNER)]
            found = self.client.api.containers(all=True, filters={"label": labels})
        return {c["Labels"][NODE]: (self._state(c), c["Id"][:12]) for c in found if NODE in c["Labels"]}

    def _state(self, found: Mapping[str, Any]) -> State:
        if found["State"] == "paused":
            return "paused"
        if found["State"] != "running":
            return "stopped"
        return "running" if self.network in found["NetworkSettings"]["Networks"] else "cut"

    def is_connected(self, node: str) -> bool:
        """Return whether a node is on the cluster's network, whatever its state is."""
        with speaking(f"The state of {node} could not be read."):
            found = self.client.api.inspect_container(self._name(node))
        return self.network in found["NetworkSettings"]["Networks"]

    def why_ended(self, node: str) -> str:
        """Return what the engine knows about why a container ended; empty when it knows nothing."""

        def known() -> dict[str, Any] | None:
            with speaking(f"The state of {node} could not be read."):
                state: dict[str, Any] = self.client.api.inspect_container(self._name(node))["State"]
            # The engine learns why a container was killed a moment after it learns that it was killed.
            return state if state["ExitCode"] != KILLED or state["OOMKilled"] or state["Error"] else None

        try:
            state = cast("dict[str, Any]", wait_until(known, 1, "the engine to know why it ended"))
        except WaitTimeout:
            return ""
        if state["OOMKilled"]:
            return "the engine ended it, because it used more memory than its container is allowed (OOM killed)"
        return str(state["Error"] or "")

    def log(self, node: str, lines: int) -> str | None:
        """Return the last lines a node wrote; None when it has no container."""
        try:
            with speaking(f"The log of {node} could not be read."):
                written = self.client.api.logs(self._name(node), tail=lines)
        except NodeFailed as e:
            if e.__cause__ is not None and is_missing(e.__cause__):
                return None
            raise
        return "\n".join(written.decode(errors="replace").splitlines()[-lines:])

    def cluster_id(self, node: str) -> str | None:
        """Return the cluster id in the node's own data; None as long as there is none."""
        try:
            with speaking(f"The data of {node} could not be read."):
                chunks, _ = self.client.api.get_archive(self._name(node), f"{options.DATA}/meta.properties")
                content = b"".join(chunks)
        except NodeFailed as e:
            if e.__cause__ is not None and is_missing(e.__cause__):
                return None
            raise
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            file = archive.extractfile(archive.getmembers()[0])
            return cluster_id_in(file.read().decode()) if file is not None else None

    def has_closed(self, node: str) -> bool:
        """Return whether a broker that is shutting down has closed its data, and now only waits for others."""
        try:
            with speaking(f"The data of {node} could not be read."):
                for _ in self.client.api.get_archive(self._name(node), f"{options.DATA}/.kafka_cleanshutdown")[0]:
                    pass
        except NodeFailed:
            return False
        return True

    def listens(self, node: NodeSpec) -> bool:
        """Return whether something listens inside the node's container, even if it cannot be reached from outside."""
        port = options.inside_port(node)
        with speaking(f"kafkalab could not check whether {node.name} listens."):
            asked = self.client.api.exec_create(
                self._name(node.name), ["bash", "-c", f"exec 3<>/dev/tcp/127.0.0.1/{port}"], stderr=False
            )
            self.client.api.exec_start(asked["Id"])
            return bool(self.client.api.exec_inspect(asked["Id"])["ExitCode"] == 0)

    # what is done

    def make_network(self) -> None:
        """Create the network in which the nodes call each other by name."""
        with speaking(f"The network {self.network} could not be created.", StartFailed):
            self.client.api.create_network(
                self.network, driver="bridge", check_duplicate=True, labels={**self.labels, CLUSTER: self.cluster}
            )

    def make(self, image: str, spec: ClusterSpec, node: NodeSpec, environment: Mapping[str, str]) -> None:
        """Create a node's container, and its volume unless that exists; nothing runs yet."""
        import docker

        name = self._name(node.name)
        # A volume that is kept gets no owner, so that it is not removed when an owner dies.
        kept = {k: v for k, v in self.labels.items() if k != OWNER or self.labels[THROW_AWAY] == "true"}
        with speaking(f"The container of {node.name} could not be created.", StartFailed):
            self.client.api.create_volume(name, labels={**kept, CLUSTER: self.cluster, NODE: node.name})
            self.client.containers.create(
                image,
                **options.options(spec, node, environment, self.labels),
                mounts=[docker.types.Mount(options.DATA, name)],
                network=self.network,
                networking_config={self.network: self.client.api.create_endpoint_config(aliases=[node.name])},
            )

    def start(self, node: str) -> None:
        """Start a container, and connect it to the cluster's network again if it was cut off when it ended."""
        with speaking(f"{node} could not be started.", StartFailed):
            found = self.client.api.inspect_container(self._name(node))
            if self.network not in found["NetworkSettings"]["Networks"]:
                self._connect(node)
            self.client.api.start(self._name(node))

    def stop(self, node: str, grace: float) -> None:
        """Send SIGTERM, and SIGKILL after ``grace`` seconds; a paused container is resumed first, so that it reacts."""
        self._unpause(node)
        with speaking(f"{node} could not be stopped."):
            self.client.api.stop(self._name(node), timeout=round(grace))

    def terminate(self, node: str) -> None:
        """Send SIGTERM, without waiting for the container to end."""
        with speaking(f"{node} could not be stopped."):
            self.client.api.kill(self._name(node), "SIGTERM")

    def kill(self, node: str) -> None:
        """Send SIGKILL, and wait until the container has ended."""
        from docker.errors import APIError

        with speaking(f"{node} could not be killed."):
            try:
                self.client.api.kill(self._name(node))
            except APIError as e:
                if "is not running" not in str(e):
                    raise
        # Some engines leave a killed container frozen until it is resumed.
        wait_until(lambda: self._has_ended(node), 20, f"{node} to end", period=0.02)

    def _has_ended(self, node: str) -> bool:
        state = self.states().get(node, ("stopped", ""))[0]
        if state == "paused":
            self._unpause(node)
        return state == "stopped"

    def pause(self, node: str) -> None:
        """Freeze a container."""
        with speaking(f"{node} could not be paused."):
            self.client.api.pause(self._name(node))

    def resume(self, node: str) -> None:
        """Let a frozen container go on."""
        with speaking(f"{node} could not be resumed."):
            self.client.api.unpause(self._name(node))

    def _unpause(self, node: str) -> None:
        with contextlib.suppress(NodeFailed):  # it was not paused
            self.resume(node)

    def cut(self, node: str) -> None:
        """Take a container off the network: no node, and no client on this machine, reaches it any more."""
        with speaking(f"{node} could not be cut off from the network."):
            self.client.api.disconnect_container_from_network(self._name(node), self.network)

    def join(self, node: str) -> None:
        """Connect a container again, under its old name; its published port comes back with the connection."""
        with speaking(f"{node} could not be put back on the network."):
            self._connect(node)

    def _connect(self, node: str) -> None:
        self.client.api.connect_container_to_network(self._name(node), self.network, aliases=[node])

    def remove_node(self, node: str) -> None:
        """Remove a node's container and its data."""
        found = self.held()
        mine = Held(
            self.cluster,
            containers=[c for c in found.containers if c["Labels"].get(NODE) == node],
            volumes=[v for v in found.volumes if v["Labels"].get(NODE) == node],
        )
        with speaking(f"The container of {node} could not be removed."):
            remove(self.client, mine, data=True)

    def remove(self, *, data: bool, network: bool = True) -> None:
        """Remove every container, the network unless ``network`` is False, and with ``data`` the volumes."""
        found = self.held()
        if not network:
            found.networks.clear()
        with speaking("The cluster's containers could not be removed."):
            remove(self.client, found, data=data)

    def _name(self, node: str) -> str:
        return options.name(self.cluster, node)
