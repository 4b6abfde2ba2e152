"""Facts on tracks: what a state was at any moment, in any order of asking, and what a list held."""

from __future__ import annotations

import copy
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kafkalab.history.facts import KEPT_EVERY, Facts
from kafkalab.state.patch import diff

values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=12,
)


@settings(max_examples=40)
@given(st.lists(values, min_size=1, max_size=3 * KEPT_EVERY), st.randoms(use_true_random=False))
def test_a_state_is_at_each_moment_what_it_was(was: list[Any], random: Any) -> None:
    facts, kept = Facts(), copy.deepcopy(was)
    for at, (last, value) in enumerate(pairwise([None, *was])):
        facts.patch("s", float(at), diff(last, value))
    for at in random.choices(range(len(was)), k=2 * len(was)):
        assert facts.value("s", at + 0.5) == kept[at]
    assert (facts.value("s", -1), facts.value("s")) == (None, kept[-1])
    assert was == kept, "a value that was put in was changed"


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 20), st.integers())), st.integers(0, 20))
def test_a_list_is_in_the_order_of_its_times(told: list[tuple[int, int]], at: int) -> None:
    facts = Facts()
    for when, item in told:
        facts.add("l", float(when), item)
    told.sort(key=lambda one: one[0])
    assert list(zip(facts.times("l"), facts.items("l"), strict=True)) == told
    assert facts.items("l", at) == [item for when, item in told if when <= at]
    assert facts.count("l", at) == sum(when <= at for when, _ in told)
    assert facts.seconds == max((when for when, _ in told), default=0)


def test_a_patch_that_does_not_fit_is_refused_and_nothing_is_changed() -> None:
    facts = Facts()
    facts.patch("s", 1.0, diff(None, {"a": 1, "l": [1]}))
    ops: list[Any] = [
        ["set", ["a", "b"], 1], ["del", ["z"]], ["cut", ["a"], 1], ["add", ["l"], 1], ["set", ["l", 9], 1],
        ["turn", ["l"], 1], ["set", ["a"]], 7, ["set", ["a"] * 100_000, 1], ["set", [["a"]], 1],
    ]  # fmt: skip
    for patch in (7, *([op] for op in ops)):
        for track in ("s", "new"):
            with pytest.raises((LookupError, TypeError, ValueError, AttributeError)):
                facts.patch(track, 2.0, patch)
        assert facts.value("s") == {"a": 1, "l": [1]}, str(patch)[:60]
    assert (facts.tracks(), facts.seconds, facts.value("s")["a"]) == (("s",), 1.0, 1)
    facts.patch("s", 0.5, diff({"a": 1}, {"a": 2}))
    assert (facts.value("s", 0.9), facts.value("s", 1.0)["a"]) == (None, 2), "one that is late counts as the last"


def test_a_track_is_a_state_or_a_list() -> None:
    facts = Facts()
    facts.add("t", 1.0, 1)
    facts.patch("s", 1.0, diff(None, {}))
    with pytest.raises(TypeError, match="both as a list and as a state"):
        facts.patch("t", 1.0, diff(None, {}))
    with pytest.raises(TypeError, match="both as a list and as a state"):
        facts.add("s", 1.0, 1)
    assert (facts.tracks(), facts.tracks("t")) == (("s", "t"), ("t",))
