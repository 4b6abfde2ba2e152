"""The launcher of the Java that came along: what it drops, what it passes on, what is left of old ones."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from kafkalab.cluster import java_wheel
from kafkalab.errors import JavaMissing


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KAFKALAB_CACHE", str(tmp_path / "a cache, it's quoted"))
    return tmp_path / "a cache, it's quoted"


@pytest.fixture
def wheel() -> Path:
    java = java_wheel.installed()
    assert java is not None
    return java


def stand_in(folder: Path) -> Path:
    """A "java" that prints its arguments, a line each, and makes no archive."""
    java = folder / "java runtime's" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n[ "$1" != -Xshare:dump ]\n')
    java.chmod(0o755)
    return java


def run(*argv: object) -> str:
    return subprocess.run([str(a) for a in argv], capture_output=True, text=True, check=True).stdout


def test_it_drops_one_argument_and_passes_on_the_others_as_they_are(tmp_path: Path) -> None:
    launcher = java_wheel.launcher(stand_in(tmp_path))
    kept = ["-Da=it's 1", "--add-modules=java.sql", "", "a b", '$HOME "x" \\', "*"]
    given = [java_wheel.DROPPED, *kept[:2], java_wheel.DROPPED, *kept[2:], java_wheel.DROPPED]
    assert run(launcher, *given).splitlines() == kept


def test_it_becomes_the_java_of_the_wheel(wheel: Path) -> None:
    launcher = java_wheel.launcher(wheel)
    with pytest.raises(subprocess.CalledProcessError):
        run(wheel, java_wheel.DROPPED, "-version")
    assert run(launcher, java_wheel.DROPPED, "--version").startswith("openjdk 21")


def test_classes_of_the_jdk_come_from_an_archive(wheel: Path, cache: Path) -> None:
    launcher = java_wheel.launcher(wheel)
    assert list(cache.glob("java/*/classes.jsa"))
    # Which of the two is said by the JVM itself.
    assert "sharing" in run(launcher, "--version")
    assert "sharing" not in run(wheel, "--version")


def test_it_is_made_once(wheel: Path) -> None:
    launcher = java_wheel.launcher(wheel)
    before = launcher.stat()
    assert java_wheel.launcher(wheel) == launcher
    assert launcher.stat() == before


def test_launchers_of_environments_that_are_gone_are_removed(tmp_path: Path) -> None:
    gone, kept = stand_in(tmp_path / "one"), stand_in(tmp_path / "two")
    old, other = java_wheel.launcher(gone), java_wheel.launcher(kept)
    gone.unlink()
    latest = java_wheel.launcher(stand_in(tmp_path / "three"))
    assert [p.exists() for p in (old.parents[1], other, latest)] == [False, True, True]


def test_another_java_in_the_same_place_has_another_launcher(tmp_path: Path) -> None:
    java = stand_in(tmp_path)
    modules = java.parents[1] / "lib" / "modules"
    modules.parent.mkdir()
    modules.touch()
    first = java_wheel.launcher(java)
    os.utime(modules, (1, 1))
    second = java_wheel.launcher(java)
    assert first != second
    assert not first.exists()


def test_a_cache_that_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("KAFKALAB_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(JavaMissing, match="cannot be written") as e:
        java_wheel.launcher(stand_in(tmp_path))
    assert "KAFKALAB_CACHE" in e.value.do
