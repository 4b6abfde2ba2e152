"""Decodes the records of ``__consumer_offsets``: committed offsets, and what a coordinator keeps of its groups.

Kafka stores groups here: a group's coordinator is the broker that leads the partition its id hashes to, and the next
leader of that partition reads the group from it. Nothing in this module touches the network.
"""

from __future__ import annotations

import base64
import struct
from dataclasses import dataclass
from typing import Any

from kafka.protocol.consumer.metadata import ConsumerProtocolAssignment

from kafkalab.errors import KafkalabError

# --- The layout of the records of ``__consumer_offsets``: fields, their types, and from which version on.
#
# The names are those of Kafka's own definitions, so that the result can be compared with what its formatter prints.


_EVER = 99


@dataclass(frozen=True, slots=True)
class Field:
    """One field: its type, the versions that have it, and its default in the others.

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
    """A kind of record: Kafka's name for it, the fields of its key after the group, and the format of its value.

    ``value`` is None for kinds whose values are not decoded here.
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


#: Name of the topic.
OFFSETS_TOPIC = "__consumer_offsets"


class UnreadableRecord(KafkalabError):
    """Raised for a record that is cut short, damaged, of an unknown kind or version, or not of this topic."""


@dataclass(frozen=True, slots=True)
class GroupRecord:
    """One record, decoded.

    ``type`` is the number its key begins with, ``kind`` Kafka's name for it. ``key`` and ``value`` hold the fields
    under Kafka's names, as plain JSON (bytes as base64, ids as Kafka prints them). ``value`` is None for a tombstone,
    which says that what the key names is gone (``version`` is None then), and for kinds whose values are not decoded.
    """

    type: int
    kind: str
    group: str
    key: dict[str, Any]
    value: dict[str, Any] | None
    version: int | None

    @property
    def gone(self) -> bool:
        """Whether it is a tombstone."""
        return self.version is None


def decode(key: bytes, value: bytes | None) -> GroupRecord:
    """Decode the key and value of a record.

    :raises UnreadableRecord: they are no record of this topic, or of a newer version than Kafka 3.9 and 4.3 write.
    """
    reader = _Reader(key)
    try:
        type = reader.number("h")
        kind = KINDS.get(type)
        if kind is None:
            raise UnreadableRecord(
                "kafkalab does not know this kind of record in __consumer_offsets.", seen=f"kind {type}"
            )
        # Keys were never flexible: the length of a string is in two bytes before it.
        group = str(reader.string(flexible=False))
        # Further fields in the key of a kind that is not decoded here are left alone.
        found = {"group": group} | {f.name: reader.read(f, 0, flexible=False) for f in kind.key}
        if value is None:
            return GroupRecord(type, kind.name, group, found, None, None)
        body = _Reader(value)
        version = body.number("h")
        if kind.value is None:
            return GroupRecord(type, kind.name, group, found, None, version)
        if not 0 <= version <= kind.value.newest:
            raise UnreadableRecord(
                f"kafkalab does not know this version of a {kind.name} record.", seen=f"version {version}"
            )
        return GroupRecord(type, kind.name, group, found, body.fields(kind.value, version), version)
    except (struct.error, UnicodeDecodeError, IndexError) as error:
        raise UnreadableRecord("A record of __consumer_offsets is cut short or damaged.", seen=str(error)) from error


def partition_of(group: str, partitions: int) -> int:
    """Return the partition that holds a group's records; the broker that leads it is the group's coordinator.

    It is Java's hash of the id, made positive, modulo the number of partitions (50, unless the cluster says otherwise).
    """
    units = group.encode("utf-16-be", "surrogatepass")
    hash = 0
    for (unit,) in struct.iter_unpack(">H", units):
        hash = (31 * hash + unit) & 0xFFFFFFFF
    signed = hash - (1 << 32) if hash >= 1 << 31 else hash
    # Kafka counts the one number whose positive counterpart does not fit as 0.
    return (0 if signed == -(1 << 31) else abs(signed)) % partitions


def assigned(assignment: str) -> tuple[tuple[str, int], ...]:
    """Return what a member of a classic group was assigned, from a GroupMetadata record; () if it is no assignment.

    The leader of the group writes these bytes, and Kafka does not look into them.
    """
    raw = base64.b64decode(assignment)
    if not raw:
        return ()
    try:
        return tuple(sorted((tp.topic, tp.partition) for tp in ConsumerProtocolAssignment.decode(raw).partitions()))
    except Exception:
        return ()


class _Reader:
    """Reads Kafka's types from bytes, front to back."""

    def __init__(self, data: bytes) -> None:
        self.data = bytes(data)
        self.at = 0

    def number(self, code: str) -> int:
        (found,) = struct.unpack_from(f">{code}", self.data, self.at)
        self.at += struct.calcsize(f">{code}")
        return int(found)

    def varint(self) -> int:
        found = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            found |= (byte & 0x7F) << shift
            if byte < 0x80:
                return found
            shift += 7

    def length(self, code: str, flexible: bool) -> int:
        """Read a length; −1 stands for null."""
        return self.varint() - 1 if flexible else self.number(code)

    def take(self, size: int) -> bytes:
        if size > len(self.data) - self.at:
            raise IndexError(f"{size} bytes are announced, but only {len(self.data) - self.at} are left")
        self.at += size
        return self.data[self.at - size : self.at]

    def string(self, flexible: bool) -> str | None:
        size = self.length("h", flexible)
        return None if size < 0 else self.take(size).decode("utf-8")

    def fields(self, format: Format, version: int) -> dict[str, Any]:
        return self.structure(format.fields, version, version >= format.flexible)

    def structure(self, fields: tuple[Field, ...], version: int, flexible: bool) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for field in fields:
            if field.tag is None and field.first <= version <= field.last:
                found[field.name] = self.read(field, version, flexible)
            elif field.tag is None:
                found[field.name] = field.default
        if flexible:
            known = {f.tag: f for f in fields if f.tag is not None}
            found |= {f.name: f.default for f in known.values()}
            for _ in range(self.varint()):
                tag, size = self.varint(), self.varint()
                end = self.at + size
                if tag in known:
                    found[known[tag].name] = self.read(known[tag], version, flexible)
                self.at = end
        return found

    def read(self, field: Field, version: int, flexible: bool) -> Any:
        if not field.many:
            return self.one(field.type, version, flexible)
        size = self.length("i", flexible)
        return None if size < 0 else [self.one(field.type, version, flexible) for _ in range(size)]

    def one(self, type: str | tuple[Field, ...], version: int, flexible: bool) -> Any:
        match type:
            case "int8" | "int16" | "int32" | "int64":
                return self.number({"int8": "b", "int16": "h", "int32": "i", "int64": "q"}[type])
            case "string":
                return self.string(flexible)
            case "bytes":
                size = self.length("i", flexible)
                return None if size < 0 else base64.b64encode(self.take(size)).decode()
            case "uuid":
                # As Kafka prints it: base64 for addresses, without the padding.
                return base64.urlsafe_b64encode(self.take(16)).decode().rstrip("=")
            case tuple():
                return self.structure(type, version, flexible)
            case _:
                raise ValueError(type)
