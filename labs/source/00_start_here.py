# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kafkalab:
#     title: Start here
#     can: start a cluster, send and read records, and bring a dead server back without a loss
#     after: []
#     memory: 1 GB
#     seconds: 45
#     big: ["00.3"]
#     teaches:
#     - KafkaAdminClient.create_topics
#     - kafka-topics --create
#     - KafkaProducer.send
#     - KafkaConsumer.auto_offset_reset
#     - KafkaAdminClient.describe_topics
#     - kafka-topics --describe
# ---

# %% [markdown]
# # 00 · Start here: will your message outlive the server that took it?
#
# Kafka is an *event streaming platform*: programs send it records of what happens, and other
# programs read them. Its biggest promise is this: **a record that Kafka has acknowledged is still
# there when a server dies.** You'll put that to the test. You start three real Kafka servers on
# this machine, give them a few records, and then take servers away. (The promise has conditions:
# several servers must have confirmed the record, and one of them must survive. Here that's so.)
#
# | | |
# |---|---|
# | **You will** | create a topic, send and read records, stop a server, kill one, and repair what broke |
# | **You learn** | broker, topic, partition, offset, replica, leader, in sync |
# | **You need** | about {{minutes}} minutes, 1 GB of free memory, and no knowledge of Kafka |
#
# In every lab you **predict** first, then **run**, **look** and read why. A wrong guess costs
# nothing. Run a cell with <kbd>Shift</kbd> + <kbd>Enter</kbd>.

# %% tags=["set-up"] jupyter={"source_hidden": true}
# Set-up: takes your running cluster or starts one, and removes what an earlier run left.
import time
from itertools import islice

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer

from kafkalab import Lab  # this lab, on your cluster
from kafkalab import LogView  # draws the records of a topic
from kafkalab import Prediction  # asks for your guess

lab = Lab("00")
cluster = lab.cluster
q1, q2, q3, q4, q5, q6 = lab.exercises
cluster

# %% [markdown]
# Here is the whole course, and where you are in it:

# %% picture="course" shows="00 | not begun | minutes; afterwards you can | 02a | 03b | 21 | First stream"
lab.course()

# %% [markdown] covers="own-cluster"
# ## 1 · Your cluster
#
# A Kafka server is called a **broker**, and each has a number: yours are 101, 102 and 103. Together
# they're a **cluster**. The table above shows them as real processes of your machine. If there is
# a fourth one, it's ZooKeeper: it holds no records, only the list of the brokers that are alive.
# (Kafka 4 works without it: there, some servers are *controllers* and keep that list. See lab 10.)
#
# Here is your cluster as a live picture. Right-click it and choose *Create New View for Output* to
# keep it in sight. Please don't press its buttons yet.

# %% covers="own-cluster live-picture" picture="cluster" shows="3 of 3 brokers up"
picture = cluster.view()
picture

# %% [markdown] covers="message-through-topic"
# Records go into a **topic**, a stream of records with a name. Our haulage company has a thousand
# trucks, and Jon, the dispatcher, wants to hear from all of them. So you create a topic for him.
# A program needs the address of at least one broker for that, the **bootstrap servers**:

# %% covers="own-cluster"
admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)
hello = {"lab00-hello": {"num_partitions": 3, "replication_factor": 3}}
admin.create_topics(hello, wait_for_metadata=True)
print(sorted(broker["broker_id"] for broker in admin.describe_cluster()["brokers"]))
# <output>
# [101, 102, 103]
# </output>

# %% [markdown]
# In a terminal you'd use the tool that comes with Kafka. The two do the same:

# %%
cluster.tool(
    *("kafka-topics", "--create", "--topic", "lab00-by-tool"),
    *("--partitions", "3", "--replication-factor", "3"),
)

# %% [markdown]
# Now it's your turn. Put your answer where the `...` is, run the cell, and then the check below
# it. The check tries your answer on the cluster. It says "right", or "wrong" and why. If it can't
# judge, that's our fault, not yours. Stuck? Remove the `#` in front of `q1.hint()` and run it.
#
# {{exercise 00.1}}

# %% exercise="00.1" covers="checked-on-cluster"
# <solution blank="doors = ...">
admin.create_topics({"lab00-doors": {"num_partitions": 2, "replication_factor": 2}})
doors = "lab00-doors"
# </solution>
q1.check(doors)

# %% [markdown]
# ## 2 · One record
#
# Look at the picture again. `lab00-hello` has three **partitions**, P0, P1 and P2, and each of them
# is on *every* broker, because we asked for three copies (`replication_factor`). Mara drives truck
# T0005, and she sends the first record.

# %% covers="partitions-divide"
spread = Prediction(
    "Mara sends one record to lab00-hello. How many of its three partitions will have it?",
    ["one", "all three"],
)
spread

# %% covers="message-through-topic"
producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all")


def send(truck, text):
    """Send one record, wait until Kafka has acknowledged it, and print where it is."""
    receipt = producer.send("lab00-hello", key=truck, value=text).get(timeout=100)
    print(f"{truck.decode()} is in partition {receipt.partition}, at offset {receipt.offset}")


send(b"T0005", b"Good morning, Jon!")
# <output>
# T0005 is in partition 0, at offset 0
# </output>

# %% covers="partitions-divide"
ends = [p.end for p in cluster.snapshot().topic("lab00-hello").partitions]
spread.compare(
    "one" if sum(map(bool, ends)) == 1 else "all three", f"Records in P0, P1, P2: {ends}"
)

# %% [markdown] covers="partitions-divide"
# Partitions *divide* a topic: each record goes to one of them. The copies are something else: each
# partition as a whole is on three brokers. Which partition it is follows from the **key**, here
# `T0005`, because records with the same key go to the same partition (lab 04).
#
# The receipt also names the **offset**: the record's place in its partition. Let's send two more,
# one from Mara and one from another truck.

# %% covers="offset-per-partition"
places = Prediction(
    "At which offsets will they be: Mara's in partition 0, the other one in partition 2?",
    ["1 and 2", "1 and 0", "0 and 0"],
)
places

# %% covers="offset-per-partition"
send(b"T0005", b"At the depot.")
send(b"T0001", b"Stuck in traffic.")
# <output>
# T0005 is in partition 0, at offset 1
# T0001 is in partition 2, at offset 0
# </output>

# %% covers="offset-per-partition"
ends = [p.end for p in cluster.snapshot().topic("lab00-hello").partitions]
places.compare(f"{ends[0] - 1} and {ends[2] - 1}", f"The next offsets of P0, P1, P2: {ends}")

# %% covers="offset-per-partition live-picture" picture="log" shows="0 2 2 0:T0005=Good morning, Jon! 1:T0005=At the depot. | 0 1 1 0:T0001=Stuck in traffic."
log = LogView(cluster, "lab00-hello")
log

# %% [markdown] covers="offset-per-partition"
# Find the two records with offset 0: they're different records in different partitions. Each
# partition counts for itself, so an offset means something only together with its partition.
# (The black line is the *high watermark*: all copies have what is left of it.) When you need a
# producer no more, you end it with `producer.close()`.
#
# {{exercise 00.2}}


# %% exercise="00.2" covers="message-through-topic offset-per-partition"
def send_one(bootstrap_servers, topic, key, value):
    # <solution>
    producer = KafkaProducer(bootstrap_servers=bootstrap_servers, acks="all")
    receipt = producer.send(topic, key=key, value=value).get(timeout=60)
    producer.close()
    return receipt.partition, receipt.offset
    # </solution>


q2.check(send_one)

# %% [markdown]
# ## 3 · Who reads it?
#
# Jon's program is a **consumer**. A new consumer begins at the *end* of a topic and waits for
# news, so we tell it to begin at the earliest record:


# %% covers="message-through-topic bytes-to-kafka"
def read(count):
    """Read the first records of lab00-hello, or as many as there are within 20 seconds."""
    consumer = KafkaConsumer(
        "lab00-hello",
        bootstrap_servers=cluster.bootstrap_servers,
        auto_offset_reset="earliest",
        consumer_timeout_ms=20_000,  # stop when nothing comes for 20 seconds
    )
    records = list(islice(consumer, count))
    consumer.close()
    return sorted(records, key=lambda record: (record.partition, record.offset))


# %% covers="message-through-topic bytes-to-kafka"
for record in read(3):
    print(record.partition, record.offset, record.key, record.value)
# <output>
# 0 0 b'T0005' b'Good morning, Jon!'
# 0 1 b'T0005' b'At the depot.'
# 2 0 b'T0001' b'Stuck in traffic.'
# </output>

# %% [markdown] covers="bytes-to-kafka"
# The little `b` means bytes. Kafka carries bytes and doesn't look inside. To get text, you write
# `record.value.decode()`.

# %% covers="reading-keeps"
twice = Prediction(
    "Aylin of the dashboard team starts a consumer, too. What does it get?",
    ["the same three records", "nothing: Jon has read them already"],
)
twice

# %% covers="reading-keeps"
aylin = read(3)

# %% covers="reading-keeps"
twice.compare("the same three records" if len(aylin) == 3 else "nothing: Jon has read them already")

# %% [markdown] covers="reading-keeps"
# Reading takes nothing away. Records stay in the topic until they're too old (a week, if you don't
# change that), and any number of consumers can read them, each at its own pace.
#
# {{exercise 00.3}}


# %% exercise="00.3" covers="reading-keeps checked-on-cluster"
def read_all(bootstrap_servers, topic):
    # <solution>
    consumer = KafkaConsumer(
        topic,
        bootstrap_servers=bootstrap_servers,
        auto_offset_reset="earliest",
        consumer_timeout_ms=3_000,
    )
    values = [record.value.decode() for record in consumer]
    consumer.close()
    return values
    # </solution>


q3.check(read_all)

# %% [markdown]
# ## 4 · Take a server away
#
# One copy of each partition is its **leader**: in the picture it has a crown. Producers and
# consumers talk to the leader, and the other copies follow it. Kafka's tool tells you the same:

# %%
cluster.tool("kafka-topics", "--describe", "--topic", "lab00-hello")

# %% [markdown] covers="another-takes-over"
# Read one line: `Leader` is the broker with the crown. `Replicas` are the brokers that should have
# a copy, the *preferred* leader first. `Isr`, the *in-sync replicas*, are those that keep up: each
# had all of the leader's records at some moment of the last 10 seconds
# (`replica.lag.time.max.ms`; Kafka's default is 30).
#
# Your program can ask, too: `describe_topics` returns a dict for each topic.

# %%
(topic,) = admin.describe_topics(["lab00-hello"])
print(sorted(topic["partitions"][0]))

# %% [markdown]
# {{exercise 00.4}}


# %% exercise="00.4" covers="another-takes-over checked-on-cluster"
def leaders(bootstrap_servers, topic):
    # <solution>
    admin = KafkaAdminClient(bootstrap_servers=bootstrap_servers)
    (found,) = admin.describe_topics([topic])
    admin.close()
    return {p["partition_index"]: p["leader_id"] for p in found["partitions"]}
    # </solution>


q4.check(leaders)

# %% [markdown]
# Broker 102 needs maintenance. It leads one of the three partitions.

# %% covers="another-takes-over"
without_102 = Prediction(
    "Broker 102 stops. What happens to the partition that it leads?",
    [
        "another broker leads it",
        "it has no leader until 102 is back",
        "its records are gone with 102",
    ],
)
without_102

# %% [markdown]
# Press **stop** on broker 102 in the picture and watch its crown. (Or run the next cell, which
# does it if you haven't.)

# %% covers="another-takes-over live-picture"
if cluster.broker(102).state == "running":
    cluster.broker(102).stop()

cluster.wait_for(
    lambda s: not s.broker(102).alive and all(p.leader for p in s.topic("lab00-hello").partitions)
)
still_there = read(3)

# %% covers="another-takes-over live-picture"
now = cluster.snapshot().topic("lab00-hello").partitions
theirs = next(p for p in now if p.replicas[0] == 102)
if theirs.leader is None:
    outcome = "it has no leader until 102 is back"
elif len(still_there) < 3:
    outcome = "its records are gone with 102"
else:
    outcome = "another broker leads it"
without_102.compare(outcome, f"P{theirs.partition} is led by {theirs.leader} now.")

# %% covers="another-takes-over live-picture" picture="without-102" shows="2 of 3 brokers up | Broker 102 / down | ✕ P0–P2"
cluster.view("lab00-hello").moment("Without 102")

# %% [markdown] covers="another-takes-over"
# Find the crown that moved. The new leader had a copy and was in sync, so it took over at once, and
# all records can still be read. Maintenance is over now, and 102 starts again.

# %% covers="back-is-not-leading"
back = Prediction(
    "102 is back and has caught up. Does it lead its partition again?",
    ["yes, as soon as it is in sync", "no, it only follows at first"],
)
back

# %% covers="back-is-not-leading"
if cluster.broker(102).state == "stopped":
    cluster.broker(102).start()

in_sync = cluster.wait_for(
    lambda s: all(len(p.isr) == 3 for p in s.topic("lab00-hello").partitions)
)
admin.close()  # it may still take 102 for a broker that is gone
admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)

# %% covers="back-is-not-leading"
leader = in_sync.topic("lab00-hello").partitions[theirs.partition].leader
back.compare(
    "yes, as soon as it is in sync" if leader == 102 else "no, it only follows at first",
    f"At that moment P{theirs.partition} was led by {leader}.",
)

# %% [markdown] covers="back-is-not-leading"
# Coming back and leading are two things. Kafka checks every 300 seconds whether each partition has
# its preferred leader, and moves the crown then. So if you wait for up to five minutes, you can
# catch it in the picture.
#
# {{exercise 00.5}}

# %% exercise="00.5" covers="copies-outlive checked-on-cluster"
# <solution blank="name = ...">
admin.create_topics({"lab00-parcels": {"num_partitions": 4, "replication_factor": 3}})
name = "lab00-parcels"
# </solution>
q5.check(name)

# %% [markdown] part="finale"
# ## 5 · Pull the plug
#
# `stop` was polite: 102 could hand over its partitions. **Kill** ends the broker's process at once.
# (A power cut is harder still, because it also takes what the operating system hasn't written to
# the disk yet.) You kill the leader of Mara's partition. And there is a second topic at stake:
# Pavel of the alarm team has created `lab00-alarms` with only *one* copy, on that same broker.

# %% covers="killed-not-stopped"
victim = cluster.snapshot().topic("lab00-hello").partitions[0].leader
admin.create_topics({"lab00-alarms": {"assignments": {0: [victim]}}}, wait_for_metadata=True)
for number in range(20):
    alarm = f"alarm {number} {time.time_ns() % 997}"
    producer.send("lab00-alarms", value=alarm.encode()).get(timeout=60)

# %% covers="killed-not-stopped"
gap = Prediction.number(
    "You kill the leader, and Mara sends a record. After how many seconds is it acknowledged?",
    unit="seconds",
    within=2,
)
gap

# %% covers="killed-not-stopped"
began = time.monotonic()
cluster.broker(victim).kill()
send(b"T0005", b"Still there?")
seconds = time.monotonic() - began
# <output>
# T0005 is in partition 0, at offset 2
# </output>

# %% covers="killed-not-stopped"
gap.compare(round(seconds, 1), f"Broker {victim} is still dead.")

# %% [markdown] covers="killed-not-stopped"
# A dead broker can't tell the others that it's dead. They wait until its *session* is over: 3
# seconds in your cluster, 9 or 18 by default. Then each partition gets a new leader from its
# in-sync replicas. The producer keeps trying until then, and gets its receipt. All of Mara's
# records are there:

# %% covers="copies-outlive"
print(len([record for record in read(4) if record.key == b"T0005"]), "records of T0005")
# <output>
# 3 records of T0005
# </output>

# %% covers="copies-outlive killed-not-stopped" picture="wreck" shows="2 of 3 brokers up | no leader"
cluster.view().moment("After the kill")

# %% [markdown] covers="copies-outlive"
# **Promise kept**, because other brokers had copies and were in sync. Now look for `lab00-alarms`:
# its only copy was on the dead broker. It has no leader, and Pavel's alarms can't be read.
#
# {{exercise 00.6}}

# %% exercise="00.6" covers="copies-outlive checked-on-cluster"
# <solution blank="alarms = ...">
cluster.broker(victim).start()
cluster.wait_for(lambda s: all(p.leader for p in s.topic("lab00-alarms").partitions), 60)
consumer = KafkaConsumer(
    "lab00-alarms",
    bootstrap_servers=cluster.bootstrap_servers,
    auto_offset_reset="earliest",
    consumer_timeout_ms=3_000,
)
alarms = [record.value.decode() for record in consumer]
consumer.close()
# </solution>
q6.check(alarms)

# %% [markdown]
# **Why?** In one sentence: what did Mara's topic have that Pavel's didn't? Double-click here and
# write it down. It isn't graded.
#
# *My sentence:* …
#
# <details><summary>Ours</summary>Mara's partition had in-sync copies on two other brokers, so one
# of them could lead it at once; Pavel's only copy was on the broker that died.</details>
#
# ## Your points

# %%
print(lab.score())
# <output>
# ✓ 00.1 A topic of your own: right
# ✓ 00.2 Send one, and say where it is: right
# ✓ 00.3 Read it all, and come to an end: right
# ✓ 00.4 Who leads what?: right
# ✓ 00.5 Enough copies: right
# ✓ 00.6 Bring the alarms back: right
# 9 of 9 points
# </output>

# %% tags=["progress"]
lab.progress()

# %% [markdown]
# ## Clean up
#
# The next cell starts what you killed and removes the topics of this lab. Your cluster goes on
# for the next lab. If you started it with `make lab`, it ends when you stop that.

# %% tags=["clean-up"]
producer.close()
admin.close()
lab.tidy()
print("tidy")
# <output>
# tidy
# </output>

# %% [markdown]
# **You can now** create a topic, send records and read them, find out who leads a partition, and
# tell why a record survives the loss of a broker.
#
# **The words you own now:** *broker, cluster, topic, partition, offset, producer, consumer,
# replica, leader, in-sync replicas*.
#
# **Where next?** [01 · Why Kafka](01_why_kafka.ipynb): six teams want your trucks' data, and one
# phone rings at night.
