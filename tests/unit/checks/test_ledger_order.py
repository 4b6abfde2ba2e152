"""Out of order, against a plain recount; and the quick counts against the result."""

from __future__ import annotations

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from kafkalab.checks.ledger import Ledger

IDS = [f"r{i}" for i in range(8)]
KEYS = st.sampled_from([None, "a", b"b"])
SENT = st.lists(st.tuples(st.sampled_from(IDS), KEYS), unique_by=lambda pair: pair[0])
SEEN = st.lists(st.tuples(st.sampled_from(IDS), st.integers(0, 1), st.integers(0, 9)), unique_by=lambda t: t[1:])


def recount(sent: list[tuple[str, str | bytes | None]], seen: list[tuple[str, int, int]]) -> set[str]:
    """Ids with a record of the same key, sent later, before them in the same partition."""
    number = {id: n for n, (id, _) in enumerate(sent)}
    key = dict(sent)
    first: dict[int, dict[str, int]] = defaultdict(dict)
    for id, partition, offset in seen:
        first[partition][id] = min(offset, first[partition].get(id, offset))
    return {
        id
        for lane in first.values()
        for id, offset in lane.items()
        if id in number
        and key[id] is not None
        and any(
            other in number and key[other] == key[id] and number[other] > number[id] and there < offset
            for other, there in lane.items()
        )
    }


@given(SENT, SEEN, st.integers(0, 20), st.booleans())
def test_a_recount_agrees_however_the_calls_come(
    sent: list[tuple[str, str | bytes | None]], seen: list[tuple[str, int, int]], cut: int, asked: bool
) -> None:
    ledger = Ledger()
    for id, partition, offset in seen[:cut]:
        ledger.seen(id, (partition, offset))
    if asked:
        ledger.counts()  # what was judged so far must not stand in the way of what comes
    for id, key in sent:
        ledger.sent(id, key=key)
    for id, partition, offset in seen[cut:]:
        ledger.seen(id, (partition, offset))
        if asked:
            ledger.counts()
    assert set(ledger.result().out_of_order_ids) == recount(sent, seen)


@given(SENT, SEEN, st.lists(st.sampled_from(IDS)))
def test_the_quick_counts_are_those_of_the_result(
    sent: list[tuple[str, str | bytes | None]], seen: list[tuple[str, int, int]], acknowledged: list[str]
) -> None:
    ledger = Ledger()
    for id, key in sent:
        ledger.sent(id, key=key)
    for id in acknowledged:
        ledger.acknowledged(id)
    for id, partition, offset in seen:
        ledger.seen(id, (partition, offset))
    whole, quick = ledger.result().to_dict(), ledger.counts(first=2)
    for name, value in whole.items():
        if name.endswith("_ids"):
            assert len(quick[name]) == min(2, len(value)) and set(quick[name]) <= set(value)
        else:
            assert quick[name] == value


def test_the_one_that_came_late_is_named_and_not_those_it_was_overtaken_by() -> None:
    ledger = Ledger()
    for id in ("a1", "a2", "a3"):
        ledger.sent(id, key="a")
    for offset, id in enumerate(("a2", "a3", "a1")):
        ledger.seen(id, ("trucks_gps", 0, offset))
    assert ledger.result().out_of_order_ids == ("a1",)
    assert "out of order" in str(ledger)


def test_a_copy_written_later_by_a_retry_is_a_duplicate_and_not_out_of_order() -> None:
    ledger = Ledger()
    for id in ("a1", "a2"):
        ledger.sent(id, key="a")
    ledger.seen_many(["a1", "a2", "a1"], [(0, 0), (0, 1), (0, 2)])
    result = ledger.result()
    assert (result.duplicated_ids, result.out_of_order) == (("a1",), 0)


def test_without_a_key_or_an_offset_order_is_not_judged() -> None:
    ledger = Ledger()
    ledger.sent("a1")
    ledger.sent("a2")
    ledger.seen_many(["a2", "a1"], [(0, 0), (0, 1)])
    for id in ("b1", "b2"):
        ledger.sent(id, key="b")
    ledger.seen_many(["b2", "b1"])
    ledger.sent("c1", key="c")
    ledger.seen("c1", "somewhere")
    assert ledger.result().out_of_order == 0


def test_what_became_of_a_record() -> None:
    ledger = Ledger()
    ledger.sent("a", key=b"k\xff")
    ledger.acknowledged("a")
    assert ledger.fate("a") == {
        "sent": 1, "key": "k\\xff", "acknowledged": True, "seen": False, "lost": True, "read_again": False,
        "out_of_order": False, "positions": [],
    }  # fmt: skip
    ledger.seen_many(["a", "a", "a"], [("t", 1, 17), ("t", 1, 3), ("t", 1, 3)])
    found = ledger.fate("a")
    assert (found["lost"], found["read_again"], found["positions"]) == (
        False,
        True,
        ["t P1 offset 3", "t P1 offset 17"],
    )
    assert ledger.fate("nobody") == {**found, "sent": None, "key": None, "acknowledged": False, "seen": False,
                                     "read_again": False, "positions": []}  # fmt: skip


def test_every_call_is_a_change() -> None:
    ledger = Ledger()
    seen = {ledger.changes}
    for call in (lambda: ledger.sent("a"), lambda: ledger.acknowledged("a"), lambda: ledger.seen("a")):
        call()
        seen.add(ledger.changes)
    ledger.seen_many(["a", "b"])
    assert len(seen) == 4 and ledger.changes == max(seen) + 2
