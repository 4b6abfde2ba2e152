"""wait_until: the one function with which kafkalab waits for something to happen."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from kafkalab.errors import WaitTimeout

T = TypeVar("T")


def wait_until(
    condition: Callable[[], T],
    deadline: float,
    what: str,
    *,
    period: float = 0.05,
    seen: Callable[[], str] | None = None,
    do: str = "",
    log: Callable[[], str] | None = None,
) -> T:
    """Call ``condition`` every ``period`` seconds until its answer is truthy, and return that answer.

    In a long wait it asks less often: the pause is a tenth of the time waited so far, but at most three periods.

    :param deadline: seconds from now; then a :class:`WaitTimeout` is raised.
    :param what: completes "waited 10 s for …".
    :param seen: gives the error a description of how things stood at the end.
    :param log: gives the error the tail of the log that explains it.
    """
    begun = time.monotonic()
    while True:
        answer = condition()
        if answer:
            return answer
        waited = time.monotonic() - begun
        left = deadline - waited
        if left <= 0:
            raise WaitTimeout(
                f"Waited {deadline:g} s for {what}, but it did not happen.",
                seen=seen() if seen else "" if answer is None or answer is False else repr(answer),
                do=do,
                log=log() if log else "",
            )
        time.sleep(min(max(period, waited / 10), 3 * period, left))
