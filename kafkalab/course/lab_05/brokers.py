"""Lab 05's brokers: guests that join and leave again, topics on chosen brokers, and a listener that lies."""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kafkalab.cluster import probe
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.net import LOOPBACK, PortBook
from kafkalab.cluster.topics import asking
from kafkalab.errors import RefusedByKafka
from kafkalab.exercises.topics import tidy
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster

# --- ExtraListener: a second listener on one broker, which advertises any address; for the listener that lies.


#: The listener's name. The brokers go on talking to each other by the one they have.
NAME: Final = "CLIENTS"
_LISTENERS, _ADVERTISED, _PROTOCOLS = "listeners", "advertised.listeners", "listener.security.protocol.map"


class ExtraListener:
    """A listener for clients on one broker, in the broker's own settings file.

    On a cluster of local processes it is the broker with the highest id. Of a container the settings are made with the
    container: there it is the one broker of a small cluster of its own.

    ``address`` is where it listens. ``nobody`` is an address of this machine that is kept so that nobody listens there.
    """

    def __init__(self, cluster: Cluster) -> None:
        self.cluster, self._own = cluster, False
        if not cluster.capabilities.settings_files:
            self.cluster, self._own = _small(), True
        self.broker = max(node.id for node in self.cluster.nodes() if node.role == "broker")
        with PortBook() as book:
            self.address = f"{LOOPBACK}:{book.take()}"
        # Bound and not listening: who connects is refused, and no other program can take the port meanwhile.
        self._kept = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._kept.bind((LOOPBACK, 0))
        self.nobody = f"{LOOPBACK}:{self._kept.getsockname()[1]}"

    def advertise(self, address: str | None) -> None:
        """Restart the broker with settings that advertise this address for the extra listener.

        :param address: ``host:port``; None: no advertised.listeners at all, so it advertises where it listens.
        """
        file = _settings_file(self.cluster, self.broker)
        _write(file, opened(closed(read(file)), self.address, address))
        self._restart()

    @property
    def settings(self) -> str:
        """The lines on listeners in the broker's settings file."""
        found = read(_settings_file(self.cluster, self.broker))
        return "\n".join(f"{key}={found[key]}" for key in (_LISTENERS, _ADVERTISED) if key in found)

    def close(self) -> None:
        """Let go of what is kept for it; idempotent. The lab's clean-up takes the listener away, or its broker."""
        self._kept.close()
        if self._own:
            self.cluster.stop()

    def _restart(self) -> None:
        self.cluster.broker(self.broker).stop()
        self.cluster.broker(self.broker).start()
        wait_until(self._leads_again, 30, f"broker {self.broker} to lead what lies on it alone")

    def _leads_again(self) -> bool:
        """Whether the broker itself says so: clients of the extra listener hear of no other."""
        own = [(p.topic, p.partition) for p in self.cluster.snapshot().partitions() if p.replicas == (self.broker,)]
        port = self.cluster.broker(self.broker).port or 0
        for topic, partition in own:
            leaders = probe.leaders(LOOPBACK, port, topic)
            if isinstance(leaders, str) or leaders.get(partition) != self.broker:
                return False
        return True


def close_extra_listeners(cluster: Cluster, brokers: Iterable[int]) -> None:
    """Take the extra listener out of the settings of those of these brokers that have it, and restart them."""
    if not cluster.capabilities.settings_files:
        return
    for id in brokers:
        file = _settings_file(cluster, id)
        settings = read(file)
        if f"{NAME}://" in settings[_LISTENERS]:
            _write(file, closed(settings))
            cluster.broker(id).stop()
            cluster.broker(id).start()


def read(file: Path) -> dict[str, str]:
    """A properties file as kafkalab writes it: a line a setting."""
    pairs = (line.partition("=") for line in file.read_text().splitlines() if "=" in line)
    return {key: value for key, _, value in pairs}


def _write(file: Path, settings: Mapping[str, str]) -> None:
    # Values as they were read, escapes and all.
    file.write_text("".join(f"{key}={value}\n" for key, value in settings.items()))


def opened(settings: Mapping[str, str], at: str, advertised: str | None) -> dict[str, str]:
    """Settings with the extra listener: where it listens, and what it advertises (None: where it listens)."""
    out = dict(settings)
    out[_LISTENERS] += f",{NAME}://{at}"
    out[_PROTOCOLS] += f",{NAME}:PLAINTEXT"
    if advertised is None:
        del out[_ADVERTISED]
    else:
        out[_ADVERTISED] += f",{NAME}://{advertised}"
    return out


def closed(settings: Mapping[str, str]) -> dict[str, str]:
    """Settings without the extra listener."""
    out = dict(settings)
    # Where the extra listener made the broker advertise its listeners, these are what it advertised before.
    out.setdefault(_ADVERTISED, ",".join(one for one in _split(out[_LISTENERS]) if not one.startswith("CONTROLLER:")))
    for key in (_LISTENERS, _ADVERTISED, _PROTOCOLS):
        out[key] = ",".join(one for one in _split(out[key]) if not one.startswith(f"{NAME}:"))
    return out


def _split(listeners: str) -> list[str]:
    return [one for one in listeners.split(",") if one]


def _small() -> Cluster:
    from kafkalab.handles.cluster import Cluster

    return Cluster(brokers=1, backend="local", quiet=True)


def _settings_file(cluster: Cluster, broker: int) -> Path:
    folder = getattr(cluster.backend, "folder", None)
    assert isinstance(folder, ClusterFolder), "a cluster of local processes has a folder"
    node = next(n for n in cluster.backend.layout if n.role == "broker" and n.id == broker)
    return folder.settings(node)


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
    close_extra_listeners(cluster, [id for id in _ids(cluster) if id not in leaving])
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
