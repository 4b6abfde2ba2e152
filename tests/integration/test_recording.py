"""A real leader election is recorded, closed and opened again: the same as Kafka's own tools say, and as was seen."""

from __future__ import annotations

import base64
import json
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from kafka import KafkaProducer

from kafkalab import Cluster
from kafkalab.errors import BadInput
from kafkalab.handles.recording import Recording
from kafkalab.history import recorder
from kafkalab.state.log.batch import whole_batches
from kafkalab.state.model import Snapshot
from kafkalab.state.watch import Update
from kafkalab.waiting import wait_until
from tests.support.records import read
from tests.support.traces import in_sync, write


def records(recording: Recording, topic: str) -> dict[tuple[int, int], tuple[bytes | None, bytes | None]]:
    """(partition, offset) → key and value, of everything that was recorded; what was recorded last counts."""
    found = {}
    for track in recording.facts.tracks(f"batches/{topic}/"):
        for _leader, _epoch, base, after, data in recording.facts.items(track):
            assert data is not None, "nothing was to be left out"
            (batch,) = whole_batches(base64.b64decode(data))
            assert (batch.header.base_offset, batch.header.last_offset + 1) == (base, after)
            for r in batch.records:
                found[int(track.rpartition("/")[2]), r.offset] = (r.key.of(batch.section), r.value.of(batch.section))
    return found


@pytest.mark.timeout(180)
def test_an_election_opened_again(one_cluster: Cluster, new_topic: Callable[[str], str], tmp_path: Path) -> None:
    cluster, topic = one_cluster, new_topic("recorded")
    cluster.create_topic(topic, partitions=3)
    in_sync(cluster)
    write(cluster, topic, range(20))
    seen: list[Update] = []
    leave = cluster.watcher().subscribe(seen.append)
    wait_until(lambda: seen, 10, "the first snapshot")
    recording = cluster.record(tmp_path / "election")
    wait_until(lambda: len(records(recording, topic)) == 20, 20, "what was there before to be recorded")
    victim = cluster.snapshot().topic(topic).partitions[0].leader  # type: ignore[union-attr]
    assert victim is not None
    with KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all") as producer:
        cluster.broker(victim).kill()
        sent = [producer.send(topic, key=b"%d" % key, value=b"y" * 100) for key in range(20, 60)]
        for one in sent:
            one.get(60)
    cluster.broker(victim).start()
    in_sync(cluster)
    wait_until(lambda: len(records(recording, topic)) == 60, 20, "every record to be recorded")
    described = cluster.tool("kafka-topics", "--describe", "--topic", topic)
    ends = cluster.tool("kafka-get-offsets", "--topic", topic)

    def known(s: Snapshot) -> bool:
        return all(p.end is not None for p in s.topic(topic).partitions)  # type: ignore[union-attr]

    latest = cluster.watcher().wait_for(known, 20, "a snapshot after the tools'")
    leave()
    wait_until(lambda: recording.at(recording.seconds).unix >= latest.at - 0.001, 10, "that to be recorded")
    recording.stop()
    found = Recording.open(tmp_path / "election")

    assert found.problem == recording.problem == ""
    assert found.header == recording.header
    assert found.header.cluster_id == latest.cluster_id
    began = found.header.began
    for update in seen:
        if update.snapshot is not None and began < update.snapshot.at <= latest.at:
            assert found.at(update.snapshot.at - began).snapshot == update.snapshot
    told = [e for u in seen for e in u.events if not e.chatty and began < e.at <= latest.at]
    assert [e for e in found.events if e.at <= latest.at] == sorted(told, key=lambda e: e.at)
    kinds = [e.kind for e in told]
    assert kinds.index("you") < kinds.index("broker_down") < kinds.index("broker_up")
    died = next(e for e in told if e.kind == "broker_down")
    before, after = found.at(died.at - began - 0.2).snapshot, found.at(died.at - began).snapshot
    assert before is not None and after is not None
    assert before.broker(victim) == replace(after.broker(victim), alive=True)  # type: ignore[type-var]
    states = [{n.name: n.state for n in found.at(at).nodes}[f"broker-{victim}"] for at in found.facts.times("nodes")]
    assert "stopped" in states
    assert states[0] == states[-1] == "running"
    # What Kafka's own tools say of the end.
    last = found.at(latest.at - began).snapshot
    assert last is not None
    for p in last.topic(topic).partitions:  # type: ignore[union-attr]
        assert f"Partition: {p.partition}\tLeader: {p.leader}\t" in described
        assert f"{topic}:{p.partition}:{p.end}" in ends.splitlines()
    assert records(found, topic) == {(r.partition, r.offset): (r.key, r.value) for r in read(cluster, topic)}


@pytest.mark.timeout(120)
@pytest.mark.deep
def test_one_that_is_killed_and_one_that_is_interrupted(
    one_cluster: Cluster, new_topic: Callable[[str], str], tmp_path: Path
) -> None:
    files = killed, interrupted = tmp_path / "killed.kafkalab", tmp_path / "interrupted.kafkalab"

    def kafkalab(*words: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "kafkalab", *words]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def hold(*kinds: str) -> bool:
        """Whether a snapshot, and such events, are in both files already."""
        try:
            found = [Recording.open(path) for path in files]
        except (BadInput, FileNotFoundError):  # a file is there a moment before its first line
            return False
        return all(f.facts.value("snapshot") and {*kinds} <= {e.kind for e in f.events} for f in found)

    record = ("record", "--name", one_cluster.name)
    with kafkalab(*record, str(killed)) as one, kafkalab(*record, str(interrupted)) as other:
        try:
            wait_until(hold, 30, "the first snapshot")
            one_cluster.create_topic(new_topic("noted"))
            wait_until(lambda: hold("topic_created"), 30, "the topic to be in the files")
            one.kill()
            other.send_signal(signal.SIGINT)
            out, said = other.communicate(timeout=30)
        finally:
            one.kill()
            other.kill()
    cut, whole = Recording.open(killed), Recording.open(interrupted)
    assert "never ended" in cut.problem
    assert (other.returncode, out.strip(), whole.problem) == (0, str(interrupted), ""), said
    with kafkalab("replay", str(killed), "--json") as replay:
        out, said = replay.communicate(timeout=60)
    assert replay.returncode == 0 and "never ended" in said, said
    told = json.loads(out)
    assert (told["cluster"], told["problem"]) == (one_cluster.name, cut.problem)
    assert "topic_created" in [event["kind"] for event in told["events"]]


@pytest.mark.deep
def test_of_more_than_is_taken_the_newest_is_there(
    one_cluster: Cluster, new_topic: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit, most in {"RATE": 4_000, "BURST": 20_000, "MOST": 250_000, "_SKIPPED_EVERY": 0.5}.items():
        monkeypatch.setattr(recorder, limit, most)
    topic = new_topic("flood")
    one_cluster.create_topic(topic)

    def told() -> list[tuple[int, int, int]]:
        """(first offset, the one after the last, bytes) of all that was told of the partition."""
        items = recording.facts.items(f"batches/{topic}/0")
        return [(base, after, len(base64.b64decode(data or ""))) for _, _, base, after, data in items]

    with (
        KafkaProducer(bootstrap_servers=one_cluster.bootstrap_servers, acks="all", batch_size=2_000) as producer,
        one_cluster.record(topics=[topic]) as recording,
    ):
        for _ in range(300):
            producer.send(topic, value=bytes(1_000))
        producer.flush(60)
        # The newest record is reached, however slowly.
        wait_until(lambda: any(size and after == 300 for _, after, size in told()), 60, "the last record")
        # One batch that is larger than all that is taken is kept whole, and is the last that is.
        producer.send(topic, value=bytes(300_000)).get(60)
        wait_until(lambda: told()[-1][2] > 300_000, 60, "the large one")
        producer.send(topic, value=b"small").get(60)
        wait_until(lambda: told()[-1] == (301, 302, 0), 30, "what is left out to be told")
    assert any(size == 0 for *_, size in told()[:-1])
    reached = 0
    for first, after, _ in told():
        assert first <= reached < after, "each offset is told of, in order"
        reached = after
    assert reached == 302
