"""One suite over every backend: a warm cluster of each, healed after each test."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from kafkalab import Cluster
from kafkalab.cluster.backend import BackendName
from kafkalab.cluster.spec import MODES, Mode
from tests.docker.conftest import engine
from tests.support.clusters import heal, warm

__all__ = ["engine"]


@dataclass(frozen=True)
class Kind:
    """A backend in a mode: what the suite runs over."""

    backend: BackendName
    mode: Mode

    def __str__(self) -> str:
        return f"{self.backend}-{self.mode}"

    def new(self, brokers: int = 1, **more: Any) -> Cluster:
        """A cluster of this kind."""
        return Cluster(brokers, self.mode, backend=self.backend, quiet=True, **more)


def _kind(backend: BackendName, mode: Mode, *, deep: bool = False) -> Any:
    found = Kind(backend, mode)
    return pytest.param(found, id=str(found), marks=[pytest.mark.deep] if deep else [])


#: Both models cost nothing.
MODELS = [_kind("fake", mode) for mode in MODES]
#: With brokers: one of them in each tier, and the other mode.
REAL = [_kind("local", "zookeeper"), _kind("local", "kraft", deep=True), _kind("docker", "zookeeper", deep=True)]
#: What containers may do differently by mode.
EVERY = [*REAL, _kind("docker", "kraft", deep=True)]


def over(kinds: list[Any]) -> pytest.MarkDecorator:
    """Run a test over other kinds than usual."""
    return pytest.mark.parametrize("kind", kinds, indirect=True)


@pytest.fixture(params=[*MODELS, *REAL])
def kind(request: pytest.FixtureRequest, home: object) -> Kind:
    """Each backend, in the modes that tell something new."""
    found: Kind = request.param
    if found.backend == "docker":
        request.getfixturevalue("engine")
    return found


@pytest.fixture
def cluster(kind: Kind) -> Iterator[Cluster]:
    """Three warm brokers of that kind."""
    found = warm(kind.mode, kind.backend)
    yield found
    heal(found)


@pytest.fixture
def a_name(home: object) -> Callable[[], str]:
    """Makes names no other cluster has."""
    return lambda: f"named-{uuid.uuid4().hex[:6]}"
