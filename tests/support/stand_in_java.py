"""A "java" that starts at once and does nothing: for starts that break before Kafka matters."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from kafkalab.cluster.jars import jar_set
from kafkalab.home import cache_dir

SCRIPT = f"""#!/bin/sh
case "$*" in
*-Xshare:on*) exit 1 ;;
*-version*) echo 'openjdk version "17.0.9" 2023-10-17' >&2 ;;
*) exec {shlex.quote(sys.executable)} -ISc 'import signal; signal.pause()' "$@" ;;
esac
"""


@pytest.fixture
def stand_in_java(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The java for this process and those it starts, beside a cache of its own. It makes no archives."""
    jar_set("zookeeper").ensure()
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "jars").symlink_to(cache_dir() / "jars")
    java = tmp_path / "java" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(SCRIPT)
    java.chmod(0o755)
    monkeypatch.setenv("KAFKALAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "java"))
    return java
