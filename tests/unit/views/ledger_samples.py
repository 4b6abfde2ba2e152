"""A ledger in which each thing that can become of a record happened."""

from __future__ import annotations

from kafkalab.experiments.ledger import Ledger


def sample() -> Ledger:
    """Of 300: 3 lost, 2 twice, 1 late, 2 not acknowledged (1 of them seen), 1 read again; and 1 by somebody else."""
    ledger = Ledger()
    for n in range(300):
        ledger.sent(f"r{n:03d}", key="k")
        if n not in (50, 51):
            ledger.acknowledged(f"r{n:03d}")
        if n not in (7, 8, 9, 51):
            ledger.seen(f"r{n:03d}", (0, 10 * n if n != 100 else 1015))
    ledger.seen_many(["r020", "r021", "r030", "alien"], [(0, 9001), (0, 9002), (0, 300), (1, 0)])
    return ledger
