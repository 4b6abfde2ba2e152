"""Batches in a broker's own segment files, compared with what Kafka's own tool says of the same files."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from kafka import KafkaProducer

from kafkalab import Cluster
from kafkalab.state.connections import Connections
from kafkalab.state.log.batch import Batch
from kafkalab.state.log.fetched import Fetched
from kafkalab.state.log.segments import Found, LocalLogDir, SegmentFiles
from kafkalab.waiting import wait_until
from tests.support.modes import modes
from tests.support.records import produce

CODECS = (None, "gzip", "snappy", "lz4", "zstd")


def send(cluster: Cluster, topic: str, count: int, **settings: object) -> None:
    """So many records in as few batches as may be; keys k0, k1…, a header each."""
    records = ({"key": b"k%d" % i, "value": b"value %d " % i * 9, "headers": [("n", b"%d" % i)]} for i in range(count))
    produce(cluster, topic, records, linger_ms=200, **settings)


def segments(cluster: Cluster, broker: int, topic: str) -> SegmentFiles:
    folder = cluster.log_dir(broker)
    assert folder is not None
    return SegmentFiles(folder, broker, topic, 0)


def dumped(cluster: Cluster, files: list[Path]) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """What kafka-dump-log says of batches, with the segment's name, and of records, each by Kafka's names."""
    named = ",".join(map(str, files))
    printed = cluster.tool("kafka-dump-log", "--files", named, "--print-data-log", "--deep-iteration")
    pair = re.compile(r"(\w+): (.*?)(?= \w+: |$)")
    batches, records, segment = [], [], ""
    for line in printed.splitlines():
        if line.startswith("Dumping "):
            segment = Path(line.removeprefix("Dumping ")).name
        elif line.startswith("baseOffset:"):
            batches.append({**dict(pair.findall(line)), "segment": segment})
        elif line.startswith("|"):
            records.append(dict(pair.findall(line.lstrip("| "))))
    return batches, records


def all_batches(files: SegmentFiles) -> Iterator[Found]:
    found = files.find(0)
    while found is not None:
        yield found
        found = files.find(found.batch.header.last_offset + 1)


def test_batches_and_records_are_as_kafkas_tool_says(one_cluster: Cluster, new_topic: Callable[[str], str]) -> None:
    cluster = one_cluster
    topic = new_topic("segments")
    # So small that a few batches fill a segment: the offset decides in which file to look.
    cluster.create_topic(topic, partitions=1, replication=1, settings={"segment.bytes": "1200"})
    for codec in CODECS:
        send(cluster, topic, 5, compression_type=codec)
    send(cluster, topic, 2, enable_idempotence=False)
    producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, transactional_id=new_topic("tx"))
    producer.init_transactions()
    producer.begin_transaction()
    producer.send(topic, key=None, value=b"\xff\x00")
    producer.commit_transaction()
    producer.close()
    records = 5 * len(CODECS) + 2 + 1
    written = cluster.wait_for(
        lambda s: s.topic(topic).partitions[0].end == records + 1, 20, "the transaction's marker"
    )
    leader = written.topic(topic).partitions[0].leader  # type: ignore[union-attr]
    folder = cluster.log_dir(leader)  # type: ignore[arg-type]
    assert leader is not None and isinstance(folder, LocalLogDir)
    names = [name for name, _ in folder.segments(topic, 0)]
    assert len(names) > 1
    theirs, their_records = dumped(cluster, [folder.path / f"{topic}-0" / name for name in names])
    ours = list(all_batches(segments(cluster, leader, topic)))
    assert len(ours) == len(theirs) > 6
    for found, told in zip(ours, theirs, strict=True):
        h = found.batch.header
        assert (found.segment, str(found.at), str(h.size)) == (told["segment"], told["position"], told["size"])
        numbers = {
            "baseOffset": h.base_offset, "lastOffset": h.last_offset, "count": h.record_count, "crc": h.crc,
            "producerId": h.producer_id, "producerEpoch": h.producer_epoch, "baseSequence": h.base_sequence,
            "partitionLeaderEpoch": h.partition_leader_epoch, "magic": h.magic,
        }  # fmt: skip
        assert numbers == {name: int(told[name]) for name in numbers}
        assert h.codec_name == told["compresscodec"].lower()
        assert found.batch.computed_crc == h.crc and told["isvalid"] == "true"
        assert (str(h.control).lower(), str(bool(h.attributes & 16)).lower()) == (
            told["isControl"], told["isTransactional"],
        )  # fmt: skip
    mine = [(r, f.batch) for f in ours for r in f.batch.records if not f.batch.header.control]
    their_records = [r for r in their_records if "endTxnMarker" not in r]
    assert len(mine) == len(their_records) == 28
    for (r, batch), told in zip(mine, their_records, strict=True):
        key = r.key.of(batch.section)
        assert (str(r.offset), str(r.timestamp)) == (told["offset"], told["CreateTime"])
        assert int(told["keySize"]) == (-1 if key is None else len(key))
        assert int(told["valueSize"]) == r.value.size
        if key is not None:
            assert told["key"] == key.decode()
            assert told["payload"].split() == (r.value.of(batch.section) or b"").decode().split()
    assert {f.batch.header.codec_name for f in ours} == {"none", "gzip", "snappy", "lz4", "zstd"}
    assert any(f.batch.header.control for f in ours)
    # Each batch knows the ones beside it, and a fetch gives the very same bytes.
    for before, after in itertools.pairwise(ours):
        assert before.next is not None and before.next.base == after.batch.header.base_offset
        assert after.previous is not None and after.previous.last == before.batch.header.last_offset
    connections = Connections(cluster.bootstrap_servers)
    try:
        for found in ours:
            fetched = Fetched(connections, topic, 0).find(found.batch.header.last_offset)
            assert fetched is not None and fetched.batch.data == found.batch.data and fetched.broker == leader
        assert Fetched(connections, topic, 0).find(ours[-1].batch.header.last_offset + 1) is None
    finally:
        connections.close()


@modes(kraft="")
def test_copies_are_alike_even_of_a_broker_that_is_down(cluster: Cluster, new_topic: Callable[[str], str]) -> None:
    topic = new_topic("copies")
    cluster.create_topic(topic, partitions=1, replication=3)
    for _ in range(4):
        send(cluster, topic, 3)

    def copy(broker: int) -> list[bytes]:
        return [f.batch.data for f in all_batches(segments(cluster, broker, topic))]

    wait_until(lambda: len({tuple(copy(b)) for b in (101, 102, 103)}) == 1, 30, "all copies to be alike")
    whole = copy(101)
    assert sum(Batch.read(data).header.record_count for data in whole) == 12
    cluster.broker(102).kill()
    assert copy(102) == whole
    assert segments(cluster, 102, topic).find(12) is None
