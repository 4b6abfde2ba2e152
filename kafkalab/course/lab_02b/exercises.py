"""The exercises of lab 02b: a log that only grows, retention, more partitions, and a reader whose place is gone."""

from __future__ import annotations

import random
import uuid
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from kafkalab.course.lab_02a.logs import KEYS, logs
from kafkalab.errors import KafkalabError
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import Wrong, call, function_needed, kind_of, listed, text, whole_number
from kafkalab.exercises.topics import read_all, settings_of, soon

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster
    from kafkalab.state.model import Topic

PREFIX: Final = "lab02b-"
SCANS: Final = f"{PREFIX}scans"
#: The number of records that the lab's cells have written to it when 02b.5 is asked.
_SCANNED: Final = 4
#: The topic of the finale, the group that reads it, and the scans that were invoiced before, and were not.
NIGHTS: Final = f"{PREFIX}nights"
GROUP: Final = f"{PREFIX}invoices"
_DONE, _OPEN = ("N01", "N02"), tuple(f"N{number:02}" for number in range(3, 11))
#: Time limit in seconds for one call of an answer; see :func:`kafkalab.exercises.judging.call`.
_WITHIN: Final = 30.0
_HOUR: Final = 3_600_000
_LEAST, _MOST = _HOUR, 2 * _HOUR


def exercises(cluster: Cluster) -> tuple[Exercise, ...]:
    """Return the six exercises, judged on this cluster."""
    return (
        Exercise(
            "02b.1",
            "The later one counts",
            1,
            "Write `valid(records)`: `records` is a list of (key, value) in the order of the log. It returns a dict "
            "with the value that counts for each key.",
            valid,
            (
                "Of two records with the same key, the one further down counts.",
                "Go through the list from the beginning and keep each value under its key.",
                "A dict keeps the last value that it gets for a key. Can you make one of the whole list at once?",
            ),
        ),
        Exercise(
            "02b.2",
            "How many are there?",
            2,
            "Write `how_many(bootstrap_servers, topic)`: it returns how many records you can read from the topic now.",
            lambda answer: counted(cluster, answer),
            (
                "You don't have to read a record to count them, because there are no gaps between these offsets.",
                "The end of a log tells you how many were ever written. Some are gone, from the front.",
                "The sum, over the partitions, of `end_offsets` minus `beginning_offsets`.",
            ),
        ),
        Exercise(
            "02b.3",
            "Six hours",
            1,
            f"Set the topic `{SCANS}` so that a record counts as too old after 6 hours. Answer with the topic's name.",
            lambda answer: six_hours(cluster, answer),
            (
                "You set the shelf's topic to three days above.",
                "`retention.ms` counts milliseconds: an hour has 3,600,000.",
                'In the cell with `admin.alter_configs`, change the name and the value; then `kept = "…"`.',
            ),
        ),
        Exercise(
            "02b.4",
            "An hour at least, two at most",
            3,
            f"Create a topic whose name begins with `{PREFIX}`. Each record must stay for at least an hour. It should "
            "be deleted two hours after it was written at the latest (plus the time until the broker looks), while "
            "a new record comes every second. Answer with the topic's name.",
            lambda answer: for_a_while(cluster, answer),
            (
                "Brokers delete files, not records. How old is the oldest record of a file when its newest one has "
                "just become too old?",
                "`retention.ms` is how old a file's newest record must be; `segment.ms` is for how long a file takes "
                "new records. The two times add up.",
                '`admin.create_topics({name: {"num_partitions": 1, "replication_factor": 3, "configs": {…}}})` with '
                "both settings in milliseconds: the first an hour or more, both together two hours at most.",
            ),
        ),
        Exercise(
            "02b.5",
            "One more lane",
            1,
            f"Give `{SCANS}` 4 partitions without losing one of its records. Answer with the topic's name.",
            lambda answer: grown(cluster, answer),
            (
                "More partitions are possible, and nothing moves. So there's no need to delete the topic.",
                "You called `admin.create_partitions` above. The number is that of all partitions afterwards.",
                f'`admin.create_partitions({{"{SCANS}": …}})`, and then `grown = "{SCANS}"`',
            ),
        ),
        Exercise(
            "02b.6",
            "Wake the reader",
            3,
            f"Rescue the group `{GROUP}`. At the end, the records N03 to N10 must each have been read by it, and it "
            "must have committed the end of the log. Answer with a list of the values that it read, each once.",
            lambda answer: woken(cluster, answer),
            (
                "Four scans are still in the log, and four are gone. Which ones, and who still has them?",
                "Send the missing ones first. Then read as the group, with `auto_offset_reset` set to the value that "
                "takes what is left, to the end, and `commit()`.",
                "`send_scan` for N03 to N06. Then a `KafkaConsumer` with the `group_id` and "
                '`auto_offset_reset="earliest"`: `assign([night])`, `poll` until `position` is at the end, keep the '
                "values, `commit()`, `close()`.",
            ),
        ),
    )


def valid(answer: Any) -> str:
    """Judge 02b.1 with random records, in which a value comes back after another."""
    function_needed(answer)
    for keys in (["kettle"], ["violin", "kettle", "anvil"]):
        records = [(key, f"{key} {uuid.uuid4().hex[:6]}") for _ in range(3) for key in random.sample(keys, len(keys))]
        records.append((keys[0], records[0][1]))
        said = call(answer, records, within=_WITHIN)
        if not isinstance(said, dict):
            raise Wrong(f"What your function returns is a dict, and this is {kind_of(said)}.")
        wanted = dict(records)
        if said == wanted:
            continue
        if set(said) != set(wanted):
            raise Wrong(f"There are {len(wanted)} different keys in the records, and your dict has {len(said)}.")
        if any(isinstance(value, list | tuple) for value in said.values()):
            raise Wrong("One value counts for each key, not a list of them.")
        odd = next(key for key in wanted if said[key] != wanted[key])
        which = "an earlier one" if (odd, said[odd]) in records else "a value that no such record has"
        raise Wrong(f"For {odd} it says {str(said[odd])[:40]!r}: {which}. The record furthest down counts.")
    return "Also where an older value comes back."


def counted(cluster: Cluster, answer: Any) -> str:
    """Judge 02b.2 on logs, two of which have lost their beginning, and again after more records were written."""
    function_needed(answer)
    # Sizes at which no wrong way of counting gives the right number by chance.
    sizes = {0: random.randint(20, 24), 1: random.randint(30, 32), 2: random.randint(2, 3), 3: 0}
    gone = {0: random.randint(9, 11), 1: sizes[1], 2: 0, 3: 0}
    with logs(cluster, PREFIX, sizes, gone) as made:
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
    """Return what is wrong with a count of records.

    :param spans: partition → (log start, log end).
    :param keys: number of different keys in the topic.
    """
    there = sum(end - start for start, end in spans.values())
    gone, ends = sum(start for start, _ in spans.values()), [end for _, end in spans.values()]
    said = f"it counted {count}, and {there} can be read."
    if count == sum(ends):
        return (
            f"{said} That is how many were ever written, and {gone} of them are gone: a log doesn't have to begin at 0."
        )
    if count in (max(ends), max(ends) - 1):
        return f"{said} That is how far the longest partition has come; each partition counts for itself."
    if count == keys:
        return f"{said} That is how many different keys there are; several records can have the same key."
    if count == gone:
        return f"{said} That is how many are gone from the beginnings."
    if count == there - sum(start < end for start, end in spans.values()):
        return f"{said} The log end offset is the one that the next record will get, not that of the last one."
    return f"{said} {'Are all partitions in it?' if count < there else 'Is any of them counted twice?'}"


def six_hours(cluster: Cluster, answer: Any) -> str:
    """Judge 02b.3 by the topic's settings in the cluster."""
    _named(cluster, answer, SCANS)
    said = int(settings_of(cluster, SCANS, lambda found: found["retention.ms"] == str(6 * _HOUR))["retention.ms"])
    if said == 7 * 24 * _HOUR:
        raise Wrong(f"retention.ms of {SCANS} is still the default, a week.")
    if said != 6 * _HOUR:
        after = "never" if said < 0 else f"after {said / 1000:g} seconds" if said < _HOUR else f"after {hours(said)}"
        raise Wrong(f"retention.ms is {said}: a record is too old {after}. It counts milliseconds.")
    return "A record is too old after 6 hours. It goes with its file, so it may stay longer."


def grown(cluster: Cluster, answer: Any) -> str:
    """Judge 02b.5: four partitions, and the log goes on; what is too old by 02b.3 may be gone from it."""
    topic = _named(
        cluster, answer, SCANS, lambda it: len(it.partitions) == 4 and (it.partitions[0].end or 0) >= _SCANNED
    )
    count, end = len(topic.partitions), topic.partitions[0].end
    if count != 4:
        raise Wrong(f"{SCANS} has {count} partition{'s' if count > 1 else ''}, not 4.")
    if end is None:
        raise KafkalabError(f"The cluster does not say where partition 0 of {SCANS} ends.", do="Run the cell again.")
    if end < _SCANNED:
        raise Wrong(
            f"{SCANS} has lost its records: partition 0 ended at {_SCANNED} or later, and now it ends at {end}. "
            "Was it deleted?"
        )
    return "4 partitions, and partition 0 goes on where it was."


def _named(cluster: Cluster, answer: Any, wanted: str, fits: Callable[[Topic], bool] = lambda topic: True) -> Topic:
    name = text(answer, "A topic's name")
    topic = soon(cluster, lambda s: (found := s.topic(wanted)) and fits(found)).topic(wanted)
    if name != wanted:
        raise Wrong(f"The topic is {wanted}, and your answer is {name!r}.")
    if topic is None:
        raise KafkalabError(f"There is no topic {wanted}.", do="Run the cells above, which create it.")
    return topic


def woken(cluster: Cluster, answer: Any) -> str:
    """Judge 02b.6: what the group read, what it has committed, and that all is in the log."""
    given = Counter(listed(answer, "Your answer", str))
    if not given:
        raise Wrong("Your list is empty. With which `auto_offset_reset` did you read?")
    topic, group = cluster.snapshot().topic(NIGHTS), cluster.snapshot().group(GROUP)
    if topic is None or group is None:
        raise KafkalabError(f"There is no {NIGHTS}, or no group {GROUP}.", do="Run the cells above, which create them.")
    twice = [scan for scan in _DONE if scan in given]
    if twice:
        raise Wrong(f"{' and '.join(twice)} had their invoices on the first night. Now their customers pay twice.")
    missing = [scan for scan in _OPEN if scan not in given]
    if missing:
        back = {record.value.decode() for record in read_all(cluster.bootstrap_servers, NIGHTS)}
        why = "They are not in the log any more: send them again." if set(missing) - back else "They are in the log."
        raise Wrong(f"Your list lacks {', '.join(missing)}. {why}")
    if given.keys() - set(_OPEN):
        raise Wrong(f"Your list has {min(given.keys() - set(_OPEN))[:40]!r}, which is no scan of this topic.")
    if given.total() > len(given):
        raise Wrong(f"Your list has {given.most_common(1)[0][0]} more than once: two invoices for one scan.")
    end = topic.partitions[0].end
    committed = next((o.committed for o in group.offsets if (o.topic, o.partition) == (NIGHTS, 0)), None)
    if committed != end:
        raise Wrong(f"The group has committed offset {committed}, and the log ends at {end}. Tomorrow it begins there.")
    return "Eight scans, each invoiced once, and the group goes on at the end of the log."


def for_a_while(cluster: Cluster, answer: Any) -> str:
    """Judge 02b.4 by the topic's settings in the cluster."""
    name = text(answer, "A topic's name")
    if soon(cluster, lambda s: s.topic(name)).topic(name) is None:
        raise Wrong(f"There is no topic {name!r}.")
    if not name.startswith(PREFIX):
        raise Wrong(f"{name} does not begin with {PREFIX}: the clean-up of this lab would not find it.")
    settings = settings_of(cluster, name, lambda found: _LEAST <= int(found["retention.ms"]) <= _MOST)
    if settings["cleanup.policy"] != "delete":
        raise Wrong(f"cleanup.policy is {settings['cleanup.policy']}: compaction keeps the newest record of every key.")
    if settings["retention.bytes"] != "-1":
        raise Wrong("retention.bytes is set: when much is written, records go before their hour is over.")
    retention, segment = int(settings["retention.ms"]), int(settings["segment.ms"])
    if retention < 0:
        raise Wrong("retention.ms is -1: nothing in it is ever too old.")
    if retention < _LEAST:
        seconds = f"{retention / 1000:g} seconds" if retention < 60_000 else f"{retention / 60_000:g} minutes"
        raise Wrong(f"retention.ms is {retention}: records may go after {seconds}. It counts milliseconds.")
    if retention > _MOST:
        raise Wrong(f"retention.ms is {retention}: records stay for {hours(retention)} at the very least.")
    if retention + segment > _MOST:
        raise Wrong(
            f"A file takes new records for {hours(segment)} (segment.ms) and goes when its newest one is older than "
            f"{hours(retention)}. Its first record is {hours(retention + segment)} old by then."
        )
    return f"Each record stays for {hours(retention)} at least and {hours(retention + segment)} at most."


def hours(milliseconds: int) -> str:
    """Return a time as text for a sentence: in hours, or in days from 48 hours on."""
    count, unit = (milliseconds / _HOUR, "hour") if milliseconds < 48 * _HOUR else (milliseconds / _HOUR / 24, "day")
    return f"{count:.3g} {unit}{'' if count == 1 else 's'}"
