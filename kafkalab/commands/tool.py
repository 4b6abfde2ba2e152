"""``kafkalab tool``: replace this process by one of Kafka's own tools, aimed at one of your clusters."""

from __future__ import annotations

import os
from collections.abc import Sequence

from kafkalab.cluster import tools
from kafkalab.cluster.external import ExternalBackend
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.errors import BadInput
from kafkalab.handles.cluster import LAB, Cluster

USAGE = "Usage: kafkalab tool [--name CLUSTER | --bootstrap-servers HOST:PORT] TOOL ARGUMENTS…"


def run(arguments: Sequence[str]) -> None:
    """Take our own options before the tool's name, and become the tool, which gets everything after its name."""
    given = list(arguments)
    name, servers = os.environ.get("KAFKALAB_CLUSTER") or LAB, ""
    while given and given[0].startswith("-"):
        option, told, value = given.pop(0).partition("=")
        if option in ("-h", "--help"):
            print(USAGE + "\nTools:\n  " + "\n  ".join(tools.TOOLS))
            return
        if option not in ("-n", "--name", "--bootstrap-servers"):
            raise BadInput(f"kafkalab tool does not know the option {option}.", do=USAGE)
        if not told:
            if not given:
                raise BadInput(f"{option} needs a value.", do=USAGE)
            value = given.pop(0)
        name, servers = (name, value) if option == "--bootstrap-servers" else (value, servers)
    if not given:
        raise BadInput("Name the tool that you want to run.", do=USAGE)
    for word in ("--name", "--bootstrap-servers"):
        if any(a.partition("=")[0] == word for a in given[1:]):
            raise BadInput(f"{word} names the cluster, so write it before the tool's name.", do=USAGE)
    tools.replace_process(given[0], given[1:], _where(name, servers))


def _where(name: str, servers: str) -> tools.Where:
    if servers:
        ExternalBackend(servers).start()  # raises if no broker answers there
        return tools.Where("zookeeper", servers)
    if not ClusterFolder.of(name).path.exists():
        raise BadInput(
            f"There is no cluster named {name!r}, so the tool cannot run.",
            do=f"Start it (kafkalab up --name {name}), or name another one. {USAGE}",
        )
    cluster = Cluster.attach(name)
    return tools.Where(cluster.mode or "zookeeper", cluster.bootstrap_servers, cluster.zookeeper_connect)
