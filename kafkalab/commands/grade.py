"""``kafkalab grade``: run learners' notebooks beside a cluster of their own and report their points."""

from __future__ import annotations

import os
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kafkalab.checks.grade import grade
from kafkalab.cluster.cluster import Cluster
from kafkalab.progress import bar


def run(notebooks: Sequence[Path]) -> dict[str, Any]:
    """Grade the notebooks one after the other on one fresh cluster (the shape of ``kafkalab grade --json``)."""
    before = os.environ.get("KAFKALAB_CLUSTER")
    name = f"grade-{uuid.uuid4().hex[:8]}"
    with Cluster(name=name, throw_away=True), bar("Grading") as progress:
        # The notebooks' kernels find it by this name.
        os.environ["KAFKALAB_CLUSTER"] = name
        try:
            return grade(notebooks, progress=progress).to_dict()
        finally:
            if before is None:
                del os.environ["KAFKALAB_CLUSTER"]
            else:
                os.environ["KAFKALAB_CLUSTER"] = before
