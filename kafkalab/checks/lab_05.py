"""The exercises of lab 05, brokers and discovery: who has nothing, where to write, whom to name, which hop fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kafkalab.checks import lab_05_judges as judges
from kafkalab.checks.exercise import Exercise
from kafkalab.checks.lab_05_hops import failing_hop

if TYPE_CHECKING:
    from kafkalab.cluster.cluster import Cluster


def exercises(cluster: Cluster) -> tuple[Exercise, Exercise, Exercise, Exercise]:
    """The four exercises, judged on this cluster."""
    return (
        Exercise(
            "05.1",
            "Who has nothing of it?",
            1,
            "Write `without(topic)`: it returns the ids of the brokers that hold nothing of that topic, in any order. "
            "The check makes topics of its own and asks for each.",
            lambda answer: judges.without(cluster, answer),
            (
                "You need two lists: all brokers of the cluster, and those on which some partition of the topic lies.",
                "`cluster.snapshot()` has `.brokers`, each with an `.id`, and `.topic(name).partitions`. A broker that "
                "only follows holds the partition too.",
                "Collect every id in `p.replicas` over all partitions `p` of the topic, and take those away from the "
                "ids of `snapshot.brokers`. With sets that is a minus sign.",
            ),
        ),
        Exercise(
            "05.2",
            "Where will it write?",
            2,
            "Write `leader_address(bootstrap_servers, topic, partition)`: it returns the `host:port` to which a client "
            "that was given those bootstrap servers sends its records for that partition.",
            lambda answer: judges.leader_address(cluster, answer),
            (
                "A client asks one broker for the metadata and goes where the answer sends it. Do the same.",
                "The metadata says two things that you need: which broker leads the partition, and at which address "
                "each broker is. `ask(address, topic)` from above has both.",
                "`answer = ask(bootstrap_servers, topic)`; `answer.leaders[topic][partition]` is the leader's id, and "
                "`answer.brokers[id]` its address.",
            ),
        ),
        Exercise(
            "05.3",
            "An address to rely on",
            1,
            "Write a bootstrap string, as short as it can be, with which a new client finds the cluster even if any "
            "two of its brokers are down. Answer with the text: `host:port`, several with commas between them.",
            lambda answer: judges.survivors(cluster, answer),
            (
                "One address is enough for as long as its broker is up. Which brokers will be down, nobody tells you.",
                "If two of those that you name are down, one more must be left. Two addresses of the same broker go "
                "down together.",
                '`cluster.bootstrap_servers.split(",")` is a list of all addresses, one for each broker. '
                '`",".join(…)` makes one text of the first few.',
            ),
        ),
        Exercise(
            "05.4",
            "Which hop fails?",
            2,
            "Write `failing_hop(bootstrap, advertised, answering)`. `bootstrap` is the address a client was given, "
            "`advertised` a dict from broker id to the address which that broker advertises, and `answering` a list of "
            'the addresses that can be reached from the client. Return `"bootstrap"` if the client cannot even ask; '
            "else a list of the ids of the brokers that it is told of and cannot reach, empty if all is well.",
            failing_hop,
            (
                "Go the client's way: first the address that it was given, and only then those that it is told.",
                "Without an answer from the bootstrap address no metadata comes, and what the brokers advertise does "
                "not matter. With one, only what they advertise matters.",
                'First `if bootstrap not in answering: return "bootstrap"`. Then the ids `id` for which '
                "`advertised[id] not in answering`.",
            ),
        ),
    )
