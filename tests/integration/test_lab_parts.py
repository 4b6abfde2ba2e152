"""What labs and their checks stand on, where it needs a cluster and no lab shows it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import pytest
from kafka import KafkaConsumer, TopicPartition
from kafka.structs import OffsetAndMetadata

from kafkalab import Cluster
from kafkalab.course.guests import guests, join
from kafkalab.course.lab_03a.disk import batches_in, bytes_of, found_on_disk
from kafkalab.course.lab_05.brokers import as_before, place
from kafkalab.errors import KafkalabError, NotSupported
from kafkalab.exercises.course import exercises_of
from kafkalab.exercises.topics import passing_topic, publish, tidy

Name = Callable[[str], str]

#: 03a is run whatever else is, and those from 21 on need their Spark. All others are asked in the labs' own runs.
ASKED = ("02b.4", "04.5", "05.2")


@pytest.mark.parametrize("exercise", ASKED)
def test_wrong_answers_are_refused_without_the_notebook(exercise: str, one_cluster: Cluster) -> None:
    lab = exercise.partition(".")[0]
    try:
        (asked,) = [one for one in exercises_of(lab)(one_cluster) if one.id == exercise]
        import_module(f"tests.labs.wrong.lab_{lab}").ON_CLUSTER[exercise](one_cluster).tried_with(asked)
    finally:
        tidy(one_cluster, prefix=f"lab{lab}-")


def test_tidy_heals_and_removes_and_may_be_run_twice(one_cluster: Cluster, new_topic: Name) -> None:
    name, kept = new_topic("untidy"), new_topic("kept")
    one_cluster.create_topic(name, partitions=3, replication=3)
    one_cluster.create_topic(kept, partitions=1)
    # A group with offsets in a topic that stays: with its topic it would go by itself.
    consumer = KafkaConsumer(bootstrap_servers=one_cluster.bootstrap_servers, group_id=f"{name}-readers")
    consumer.commit({TopicPartition(kept, 0): OffsetAndMetadata(0, "", -1)})
    consumer.close()
    one_cluster.wait_for(lambda s: s.group(f"{name}-readers"), 20, "the group")
    one_cluster.broker(103).kill()
    one_cluster.broker(101).pause()
    for _ in range(2):
        tidy(one_cluster, prefix=name)
        snapshot = one_cluster.snapshot()
        assert (snapshot.topic(name), snapshot.topic(kept) is None) == (None, False)
        assert f"{name}-readers" not in [group.group_id for group in snapshot.groups]
        assert {node.state for node in one_cluster.nodes()} == {"running"}
        assert not any(p.under_replicated for p in snapshot.partitions())


def test_the_disk_holds_what_was_sent(one_cluster: Cluster) -> None:
    with passing_topic(one_cluster, "lab03-test", partitions=2) as topic:
        publish(one_cluster.bootstrap_servers, topic, [(b"k", b"a value to be found", 1)])
        there = bytes_of(one_cluster, topic, 1)
        assert b"a value to be found" in there
        assert [batch.header.record_count for batch in batches_in(there)] == [1]
        found = found_on_disk(one_cluster, topic, 1, 0)
        assert (found.batch.data, found.at) == (there, 0)
        with pytest.raises(KafkalabError, match="no record at offset 1"):
            found_on_disk(one_cluster, topic, 1, 1)
        with pytest.raises(NotSupported, match="out of reach"):
            bytes_of(Cluster.connect(one_cluster.bootstrap_servers), topic, 1)


@pytest.mark.deep
def test_brokers_that_joined_are_found_by_another_kernel_and_leave_no_trace(one_cluster: Cluster) -> None:
    """What they do meanwhile, lab 05 shows."""
    before = [node.name for node in one_cluster.nodes()]
    assert join(one_cluster, 4) == [104]
    one_cluster.wait_for(lambda s: 104 in {b.id for b in s.brokers if b.alive}, 20, "104 to be known")
    assert (join(one_cluster, 4), guests(one_cluster)) == ([], [104])
    place(one_cluster, "lab05-notices", {0: [104]})
    assert guests(Cluster.attach(one_cluster.name)) == [104]
    for _ in range(2):
        as_before(one_cluster)
        assert [node.name for node in one_cluster.nodes()] == before
        assert guests(one_cluster) == []
    assert one_cluster.snapshot().topic("lab05-notices") is None
