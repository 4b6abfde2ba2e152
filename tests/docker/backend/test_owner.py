"""Owners, guards and folders of clusters of containers. (How owners go: tests/contract.)"""

from __future__ import annotations

import shutil
import signal
import subprocess

import psutil
import pytest

from kafkalab import Cluster
from kafkalab.cluster.docker.guard import clean_abandoned
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.commands.clusters import down, status
from kafkalab.errors import BadInput, StartFailed
from kafkalab.waiting import wait_until
from tests.support.owners import end, own

__all__ = ["own"]

pytestmark = pytest.mark.deep

DOCKER = {"backend": "docker", "mode": "kraft"}


def guard_of(process: subprocess.Popen[str]) -> psutil.Process:
    children = psutil.Process(process.pid).children()
    (guard,) = (p for p in children if "kafkalab.cluster.docker.guard" in " ".join(p.cmdline()))
    return guard


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_ended_while_it_starts(own, there, a_name, number):
    process, _ = own(ready=False, name=a_name, throw_away=True, **DOCKER)
    wait_until(lambda: there.containers(a_name), 60, "the first container")
    end(process, number)
    wait_until(lambda: not there.everything(a_name), 20, "everything to be gone", seen=lambda: there.everything(a_name))
    wait_until(lambda: not ClusterFolder.of(a_name).path.exists(), 10, "its folder to be gone")


def test_killed_with_its_guard_it_is_cleaned_up_by_the_next_start(own, there, up, monkeypatch, tmp_path):
    process, name = own(**DOCKER)
    guard = guard_of(process)
    assert clean_abandoned() == []
    assert len(there.containers(name)) == 1
    guard.kill()
    end(process, signal.SIGKILL)
    # Another user of the same engine has other things to look after.
    with monkeypatch.context() as other:
        other.setenv("KAFKALAB_HOME", str(tmp_path))
        assert clean_abandoned() == []
    assert len(there.everything(name)) == 3
    with up():
        assert there.everything(name) == []
        assert not ClusterFolder.of(name).path.exists()


def test_a_detached_one_lives_on_and_is_found_ended_and_started_by_anybody(own, there, up, a_name):
    process, _ = own("", name=a_name, detached=True, **DOCKER)
    process.communicate(timeout=60)
    assert clean_abandoned() == []
    listed = next(c for c in status()["clusters"] if c["name"] == a_name)
    assert listed["running"] and listed["backend"] == "docker"
    assert [n["state"] for n in listed["nodes"]] == ["running"] and listed["nodes"][0]["container"]
    with pytest.raises(StartFailed, match="running already"):
        up(name=a_name, detached=True)
    # With no node running, as after the machine was started again, it is started anew on its data.
    Cluster.attach(a_name).broker(101).kill()
    with pytest.raises(BadInput, match="is not running"):
        Cluster.attach(a_name)
    was = listed["cluster_id"]
    assert up(name=a_name, detached=True).cluster_id == was
    Cluster.attach(a_name).stop()
    assert there.everything(a_name) == [f"kafkalab-{a_name}-broker-101"]
    assert not next(c for c in status()["clusters"] if c["name"] == a_name)["running"]
    # Data whose folder somebody removed are nobody's.
    shutil.rmtree(ClusterFolder.of(a_name).path)
    assert clean_abandoned() == [a_name]
    assert there.everything(a_name) == []


def test_ended_by_another_process_its_guard_ends_too_and_the_owner_ends_nobody_elses(own, there, up, a_name):
    process, _ = own("sys.stdin.readline()", name=a_name, **DOCKER)
    guard = guard_of(process)
    Cluster.attach(a_name).stop()
    # A zombie, until its parent looks.
    wait_until(lambda: not guard.is_running() or guard.status() == psutil.STATUS_ZOMBIE, 10, "the guard to end")
    with up(name=a_name) as cluster:
        # The first owner goes, and its finalizers with it; the cluster of that name is another's by now.
        end(process, signal.SIGINT)
        assert cluster.broker(101).state == "running"
        assert len(there.containers(a_name)) == 1
    down(a_name, remove=True)
