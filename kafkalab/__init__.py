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
    from kafkalab.errors import KafkalabError as KafkalabError
    from kafkalab.exercises.lab import Lab as Lab
    from kafkalab.exercises.predict.prediction import Prediction as Prediction
    from kafkalab.exercises.topics import read_all as read_all
    from kafkalab.experiments.durability.matrix import DurabilityMatrix as DurabilityMatrix
    from kafkalab.experiments.ledger import Ledger as Ledger
    from kafkalab.handles.cluster import Cluster as Cluster
    from kafkalab.handles.recording import Recording as Recording
    from kafkalab.sources.fleet import Fleet as Fleet
    from kafkalab.sources.publish import Publisher as Publisher
    from kafkalab.state.model import Snapshot as Snapshot
    from kafkalab.streams.session import spark as spark
    from kafkalab.views.cluster.view import ClusterView as ClusterView
    from kafkalab.views.group.view import GroupView as GroupView
    from kafkalab.views.ledger.view import LedgerView as LedgerView
    from kafkalab.views.log.view import LogView as LogView
    from kafkalab.views.map.geofences import Geofence as Geofence
    from kafkalab.views.map.view import TruckMap as TruckMap
    from kafkalab.views.metadata.view import MetadataView as MetadataView
    from kafkalab.views.partitioner.view import PartitionerView as PartitionerView
    from kafkalab.views.record.view import RecordView as RecordView
    from kafkalab.views.stream.view import StreamView as StreamView
    from kafkalab.views.timeline.view import Timeline as Timeline

__version__ = "0.1.0"

#: name → the module it lives in
_WHERE = {
    "Cluster": "kafkalab.handles.cluster",
    "ClusterView": "kafkalab.views.cluster.view",
    "DurabilityMatrix": "kafkalab.experiments.durability.matrix",
    "Fleet": "kafkalab.sources.fleet",
    "Geofence": "kafkalab.views.map.geofences",
    "GroupView": "kafkalab.views.group.view",
    "KafkalabError": "kafkalab.errors",
    "Lab": "kafkalab.exercises.lab",
    "Ledger": "kafkalab.experiments.ledger",
    "LedgerView": "kafkalab.views.ledger.view",
    "LogView": "kafkalab.views.log.view",
    "MetadataView": "kafkalab.views.metadata.view",
    "PartitionerView": "kafkalab.views.partitioner.view",
    "Prediction": "kafkalab.exercises.predict.prediction",
    "Publisher": "kafkalab.sources.publish",
    "RecordView": "kafkalab.views.record.view",
    "Recording": "kafkalab.handles.recording",
    "Snapshot": "kafkalab.state.model",
    "StreamView": "kafkalab.views.stream.view",
    "Timeline": "kafkalab.views.timeline.view",
    "TruckMap": "kafkalab.views.map.view",
    "read_all": "kafkalab.exercises.topics",
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
