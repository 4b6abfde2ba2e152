"""Containers end with their owner, in whatever way the owner goes; and what it could not end, the next start does."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from kafkalab import Cluster
from kafkalab.cluster.docker import owner
from kafkalab.cluster.docker.identity import NOBODY, is_dead, this_process
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.commands.clusters import down, status
from kafkalab.waiting import wait_until

OWNER = """
import json, signal, sys
from kafkalab import Cluster
cluster = Cluster(1, "kraft", backend="docker", quiet=True, **json.loads(sys.argv[1]))
print(cluster.name, flush=True)
{then}
"""
WAIT = "signal.pause()"


@pytest.fixture
def own(engine, home):
    """Starts a process that owns a cluster; ends what is left of it."""
    started = []

    def start(then: str = WAIT, ready: bool = True, **more: object) -> tuple[subprocess.Popen[str], str]:
        source = OWNER.replace("{then}", then)
        process = subprocess.Popen(
            [sys.executable, "-c", source, json.dumps(more)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # Whoever runs the tests in the background may have made them, and all they start, deaf to Ctrl-C.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        started.append(process)
        if not ready:
            return process, str(more["name"])
        assert process.stdout is not None
        name = process.stdout.readline().strip()
        assert name, process.communicate()[1]
        return process, name

    yield start
    for process in started:
        process.kill()
        process.communicate()


def guard_of(process: subprocess.Popen[str]) -> psutil.Process:
    found = [
        p for p in psutil.Process(process.pid).children() if "kafkalab.cluster.docker.guard" in " ".join(p.cmdline())
    ]
    assert len(found) == 1
    return found[0]


def test_killed_outright_its_containers_go_within_seconds(own, there):
    process, name = own()
    guard = guard_of(process)
    assert len(there.everything(name)) == 3
    process.kill()
    process.communicate()
    wait_until(
        lambda: not there.everything(name), 15, "everything of it to be gone", seen=lambda: there.everything(name)
    )
    wait_until(lambda: not guard.is_running(), 10, "its guard to end")
    assert not ClusterFolder.of(name).path.exists()
    assert (ClusterFolder.of(name).kept_logs / "broker-101.log").stat().st_size > 0


def test_killed_while_it_starts(own, there, a_name):
    process, _ = own(ready=False, name=a_name, throw_away=True)
    wait_until(lambda: there.containers(a_name), 60, "the first container")
    process.kill()
    process.communicate()
    wait_until(lambda: not there.everything(a_name), 20, "everything to be gone", seen=lambda: there.everything(a_name))
    wait_until(lambda: not ClusterFolder.of(a_name).path.exists(), 10, "its folder to be gone")


def test_interrupted_while_it_starts(own, there, a_name):
    process, _ = own(ready=False, name=a_name)
    wait_until(lambda: there.containers(a_name), 60, "the first container")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert there.everything(a_name) == []
    assert not ClusterFolder.of(a_name).path.exists()


def test_its_end_without_a_word_leaves_nothing(own, there):
    process, name = own("")
    assert process.communicate(timeout=60)[1] == ""
    assert process.returncode == 0
    assert there.everything(name) == []


def test_killed_a_cluster_with_a_name_keeps_its_data_and_no_container(own, there, up, new_topic, a_name):
    topic = new_topic()
    process, _ = own(f"cluster.create_topic({topic!r}); print('made', flush=True); {WAIT}", name=a_name)
    assert process.stdout.readline() == "made\n"
    process.kill()
    process.communicate()
    wait_until(lambda: not there.containers(a_name) and not there.networks(a_name), 15, "its containers to be gone")
    wait_until(lambda: not ClusterFolder.of(a_name).alive, 10, "its guard to end")
    assert owner.clean_abandoned() == []
    assert there.everything(a_name) == [f"kafkalab-{a_name}-broker-101"]
    with up(name=a_name) as cluster:
        assert cluster.snapshot().topic(topic) is not None
    assert "is removed" in down(a_name, remove=True)
    assert there.everything(a_name) == []


def test_whoever_starts_it_again_at_once_waits_until_the_old_one_is_gone(own, there, up, new_topic, a_name):
    topic = new_topic()
    process, _ = own(f"cluster.create_topic({topic!r}); print('made', flush=True); {WAIT}", name=a_name)
    assert process.stdout.readline() == "made\n"
    process.kill()
    process.communicate()
    with up(name=a_name) as cluster:
        assert cluster.snapshot().topic(topic) is not None
    down(a_name, remove=True)


def test_killed_with_its_guard_it_is_cleaned_up_by_whoever_looks_next(own, there, monkeypatch, tmp_path):
    process, name = own()
    guard = guard_of(process)
    guard.kill()
    # Its owner lives: nobody touches it, guard or no guard.
    assert owner.clean_abandoned() == []
    assert len(there.containers(name)) == 1
    process.kill()
    process.communicate()
    # Another user of the same engine has other things to look after.
    with monkeypatch.context() as other:
        other.setenv("KAFKALAB_HOME", str(tmp_path))
        assert owner.clean_abandoned() == []
    assert len(there.everything(name)) == 3
    assert name not in {c["name"] for c in status()["clusters"]}
    assert there.everything(name) == []
    assert not ClusterFolder.of(name).path.exists()


def test_killed_with_its_guard_it_is_cleaned_up_by_the_next_start(own, there, up):
    process, name = own()
    guard_of(process).kill()
    process.kill()
    process.communicate()
    with up() as cluster:
        assert there.everything(name) == []
        assert cluster.broker(101).state == "running"


def test_a_detached_one_lives_on_and_is_found_and_ended_by_anybody(own, there, a_name):
    process, _ = own("", name=a_name, detached=True)
    process.communicate(timeout=60)
    assert owner.clean_abandoned() == []
    listed = next(c for c in status()["clusters"] if c["name"] == a_name)
    assert listed["running"] and listed["backend"] == "docker"
    assert [n["state"] for n in listed["nodes"]] == ["running"] and listed["nodes"][0]["container"]
    found = Cluster.attach(a_name)
    found.broker(101).kill().start()
    found.stop()
    assert there.everything(a_name) == [f"kafkalab-{a_name}-broker-101"]
    assert not next(c for c in status()["clusters"] if c["name"] == a_name)["running"]
    down(a_name, remove=True)
    assert there.everything(a_name) == []


def test_ended_by_another_process_its_guard_ends_too_and_the_owner_ends_nobody_elses(own, there, up, a_name):
    process, _ = own("sys.stdin.readline()", name=a_name)
    guard = guard_of(process)
    Cluster.attach(a_name).stop()
    # A zombie, until its parent looks.
    wait_until(lambda: not guard.is_running() or guard.status() == psutil.STATUS_ZOMBIE, 10, "the guard to end")
    with up(name=a_name) as cluster:
        # The first owner goes, and its finalizers with it; the cluster of that name is another's by now.
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        assert cluster.broker(101).state == "running"
        assert len(there.containers(a_name)) == 1
    down(a_name, remove=True)


def test_data_whose_folder_somebody_removed_goes(own, there, a_name):
    process, _ = own("", name=a_name)
    process.communicate(timeout=60)
    assert there.everything(a_name) == [f"kafkalab-{a_name}-broker-101"]
    shutil.rmtree(ClusterFolder.of(a_name).path)
    assert owner.clean_abandoned() == [a_name]
    assert there.everything(a_name) == []


def test_a_pid_given_to_somebody_else_protects_nobody():
    assert not is_dead(this_process())
    pid, started, boot, namespace = this_process().split(" ")
    assert is_dead(" ".join((pid, str(int(float(started)) + 1), boot, namespace)))
    assert is_dead(" ".join((pid, started, "another-boot", namespace)))
    # Of a process in another container nothing can be said, and nobody's never ends.
    assert not is_dead(" ".join((pid, "0", boot, "pid:[1]")))
    assert not is_dead(NOBODY)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        started = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[19]
        owner = " ".join((str(process.pid), started, boot, namespace))
        assert not is_dead(owner)
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        # It still has its number, as a zombie; it is dead all the same.
        assert is_dead(owner)
