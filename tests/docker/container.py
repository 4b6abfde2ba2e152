"""Containers as tests ask about them: the state of one, and what it said."""

from __future__ import annotations

from typing import Any

from kafkalab.waiting import wait_until


def wait_healthy(container: Any, deadline: float = 90) -> None:
    """Until it says so itself; fails at once when it has ended."""

    def ask() -> bool:
        container.reload()
        assert container.status == "running", said(container)
        return bool(container.attrs["State"]["Health"]["Status"] == "healthy")

    wait_until(ask, deadline, f"{container.name} to be healthy", period=0.3, log=lambda: said(container))


def ended(container: Any) -> tuple[int, str]:
    """Its exit code and all it said, once it has ended."""
    return int(container.wait(timeout=60)["StatusCode"]), said(container)


def said(container: Any) -> str:
    """The last lines of its output."""
    return str(container.logs(tail=40).decode(errors="replace"))
