"""Door: a further listener of a broker, which may advertise whatever it is told to; for the listener that lies."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kafkalab.cluster import probe
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.ports import LOOPBACK, PortBook
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from kafkalab.cluster.cluster import Cluster

#: The listener's name. The brokers go on talking to each other by the one they have.
NAME: Final = "CLIENTS"
_LISTENERS, _ADVERTISED, _PROTOCOLS = "listeners", "advertised.listeners", "listener.security.protocol.map"


class Door:
    """A listener for clients on one broker, in the broker's own settings file.

    On a cluster of local processes it is the broker with the highest id. Of a container the settings are made with the
    container: there it is the one broker of a small cluster of its own.

    ``address`` is where it listens. ``nobody`` is an address of this machine that is kept so that nobody listens there.
    """

    def __init__(self, cluster: Cluster) -> None:
        self.cluster, self._own = cluster, False
        if cluster.backend.kind != "local":
            self.cluster, self._own = _small(), True
        self.broker = max(node.id for node in self.cluster.nodes() if node.role == "broker")
        with PortBook() as book:
            self.address = f"{LOOPBACK}:{book.take()}"
        # Bound and not listening: who connects is refused, and no other program can take the port meanwhile.
        self._kept = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._kept.bind((LOOPBACK, 0))
        self.nobody = f"{LOOPBACK}:{self._kept.getsockname()[1]}"

    def advertise(self, address: str | None) -> None:
        """Restart the broker with settings that advertise this address on the door.

        :param address: ``host:port``; None: no advertised.listeners at all, so it advertises where it listens.
        """
        file = _file(self.cluster, self.broker)
        _write(file, opened(closed(read(file)), self.address, address))
        self._restart()

    @property
    def settings(self) -> str:
        """The lines on listeners in the broker's settings file."""
        found = read(_file(self.cluster, self.broker))
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
        """Whether the broker itself says so: clients that come by the door hear of no other."""
        own = [(p.topic, p.partition) for p in self.cluster.snapshot().partitions() if p.replicas == (self.broker,)]
        port = self.cluster.broker(self.broker).port or 0
        for topic, partition in own:
            leaders = probe.leaders(LOOPBACK, port, topic)
            if isinstance(leaders, str) or leaders.get(partition) != self.broker:
                return False
        return True


def close_doors(cluster: Cluster, brokers: Iterable[int]) -> None:
    """Take the door out of the settings of those of these brokers that have it, and restart them."""
    if cluster.backend.kind != "local":
        return
    for id in brokers:
        file = _file(cluster, id)
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
    """Settings with the door: where it listens, and what it advertises (None: the broker advertises its listeners)."""
    out = dict(settings)
    out[_LISTENERS] += f",{NAME}://{at}"
    out[_PROTOCOLS] += f",{NAME}:PLAINTEXT"
    if advertised is None:
        del out[_ADVERTISED]
    else:
        out[_ADVERTISED] += f",{NAME}://{advertised}"
    return out


def closed(settings: Mapping[str, str]) -> dict[str, str]:
    """Settings without the door."""
    out = dict(settings)
    # Where the door made the broker advertise its listeners, these are what it advertised before.
    out.setdefault(_ADVERTISED, ",".join(one for one in _split(out[_LISTENERS]) if not one.startswith("CONTROLLER:")))
    for key in (_LISTENERS, _ADVERTISED, _PROTOCOLS):
        out[key] = ",".join(one for one in _split(out[key]) if not one.startswith(f"{NAME}:"))
    return out


def _split(listeners: str) -> list[str]:
    return [one for one in listeners.split(",") if one]


def _small() -> Cluster:
    from kafkalab.cluster.cluster import Cluster

    return Cluster(brokers=1, backend="local", quiet=True)


def _file(cluster: Cluster, broker: int) -> Path:
    folder = getattr(cluster.backend, "folder", None)
    assert isinstance(folder, ClusterFolder), "a cluster of local processes has a folder"
    node = next(n for n in cluster.backend.layout if n.role == "broker" and n.id == broker)
    return folder.settings(node)
