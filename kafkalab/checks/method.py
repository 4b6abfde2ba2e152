"""Method: a method that, shown without its parentheses, says what to type."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, cast

_P = ParamSpec("_P")
_R = TypeVar("_R")


class _Bound(partial[Any]):
    """The method of one object; ``words`` is what its repr says."""

    words = ""

    def __repr__(self) -> str:
        return self.words


class Method(Generic[_P, _R]):
    """Decorates a method of an object with a ``name_in_labs``: ``q1.hint`` alone in a cell shows "type q1.hint()"."""

    def __init__(self, method: Callable[Concatenate[Any, _P], _R]) -> None:
        self._method = method
        self.__doc__ = method.__doc__
        self._blank = "…" if ... in (getattr(method, "__defaults__", None) or ()) else ""

    def __get__(self, one: Any, owner: type) -> Callable[_P, _R]:
        if one is None:
            return cast("Callable[_P, _R]", self._method)
        bound = _Bound(self._method, one)
        bound.__doc__ = self.__doc__
        bound.words = f"Type the parentheses too: {one.name_in_labs}.{self._method.__name__}({self._blank})"
        return bound
