"""A machine without a Java: everything runs on the one that came with kafkalab's packages.

The system's Java is hidden: PATH is a folder of links to all there is but that.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from kafkalab.cluster import java_wheel
from kafkalab.cluster.jars import jar_set
from kafkalab.home import cache_dir


@pytest.fixture(scope="module")
def bare(home: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a machine without Java: a home and a cache of its own, but for the jars."""
    for name in ("kraft", "spark"):
        jar_set(name).ensure()
    folder = tmp_path_factory.mktemp("bare")
    for name in ("programs", "cache", "home"):
        (folder / name).mkdir()
    for place in os.environ["PATH"].split(os.pathsep):
        for program in Path(place).glob("*") if place else ():
            link = folder / "programs" / program.name
            if program.name != "java" and not link.is_symlink():
                link.symlink_to(program)
    # A cache of its own: the archives of two Javas would push each other out.
    (folder / "cache" / "jars").symlink_to(cache_dir() / "jars")
    kept = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"}
    changed = {"PATH": folder / "programs", "KAFKALAB_CACHE": folder / "cache", "KAFKALAB_HOME": folder / "home"}
    return {**kept, **{name: str(value) for name, value in changed.items()}}


def jvms(environment: dict[str, str]) -> dict[int, str]:
    """Pid → program, of every JVM that runs in this environment (told by its home folder)."""
    found = {}
    for process in psutil.process_iter():
        try:
            if process.name() == "java" and process.environ().get("KAFKALAB_HOME") == environment["KAFKALAB_HOME"]:
                program = process.exe()
                if program:  # none: it is a zombie by now
                    found[process.pid] = program
        except psutil.Error:  # ended meanwhile
            continue
    return found


def wheel() -> Path:
    java = java_wheel.installed()
    assert java is not None
    return java.resolve()


def kafkalab(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kafkalab", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=200)


@pytest.mark.deep
def test_brokers_their_tools_and_spark_run_on_the_wheel(bare):
    def python(code: str) -> str:
        done = subprocess.run([sys.executable, "-c", code], env=bare, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    up = kafkalab(bare, "up", "--mode", "kraft", "--brokers", "1", "--name", "bare")
    try:
        assert up.returncode == 0, up.stderr
        assert set(jvms(bare).values()) == {str(wheel())}
        path = python("from kafkalab import Cluster; print(Cluster.attach('bare').path())")
        made = ("kafka-topics", "--create", "--topic", "trucks")
        lab = {**bare, "PATH": f"{path}{os.pathsep}{bare['PATH']}"}
        launched = subprocess.run(made, env=lab, capture_output=True, text=True)
        assert "Created topic trucks" in launched.stdout, launched.stderr
        assert kafkalab(bare, "tool", "--name", "bare", "kafka-topics", "--list").stdout == "trucks\n"
    finally:
        down = kafkalab(bare, "down", "--name", "bare", "--remove")
    assert down.returncode == 0
    assert jvms(bare) == {}
    spark = "import kafkalab; print(kafkalab.spark().sparkContext._jvm.java.lang.System.getProperty('java.home'))"
    assert Path(python(spark)).resolve() == wheel().parents[1]
