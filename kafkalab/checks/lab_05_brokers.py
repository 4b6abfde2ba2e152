"""What lab 05 does with brokers: some join for a while and leave again, and topics lie where the lab says."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kafkalab.checks.lab_05_door import close_doors
from kafkalab.checks.topics import tidy
from kafkalab.cluster import probe
from kafkalab.cluster.topics import asking
from kafkalab.errors import RefusedByKafka
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from kafkalab.cluster.cluster import Cluster

PREFIX: Final = "lab05-"
#: Brokers in the notes' example of discovery.
FIVE: Final = 5


def join(cluster: Cluster, brokers: int = FIVE) -> list[int]:
    """Add brokers until there are so many; the ids of those that joined, none where there were enough.

    Who joined is written down beside the cluster first, so that :func:`as_before` finds them also after a kernel that
    died.
    """
    joined = []
    while len(ids := _ids(cluster)) < brokers:
        _remember(cluster, [*guests(cluster), max(ids) + 1])
        joined.append(cluster.add_broker().id)
    return joined


def guests(cluster: Cluster) -> list[int]:
    """The brokers that joined for this lab, and have not left."""
    file = _file(cluster)
    noted: Any = []
    if file is not None:
        with contextlib.suppress(OSError, ValueError):
            noted = json.loads(file.read_text())
    return sorted(set(_ids(cluster)).intersection(noted if isinstance(noted, list) else ()))


def as_before(cluster: Cluster) -> None:
    """The cluster with the brokers it had before the lab; a second time does nothing.

    Deletes the lab's topics first: what lies on a broker that leaves would be moved otherwise.

    :raises WaitTimeout: a broker does not come back, or does not leave.
    """
    tidy(cluster, prefix=PREFIX)
    leaving = guests(cluster)
    close_doors(cluster, [id for id in _ids(cluster) if id not in leaving])
    for id in reversed(leaving):
        cluster.remove_broker(id)
        _remember(cluster, [other for other in leaving if other < id])
    if (file := _file(cluster)) is not None:
        file.unlink(missing_ok=True)


def place(cluster: Cluster, topic: str, brokers: Mapping[int, Sequence[int]]) -> None:
    """Create a topic whose partitions lie where it is said, and wait until every broker knows it.

    :param brokers: partition → the brokers that hold it, the preferred leader first.
    :raises RefusedByKafka: there is such a topic, or no such broker.
    """
    from kafka.errors import NoError, for_code

    asked = {topic: {"assignments": {number: list(held) for number, held in brokers.items()}}}
    answer = asking(
        cluster.bootstrap_servers, lambda admin: admin.create_topics(asked, raise_errors=False)["topics"][0]
    )
    if (error := for_code(answer["error_code"])) is not NoError:
        raise RefusedByKafka(f"Kafka did not create {topic!r}.", seen=f"{error.__name__}: {answer['error_message']}")
    wait_until(lambda: _known(cluster, topic, len(brokers)), 30, f"every broker to know {topic}")


def address(cluster: Cluster, broker: int) -> str:
    """Where clients reach a broker: ``host:port`` as it advertises it."""
    found = next(b for b in cluster.snapshot().brokers if b.id == broker)
    return f"{found.host}:{found.port}"


def _known(cluster: Cluster, topic: str, partitions: int) -> bool:
    for broker in cluster.snapshot().brokers:
        if not broker.alive or broker.host is None or broker.port is None:
            continue
        leaders = probe.leaders(broker.host, broker.port, topic)
        if isinstance(leaders, str):
            continue  # a broker that hangs is not waited for
        if len(leaders) != partitions or any(leader < 0 for leader in leaders.values()):
            return False
    return True


def _ids(cluster: Cluster) -> list[int]:
    mine = [node.id for node in cluster.nodes() if node.role == "broker"]
    return mine or [broker.id for broker in cluster.snapshot().brokers]


def _remember(cluster: Cluster, ids: Sequence[int]) -> None:
    if (file := _file(cluster)) is not None:
        file.write_text(json.dumps(sorted(ids)))


def _file(cluster: Cluster) -> Path | None:
    """Beside the cluster's own file, so that it goes when the cluster goes; None where a cluster has no folder."""
    folder = getattr(cluster.backend, "folder", None)
    return None if folder is None else folder.path / "lab05-guests.json"
