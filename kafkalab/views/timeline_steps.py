"""How a cluster was, over a recording: a few numbers of each snapshot, kept where they change, thinned with age."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

#: [seconds, value, …]: holds until the next.
Row = list[Any]

#: More rows than these, and the older ones are thinned: the newest stay as they are, of the others so many stretches.
MOST, NEWEST, STRETCHES = 600, 150, 140


class Steps:
    """A step function that grows. Rows are shared with who draws them: they are replaced, never changed.

    :param worse: of two rows, whether the first is worse: thinned, a stretch keeps its worst and its last.
    """

    def __init__(self, worse: Callable[[Row, Row], bool]) -> None:
        self._worse = worse
        self.rows: list[Row] = []

    def add(self, row: Row) -> None:
        """What holds from ``row[0]`` on; nothing when that is what held before."""
        if self.rows and self.rows[-1][1:] == row[1:]:
            return
        if self.rows and self.rows[-1][0] == row[0]:
            self.rows = [*self.rows[:-1], row]
        else:
            self.rows = [*self.rows, row]
        if len(self.rows) > MOST:
            old, new = self.rows[:-NEWEST], self.rows[-NEWEST:]
            self.rows = [*self._thinned(old), *new]

    def _thinned(self, rows: list[Row]) -> list[Row]:
        begin, end = rows[0][0], rows[-1][0]
        wide = max((end - begin) / STRETCHES, 1e-9)
        stretches: dict[int, list[Row]] = {}
        for row in rows:
            stretches.setdefault(int((row[0] - begin) / wide), []).append(row)
        kept = []
        for stretch in stretches.values():
            worst = stretch[0]
            for row in stretch[1:]:
                worst = row if self._worse(row, worst) else worst
            # What it came back to must be told as well, or the worst would seem to last.
            kept += [worst] if worst is stretch[-1] else [worst, stretch[-1]]
        return kept


class Health:
    """The numbers under the slider, from snapshots as recordings hold them (:meth:`Snapshot.to_dict`)."""

    def __init__(self) -> None:
        self._steps = {
            "brokers": Steps(lambda a, b: a[2] - a[1] > b[2] - b[1]),
            "short": Steps(lambda a, b: a[1] > b[1]),
            "leaderless": Steps(lambda a, b: a[1] > b[1]),
            "lag": Steps(lambda a, b: (a[1] or 0) > (b[1] or 0)),
        }

    def add(self, at: float, snapshot: Mapping[str, Any]) -> None:
        """A snapshot at so many seconds."""
        for name, values in numbers(snapshot).items():
            self._steps[name].add([at, *values])

    def drawn(self) -> dict[str, list[Row]]:
        """The rows of each, by name; the same lists as before where nothing came."""
        return {name: steps.rows for name, steps in self._steps.items()}


def numbers(snapshot: Mapping[str, Any]) -> dict[str, Row]:
    """brokers: up, all, ids of those down; short, leaderless: partitions; lag: records over all groups, or None."""
    brokers = snapshot["brokers"]
    down = sorted(broker["id"] for broker in brokers if not broker["alive"])
    short = leaderless = 0
    for topic in snapshot["topics"]:
        for partition in topic["partitions"]:
            leaderless += partition["leader"] is None
            short += set(partition["isr"]) != set(partition["replicas"])
    lags = [offset["lag"] for group in snapshot["groups"] for offset in group["offsets"] if offset["lag"] is not None]
    return {
        "brokers": [len(brokers) - len(down), len(brokers), down],
        "short": [short],
        "leaderless": [leaderless],
        "lag": [sum(lags) if lags else None],
    }
