"""What `import kafkalab` offers, and what it must not cost."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.architecture.tree import ROOT

#: Each takes a good part of a second, or opens a port or a window: loaded when used.
HEAVY = ("pyspark", "matplotlib", "anywidget", "ipywidgets", "kafka", "numpy", "pandas", "networkx", "IPython", "typer")

ASK = """
import json, sys
import kafkalab
loaded = sorted(sys.modules)
names = list(kafkalab.__all__)
print(json.dumps({
    "loaded": loaded,
    "names": names,
    "missing": [name for name in names if not hasattr(kafkalab, name)],
    "undocumented": [name for name in names if name[0] != "_" and not getattr(kafkalab, name).__doc__],
}))
"""


@pytest.fixture(scope="module")
def answer() -> Any:
    """What a fresh interpreter says of the package."""
    command = [sys.executable, "-W", "error", "-c", ASK]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)


def test_importing_is_cheap(answer: Any) -> None:
    assert "kafkalab.errors" in answer["loaded"]
    assert [name for name in HEAVY if name in answer["loaded"]] == []


def test_the_names_are_sorted_there_and_explained(answer: Any) -> None:
    assert answer["names"] == sorted(answer["names"])
    assert {"Cluster", "spark"} <= set(answer["names"])
    assert answer["missing"] == []
    assert answer["undocumented"] == []


def test_the_document_names_every_public_name(answer: Any) -> None:
    text = (ROOT / "docs" / "public-surface.md").read_text(encoding="utf-8")
    assert [name for name in answer["names"] if f"`{name}" not in text and f"`kafkalab.{name}" not in text] == []
