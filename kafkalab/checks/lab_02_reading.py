"""Judges of lab 02: a record by its place, the newest of each partition, and how many there are."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kafkalab.checks.judging import Wrong, call, function_needed, kind_of, listed, text, whole_number
from kafkalab.checks.lab_02_topics import KEYS, Logs, groups_at, logs

if TYPE_CHECKING:
    from kafkalab.cluster.cluster import Cluster

#: Seconds in which one call of an answer must have returned; see :func:`kafkalab.checks.judging.call`.
_WITHIN = 30.0


def read_at(cluster: Cluster, answer: Any) -> str:
    """Judge 02.1 at places of a topic whose records nobody could know; one of its logs does not begin at 0."""
    function_needed(answer)
    sizes = {0: random.randint(5, 8), 1: random.randint(9, 12), 2: random.randint(5, 8)}
    gone = {0: 0, 1: random.randint(2, 3), 2: 0}
    with logs(cluster, sizes, gone) as made:
        # Offset 4 is in all three. The others are further back than a short partition reaches, and at the very ends.
        last = made.end(1) - 1
        for partition, offset in ((0, 4), (1, 4), (2, 4), (1, last), (0, 0)):
            given = call(answer, cluster.bootstrap_servers, made.topic, partition, offset, within=_WITHIN)
            value = text(given, "The value of a record, as it is wanted here,")
            if value != made.held[partition][offset]:
                raise Wrong(_not_there(made, value, partition, offset))
    return "Offset 4 of three partitions, a last one and a first one: each the right record."


def _not_there(made: Logs, value: str, partition: int, offset: int) -> str:
    asked = f"Asked for partition {partition}, offset {offset}, it returned"
    place = made.place_of(value)
    if place is None:
        return f"{asked} a value that is nowhere in the topic."
    found = f"{asked} the record at partition {place[0]}, offset {place[1]}."
    if place[0] != partition:
        return f"{found} An offset means something only with its partition: every partition has an offset {offset}."
    begins = min(made.held[partition])
    if place[1] - offset == begins:
        return f"{found} That log begins at {begins}; an offset is no position in a list of what is still there."
    return f"{found} That is the right partition, and another record of it."


def newest(cluster: Cluster, answer: Any) -> str:
    """Judge 02.2 on partitions with more than n, exactly n, fewer than n and no records."""
    function_needed(answer)
    n = random.randint(3, 5)
    # Of partition 1 so much is cut off that going back n from its end would go past its beginning.
    sizes, gone = {0: n + 4, 1: n + 2, 2: n, 3: 0}, {0: 2, 1: 4, 2: 0, 3: 0}
    with logs(cluster, sizes, gone) as made:
        given = call(answer, cluster.bootstrap_servers, made.topic, n, within=_WITHIN)
        if not isinstance(given, dict):
            raise Wrong(f"What newest returns is a dictionary of lists, and this is {kind_of(given)}.")
        strange = [key for key in given if isinstance(key, bool) or key not in made.held]
        if strange:
            raise Wrong(f"Its keys are to be the partitions' numbers, and one is {str(strange[0])[:60]!r}.")
        for partition, log in made.held.items():
            values = listed(given.get(partition, []), f"What it has of partition {partition}", str)
            if values != [log[offset] for offset in sorted(log)][-n:]:
                raise Wrong(why_not_the_newest(partition, values, log, n))
        left = groups_at(cluster, made.topic)
        if left:
            raise Wrong(f"The values are right, but the group {min(left)!r} was left behind. Looking needs no group.")
    return f"The last {n} of each partition, in order, and the short and the empty one as well."


def why_not_the_newest(partition: int, values: list[str], log: dict[int, str], n: int) -> str:
    """What is wrong with these as the last n values of a log (offset → value)."""
    held = [log[offset] for offset in sorted(log)]
    wanted = held[-n:]
    of = f"Of partition {partition}, which holds {len(held)} records,"
    if len(values) < len(wanted):
        return f"{of} it returned {len(values)}; {len(wanted)} were to come: the last {n} of each partition."
    if values == wanted[::-1]:
        return f"{of} it returned the right ones, the newest first. In the log the oldest comes first."
    if len(held) > n and values == held[-n - 1 :]:
        return f"{of} it returned the last {n + 1}, one too many. Where does the log end offset point to?"
    if values == held:
        return f"{of} it returned all. Only the last {n} were asked for."
    if values == held[:n]:
        return f"{of} it returned the first {n}: these are the oldest. A log grows at its other end."
    if sorted(values) == sorted(wanted):
        return f"{of} it returned the right ones, in another order than they have in the log."
    return f"{of} it returned {len(values)} records, and not the last {len(wanted)}."


def counted(cluster: Cluster, answer: Any) -> str:
    """Judge 02.3 on logs of which two have lost their beginning, and again when more was written."""
    function_needed(answer)
    # Sizes at which no misconception comes to the right number by chance.
    sizes = {0: random.randint(20, 24), 1: random.randint(30, 32), 2: random.randint(2, 3), 3: 0}
    gone = {0: random.randint(9, 11), 1: sizes[1], 2: 0, 3: 0}
    with logs(cluster, sizes, gone) as made:
        for turn in ("In the topic that the check made", "After more was written to the check's topic"):
            given = call(answer, cluster.bootstrap_servers, made.topic, within=_WITHIN)
            count = whole_number(given, "A count")
            spans = {
                partition: (made.end(partition) - len(log), made.end(partition)) for partition, log in made.held.items()
            }
            if count != sum(end - start for start, end in spans.values()):
                raise Wrong(f"{turn}, {why_miscounted(count, spans, KEYS)}")
            if turn.startswith("In"):
                made.write({0: 3, 2: 2, 3: 1})
    return "Also where the beginning of a log is gone, and after more was written."


def why_miscounted(count: int, spans: Mapping[int, tuple[int, int]], keys: int) -> str:
    """What is wrong with a count of records.

    :param spans: partition → (log start, log end).
    :param keys: different keys among them.
    """
    there = sum(end - start for start, end in spans.values())
    gone, ends = sum(start for start, _ in spans.values()), [end for _, end in spans.values()]
    said = f"it counted {count}, and {there} can be read."
    if count == sum(ends):
        return f"{said} So many were ever written, and {gone} of them are gone: a log need not begin at 0."
    if count in (max(ends), max(ends) - 1):
        return f"{said} That is how far the longest partition has come; every partition counts for itself."
    if count == keys:
        return f"{said} That is how many different keys there are; records of the same key are records all the same."
    if count == gone:
        return f"{said} That is how many are gone from the beginnings."
    if count == there - sum(start < end for start, end in spans.values()):
        return f"{said} The log end offset is the one that the next record will get, not that of the last one."
    return f"{said} {'Are all partitions in it?' if count < there else 'Is any of them counted twice?'}"
