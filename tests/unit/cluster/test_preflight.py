"""What a machine has room for, judged from numbers and from control groups as the system shows them; its ports."""

from __future__ import annotations

import os
import socket

import pytest

from kafkalab.cluster import jvm
from kafkalab.cluster.net import LOOPBACK, PortBook, is_free
from kafkalab.cluster.preflight import MB, Room, cores, groups, judge, judge_spark, look, memory_left
from kafkalab.cluster.spec import ClusterSpec, lay_out
from kafkalab.errors import BadInput, StartFailed


def nodes(**wanted):
    return lay_out(ClusterSpec("x", **wanted), lambda port: port or 1)


def test_what_fits_is_let_through():
    judge(nodes(mode="kraft", zookeepers=0, controllers=3), Room(1000 * MB, open_files=4096))
    judge(nodes(brokers=6), Room(1000 * MB))
    judge_spark(512 * MB, Room(506 * MB))
    judge_spark(256 * MB, Room(416 * MB))


def test_what_does_not_fit_is_refused_with_what_would():
    for what, room, seen, do in (
        ({"brokers": 20}, Room(1000 * MB, contained=True), "1000 MB free within the limit", "brokers=6"),
        ({"brokers": 7}, Room(1000 * MB), "", "brokers=6"),
        ({"brokers": 1}, Room(50 * MB), "", "Close other"),
        ({}, Room(9000 * MB, open_files=256), "256", "ulimit -n"),
        (512 * MB, Room(416 * MB, contained=True), "416 MB", "KAFKALAB_PROFILE=small"),
    ):
        with pytest.raises(StartFailed) as e:
            judge(nodes(**what), room) if isinstance(what, dict) else judge_spark(what, room)
        assert seen in e.value.seen and do in e.value.do
        assert ("brokers=" in e.value.do) == ("brokers=" in do)


def group(path, **files):
    path.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (path / name.replace("__", ".")).write_text(text)
    return path


def test_a_container(tmp_path):
    top = group(tmp_path, memory__stat="anon 5\n")
    outer = group(top / "slice", memory__max=f"{110 * MB}\n", memory__current=f"{105 * MB}\n")
    (outer / "memory.stat").write_text(f"anon 7\ninactive_file {5 * MB}\n")
    inner = group(outer / "scope", memory__max="max\n", memory__current="5\n")
    found = list(groups(tmp_path, "0::/slice/scope\n"))
    assert found == [inner, outer, top]
    assert [memory_left(g) for g in found] == [None, 10 * MB, None]
    # The limit of the container counts when it is the smaller.
    (tmp_path / "own").write_text("0::/slice/scope\n")
    room = look(tmp_path, tmp_path / "own")
    assert (room.memory, room.contained) == (10 * MB, True)


def test_a_share_of_the_processors_time_counts_as_fewer_of_them(tmp_path):
    every = cores(tmp_path, tmp_path / "absent")
    for own, folder, files, expected in (
        ("0::/c\n", "c", {"cpu__max": "50000 100000\n"}, 1),
        ("0::/c\n", "c", {"cpu__max": "max 100000\n"}, every),
    ):
        group(tmp_path / folder, **files)
        (tmp_path / "own").write_text(own)
        assert cores(tmp_path, tmp_path / "own") == expected


def test_the_small_profile_gives_smaller_heaps_and_an_unknown_one_is_refused(monkeypatch):
    monkeypatch.setenv("KAFKALAB_PROFILE", "small")
    assert "-Xmx96m" in jvm.chosen().broker_heap
    monkeypatch.setenv("KAFKALAB_PROFILE", "tiny")
    with pytest.raises(BadInput, match="no profile 'tiny'"):
        jvm.chosen()


def test_a_taken_port_says_who_holds_it():
    with socket.create_server((LOOPBACK, 0)) as server:
        port = server.getsockname()[1]
        assert not is_free(port)
        with pytest.raises(StartFailed) as e, PortBook() as book:
            book.take(port)
        assert str(port) in e.value.what
        assert str(os.getpid()) in e.value.seen
    assert is_free(port)
