"""The one Spark session of a test run: its JVM takes seconds to start, and a process can have one only."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

import kafkalab


@pytest.fixture(scope="session")
def spark() -> SparkSession:
    return kafkalab.spark(master="local[2]")
