"""The settings of a topic that the fake understands, and those that it only checks for their names."""

from __future__ import annotations

from collections.abc import Mapping

from kafkalab.errors import NotSupported, RefusedByKafka

# fmt: off
#: What Kafka lets one set for a topic: some of it 3.9 only, some of it 4 only.
TOPIC_SETTINGS = frozenset((
    "cleanup.policy", "compression.gzip.level", "compression.lz4.level", "compression.type",
    "compression.zstd.level", "delete.retention.ms", "file.delete.delay.ms", "flush.messages", "flush.ms",
    "follower.replication.throttled.replicas", "index.interval.bytes", "leader.replication.throttled.replicas",
    "local.retention.bytes", "local.retention.ms", "max.compaction.lag.ms", "max.message.bytes",
    "message.downconversion.enable", "message.format.version", "message.timestamp.after.max.ms",
    "message.timestamp.before.max.ms", "message.timestamp.difference.max.ms", "message.timestamp.type",
    "min.cleanable.dirty.ratio", "min.compaction.lag.ms", "min.insync.replicas", "preallocate",
    "remote.log.copy.disable", "remote.log.delete.on.disable", "remote.storage.enable", "retention.bytes",
    "retention.ms", "segment.bytes", "segment.index.bytes", "segment.jitter.ms", "segment.ms",
    "unclean.leader.election.enable",
))
# fmt: on


def min_insync(topic: str, asked: Mapping[str, str], brokers: Mapping[str, str]) -> int:
    """``min.insync.replicas`` of a new topic, out of its own settings or the brokers'.

    :raises RefusedByKafka: a setting that Kafka does not know, or a value it does not take.
    :raises NotSupported: unclean leader election, which loses what was committed: the fake does not do it.
    """
    for name in asked:
        if name not in TOPIC_SETTINGS:
            raise _refused(topic, f"Unknown topic config name: {name}")
    both = {**brokers, **asked}
    if str(both.get("unclean.leader.election.enable", "false")).lower() == "true":
        raise NotSupported(
            "The cluster in memory holds no unclean elections.", do="Look at one on a real cluster: Cluster(brokers=3)."
        )
    value = str(both.get("min.insync.replicas", "1"))
    if not value.isdigit() or int(value) < 1:
        raise _refused(topic, f"Invalid value {value} for configuration min.insync.replicas")
    return int(value)


def _refused(topic: str, why: str) -> RefusedByKafka:
    return RefusedByKafka(f"Kafka did not create {topic!r}.", seen=f"InvalidConfigurationError: {why}")
