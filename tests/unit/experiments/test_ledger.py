"""The ledger against a plain recount of the same calls, however these come."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafkalab import Ledger
from kafkalab.errors import BadInput

Calls = list[tuple[str, str, Any]]

IDS = ["r0", "r1", "r2", "r3", "é", "<b>"]
#: Each id has offsets of its own, as one place in a log holds one record.
SEEN = st.builds(
    lambda number, lane, round: ("seen", IDS[number], (lane, 6 * round + number)),
    *(st.integers(0, 5), st.integers(0, 1), st.integers(0, 2)),
)
CALLS = st.lists(
    st.tuples(st.just("sent"), st.sampled_from(IDS), st.sampled_from([None, "a", b"b"]))
    | st.tuples(st.sampled_from(["acknowledged", "seen"]), st.sampled_from(IDS), st.none())
    | SEEN,
    max_size=40,
)


def recount(calls: Calls) -> dict[str, set[str]]:
    told = {what: [(id, more) for w, id, more in calls if w == what] for what in ("sent", "acknowledged", "seen")}
    sent, acknowledged, seen = ({id for id, _ in told[what]} for what in ("sent", "acknowledged", "seen"))
    # Who is sent twice keeps the key and the number of the first time.
    key = dict(reversed(told["sent"]))
    number = {id: n for n, (id, _) in reversed([*enumerate(told["sent"])])}
    sightings = Counter(told["seen"])
    # A sighting without a position is a record of its own; one with a position is the record that lies there.
    records = Counter[str]()
    first: dict[tuple[int, str], int] = {}
    for (id, position), times in sightings.items():
        records[id] += times if position is None else 1
        if position is not None and key.get(id) is not None:
            lane, offset = position
            first[lane, id] = min(offset, first.get((lane, id), offset))
    late = {
        id
        for (lane, id), offset in first.items()
        for (there, other), before in first.items()
        if lane == there and key[id] == key[other] and number[other] > number[id] and before < offset
    }
    return {
        "lost_ids": acknowledged - seen,
        "unacknowledged_ids": sent - acknowledged,
        "stranger_ids": seen - sent,
        "duplicated_ids": {id for id, n in records.items() if n > 1},
        "redelivered_ids": {id for (id, position), n in sightings.items() if position is not None and n > 1},
        "out_of_order_ids": late,
    }


@given(CALLS, st.booleans())
def test_a_recount_agrees(calls: Calls, asked: bool) -> None:
    ledger = Ledger()
    for what, id, more in calls:
        if what == "sent":
            ledger.sent(id, key=more)
        elif what == "acknowledged":
            ledger.acknowledged(id)
        else:
            ledger.seen(id, more)
        if asked:
            ledger.counts()  # what was judged so far must not stand in the way of what comes
    result, wanted = ledger.result(), recount(calls)
    whole, quick = result.to_dict(), ledger.counts(first=2)
    for name, ids in wanted.items():
        assert whole[name] == sorted(ids), name
        assert len(quick[name]) == min(2, len(ids)) and set(quick[name]) <= ids
        count = "strangers" if name == "stranger_ids" else name.removesuffix("_ids")
        assert whole[count] == quick[count] == len(ids)
    for what in ("sent", "acknowledged", "seen"):
        assert whole[what] == quick[what] == len({id for w, id, _ in calls if w == what})
    assert json.loads(json.dumps(whole)) == whole


def test_of_several_positions_all_or_none_are_counted() -> None:
    ledger = Ledger()
    with pytest.raises(BadInput, match="position"):
        ledger.seen_many(["a", "b"], [(0, 1)])
    ledger.seen_many(["a", "a", "b", "b"], [(0, 7), (0, 7), (0, 8), (0, 9)])
    assert (ledger.result().redelivered_ids, ledger.result().duplicated_ids) == (("a",), ("b",))


def test_what_became_of_a_record() -> None:
    ledger = Ledger()
    ledger.sent("a", key=b"k\xff")
    ledger.acknowledged("a")
    lost = {
        "sent": 1, "key": "k\\xff", "acknowledged": True, "seen": False, "lost": True, "read_again": False,
        "out_of_order": False, "positions": [],
    }  # fmt: skip
    assert ledger.fate("a") == lost
    ledger.seen_many(["a", "a", "a"], [("t", 1, 17), ("t", 1, 3), ("t", 1, 3)])
    there = {"seen": True, "lost": False, "read_again": True, "positions": ["t P1 offset 3", "t P1 offset 17"]}
    assert ledger.fate("a") == lost | there
    assert ledger.fate("nobody") == lost | {"sent": None, "key": None, "acknowledged": False, "lost": False}
