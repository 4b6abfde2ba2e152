"""What a view draws through a recording, as a page takes it: states and patches, which moments, and what is dropped."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kafkalab.views.recording_page_told import Packed, fitted, moments, packed, plain_json, thinned, told

#: Plain JSON as views draw it, with names that mean something elsewhere.
NAMES = st.sampled_from(["a", "b", "__proto__", "</script>", "\u2028", "\ud800"])
JSON = st.recursive(
    st.none() | st.integers(-5, 5) | NAMES, lambda x: st.lists(x, max_size=4) | st.dictionaries(NAMES, x, max_size=4)
)
STATES = st.lists(st.dictionaries(NAMES, JSON, max_size=4), min_size=1, max_size=12)


def unpacked(text: str) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(text)))


@settings(max_examples=30)
@given(STATES)
def test_each_state_is_what_the_patches_make_of_the_first(states: list[dict[str, Any]]) -> None:
    found = dict(told((10 * i, state) for i, state in enumerate(states)).states())
    last = None
    for i, state in enumerate(states):
        last = found.get(10 * i, last)
        assert last == state, "one that is missing is the same as the one before"


def test_which_moments_are_kept() -> None:
    whole = told([(0, {"a": 1}), (10, {"a": 1}), (20, {"a": 2}), (30, {"a": 2})])
    assert (whole.times, len(whole.patches)) == ([0, 20], 1), "equal states are told once"
    # Of each stretch the last, and every event; never later than it was: 1.001 is a little less in binary.
    assert moments([0.01, 0.05, 0.099, 0.1, 0.31], 100, [0.0501]) == [50, 99, 100, 310]
    assert moments([1.001], 100, []) == [1000]
    whole = told((at, {"n": at, "list": list(range(at // 100))}) for at in range(0, 5000, 100))
    thin = thinned(whole, 1000, [1200, 1300])
    assert thin.times == [0, 900, 1200, 1300, 1900, 2900, 3900, 4900], "the events and the end stay"
    states = dict(whole.states())
    assert dict(thin.states()) == {at: states[at] for at in thin.times}


def test_whole_states_stand_between_the_patches_now_and_then() -> None:
    whole = told((i, {"n": i, "text": "x" * 50, "list": [i, -i]}) for i in range(500))
    found = unpacked(packed(whole, {"traits": {"topic": "a"}}))
    states = [state for _, state in whole.states()]
    assert len(found["whole"]) > 3
    assert all(states[int(place)] == state for place, state in found["whole"].items())
    assert len(plain_json(found["whole"])) < len(plain_json(found["patches"])) / 3, "they are a small part of it"
    assert (found["at"], found["first"], found["traits"]) == (list(range(500)), states[0], {"topic": "a"})


def test_json_is_what_every_browser_reads() -> None:
    text = plain_json({"a": [float("nan"), float("inf"), 1.5], "b": "\ud800\u2028é"})
    assert text == '{"a":[null,null,1.5],"b":"\\ud800\\u2028\\u00e9"}'


def heavy(count: int, **besides: Any) -> Packed:
    """So many states of hashed text, which cannot be compressed; one each 100 ms."""
    texts = [hashlib.sha256(str(i).encode()).hexdigest() for i in range(count)]
    return Packed(told((100 * i, {"n": text}) for i, text in enumerate(texts)), besides, 100)


def test_what_is_too_heavy_is_thinned_the_heaviest_first_and_then_left_out() -> None:
    packs = {"cluster": heavy(20), "log": heavy(200), "group": heavy(100)}
    sizes = {name: len(pack.text) for name, pack in packs.items()}

    def kept(room: int, events: list[int]) -> tuple[dict[str, Packed], list[str]]:
        return fitted(packs, room, events, lambda name: name == "cluster")

    room = sum(sizes.values()) - sizes["log"] // 3
    some, out = kept(room, [0])
    assert out == [] and sum(len(pack.text) for pack in some.values()) <= room
    assert (some["cluster"], some["group"]) == (packs["cluster"], packs["group"])
    assert 0 < len(some["log"].told.times) < 200
    for room in (sizes["cluster"] + 100, 10):
        some, out = kept(room, [100 * i for i in range(200)])
        assert (list(some), sorted(out)) == (["cluster"], ["group", "log"]), "never what is needed"
    # Records further back go before any moment does.
    thinner = heavy(200, traits={"topic": "a"}, answers=[{"0": {"cells": [[0, "r"]]}}]).thinner([])
    assert thinner is not None and thinner.told == packs["log"].told
    assert thinner.besides == {"traits": {"topic": "a"}, "answers": []}
    assert heavy(0).thinner([]) is None
