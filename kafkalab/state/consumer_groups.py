"""The request that describes groups of the newer consumer protocol (KIP-848), which kafka-python 3.0 lacks.

Its messages are defined by JSON like Kafka's own; the two here are kept beside this file, without the fields that no
picture needs, and step back when kafka-python brings them.
"""

from __future__ import annotations

from typing import Any

import kafka.protocol.admin


def _request() -> Any:
    theirs = getattr(kafka.protocol.admin, "ConsumerGroupDescribeRequest", None)
    if theirs is not None:
        return theirs
    from kafkalab.state import schemas

    return schemas.ConsumerGroupDescribeRequest


#: The class of the request, whoever brings it.
ConsumerGroupDescribeRequest: Any = _request()
