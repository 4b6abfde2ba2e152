"""What tests on a running cluster share."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from tests.support.spark import spark

__all__ = ["spark"]


@pytest.fixture(autouse=True)
def blamed() -> Iterator[None]:
    """What a test leaves open is an error of its own, and not of whoever runs when that is collected."""
    yield
    gc.collect()
