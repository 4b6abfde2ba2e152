"""Writes the nodes' settings into ``compose.yaml`` (`make compose`); everything else in that is written by hand.

The file has three clusters, each from a spec: the default one with ZooKeeper and, in profiles of their own, one with
KRaft and one with an ensemble of three ZooKeepers.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from kafkalab.cluster import properties
from kafkalab.cluster.docker import image
from kafkalab.cluster.docker.backend import DATA
from kafkalab.cluster.net import LOOPBACK, Containers
from kafkalab.cluster.spec import ClusterSpec, NodeSpec, lay_out

#: The spec of each cluster of the file, by the prefix of its services' names.
CLUSTERS = {
    "": ClusterSpec("compose", port=9092, zookeeper_port=2181),
    "kraft-": ClusterSpec("compose-kraft", mode="kraft", zookeepers=0, port=9192),
    "ensemble-": ClusterSpec("compose-ensemble", zookeepers=3, port=9292, zookeeper_port=2281),
}


def settings() -> Iterator[tuple[str, str]]:
    """Yield the name of each service that runs a node, and the node's properties file."""
    for prefix, spec in CLUSTERS.items():

        def service(node: NodeSpec, prefix: str = prefix) -> str:
            return f"{prefix}{node.name}"

        layout = lay_out(spec, lambda wanted: wanted or 0)
        for node in layout:
            make = properties.zookeeper if node.role == "zookeeper" else properties.broker
            made = make(spec, node, layout, f"{DATA}/log", net=Containers(host=service))
            # A client on the published port must be told that port, even when a variable has changed it.
            port = f"${{KAFKALAB_{service(node).upper().replace('-', '_')}_PORT:-{node.port}}}"
            text = properties.render(made).replace("$", "$$")
            yield service(node), text.replace(f"{LOOPBACK}:{node.port}", f"{LOOPBACK}:{port}")


def render(file: str) -> str:
    """Return the text of the file with the settings of every node as they should be."""
    for service, text in settings():
        block = rf"(?ms)(^  {service}:\n.*?^      KAFKALAB_SETTINGS: \|\n)(?:^        .*?\n)*"
        found = re.search(block, file)
        assert found, f"there is no service {service} with KAFKALAB_SETTINGS"
        file = file[: found.end(1)] + textwrap.indent(text, "        ") + file[found.end() :]
    return file


if __name__ == "__main__":
    path = image.folder() / "compose.yaml"
    path.write_text(render(path.read_text(encoding="utf-8")), encoding="utf-8")
