"""What is believed of brokers that start, and of topics that are gone."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from kafkalab.state import capture
from kafkalab.state.capture import LONGEST_DOUBT, Doubt

ALL = {101, 102, 103}
TOPICS = {"wide", "one", "three"}


class Told(Doubt):
    """Broker 101 answers where a test does not say who."""

    def saw(self, controller, brokers, topics, node=101):  # type: ignore[no-untyped-def]
        super().saw(controller, brokers, topics, node)

    def credible(self, controller, brokers, topics, node=101):  # type: ignore[no-untyped-def]
        return super().credible(controller, brokers, topics, node)


def doubt(controller: int | None = 101) -> Told:
    found = Told()
    found.saw(controller, ALL, TOPICS)
    return found


def test_a_topic_that_is_gone_is_believed_where_nothing_else_changed() -> None:
    for controller in (101, None):
        for left in (["wide", "one"], ["three"], []):
            assert doubt(controller).credible(controller, ALL, left), (controller, left)


def test_a_broker_that_starts_is_not_believed() -> None:
    found = doubt()
    assert not found.credible(-1, [], []), "it knows nobody"
    assert not found.credible(102, ALL, []), "topics do not all go along with the controller"
    assert not found.credible(101, {101}, []), "nor along with brokers"
    assert not found.credible(102, {101, 102}, ["wide", "one"]), "a new controller tells of topics one after the other"
    assert found.credible(102, {101, 102}, TOPICS)
    assert found.credible(101, {101, 102}, ["wide", "one"]), "the controller is the same: it knew of three"
    found.lost_sight()
    assert not found.credible(101, {101, 102}, ["wide", "one"]), "the same number, and started anew"
    assert not found.credible(101, ALL, []), "whatever changed meanwhile"
    assert found.credible(101, {101, 102}, TOPICS)


def test_a_topic_that_goes_under_a_new_controller_is_believed_of_who_knew_it() -> None:
    found = doubt()
    found.saw(102, {101, 102}, TOPICS, node=102)
    assert not found.credible(102, {101, 102}, ["wide"], node=101), "102 may not have told 101 yet"
    assert found.credible(102, {101, 102}, ["wide"], node=102)


def test_each_broker_that_starts_is_told_at_its_own_pace() -> None:
    found = doubt()
    found.lost_sight()
    found.saw(101, ALL, TOPICS)
    assert found.credible(101, ALL, ["wide"]), "101 knew all of them before"
    assert not found.credible(101, ALL, ["wide", "three"], node=103), "103 may not have been told of one yet"
    assert found.credible(101, ALL, TOPICS, node=103)
    found.saw(101, ALL, TOPICS, node=103)
    assert found.credible(101, ALL, ["wide", "three"], node=103)
    found.saw(101, {101, 102}, TOPICS)
    found.saw(101, ALL, TOPICS)
    assert not found.credible(101, ALL, ["wide", "three"], node=103), "103 was away"


def test_a_kraft_broker_tells_of_all_topics_or_of_none() -> None:
    found = doubt(None)
    found.lost_sight()
    assert not found.credible(None, {101}, [])
    assert found.credible(None, {101}, ["wide", "one"])


def test_doubt_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(capture, "time", SimpleNamespace(monotonic=lambda: now[0]))
    found = doubt()
    assert not found.going_on
    for now[0], believed in ((0.0, False), (LONGEST_DOUBT, False), (LONGEST_DOUBT + 0.5, True)):
        assert found.credible(102, ALL, []) == believed
        assert found.going_on
    found.saw(102, ALL, [])
    assert found.credible(102, ALL, [])
    assert not found.going_on
