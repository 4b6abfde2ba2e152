"""The lines of "what happened"."""

from __future__ import annotations

from typing import Any

from kafkalab.state.model import Event
from kafkalab.views.cluster.events import KEPT, LONGEST, PARTS, EventLines


def moved(at: float, partition: int, to: int) -> Event:
    return Event(at, "leader_moved", f"t P{partition}: leader 102 → {to}", "t", partition, to)


def told(*moments: list[Event]) -> list[dict[str, Any]]:
    lines = EventLines()
    for events in moments:
        lines.add(events)
    return lines.list()


def test_time_runs_from_the_learners_last_action() -> None:
    lines = told(
        [Event(90.0, "broker_up", "broker 101 is up")],
        [Event(100.0, "you", "you killed broker 102")],
        [Event(103.12, "broker_down", "broker 102 is down"), Event(110.0, "you", "you started broker 102")],
        [Event(110.5, "committed", "chatter, which is left out"), Event(111.5, "broker_up", "broker 102 is up")],
    )
    assert [(line["n"], line["since"]) for line in lines] == [(1, None), (2, 0.0), (3, 3.12), (4, 0.0), (5, 1.5)]


def test_a_crowd_of_one_moment_is_one_line_with_each_inside() -> None:
    few = [moved(1.0, p, 103) for p in range(3)]
    assert [line["text"] for line in told(few)] == [event.text for event in few]
    crowd = [moved(1.0, 0, 103), moved(1.0, 1, 101), moved(1.0, 2, 103), moved(1.0, 5, 103)]
    shared = [Event(1.0, "isr_shrank", "", "t", p, 102) for p in range(4)]
    summary = Event(1.0, "isr_shrank", "it sums up partitions itself", "__consumer_offsets")
    lines = told([Event(1.0, "broker_down", "broker 102 is down"), *crowd, *shared, summary, moved(2.0, 7, 103)])
    assert [line["text"] for line in lines] == [
        "broker 102 is down",
        "4 partitions have another leader: 101 leads t P1; 103 leads t P0 P2 P5",
        summary.text,
        "102 left the ISR of 4 partitions: t P0–P3",
        "t P7: leader 102 → 103",
    ]
    assert lines[1]["parts"] == [event.text for event in crowd] and lines[-1]["parts"] == []


def test_lines_what_they_sum_up_and_how_long_they_are_are_bounded() -> None:
    kept = told(*([Event(float(n), "topic_created", "t")] for n in range(KEPT + 50)))
    assert (len(kept), kept[0]["n"], kept[-1]["n"]) == (KEPT, 51, KEPT + 50)
    crowd, endless = told([moved(1.0, p, 103) for p in range(1000)], [Event(2.0, "group_created", "x" * 32_000)])
    assert (len(crowd["parts"]), crowd["parts"][-1]) == (PARTS + 1, f"… and {1000 - PARTS} more")
    assert len(endless["text"]) <= LONGEST + 10
