"""How the records of ``__consumer_offsets`` are laid out: which fields, of which type, from which version on.

The names are those of Kafka's own definitions, so that what is decoded can be laid beside what its formatter prints.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_EVER = 99


@dataclass(frozen=True, slots=True)
class Field:
    """One field: its type, the versions that have it, and what stands for it in the others.

    ``type`` is int8, int16, int32, int64, string, bytes, uuid, or a tuple of fields for a structure; ``many`` makes it
    an array. ``tag`` is the number of an optional field at the end of a flexible structure.
    """

    name: str
    type: str | tuple[Field, ...]
    first: int = 0
    last: int = _EVER
    default: Any = None
    many: bool = False
    tag: int | None = None


@dataclass(frozen=True, slots=True)
class Format:
    """A key or a value: its fields, the newest version known, and the version from which on it is flexible."""

    fields: tuple[Field, ...]
    newest: int = 0
    flexible: int = 0


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of record: its name in Kafka's words, what its key holds after the group, how its value is laid out.

    ``value`` is None for kinds that are only named here.
    """

    name: str
    key: tuple[Field, ...] = ()
    value: Format | None = None


_MEMBER = Field("memberId", "string")
_PARTITIONS = (
    Field("topicId", "uuid"),
    Field("partitions", "int32", many=True),
    Field("assignmentEpochs", "int32", many=True, tag=0),
)
_OFFSET_COMMIT = Format(
    (
        Field("offset", "int64"),
        Field("leaderEpoch", "int32", 3, default=-1),
        Field("metadata", "string"),
        Field("commitTimestamp", "int64"),
        Field("expireTimestamp", "int64", 1, 1, default=-1),
        Field("topicId", "uuid", 4, default="AAAAAAAAAAAAAAAAAAAAAA", tag=0),
    ),
    newest=4,
    flexible=4,
)
_GROUP_METADATA = Format(
    (
        Field("protocolType", "string"),
        Field("generation", "int32"),
        Field("protocol", "string"),
        Field("leader", "string"),
        Field("currentStateTimestamp", "int64", 2, default=-1),
        Field(
            "members",
            (
                Field("memberId", "string"),
                Field("groupInstanceId", "string", 3),
                Field("clientId", "string"),
                Field("clientHost", "string"),
                Field("rebalanceTimeout", "int32", 1, default=-1),
                Field("sessionTimeout", "int32"),
                Field("subscription", "bytes"),
                Field("assignment", "bytes"),
            ),
            many=True,
        ),
    ),
    newest=4,
    flexible=4,
)

#: The number that a key begins with → the kind of its record. A group of the newer protocol (KIP-848) writes 3 to 8.
KINDS: dict[int, Kind] = {
    0: Kind("OffsetCommit", (Field("topic", "string"), Field("partition", "int32")), _OFFSET_COMMIT),
    1: Kind("OffsetCommit", (Field("topic", "string"), Field("partition", "int32")), _OFFSET_COMMIT),
    2: Kind("GroupMetadata", (), _GROUP_METADATA),
    3: Kind(
        "ConsumerGroupMetadata",
        (),
        Format((Field("epoch", "int32"), Field("metadataHash", "int64", default=0, tag=0))),
    ),
    4: Kind("ConsumerGroupPartitionMetadata"),
    5: Kind(
        "ConsumerGroupMemberMetadata",
        (_MEMBER,),
        Format(
            (
                Field("instanceId", "string"),
                Field("rackId", "string"),
                Field("clientId", "string"),
                Field("clientHost", "string"),
                Field("subscribedTopicNames", "string", many=True),
                Field("subscribedTopicRegex", "string"),
                Field("rebalanceTimeoutMs", "int32", default=-1),
                Field("serverAssignor", "string"),
            )
        ),
    ),
    6: Kind("ConsumerGroupTargetAssignmentMetadata", (), Format((Field("assignmentEpoch", "int32"),))),
    7: Kind(
        "ConsumerGroupTargetAssignmentMember",
        (_MEMBER,),
        Format((Field("topicPartitions", _PARTITIONS[:2], many=True),)),
    ),
    8: Kind(
        "ConsumerGroupCurrentMemberAssignment",
        (_MEMBER,),
        Format(
            (
                Field("memberEpoch", "int32"),
                Field("previousMemberEpoch", "int32"),
                Field("state", "int8"),
                Field("assignedPartitions", _PARTITIONS, many=True),
                Field("partitionsPendingRevocation", _PARTITIONS, many=True),
            )
        ),
    ),
    10: Kind("ShareGroupMemberMetadata", (_MEMBER,)),
    11: Kind("ShareGroupMetadata"),
    12: Kind("ShareGroupTargetAssignmentMetadata"),
    13: Kind("ShareGroupTargetAssignmentMember", (_MEMBER,)),
    14: Kind("ShareGroupCurrentMemberAssignment", (_MEMBER,)),
    15: Kind("ShareGroupStatePartitionMetadata"),
    16: Kind("ConsumerGroupRegularExpression", (Field("regularExpression", "string"),)),
    17: Kind("StreamsGroupMetadata"),
}
