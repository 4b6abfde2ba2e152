"""What a view draws through a recording, as a page takes it: states and patches, which moments, and what is dropped."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafkalab.views.recording_page_told import Packed, Told, fitted, moments, packed, plain_json, thinned, told

#: Plain JSON as views draw it, with names that mean something elsewhere.
NAMES = st.sampled_from(["a", "b", "__proto__", "</script>", "\u2028", "\ud800"])
JSON = st.recursive(
    st.none() | st.integers(-5, 5) | NAMES, lambda x: st.lists(x, max_size=4) | st.dictionaries(NAMES, x, max_size=4)
)
STATES = st.lists(st.dictionaries(NAMES, JSON, max_size=4), min_size=1, max_size=12)


def unpacked(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(text)))
    return found


@given(STATES)
def test_each_state_is_what_the_patches_make_of_the_first(states: list[dict[str, Any]]) -> None:
    whole = told((10 * i, state) for i, state in enumerate(states))
    found = dict(whole.states())
    last = None
    for i, state in enumerate(states):
        last = found.get(10 * i, last)
        assert last == state, "one that is missing is the same as the one before"


def test_equal_states_are_told_once() -> None:
    whole = told([(0, {"a": 1}), (10, {"a": 1}), (20, {"a": 2}), (30, {"a": 2})])
    assert (whole.times, len(whole.patches)) == ([0, 20], 1)


def test_of_each_stretch_the_last_moment_is_kept_and_every_event() -> None:
    assert moments([0.01, 0.05, 0.099, 0.1, 0.31], 100, [0.0501]) == [50, 99, 100, 310]
    assert moments([1.001], 100, []) == [1001 - 1], "never later than it was: 1.001 is a little less in binary"


def test_fewer_moments_keep_the_events_and_the_end_and_every_state_that_is_left_is_the_same() -> None:
    whole = told((at, {"n": at, "list": list(range(at // 100))}) for at in range(0, 5000, 100))
    thin = thinned(whole, 1000, [1200, 1300])
    assert thin.times == [0, 900, 1200, 1300, 1900, 2900, 3900, 4900]
    states = dict(whole.states())
    assert dict(thin.states()) == {at: states[at] for at in thin.times}


def test_a_quiet_stretch_is_not_shown_later_than_the_others() -> None:
    whole = told((at, {"n": at}) for at in (0, 100, 200, 300, 90_000))
    assert thinned(whole, 1000, []).times == [0, 300, 90_000]


def test_whole_states_stand_between_the_patches_now_and_then() -> None:
    whole = told((i, {"n": i, "text": "x" * 50, "list": [i, -i]}) for i in range(500))
    found = unpacked(packed(whole, {"traits": {"topic": "a"}}))
    states = [state for _, state in whole.states()]
    assert len(found["whole"]) > 3
    assert {int(place): state for place, state in found["whole"].items()} == {
        int(place): states[int(place)] for place in found["whole"]
    }
    assert len(plain_json(found["whole"])) < len(plain_json(found["patches"])) / 3, "they are a small part of it"
    assert (found["at"], found["first"], found["traits"]) == (list(range(500)), states[0], {"topic": "a"})


def test_json_is_what_every_browser_reads() -> None:
    assert plain_json({"a": [float("nan"), float("inf"), 1.5], "b": "\ud800\u2028é"}) == (
        '{"a":[null,null,1.5],"b":"\\ud800\\u2028\\u00e9"}'
    )


def heavy(size: int, count: int = 200) -> Packed:
    """So many states of hashed text, which cannot be compressed; one each 100 ms."""
    import hashlib

    texts = [hashlib.sha256(f"{size}/{i}".encode()).hexdigest() * size for i in range(count)]
    return Packed(told((100 * i, {"n": text}) for i, text in enumerate(texts)), {"traits": {}}, 100)


def test_what_is_too_heavy_is_thinned_the_heaviest_first_and_nothing_else() -> None:
    packs = {"cluster": heavy(1, 20), "log": heavy(1), "group": heavy(1, 100)}
    sizes = {name: len(pack.text) for name, pack in packs.items()}
    room = sum(sizes.values()) - sizes["log"] // 3
    kept, out = fitted(packs, room, [0], lambda name: name == "cluster")
    assert out == []
    assert sum(len(pack.text) for pack in kept.values()) <= room
    assert (kept["cluster"], kept["group"]) == (packs["cluster"], packs["group"])
    assert 0 < len(kept["log"].told.times) < 200


def test_what_cannot_be_thinned_enough_is_left_out_but_never_what_is_needed() -> None:
    packs = {"cluster": heavy(1, 20), "log": heavy(1)}
    every = [100 * i for i in range(200)]
    room = len(packs["cluster"].text) + 100
    kept, out = fitted(packs, room, every, lambda name: name == "cluster")
    assert (list(kept), out) == (["cluster"], ["log"])
    kept, out = fitted(packs, 10, every, lambda name: name == "cluster")
    assert list(kept) == ["cluster"]


def test_records_further_back_are_dropped_before_any_moment_is() -> None:
    answers = [{"0": {"from": 0, "to": 1, "cells": [[0, "r"]]}}]
    pack = Packed(heavy(1).told, {"traits": {"topic": "a"}, "answers": answers}, 100)
    thinner = pack.thinner([])
    assert thinner is not None
    assert thinner.told == pack.told
    found = unpacked(thinner.text)
    assert (found["answers"], found["traits"]) == ([], {"topic": "a"})
    assert pack.besides["answers"] == answers


@pytest.mark.parametrize("whole", [Told(), told([(0, {})])])
def test_what_has_one_state_or_none_cannot_be_thinned(whole: Told) -> None:
    assert Packed(whole, {}, 100).thinner([]) is None
