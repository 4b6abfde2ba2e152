"""Kafka protocol messages that kafka-python does not know yet, as JSON in the form of Kafka's own definitions."""

from __future__ import annotations

from kafka.protocol.api_message import ApiMessage


class ConsumerGroupDescribeRequest(ApiMessage, load_json=__name__):  # type: ignore[misc, call-arg]
    """Asks a coordinator for groups of the newer consumer protocol: ids in, one description each out."""


class ConsumerGroupDescribeResponse(ApiMessage, load_json=__name__):  # type: ignore[misc, call-arg]
    """The descriptions: state, epoch, assignor, and members with what they hold now and what they should hold."""
