"""An answer has one form, in the notebook and for a grader, whatever a learner likes to put it in."""

from __future__ import annotations

import array
import itertools
from collections import ChainMap, Counter, UserDict, UserList, deque, namedtuple
from enum import IntEnum
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from kafkalab.checks.judging import Wrong, kind_of, taken, whole_number
from kafkalab.checks.plain import plain
from tests.integration.lab_answers import through

Place = namedtuple("Place", "topic partition")


class Codec(IntEnum):
    GZIP = 1


FORMS: list[tuple[Any, Any]] = [
    *((np.int64(3), 3), (np.array(5), 5), (np.sum([1, 2]), 3), (np.float64(1.5), 1.5), (np.float32(0.5), 0.5)),
    *((np.bool_(True), True), (np.str_("a"), "a"), (np.bytes_(b"a"), b"a"), (Codec.GZIP, 1)),
    *((bytearray(b"ab"), b"ab"), (memoryview(b"ab"), b"ab")),
    *((np.array([1, 2]), [1, 2]), (np.array([[1], [2]]), [[1], [2]]), (array.array("i", [1, 2]), [1, 2])),
    *((deque("ab", maxlen=2), ["a", "b"]), (range(3), [0, 1, 2]), (UserList([1]), [1])),
    *((lambda: iter("ab"), ["a", "b"]), (lambda: map(str, (1, 2)), ["1", "2"])),
    *(({"a": 1}.keys(), ["a"]), ({"a": 1}.items(), [("a", 1)])),
    *((Place("t", np.int32(1)), ("t", 1)), ({Place("t", 0): 1}, {("t", 0): 1})),
    *(({np.int64(0): deque([b"x"])}, {0: [b"x"]}), ({np.int64(1), np.int64(2)}, {1, 2})),
    (lambda: {0: iter(["x"]), 1: (one for one in ["y"])}, {0: ["x"], 1: ["y"]}),
    *((Counter("aab"), {"a": 2, "b": 1}), (UserDict(a=np.int8(1)), {"a": 1}), (ChainMap({"a": 1}), {"a": 1})),
    *((MappingProxyType({"a": [bytearray(b"x")]}), {"a": [b"x"]}), ([{"a": ({np.int16(4)},)}], [{"a": ({4},)}])),
]


def kinds(value: Any) -> Any:
    """The classes in a value, all the way down."""
    if isinstance(value, dict):
        return [type(value), [(kinds(key), kinds(one)) for key, one in value.items()]]
    return [type(value), [kinds(one) for one in value]] if isinstance(value, list | tuple | set) else type(value)


def test_what_has_the_same_in_it_is_the_same_answer() -> None:
    for value, form in FORMS:
        make = value if callable(value) else lambda value=value: value
        here, there = taken(make()), through(make())
        assert here == there == form
        assert kinds(here) == kinds(there)


def test_what_is_no_plain_value_stays_what_it_is() -> None:
    class Column:
        def __iter__(self) -> Any:
            raise TypeError("not iterable")

    for value in (object(), Column(), print, int, Codec, ...):
        assert plain(value) is value


def test_a_kind_is_remembered_for_the_words() -> None:
    several = ((deque(), "a deque"), (np.array([1]), "a numpy array"), ((n for n in ()), "a generator (`yield`"))
    for value, words in several:
        form = plain(value)
        assert kind_of(form).startswith(words) and kind_of(through(form)).startswith(words)


def test_what_cannot_be_gone_through_is_the_answers_fault() -> None:
    def breaks() -> Any:
        yield 1
        raise OSError("gone")

    for value, words in ((breaks(), "raised OSError: gone"), (itertools.count(), "has no end in sight")):
        with pytest.raises(Wrong, match=f"Your answer {words}"):
            taken(value)


def test_numbers_of_numpy_are_whole_numbers_and_truth_is_not() -> None:
    assert whole_number(taken(np.int64(7)), "A count") == 7
    for value in (np.bool_(True), np.float64(7)):
        with pytest.raises(Wrong):
            whole_number(taken(value), "A count")
