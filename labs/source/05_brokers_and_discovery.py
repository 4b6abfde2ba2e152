# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---

# %% [markdown]
# # 05 · Brokers and discovery: one phone number, and the whole company?
#
# You know one number of a large company. You call it, and the person who answers has never
# heard of your order. But she has the staff list: *"That is Amira, extension 102. Call her."*
# You write the list down, call Amira, and never dial the first number again.
#
# That is how every Kafka client finds its cluster. It works so well that most people never notice
# it, until the day on which the list is wrong. **What do you need to know to reach a cluster, and
# what does the cluster tell you by itself?** In this lab you watch a client make its calls, let the
# company grow from three to five, kill the one number that you had, and meet a list that lies.
#
# | | |
# |---|---|
# | **You will** | read a client's calls, add brokers, kill the bootstrap server, expose a lie |
# | **You learn** | what a broker holds, bootstrap servers, metadata, advertised listeners |
# | **You need** | 30 minutes, 1.2 GB of free memory, [lab 02](02_topics_partitions_offsets.ipynb) |

# %% tags=["set-up"] jupyter={"source_hidden": true}
# Set-up: takes the running cluster or starts one, brings back what is down, removes what was left.
import json
import sys
import tempfile
from pathlib import Path
from subprocess import run

from kafka import KafkaProducer
from kafka.errors import KafkaError

from kafkalab.course.lab_05.brokers import ExtraListener, address, as_before, join, place
from kafkalab.course.lab_05.calls import Calls
from kafkalab.course.lab_05.wire import ask, fields, table
from kafkalab.exercises.lab import Lab
from kafkalab.exercises.moments import Moment
from kafkalab.exercises.predict.prediction import Prediction

lab = Lab("05")
cluster = lab.cluster
as_before(cluster)  # brokers that an interrupted run had added leave
join(cluster, 3)
q1, q2, q3, q4 = lab.exercises
cluster

# %% [markdown] covers="broker-id broker-holds-some"
# ## 1 · Who has what?
#
# A cluster is made of **brokers**: servers, each known by its id, which is a whole number. Here
# each is a process of its own; in a company each would be a machine of its own.

# %% covers="broker-id"
for broker in cluster.snapshot().brokers:
    print(broker.id)
# <output>
# 101
# 102
# 103
# </output>

# %% [markdown] covers="topic-b-not-on-103"
# Two topics: `lab05-topic-a` with three partitions, and `lab05-topic-b` with two. One copy of
# each partition, so that you see plainly what lies where. Usually Kafka chooses the places; this
# once we say them, as `kafka-topics --create --replica-assignment 101,103,102` would.
#
# The picture under the next prediction is live. Keep it in sight: right-click it, *Create New View
# for Output*.

# %% covers="broker-holds-some"
held = Prediction(
    "Five partitions, one copy of each. How many of the five will each broker hold?",
    ["all five: a broker has everything", "one or two: nobody has everything"],
)
held

# %% picture="who-has-what"
place(cluster, "lab05-topic-a", {0: [101], 1: [103], 2: [102]})
place(cluster, "lab05-topic-b", {0: [102], 1: [101]})
picture = cluster.view()
picture


# %% covers="broker-holds-some topic-b-not-on-103 no-relation"
def on_each(topics):
    """Broker → the partitions of these topics that lie on it."""
    found = {broker.id: [] for broker in cluster.snapshot().brokers}
    for p in cluster.snapshot().partitions():
        if p.topic in topics:
            for broker in p.replicas:
                found[broker].append(f"{p.topic} P{p.partition}")
    return found


five = on_each(["lab05-topic-a", "lab05-topic-b"])
for broker, partitions in five.items():
    print(broker, "has", ", ".join(partitions))
# <output>
# 101 has lab05-topic-a P0, lab05-topic-b P1
# 102 has lab05-topic-a P2, lab05-topic-b P0
# 103 has lab05-topic-a P1
# </output>

# %% covers="broker-holds-some topic-b-not-on-103"
most = max(len(partitions) for partitions in five.values())
held.compare(
    "all five: a broker has everything" if most == 5 else "one or two: nobody has everything",
    f"The most that any broker holds is {most}.",
)

# %% [markdown] covers="broker-holds-some no-relation topic-b-not-on-103"
# A broker has *some* partitions. 103 has nothing of `lab05-topic-b`, and nothing is wrong with
# that: data is spread out so that no machine has to hold, or serve, all of it. Nor do the numbers
# mean anything to one another: P1 of one topic is on 103, P1 of the other on 101.
#
# Had we asked for three copies, every partition would be on every one of these three brokers. That
# is replication, and lab 06. Here we want to see the holes.
#
# {{exercise 05.1}}


# %% exercise="05.1" covers="broker-holds-some topic-b-not-on-103"
def without(topic):
    # <solution>
    snapshot = cluster.snapshot()
    holders = {broker for p in snapshot.topic(topic).partitions for broker in p.replicas}
    return {broker.id for broker in snapshot.brokers} - holders
    # </solution>


q1.check(without)

# %% [markdown] covers="metadata-everywhere"
# ## 2 · Ask the one who has nothing
#
# Suppose that 103 is the only broker whose address you know, and that you want to write to
# `lab05-topic-b`, of which it has nothing. A client's first question to any broker is always the
# same: *who is there, and who leads what?* Kafka calls it a **Metadata** request. Before clients
# do it for you, do it by hand.

# %% covers="metadata-everywhere"
asked = Prediction(
    "You ask 103 about lab05-topic-b, of which it has nothing. What does it answer?",
    [
        "no such topic here",
        "ask the controller",
        "the leaders of both partitions, and where to find them",
    ],
)
asked

# %%
print(table(fields(["lab05-topic-b"])))
# <output>
# 00 00 00 23                                      35 bytes follow
# 00 03                                            which request: 3, Metadata
# 00 07                                            its version: 7
# 00 00 00 01                                      a number that the answer will carry too
# 00 05 6c 61 62 30 35                             who asks: "lab05"
# 00 00 00 01                                      topics asked about: 1
# 00 0d 6c 61 62 30 35 2d 74 6f 70 69 63 2d 62     "lab05-topic-b"
# 00                                               do not create them
# </output>

# %% [markdown]
# Forty bytes less one: that is all it takes. The next cell sends them over a plain socket to 103,
# and decodes what comes back.

# %%
number_of_103 = address(cluster, 103)
answer = ask(number_of_103, "lab05-topic-b")
answer

# %% covers="metadata-everywhere"
told = answer.leaders["lab05-topic-b"]
if sorted(told) == [0, 1] and set(told.values()) <= set(answer.brokers):
    said = "the leaders of both partitions, and where to find them"
else:
    said = "no such topic here"
asked.compare(said, f"It names {told[0]} for P0 and {told[1]} for P1.")

# %% [markdown] covers="metadata-everywhere bootstrap-any"
# 103 has no *record* of that topic, and knows all *about* it. Records are divided among the
# brokers; the metadata, which is small, every broker has whole. So it does not matter whom you ask:

# %% covers="metadata-everywhere bootstrap-any"
answers = [
    ask(address(cluster, broker), "lab05-topic-b").leaders["lab05-topic-b"]
    for broker in (101, 102, 103)
]
print(answers[0] == answers[1] == answers[2], answers[0])
# <output>
# True {0: 102, 1: 101}
# </output>

# %% [markdown] covers="bootstrap-any"
# ## 3 · One number is enough
#
# Now a real client. This producer, the client `shop`, is given one address: that of 103. It sends
# one message to each partition of `lab05-topic-b`. `Calls` listens to what it really does, in
# kafka-python's own log.

# %% covers="client-goes-itself"
way = Prediction(
    "Given only 103's address: to whom does the producer send the two messages?",
    [
        "to 103, which refuses them",
        "to 103, which passes them on to 101 and 102",
        "straight to 101 and 102",
    ],
)
way

# %% covers="client-goes-itself bootstrap-any"
with Calls(cluster, "shop") as calls:
    producer = KafkaProducer(bootstrap_servers=number_of_103, client_id="shop")
    for partition in (0, 1):
        producer.send("lab05-topic-b", value=b"an order", partition=partition).get(timeout=30)

print("given the address of", calls.bootstrap)
print("was told of", sorted(calls.learned))
print("sent records to", calls.to("Produce"))
# <output>
# given the address of [103]
# was told of [101, 102, 103]
# sent records to [101, 102]
# </output>

# %% picture="calls"
calls

# %% covers="client-goes-itself"
went = calls.to("Produce")
if went == [101, 102]:
    outcome = "straight to 101 and 102"
else:
    outcome = "to 103, which passes them on to 101 and 102"
way.compare(outcome, f"The brokers that got a Produce request: {went}.")

# %% [markdown] covers="bootstrap-any client-goes-itself"
# Read the picture from the top. The first call goes to the address that the client was *given*
# (dashed), and kafka-python even hangs up after it. Everything else goes to addresses that it was
# *told* (solid). Small questions may go to anybody; records go to the leader of their partition,
# and to nobody else.
#
# So the **bootstrap server** is no master, no proxy, and no gateway. It is whoever picked up the
# phone first. Every broker can be one, and no broker is *the* one.
#
# {{exercise 05.2}}


# %% exercise="05.2" covers="client-goes-itself metadata-everywhere"
def leader_address(bootstrap_servers, topic, partition):
    # <solution>
    answer = ask(bootstrap_servers, topic)
    return answer.brokers[answer.leaders[topic][partition]]
    # </solution>


q2.check(leader_address)

# %% [markdown] covers="three-to-start"
# ## 4 · The company grows
#
# Business is good: two more brokers, 104 and 105, join the running cluster. Nobody restarts
# anything, and nobody tells the clients.

# %% covers="new-broker-empty"
spread = Prediction(
    "104 and 105 have joined. How many of the five partitions move to them by themselves?",
    ["none", "one each", "two: five partitions on five brokers, one each"],
)
spread

# %% covers="three-to-start"
join(cluster)
print(len(cluster.snapshot().brokers), "brokers")
# <output>
# 5 brokers
# </output>

# %% picture="five-brokers"
Moment(cluster, "Two more brokers")

# %% covers="new-broker-empty"
five = on_each(["lab05-topic-a", "lab05-topic-b"])
moved = len(five[104]) + len(five[105])
spread.compare(
    {0: "none", 1: "one each"}.get(moved, "two: five partitions on five brokers, one each"),
    f"On 104 and 105 together lie {moved} of the five.",
)

# %% [markdown] covers="new-broker-empty"
# A new broker is empty, and stays empty. To move a partition is to copy all its records over the
# network, and Kafka does not begin that behind your back. What *does* use the new brokers at once
# is a new topic:

# %% covers="new-broker-empty"
cluster.create_topic("lab05-orders", partitions=5, replication=1)
print(sorted(p.leader for p in cluster.snapshot().topic("lab05-orders").partitions))
# <output>
# [101, 102, 103, 104, 105]
# </output>

# %% [markdown] covers="new-broker-empty"
# The old ones have to be told. Kafka's tool for it wants to know which partition is to lie where:
# here, P0 of `lab05-topic-a` goes from 101 to 104.

# %% covers="new-broker-empty"
plan = {"topic": "lab05-topic-a", "partition": 0, "replicas": [104]}
with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "plan.json"
    file.write_text(json.dumps({"version": 1, "partitions": [plan]}))
    done = cluster.tool(
        "kafka-reassign-partitions", "--reassignment-json-file", str(file), "--execute"
    )
print(done.strip().splitlines()[-1])

cluster.wait_for(lambda s: s.topic("lab05-topic-a").partitions[0].leader == 104, 30, "the move")
print("104 has", *on_each(["lab05-topic-a"])[104])
# <output>
# Successfully started partition reassignment for lab05-topic-a-0
# 104 has lab05-topic-a P0
# </output>

# %% [markdown] covers="three-to-start"
# How far can this go? You often hear: start with three, big clusters have over a hundred. Does the
# list that every client is handed become too long? Look at the whole answer, without any topic:

# %% covers="three-to-start"
answer = ask(number_of_103)
size, each = len(answer.response), answer.bytes_each
print(f"{size} bytes, {each} for each broker; with 100 brokers {size + 95 * each} bytes")
# <output>
# 153 bytes, 21 for each broker; with 100 brokers 2148 bytes
# </output>

# %% [markdown] covers="three-to-start"
# Two kilobytes. So a hundred is no limit, only a number that people mention; there are clusters with
# several hundred brokers. What fills up first is the number of *partitions* that the brokers and
# the controller must keep track of, and one reason for KRaft is that it can keep track of many more
# than ZooKeeper. Three is where it *begins* to make sense: the least with which you can have three
# copies of everything.

# %% [markdown] covers="five-brokers"
# ## 5 · The number goes dead
#
# Five brokers, and one address in your notebook: 103's. A producer connects by it. Then somebody
# pulls 103's plug.

# %% covers="survives-bootstrap several-addresses"
lines = {
    "A": "A: the producer that is connected",
    "B": "B: a new one that knows only 103",
    "C": "C: a new one that knows 103, 104, 105",
}
dead = Prediction.arrangement(
    "103 is dead. Which producers get a message into lab05-topic-b?",
    chips=lines,
    places=["gets through", "does not"],
)
dead

# %% covers="five-brokers"
with Calls(cluster, "office") as calls:
    connected = KafkaProducer(bootstrap_servers=number_of_103, client_id="office")
    connected.send("lab05-topic-b", value=b"hello", partition=0).get(timeout=30)
print("knew 1 address:", calls.bootstrap)
print("knows", len(calls.learned), "now:", sorted(calls.learned))
# <output>
# knew 1 address: [103]
# knows 5 now: [101, 102, 103, 104, 105]
# </output>


# %% covers="survives-bootstrap several-addresses"
def gets_through(known=None, producer=None, **settings):
    """Whether a message arrives: by this producer, or by a new one that knows these addresses."""
    try:
        new = producer or KafkaProducer(bootstrap_servers=known, **settings)
        new.send("lab05-topic-b", value=b"still there?", partition=0).get(timeout=30)
    except KafkaError as error:
        print(str(error).replace(number_of_103, "<the address of 103>"))
        return "does not"
    if producer is None:
        new.close()
    return "gets through"


three = [number_of_103, address(cluster, 104), address(cluster, 105)]
cluster.broker(103).kill()
happened = {
    "A": gets_through(producer=connected),
    "B": gets_through(number_of_103, bootstrap_timeout_ms=3000),
    "C": gets_through(three),
}
print(happened)
# <output>
# KafkaTimeoutError: Unable to bootstrap from <the address of 103>
# {'A': 'gets through', 'B': 'does not', 'C': 'gets through'}
# </output>

# %% picture="dead-number"
cluster.wait_for(lambda s: not s.broker(103).alive, 30, "the cluster to notice")
Moment(cluster, "103 is dead")

# %% covers="survives-bootstrap several-addresses"
dead.compare(happened)

# %% [markdown] covers="survives-bootstrap several-addresses"
# A hardly noticed: it talks to 102 directly, and for the metadata it asks any living broker. B has only a dead number. C tries its three in turn until one answers.
#
# So one address is *enough*, and it is not *safe*. Three in the list cost nothing: they are not
# "the brokers that I use", but the ones I ask first. (Had 103 held the only copy of that partition,
# A would have been stuck too. That is about replicas, and lab 06, not about the phone book.)

# %%
cluster.broker(103).start()
connected.close()
producer.close()
print("103 is back")
# <output>
# 103 is back
# </output>

# %% [markdown]
# {{exercise 05.3}}

# %% exercise="05.3" covers="several-addresses"
# <solution blank="bootstrap = ...">
bootstrap = ",".join(cluster.bootstrap_servers.split(",")[:3])
# </solution>
q3.check(bootstrap)

# %% [markdown] part="finale" covers="advertised-listeners"
# ## 6 · The listener that lies
#
# What if the list itself is wrong? A broker's settings say two things. `listeners`: where it
# *listens*. `advertised.listeners`: which address it *tells* its clients. Kafka never tests whether
# the second leads to the first. A container that names its inner host, a laptop that names its
# office network, a port with a digit swapped: the broker starts, and is content.
#
# The last broker gets a second listener for clients, `CLIENTS`. It advertises a port of this
# machine on which nobody listens. One topic lies on that broker alone.

# %% covers="advertised-listeners"
extra = ExtraListener(cluster)
place(extra.cluster, "lab05-notices", {0: [extra.broker]})
extra.advertise(extra.nobody)
print(extra.settings)

# %% covers="advertised-listeners connected-is-not-enough"
lie = Prediction(
    "A producer is given the address where CLIENTS really listens. What becomes of its message?",
    [
        "it arrives: the address is right",
        "the producer cannot connect at all",
        "it connects, and then waits in vain",
    ],
)
lie

# %% covers="connected-is-not-enough"
with Calls(cluster, "shop", {extra.address: extra.broker}) as calls:
    producer = KafkaProducer(bootstrap_servers=extra.address, client_id="shop", max_block_ms=3000)
    print("connected, and told of", sorted(calls.learned))
    try:
        producer.send("lab05-notices", value=b"hello?").get(timeout=30)
    except KafkaError as error:
        print(error)
# <output>
# connected, and told of [105]
# KafkaTimeoutError: Failed to update metadata after 3.0 secs.
# </output>

# %% picture="the-lie"
calls

# %% covers="connected-is-not-enough"
if calls.to("Produce"):
    outcome = "it arrives: the address is right"
elif calls.learned:
    outcome = "it connects, and then waits in vain"
else:
    outcome = "the producer cannot connect at all"
lie.compare(outcome, f"It was told that {extra.broker} is at {calls.learned[extra.broker]}.")

# %% [markdown] covers="connected-is-not-enough"
# Note how useless the error is: *failed to update metadata*. The metadata came at once! It is what
# the metadata *says* that leads nowhere. And look at the cluster: every broker is up, every
# partition has its leader, nothing is wrong in any log of the server.

# %%
Moment(extra.cluster, "All is well, says the cluster", topic="lab05-notices")

# %% [markdown] covers="advertised-listeners"
# So go the client's way yourself, hop by hop: the address that you were given, and then each one
# that you are told. `kafkalab doctor` does that:


# %% covers="advertised-listeners"
def doctor(address, *options):
    """What `kafkalab doctor --bootstrap-servers` prints."""
    command = [sys.executable, "-m", "kafkalab", "doctor", "--bootstrap-servers", address]
    return run([*command, *options], capture_output=True, text=True).stdout


print(doctor(extra.address))

# %% covers="advertised-listeners connected-is-not-enough"
for hop in json.loads(doctor(extra.address, "--json"))["checks"]:
    if not hop["ok"]:
        print(f"broker {hop['broker']}, as it is advertised, fails at: {hop['step']}")
# <output>
# broker 105, as it is advertised, fails at: connection
# </output>

# %% [markdown] covers="listeners-fix advertised-listeners"
# The doctor names the hop, and the line that mends it. For *Connection to node 0 could not be
# established* a recipe is handed around: write `listeners=PLAINTEXT://localhost:9092` into
# `server.properties`. It often helps, and now you can say why. Without `advertised.listeners` a
# broker advertises its `listeners`; and where these name no host either, the name of its machine,
# which need not lead anywhere. With the recipe, where it listens and what it tells are the same.
# That helps clients on *that machine* only: to anybody else, `localhost` is themselves. Try it:

# %% covers="listeners-fix"
extra.advertise(None)  # no line advertised.listeners at all
told = ask(extra.address, "lab05-notices").brokers[extra.broker]
print("advertised.listeners is there:", "advertised" in extra.settings)
print("told where it listens:", told == extra.address)
# <output>
# advertised.listeners is there: False
# told where it listens: True
# </output>

# %% covers="listeners-fix"
producer.close(timeout=0)
producer = KafkaProducer(bootstrap_servers=extra.address, client_id="shop")
receipt = producer.send("lab05-notices", value=b"hello?").get(timeout=30)
print("offset", receipt.offset)
# <output>
# offset 0
# </output>

# %% [markdown] covers="advertised-listeners connected-is-not-enough"
# Offset 0: not one message had come in before. The broker was never ill; only its entry in the
# phone book was.
#
# Real brokers have several listeners, one for each world that knows them by another address:
# containers inside, programs outside. A client is told the address of the listener by which it
# came. When a client can't reach a broker, `kafkalab doctor --bootstrap-servers HOST:PORT` follows
# the whole way and names the setting to change.
#
# {{exercise 05.4}}


# %% exercise="05.4" covers="advertised-listeners connected-is-not-enough"
def failing_hop(bootstrap, advertised, answering):
    # <solution>
    if bootstrap not in answering:
        return "bootstrap"
    return [broker for broker, address in advertised.items() if address not in answering]
    # </solution>


q4.check(failing_hop)

# %% [markdown]
# ## Your points

# %%
print(lab.score())
# <output>
# ✓ 05.1 Who has nothing of it?: right
# ✓ 05.2 Where will it write?: right
# ✓ 05.3 An address to rely on: right
# ✓ 05.4 Which hop fails?: right
# 6 of 6 points
# </output>

# %% tags=["progress"]
lab.progress()

# %% [markdown]
# ## Clean up
#
# 104 and 105 leave for good, if they came for this lab: what lies on them moves to the others
# first, and then they end. The cluster stays, with the brokers that it had.

# %% tags=["clean-up"]
producer.close(timeout=0)
as_before(cluster)
extra.close()
lab.tidy()
print("tidy")
# <output>
# tidy
# </output>

# %% [markdown]
# **The words you own now.** A *broker* is a server with an id, and holds some partitions. The
# *metadata* says who is there and who leads what; every broker has it whole. A *bootstrap server*
# is any broker that is asked first. A *listener* is where a broker listens, and its *advertised
# listener* is where it sends its clients: these two must meet.
#
# Where next? [21 · The first stream](21_first_stream.ipynb): a thousand trucks find their brokers
# by themselves, and some of them talk nonsense.
