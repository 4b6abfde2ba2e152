"""Answers go out of a kernel as plain values and nothing else, whatever the kernel says; one form for each."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter, deque, namedtuple
from collections.abc import Iterator
from contextlib import suppress
from enum import IntEnum
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafkalab.exercises.judging import NotAttempted, Wrong, call, is_blank, kind_of, taken
from kafkalab.exercises.plain import plain
from kafkalab.grading.values import Malformed, decoded, encoded, read
from tests.support.answers import nowhere, through

plains = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary() | st.just(...),
    lambda inner: (
        st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text() | st.integers(), inner)
        | st.sets(st.integers() | st.text()) | st.frozensets(st.integers())
    ),
    max_leaves=20,
)  # fmt: skip


@given(plains)
def test_a_plain_value_arrives_as_it_is_and_goes_in_again(value: Any) -> None:
    found = through(value)
    assert (found, type(found)) == (value, type(value))
    there = decoded(json.loads(json.dumps(encoded(value, strictly=True))))
    assert (there, type(there)) == (value, type(value))


def test_what_is_too_large_or_too_deep_is_no_answer() -> None:
    deep: list[Any] = []
    for _ in range(100):
        deep = [deep]
    loop: list[Any] = []
    loop.append(loop)
    for value in (deep, loop, "x" * 20_000_000, list(range(400_000)), 10**60_000, itertools.count()):
        with pytest.raises(Wrong, match=r"is too large for|is nested too deep for|has no end in sight"):
            through(value)


def test_functions_are_called_where_they_are() -> None:
    def double(value: Any) -> Any:
        return value * 2

    def blank(value: Any) -> Any: ...

    def breaks() -> Iterator[int]:
        yield 1
        raise OSError("gone")

    found = through(double)
    assert callable(found) and not is_blank(found)
    assert [call(found, 21), call(found, b"ab")] == [42, b"abab"]
    assert is_blank(through(blank))
    with pytest.raises(Wrong, match=r"raised TypeError: .*argument"):
        call(found)
    with pytest.raises(NotAttempted):
        call(through(lambda: ...))
    # Generators are read there too, and not for ever.
    with pytest.raises(Wrong, match="no end in sight"):
        call(through(itertools.count))
    with pytest.raises(Wrong, match=r"raised OSError: gone, in line \d+: `raise OSError"):
        call(through(breaks))


scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
tags = st.sampled_from(["...", "int", "float", "bytes", "dict", "items", "all", "object", "function"])


@given(
    st.recursive(
        scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(tags, inner, max_size=2), max_leaves=15
    )
)
def test_no_word_of_a_kernel_breaks_the_grader(said: Any) -> None:
    for whole in (said, {"value": said}, {"wrong": said}, {"value": {"x": said}}):
        with suppress(Malformed, Wrong):
            read(json.dumps(whole), "x", nowhere)


def test_what_no_kernel_can_have_said_is_malformed() -> None:
    values: list[Any] = [{"all": ["set", [[]]]}, {"all": ["eval", []]}, {"dict": [[[], 1]]}, {"int": "zz"}, 5]
    values += [{"float": "x"}, {"bytes": "?"}, [{"function": ["f", "", True]}]]
    for said in ("", "!!!", "[" * 99_999, *(json.dumps({"value": value}) for value in values)):
        with pytest.raises(Malformed):
            read(said, "x", nowhere)
    with pytest.raises(TypeError, match="plain values only"):
        encoded([nowhere], strictly=True)


# one form for each answer

Place = namedtuple("Place", "topic partition")


class Codec(IntEnum):
    GZIP = 1


FORMS: list[tuple[Any, Any]] = [
    *((np.int64(3), 3), (np.float32(0.5), 0.5), (np.bool_(True), True), (np.str_("a"), "a"), (np.bytes_(b"a"), b"a")),
    *((Codec.GZIP, 1), (bytearray(b"ab"), b"ab"), (np.array([[1], [2]]), [[1], [2]]), (range(3), [0, 1, 2])),
    *((deque("ab"), ["a", "b"]), ({"a": 1}.keys(), ["a"]), (Counter("aab"), {"a": 2, "b": 1})),
    *((lambda: {0: iter(["x"])}, {0: ["x"]}), ({Place("t", np.int32(0)): deque([b"x"])}, {("t", 0): [b"x"]})),
    (MappingProxyType({"a": [bytearray(b"x"), ({np.int16(4)},)]}), {"a": [b"x", ({4},)]}),
]


def test_what_has_the_same_in_it_is_the_same_answer() -> None:
    for value, form in FORMS:
        make = value if callable(value) else lambda value=value: value
        assert repr(taken(make())) == repr(through(make())) == repr(form)


def test_what_is_no_plain_value_keeps_its_kind_and_nothing_of_its_cunning() -> None:
    class Everything:
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = None  # type: ignore[assignment]

    everything = Everything()
    for value in (everything, print, int, Codec, ...):
        assert plain(value) is value
    for found in (through(everything), through([everything])[0]):
        assert found != 3 and kind_of(found) == "an Everything"
    assert math.isnan(through(math.nan))
    for value, words in ((deque(), "a deque"), (np.array([1]), "a numpy array"), ((n for n in ()), "a generator (`y")):
        form = plain(value)
        assert kind_of(form).startswith(words) and kind_of(through(form)).startswith(words)
