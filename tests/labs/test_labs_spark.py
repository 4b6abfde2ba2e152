"""Every lab of Spark on a real cluster: it does what it says, and its checks know what people answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from kafkalab import Cluster
from tests.labs.lanes import does_what_it_says, labs_of


@pytest.mark.timeout(900)
@pytest.mark.parametrize("lab, mode", labs_of("spark"), indirect=["mode"])
def test_a_lab_of_spark(lab: Path, lab_cluster: Cluster, tmp_path: Path) -> None:
    does_what_it_says(lab, lab_cluster, tmp_path)
