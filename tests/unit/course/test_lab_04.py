"""What of lab 04 needs no cluster: strips, how a client chose, and what is said of a wrong rule."""

from __future__ import annotations

import random
import zlib
from collections import Counter
from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest

from kafkalab.course.lab_04 import exercises
from kafkalab.course.lab_04.clients import Strips, habit
from kafkalab.exercises.judging import Wrong
from kafkalab.state.log.murmur2 import murmur2, partition_of

KEYS = [b"T%04d" % number for number in range(1, 61)]


def test_how_a_client_chose() -> None:
    dice = random.Random(4)
    for how, strips in {
        "turn": ([0, 1, 2] * 20, [1, 0, 2] * 20, [2, 0, 1, 3] * 15),
        "stay": ([1] * 60, [2] * 25 + [0] * 25 + [2] * 10, [0, 2, 2] + [1] * 57),
        "random": ([0, 1, 2] * 19 + [2, 1, 0], *([dice.randrange(3) for _ in range(60)] for _ in range(50))),
    }.items():
        for strip in strips:
            assert habit(strip) == how, strip


def test_strips_show_every_record_and_what_they_come_to() -> None:
    svg = Strips({"Java": [0, 0, 2], "<b>": [2, 1, 2]}, told="agreement").to_svg()
    written = [text.text for text in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert [word for word in written if word in {"0", "1", "2"}] == ["0", "0", "2", "2", "1", "2"]
    assert {"P0: 2, P2: 1", "P1: 1, P2: 2 · the same as in the first strip: 1 of 3"} <= set(written)
    assert "<b>" in written
    assert "partition changed from one record to the next: 1 times" in Strips({"J": [0, 0, 2]}, told="changes").to_svg()


def test_a_known_wrong_sum_is_called_by_its_name() -> None:
    sums: dict[str, Callable[[bytes], int]] = {
        "Kafka takes its sign away": murmur2,
        "the sum of the bytes": sum,
        "That is CRC-32": zlib.crc32,
        "Python's own hash()": hash,
        "the length of the key": len,
    }
    keys = [*KEYS, b"longer-than-others"]
    for words, total in sums.items():
        assert words in exercises._instead({key: total(key) % 7 for key in keys}, 7)
    assert "the same partition for every key" in exercises._instead(dict.fromkeys(KEYS, 3), 7)
    assert exercises._instead({key: n % 7 for n, key in enumerate(KEYS)}, 7) == ""


@pytest.mark.parametrize("before, after", exercises._GROWTHS)
def test_moves_are_compared_and_misconceptions_told(before: int, after: int) -> None:
    was = {key: partition_of(key, before) for key in KEYS}
    now = {key: partition_of(key, after) for key in KEYS}
    moves = {key for key in KEYS if was[key] != now[key]}
    assert f"{len(moves)} of 60" in exercises._compare_moves(moves, was, now, before, after)
    for words, given in {
        "none moved": set(),
        "that stayed": set(KEYS) - moves,
        "both were there before": {key for key in KEYS if now[key] >= before},
        "did not move": set(KEYS),
        "is missing": moves - {min(moves)},
    }.items():
        with pytest.raises(Wrong, match=words):
            exercises._compare_moves(given, was, now, before, after)


def test_the_right_keys_meet_the_bounds_whatever_the_names() -> None:
    for _ in range(50):
        doors, parcels = exercises._doors(), exercises._parcels()
        sent = Counter((record["vehicle"], record["door"]) for record in doors)
        for door, count in sent.items():
            told = [record["what"] for record in doors if (record["vehicle"], record["door"]) == door]
            assert told == ["opened", "closed"] * (count // 2)
        held = Counter(partition_of(f"{r['vehicle']}/{r['door']}".encode(), 6) for r in doors)
        assert max(held.values()) <= exercises._MOST * len(doors)

        customers = {record["customer"] for record in parcels}
        assert len({partition_of(customer.encode(), 6) for customer in customers}) >= exercises._USED
        for parcel in {record["parcel"] for record in parcels}:
            assert [r["what"] for r in parcels if r["parcel"] == parcel] == ["packed", "loaded", "delivered"]


def test_what_tears_records_apart_is_told() -> None:
    parcels, doors = exercises._parcels(), exercises._doors()
    for words, field in {
        "a key of its own": "id",
        "a customer's list is made of several": "parcel",
        "on many trucks": "truck",
        "not to whom": "what",
    }.items():
        assert words in exercises._why(parcels, [record[field].encode() for record in parcels])
    by_door = [record["door"].encode() for record in doors]
    assert exercises._why(doors, by_door) == ""
    assert "without a key" in exercises._why(doors, [None, *by_door[1:]])
