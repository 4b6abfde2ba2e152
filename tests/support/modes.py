"""In which modes, and in which tier, a test on the warm clusters runs."""

from __future__ import annotations

import pytest


def modes(**tiers: str) -> pytest.MarkDecorator:
    """``@modes(zookeeper="", kraft="deep")``: with ZooKeeper always, with KRaft in the deeper tiers; a mode that is not
    named is left out. The test takes the fixture ``cluster``."""
    params = [pytest.param(mode, marks=[getattr(pytest.mark, tier)] if tier else []) for mode, tier in tiers.items()]
    return pytest.mark.parametrize("mode", params, indirect=True, scope="session")
