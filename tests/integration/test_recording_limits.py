"""What a recording leaves out when more comes than it takes, and the groups it follows: on real brokers."""

from __future__ import annotations

import time
from base64 import b64decode
from collections.abc import Callable

import pytest
from kafka import KafkaConsumer, KafkaProducer

from kafkalab import Cluster
from kafkalab.state import recorder_log
from kafkalab.state.recording import Recording
from kafkalab.waiting import wait_until

pytestmark = [pytest.mark.deep, pytest.mark.timeout(120)]


def stretches(recording: Recording, topic: str) -> list[tuple[int, int, int]]:
    """(first offset, the one after the last, bytes) of all that was told of partition 0."""
    told = recording.facts.items(f"batches/{topic}/0")
    return [(base, after, len(b64decode(data or ""))) for _, _, base, after, data in told]


def end(recording: Recording, topic: str) -> int:
    found = recording.facts.value("snapshot")
    return next((t["partitions"][0]["end"] or 0 for t in (found or {"topics": []})["topics"] if t["name"] == topic), 0)


def test_of_more_than_is_taken_the_newest_is_there_and_the_rest_is_marked(
    one_cluster: Cluster, new_topic: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder_log, "RATE", 4_000)
    monkeypatch.setattr(recorder_log, "BURST", 20_000)
    monkeypatch.setattr(recorder_log, "MOST", 250_000)
    monkeypatch.setattr(recorder_log, "_SKIPPED_EVERY", 0.5)
    topic = new_topic("flood")
    one_cluster.create_topic(topic)
    begun = time.monotonic()
    with (
        KafkaProducer(bootstrap_servers=one_cluster.bootstrap_servers, acks="all", batch_size=2_000) as producer,
        one_cluster.record(topics=[topic]) as recording,
    ):
        for _ in range(300):
            producer.send(topic, value=bytes(1_000))
        producer.flush(60)
        wait_until(lambda: end(recording, topic) == 300, 30, "all to be there")
        # The newest record is reached, however slowly.
        wait_until(
            lambda: max(after for _, after, size in stretches(recording, topic) if size) == 300, 60, "the last record",
            seen=lambda: str(stretches(recording, topic)[-5:]),
        )  # fmt: skip
        took = sum(size for *_, size in stretches(recording, topic))
        assert took < 20_000 + 4_000 * (time.monotonic() - begun) + 3 * 4_096, "more than it takes"
        # One batch that is larger than all that is taken is kept whole, and is the last that is.
        producer.send(topic, value=bytes(300_000)).get(60)
        wait_until(lambda: stretches(recording, topic)[-1][2] > 300_000, 60, "the large one")
        producer.send(topic, value=b"small").get(60)
        wait_until(lambda: stretches(recording, topic)[-1] == (301, 302, 0), 30, "what is left out to be told")
    told = stretches(recording, topic)
    assert any(size == 0 for *_, size in told[:-1])
    reached = 0
    for first, after, _ in told:
        assert first <= reached < after, "each offset is told of, in order"
        reached = after
    assert reached == 302


def test_a_groups_history_is_recorded_and_other_groups_are_not_where_one_is_asked_for(
    one_cluster: Cluster, new_topic: Callable[[str], str]
) -> None:
    topic, wanted, other = new_topic("groups"), new_topic("wanted"), new_topic("other")
    one_cluster.create_topic(topic, partitions=2)
    consumers = [
        KafkaConsumer(topic, bootstrap_servers=one_cluster.bootstrap_servers, group_id=group)
        for group in (wanted, other)
    ]
    try:
        with one_cluster.record(groups=[wanted]) as recording:

            def held() -> list[list[list[object]]]:
                for consumer in consumers:
                    consumer.poll(2000)
                steps = (recording.facts.value(f"group/{wanted}") or {"steps": []})["steps"]
                return list(steps[-1]["held"].values()) if steps else []

            wait_until(
                lambda: held() == [[[topic, 0], [topic, 1]]],
                60,
                "the member with both partitions",
                seen=lambda: str(held()),
            )
            group = one_cluster.snapshot().group(wanted)
            assert group is not None
            history = recording.facts.value(f"group/{wanted}")
            assert list(history["steps"][-1]["held"]) == [m.member_id for m in group.members]
            assert history["steps"][-1]["state"] == "Stable"
    finally:
        for consumer in consumers:
            consumer.close()
    assert recording.facts.tracks("group/") == (f"group/{wanted}",)
