"""What tests on a running cluster share."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

import kafkalab
from kafkalab.streams.session import ROCKSDB


@pytest.fixture(scope="session")
def spark() -> SparkSession:
    """The one of the run: its JVM takes seconds to start, and a process can have one only."""
    return kafkalab.spark(master="local[2]")


@pytest.fixture
def rocksdb(spark: SparkSession) -> Iterator[None]:
    """Spark's state stores are in RocksDB, which stateful processors need."""
    before = {name: spark.conf.get(name) for name in ROCKSDB}
    for name, value in ROCKSDB.items():
        spark.conf.set(name, value)
    yield
    for name, value in before.items():
        spark.conf.set(name, value or "")


@pytest.fixture(autouse=True)
def blamed() -> Iterator[None]:
    """What a test leaves open is an error of its own, and not of whoever runs when that is collected."""
    yield
    gc.collect()
