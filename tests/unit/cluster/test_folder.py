"""Folders of clusters: a name never leads out of their place, and what is no cluster's is never removed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from kafkalab import Cluster, cli
from kafkalab.cluster import folder as folders
from kafkalab.cluster.folder import ClusterFolder, clean_abandoned
from kafkalab.cluster.spec import ClusterSpec
from kafkalab.errors import BadInput, StartFailed


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("KAFKALAB_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("KAFKALAB_CLUSTER", raising=False)
    monkeypatch.setattr("kafkalab.cluster.local.LocalBackend.start", lambda *_: pytest.fail("a cluster was started"))
    return tmp_path / "home"


def stopped(name: str) -> ClusterFolder:
    """A named cluster that does not run."""
    folder = ClusterFolder.of(name)
    with folder.starting():
        folder.write(ClusterSpec(name), (), throw_away=False)
        (folder.path / "logs" / "broker-101.log").write_text("a log")
    return folder


def precious(at: Path) -> Path:
    """Somebody's own folder, for months."""
    (at / "logs").mkdir(parents=True)
    (at / "thesis.txt").write_text("years of work")
    (at / "logs" / "diary.txt").write_text("dear diary")
    os.utime(at, (1e9, 1e9))
    return at


def untouched(at: Path) -> bool:
    return (at / "thesis.txt").read_text() == "years of work" and (at / "logs" / "diary.txt").exists()


def command(monkeypatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["kafkalab", *arguments])
    with pytest.raises(SystemExit) as e:
        cli.main()
    return int(e.value.code or 0)


def test_every_command_refuses_a_name_that_leads_elsewhere(home, tmp_path, monkeypatch, capsys):
    mine, theirs = stopped("mine"), precious(tmp_path / "precious")
    for name in ("", "..", ".", "../..", "a/b", str(theirs)):
        for asked in (
            ("down", "--remove", "--name", name),
            ("up", "--name", name),
            ("reset", "--name", name),
            ("record", "--name", name, "a.kafkalab"),
            ("tool", f"--name={name}", "kafka-topics"),
        ):
            assert command(monkeypatch, *asked) == 2
            said = capsys.readouterr().err
            assert "cannot be a cluster's name" in said and "do:" in said, asked
        for ask in (Cluster.attach, lambda name: Cluster(backend="fake", name=name, quiet=True)):
            with pytest.raises(BadInput, match="cannot be a cluster's name"):
                ask(name)
    assert untouched(theirs)
    assert mine.path.exists()


def test_only_a_clusters_folder_is_removed_whoever_asks(home, tmp_path, monkeypatch):
    theirs = precious(home / "clusters" / "theirs")
    with pytest.raises(BadInput, match="is not the folder of a cluster"):
        ClusterFolder.of("theirs").remove()
    assert command(monkeypatch, "down", "--remove", "--name", "theirs") == 2
    assert command(monkeypatch, "down", "--all", "--remove") == 0
    assert clean_abandoned() == []
    assert untouched(theirs)
    mine, link = stopped("mine"), home / "clusters" / "link"
    link.symlink_to(mine.path)
    with pytest.raises(BadInput, match="is not the folder of a cluster"):
        ClusterFolder.of("link").remove()
    assert command(monkeypatch, "down", "--remove", "--name", "mine") == 0
    assert not mine.path.exists()
    assert mine.log("broker-101").read_text() == "a log"


def test_a_reset_says_which_checkpoints_it_removed(home, monkeypatch, capsys):
    mine = stopped("mine")
    (home / "checkpoints" / "positions").mkdir(parents=True)
    for told in ("are removed too, of every cluster: positions.", "begins anew with its next start."):
        assert command(monkeypatch, "reset", "--name", "mine") == 0
        assert told in " ".join(capsys.readouterr().err.split())
        assert not (home / "checkpoints").exists() and not mine.path.exists()
        stopped("mine")


def test_a_cluster_is_not_started_among_other_things(home):
    theirs = precious(home / "clusters" / "theirs")
    before = sorted(theirs.rglob("*"))
    with pytest.raises(StartFailed, match="is not a cluster's") as e, ClusterFolder.of("theirs").starting():
        pass
    assert "thesis.txt" in e.value.seen
    assert sorted(theirs.rglob("*")) == before


def test_logs_that_are_not_ours_are_neither_tidied_nor_replaced(home):
    theirs = [precious(home / "logs" / f"d{n}") for n in range(folders.LOGS_KEPT + 3)]
    stopped("d0").remove()
    clean_abandoned()
    assert all(untouched(folder) for folder in theirs)
