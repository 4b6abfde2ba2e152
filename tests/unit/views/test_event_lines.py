"""The lines of "what happened"."""

from __future__ import annotations

from kafkalab.state.event import Event
from kafkalab.views.event_lines import KEPT, LONGEST, PARTS, EventLines


def moved(at: float, partition: int, to: int) -> Event:
    return Event(at, "leader_moved", f"t P{partition}: leader 102 → {to}", "t", partition, to)


def test_time_runs_from_the_learners_last_action() -> None:
    lines = EventLines()
    lines.add([Event(90.0, "broker_up", "broker 101 is up")])
    lines.add([Event(100.0, "you", "you killed broker 102")])
    lines.add([Event(103.12, "broker_down", "broker 102 is down")])
    lines.add([Event(110.0, "you", "you started broker 102"), Event(111.5, "broker_up", "broker 102 is up")])
    assert [line["since"] for line in lines.list()] == [None, 0.0, 3.12, 0.0, 1.5]
    assert [line["n"] for line in lines.list()] == [1, 2, 3, 4, 5]


def test_chatty_events_are_left_out() -> None:
    lines = EventLines()
    assert not lines.add([Event(1.0, "committed", "group g committed 5 offsets further")])
    assert lines.list() == []


def test_few_of_a_kind_are_told_one_by_one() -> None:
    lines = EventLines()
    lines.add([moved(1.0, 0, 103), moved(1.0, 1, 103), moved(1.0, 2, 103)])
    assert [line["text"] for line in lines.list()] == [f"t P{p}: leader 102 → 103" for p in range(3)]


def test_a_crowd_of_one_moment_is_one_line_with_each_inside() -> None:
    lines = EventLines()
    crowd = [moved(1.0, 0, 103), moved(1.0, 1, 101), moved(1.0, 2, 103), moved(1.0, 5, 103)]
    lines.add([Event(1.0, "broker_down", "broker 102 is down"), *crowd, moved(2.0, 7, 103)])
    first, second, third = lines.list()
    assert first["text"] == "broker 102 is down"
    assert second["text"] == "4 partitions have another leader: 101 leads t P1; 103 leads t P0 P2 P5"
    assert second["parts"] == [event.text for event in crowd]
    assert (third["text"], third["parts"]) == ("t P7: leader 102 → 103", [])


def test_a_crowd_that_shares_a_broker_says_so() -> None:
    lines = EventLines()
    lines.add([Event(1.0, "isr_shrank", f"ISR of t P{p}: …", "t", p, 102) for p in range(4)])
    lines.add([Event(2.0, "isr_shrank", f"ISR of t P{p}: …", "t", p, None) for p in range(4)])
    assert [line["text"] for line in lines.list()] == [
        "102 left the ISR of 4 partitions: t P0–P3",
        "the ISR of 4 partitions shrank: t P0–P3",
    ]


def test_an_event_that_sums_up_partitions_itself_is_not_counted_as_one() -> None:
    lines = EventLines()
    summary = Event(1.0, "isr_shrank", "ISR of 50 partitions of __consumer_offsets: without 102", "__consumer_offsets")
    crowd = [Event(1.0, "isr_shrank", "…", "t", p, 102) for p in range(4)]
    lines.add([*crowd, summary])
    assert [line["text"] for line in lines.list()] == [summary.text, "102 left the ISR of 4 partitions: t P0–P3"]


def test_the_list_is_bounded_and_its_numbers_go_on() -> None:
    lines = EventLines()
    for n in range(KEPT + 50):
        lines.add([Event(float(n), "topic_created", f"topic {n}")])
    kept = lines.list()
    assert len(kept) == KEPT
    assert (kept[0]["n"], kept[-1]["n"]) == (51, KEPT + 50)


def test_what_a_line_sums_up_and_how_long_it_is_are_bounded() -> None:
    lines = EventLines()
    lines.add([moved(1.0, p, 103) for p in range(1000)])
    lines.add([Event(2.0, "group_created", f"group {'x' * 32_000} created")])
    crowd, endless = lines.list()
    assert len(crowd["parts"]) == PARTS + 1
    assert crowd["parts"][-1] == f"… and {1000 - PARTS} more"
    assert len(endless["text"]) <= LONGEST + 10
