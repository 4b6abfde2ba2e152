"""Where keys really lie: a topic read on and on, partitions added, and what a producer does without a key."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from kafkalab import Cluster
from kafkalab.errors import KafkalabError
from kafkalab.state.connections import Connections
from kafkalab.state.log import fetched
from kafkalab.state.log.fetched import KeyReader
from kafkalab.state.log.murmur2 import partition_of
from kafkalab.state.model import Snapshot
from kafkalab.views.partitioner.view import PartitionerView, Sender
from kafkalab.waiting import wait_until
from tests.support.records import produce


def ends(cluster: Cluster, topic: str) -> dict[int, tuple[int, int]]:
    def known(s: Snapshot) -> bool:
        return all(None not in (p.start, p.end) for p in s.topic(topic).partitions)  # type: ignore[union-attr]

    found: Any = cluster.wait_for(known, 20, "its ends").topic(topic)
    return {p.partition: (p.start, p.end) for p in found.partitions}


def test_keys_are_found_where_they_were_put(
    one_cluster: Cluster, new_topic: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    topic = new_topic("keys")
    one_cluster.create_topic(topic, partitions=3, replication=3)
    keys: list[bytes | None] = [b"k%d" % i for i in range(300)]
    records = [{"key": key, "value": b"x" * 100} for key in (*keys, None)]
    produce(one_cluster, topic, records, compression_type="gzip")
    connections = Connections(one_cluster.bootstrap_servers)
    try:
        reader = KeyReader(connections, topic)
        found = reader.read(ends(one_cluster, topic))
        assert sorted(p.key for p in found if p.key) == sorted(k for k in keys if k)
        assert all(p.partition == partition_of(p.key, 3) for p in found if p.key)
        assert sum(p.key is None for p in found) == 1
        assert reader.read(ends(one_cluster, topic)) == []
        produce(one_cluster, topic, [{"key": b"late"}])
        assert [p.key for p in reader.read(ends(one_cluster, topic))] == [b"late"]
        monkeypatch.setattr(fetched, "NEWEST", 10)
        few = KeyReader(connections, topic).read(ends(one_cluster, topic))
        assert len(few) == 30  # the newest ten of each partition
    finally:
        connections.close()


def test_the_view_sends_grows_and_follows(one_cluster: Cluster, new_topic: Callable[[str], str]) -> None:
    topic, key = new_topic("view"), b"T0001"
    one_cluster.create_topic(topic, partitions=2, replication=1)
    with closing(PartitionerView(one_cluster, topic)) as view:
        view.do_send({"key": key.hex(), "times": 2})
        (first, second) = view.state["sent"].values()
        assert first["partition"] == first["calculated"] == partition_of(key, 2)
        assert second["offset"] == first["offset"] + 1
        wait_until(lambda: view.state["records"] == 2, 20, "the records to be seen", seen=lambda: repr(view))
        assert view.state["keys"]["k" + key.hex()]["at"] == {str(first["partition"]): 2}
        view.do_grow({"partitions": 7})
        assert view.state["grown"] == {"from": 2, "to": 7}
        one_cluster.wait_for(lambda s: len(s.topic(topic).partitions) == 7, 20, "seven partitions")
        view.do_send({"key": key.hex()})
        assert list(view.state["sent"].values())[-1]["partition"] == partition_of(key, 7)
        for wrong in ({"key": "zz"}, {"key": None, "times": 1000}, {"key": None, "partitioner": "mine"}):
            with pytest.raises(KafkalabError):
                view.do_send(wrong)
        with pytest.raises(KafkalabError):
            view.do_grow({"partitions": 3})
    sender = Sender(one_cluster.bootstrap_servers, topic)
    try:
        # What is sent at once is one batch, and lies in one partition.
        assert [len({p for p, _ in sender.send(None, 50, "sticky")}) for _ in range(5)] == [1] * 5
        assert len({p for p, _ in sender.send(None, 20, "random")}) > 1
    finally:
        sender.close()
