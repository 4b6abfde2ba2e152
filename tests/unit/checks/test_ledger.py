"""The ledger against a plain recount of the same calls."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafkalab.checks.ledger import Ledger
from kafkalab.errors import BadInput

IDS = st.sampled_from(["T0001-000001", "T0001-000002", "T0002-000001", "é", "<b>"])
POSITIONS = st.one_of(st.none(), st.tuples(st.integers(0, 2), st.integers(0, 3)))
CALLS = st.lists(
    st.one_of(
        st.tuples(st.just("sent"), IDS, st.none()),
        st.tuples(st.just("acknowledged"), IDS, st.none()),
        st.tuples(st.just("seen"), IDS, POSITIONS),
    ),
    max_size=40,
)


@given(CALLS)
def test_a_recount_agrees(calls: list[tuple[str, str, tuple[int, int] | None]]) -> None:
    ledger = Ledger()
    for what, record_id, position in calls:
        if what == "seen":
            ledger.seen(record_id, position)
        else:
            getattr(ledger, what)(record_id)

    ids = {what: {i for w, i, _ in calls if w == what} for what in ("sent", "acknowledged", "seen")}
    sightings: dict[str, Counter[tuple[int, int] | None]] = defaultdict(Counter)
    for what, record_id, position in calls:
        if what == "seen":
            sightings[record_id][position] += 1
    # A sighting without a position is a record of its own; one with a position is the record that lies there.
    records = {i: sum(1 for p in c if p is not None) + c[None] for i, c in sightings.items()}
    again = {i for i, c in sightings.items() if any(n > 1 for p, n in c.items() if p is not None)}

    got = ledger.result()
    assert (got.sent, got.acknowledged, got.seen) == tuple(len(ids[w]) for w in ("sent", "acknowledged", "seen"))
    assert set(got.lost_ids) == ids["acknowledged"] - ids["seen"]
    assert set(got.unacknowledged_ids) == ids["sent"] - ids["acknowledged"]
    assert set(got.stranger_ids) == ids["seen"] - ids["sent"]
    assert set(got.duplicated_ids) == {i for i, n in records.items() if n > 1}
    assert set(got.redelivered_ids) == again
    for name in ("lost", "duplicated", "redelivered", "unacknowledged", "stranger"):
        listed = getattr(got, f"{name}_ids")
        assert getattr(got, "strangers" if name == "stranger" else name) == len(listed)
        assert list(listed) == sorted(set(listed))
    assert got.clean == (not got.lost_ids and not got.duplicated_ids)


@given(CALLS, st.randoms())
def test_the_order_of_callbacks_does_not_matter(calls: list[tuple[str, str, tuple[int, int] | None]], random) -> None:  # type: ignore[no-untyped-def]
    def run(order: list[tuple[str, str, tuple[int, int] | None]]) -> object:
        ledger = Ledger()
        for what, record_id, position in order:
            if what == "seen":
                ledger.seen_many([record_id], [position])
            else:
                getattr(ledger, what)(record_id)
        return ledger.result()

    shuffled = list(calls)
    random.shuffle(shuffled)
    assert run(calls) == run(shuffled)


def test_a_retry_in_the_log_is_a_duplicate_and_a_second_reading_is_not() -> None:
    ledger = Ledger()
    for record_id in ("a", "b", "c"):
        ledger.sent(record_id)
        ledger.acknowledged(record_id)
    ledger.seen_many(["a", "a"], [(0, 7), (0, 7)])
    ledger.seen_many(["b", "b"], [(0, 8), (0, 9)])
    result = ledger.result()
    assert result.redelivered_ids == ("a",)
    assert result.duplicated_ids == ("b",)
    assert result.lost_ids == ("c",)
    assert not result.clean


def test_a_record_nobody_acknowledged_is_not_lost() -> None:
    ledger = Ledger()
    ledger.sent("a")
    assert ledger.result().lost == 0
    assert ledger.result().unacknowledged_ids == ("a",)


def test_many_threads_lose_no_count() -> None:
    ledger = Ledger()

    def work(thread: int) -> None:
        for n in range(500):
            record_id = f"{thread}-{n}"
            ledger.sent(record_id)
            ledger.acknowledged(record_id)
            ledger.seen(record_id, (thread, n))
            ledger.seen("shared", (thread, n))

    threads = [threading.Thread(target=work, args=(t,)) for t in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    result = ledger.result()
    assert (result.sent, result.acknowledged, result.seen, result.lost) == (4000, 4000, 4001, 0)
    assert result.duplicated_ids == ("shared",)


def test_positions_must_match_the_ids_and_nothing_is_half_counted() -> None:
    ledger = Ledger()
    with pytest.raises(BadInput, match="position"):
        ledger.seen_many(["a", "b"], [(0, 1)])
    assert ledger.result().seen == 0


def test_what_is_shown_is_escaped_and_short() -> None:
    ledger = Ledger()
    ledger.acknowledged("<script>alert(1)</script>")
    for n in range(30):
        ledger.acknowledged(f"T{n:04d}")
    html, text = ledger._repr_html_(), str(ledger)
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "and 23 more" in html
    assert "and 23 more" in text
    assert "lost" in text
    assert "31" in text


def test_the_dictionary_is_plain_json() -> None:
    import json

    ledger = Ledger()
    ledger.sent("a")
    out = json.loads(json.dumps(ledger.result().to_dict()))
    assert {"sent", "acknowledged", "seen", "lost", "duplicated"} <= out.keys()
    assert out["unacknowledged_ids"] == ["a"]
