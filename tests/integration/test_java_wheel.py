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

from kafkalab.cluster import java
from kafkalab.cluster.jars import jar_set
from kafkalab.home import cache_dir


@pytest.fixture
def bare(home: Path, tmp_path: Path) -> dict[str, str]:
    """The environment of a machine without Java: a home and a cache of its own, but for the jars."""
    for name in ("kraft", "spark"):
        jar_set(name).ensure()
    programs, cache = tmp_path / "programs", tmp_path / "cache"
    programs.mkdir()
    cache.mkdir()
    for place in os.environ["PATH"].split(os.pathsep):
        for program in Path(place).glob("*") if place else ():
            link = programs / program.name
            if program.name != "java" and not link.is_symlink():
                link.symlink_to(program)
    # A cache of its own: the archives of two Javas would push each other out.
    (cache / "jars").symlink_to(cache_dir() / "jars")
    kept = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"}
    return {**kept, "PATH": str(programs), "KAFKALAB_CACHE": str(cache), "KAFKALAB_HOME": str(tmp_path / "home")}


def jvms(environment: dict[str, str]) -> set[str]:
    """The programs of all JVMs that run in this environment (told by its home folder)."""
    found = set()
    for process in psutil.process_iter():
        try:
            if process.name() == "java" and process.environ().get("KAFKALAB_HOME") == environment["KAFKALAB_HOME"]:
                found.add(process.exe())
        except psutil.Error:  # ended meanwhile
            continue
    return found - {""}  # a zombie's


@pytest.mark.deep
def test_brokers_their_tools_and_spark_run_on_the_wheel(bare):
    wheel = java.installed().resolve()

    def said(*command: str) -> str:
        done = subprocess.run(command, env=bare, capture_output=True, text=True, timeout=200)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    python, kafkalab = (sys.executable, "-c"), (sys.executable, "-m", "kafkalab")
    said(*kafkalab, "up", "--mode", "kraft", "--brokers", "1", "--name", "bare")
    try:
        assert jvms(bare) == {str(wheel)}
        path = said(*python, "from kafkalab import Cluster; print(Cluster.attach('bare').path())")
        assert "Created topic trucks" in said(f"{path}/kafka-topics.sh", "--create", "--topic", "trucks")
        assert said(*kafkalab, "tool", "--name", "bare", "kafka-topics", "--list") == "trucks"
    finally:
        said(*kafkalab, "down", "--name", "bare", "--remove")
    assert jvms(bare) == set()
    spark = "import kafkalab; print(kafkalab.spark().sparkContext._jvm.java.lang.System.getProperty('java.home'))"
    assert Path(said(*python, spark)).resolve() == wheel.parents[1]
