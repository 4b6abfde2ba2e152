# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kafkalab:
#     title: Keys and order
#     can: choose a key that keeps the order you need
#     after: ["02a", "03a"]
#     memory: 1 GB
#     seconds: 20
#     big: ["04.3", "04.6"]
#     teaches:
#     - KafkaProducer.key
#     - KafkaProducer.partition
#     - murmur2
#     - kafka-topics --alter
# ---

# %% [markdown]
# # 04 · Keys and order: how did the door close before it opened?
#
# Three in the morning. Pavel's alarm program rings: the rear door of Mara's truck, T0005, is open,
# on a motorway. It isn't. Mara opened it at a depot and closed it again, the truck reported both,
# and Kafka lost neither. But the alarm program read *closed* first and *opened* after it, and it
# believes what it reads last. Nothing was broken that night. Someone hadn't chosen a **key**.
#
# | | |
# |---|---|
# | **You will** | lose the order of events and get it back, work out a partition, add partitions, repair a torn topic |
# | **You learn** | what a key does, which order Kafka keeps, what clients do with the same key, how to choose one |
# | **You need** | about {{minutes}} minutes, 1 GB of free memory, labs [02a](02a_topics_partitions_offsets.ipynb) and [03a](03a_messages.ipynb) |

# %% tags=["set-up"] jupyter={"source_hidden": true}
# Set-up: takes your running cluster or starts one, and removes what an earlier run left.
import subprocess
import sys

from kafka import KafkaProducer
from kafka.partitioner.default import murmur2

import kafkalab.course.lab_04.clients as clients  # sends with other clients, draws where records went
from kafkalab import Lab  # this lab, on your cluster
from kafkalab import LogView  # draws the records of a topic
from kafkalab import PartitionerView  # calculates a key's partition, step by step
from kafkalab import Prediction  # asks for your guess
from kafkalab import read_all  # the loop of lab 02a: every record that is in a topic now

lab = Lab("04")
cluster = lab.cluster
q1, q2, q3, q4, q5, q6 = lab.exercises
cluster

# %% [markdown] covers="order-per-entity"
# ## 1 · Six trucks, sixty events, no key
#
# Each of six trucks opens and closes its door five times. An event's id counts the events of its
# truck: `T0005-003` happened before `T0005-004`.

# %% covers="order-per-entity"
trucks = [f"T{number:04}" for number in range(1, 7)]
events = [
    f"{truck}-{number:03} {'opened' if number % 2 else 'closed'}".encode()
    for number in range(1, 11)
    for truck in trucks
]
cluster.create_topic("lab04-doors", partitions=3, replication=3)
producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all")
for partition in range(3):  # now it has talked to all three leaders
    producer.send("lab04-doors", value=b"hello", partition=partition).get(timeout=60)

# %%
in_order = Prediction.number(
    "You send the 60 events without a key, and read the topic from its beginning. "
    "For how many of the six trucks do the events come in the right order?",
    unit="trucks",
)
in_order


# %% covers="no-order-between"
def out_of_order(records):
    """The trucks for which an event was read after a later one."""
    newest, wrong = {}, set()
    for record in records:
        truck, number = record.value.decode().split()[0].split("-")
        if number < newest.get(truck, ""):
            wrong.add(truck)
        newest[truck] = max(number, newest.get(truck, ""))
    return wrong


# %% covers="no-order-between"
receipts = [producer.send("lab04-doors", value=event) for event in events]
python = [receipt.get(timeout=60).partition for receipt in receipts]
records = [r for r in read_all(cluster.bootstrap_servers, "lab04-doors") if r.value != b"hello"]
print(len(records), "events read")
# <output>
# 60 events read
# </output>

# %% covers="no-order-between"
read = [record.value.decode()[6:] for record in records if record.value.startswith(b"T0005")]
in_order.compare(6 - len(out_of_order(records)), f"T0005, as you read it: {', '.join(read)}.")

# %% picture="no-key" covers="no-order-between" shows="T0001: | T0005: | T0006:"
went = {
    t: [p for e, p in zip(events, python, strict=True) if e.startswith(t.encode())] for t in trucks
}
clients.Strips(went, "Where each truck's ten events went")

# %% [markdown] covers="appended-in-order no-order-between"
# Find T0005 in the picture: its events are in several partitions. In lab 02a you saw that **Kafka
# keeps the order within a partition, and nowhere else**. (Even within one, a record that's sent
# again could end up behind its successor. An *idempotent* producer, as Java's and kafka-python's
# are by default, prevents that: lab 07.)
#
# Many texts say that records without a key go round robin: partition 0, then 1, then 2. There are
# three big families of clients: kafka-python, Java, and librdkafka, a C library below the clients
# for Go, .NET and many other languages.

# %%
without_key = Prediction.arrangement(
    "You saw kafka-python jump. How do the other two choose a partition for records without a key?",
    chips=["Java", "librdkafka"],
    places={
        "turn": "each partition in turn",
        "random": "at random, for every record",
        "stay": "the same one for a while",
    },
    nowhere="not placed",
)
without_key

# %% covers="null-key-round-robin"
for name in ("java", "librdkafka", "java-told"):
    cluster.create_topic(f"lab04-{name}", partitions=3, replication=1)
plain = [(None, event) for event in events]
strips = {
    "Java": clients.by_java(cluster, "lab04-java", plain),
    "librdkafka": clients.by_librdkafka(cluster, "lab04-librdkafka", plain),
}

# %% covers="null-key-round-robin"
without_key.compare({name: clients.habit(strip) for name, strip in strips.items()})

# %% [markdown] covers="null-key-round-robin"
# Here they are, and Java with another *partitioner*, which chooses the partition:

# %% covers="null-key-round-robin"
robin = "partitioner.class=org.apache.kafka.clients.producer.RoundRobinPartitioner"
turns = clients.by_java(cluster, "lab04-java-told", plain, "--producer-property", robin)

# %% picture="strips" covers="null-key-round-robin" shows="kafka-python: | Java: | librdkafka: | Java, round robin:"
strips = {"kafka-python": python} | strips | {"Java, round robin": turns}
clients.Strips(strips, "Sixty records without a key", told="changes")

# %% [markdown] covers="null-key-round-robin load-balance null-key-no-control"
# Compare the strips: only the last one takes turns, because we told it to. It was Java's default
# until Kafka 2.4. Today **Java** is *sticky*: it stays with a partition until it has filled a batch
# (16 KB), and **librdkafka** for 10 ms, because full batches cost less. **kafka-python** picks one
# at random for each record. Over time every partition gets its share. And you can always name the
# partition yourself, with `send(topic, value, partition=1)`, as we did for *hello*.
#
# ## 2 · With a key
#
# Pavel needs one thing in order: what happens to the door *of one truck*. So we take the truck as
# the key.
#
# {{exercise 04.1}}


# %% exercise="04.1" covers="order-per-entity"
def key_of_event(value):
    # <solution>
    return value.split(b"-")[0]
    # </solution>


q1.check(key_of_event)

# %%
where_to = Prediction(
    "The same sixty events, now with the truck as the key. Where do T0005's ten events go?",
    [
        "to one partition, which is T0005's alone",
        "to one partition, together with other trucks' events",
        "to all three partitions, as before",
    ],
)
where_to

# %% covers="same-key-same-partition"
cluster.create_topic("lab04-keyed", partitions=3, replication=3)
for event in events:
    producer.send("lab04-keyed", key=event[:5], value=event)
producer.flush()
records = read_all(cluster.bootstrap_servers, "lab04-keyed")
print("trucks out of order:", sorted(out_of_order(records)))
# <output>
# trucks out of order: []
# </output>

# %% covers="same-key-same-partition order-per-entity appended-in-order"
live_in = {t: {r.partition for r in records if r.key == t.encode()} for t in trucks}
with_it = [t for t in trucks if t != "T0005" and live_in[t] & live_in["T0005"]]
if len(live_in["T0005"]) > 1:
    outcome = "to all three partitions, as before"
elif with_it:
    outcome = "to one partition, together with other trucks' events"
else:
    outcome = "to one partition, which is T0005's alone"
where_to.compare(outcome, f"Together with {', '.join(with_it) or 'no other truck'}.")

# %% picture="with-key" covers="same-key-same-partition" shows="5"
LogView(cluster, "lab04-keyed").moment()

# %% [markdown] covers="order-per-entity no-order-between appended-in-order"
# Find the fives: they're all in one lane, and they share it with other trucks. Each key has one
# lane, and a lane can have several keys. So every truck is in order, and *between* trucks there's
# still no order. Pavel doesn't mind. He gets the order he needs and no more, and that's why three
# consumers can share the work. If you want *all* events in order, you need one partition, and then
# one consumer.
#
# ## 3 · Why that partition?
#
# No broker decides it, and there's no list. The producer works it out: **hash the key, divide by
# the number of partitions, keep the remainder.** In kafka-python and Java, the hash is called
# murmur2, and we can use it, too.

# %% covers="key-hashing"
positive = murmur2(b"T0005") & 0x7FFFFFFF  # without the sign of Java's numbers
print(f"{positive} = 3 × {positive // 3} + {positive % 3}, so partition {positive % 3}")
# <output>
# 1970898459 = 3 × 656966153 + 0, so partition 0
# </output>

# %% [markdown] covers="key-hashing"
# In this calculator you can type any key, and follow it beside the keys that are in the partitions:

# %% covers="key-hashing"
PartitionerView(cluster, "lab04-keyed")

# %% [markdown] covers="key-hashing"
# Python has a `hash()` of its own. A small service finds that simpler and sends with
# `partition=hash(key) % 3`. It runs twice, in two processes.

# %%
own_hash = Prediction(
    "Two Python processes each work out hash('T0005'). Do they get the same number?",
    ["the same number", "two different numbers"],
)
own_hash

# %% covers="key-hashing"
command = [sys.executable, "-E", "-c", "print(hash('T0005'))"]
one, other = (subprocess.check_output(command, text=True).strip() for process in range(2))

# %% covers="key-hashing"
own_hash.compare(
    "the same number" if one == other else "two different numbers",
    f"One got {one}, the other {other}.",
)

# %% [markdown] covers="key-hashing key-is-bytes"
# Python salts its hash in each process, so that attackers can't guess it. A partitioner needs a
# hash that's the same everywhere and forever. And it hashes *bytes*: for example, truck 123 as text
# and as a number are two keys.

# %% covers="key-is-bytes null-key-no-control"
for key in (b"123", (123).to_bytes(4, "big")):
    receipt = producer.send("lab04-keyed", key=key, value=b"T0123-001 opened").get(timeout=60)
    print(key, "is in partition", receipt.partition)
receipt = producer.send("lab04-keyed", key=b"123", value=b"T0123-002 closed", partition=0)
print("named by us:", receipt.get(timeout=60).partition)
# <output>
# b'123' is in partition 2
# b'\x00\x00\x00{' is in partition 1
# named by us: 0
# </output>

# %% [markdown]
# {{exercise 04.2}}


# %% exercise="04.2" covers="key-hashing"
def partition_of(key, partitions):
    # <solution>
    return (murmur2(key) & 0x7FFFFFFF) % partitions
    # </solution>


q2.check(partition_of)

# %% [markdown] covers="count-holds"
# ## 4 · More partitions, and a hot key
#
# The fleet has grown to sixty trucks, and three partitions become four, while everything runs. In
# the evening each truck has reported *opened*, and in the morning it reports *closed*.

# %%
movers = Prediction.number(
    "How many of the sixty trucks report to another partition in the morning than in the evening?",
    unit="trucks",
    within=5,
)
movers


# %% covers="more-partitions count-holds"
def report(topic, number, what):
    sender = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all")
    sent = {
        truck: sender.send(topic, key=truck.encode(), value=f"{truck}-{number:03} {what}".encode())
        for truck in fleet
    }
    places = {truck: receipt.get(timeout=60).partition for truck, receipt in sent.items()}
    sender.close()
    return places


# %% covers="more-partitions count-holds"
fleet = [f"T{number:04}" for number in range(1, 61)]
cluster.create_topic("lab04-fleet", partitions=3, replication=3)
evening = report("lab04-fleet", 1, "opened")
cluster.tool("kafka-topics", "--alter", "--topic", "lab04-fleet", "--partitions", "4")
cluster.wait_for(lambda s: sum(bool(p.leader) for p in s.topic("lab04-fleet").partitions) == 4)
morning = report("lab04-fleet", 2, "closed")

# %% covers="more-partitions count-holds"
moved_trucks = [truck for truck in fleet if evening[truck] != morning[truck]]
to_new = [truck for truck in moved_trucks if morning[truck] == 3]
movers.compare(len(moved_trucks), f"Only {len(to_new)} of them went to the new partition.")

# %% [markdown] covers="more-partitions count-holds"
# You'd expect three in four, because the remainders of a division by 3 and by 4 agree for one in
# four. (If you double the number, only half of the keys move.) But what's written stays where it
# is. So T0005's evening is in one partition and its morning in another, and a reader may get the
# morning first: the door that closed before it opened. **The same key goes to the same partition as
# long as the number of partitions stays the same.** A producer that keeps running notices after up
# to 5 minutes (`metadata.max.age.ms`) and goes on in the old way until then. If you need order,
# create enough partitions at the start.
#
# {{exercise 04.3}}


# %% exercise="04.3" covers="more-partitions count-holds"
def moved(keys, before, after):
    # <solution>
    def place(key, partitions):
        return (murmur2(key) & 0x7FFFFFFF) % partitions

    return [key for key in keys if place(key, before) != place(key, after)]
    # </solution>


q3.check(moved)

# %% [markdown] covers="load-balance"
# Keys spread the load if there are many of them, about equally busy. But T0005's new door sensor
# chatters: of 300 events, 240 are its own. That's a *hot key*.

# %%
relief = Prediction(
    "With six partitions, one has most of the work. What's its share with twelve?",
    ["about 80 %, as before", "about 40 %, half of it", "about 8 %, a twelfth"],
)
relief

# %% covers="load-balance"
day = [fleet[n // 5 % 60] if n % 5 == 0 else "T0005" for n in range(300)]
for partitions in (6, 12):
    cluster.create_topic(f"lab04-hot-{partitions}", partitions=partitions, replication=3)
    for truck in day:
        producer.send(f"lab04-hot-{partitions}", key=truck.encode(), value=b"chatter")
producer.flush()

# %% covers="load-balance"
shares = {}
for partitions in (6, 12):
    held = [p.end - p.start for p in cluster.snapshot().topic(f"lab04-hot-{partitions}").partitions]
    shares[partitions] = 100 * max(held) // sum(held)
nearest = min((80, 40, 8), key=lambda share: abs(share - shares[12]))
told = {80: "about 80 %, as before", 40: "about 40 %, half of it", 8: "about 8 %, a twelfth"}
relief.compare(told[nearest], f"Fullest of six: {shares[6]} %. Fullest of twelve: {shares[12]} %.")

# %% picture="hot-key" covers="load-balance" shows="252 252 … 246 earlier | T0005=chatter"
LogView(cluster, "lab04-hot-6").moment()

# %% [markdown] covers="load-balance order-per-entity"
# Find the lane whose offsets go up to about 250. One key is in one partition. If several consumers
# share the work, only one of them reads it. More partitions don't help, and more consumers don't
# either. What helps you is a *finer* key, if less must be in order than you thought. The key says
# which records must stay in order with one another. If it's too coarse, one partition does all the
# work. If it's too fine, the order is gone.
#
# {{exercise 04.4}}


# %% exercise="04.4" covers="order-per-entity"
def key_of(record):
    # <solution>
    return record["customer"].encode()
    # </solution>


q4.check(key_of)

# %% [markdown]
# {{exercise 04.5}}


# %% exercise="04.5" covers="load-balance order-per-entity"
def key_for(record):
    # <solution>
    return f"{record['vehicle']}/{record['door']}".encode()
    # </solution>


q5.check(key_for)

# %% [markdown] part="finale" covers="same-key-same-partition producer-chooses"
# ## 5 · The colleagues at the dock
#
# Six partitions from the start, the truck as the key: what can go wrong? A second team joins. Its
# service at the loading docks knows better than the trucks when a door is *closed*. It's written in
# Go, so it uses librdkafka. It sends to the same topic, with the same key. The trucks go on
# reporting *opened*.

# %%
together = Prediction.number(
    "For how many of the sixty trucks are 'opened' and 'closed' in the same partition?",
    unit="trucks",
    within=3,
)
together

# %% covers="same-key-same-partition"
cluster.create_topic("lab04-dock", partitions=6, replication=3)
opened = report("lab04-dock", 1, "opened")
closing = [(truck.encode(), f"{truck}-002 closed".encode()) for truck in fleet]
closed = clients.by_librdkafka(cluster, "lab04-dock", closing)

# %% covers="same-key-same-partition"
same = sum(opened[truck] == place for truck, place in zip(fleet, closed, strict=True))
together.compare(same, "One in six would be chance.")

# %% picture="dock" covers="same-key-same-partition" shows="opened, by the trucks: 2 5 0 4 3 3 | closed, by the dock: 2 2 4 3 3 5"
both = {"opened, by the trucks": list(opened.values()), "closed, by the dock": closed}
clients.Strips(both, "T0001 to T0060, six partitions", told="agreement")

# %% [markdown] covers="producer-chooses same-key-same-partition"
# Compare the two strips, column by column. For most trucks, such as T0002, *opened* and *closed*
# are in two partitions. The few that agree, such as T0001, do so by chance. Which strip is odd?
# Let's send the same keys with Java, and with librdkafka when we tell it to use murmur2:

# %% covers="same-key-same-partition producer-chooses"
cluster.create_topic("lab04-same-keys", partitions=6, replication=1)
keys = [(truck.encode(), f"{truck} again".encode()) for truck in fleet]
java = clients.by_java(cluster, "lab04-same-keys", keys)
told = clients.by_librdkafka(cluster, "lab04-same-keys", keys, partitioner="murmur2_random")
for name, places in {
    "trucks": list(opened.values()),
    "Java": java,
    "librdkafka, told": told,
}.items():
    print(f"{name:17} T0001 to T0006: {places[:6]}")
print(f"{'the dock':17} T0001 to T0006: {closed[:6]}")
# <output>
# trucks            T0001 to T0006: [2, 5, 0, 4, 3, 3]
# Java              T0001 to T0006: [2, 5, 0, 4, 3, 3]
# librdkafka, told  T0001 to T0006: [2, 5, 0, 4, 3, 3]
# the dock          T0001 to T0006: [2, 2, 4, 3, 3, 5]
# </output>

# %% [markdown] covers="same-key-same-partition producer-chooses"
# By default, librdkafka hashes with CRC-32 (`partitioner=consistent_random`). The topic has no say
# in this: the partitioner is a setting of *every producer*. So here's the whole rule: the same key
# goes to the same partition as long as the number of partitions *and the hash* stay the same. With
# `partitioner=murmur2_random`, the dock's *new* events go where they should. But its old ones are
# where they are, and a reader that begins at the start still gets the old disorder. That's yours to
# repair. (`record.timestamp` says when a record was sent. Here you can trust it, because one
# machine's clock made them all.)
#
# {{exercise 04.6}}

# %% exercise="04.6" covers="order-per-entity same-key-same-partition"
# <solution blank="repaired = ...">
repaired = "lab04-repaired"
cluster.create_topic(repaired, partitions=6, replication=3)
torn = read_all(cluster.bootstrap_servers, "lab04-dock")
for record in sorted(torn, key=lambda record: record.timestamp):
    producer.send(repaired, key=record.key, value=record.value)
producer.flush()
# </solution>
q6.check(repaired)

# %% [markdown]
# **Why?** In one sentence: what must all producers of a topic have in common if you rely on keys?
# Double-click here and write it down. It isn't graded.
#
# *My sentence:* …
#
# <details><summary>Ours</summary>They must make the same bytes of a key, hash them in the same way,
# and count the same number of partitions.</details>
#
# ## Your points

# %%
print(lab.score())
# <output>
# ✓ 04.1 The truck, as bytes: right
# ✓ 04.2 From key to partition: right
# ✓ 04.3 Which keys move?: right
# ✓ 04.4 Choose the key: right
# ✓ 04.5 Cool a hot key: right
# ✓ 04.6 Put the doors in order: right
# 11 of 11 points
# </output>

# %% tags=["progress"]
lab.progress()

# %% [markdown]
# ## Clean up
#
# The next cell removes the topics of this lab. Your cluster goes on for the next one.

# %% tags=["clean-up"]
producer.close()
lab.tidy()
print("tidy")
# <output>
# tidy
# </output>

# %% [markdown]
# **You can now** choose a key that keeps the order you need, say which partition a key goes to, and
# put a torn topic in order again.
#
# **The words you own now:** *key, partitioner, hash, sticky, round robin, hot key*.
#
# **Where next?** [05 · Brokers and discovery](05_brokers_and_discovery.ipynb): the producer always
# went to the right broker. How did it know where that is?
