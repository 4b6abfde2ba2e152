# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---

# %% [markdown]
# # 00 · Start here: will your message outlive the server that took it?
#
# Kafka makes one promise above all others: **what it has acknowledged, it keeps, even when a
# server dies.** A promise like that is easy to print on a web page. In the next quarter of an
# hour you put it to the test: you start three real Kafka servers on this machine, give them one
# message, and then take servers away. (The promise has conditions. The server confirms a message
# only when several servers have it, and one of them must survive. Here that is so.)
#
# | | |
# |---|---|
# | **You will** | start a cluster, send a message, stop a server from a picture, pull a plug |
# | **You learn** | broker, topic, partition, offset, replica, leader: the words of all the rest |
# | **You need** | 15 minutes, 1 GB of free memory, and no knowledge of Kafka at all |
#
# How a lab goes: every round asks you to **predict** something first, then you **run** it,
# **look** at what the cluster did, and read why. A wrong prediction costs nothing. It is the best
# thing that can happen to you here, because what surprises us is what we remember.
#
# Run a cell with <kbd>Shift</kbd> + <kbd>Enter</kbd>. The next one sets things up; running it
# again does no harm.

# %% tags=["set-up"] jupyter={"source_hidden": true}
# Set-up: takes the running cluster or starts one, brings back what is down, removes what was left.
import tempfile
import time
from itertools import islice
from pathlib import Path

from kafka import KafkaConsumer, KafkaProducer

from kafkalab import ClusterView, LogView
from kafkalab.exercises.lab import Lab
from kafkalab.exercises.predict.answers import leaders_of
from kafkalab.exercises.predict.prediction import Prediction

lab = Lab("00")
cluster = lab.cluster
q1, q2, q3 = lab.exercises
cluster

# %% [markdown]
# ## 1 · What is running?
#
# The table lists the processes of your cluster. Real ones: each has a process id, and your
# system's task manager shows it too.
#
# Every program that talks to Kafka needs one thing to begin with: the address of at least one
# server, called the **bootstrap servers**. Yours end the bold line. From any one of them a client
# learns of all the others.

# %% covers="own-cluster"
servers_up = Prediction("How many of these processes will hold your messages?", [1, 3, 4])
servers_up

# %% covers="own-cluster"
brokers = [node for node in cluster.nodes() if node.role == "broker"]
for broker in brokers:
    print(broker.name)
# <output>
# broker-101
# broker-102
# broker-103
# </output>

# %% covers="own-cluster"
servers_up.compare(len(brokers))

# %% [markdown] covers="own-cluster"
# A Kafka server is called a **broker**, and it is known by its id. Brokers keep messages;
# everybody else asks them. You have 101, 102 and 103. The fourth process, if your cluster has
# one, is ZooKeeper. It keeps no messages. It keeps the list of brokers that are alive, and that
# is how the others will notice when one is gone. (Kafka 4 has no ZooKeeper: some of its servers,
# the *controllers*, keep that list. You will see them in lab 10.)
#
# Here is the same cluster as a picture. It is live: whatever happens to the cluster happens in
# the picture, a moment later. Keep it in sight (right-click it, *Create New View for Output*),
# and leave its buttons alone for a minute.

# %% covers="live-picture" picture="cluster"
picture = cluster.view()
picture

# %% [markdown]
# ## 2 · One message
#
# A message goes into a **topic**, which is a stream of messages with a name. Yours is called
# `lab00-hello`. A topic is cut into **partitions**, so that several brokers can share the work:
# this one has three, numbered 0, 1 and 2.

# %%
cluster.create_topic("lab00-hello", partitions=3, replication=3)

# %% [markdown]
# Look at the picture: the topic is there, and P0, P1 and P2 appear on *every* broker. Each
# partition is kept three times, because we asked for `replication=3`. Hold that thought.

# %% covers="partitions-divide"
spread = Prediction(
    "You send one message to lab00-hello. How many of its three partitions will have it?",
    ["one", "all three"],
)
spread

# %% covers="message-through-topic"
producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all")


def send(key, value):
    """Send one message, wait for its receipt, and print that."""
    receipt = producer.send("lab00-hello", key=key, value=value).get(timeout=100)
    print(f"{key.decode():3s} partition {receipt.partition}, offset {receipt.offset}")


send(b"me", b"Hello, Kafka!")
# <output>
# me  partition 2, offset 0
# </output>

# %% covers="partitions-divide"
partitions = cluster.snapshot().topic("lab00-hello").partitions
holding = [p.partition for p in partitions if p.end]
spread.compare("one" if len(holding) == 1 else "all three", f"It is in: {holding}")

# %% [markdown] covers="partitions-divide"
# Partitions divide a topic; they are not copies of it. The copies are something else: each
# partition, as a whole, lies on three brokers.
#
# What came back is a receipt: the broker's word that it has the message. It names the partition
# and the **offset**, the message's place in there. Why this partition? Because of the key, `me`.
# Messages with the same key go to the same partition. Lab 04 opens that box.
#
# Two more messages, then: one with your key, one with somebody else's, which leads it to another
# partition.

# %% covers="offset-per-partition"
places = Prediction(
    "At which offsets will they be: yours in partition 2, the other's in partition 1?",
    ["1 and 2", "1 and 0", "0 and 0"],
)
places

# %% covers="offset-per-partition"
send(b"me", b"Me again.")
send(b"you", b"And me.")
# <output>
# me  partition 2, offset 1
# you partition 1, offset 0
# </output>

# %% covers="offset-per-partition"
ends = [p.end for p in cluster.snapshot().topic("lab00-hello").partitions]
places.compare(f"{ends[2] - 1} and {ends[1] - 1}", f"Next offset of P0, P1, P2: {ends}")

# %% covers="offset-per-partition live-picture" picture="log"
log = LogView(cluster, "lab00-hello")
log

# %% [markdown] covers="offset-per-partition"
# Each partition counts for itself, from 0, and its numbers only ever grow. There are two offsets
# 0 in your topic by now, and they are two different messages: an offset means nothing until you
# say of which partition.
#
# Now the other end. A **consumer** reads:


# %% covers="message-through-topic bytes-to-kafka"
def read():
    """The messages of lab00-hello from the oldest on; three, or as many as there are."""
    consumer = KafkaConsumer(
        "lab00-hello",
        bootstrap_servers=cluster.bootstrap_servers,
        auto_offset_reset="earliest",  # begin with the oldest message there is
        consumer_timeout_ms=20_000,  # and give up after 20 seconds without one
    )
    records = list(islice(consumer, 3))
    consumer.close()
    return sorted(records, key=lambda record: (record.partition, record.offset))


for record in read():
    print(f"partition {record.partition}, offset {record.offset}:", record.key, record.value)
# <output>
# partition 1, offset 0: b'you' b'And me.'
# partition 2, offset 0: b'me' b'Hello, Kafka!'
# partition 2, offset 1: b'me' b'Me again.'
# </output>

# %% [markdown] covers="bytes-to-kafka"
# The little `b` means bytes. Kafka carries bytes and never looks inside; what they mean is
# between the one who sends and the one who reads. `record.value.decode()` makes text of them
# again.

# %% covers="reading-keeps"
twice = Prediction(
    "Another consumer now reads lab00-hello from the beginning. What does it get?",
    ["the same messages", "nothing: they have been read"],
)
twice

# %% covers="reading-keeps"
again = read()
twice.compare("the same messages" if len(again) == 3 else "nothing: they have been read")

# %% [markdown] covers="reading-keeps"
# Reading takes nothing away. A topic is a log, not a letter box: messages stay until they are too
# old (a week, unless somebody decides otherwise), and any number of readers can go through them,
# each at their own pace.
#
# ### Your turn
#
# Exercises look like the next one. Put your answer where the `...` is and run the cell, then the
# check below it. The check looks at what your answer *does* and at the cluster, so there is
# nothing to guess from. It says right, wrong and why, or that it could not judge, which is never
# your fault. Stuck? `q1.hint()` helps a little, twice helps more, and `q1.solution()` tells all.
#
# {{exercise 00.1}}


# %% exercise="00.1" covers="reading-keeps checked-on-cluster"
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


q1.check(read_all)

# %% [markdown]
# ## 3 · Take a server away
#
# Somebody has to do maintenance on broker 102. In the picture, find a partition of `lab00-hello`
# with the crown on 102: of the three copies of that partition, the one on 102 is the **leader**.
# Whoever writes to the partition or reads from it talks to its leader. The other two copies
# follow it.

# %% covers="another-takes-over"
without_102 = Prediction(
    "Broker 102 stops. What becomes of the partition it leads?",
    [
        "another broker leads it",
        "nobody leads it until 102 is back",
        "its messages are gone with 102",
    ],
)
without_102

# %% [markdown]
# Now press **stop** on broker 102 in the picture, and watch the crown. (If you would rather type:
# the next cell does the same, unless you have done it already.)

# %% covers="another-takes-over live-picture" picture="without-102"
if cluster.broker(102).state == "running":
    cluster.broker(102).stop()

now = cluster.wait_for(
    lambda s: not s.broker(102).alive and all(p.leader for p in s.topic("lab00-hello").partitions),
    30,
    "the cluster to go on without 102",
)
theirs = next(p for p in now.topic("lab00-hello").partitions if p.replicas[0] == 102)
picture

# %% covers="another-takes-over live-picture"
if theirs.leader is None:
    outcome = "nobody leads it until 102 is back"
elif len(read()) < 3:
    outcome = "its messages are gone with 102"
else:
    outcome = "another broker leads it"
without_102.compare(outcome, f"Partition {theirs.partition} is led by {theirs.leader} now.")

# %% [markdown] covers="another-takes-over"
# The new leader had a copy all along, and was in sync, so it could take over at once. And your
# messages are still there: the cell above has just read them again, with 102 down.
#
# Kafka's own tool says the same in its own words. Read one of its lines slowly:
#
# - `Leader` is the broker that everybody talks to;
# - `Replicas` are the brokers meant to have a copy, the preferred leader first;
# - `Isr`, the *in-sync replicas*, are those that keep up: each had all of the leader's messages
#   at some moment of the last 10 seconds (`replica.lag.time.max.ms`; 30 unless somebody sets it).
#   102 is meant to have a copy, and does not keep up.
#
# A line is wider than the page? Scroll it sideways.

# %%
cluster.tool("kafka-topics", "--describe", "--topic", "lab00-hello")

# %% [markdown]
# {{exercise 00.2}}

# %% exercise="00.2" covers="another-takes-over checked-on-cluster"
# <solution blank="leader = ...">
partitions = cluster.snapshot().topic("lab00-hello").partitions
leader = next(p.leader for p in partitions if p.replicas[0] == 102)
# </solution>
q2.check(leader)

# %% [markdown]
# ## 4 · And it comes back
#
# Maintenance is over, and 102 may come back. It led one of the three partitions. Does it get its
# crown again?

# %% covers="back-is-not-leading"
back = Prediction.arrangement(
    "102 starts, and catches up. Who leads each partition of lab00-hello then?",
    chips=["P0", "P1", "P2"],
    places={b: f"broker {b}" for b in (101, 102, 103)},
)
back

# %% [markdown]
# Press **start** on 102, or:

# %% covers="back-is-not-leading"
if cluster.broker(102).state == "stopped":
    cluster.broker(102).start()

cluster.wait_for(
    lambda s: not any(p.under_replicated for p in s.topic("lab00-hello").partitions),
    60,
    "102 to have caught up",
)
print("every copy is in sync again")
# <output>
# every copy is in sync again
# </output>

# %% covers="back-is-not-leading"
back.compare(leaders_of("lab00-hello"), of=cluster)

# %% [markdown] covers="back-is-not-leading"
# 102 fetched what it had missed, and is back among the in-sync replicas. But look where the crown
# was when it came back: it had *not* moved. Wait up to five minutes, and Kafka itself gives the
# crown back to 102, because it looks every 300 seconds whether each partition is led by its
# preferred leader. Coming back and leading are two different things: lab 06.
#
# A topic does not have to have three copies. How many are enough is for you to decide:
#
# {{exercise 00.3}}

# %% exercise="00.3" covers="copies-outlive checked-on-cluster"
# <solution blank="name = ...">
name = "lab00-parcels"
cluster.create_topic(name, partitions=4, replication=3)
# </solution>
q3.check(name)

# %% [markdown] part="finale"
# ## 5 · Pull the plug
#
# `stop` was polite. 102 said goodbye, handed its partitions over, and left; you hardly noticed.
# Servers do not always get to say goodbye. **Kill** ends the broker's process at once, and gives
# it no chance to do anything at all. (A power cut is harder still: it also takes what the
# operating system had not written to the disk yet.)
#
# You kill the leader of the very partition your messages are in, and send one more message right
# after. A recording notes what happens.

# %% covers="killed-not-stopped"
gap = Prediction.number(
    "How long until that message is acknowledged, with the broker still dead?",
    unit="seconds",
    within=2,
)
gap

# %% covers="killed-not-stopped"
folder = tempfile.TemporaryDirectory()
recording = cluster.record(Path(folder.name) / "plug")
victim = cluster.snapshot().topic("lab00-hello").partitions[2].leader

began = time.monotonic()
cluster.broker(victim).kill()
send(b"me", b"Still there?")
seconds = time.monotonic() - began
# The recording is a moment behind: it has to see the new leader too.
cluster.watcher().wait_for(
    lambda s: s.topic("lab00-hello").partitions[2].leader not in (None, victim), 30, "a new leader"
)
acknowledged = recording.name("acknowledged")
# <output>
# me  partition 2, offset 2
# </output>

# %% covers="killed-not-stopped"
gap.compare(round(seconds, 1), f"And {victim} is still dead.")

# %% [markdown] covers="killed-not-stopped"
# A dead broker does not say that it is dead. The others believe in it until it has been silent
# for its session's time: 3 seconds in your cluster, 9 or 18 in one that nobody has tuned. Then a
# new leader is chosen, and the producer, which never stopped trying, gets its receipt.
#
# The time line has it all, sign by sign. Drag it back to the moment of the kill: the picture
# below follows.

# %% covers="killed-not-stopped live-picture" picture="time-line"
recording.stop()
recording.timeline()

# %%
recording.playhead.seek(acknowledged.at)
past = ClusterView(recording)
past

# %% [markdown]
# The last question is the one we began with. Four messages were acknowledged, and the broker that
# took most of them is dead. How many are there?

# %% covers="copies-outlive"
led = cluster.wait_for(lambda s: all(p.leader for p in s.topic("lab00-hello").partitions), 30)
there = led.topic("lab00-hello").partitions
print(f"acknowledged 4, there {sum(p.end - p.start for p in there)}")
# <output>
# acknowledged 4, there 4
# </output>

# %% [markdown] covers="copies-outlive"
# **Promise kept.** Not by magic: by copies, by knowing which copies are complete, and by asking
# for the receipt (`acks="all"`) only once all of those have the message. Take away any one of the
# three and the promise breaks. Later labs let you do that too.
#
# ## Your points

# %%
print(lab.score())
# <output>
# ✓ 00.1 Read it all, and come to an end: right
# ✓ 00.2 Who leads now?: right
# ✓ 00.3 Copies enough: right
# 5 of 5 points
# </output>

# %% tags=["progress"]
lab.progress()

# %% [markdown]
# ## Clean up
#
# The next cell starts what you killed and removes the topics. The cluster stays, for the next
# lab; `kafkalab down` in a terminal ends one that `make lab` started, and one that this notebook
# started ends with it.

# %% tags=["clean-up"]
producer.close()
folder.cleanup()
lab.tidy()
print("tidy")
# <output>
# tidy
# </output>

# %% [markdown]
# **The words you own now.** A *broker* is a server. A *topic* is a named log, cut into
# *partitions*. An *offset* is a place in a partition. Each partition has *replicas* on several
# brokers, and one of them is the *leader*.
#
# Where next? [01 · Why Kafka](01_why_kafka.ipynb): six teams want what your systems know, and
# somebody gets paged.
