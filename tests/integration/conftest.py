"""What tests on a running cluster share."""

from tests.support.spark import spark

__all__ = ["spark"]
