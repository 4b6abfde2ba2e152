"""Records of __consumer_offsets, taken from brokers of 3.9 and 4.3 byte for byte, and what they say."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kafkalab.state.groups.offsets_topic import KINDS, GroupRecord, UnreadableRecord, assigned, decode, partition_of
from tests.unit.state.batches import GENERATION, GENERATION_KEY

COMMIT_KEY = "00010004646173680006747275636b7300000000"
GROUP_KEY, GROUP = GENERATION_KEY.hex(), GENERATION.hex()
MEMBER = "00056e657765720016667766306a62326d544f535f71665a784a61634f6851"
TOPIC_ID = "I-JMxImyQvyUlL_ukmNVLQ"


def record(key: str, value: str | None) -> GroupRecord:
    return decode(bytes.fromhex(key), None if value is None else bytes.fromhex(value))


def test_what_each_version_and_protocol_writes() -> None:
    for key, value, kind, said in (
        (COMMIT_KEY, "0003000000000000000a000000000000000001a1feb6ab9c", "OffsetCommit",
         {"offset": 10, "leaderEpoch": 0, "metadata": "", "commitTimestamp": 1795274746780}),
        # Kafka 4.3 adds the topic's id; versions before 3.9 lack what came later.
        (COMMIT_KEY, "0004000000000000000a0000000001000001a1feb73f2001001023e24cc489b242fc9494bfee9263552d",
         "OffsetCommit", {"offset": 10, "commitTimestamp": 1795274784544, "topicId": TOPIC_ID}),
        (COMMIT_KEY, "000100000000000000070002686900000000000003e800000000000007d0", "OffsetCommit",
         {"offset": 7, "leaderEpoch": -1, "metadata": "hi", "commitTimestamp": 1000, "expireTimestamp": 2000}),
        (GROUP_KEY, "0003000000000000ffffffff000001a1feb73a0700000000", "GroupMetadata",
         {"generation": 0, "protocol": None, "members": []}),
        ("000300056e65776572", "000000000002010008f873ae0073b64927", "ConsumerGroupMetadata", {"epoch": 2}),
        ("0005" + MEMBER,
         "0000000011636f6e736f6c652d636f6e73756d65720b2f3132372e302e302e310207747275636b7301000493e00001000100",
         "ConsumerGroupMemberMetadata",
         {"clientId": "console-consumer", "subscribedTopicNames": ["trucks"], "rebalanceTimeoutMs": 300000}),
        ("0007" + MEMBER, "00000223e24cc489b242fc9494bfee9263552d05000000000000000100000002000000030000",
         "ConsumerGroupTargetAssignmentMember",
         {"topicPartitions": [{"topicId": TOPIC_ID, "partitions": [0, 1, 2, 3]}]}),
    ):  # fmt: skip
        found = record(key, value)
        assert found.kind == kind
        assert found.value is not None and said.items() <= found.value.items()
    assert found.key["memberId"] == "fwf0jb2mTOS_qfZxJacOhQ"
    tombstone = record(COMMIT_KEY, None)
    assert (tombstone.gone, tombstone.value) == (True, None)
    assert tombstone.key == {"group": "dash", "topic": "trucks", "partition": 0}


def test_a_classic_group_with_its_generation_members_and_what_they_hold() -> None:
    found = record(GROUP_KEY, GROUP)
    assert found.value is not None
    assert (found.value["generation"], found.value["protocol"]) == (1, "range")
    (member,) = found.value["members"]
    assert member["memberId"] == found.value["leader"] == "C1-2fa954f4-fd0e-443e-80bc-063d6dbcf517"
    assert (member["clientId"], member["clientHost"]) == ("C1", "/127.0.0.1")
    assert (member["sessionTimeout"], member["rebalanceTimeout"]) == (3000, 300000)
    assert assigned(member["assignment"]) == tuple(("trucks", p) for p in range(4))
    assert assigned("") == assigned("bm9uc2Vuc2U=") == ()


@settings(max_examples=60)
@given(st.sampled_from(sorted(KINDS)), st.binary(max_size=80), st.binary(max_size=200))
def test_no_bytes_do_more_than_be_refused(number: int, key: bytes, value: bytes) -> None:
    try:
        found = decode(struct.pack(">h", number) + key, value)
    except UnreadableRecord:
        return
    assert found.type == number


def test_what_is_cut_or_unknown_is_refused() -> None:
    for key, value in (("00", None), ("7fff000464617368", None), (GROUP_KEY, "0063"), (GROUP_KEY, GROUP[:-20])):
        with pytest.raises(UnreadableRecord):
            record(key, value)
    assert record("0004000167", "0000").value is None, "a kind that is only named"


def test_a_groups_partition_is_that_of_its_hash() -> None:
    # Where 3.9 and 4.3 put them; the last one's hash is the lowest number there is.
    for group, partitions, found in (("dash", 3, 2), ("newer", 3, 2), ("", 50, 0), ("polygenelubricants", 50, 0)):
        assert partition_of(group, partitions) == found, group
