"""The exercises of lab 06, replication: placement, the ISR, preferred leaders, what works, and a topic to repair."""

from __future__ import annotations

import copy
import random
from typing import TYPE_CHECKING, Any

from kafkalab.cluster.topics import carry_out
from kafkalab.course.lab_06.brokers import read
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import Wrong, call, function_needed, listed, text
from kafkalab.exercises.topics import passing_topic, settings_of, soon

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster
    from kafkalab.state.model import Partition, Snapshot, Topic

PREFIX, VANS, ALARMS = "lab06-", "lab06-vans", "lab06-alarms"
#: The topics that the lab's own cells make.
MADE = ("lab06-topic-a", "lab06-orders", "lab06-strict", ALARMS)
#: All that Pavel sent and Kafka acknowledged; the stale replica has only the first half.
SENT = [f"alarm {number}" for number in range(1, 7)]


def exercises(cluster: Cluster) -> tuple[Exercise, ...]:
    """Return the six exercises, judged on this cluster."""
    return (
        Exercise(
            "06.1", "Nothing on 102", 1,
            f"Create the topic `{VANS}`: two partitions, two copies of each, and no copy on 102. Answer with its name.",
            lambda answer: placed(cluster, answer), (
                "The cell above does nearly the same: only the name and the brokers differ.",
                "`assignments` is a dict: the number of each partition → the list of its brokers.",
                f'`admin.create_topics({{"{VANS}": {{"assignments": {{0: [101, 103], 1: …}}}}}})`; `vans = "{VANS}"`'),
        ),
        Exercise(
            "06.2", "Which copies are missing?", 1,
            "Write `under_replicated(topic)`. It gets a dict, as `describe_topics` has it for one topic, and returns a "
            "list: the number of each partition that has a replica out of its ISR.",
            under_replicated, (
                'Go through `topic["partitions"]`, and compare two lists of each.',
                "All of `replica_nodes` should be in `isr_nodes`; in which order doesn't matter, so compare sets.",
                '`[p["partition_index"] for p in topic["partitions"] if set(p["isr_nodes"]) != …]`'),
        ),
        Exercise(
            "06.3", "Give it back", 1,
            "Write `give_back(bootstrap_servers, topic)`: it makes the preferred leader of each partition lead, and "
            "returns nothing.",
            lambda answer: given_back(cluster, answer), (
                "In part 3, below the cell with `kafka-leader-election`, the text names the call of the admin client.",
                "`elect_leaders` takes the kind of election (0 is the preferred one) and a list of topics.",
                "`admin = KafkaAdminClient(bootstrap_servers=…)`, `admin.elect_leaders(0, [topic])`, `admin.close()`"),
        ),
        Exercise(
            "06.4", "What still works?", 2,
            "Write `works(isr, min_insync, dead)`: the brokers in a partition's ISR, its `min.insync.replicas`, and "
            "those that die. Return what clients can do once the cluster has noticed: "
            '`"read and write"` (with `acks="all"`), `"read"` or `"nothing"`.',
            works, (
                "The part of the ISR that is left decides it.",
                "None left: nothing. Fewer left than `min_insync`: only reading. Otherwise both.",
                "`left = [b for b in isr if b not in dead]`; then compare `len(left)` with 0 and with `min_insync`."),
        ),
        Exercise(
            "06.5", "Safe, and still open", 1,
            'Create a topic where each record that is acknowledged with `acks="all"` is on two brokers at least, and '
            f"where writing goes on with any one of its brokers down. Its name begins with `{PREFIX}`; answer with it.",
            lambda answer: safe(cluster, answer, own=True), (
                "With one broker down, at least two copies must be left. So how many do you need?",
                'Settings come as `"configs": {"min.insync.replicas": "2"}`, as for `lab06-strict` above.',
                '`admin.create_topics({name: {"num_partitions": 1, "replication_factor": …, "configs": {…}}})`'),
        ),
        Exercise(
            "06.6", "Heal the alarms", 3,
            f"Bring `{ALARMS}` back with all six alarms. Only then change it, so that any one of its brokers may die: "
            "no acknowledged alarm is lost, and Pavel can go on writing. Answer with the list of its values.",
            lambda answer: healed(cluster, answer), (
                "104 lacks three alarms. Start the broker that has them all, and wait until it leads.",
                "A third copy (`alter_partition_reassignments`, lab 05), and `min.insync.replicas` (`alter_configs`).",
                "`cluster.broker(103).start()`; copies on `[103, 104, 101]`; minimum 2; wait for `len(p.isr) == 3`; "
                f'`saved = brokers.read(cluster, "{ALARMS}")`.'),
        ),
    )  # fmt: skip


def _found(cluster: Cluster, answer: Any) -> Topic:
    name = text(answer, "A topic's name")
    found = soon(cluster, lambda s: (it := s.topic(name)) and all(p.leader for p in it.partitions)).topic(name)
    if found is None:
        raise Wrong(f"There is no topic {name[:60]!r}.")
    if not name.startswith(PREFIX):
        raise Wrong(f"The clean-up would leave {name} behind: its name does not begin with {PREFIX}")
    return found


def placed(cluster: Cluster, answer: Any) -> str:
    """Judge 06.1 by where the topic's copies are."""
    topic = _found(cluster, answer)
    if len(topic.partitions) != 2:
        raise Wrong(f"It should have 2 partitions, one for each list of brokers, and has {len(topic.partitions)}.")
    for p in topic.partitions:
        if 102 in p.replicas:
            held = ", ".join(map(str, p.replicas))
            raise Wrong(f"P{p.partition} has a copy on 102: it's on {held}. `cluster.delete_topic` lets you try again.")
        if len(p.replicas) != 2:
            raise Wrong(f"P{p.partition} should have 2 copies, and has {len(p.replicas)}: one on each broker you name.")
    return "102 may go: this topic won't even notice."


def under_replicated(answer: Any) -> str:
    """Judge 06.2 on random topics."""
    function_needed(answer)
    for _ in range(12):
        partitions: list[dict[str, Any]] = []
        for number in random.sample(range(9), 5):
            held = random.sample(range(101, 109), random.randint(1, 4))
            isr = random.sample(held, random.choice([len(held), random.randint(1, len(held))]))
            partitions += [{"partition_index": number, "leader_id": isr[0], "replica_nodes": held, "isr_nodes": isr}]
        got = listed(call(answer, copy.deepcopy({"partitions": partitions})), "What your function returns", int)
        for p in partitions:
            number, short = p["partition_index"], len(p["isr_nodes"]) < len(p["replica_nodes"])
            if short != (number in got):
                is_it = "a copy is missing" if short else "it's complete, in whatever order"
                raise Wrong(f"P{number} has {p['replica_nodes']}, ISR {p['isr_nodes']}: {is_it}. Your list: {got}.")
        if strange := set(got) - {p["partition_index"] for p in partitions}:
            raise Wrong(f"{min(strange)} is not the number of a partition: see `partition_index`.")
    return "Right in 12 random topics."


def given_back(cluster: Cluster, answer: Any) -> str:
    """Judge 06.3 on a topic whose preferred leaders follow."""
    function_needed(answer)
    alive = soon(cluster, lambda s: sum(broker.alive for broker in s.brokers) >= 3)
    first, second = random.sample([broker.id for broker in alive.brokers if broker.alive], 2)
    wanted = {0: (first, second), 1: (second, first), 2: (second, first)}
    with passing_topic(cluster, f"{PREFIX}check", {number: [first, second] for number in wanted}) as topic:

        def now(s: Snapshot) -> list[Partition]:
            return [p for p in s.partitions() if p.topic == topic]

        carry_out(cluster.bootstrap_servers, {(topic, number): wanted[number] for number in (1, 2)})
        cluster.wait_for(lambda s: {p.partition: p.replicas for p in now(s)} == wanted, 20, "the replicas' new order")
        call(answer, cluster.bootstrap_servers, topic, returns=False)
        after = now(soon(cluster, lambda s: all(p.leader == p.preferred_leader for p in now(s))))
    for p in after:
        if p.replicas != wanted[p.partition]:
            raise Wrong("Your function changed the list of replicas, and with it who is preferred. Only elect.")
        if p.leader != p.preferred_leader:
            raise Wrong(f"P{p.partition} is still led by {p.leader}, and its preferred leader is {p.preferred_leader}.")
    return "Each partition is led by the first of its replicas."


def works(answer: Any) -> str:
    """Judge 06.4 on those cases that people get wrong, and on random ones."""
    function_needed(answer)
    ids = random.sample(range(101, 130), 4)
    cases = [(ids[:3], least, dead) for least in (1, 2) for dead in ([], ids[1:2], ids[1:3], ids[3:], ids[:3])]
    cases += [(ids[:1], 1, ids[:1]), (ids[:1], 1, ids[1:]), (ids[:2], 2, ids[1:]), (ids[:1], 2, [])]
    for _ in range(20):
        isr, dead = (random.sample(ids, random.randint(least, 3)) for least in (1, 0))
        cases.append((isr, random.randint(1, 3), dead))
    for isr, least, dead in cases:
        left = len(set(isr) - set(dead))
        right = "nothing" if not left else "read" if left < least else "read and write"
        got = text(call(answer, list(isr), least, list(dead)), "What your function returns")
        if got != right:
            many = f"{left} left in the ISR, the leader included, are {'enough' if left >= least else 'too few'}"
            why = f"{many} for acks=all." if left else "No copy that may lead is left."
            raise Wrong(f"ISR {isr}, min.insync.replicas {least}, dead {dead}: you say {got[:30]!r}. {why}")
    return f"Right in {len(cases)} cases. The replication factor decided none of them."


def safe(cluster: Cluster, answer: Any, own: bool = False) -> str:
    """Judge 06.5, and the end of 06.6: may any broker die, without a loss and without stopping writers?"""
    topic = _found(cluster, answer)
    if own and topic.name in MADE:
        raise Wrong(f"{topic.name} was there already. Create one of your own.")
    copies = min(len(p.replicas) for p in topic.partitions)
    settings = settings_of(cluster, topic.name, lambda found: 2 <= int(found["min.insync.replicas"]) < copies)
    least = int(settings["min.insync.replicas"])
    if least < 2:
        raise Wrong(f"With min.insync.replicas={least}, a record that only one broker has may be acknowledged.")
    if copies <= least:
        raise Wrong(f"With {copies} copies and min.insync.replicas={least}, one broker down stops all writing.")
    if settings["unclean.leader.election.enable"] != "false":
        raise Wrong("With unclean.leader.election.enable=true, a copy that lacks records may lead.")
    return f"One may be down. With fewer than {least} copies in sync, Kafka refuses and risks nothing."


def healed(cluster: Cluster, answer: Any) -> str:
    """Judge 06.6: the topic is led, has every record that was acknowledged, and is safe from now on."""
    if not (given := listed(answer, "Your answer", str)):
        raise Wrong("Your list is empty: read the topic when it has a leader again.")
    complete = soon(
        cluster,
        lambda s: all(p.leader and len(p.isr) == len(p.replicas) > 2 for p in s.partitions() if p.topic == ALARMS),
    )
    partition = next((p for p in complete.partitions() if p.topic == ALARMS), None)
    if partition is None:
        raise Wrong(f"There is no topic {ALARMS}. Begin again with the set-up cell.")
    if partition.leader is None:
        raise Wrong(
            f"{ALARMS} has no leader: its only copy in sync is on 103. Is 103 up? If you changed a setting before, "
            "Kafka 4 has forgotten who was in sync; with 103 up, an unclean election takes 103, the first replica."
        )
    there = read(cluster, ALARMS)
    if lost := [value for value in SENT if value not in there]:
        why = "because a copy that never had them led before 103 was back. Begin again with the set-up cell."
        raise Wrong(f"{', '.join(lost)}: acknowledged, and gone for good, {why}")
    safe(cluster, ALARMS)
    if missing := set(partition.replicas) - set(partition.isr):
        raise Wrong(f"{min(missing)} is not in the ISR yet. Is it up? Then wait until it has caught up.")
    if sorted(given) != sorted(there):
        other = next((f", {one[:30]} among them" for one in given if one not in there), "")
        raise Wrong(f"{ALARMS} has {len(there)} records, and your list has {len(given)} items{other}: read it again.")
    return f"All {len(there)} alarms are there, on {', '.join(map(str, partition.isr))}. Any one of them may die now."
