"""What the snapshot tests look at: topics of three replication factors, and groups in several states."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from kafka import KafkaAdminClient, KafkaConsumer
from kafka.structs import OffsetAndMetadata, TopicPartition

from kafkalab import Cluster
from tests.support.records import fill


@dataclass(frozen=True)
class Scene:
    """Topic and group names. ``single`` has one replica a partition, two of them on each broker."""

    shared: str
    wide: str
    single: str
    live: str
    past: str
    newer: str | None


@contextmanager
def scene(cluster: Cluster, new_topic: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    """Sets it up on a cluster, with members that really poll, and takes the members away at the end."""
    names = Scene(
        *(new_topic(stem) for stem in ("shared", "wide", "single", "live", "past")),
        newer=new_topic("newer") if cluster.mode == "kraft" else None,
    )
    cluster.create_topic(names.shared, partitions=2, replication=3)
    cluster.create_topic(names.wide, partitions=4, replication=2)
    cluster.create_topic(names.single, partitions=6, replication=1)
    for name, partitions in ((names.shared, 2), (names.wide, 4), (names.single, 6)):
        fill(cluster, name, 7 * partitions)
    with KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers) as kafka:
        kafka.delete_records({TopicPartition(names.wide, 0): 2})
        # Groups other tests left may have commits in topics that lose their leader here, and the tools wait for those.
        forgotten = [g.group_id for g in cluster.snapshot().groups if g.state == "Empty"]
        if forgotten:
            kafka.delete_groups(forgotten)
    past = KafkaConsumer(bootstrap_servers=cluster.bootstrap_servers, group_id=names.past, enable_auto_commit=False)
    commits = {TopicPartition(names.shared, 0): 7, TopicPartition(names.wide, 3): 1}
    past.assign(list(commits))
    past.commit({tp: OffsetAndMetadata(offset, "", -1) for tp, offset in commits.items()})
    past.close()
    with ExitStack() as running:
        # Five members on 2 + 4 partitions: four hold some, one stands by.
        running.enter_context(members(cluster, names.live, 5, names.shared, names.wide))
        if names.newer:
            monkeypatch.setenv("PATH", os.environ["PATH"])  # cluster.path() changes it; this puts it back
            running.enter_context(newer_member(cluster, names.newer, names.wide))
        yield names


@contextmanager
def members(cluster: Cluster, group: str, count: int, *topics: str) -> Iterator[None]:
    """A classic group of so many members, all settled, each with a commit."""
    script = str(Path(__file__).with_name("members.py"))
    with process([sys.executable, script, cluster.bootstrap_servers, group, str(count), *topics]) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "ready\n", "the members ended before they were ready"
        cluster.wait_for(
            lambda s: (g := s.group(group)) is not None and g.state == "Stable" and len(g.members) == count,
            60,
            "every member to have joined",
        )
        yield


@contextmanager
def newer_member(cluster: Cluster, group: str, topic: str) -> Iterator[None]:
    """A group of the newer consumer protocol (KIP-848) with one console consumer, which never commits.

    Java consumers commit again and again what they committed before; then nothing would ever be at rest.
    """
    tool = next(p for p in cluster.path().iterdir() if p.name.startswith("kafka-console-consumer"))
    more = ["--consumer-property", "group.protocol=consumer", "--consumer-property", "enable.auto.commit=false"]
    with process([str(tool), "--topic", topic, "--group", group, *more]):
        cluster.wait_for(
            lambda s: (g := s.group(group)) is not None and g.state == "Stable" and len(g.offsets) == 4,
            60,
            "the console consumer to be assigned its partitions",
        )
        yield


@contextmanager
def process(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    """A process that is asked to end by the end of its input, and made to."""
    running = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        yield running
    finally:
        try:
            running.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            running.kill()
            running.communicate()
