"""Lab 05's brokers: guest brokers that join and leave, topics on chosen brokers, a listener with a false address."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kafkalab.cluster import probe
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.net import LOOPBACK, PortBook
from kafkalab.course import guests
from kafkalab.course.guests import join as join  # the notebook calls it
from kafkalab.exercises.topics import place as place  # and this
from kafkalab.exercises.topics import tidy
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster

# --- ExtraListener: a second listener on one broker that can advertise any address, even a false one.


#: Name of the extra listener. The brokers still use their own listener to talk to each other.
NAME: Final = "CLIENTS"
_LISTENERS, _ADVERTISED, _PROTOCOLS = "listeners", "advertised.listeners", "listener.security.protocol.map"


class ExtraListener:
    """A second listener for clients on one broker, set up in the broker's settings file.

    On a cluster of local processes it is on the broker with the highest id. The settings of a container cannot be
    changed after it was created, so there it is on the only broker of a small local cluster, started for it.

    ``address``: where it listens. ``wrong``: a reserved address of this machine where no program listens.
    """

    def __init__(self, cluster: Cluster) -> None:
        self.cluster, self._own = cluster, False
        if not cluster.capabilities.settings_files:
            self.cluster, self._own = _small(), True
        self.broker = max(node.id for node in self.cluster.nodes() if node.role == "broker")
        with PortBook() as book:
            self.address = f"{LOOPBACK}:{book.take()}"
        # Bound but not listening: connections are refused, and no other program can take the port meanwhile.
        self._kept = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._kept.bind((LOOPBACK, 0))
        self.wrong = f"{LOOPBACK}:{self._kept.getsockname()[1]}"

    def advertise(self, address: str | None) -> None:
        """Restart the broker with settings that advertise this address for the extra listener.

        :param address: ``host:port``; None: without advertised.listeners, so every listener advertises its own address.
        """
        _write(self.file, opened(closed(read(self.file)), self.address, address))
        self.restart()

    @property
    def file(self) -> Path:
        """The broker's settings file, its server.properties."""
        return _settings_file(self.cluster, self.broker)

    @property
    def settings(self) -> str:
        """The lines about listeners in the broker's settings file."""
        found = read(self.file)
        return "\n".join(f"{key}={found[key]}" for key in (_LISTENERS, _ADVERTISED) if key in found)

    def restart(self) -> None:
        """Stop the broker and start it again with the settings that its file has now; it leads again afterwards."""
        self.cluster.broker(self.broker).stop()
        self.cluster.broker(self.broker).start()
        wait_until(self._leads_again, 30, f"broker {self.broker} to lead what lies on it alone")

    def close(self) -> None:
        """Release the reserved port and stop a small cluster; idempotent. The lab's clean-up removes the listener."""
        self._kept.close()
        if self._own:
            self.cluster.stop()

    def _leads_again(self) -> bool:
        """Return whether the broker itself reports that it leads again the partitions that lie on it alone."""
        own = [(p.topic, p.partition) for p in self.cluster.snapshot().partitions() if p.replicas == (self.broker,)]
        port = self.cluster.broker(self.broker).port or 0
        for topic, partition in own:
            leaders = probe.leaders(LOOPBACK, port, topic)
            if isinstance(leaders, str) or leaders.get(partition) != self.broker:
                return False
        return True


def close_extra_listeners(cluster: Cluster, brokers: Iterable[int]) -> None:
    """Remove the extra listener from the settings of these brokers, and restart those that had it."""
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
    """Read a properties file as kafkalab writes it, with one setting on each line."""
    pairs = (line.partition("=") for line in file.read_text().splitlines() if "=" in line)
    return {key: value for key, _, value in pairs}


def _write(file: Path, settings: Mapping[str, str]) -> None:
    # Values are written as they were read, with their escapes.
    file.write_text("".join(f"{key}={value}\n" for key, value in settings.items()))


def opened(settings: Mapping[str, str], at: str, advertised: str | None) -> dict[str, str]:
    """Return settings with the extra listener; ``at``: its address; ``advertised``: another to advertise, or None."""
    out = dict(settings)
    out[_LISTENERS] += f",{NAME}://{at}"
    out[_PROTOCOLS] += f",{NAME}:PLAINTEXT"
    if advertised is None:
        del out[_ADVERTISED]
    else:
        out[_ADVERTISED] += f",{NAME}://{advertised}"
    return out


def closed(settings: Mapping[str, str]) -> dict[str, str]:
    """Return settings without the extra listener."""
    out = dict(settings)
    # Without advertised.listeners, put back what the broker advertised before: the addresses of its listeners.
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


def as_before(cluster: Cluster) -> None:
    """Restore the brokers that the cluster had before the lab, and their settings; idempotent.

    :raises WaitTimeout: a broker does not come back, or does not leave.
    """
    tidy(cluster, prefix=PREFIX)
    leaving = guests.guests(cluster)
    close_extra_listeners(cluster, [id for id in guests.broker_ids(cluster) if id not in leaving])
    guests.as_before(cluster, PREFIX)


def address(cluster: Cluster, broker: int) -> str:
    """Return the address that a broker advertises to clients: ``host:port``."""
    found = next(b for b in cluster.snapshot().brokers if b.id == broker)
    return f"{found.host}:{found.port}"
