"""How a cluster is looked at: snapshots, the watcher that all views share, waiting for what is meant, the live picture.

What is handed out here stands above this part of the package, and is loaded when asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from kafkalab.cluster.backend import Backend
from kafkalab.cluster.ports import LOOPBACK
from kafkalab.errors import Unreachable
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from kafkalab.cluster.cluster import Cluster
    from kafkalab.cluster.log_dirs import LogDir
    from kafkalab.state.model import Snapshot
    from kafkalab.state.recording import Recording
    from kafkalab.state.watch import Watcher
    from kafkalab.views.cluster_view import ClusterView


class Looking:
    """The half of Cluster that changes nothing."""

    backend: Backend
    _watcher: Watcher | None = None
    _captures: dict[str, Any]
    _recordings: tuple[Recording, ...] = ()

    def snapshot(self) -> Snapshot:
        """The cluster as it is now; raises Unreachable when no broker answers."""
        capture = self._capture("own")

        def believed() -> Snapshot | None:
            try:
                return cast("Snapshot", capture())
            except Unreachable:
                # The model in memory never doubts.
                if not getattr(capture, "doubting", False):
                    raise
                return None

        return cast("Snapshot", wait_until(believed, 60, "the brokers to know of their topics again", period=0.2))

    def watcher(self) -> Watcher:
        """The one watcher all views of this cluster share."""
        from kafkalab.state.watch import Watcher

        if self._watcher is None:
            self._watcher = Watcher(self._capture("watcher"))
        return self._watcher

    def wait_for(
        self, predicate: Callable[[Snapshot], Any], deadline: float = 30.0, what: str = "the cluster to get there"
    ) -> Snapshot:
        """Wait until a snapshot satisfies the predicate, and return it; WaitTimeout after ``deadline`` seconds."""

        last: list[Snapshot] = []

        def found() -> Snapshot | None:
            last[:] = [self.snapshot()]
            return last[0] if predicate(last[0]) else None

        return cast("Snapshot", wait_until(found, deadline, what, period=0.1, seen=lambda: _in_short(last[0])))

    def log_dir(self, broker: int) -> LogDir | None:
        """The files of a broker's logs; None where they are out of reach, on somebody else's disks.

        :raises NotSupported: the model in memory, which has no bytes.
        """
        return self.backend.log_dir(broker)

    def view(self, topic: str | None = None, *, presenter: bool = False) -> ClusterView:
        """The live picture of the cluster, with a button for every fault.

        :param topic: the one topic to show at first.
        :param presenter: everything larger, for a projector.
        """
        from kafkalab.views.cluster_view import ClusterView

        return ClusterView(cast("Cluster", self), topic=topic, presenter=presenter)

    def record(
        self,
        path: str | Path | None = None,
        *,
        topics: Sequence[str] | None = None,
        groups: Sequence[str] | None = None,
    ) -> Recording:
        """Begin to record what happens to it; ``recording.stop()`` ends that, and so does :meth:`Cluster.stop`.

        :param path: of the file, ``election.kafkalab``; None: one in the folder ``recordings`` of KAFKALAB_HOME, named
            after the cluster and the time. No file is ever overwritten.
        :param topics: whose record batches are recorded; None: all but Kafka's own.
        :param groups: the consumer groups that are followed closely; None: those with the most members.
        :raises BadInput: the file exists, or cannot be made.
        """
        from kafkalab.state.recorder import record_to

        recording = record_to(cast("Cluster", self), path, topics=topics, groups=groups)
        self._recordings = (*(r for r in self._recordings if r.going), recording)
        return recording

    def _capture(self, user: str) -> Any:
        """What takes the snapshots: one for this object, one for the watcher's thread."""
        if user not in self._captures:
            self._captures[user] = self._new_capture()
        return self._captures[user]

    def _new_capture(self) -> Any:
        stand_in = self.backend.stand_in
        if stand_in is not None:
            return stand_in.snapshot
        from kafkalab.state.capture import Capture
        from kafkalab.state.quorum import ZookeeperQuorum

        servers = [(n.id, LOOPBACK, n.port) for n in self.backend.layout if n.role == "zookeeper"]
        return Capture(
            self.backend.bootstrap_servers,
            expected_brokers=self._expected(),
            mode=self.backend.mode,
            quorum=ZookeeperQuorum(servers).ask if servers else None,
        )

    def _expected(self) -> tuple[Any, ...]:
        from kafkalab.state.model import Broker

        brokers = (n for n in self.backend.layout if n.role == "broker")
        return tuple(Broker(n.id, LOOPBACK, n.port, False, n.rack) for n in brokers)

    def _expect_anew(self) -> None:
        """A broker was added or has left: what is missing is missed, and what left is not."""
        for capture in self._captures.values():
            if hasattr(capture, "expected_brokers"):
                capture.expected_brokers = self._expected()

    def _end_recordings(self) -> None:
        """They end while the cluster is whole: what becomes of it after that, somebody wanted."""
        recordings, self._recordings = self._recordings, ()
        if self._watcher is not None and any(recording.going for recording in recordings):
            self._watcher.note("you stopped the cluster")
        for recording in recordings:
            recording.stop()

    def _forget(self, user: str) -> None:
        """Let go of a capture with what it has seen; the next one asks the ports that are then."""
        capture = self._captures.pop(user, None)
        if hasattr(capture, "close"):
            capture.close()

    def _look_away(self, last_word: str) -> None:
        """End the watcher, and let go of every connection."""
        watcher, self._watcher = self._watcher, None
        if watcher is not None:
            watcher.close(last_word=last_word)
        for user in list(self._captures):
            self._forget(user)


def _in_short(snapshot: Snapshot) -> str:
    """How a cluster stands, in a line."""
    up = [str(b.id) for b in snapshot.brokers if b.alive]
    down = [str(b.id) for b in snapshot.brokers if not b.alive]
    said = [f"brokers up: {', '.join(up)}", *([f"down: {', '.join(down)}"] if down else [])]
    said.append(f"controller: {snapshot.controller or 'none'}")
    partitions = list(snapshot.partitions())
    without, behind = sum(p.leader is None for p in partitions), sum(p.under_replicated for p in partitions)
    said += [f"partitions: {len(partitions)}, {without} without a leader, {behind} with replicas out of sync"]
    return "; ".join([*said, *snapshot.problems[:3]])
