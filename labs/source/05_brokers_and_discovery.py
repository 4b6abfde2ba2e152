# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kafkalab:
#     title: Brokers and discovery
#     can: reach a cluster from one address, and find out why you can't
#     after: ["02a"]
#     memory: 1.2 GB
#     seconds: 30
#     big: ["05.3", "05.6"]
#     teaches:
#     - KafkaAdminClient.describe_cluster
#     - KafkaAdminClient.describe_topics
#     - KafkaAdminClient.alter_partition_reassignments
#     - KafkaProducer.bootstrap_servers
# ---

# %% [markdown]
# # 05 · Brokers and discovery: one phone number, and the whole company?
#
# You know one number of a large company, and you have an order for a person whose name you don't
# know. Does the person who answers take it, pass it on, or tell you whom to call?
#
# Every Kafka client begins like that. It works so well that most people never notice it, until the
# day when what they're told is wrong. In this lab you watch a client make its calls, let the
# cluster grow from three brokers to five, kill the one broker whose address you know, and meet a
# list that lies.
#
# | | |
# |---|---|
# | **You will** | read a client's calls, add brokers, kill the bootstrap server, repair a listener |
# | **You learn** | what a broker holds, bootstrap servers, metadata, advertised listeners |
# | **You need** | about {{minutes}} minutes, 1.2 GB of free memory, [lab 02a](02a_topics_partitions_offsets.ipynb) |

# %% tags=["set-up"] jupyter={"source_hidden": true}
# Set-up: takes your running cluster or starts one, and removes what an earlier run left.
import json
import sys
from subprocess import run

from kafka import KafkaAdminClient, KafkaProducer, TopicPartition
from kafka.errors import KafkaError

import kafkalab.course.lab_05.brokers as brokers  # lets brokers join and leave, and opens a listener
from kafkalab import Lab  # this lab, on your cluster
from kafkalab import Prediction  # asks for your guess
from kafkalab.course.lab_05.calls import Calls  # writes down which brokers a client calls

lab = Lab("05")
cluster = lab.cluster
brokers.as_before(cluster)  # brokers that an interrupted run had added leave
brokers.join(cluster, 3)
q1, q2, q3, q4, q5, q6 = lab.exercises
number_of_103 = brokers.address(cluster, 103)
cluster

# %% [markdown] covers="broker-id bootstrap-any"
# ## 1 · Who is there, and who has what?
#
# Let's say that you know one address only, that of broker 103. Ask it who else is there. For each
# broker, you get a dict with `broker_id`, `host` and `port`:

# %% covers="broker-id bootstrap-any metadata-everywhere"
admin = KafkaAdminClient(bootstrap_servers=number_of_103)
staff = admin.describe_cluster()["brokers"]
print(sorted(broker["broker_id"] for broker in staff))
print({broker["host"] for broker in staff})
# <output>
# [101, 102, 103]
# {'127.0.0.1'}
# </output>

# %% [markdown]
# {{exercise 05.1}}


# %% exercise="05.1" covers="bootstrap-any metadata-everywhere"
def addresses(bootstrap_server):
    # <solution>
    admin = KafkaAdminClient(bootstrap_servers=bootstrap_server)
    found = [f"{b['host']}:{b['port']}" for b in admin.describe_cluster()["brokers"]]
    admin.close()
    return found
    # </solution>


q1.check(addresses)

# %% [markdown] covers="topic-b-not-on-103"
# Now two topics: `lab05-topic-a` has three partitions and `lab05-topic-b` has two, each with a
# single copy. Usually Kafka chooses the places. This time we do:

# %% covers="broker-holds-some topic-b-not-on-103"
places = {
    "lab05-topic-a": {"assignments": {0: [101], 1: [103], 2: [102]}},
    "lab05-topic-b": {"assignments": {0: [102], 1: [101]}},
}
created = admin.create_topics(places, wait_for_metadata=True)["topics"]
print({topic["name"]: topic["num_partitions"] for topic in created})
# <output>
# {'lab05-topic-a': 3, 'lab05-topic-b': 2}
# </output>

# %% covers="topic-b-not-on-103 metadata-everywhere"
asked = Prediction(
    "103 has nothing of lab05-topic-b. You ask 103 who leads its partitions. What does it answer?",
    ["no such topic here", "ask the controller", "the leaders of both partitions"],
)
asked

# %% covers="metadata-everywhere"
(topic_b,) = admin.describe_topics(["lab05-topic-b"])
leaders = {p["partition_index"]: p["leader_id"] for p in topic_b["partitions"]}

# %% covers="metadata-everywhere"
asked.compare(
    "the leaders of both partitions" if len(leaders) == 2 else "no such topic here",
    f"It says: P0 is led by {leaders[0]}, P1 by {leaders[1]}.",
)

# %% picture="who-has-what" covers="broker-holds-some no-relation topic-b-not-on-103" shows="3 of 3 brokers up | lab05-topic-b"
cluster.view().moment("Who has what")

# %% [markdown] covers="broker-holds-some no-relation topic-b-not-on-103 metadata-everywhere"
# Find 103: it has one partition of `lab05-topic-a` and none of `lab05-topic-b`. A broker has *some*
# partitions, so that no machine has to hold and serve all. The same number in two topics means
# nothing: P1 of one is on 103, and P1 of the other is on 101. But the **metadata** (who's there,
# and who leads what) is small, and *every* broker has all of it: 101 would have said the same. For
# each partition it names `leader_id`, the broker that leads, and `replica_nodes`, all that have a
# copy.
#
# {{exercise 05.2}}


# %% exercise="05.2" covers="broker-holds-some topic-b-not-on-103 no-relation"
def without(bootstrap_servers, topic):
    # <solution>
    admin = KafkaAdminClient(bootstrap_servers=bootstrap_servers)
    everyone = {b["broker_id"] for b in admin.describe_cluster()["brokers"]}
    (found,) = admin.describe_topics([topic])
    admin.close()
    return everyone - {id for p in found["partitions"] for id in p["replica_nodes"]}
    # </solution>


q2.check(without)

# %% [markdown] covers="bootstrap-any"
# ## 2 · One address is enough
#
# Jon's producer gets 103's address and sends a record to each partition of `lab05-topic-b`. `Calls`
# reads kafka-python's own log meanwhile.

# %% covers="client-goes-itself"
way = Prediction(
    "Given only 103's address: where does the producer send the two records?",
    [
        "to 103, which refuses them",
        "to 103, which passes them on to 101 and 102",
        "straight to 101 and 102",
    ],
)
way

# %% covers="client-goes-itself bootstrap-any"
with Calls(cluster, "jon") as calls:
    producer = KafkaProducer(bootstrap_servers=number_of_103, client_id="jon")
    for partition in (0, 1):
        producer.send("lab05-topic-b", value=b"on my way", partition=partition).get(timeout=30)

# %% covers="client-goes-itself bootstrap-any"
went = calls.to("Produce")
if went == [101, 102]:
    outcome = "straight to 101 and 102"
else:
    outcome = "to 103, which passes them on to 101 and 102"
way.compare(outcome, f"These brokers got a Produce request: {went}.")

# %% picture="calls" covers="client-goes-itself bootstrap-any" shows="103 (bootstrap) | Produce: records"
calls

# %% [markdown] covers="bootstrap-any client-goes-itself"
# Read the picture from the top. The first call goes to the address that the client was *given*
# (dashed). Everything else goes to addresses that it was *told* (solid), and records go to the
# leader of their partition. So a **bootstrap server** is no master, proxy or gateway. It's only the
# one who picks up the phone first and says: *"That's Amira, extension 102. Call her."* Every broker
# can do that. The client asks for the list again
# at least every 5 minutes (`metadata.max.age.ms`).
#
# {{exercise 05.3}}


# %% exercise="05.3" covers="client-goes-itself metadata-everywhere"
def leader_address(bootstrap_servers, topic, partition):
    # <solution>
    admin = KafkaAdminClient(bootstrap_servers=bootstrap_servers)
    at = {b["broker_id"]: f"{b['host']}:{b['port']}" for b in admin.describe_cluster()["brokers"]}
    (found,) = admin.describe_topics([topic])
    admin.close()
    return next(
        at[p["leader_id"]] for p in found["partitions"] if p["partition_index"] == partition
    )
    # </solution>


q3.check(leader_address)

# %% [markdown] covers="three-to-start"
# ## 3 · The cluster grows
#
# Business is good, so two more brokers, 104 and 105, join the running cluster. You restart nothing,
# and you don't tell the clients.

# %% covers="new-broker-empty"
spread = Prediction(
    "104 and 105 have joined. How many of the five partitions move to them by themselves?",
    ["none", "two, so that every broker has one", "all five: they are dealt out anew"],
)
spread

# %% covers="three-to-start five-brokers"
brokers.join(cluster, 5)
print(len(admin.describe_cluster()["brokers"]), "brokers, says the same client")
# <output>
# 5 brokers, says the same client
# </output>

# %% covers="new-broker-empty"
held = [p for p in cluster.snapshot().partitions() if p.topic in places]
moved = sum(broker in p.replicas for p in held for broker in (104, 105))
spread.compare(
    {0: "none", 2: "two, so that every broker has one"}.get(
        moved, "all five: they are dealt out anew"
    ),
    f"104 and 105 have {moved} of the five.",
)

# %% picture="five-brokers" covers="new-broker-empty" shows="5 of 5 brokers up"
cluster.view().moment("Two more brokers")

# %% [markdown] covers="new-broker-empty three-to-start"
# A new broker stays empty, because moving a partition means copying all its records over the
# network, and Kafka doesn't do that without being asked. New topics use the new brokers at once.
# Old partitions stay until you move them, for example P0 of `lab05-topic-a` to 104:

# %% covers="new-broker-empty"
admin.alter_partition_reassignments({TopicPartition("lab05-topic-a", 0): [104]})
cluster.wait_for(lambda s: s.topic("lab05-topic-a").partitions[0].leader == 104, 30, "the move")
(topic_a,) = admin.describe_topics(["lab05-topic-a"])
print(topic_a["partitions"][0]["replica_nodes"])
# <output>
# [104]
# </output>

# %% [markdown] covers="three-to-start"
# How many brokers should you have? You often hear "start with three, and big clusters have over a
# hundred". Three is the least for three copies. A hundred is no limit, only a number that people
# mention. The limit that you reach first is the number of *partitions* that brokers and controllers
# must keep track of, and KRaft can keep track of many more than ZooKeeper.
#
# ## 4 · The number goes dead
#
# Five brokers, and you know one address, 103's. A producer is connected. Then 103 is killed.

# %% covers="survives-bootstrap several-addresses"
lines = {
    "A": "A: the producer that is connected",
    "B": "B: a new one that knows only 103",
    "C": "C: a new one that knows 103, 104, 105",
}
dead = Prediction.arrangement(
    "103 is dead. Which producers get a record into lab05-topic-b?",
    chips=lines,
    places=["gets through", "does not"],
    nowhere="not placed",
)
dead


# %% covers="survives-bootstrap several-addresses"
def gets_through(known=None, producer=None, **settings):
    try:
        new = producer or KafkaProducer(bootstrap_servers=known, **settings)
        new.send("lab05-topic-b", value=b"still there?", partition=0).get(timeout=30)
    except KafkaError:
        return "does not"
    if producer is None:
        new.close()
    return "gets through"


# %% covers="five-brokers survives-bootstrap several-addresses"
three = [brokers.address(cluster, broker) for broker in (103, 104, 105)]
with Calls(cluster, "office") as office:
    connected = KafkaProducer(bootstrap_servers=number_of_103, client_id="office")
    connected.send("lab05-topic-b", value=b"hello", partition=0).get(timeout=30)
cluster.broker(103).kill()
happened = {
    "A": gets_through(producer=connected),
    "B": gets_through(number_of_103, bootstrap_timeout_ms=3000),
    "C": gets_through(three),
}

# %% covers="survives-bootstrap several-addresses five-brokers"
dead.compare(happened, f"A had one address, and was told of {', '.join(map(str, office.learned))}.")

# %% picture="dead-number" covers="survives-bootstrap" shows="4 of 5 brokers up"
cluster.wait_for(lambda s: not s.broker(103).alive, 30, "the cluster to notice")
cluster.view().moment("103 is dead")

# %% [markdown] covers="survives-bootstrap several-addresses"
# A hardly notices, because it talks to the leader directly and can ask any living broker for the
# metadata. B has only a dead number. C tries its three until one answers. So one address is enough,
# but it isn't *safe*. Give your clients three. These aren't the brokers that a client uses, only
# those that it asks first. (If 103 had led that partition, A would have to wait for a new leader:
# [lab 06](06_replication.ipynb).)

# %%
cluster.broker(103).start()

# %% [markdown]
# {{exercise 05.4}}

# %% exercise="05.4" covers="several-addresses"
# <solution blank="bootstrap = ...">
bootstrap = ",".join(cluster.bootstrap_servers.split(",")[:3])
# </solution>
q4.check(bootstrap)

# %% [markdown] part="finale" covers="advertised-listeners"
# ## 5 · The listener that lies
#
# What if the list itself is wrong? A broker has two settings. `listeners` is where it *listens*.
# `advertised.listeners` is the address that it *tells* its clients. Kafka never tests whether the
# second leads to the first. Broker 105 gets a second listener, called CLIENTS, and a colleague has
# mixed up a port.

# %% covers="advertised-listeners"
extra = brokers.ExtraListener(cluster)
brokers.place(extra.cluster, "lab05-notices", {0: [extra.broker]})
extra.advertise(extra.wrong)
print(extra.settings)

# %% covers="advertised-listeners connected-is-not-enough"
lie = Prediction(
    "A producer is given the address where CLIENTS really listens. What happens to its record?",
    [
        "it arrives: the address is right",
        "the producer cannot connect at all",
        "the producer connects, and then waits without success",
    ],
)
lie

# %% covers="connected-is-not-enough"
with Calls(cluster, "pavel", {extra.address: extra.broker}) as calls:
    pavel = KafkaProducer(bootstrap_servers=extra.address, client_id="pavel", max_block_ms=3000)
    try:
        pavel.send("lab05-notices", value=b"hello?").get(timeout=30)
    except KafkaError as error:
        print(error)
pavel.close(timeout=0)
# <output>
# KafkaTimeoutError: Failed to update metadata after 3.0 secs.
# </output>

# %% covers="connected-is-not-enough"
if calls.to("Produce"):
    outcome = "it arrives: the address is right"
elif calls.learned:
    outcome = "the producer connects, and then waits without success"
else:
    outcome = "the producer cannot connect at all"
lie.compare(outcome, f"It was told that {extra.broker} is at {calls.learned[extra.broker]}.")

# %% picture="the-lie" covers="connected-is-not-enough" shows="no connection: ECONNREFUSED"
calls

# %% [markdown] covers="connected-is-not-enough advertised-listeners"
# Compare the two addresses at the arrows. *Failed to update metadata* isn't a helpful error: the
# metadata came at once, but what it *says* leads nowhere. And all brokers are up, so no server log
# complains. In such a case, go the client's way yourself, hop by hop. `kafkalab doctor` does that:

# %% covers="advertised-listeners connected-is-not-enough"
command = [sys.executable, "-m", "kafkalab", "doctor", "--bootstrap-servers", extra.address]
doctor = run([*command, "--json"], capture_output=True, text=True).stdout
for hop in json.loads(doctor)["checks"]:
    if not hop["ok"]:
        print(f"broker {hop['broker']}, as it is advertised, fails at: {hop['step']}")
# <output>
# broker 105, as it is advertised, fails at: connection
# </output>

# %% [markdown]
# {{exercise 05.5}}


# %% exercise="05.5" covers="advertised-listeners connected-is-not-enough"
def failing_hop(bootstrap, advertised, answering):
    # <solution>
    if bootstrap not in answering:
        return "bootstrap"
    return [broker for broker, address in advertised.items() if address not in answering]
    # </solution>


q5.check(failing_hop)

# %% [markdown] covers="advertised-listeners"
# Now heal the broker. Its settings are in a file, its `server.properties`, which you can change
# with `read_text` and `write_text`.
#
# {{exercise 05.6}}

# %% exercise="05.6" covers="advertised-listeners connected-is-not-enough"
# <solution blank="begins = ...">
extra.file.write_text(extra.file.read_text().replace(extra.wrong, extra.address))
extra.restart()
begins = extra.address
# </solution>
q6.check(begins)

# %% [markdown] covers="listeners-fix advertised-listeners"
# For *Connection to node 0 could not be established*, many forums recommend the line
# `listeners=PLAINTEXT://localhost:9092`. It often helps, because a broker without
# `advertised.listeners` advertises its `listeners`. Let's try that, and remove our line
# `advertised.listeners`:

# %% covers="listeners-fix"
extra.advertise(None)  # no line advertised.listeners at all
there = KafkaAdminClient(bootstrap_servers=extra.address)
told = next(b for b in there.describe_cluster()["brokers"] if b["broker_id"] == extra.broker)
there.close()
print("advertised" in extra.settings, f"{told['host']}:{told['port']}" == extra.address)
# <output>
# False True
# </output>

# %% [markdown] covers="listeners-fix advertised-listeners"
# It helps clients on *that machine* only: on any other, `localhost` means that other machine. Real
# brokers have several listeners, for example one for containers and one for programs outside, and
# each client is told the address of the listener by which it came.
#
# **Why?** In one sentence: why can a client connect to a cluster and still not send a record?
# Double-click here and write it down. It isn't graded.
#
# *My sentence:* …
#
# <details><summary>Ours</summary>Because the address that it was given is only for the first call;
# records go to the address that the leader advertises, and that one may be wrong.</details>
#
# ## Your points

# %%
print(lab.score())
# <output>
# ✓ 05.1 From one to all: right
# ✓ 05.2 Which brokers have nothing?: right
# ✓ 05.3 Where will it write?: right
# ✓ 05.4 An address to rely on: right
# ✓ 05.5 Which hop fails?: right
# ✓ 05.6 Repair the listener: right
# 11 of 11 points
# </output>

# %% tags=["progress"]
lab.progress()

# %% [markdown]
# ## Clean up
#
# The topics of this lab are deleted, and 104 and 105 leave. Your cluster goes on for the next lab.

# %% tags=["clean-up"]
for client in (producer, connected, admin):
    client.close()
brokers.as_before(cluster)
extra.close()
lab.tidy()
print("tidy")
# <output>
# tidy
# </output>

# %% [markdown]
# **You can now** find all brokers and leaders from one address, add brokers and move partitions to
# them, and repair a listener that sends clients to the wrong place.
#
# **The words you own now:** *broker, metadata, bootstrap server, listener, advertised listener,
# reassignment*.
#
# **Where next?** [06 · Replication](06_replication.ipynb): a broker dies for good, and you find out
# who has its data.
