"""What RecordView draws of a batch, and its forms without scripts."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest

from kafkalab import Cluster
from kafkalab.state.log_segments import Found, Neighbour
from kafkalab.state.record_batch import HEADER_SIZE, Batch
from kafkalab.views.record_drawn import HEAD, KINDS, TAIL, Copy, Drawn, Look, drawn
from kafkalab.views.record_html import to_html
from kafkalab.views.record_svg import HUES, to_svg
from kafkalab.views.record_text import to_text
from kafkalab.views.record_view import RecordView
from tests.unit.state.batches import Headers, encoded
from tests.unit.views_samples import HOSTILE, TURNED

Record = tuple[bytes | None, bytes | None, Headers]


def found(*records: Record, codec: int = 0, base: int = 40, **more: object) -> Found:
    batch = Batch.read(encoded(*records, codec=codec, base=base))
    given = {"segment": f"{base:020d}.log", "at": 500, **more}
    return Found(batch, 101, previous=Neighbour(30, 39), next=Neighbour(60, 61), **given)  # type: ignore[arg-type]


def picture(offset: int = 40, *records: Record, codec: int = 0, **more: object) -> Drawn:
    records = records or tuple((b"T%04d" % i, b"value %d" % i, [("h", b"v")]) for i in range(20))
    return drawn(Look("trucks_gps", 0, offset, found(*records, codec=codec, **more), None, 0, 90))


@pytest.mark.parametrize("codec", [0, 1, 4])
def test_every_byte_of_the_batch_is_under_some_field(codec: int) -> None:
    drawn_ = picture(47, codec=codec)
    for block in drawn_["blocks"]:
        at = block["items"][0]["at"]
        for item in block["items"]:
            assert item["at"] == at
            assert len(item["hex"]) // 2 + item["cut"] + len(item["tail"]) // 2 == item["size"]
            at += item["size"]
    batch = drawn_["batch"]
    assert [sum(i["size"] for i in b["items"]) for b in drawn_["blocks"]] == (
        [batch["size"]] if codec == 0 else [batch["size"], batch["unpacked"]]
    )
    ids = [item["id"] for block in drawn_["blocks"] for item in block["items"]]
    assert len(ids) == len(set(ids))


def test_the_chosen_record_is_spelled_out_and_its_neighbours_are_not() -> None:
    items = {item["id"]: item for item in picture(47)["blocks"][0]["items"]}
    assert items["key"]["value"] == "T0007"
    assert items["header0_value"]["value"] == "v"
    assert items["record_46"]["goto"] == 46 and items["record_48"]["value"] == "key T0008"
    assert items["records_40"]["name"] == "5 records, offsets 40 to 44" and items["records_40"]["goto"] == 44
    assert items["records_50"]["goto"] == 50


def test_steps_lead_to_records_and_batches_beside_this_one() -> None:
    assert picture(47)["steps"] == {"previous": 46, "next": 48, "previous_batch": 39, "next_batch": 60}
    assert picture(40)["steps"]["previous"] == 39
    assert picture(59)["steps"]["next"] == 60
    # A fetch says nothing of what is before; there is something, because the log starts earlier.
    alone = Found(found((b"k", b"v", [])).batch, 101)
    assert drawn(Look("t", 0, 40, alone, None, 0, 41))["steps"]["previous_batch"] == 39
    assert drawn(Look("t", 0, 40, alone, None, 40, 41))["steps"]["previous_batch"] is None
    assert drawn(Look("t", 0, 40, alone, None, 0, 50))["steps"]["next"] == 41
    assert drawn(Look("t", 0, 40, alone, None, 0, 41))["steps"]["next"] is None


def test_shares_add_up() -> None:
    for codec in (0, 4):
        for bar in picture(41, codec=codec)["shares"]:
            assert sum(part["bytes"] for part in bar["parts"]) == bar["bytes"]
    parts = {part["part"]: part["bytes"] for part in picture(41)["shares"][0]["parts"]}
    assert (parts["batch header"], parts["keys"], parts["headers"]) == (HEADER_SIZE, 100, 40)


def test_a_value_of_a_megabyte_travels_as_its_ends() -> None:
    big = picture(40, (b"k" * 5000, bytes(1_000_000), []))
    (value,) = (i for i in big["blocks"][0]["items"] if i["id"] == "value")
    assert (len(value["hex"]), len(value["tail"]), value["cut"]) == (2 * HEAD, 2 * TAIL, 1_000_000 - HEAD - TAIL)
    assert len(json.dumps(big)) < 20_000
    assert len(to_svg(big)) < 200_000


def test_a_batch_of_very_many_records_stays_small() -> None:
    many = picture(3000, *((b"k", b"v", []) for _ in range(9000)))
    assert len(json.dumps(many)) < 20_000
    assert (len(many["strip"]["cells"]), many["strip"]["before"] + many["strip"]["after"]) == (60, 8940)


def test_notes_of_what_no_consumer_is_given() -> None:
    at = found((b"k", b"v", []), (b"k", b"v", []))
    assert "The log starts at offset 41" in drawn(Look("t", 0, 40, at, None, 41, 42))["note"]
    assert "high watermark is 41" in drawn(Look("t", 0, 41, at, None, 0, 41))["note"]
    assert drawn(Look("t", 0, 41, at, None, 0, 42))["note"] == ""


def test_damaged_records_leave_the_header_to_be_read() -> None:
    whole = encoded((b"T1", b"value", []))
    torn = Found(Batch.read(whole[:-3] + b"\xff\xff\xff"), 101, "00000000000000000000.log")
    damaged = drawn(Look("t", 0, 0, torn))
    assert damaged["batch"]["valid"] is False and damaged["trouble"]
    assert damaged["blocks"][0]["items"][-1]["id"] == "rest"
    assert "CHECKSUM WRONG" in to_text(damaged)


def test_static_forms_show_the_fields_and_run_nothing() -> None:
    hostile = HOSTILE.encode()
    look = Look("t", 0, 40, found((hostile, TURNED.encode(), [(HOSTILE, b"\xff\xfe")])), None, 0, 41,
                (Copy(101, "leader", "shown"), Copy(102, "follower", "same")))  # fmt: skip
    shown = drawn(look)
    assert "\u202e" not in to_text(shown) and "● 102 the same bytes" in to_text(shown)
    html = to_html(shown)
    assert "<img" not in html and "&lt;img" in html and "\u202e" not in html
    ET.fromstring(to_svg(shown))
    assert "<img" not in to_svg(shown)
    assert "base offset" in html and "from broker 101&#x27;s log segment" in html
    assert set(HUES) == set(KINDS)


def test_a_frozen_view_and_one_of_a_model_without_bytes() -> None:
    view = RecordView.of(found((b"T0001", b"v", [])), "trucks_gps")
    assert "T0001" in repr(view) and view.state["live"] is False
    view.close()
    with Cluster(backend="fake", quiet=True) as model:
        model.create_topic("t")
        told = RecordView(model, "t")
        assert "model in memory" in repr(told)
        told.close()
        missing = RecordView(model, "nobody")
        assert "There is no topic 'nobody'" in missing.to_html().replace("&#x27;", "'")
        missing.close()
