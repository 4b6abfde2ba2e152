"""The backend of an external cluster, one that kafkalab did not start: it does everything but change the nodes."""

from __future__ import annotations

import re

from kafkalab.cluster import probe
from kafkalab.cluster.backend import Backend
from kafkalab.errors import BadInput, Unreachable
from kafkalab.progressbar import Report, silent
from kafkalab.state.model import Mode
from kafkalab.state.watch import Capabilities


def parse(bootstrap_servers: str) -> list[tuple[str, int]]:
    """Split ``host:port,host:port`` into pairs; BadInput says which part is wrong."""
    servers = [s.strip() for s in str(bootstrap_servers).split(",") if s.strip()]
    pairs = []
    for server in servers:
        found = re.fullmatch(r"(?:PLAINTEXT://)?(\[[0-9a-fA-F:]+\]|[^:\s/]+):(\d{1,5})", server)
        if found is None or not 0 < int(found.group(2)) < 65536:
            raise BadInput(
                f"{server!r} is not a bootstrap server.", do="Write host:port, several with commas between them."
            )
        pairs.append((found.group(1).strip("[]"), int(found.group(2))))
    if not pairs:
        raise BadInput("No bootstrap server was given.", do='Write "host:port", several with commas between them.')
    return pairs


class ExternalBackend(Backend):
    """Knows the addresses of a cluster and nothing of its processes. See :class:`kafkalab.cluster.backend.Backend`."""

    kind = "external"
    label = "somebody else's"
    capabilities = Capabilities(nodes=False)
    owned = False
    mode: Mode | None = None
    zookeeper_connect = ""
    version = ""

    def __init__(self, bootstrap_servers: str) -> None:
        self.servers = parse(bootstrap_servers)

    @property
    def bootstrap_servers(self) -> str:
        """The addresses that were given, without ``PLAINTEXT://``."""
        return ",".join(f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in self.servers)

    def start(self, progress: Report = silent) -> None:
        """Ask the servers in turn until one answers; raise Unreachable when none does."""
        why = []
        for host, port in self.servers:
            answer = probe.ask(host, port, 5.0)
            if isinstance(answer, probe.Answer):
                self.cluster_id = answer.cluster_id
                return
            why.append(answer)
        raise Unreachable(
            f"No broker answers at {self.bootstrap_servers}.",
            seen="; ".join(why),
            do="Check that it runs, and that the address is right as seen from here. Or start your own: Cluster().",
        )

    def stop(self) -> None:
        """Do nothing: the cluster is not ours to stop."""
