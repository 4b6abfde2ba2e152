"""What `import kafkalab` offers, and what it must not cost."""

from __future__ import annotations

import json
import subprocess
import sys

import kafkalab
from tests.architecture.tree import ROOT

#: Each takes a good part of a second, or opens a port or a window: loaded when used.
HEAVY = ("pyspark", "matplotlib", "anywidget", "ipywidgets", "kafka", "numpy", "pandas", "networkx", "IPython", "typer")

ASK = """
import json, sys
import kafkalab
print(json.dumps({"loaded": sorted(sys.modules), "cluster": kafkalab.Cluster.__name__, "then": sorted(sys.modules)}))
"""

NAMES = [name for name in kafkalab.__all__ if not name.startswith("_")]


def test_importing_is_cheap_and_a_cluster_needs_neither_spark_nor_widgets() -> None:
    command = [sys.executable, "-W", "error", "-c", ASK]
    answer = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    assert "kafkalab" in answer["loaded"] and "kafkalab.handles.cluster" in answer["then"]
    assert [name for name in HEAVY if name in answer["loaded"]] == []
    assert [name for name in ("pyspark", "anywidget", "ipywidgets", "matplotlib") if name in answer["then"]] == []


def test_every_name_is_there_explained_and_written_down() -> None:
    text = (ROOT / "docs" / "public-surface.md").read_text(encoding="utf-8")
    assert sorted(NAMES) == NAMES and {"Cluster", "Snapshot", "spark"} <= set(NAMES)
    for name in NAMES:
        assert getattr(kafkalab, name).__doc__, name
        assert f"`{name}" in text or f"`kafkalab.{name}" in text, name
