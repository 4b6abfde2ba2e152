"""The reader of a topic's logs beside Kafka's own tools: ends, what is not committed, transactions, deleted records."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from kafka import KafkaAdminClient, KafkaProducer, TopicPartition
from kafka.partitioner.default import murmur2

from kafkalab import Cluster, LogView
from kafkalab.state.log.reader import TAIL, LogEnd, LogReader, Tails, Window
from kafkalab.state.watch import shared
from kafkalab.waiting import wait_until
from tests.integration.tools_output import offsets
from tests.support.answers import committed
from tests.support.modes import modes
from tests.support.records import produce


@pytest.fixture
def reader(cluster: Cluster, new_topic: Callable[[str], str]) -> Iterator[LogReader]:
    topic = new_topic("log")
    cluster.create_topic(topic, partitions=3, replication=3)
    found = shared(LogReader, cluster.bootstrap_servers, topic)
    leave = found.subscribe(lambda: None)

    def known() -> bool:
        found.learn(cluster.snapshot())
        return len(found.tails.ends) == 3

    wait_until(known, 30, "the ends of three partitions", period=0.2)
    yield found
    leave()
    wait_until(lambda: not found.running, 10, "the reader to end with its last listener")


def ends(reader: LogReader) -> dict[int, int]:
    return {p: end.end for p, end in reader.tails.ends.items()}


def end_of(reader: LogReader, partition: int) -> LogEnd:
    """The end of a partition as the reader knows it; -1 where its leader was late, which passes."""
    return reader.tails.ends.get(partition, LogEnd(-1, -1, None, -1, None))


def whole(reader: LogReader, partition: int, end: int) -> Sequence[Any] | None:
    """The records of a partition's tail, once it reaches to that end."""
    window = reader.tails.windows.get(partition)
    return window.records if window is not None and window.end == end else None


@modes(zookeeper="", kraft="deep")
def test_records_come_and_go(cluster: Cluster, reader: LogReader, monkeypatch: pytest.MonkeyPatch) -> None:
    topic = reader.topic
    assert shared(LogReader, cluster.bootstrap_servers, topic) is reader
    heard: list[int] = []
    leave = reader.subscribe(lambda: heard.append(sum(end.high for end in reader.tails.ends.values())))
    produce(cluster, topic, ({"key": b"k%d" % (i % 7), "value": b"v%d" % i} for i in range(600)))
    wait_until(lambda: heard and heard[-1] == 600, 15, "600 records", seen=lambda: str(reader.tails.ends))
    leave()
    assert reader.running, "the first listener is still there"
    told = offsets(cluster.tool("kafka-get-offsets", "--topic", topic, "--time", "-1"))
    assert {(topic, p): end for p, end in ends(reader).items()} == told
    assert all(e.high == e.end for e in reader.tails.ends.values())

    def every() -> dict[int, Window] | None:
        tails = reader.tails
        return dict(tails.windows) if len(tails.windows) == len(tails.ends) == 3 else None

    for p, window in wait_until(every, 20, "every tail").items():
        assert (window.end, len(window)) == (ends(reader)[p], min(TAIL, ends(reader)[p]))
        assert [r.offset for r in window.records] == list(range(window.start, window.end))
        # Where Kafka's own partitioner puts a key, there it is.
        assert {((murmur2(r.key_id or b"") & 0x7FFFFFFF) % 3) for r in window.records} <= {p}
    wait_until(lambda: len(ends(reader)) == 3, 20, "every end")
    looked = reader.look(dict.fromkeys(range(3), (10, 30)), seconds=20)
    assert {p: [r.offset for r in w.records] for p, w in looked.items()} == {
        p: list(range(10, min(30, ends(reader)[p]))) for p in range(3)
    }
    assert all(r.size == len(r.key or "") + len(r.value or "") for w in looked.values() for r in w.records)
    # A view that is asked for its text at once has read the logs.
    monkeypatch.setattr("kafkalab.views.live.FIRST_LOOK", 60)  # for a busy machine
    view = LogView(cluster, topic)
    assert "k3" in repr(view)
    # A moment has what was committed just before, although the watcher looks only twice a second.
    for offset in (1, 4, 2):
        committed(cluster, f"{topic}-readers", topic, offset)
        heads, row = (re.split(r"  +", line.strip()) for line in repr(view.moment()).splitlines()[1:3])
        assert row[heads.index(f"▲ {topic}-readers committed")].startswith(f"{offset} · lag")
    view.close()
    # Deleted records are gone from the left.
    p = max(ends(reader), key=lambda p: ends(reader)[p])
    with KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers) as admin:
        admin.delete_records({TopicPartition(topic, p): 30})

    def begins_later() -> bool:
        reader.learn(cluster.snapshot())
        return p in reader.tails.windows and reader.tails.windows[p].start >= 30

    wait_until(begins_later, 20, "the tail to begin at the new log start")
    assert wait_until(lambda: reader.look({p: (0, 40)}), 20, "a window")[p].start == 30
    # A topic that was deleted is no reason to stop looking.
    cluster.delete_topic(topic)
    reader.learn(cluster.wait_for(lambda s: s.topic(topic) is None, 20, "the topic to be gone"))
    assert reader.running


@modes(zookeeper="", kraft="deep")
def test_what_is_not_committed(cluster: Cluster, reader: LogReader) -> None:
    with KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, transactional_id=f"tx-{reader.topic}") as producer:
        producer.init_transactions()
        for end in (producer.commit_transaction, producer.abort_transaction):
            producer.begin_transaction()
            producer.send(reader.topic, key=b"k", value=b"v", partition=1).get(20)
            end()
        records = wait_until(lambda: whole(reader, 1, 4), 15, "records and markers", seen=lambda: str(reader.tails))
        assert [r.kind for r in records] == ["record", "commit", "record", "abort"]
        assert len({r.producer for r in records}) == 1 and records[0].producer is not None
        producer.begin_transaction()
        producer.send(reader.topic, value=b"open", partition=1).get(20)
        wait_until(lambda: end_of(reader, 1).end == 5, 20, "a third record")
        wait_until(lambda: end_of(reader, 1).stable == 4, 20, "the last stable offset before the open transaction")
        producer.abort_transaction()
    # A follower that stands still does not fetch any more, and is in the ISR until its leader or its session says
    # otherwise.
    now = cluster.wait_for(lambda s: s.topic(reader.topic).partitions[0].leader, 20, "a leader")  # type: ignore[union-attr]
    found: Any = now.topic(reader.topic)
    follower = next(id for id in found.partitions[0].replicas if id != found.partitions[0].leader)
    # Only this partition is looked at from here on: the follower leads another, and would be waited for.
    reader.learn(replace(now, topics=(replace(found, partitions=found.partitions[:1]),)))
    with KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks=1) as producer:
        producer.send(reader.topic, value=b"committed", partition=0).get(20)
        wait_until(lambda: end_of(reader, 0).high == 1 and whole(reader, 0, 1), 20, "it to be committed")
        cluster.broker(follower).pause()
        producer.send(reader.topic, value=b"not yet", partition=0).get(20)

        def read() -> Tails | None:
            tails = reader.tails
            return tails if 0 in tails.ends and 0 in tails.windows and tails.windows[0].end == 2 else None

        seen = wait_until(read, 10, "the end beyond the high watermark", seen=lambda: str(reader.tails.ends.get(0)))
        assert (seen.ends[0].high, seen.windows[0].records[-1].value) == (1, "not yet")
        cluster.broker(follower).resume()
    wait_until(lambda: end_of(reader, 0).high == 2, 20, "the record to be committed")
