"""The samples stand in tests/unit/views/cluster_samples.py; this name goes when nobody imports it any more."""

from tests.unit.views.cluster_samples import HEALTHY, HOSTILE, LONG, TURNED, WITHOUT_102, Stage, hostile, nodes

__all__ = ["HEALTHY", "HOSTILE", "LONG", "TURNED", "WITHOUT_102", "Stage", "hostile", "nodes"]
