# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---

# %% [markdown]
# # 00 · Start here: a cluster of your own
#
# Kafka makes one promise above all others: **what it has acknowledged, it keeps, even when a
# server dies.** A promise like that is easy to print on a web page. In the next quarter of an
# hour you put it to the test: you start three real Kafka servers on this machine, give them one
# message, and then take servers away.
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
# Set-up: attaches to the lab's cluster, or starts one; brings back what is down;
# removes what an earlier run left.
import time

from kafka import KafkaConsumer, KafkaProducer

from kafkalab import Cluster
from kafkalab.checks import lab_00
from kafkalab.checks.exercise import score
from kafkalab.checks.predict import Prediction
from kafkalab.checks.predict_answers import leaders_of
from kafkalab.checks.topics import tidy

cluster = Cluster.lab()
tidy(cluster, "hello", "parcels")
q1, q2, q3 = lab_00.exercises(cluster)
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

# %%
servers_up = Prediction("How many of these processes will hold your messages?", [1, 3, 4])
servers_up

# %%
brokers = [node for node in cluster.nodes() if node.role == "broker"]
for broker in brokers:
    print(broker.name)
# <output>
# broker-101
# broker-102
# broker-103
# </output>

# %%
servers_up.compare(len(brokers))

# %% [markdown]
# A Kafka server is called a **broker**, and it is known by its id. Brokers keep messages;
# everybody else asks them. You have 101, 102 and 103. The fourth process, if your cluster has
# one, is ZooKeeper. It keeps no messages. It keeps the list of brokers that are alive, and that
# is how the others will notice when one is gone.
#
# Here is the same cluster as a picture. It is live: whatever happens to the cluster happens in
# the picture, a moment later. Keep it in sight (right-click it, *Create New View for Output*),
# and leave its buttons alone for a minute.

# %%
picture = cluster.view()
picture

# %% [markdown]
# ## 2 · One message
#
# A message goes into a **topic**, which is a stream of messages with a name. Yours is called
# `hello`. A topic is cut into **partitions**, so that several brokers can share the work: this
# one has three, numbered 0, 1 and 2.

# %%
cluster.create_topic("hello", partitions=3, replication=3)

# %% [markdown]
# Look at the picture: the topic is there, and P0, P1 and P2 appear on *every* broker. Each
# partition is kept three times, because we asked for `replication=3`. Hold that thought.

# %%
spread = Prediction(
    "You send one message to hello. How many of its three partitions will have it?",
    ["one", "all three"],
)
spread

# %%
producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all")
receipt = producer.send("hello", key=b"me", value=b"Hello, Kafka!").get(timeout=60)
print(f"{receipt.topic}: partition {receipt.partition}, offset {receipt.offset}")
# <output>
# hello: partition 2, offset 0
# </output>

# %%
holding = [p.partition for p in cluster.snapshot().topic("hello").partitions if p.end]
spread.compare("one" if len(holding) == 1 else "all three", f"It is in: {holding}")

# %% [markdown]
# Partitions divide a topic; they are not copies of it. The copies are something else: each
# partition, as a whole, lies on three brokers.
#
# What came back is a receipt: the broker's word that it has the message. The **offset** is its
# place in the partition. Numbers begin at 0 and only ever grow, and each partition counts for
# itself: offset 0 of partition 1 would be another message altogether.
#
# Why this partition? Because of the key, `me`. Messages with the same key go to the same
# partition, and stay in order. Lab 04 opens that box.
#
# Now the other end. A **consumer** reads:


# %%
def read_one():
    """The first message in hello, or None if there is none to be had."""
    consumer = KafkaConsumer(
        "hello",
        bootstrap_servers=cluster.bootstrap_servers,
        auto_offset_reset="earliest",  # begin with the oldest message there is
        consumer_timeout_ms=20_000,  # and give up after 20 seconds without one
    )
    record = next(consumer, None)
    consumer.close()
    return record


record = read_one()
print(record.key, record.value)
print(f"partition {record.partition}, offset {record.offset}")
# <output>
# b'me' b'Hello, Kafka!'
# partition 2, offset 0
# </output>

# %% [markdown]
# The little `b` means bytes. Kafka carries bytes and never looks inside; what they mean is
# between the one who sends and the one who reads. `record.value.decode()` makes text of them
# again.

# %%
twice = Prediction(
    "Another consumer now reads hello from the beginning. What does it get?",
    ["the same message", "nothing: it has been read"],
)
twice

# %%
again = read_one()
twice.compare("the same message" if again else "nothing: it has been read")

# %% [markdown]
# Reading takes nothing away. A topic is a log, not a letter box: messages stay until they are too
# old (a week, unless somebody decides otherwise), and any number of readers can go through them,
# each at their own pace.
#
# ## 3 · Take a server away
#
# Somebody has to do maintenance on broker 102. In the picture, find a partition of `hello` with
# the crown on 102: of the three copies of that partition, the one on 102 is the **leader**.
# Whoever writes to the partition or reads from it talks to its leader. The other two copies
# follow it.

# %%
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

# %%
if cluster.broker(102).state == "running":
    cluster.broker(102).stop()

now = cluster.wait_for(
    lambda s: not s.broker(102).alive and all(p.leader for p in s.topic("hello").partitions),
    30,
    "the cluster to go on without 102",
)
theirs = next(p for p in now.topic("hello").partitions if p.replicas[0] == 102)
picture

# %%
if theirs.leader is None:
    outcome = "nobody leads it until 102 is back"
elif read_one() is None:
    outcome = "its messages are gone with 102"
else:
    outcome = "another broker leads it"
without_102.compare(outcome, f"Partition {theirs.partition} is led by {theirs.leader} now.")

# %% [markdown]
# The new leader had a copy all along, and was in sync, so it could take over at once. And your
# message is still there: the cell above has just read it again, with 102 down.
#
# Kafka's own tool says the same in its own words. Read one of its lines slowly:
#
# - `Leader` is the broker that everybody talks to;
# - `Replicas` are the brokers meant to have a copy, the preferred leader first;
# - `Isr`, the *in-sync replicas*, are those that have everything right now. 102 is meant to, and does not.

# %%
print(cluster.tool("kafka-topics", "--describe", "--topic", "hello"))

# %% [markdown]
# ### Your turn
#
# Exercises look like the next one. Put your answer where the `...` is and run the cell; the check
# looks at the *cluster*, so there is nothing to guess from. Stuck? `q1.hint()` helps a little,
# twice helps more, and `q1.solution()` tells all.
#
# {{exercise 00.1}}

# %% exercise="00.1"
# <solution blank="leader = ...">
partitions = cluster.snapshot().topic("hello").partitions
leader = next(p.leader for p in partitions if p.replicas[0] == 102)
# </solution>
q1.check(leader)

# %% [markdown]
# Maintenance is over, and 102 may come back. It led one of the three partitions.

# %%
back = Prediction.arrangement(
    "102 starts, and catches up. Who leads each partition of hello then?",
    chips=["P0", "P1", "P2"],
    places={b: f"broker {b}" for b in (101, 102, 103)},
)
back

# %% [markdown]
# Press **start** on 102, or:

# %%
if cluster.broker(102).state == "stopped":
    cluster.broker(102).start()

cluster.wait_for(
    lambda s: not any(p.under_replicated for p in s.topic("hello").partitions),
    60,
    "102 to have caught up",
)
print("every copy is in sync again")
# <output>
# every copy is in sync again
# </output>

# %%
back.compare(leaders_of("hello"), of=cluster)

# %% [markdown]
# 102 fetched what it had missed, and is back among the in-sync replicas. But look where the crown
# is: it has *not* moved back. Coming back and leading are two different things, and lab 06 is
# about the difference.
#
# ## 4 · Two more for you
#
# {{exercise 00.2}}


# %% exercise="00.2"
def read_all(bootstrap_servers, topic):
    # <solution>
    consumer = KafkaConsumer(
        topic,
        bootstrap_servers=bootstrap_servers,
        auto_offset_reset="earliest",
        consumer_timeout_ms=5_000,
    )
    values = [record.value.decode() for record in consumer]
    consumer.close()
    return values
    # </solution>


q2.check(read_all)

# %% [markdown]
# {{exercise 00.3}}

# %% exercise="00.3"
# <solution blank="name = ...">
name = "parcels"
cluster.create_topic(name, partitions=4, replication=3)
# </solution>
q3.check(name)

# %% [markdown]
# ## 5 · Pull the plug
#
# `stop` was polite. 102 said goodbye, handed its partitions over, and left; you hardly noticed.
# Servers do not always get to say goodbye. **Kill** gives the broker no chance to do anything at
# all, as if the power had failed.
#
# You kill the leader of the very partition your message is in, and send a second message right
# after.

# %%
gap = Prediction.number(
    "How long until the second message is acknowledged, with the broker still dead?",
    unit="seconds",
    within=2,
)
gap

# %%
victim = cluster.snapshot().topic("hello").partitions[record.partition].leader
began = time.monotonic()
cluster.broker(victim).kill()
producer.send("hello", key=b"me", value=b"Still there?").get(timeout=100)
seconds = time.monotonic() - began
picture

# %%
gap.compare(round(seconds, 1), f"And {victim} is still dead.")

# %% [markdown]
# A dead broker does not say that it is dead. The others believe in it until it has been silent
# for its session's time: 3 seconds in your cluster, 18 in a Kafka that nobody has tuned. Then a
# new leader is chosen, and the producer, which never stopped trying, gets its receipt.
#
# The last question is the one we began with. Two messages were acknowledged, and the broker that
# took the first one is dead. How many are there?

# %%
there = cluster.snapshot().topic("hello").partitions[record.partition]
print(f"acknowledged 2, there {there.end - there.start}")
# <output>
# acknowledged 2, there 2
# </output>

# %% [markdown]
# **Promise kept.** Not by magic: by copies, by knowing which copies are complete, and by asking
# for the receipt (`acks="all"`) only once all of those have the message. Take away any one of the
# three and the promise breaks. Later labs let you do that too.
#
# ## Your points

# %%
print(score(q1, q2, q3))
# <output>
# ✓ 00.1 Who leads now?: right
# ✓ 00.2 Read it all, and come to an end: right
# ✓ 00.3 Copies enough: right
# 5 of 5 points
# </output>

# %% [markdown]
# ## Clean up
#
# The next cell starts what you killed and removes the topics. The cluster stays, for the next
# lab; `kafkalab down` in a terminal ends one that `make lab` started, and one that this notebook
# started ends with it.

# %%
producer.close()
tidy(cluster, "hello", "parcels")
print("tidy")
# <output>
# tidy
# </output>

# %% [markdown]
# **The words you own now.** A *broker* is a server. A *topic* is a named log, cut into
# *partitions*. An *offset* is a place in a partition. Each partition has *replicas* on several
# brokers, and one of them is the *leader*.
#
# Where next? [21 · The first stream](21_first_stream.ipynb): a thousand trucks, and some of them
# talk nonsense.
