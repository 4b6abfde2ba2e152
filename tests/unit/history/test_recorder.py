"""What is recorded of a cluster: snapshots, nodes, events, groups, and what others add; no part harms another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kafkalab import Cluster, Ledger, Recording
from kafkalab.errors import BadInput, NotSupported
from kafkalab.history import recorder
from kafkalab.waiting import wait_until
from tests.support.threads import Begun


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with Cluster(backend="fake", quiet=True) as cluster:
        cluster.create_topic("t", 3)
        yield cluster


def until(recording: Recording, kind: str) -> None:
    wait_until(lambda: kind in [e.kind for e in recording.events], 20, kind, seen=lambda: str(recording.events))


def test_it_tells_what_the_watcher_tells_and_how_the_nodes_were(cluster: Cluster) -> None:
    with cluster.record() as recording:
        wait_until(lambda: recording.at(recording.seconds).snapshot, 20, "the first snapshot")
        cluster.broker(102).kill()
        until(recording, "broker_down")
        # Of one look's events the first may stand there before the last.
        told = [e for e in cluster.watcher().events if e.at >= recording.header.began]
        wait_until(lambda: list(recording.events) == told, 20, "all that was told", seen=lambda: str(recording.events))
        moment = recording.at(recording.seconds)
        states = {n.name: n.state for n in moment.nodes}
        assert moment.snapshot is not None
        assert moment.snapshot.topic("t") == cluster.snapshot().topic("t")
        assert (states["broker-101"], states["broker-102"]) == ("running", "stopped")
    cluster.broker(102).start()
    seconds = recording.seconds
    cluster.watcher().wait_for(lambda s: s.broker(102).alive, 20, "broker 102 to be seen alive")  # type: ignore[union-attr]
    assert recording.seconds == seconds, "it was stopped"
    with pytest.raises(NotSupported, match="This is a recording"):
        recording.act("broker-102", "kill")


def test_what_was_known_before_it_began_stands_at_its_beginning_and_no_thread_is_left(
    cluster: Cluster, tmp_path: Path
) -> None:
    before = cluster.watcher().wait_for(lambda s: s.topic("t"), 20, "a snapshot")
    threads = Begun("kafkalab")
    recording = cluster.record(tmp_path / "a", groups=["g"])
    found = recording.at(0).snapshot
    assert found is not None
    assert found.at <= recording.header.began
    assert found.topic("t") == before.topic("t")
    assert min(recording.facts.times("snapshot")) == 0.0
    recording.follow(Ledger())
    assert threads.now()
    recording.stop().stop()
    threads.end()


def test_a_part_that_fails_harms_no_other(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Bad:
        def __init__(self, _cluster: Any, recording: Recording) -> None:
            recording.put(0.0, "stream/bad", "add", 1)

        def stop(self) -> None:
            raise RuntimeError("it will not end")

    def worse(*_: Any, **__: Any) -> Any:
        raise RuntimeError("it will not begin")

    monkeypatch.setattr(recorder, "GroupsRecorder", worse)
    monkeypatch.setattr(recorder, "metadata_part", Bad)
    with cluster.record() as recording:
        wait_until(lambda: recording.at(recording.seconds).snapshot, 20, "the first snapshot")
        cluster.broker(103).kill()
        until(recording, "broker_down")
    assert recording.facts.items("stream/bad") == [1]
    assert "it will not begin" in caplog.text and "it will not end" in caplog.text


def test_names_belong_to_the_moment_that_is_shown(cluster: Cluster) -> None:
    with cluster.record() as recording:
        wait_until(lambda: recording.seconds > 0.2, 20, "some time to pass")
        assert recording.name("now").at >= 0.2
        recording.name(" before ", at=0.1)
        recording.playhead.seek(0.15)
        assert recording.name("here").at == 0.15
    assert [m.name for m in recording.named] == ["before", "here", "now"]
    with pytest.raises(BadInput):
        recording.name("  ")
