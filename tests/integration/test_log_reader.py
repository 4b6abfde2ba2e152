"""The reader of a topic's logs beside Kafka's own tools: ends, what is not committed, transactions, deleted records."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from kafka import KafkaProducer
from kafka.partitioner.default import murmur2

from kafkalab import Cluster, LogView
from kafkalab.state.log_reader import TAIL, LogReader, shared_reader
from kafkalab.waiting import wait_until
from tests.support.modes import modes
from tests.support.records import produce


@pytest.fixture
def reader(cluster: Cluster, new_topic: Callable[[str], str]) -> Iterator[LogReader]:
    topic = new_topic("log")
    cluster.create_topic(topic, partitions=3, replication=3)
    found = shared_reader(cluster.bootstrap_servers, topic)
    leave = found.subscribe(lambda: None)

    def known() -> bool:
        found.learn(cluster.snapshot())
        return len(found.tails.ends) == 3

    wait_until(known, 30, "the ends of three partitions", period=0.2)
    yield found
    leave()
    wait_until(lambda: not found.running, 10, "the reader to end with its last listener")


def keyed(numbers: range) -> list[dict[str, bytes]]:
    return [{"key": b"k%d" % (i % 7), "value": b"v%d" % i} for i in numbers]


def by_tool(cluster: Cluster, topic: str, time: str) -> dict[int, int]:
    """What kafka-get-offsets prints, partition → offset."""
    printed = cluster.tool("kafka-get-offsets", "--topic", topic, "--time", time)
    lines = (line.split(":") for line in printed.splitlines() if line.startswith(f"{topic}:"))
    return {int(p): int(offset) for _, p, offset in lines}


def ends(reader: LogReader) -> dict[int, int]:
    return {p: end.end for p, end in reader.tails.ends.items()}


@modes(zookeeper="", kraft="deep")
def test_ends_and_records(cluster: Cluster, reader: LogReader) -> None:
    produce(cluster, reader.topic, keyed(range(600)))
    wait_until(lambda: sum(ends(reader).values()) == 600, 15, "600 records", seen=lambda: str(reader.tails.ends))
    assert ends(reader) == by_tool(cluster, reader.topic, "-1")
    assert all(e.high == e.end for e in reader.tails.ends.values())
    for p, window in wait_until(lambda: reader.tails.windows, 5, "tails").items():
        assert (window.end, len(window)) == (ends(reader)[p], min(TAIL, ends(reader)[p]))
        assert [r.offset for r in window.records] == list(range(window.start, window.end))
        # Where Kafka's own partitioner puts a key, there it is.
        assert {((murmur2(r.key_id or b"") & 0x7FFFFFFF) % 3) for r in window.records} <= {p}
    looked = reader.look(dict.fromkeys(range(3), (10, 30)))
    assert {p: [r.offset for r in w.records] for p, w in looked.items()} == {
        p: list(range(10, min(30, ends(reader)[p]))) for p in range(3)
    }
    assert all(r.size == len(r.key or "") + len(r.value or "") for w in looked.values() for r in w.records)


def test_a_view_that_is_asked_for_its_text_at_once_has_read_the_logs(
    one_cluster: Cluster, new_topic: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kafkalab.views.live.FIRST_LOOK", 60)  # for a busy machine
    topic = new_topic("at-once")
    one_cluster.create_topic(topic, partitions=2, replication=3)
    produce(one_cluster, topic, keyed(range(20)))
    view = LogView(one_cluster, topic)
    text = repr(view)
    view.close()
    assert "k3" in text


@modes(zookeeper="")
def test_two_share_a_reader(cluster: Cluster, reader: LogReader) -> None:
    assert shared_reader(cluster.bootstrap_servers, reader.topic) is reader
    heard: list[int] = []
    leave = reader.subscribe(lambda: heard.append(sum(ends(reader).values())))
    produce(cluster, reader.topic, keyed(range(10)))
    wait_until(lambda: heard and heard[-1] == 10, 10, "a second listener to hear of it")
    leave()
    assert reader.running


@modes(zookeeper="", kraft="nightly")
def test_what_is_written_but_not_committed_is_read_too(cluster: Cluster, reader: LogReader) -> None:
    produce(cluster, reader.topic, keyed(range(70)))
    partition = cluster.snapshot().topic(reader.topic).partitions[0]  # type: ignore[union-attr]
    producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks=1)
    producer.send(reader.topic, value=b"committed", partition=0).get(20)
    before = wait_until(
        lambda: (w := reader.tails.windows[0]).records and w.records[-1].value == "committed" and w.end,
        10, "the record to be read",
    )  # fmt: skip
    wait_until(lambda: reader.tails.ends[0].high == before, 10, "all to be committed")
    follower = next(id for id in partition.replicas if id != partition.leader)
    # It does not fetch any more, and is in the ISR until its leader or its session says otherwise.
    cluster.broker(follower).pause()
    try:
        producer.send(reader.topic, value=b"not yet", partition=0).get(20)
        seen = wait_until(
            lambda: (
                reader.tails.ends[0].end == before + 1 and reader.tails.windows[0].end == before + 1 and reader.tails
            ),
            10, "the log's end beyond the high watermark", seen=lambda: str(reader.tails.ends.get(0)),
        )  # fmt: skip
        assert (seen.ends[0].high, seen.windows[0].records[-1].value) == (before, "not yet")
    finally:
        cluster.broker(follower).resume()
        producer.close()
    wait_until(lambda: reader.tails.ends[0].high == before + 1, 20, "the record to be committed")


@modes(zookeeper="", kraft="deep")
def test_transactions_end_in_markers(cluster: Cluster, reader: LogReader) -> None:
    producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, transactional_id=f"tx-{reader.topic}")
    producer.init_transactions()
    for end in (producer.commit_transaction, producer.abort_transaction):
        producer.begin_transaction()
        producer.send(reader.topic, key=b"k", value=b"v", partition=1).get(20)
        end()
    wait_until(lambda: ends(reader).get(1) == 4, 15, "two records and two markers", seen=lambda: str(reader.tails))
    records = reader.tails.windows[1].records
    assert [r.kind for r in records] == ["record", "commit", "record", "abort"]
    assert len({r.producer for r in records}) == 1 and records[0].producer is not None
    producer.begin_transaction()
    producer.send(reader.topic, value=b"open", partition=1).get(20)
    wait_until(lambda: reader.tails.ends[1].end == 5, 10, "a third record")
    wait_until(lambda: reader.tails.ends[1].stable == 4, 10, "the last stable offset before the open transaction")
    producer.abort_transaction()
    producer.close()


@modes(zookeeper="", kraft="nightly")
def test_deleted_records_are_gone_from_the_left(cluster: Cluster, reader: LogReader, tmp_path: Path) -> None:
    produce(cluster, reader.topic, keyed(range(200)))
    wait_until(lambda: sum(ends(reader).values()) == 200, 15, "200 records")
    p = max(ends(reader), key=lambda p: ends(reader)[p])
    plan = {"partitions": [{"topic": reader.topic, "partition": p, "offset": 30}], "version": 1}
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    cluster.tool("kafka-delete-records", "--offset-json-file", str(tmp_path / "plan.json"))
    assert by_tool(cluster, reader.topic, "-2")[p] == 30
    reader.learn(cluster.snapshot())
    wait_until(lambda: reader.tails.windows[p].start >= 30, 10, "the tail to begin at the new log start")
    assert reader.look({p: (0, 40)})[p].start == 30
    # A topic that was deleted is no reason to stop looking.
    cluster.delete_topic(reader.topic)
    reader.learn(cluster.wait_for(lambda s: s.topic(reader.topic) is None, 20, "the topic to be gone"))
    assert reader.running
