"""kafkalab: learn Kafka on a real cluster, in JupyterLab.

>>> from kafkalab import Cluster  # doctest: +SKIP
>>> with Cluster(brokers=3) as cluster:  # doctest: +SKIP
...     cluster.create_topic("trucks_gps", partitions=10, replication=3)
...     cluster.view()

Importing this module is cheap: each name loads what it needs when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kafkalab.checks.durability_matrix import DurabilityMatrix as DurabilityMatrix
    from kafkalab.checks.ledger import Ledger as Ledger
    from kafkalab.checks.predict import Prediction as Prediction
    from kafkalab.cluster.cluster import Cluster as Cluster
    from kafkalab.errors import KafkalabError as KafkalabError
    from kafkalab.sources.fleet import Fleet as Fleet
    from kafkalab.sources.publish import Publisher as Publisher
    from kafkalab.state.model import Snapshot as Snapshot
    from kafkalab.state.recording import Recording as Recording
    from kafkalab.streams.session import spark as spark
    from kafkalab.views.cluster_view import ClusterView as ClusterView
    from kafkalab.views.group_view import GroupView as GroupView
    from kafkalab.views.ledger_view import LedgerView as LedgerView
    from kafkalab.views.log_view import LogView as LogView
    from kafkalab.views.metadata_view import MetadataView as MetadataView
    from kafkalab.views.partitioner_view import PartitionerView as PartitionerView
    from kafkalab.views.record_view import RecordView as RecordView
    from kafkalab.views.stream_view import StreamView as StreamView
    from kafkalab.views.timeline_view import Timeline as Timeline
    from kafkalab.views.truck_fences import Geofence as Geofence
    from kafkalab.views.truck_map import TruckMap as TruckMap

__version__ = "0.1.0"

#: name → the module it lives in
_WHERE = {
    "Cluster": "kafkalab.cluster.cluster",
    "ClusterView": "kafkalab.views.cluster_view",
    "DurabilityMatrix": "kafkalab.checks.durability_matrix",
    "Fleet": "kafkalab.sources.fleet",
    "Geofence": "kafkalab.views.truck_fences",
    "GroupView": "kafkalab.views.group_view",
    "KafkalabError": "kafkalab.errors",
    "Ledger": "kafkalab.checks.ledger",
    "LedgerView": "kafkalab.views.ledger_view",
    "LogView": "kafkalab.views.log_view",
    "MetadataView": "kafkalab.views.metadata_view",
    "PartitionerView": "kafkalab.views.partitioner_view",
    "Prediction": "kafkalab.checks.predict",
    "Publisher": "kafkalab.sources.publish",
    "RecordView": "kafkalab.views.record_view",
    "Recording": "kafkalab.state.recording",
    "Snapshot": "kafkalab.state.model",
    "StreamView": "kafkalab.views.stream_view",
    "Timeline": "kafkalab.views.timeline_view",
    "TruckMap": "kafkalab.views.truck_map",
    "spark": "kafkalab.streams.session",
}

__all__ = ["__version__", *_WHERE]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first asked for."""
    if name not in _WHERE:
        raise AttributeError(f"module 'kafkalab' has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(_WHERE[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
