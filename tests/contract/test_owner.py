"""A cluster ends with its owner, in whatever way the owner goes; with a name, its data stay for the next start."""

from __future__ import annotations

import signal
from collections.abc import Callable

import pytest

from kafkalab.cluster.backends import clean_abandoned
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.commands.clusters import down
from kafkalab.waiting import wait_until
from tests.contract.conftest import Kind
from tests.support.containers import Engine
from tests.support.owners import WAIT, end, own
from tests.support.traces import processes_of

__all__ = ["own"]

LOCAL, CONTAINERS = Kind("local", "kraft"), Kind("docker", "kraft")


@pytest.fixture
def left(kind: Kind, request: pytest.FixtureRequest) -> Callable[[str], list[str]]:
    """What there is of a cluster besides its folder."""
    if kind.backend == "docker":
        return Engine(request.getfixturevalue("engine")).everything
    return lambda name: [str(process) for process in processes_of(name)]


def gone(name: str, left: Callable[[str], list[str]]) -> None:
    wait_until(lambda: not left(name), 15, "everything of it to be gone", seen=lambda: left(name))
    wait_until(lambda: not ClusterFolder.of(name).path.exists(), 10, "its folder to be gone")


#: Its stdin is closed when the test ends.
FORK = "if os.fork() == 0:\n    os.close(1)\n    os.close(2)\n    sys.stdin.read()\n    os._exit(0)\n" + WAIT
#: How an owner goes: what it does by itself, and what is sent to it.
WAYS = {
    "killed": (WAIT, signal.SIGKILL),
    "killed, and a fork of it holds its pipes": (FORK, signal.SIGKILL),
    "Ctrl-C": (WAIT, signal.SIGINT),
    "the end": ("", None),
    "an exception": ("raise RuntimeError('x')", None),
    "exit": ("sys.exit(3)", None),
}


def ways(kind: Kind, *names: str, deep: bool = True) -> list[object]:
    marks = [pytest.mark.deep] if deep else []
    return [pytest.param(kind, name, id=f"{kind}-{name}", marks=marks) for name in names]


@pytest.mark.parametrize("kind, way", [
    *ways(Kind("local", "zookeeper"), "killed", deep=False), *ways(LOCAL, "Ctrl-C", "the end", deep=False),
    *ways(LOCAL, "killed", "killed, and a fork of it holds its pipes", "an exception", "exit"),
    *ways(CONTAINERS, "killed", "the end"),
], indirect=["kind"])  # fmt: skip
def test_it_goes_with_its_owner(kind, left, own, way):
    then, number = WAYS[way]
    process, name = own(then, backend=kind.backend, mode=kind.mode)
    if number is None:
        said = process.communicate(timeout=60)[1]
        assert ("RuntimeError" in said) == (way == "an exception")
    else:
        assert left(name)
        process.send_signal(number)
        process.wait(60)
    gone(name, left)
    assert (ClusterFolder.of(name).kept_logs / "broker-101.log").stat().st_size > 0


@pytest.mark.deep
@pytest.mark.parametrize("kind", [LOCAL, CONTAINERS], ids=str, indirect=True)
def test_with_a_name_it_keeps_its_data_for_whoever_starts_it_next(kind, left, own, new_topic, a_name):
    topic, name = new_topic(), a_name()
    process, _ = own(f"cluster.create_topic({topic!r}); print('made', flush=True); {WAIT}", name=name,
                     backend=kind.backend, mode=kind.mode)  # fmt: skip
    assert process.stdout.readline() == "made\n"
    end(process, signal.SIGKILL)
    if kind.backend == "local":  # of containers a start waits itself until what is left of the old ones has gone
        wait_until(lambda: not left(name), 15, "its processes to be gone", seen=lambda: left(name))
    with kind.new(name=name) as cluster:
        assert cluster.snapshot().topic(topic) is not None
    assert left(name) == ([f"kafkalab-{name}-broker-101"] if kind.backend == "docker" else [])
    assert clean_abandoned() == []
    assert ClusterFolder.of(name).path.exists()
    assert "is removed" in down(name, remove=True)
    gone(name, left)
