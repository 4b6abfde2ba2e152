"""What RecordView draws of a batch."""

from __future__ import annotations

import json

import pytest

from kafkalab import Cluster, PartitionerView
from kafkalab.errors import NotSupported
from kafkalab.state.log.batch import Batch
from kafkalab.state.log.segments import Found
from kafkalab.views.record.picture import HEAD, TAIL, Copy, Look, Picture, blocks, drawn
from kafkalab.views.record.view import RecordView
from kafkalab.views.static import to_text
from tests.unit.state.batches import encoded
from tests.unit.views.log_samples import Batched, batch


def picture(offset: int = 40, *records: Batched, codec: int = 0) -> Picture:
    records = records or tuple((b"T%04d" % i, b"value %d" % i, [("h", b"v")]) for i in range(20))
    return drawn(Look("trucks_gps", 0, offset, batch(*records, codec=codec), None, 0, 90))


@pytest.mark.parametrize("codec", [0, 1, 4])
def test_every_byte_of_the_batch_is_under_some_field(codec: int) -> None:
    shown = picture(41, codec=codec)
    for block in shown["blocks"]:
        at = block["items"][0]["at"]
        for item in block["items"]:
            assert item["at"] == at
            assert len(item["hex"]) // 2 + item["cut"] + len(item["tail"]) // 2 == item["size"]
            at += item["size"]
    sizes = [sum(item["size"] for item in block["items"]) for block in shown["blocks"]]
    assert sizes == [bar["bytes"] for bar in shown["shares"]]
    for bar in shown["shares"]:
        assert sum(part["bytes"] for part in bar["parts"]) == bar["bytes"]
    parts = {part["part"]: part["bytes"] for part in shown["shares"][-1]["parts"]}
    assert (parts["keys"], parts["headers"]) == (100, 40)


def test_the_chosen_record_is_spelled_out_and_steps_lead_to_those_beside_it() -> None:
    items = {item["id"]: item for item in picture(47)["blocks"][0]["items"]}
    assert (items["key"]["value"], items["header0_value"]["value"]) == ("T0007", "v")
    goto = {id: items[id]["goto"] for id in ("records_40", "record_46", "records_50")}
    assert goto == {"records_40": 44, "record_46": 46, "records_50": 50}
    assert picture(47)["steps"] == {"previous": 46, "next": 48, "previous_batch": 39, "next_batch": 60}
    assert (picture(40)["steps"]["previous"], picture(59)["steps"]["next"]) == (39, 60)
    alone = Found(batch((b"k", b"v", [])).batch, 101)
    # A fetch says nothing of what is before; there is something, because the log starts earlier.
    for start, end, before, after in ((0, 50, 39, 41), (40, 41, None, None)):
        steps = drawn(Look("t", 0, 40, alone, None, start, end))["steps"]
        assert (steps["previous_batch"], steps["next"]) == (before, after)


def test_large_batches_travel_as_their_ends() -> None:
    big = picture(40, (b"k" * 5000, bytes(1_000_000), []))
    (value,) = (i for i in big["blocks"][0]["items"] if i["id"] == "value")
    assert (len(value["hex"]), len(value["tail"]), value["cut"]) == (2 * HEAD, 2 * TAIL, 1_000_000 - HEAD - TAIL)
    many = picture(1000, *((b"k", b"v", []) for _ in range(2000)))
    assert (len(many["strip"]["cells"]), many["strip"]["before"] + many["strip"]["after"]) == (60, 1940)
    assert len(json.dumps(big)) < 20_000 and len(json.dumps(many)) < 20_000


def test_notes_of_what_no_consumer_is_given_and_of_copies() -> None:
    at = batch((b"k", b"v", []), (b"k", b"v", []))
    copies = (Copy(101, "leader", "shown"), Copy(102, "follower", "same"))
    assert "log starts at offset 41" in drawn(Look("t", 0, 40, at, None, 41, 42))["note"]
    assert "high watermark is 41" in drawn(Look("t", 0, 41, at, None, 0, 41))["note"]
    well = drawn(Look("t", 0, 41, at, None, 0, 42, copies))
    assert well["note"] == "" and "● 102 = the same bytes" in to_text(blocks(well))


def test_damaged_records_leave_the_header_to_be_read() -> None:
    torn = Found(Batch.read(encoded((b"T1", b"value", []))[:-3] + b"\xff\xff\xff"), 101, "00000000000000000000.log")
    damaged = drawn(Look("t", 0, 0, torn))
    assert damaged["valid"] is False and damaged["trouble"]
    assert damaged["blocks"][0]["items"][-1]["id"] == "rest"
    assert "✗ CRC: damaged" in to_text(blocks(damaged))


def test_a_model_without_bytes_says_so() -> None:
    with Cluster(backend="fake", quiet=True) as model:
        model.create_topic("t")
        view, keys = RecordView(model, "t"), PartitionerView(model, "t")
        assert "model in memory" in repr(view)
        with pytest.raises(NotSupported, match="model in memory"):
            keys.do_send({"key": "61"})
        for one in (view, keys):
            one.close()
