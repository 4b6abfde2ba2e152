"""The metadata log without brokers: batches told apart by their bytes, and what Kafka's tool prints read back."""

from __future__ import annotations

from kafkalab.state.metadata_log import MetadataRecord, records, telling

NO_OP = b"\x14\x00\x00\x00\x01\x08\x01\x14\x00\x00\x00"
PRINTED = """Dumping 00000000000000000000.log
baseOffset: 34 lastOffset: 37 count: 4 baseSequence: -1 position: 3115 CreateTime: 1795274885357 size: 219 magic: 2
| offset: 0 CreateTime: 1795274879478 keySize: 4 valueSize: 19 sequence: -1 headerKeys: [] LeaderChange: {"leaderId":1}
| offset: 8 CreateTime: 1795274880088 keySize: -1 valueSize: 28 sequence: -1 headerKeys: [] payload: \
{"type":"CONFIG_RECORD","version":0,"data":{"name":"a payload: {","value":"<img src=x>"}}
| offset: 36 CreateTime: 1795274885357 keySize: -1 valueSize: 41 sequence: -1 headerKeys: [] payload: \
{"type":"PARTITION_CHANGE_RECORD","version":2,"data":{"partitionId":2,"topicId":"Rq","isr":[103,101],"leader":103}}
| offset: 37 CreateTime: 1795274885857 keySize: -1 valueSize: 4 sequence: -1 headerKeys: [] payload: \
{"type":"NO_OP_RECORD","version":0,"data":{}}
"""


def batch(offset: int, records: bytes, count: int = 1) -> bytes:
    """A v2 batch as far as it is looked at: base offset, length, 45 bytes more, the count of records, the records."""
    rest = bytes(45) + count.to_bytes(4) + records
    return offset.to_bytes(8) + len(rest).to_bytes(4) + rest


def test_batches_of_an_empty_record_are_left_out_and_a_half_written_one_ends_it() -> None:
    telling_ones = [batch(1, b"something"), batch(3, NO_OP, count=2), batch(4, b"\x14 other")]
    segment = telling_ones[0] + batch(2, NO_OP) + telling_ones[1] + telling_ones[2]
    assert list(telling(segment)) == telling_ones
    assert list(telling(segment[:-1])) == telling_ones[:-1]
    assert list(telling(b"\x00" * 200)) == []


def test_what_the_tool_prints_is_read_by_kafkas_names() -> None:
    assert records(PRINTED) == (
        MetadataRecord(0, 1795274879.478, "LeaderChange", {"leaderId": 1}),
        MetadataRecord(8, 1795274880.088, "ConfigRecord", {"name": "a payload: {", "value": "<img src=x>"}),
        MetadataRecord(
            36,
            1795274885.357,
            "PartitionChangeRecord",
            {"partitionId": 2, "topicId": "Rq", "isr": [103, 101], "leader": 103},
        ),
    )
