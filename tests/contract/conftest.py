"""One suite over every backend, in both modes: a cluster of each is kept warm, and healed after each test."""

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
from tests.support.clusters import heal

__all__ = ["engine"]

BACKENDS: tuple[BackendName, ...] = ("fake", "local", "docker")


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


KINDS = [Kind(b, m) for b in BACKENDS for m in MODES]
#: Those with brokers that a client can talk to.
REAL = [kind for kind in KINDS if kind.backend != "fake"]


@pytest.fixture(
    scope="session",
    params=KINDS,
    ids=str,
)
def kind(request: pytest.FixtureRequest, home: object) -> Kind:
    """Every backend in every mode; session scope makes pytest group the tests by it."""
    found: Kind = request.param
    if found.backend == "docker":
        request.getfixturevalue("engine")
    return found


@pytest.fixture(scope="session")
def warm(kind: Kind) -> Iterator[Cluster]:
    """Three brokers of that kind."""
    name = None if kind.backend == "fake" else f"contract-{uuid.uuid4().hex[:6]}"
    with kind.new(3, name=name, throw_away=True) as cluster:
        yield cluster


@pytest.fixture
def cluster(warm: Cluster) -> Iterator[Cluster]:
    """The warm cluster, healed after each test."""
    yield warm
    heal(warm)


@pytest.fixture
def a_name() -> Callable[[], str]:
    """Makes names no other cluster has."""
    return lambda: f"named-{uuid.uuid4().hex[:6]}"
