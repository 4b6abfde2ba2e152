"""The exercises of lab 05: addresses of brokers and leaders, bootstrap servers, failing hops, a listener to repair."""

from __future__ import annotations

import random
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from kafkalab.cluster import probe
from kafkalab.cluster.topics import asking, carry_out
from kafkalab.course.lab_05.brokers import PREFIX
from kafkalab.errors import KafkalabError
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import Wrong, call, function_needed, listed, text
from kafkalab.exercises.topics import passing_topic, read_all

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster
    from kafkalab.state.model import Partition, Snapshot

# --- Judges of lab 05 that ask the cluster: brokers without a topic, a bootstrap string, the leader's address.


#: Number of brokers that may be lost while a bootstrap string still works.
_LOST: Final = 2
#: Maximum number of addresses in an answer.
_MOST: Final = 30
#: Kafka's code for the election of the preferred leader.
_PREFERRED: Final = 0


def without(cluster: Cluster, answer: Any) -> str:
    """Judge 05.2 on temporary topics placed on random brokers."""
    function_needed(answer)
    brokers = _alive(cluster, 3)
    first, second, *_ = random.sample(brokers, len(brokers))
    for held in (
        {0: [first, second]},  # one leads and one follows: both hold it
        {0: [second], 1: [first], 2: [first]},
        {n: [id] for n, id in enumerate(random.sample(brokers, len(brokers)))},  # every broker holds a partition
    ):
        with passing_topic(cluster, f"{PREFIX}check", held) as topic:
            _compare(call(answer, cluster.bootstrap_servers, topic), held, brokers)
    return "Right for a topic with followers, for one that lies on two brokers, and for one that lies on all."


def _compare(got: Any, held: Mapping[int, Sequence[int]], brokers: Sequence[int]) -> None:
    items = listed(got, "What your function returns", int, most=1000)
    holders = {id for ids in held.values() for id in ids}
    lies = "; ".join(f"P{number} on {', '.join(map(str, ids))}" for number, ids in held.items())
    facts = f"A topic with {lies}, in a cluster of {', '.join(map(str, brokers))}:"
    for item in items:
        if item in held and item not in brokers:
            raise Wrong(f"{facts} {item} is a partition's number. It says nothing about the broker that holds it.")
        if item not in brokers:
            raise Wrong(f"{facts} there is no broker {item}.")
        if item in holders:
            led = item in {ids[0] for ids in held.values()}
            what = "leads a partition of it" if led else "follows the leader, and so holds every record as well"
            raise Wrong(f"{facts} {item} {what}.")
    if missing := sorted(set(brokers) - holders - set(items)):
        raise Wrong(f"{facts} {missing[0]} is missing. No partition is on it: a broker doesn't have everything.")


def survivors(cluster: Cluster, answer: Any) -> str:
    """Judge 05.4 by asking each address for its broker, and counting the different brokers."""
    said = text(answer, "A bootstrap string").strip()
    if said.endswith(","):
        raise Wrong("There is nothing after the last comma.")
    if ";" in said or len(said.split()) > said.count(",") + 1:
        raise Wrong("Several addresses have commas between them, and nothing else.")
    given = [part.strip() for part in said.split(",")]
    if len(given) > _MOST:
        raise Wrong(f"{len(given)} addresses are more than a client needs.")
    snapshot = cluster.snapshot()
    behind: dict[str, int] = {}
    for one in given:
        host, _, port = one.rpartition(":")
        if not host or not (port.isdecimal() and int(port) < 65_536) or "/" in host:
            raise Wrong(f"{one[:60]!r} is not an address. One is written host:port, with nothing else.")
        behind[one] = _who(snapshot, host, int(port))
    distinct = set(behind.values())
    if len(distinct) < len(given):
        twice = next(id for id in behind.values() if list(map(behind.get, given)).count(id) > 1)
        raise Wrong(f"{len(given)} addresses, and several lead to broker {twice}: they go down together.")
    if len(distinct) <= _LOST:
        names = " and ".join(map(str, sorted(distinct)))
        raise Wrong(f"With {names} down, a client that knows only this has no broker to ask.")
    if len(distinct) > _LOST + 1:
        raise Wrong(f"That works, and is longer than it must be: {_LOST} may be down, and you name {len(distinct)}.")
    return f"With any {_LOST} down, one of {', '.join(map(str, sorted(distinct)))} is left to ask."


def _who(snapshot: Snapshot, host: str, port: int) -> int:
    """Return the id of the broker behind an address.

    :raises Wrong: there is none, or it belongs to another cluster.
    """
    try:
        found = probe.ask(host, port, 5.0)
    except UnicodeError as error:  # no machine can have that name
        found = str(error)
    if isinstance(found, str):
        raise Wrong(
            f"No broker answers at {host[:60]}:{port}. A bootstrap server is a broker, at its port for clients."
        )
    if found.cluster_id != snapshot.cluster_id:
        raise Wrong(f"{host}:{port} is a broker of another cluster.")
    owner = next((b.id for b in snapshot.brokers if b.port == port), None)
    if owner is None:
        raise KafkalabError(f"Which broker is behind {host}:{port} could not be told.", do="Run the cell again.")
    return owner


def leader_address(cluster: Cluster, answer: Any) -> str:
    """Judge 05.3 on a topic whose leaders are not always first in replicas or ISR, and are never the broker asked."""
    function_needed(answer)
    asked, first, second, *_ = random.sample(_alive(cluster, 3), 3)
    held = {0: [first, second], 1: [second, first], 2: [first, second]}
    with passing_topic(cluster, f"{PREFIX}check", held) as topic:
        # The same replicas in another order: the second broker becomes preferred, but the first still leads.
        carry_out(cluster.bootstrap_servers, {(topic, 0): [second, first], (topic, 2): [second, first]})
        cluster.wait_for(
            lambda s: all(p.preferred_leader == second for p in _partitions(s, topic)),
            20,
            "the replicas to be in their new order",
        )
        # Now the second broker leads partition 2, but comes after the first in its ISR.
        asking(cluster.bootstrap_servers, lambda admin: admin.elect_leaders(_PREFERRED, {topic: [2]}))
        snapshot = cluster.wait_for(
            lambda s: _partitions(s, topic)[2].leader == second, 20, "the preferred leader to lead partition 2"
        )
        at = {b.id: f"{b.host}:{b.port}" for b in snapshot.brokers}
        for partition in _partitions(snapshot, topic):
            got = text(call(answer, at[asked], topic, partition.partition), "An address")
            leader = partition.leader
            if got.replace("localhost", "127.0.0.1") == at.get(leader or 0):
                continue
            facts = f"P{partition.partition} is led by {leader}."
            if got == at[asked]:
                raise Wrong(f"{facts} {got} is the address that your function was given: {asked} only tells the way.")
            other = next((id for id, address in at.items() if address == got), None)
            if other is None:
                raise Wrong(f"{facts} {got[:60]!r} is not the address of a broker.")
            if other in partition.replicas:
                preferred = (
                    "the first of its replicas" if other == partition.preferred_leader else "one of its replicas"
                )
                raise Wrong(f"{facts} {got} is {other}, {preferred}, which follows at this moment.")
            raise Wrong(f"{facts} {got} is {other}, which has nothing of that partition.")
    return f"From {asked}, which has nothing of the topic, to the leader of each partition."


def _partitions(snapshot: Snapshot, topic: str) -> list[Partition]:
    return [p for p in snapshot.partitions() if p.topic == topic]


def _alive(cluster: Cluster, least: int) -> list[int]:
    alive = sorted(b.id for b in cluster.snapshot().brokers if b.alive)
    if len(alive) < least:
        raise KafkalabError(f"Only {len(alive)} brokers are up.", do="Start the others: run the set-up cell again.")
    return alive


# --- Judges 05.5, which hop of a client's way fails, on random cases and without a cluster.


_ROUNDS: Final = 5


@dataclass(frozen=True, slots=True)
class Case:
    """A client's way: the bootstrap address, the addresses the brokers advertise, and those that answer the client."""

    bootstrap: str
    advertised: dict[int, str]
    answering: list[str]

    @property
    def expected(self) -> str | set[int]:
        """The right answer: ``"bootstrap"``, or the ids of the brokers that the client cannot reach."""
        if self.bootstrap not in self.answering:
            return "bootstrap"
        return {id for id, address in self.advertised.items() if address not in self.answering}


def cases(seed: int | None = None) -> list[Case]:
    """Return random cases of every kind: all is well, no bootstrap, one or several brokers advertise a bad address."""
    dice = random.Random(seed)
    found = []
    for _ in range(_ROUNDS):
        brokers = dice.sample(range(101, 130), dice.randint(2, 5))
        ports = dice.sample(range(9100, 32000), len(brokers) + 1)
        host = dice.choice(["127.0.0.1", "kafka.example.com", "10.0.0.7"])
        advertised = {id: f"{host}:{port}" for id, port in zip(brokers, ports, strict=False)}
        mapped, direct = f"localhost:{ports[-1]}", dice.choice(list(advertised.values()))
        liar = dice.choice(brokers)
        honest = [address for id, address in advertised.items() if id != liar]
        everywhere = list(advertised.values())
        # The first bootstrap address is a mapped port: no broker advertises it, and that is not an error.
        for bootstrap in (mapped, direct):
            others = [address for address in everywhere if address != bootstrap]
            found.append(Case(bootstrap, advertised, [bootstrap, *others]))
            found.append(Case(bootstrap, advertised, others))
            found.append(Case(bootstrap, advertised, []))
            found.append(Case(bootstrap, advertised, [bootstrap]))
        found.append(Case(mapped, advertised, [mapped, *honest]))
        found.append(Case(honest[0], advertised, honest))
    for case in found:
        dice.shuffle(case.answering)
    dice.shuffle(found)
    return found


def failing_hop(answer: Any) -> str:
    """Judge 05.5 on random cases."""
    function_needed(answer)
    tried = cases()
    for case in tried:
        _compare_hop(case, call(answer, case.bootstrap, dict(case.advertised), list(case.answering)))
    return f"Right in {len(tried)} cases: you go the client's way, hop by hop."


def _compare_hop(case: Case, got: Any) -> None:
    expected = case.expected
    facts = f"Bootstrap {case.bootstrap}, advertised {case.advertised}, answering {case.answering}:"
    if isinstance(got, str):
        if got != "bootstrap":
            raise Wrong(f'The only text that is asked for is "bootstrap"; this was {got[:40]!r}.')
        if expected != "bootstrap":
            raise Wrong(f"{facts} the bootstrap address answers, so the client hears the metadata. The way goes on.")
        return
    items = listed(got, "What your function returns", most=1000)
    named = {item for item in items if isinstance(item, int) and not isinstance(item, bool)}
    if expected == "bootstrap":
        raise Wrong(
            f"{facts} no broker answers at the bootstrap address, so the client hears no metadata and never learns "
            "what "
            'the brokers advertise. That is "bootstrap".'
        )
    if strange := [item for item in items if type(item) is not int or item not in case.advertised]:
        raise Wrong(f"{facts} {repr(strange[0])[:40]} is not the id of one of those brokers.")
    assert not isinstance(expected, str)  # that case was handled above
    if missing := sorted(expected - named):
        raise Wrong(
            f"{facts} broker {missing[0]} is missing. The bootstrap address answers, but that broker sends its clients "
            f"to {case.advertised[missing[0]]}, where none does."
        )
    if extra := sorted(named - expected):
        raise Wrong(
            f"{facts} broker {extra[0]} can be reached where it says that it is. It doesn't have to be the bootstrap "
            "server."
        )


def addresses(cluster: Cluster, answer: Any) -> str:
    """Judge 05.1 by what the brokers advertise, asked at each of them."""
    function_needed(answer)
    brokers = {b.id: f"{b.host}:{b.port}" for b in cluster.snapshot().brokers if b.alive}
    for id in random.sample(sorted(brokers), 2):
        given = listed(call(answer, brokers[id]), "What your function returns", str)
        said = {one.replace("localhost", "127.0.0.1") for one in given}
        if said == {brokers[id]} and len(brokers) > 1:
            raise Wrong(f"It returned only the address that it was given. That broker knows all {len(brokers)}.")
        if any(":" not in one for one in said):
            raise Wrong(f"{min(one for one in said if ':' not in one)[:40]!r} lacks the port: an address is host:port.")
        if strange := said - set(brokers.values()):
            raise Wrong(f"{min(strange)[:40]!r} is not the address of a broker.")
        if missing := set(brokers.values()) - said:
            raise Wrong(f"{min(missing)} is missing. The cluster has {len(brokers)} brokers.")
    return f"From one address to all {len(brokers)}."


def listener_repaired(cluster: Cluster, answer: Any) -> str:
    """Judge 05.6 as a client of that address: what it is told, and whether a record arrives and can be read."""
    from kafka import KafkaProducer
    from kafka.errors import KafkaError

    given = text(answer, "An address").strip().replace("localhost", "127.0.0.1")
    host, _, port = given.rpartition(":")
    if not host or not port.isdecimal():
        raise Wrong(f"{given[:60]!r} is not an address. One is written host:port.")
    own = {f"{b.host}:{b.port}" for b in cluster.snapshot().brokers}
    if given in own:
        raise Wrong(f"{given} is the brokers' own listener. Answer with the one that is called CLIENTS.")
    told = probe.ask(host, int(port), 5.0)
    if isinstance(told, str):
        raise Wrong(f"No broker answers at {given}. Is it the address at which CLIENTS listens, and is the broker up?")
    sends_to = {f"{host}:{port}" for host, port in told.brokers.values()}
    if given not in sends_to:
        raise Wrong(f"The broker at {given} still sends its clients to {', '.join(sorted(sends_to))}.")
    try:
        producer = KafkaProducer(bootstrap_servers=given, acks="all", max_block_ms=15_000)
        value = uuid.uuid4().hex.encode()
        producer.send(NOTICES, value=value).get(timeout=20)
        producer.close(timeout=5)
    except KafkaError as error:
        raise Wrong(f"A client of {given} is told the right address, but its record did not arrive: {error}.") from None
    if value not in [record.value for record in read_all(given, NOTICES)]:
        raise Wrong(f"The record arrived, but a consumer that begins at {given} doesn't find it.")
    return f"A client that begins at {given} is sent there, and its record arrived."


#: The topic of the finale, on the broker whose listener lies.
NOTICES: Final = f"{PREFIX}notices"


def exercises(cluster: Cluster) -> tuple[Exercise, ...]:
    """Return the six exercises, judged on this cluster."""
    return (
        Exercise(
            "05.1",
            "From one to all",
            1,
            "Write `addresses(bootstrap_server)`: it gets the address of one broker and returns a list of the "
            "addresses of all brokers, each as text: `host:port`.",
            lambda answer: addresses(cluster, answer),
            (
                "The cell above asks 103 for the brokers of the cluster.",
                "`KafkaAdminClient(bootstrap_servers=…).describe_cluster()` is a dict; its `brokers` are dicts with a "
                "`host` and a `port`.",
                "`[f\"{b['host']}:{b['port']}\" for b in admin.describe_cluster()['brokers']]`; close the client "
                "before you return it.",
            ),
        ),
        Exercise(
            "05.2",
            "Which brokers have nothing?",
            2,
            "Write `without(bootstrap_servers, topic)`: it returns a list of the ids of the brokers that have no "
            "partition of that topic, neither as its leader nor as a follower.",
            lambda answer: without(cluster, answer),
            (
                "You need two lists: all brokers of the cluster, and those that have some partition of the topic.",
                "`describe_cluster()` has the `broker_id`s. `describe_topics([topic])` is a list of one dict; each of "
                "its `partitions` has `replica_nodes`, the brokers that have a copy.",
                "Two sets: `{b['broker_id'] for b in …}` minus `{id for p in found['partitions'] for id in "
                "p['replica_nodes']}`.",
            ),
        ),
        Exercise(
            "05.3",
            "Where will it write?",
            2,
            "Write `leader_address(bootstrap_servers, topic, partition)`: it returns the `host:port` to which a "
            "producer sends its records for that partition.",
            lambda answer: leader_address(cluster, answer),
            (
                "A client asks one broker for the metadata and goes where the answer sends it. Do the same.",
                "`describe_topics([topic])` says which broker leads the partition (`leader_id`), and "
                "`describe_cluster()` where each broker is.",
                "Find the dict of the partition by its `partition_index`, and then the broker whose `broker_id` is its "
                "`leader_id`. Its `host` and `port` are the answer.",
            ),
        ),
        Exercise(
            "05.4",
            "An address to rely on",
            1,
            "Write a text for `bootstrap_servers` with which a new client finds the cluster even if any two of its "
            "brokers are down. Name as few addresses as possible: `host:port`, several with commas between them.",
            lambda answer: survivors(cluster, answer),
            (
                "One address is enough as long as its broker is up. But you don't know which brokers will be down.",
                "If two of those that you name are down, one more must be left. Two addresses of the same broker go "
                "down together.",
                '`cluster.bootstrap_servers.split(",")` is a list of all addresses, one for each broker. '
                '`",".join(…)` makes one text of the first few.',
            ),
        ),
        Exercise(
            "05.5",
            "Which hop fails?",
            2,
            "Write `failing_hop(bootstrap, advertised, answering)`. `bootstrap` is the address that a client was "
            "given, `advertised` a dict: broker id → the address that this broker advertises. `answering` is a list "
            "of the "
            'addresses that the client can reach. Return `"bootstrap"` if the client can\'t even ask, and otherwise '
            "a list of the brokers' ids that it is told of and can't reach.",
            failing_hop,
            (
                "Go the client's way: first the address that it was given, and only then those that it is told.",
                "Without an answer from the bootstrap address there's no metadata, so it doesn't matter what brokers "
                "advertise. With an answer, only that matters.",
                'First `if bootstrap not in answering: return "bootstrap"`. Then the ids `id` for which '
                "`advertised[id] not in answering`.",
            ),
        ),
        Exercise(
            "05.6",
            "Repair the listener",
            3,
            "Change the broker's settings file `extra.file`, so that clients which begin at the listener CLIENTS "
            "really reach the broker, and restart it with `extra.restart()`. Answer with the address at which they "
            "begin.",
            lambda answer: listener_repaired(cluster, answer),
            (
                "In the two lines above, CLIENTS has two different addresses. Which one is true?",
                "`extra.file.read_text()` is the text of the file, `extra.file.write_text(…)` writes it, and text has "
                "`.replace(old, new)`. `extra.address` is where CLIENTS listens, `extra.wrong` what it tells.",
                "`extra.file.write_text(extra.file.read_text().replace(extra.wrong, extra.address))`, then "
                "`extra.restart()`, and `begins = extra.address`.",
            ),
        ),
    )
