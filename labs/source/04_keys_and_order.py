# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---

# %% [markdown]
# # 04 · Keys and order: how did the door close before it opened?
#
# Three in the morning. The alarm service of a haulage company rings: the rear door of truck T0005
# stands open, on a motorway. It does not. The driver opened it at a depot and closed it again, the
# truck reported both, and Kafka lost neither. But the alarm service read *closed* first and
# *opened* after it, and it believes what it read last.
#
# Nothing was broken that night. Somebody had not chosen a **key**.
#
# | | |
# |---|---|
# | **You will** | lose the order of events and get it back, work out a partition by hand, add partitions, find a colleague's service that tears a topic apart |
# | **You learn** | what a key does, which order Kafka keeps, what three families of clients do with the same key, and what to choose as a key |
# | **You need** | 40 minutes, 1 GB of free memory, labs 02 and 03 |

# %% tags=["set-up"] jupyter={"source_hidden": true}
# Set-up: takes the running cluster or starts one, brings back what is down, removes what an earlier run left.
import subprocess
import sys
import zlib

import confluent_kafka
from kafka import KafkaProducer

from kafkalab import LogView, PartitionerView
from kafkalab.course.lab_04.strips import Strips, habit
from kafkalab.exercises.lab import Lab
from kafkalab.exercises.predict.prediction import Prediction
from kafkalab.exercises.topics import read_all
from kafkalab.state.log.murmur2 import murmur2
from kafkalab.state.log.murmur2 import partition_of as place

lab = Lab("04")
cluster = lab.cluster
q1, q2, q3, q4 = lab.exercises
cluster

# %% [markdown] covers="order-per-entity"
# ## 1 · Six trucks, sixty events, no key
#
# Every truck opens and closes its door five times. The id of an event says whose it is and which
# one of that truck: `T0005-003` happened before `T0005-004`. All six trucks are on the road at the
# same time, so their events come mixed.


# %%
def door_events(trucks, openings):
    """(truck, what is sent) for each event, in the order in which they happen."""
    return [
        (truck, f"{truck}-{2 * n + step:03} {what}".encode())
        for n in range(openings)
        for step, what in ((1, "opened"), (2, "closed"))
        for truck in trucks
    ]


trucks = [f"T{number:04}" for number in range(1, 7)]
events = door_events(trucks, 5)
values = [value for truck, value in events]
print(len(events), events[0], events[6])
# <output>
# 60 ('T0001', b'T0001-001 opened') ('T0001', b'T0001-002 closed')
# </output>

# %% [markdown]
# They are sent as the company did it: one after the other, without a key, to a topic with three
# partitions. Then somebody reads the topic from its beginning.

# %%
in_order = Prediction.number(
    "Of how many of the six trucks does the reader get all events in the order in which they happened?",
    unit="trucks",
)
in_order

# %%
cluster.create_topic("lab04-doors", partitions=3, replication=3)
producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all")
for value in values:
    producer.send("lab04-doors", value=value)
producer.flush()

records = read_all(cluster.bootstrap_servers, "lab04-doors")
print(len(records), "of", len(events), "events read, none lost")
# <output>
# 60 of 60 events read, none lost
# </output>

# %% [markdown]
# Go through them as they were read, and note every truck of which an event comes *after* a later
# one of its own:


# %%
def out_of_order(records):
    """The trucks of which an event was read after one that happened later."""
    newest, wrong = {}, set()
    for record in records:
        truck, number = record.value.decode().split()[0].split("-")
        if number < newest.get(truck, ""):
            wrong.add(truck)
        newest[truck] = max(number, newest.get(truck, ""))
    return wrong


# %% covers="no-order-between"
jumbled = out_of_order(records)
read = [record.value.decode()[6:] for record in records if record.value.startswith(b"T0005")]
in_order.compare(len(trucks) - len(jumbled), f"T0005, as it was read: {', '.join(read)}.")

# %% [markdown]
# Every event is there, and hardly a truck is in order. The reader takes what it can get of one
# partition, then of another; T0005's events lie in all three.
#
# Here is where each truck's ten events went, first event on the left:

# %% picture="no-key"
lies_in = {record.value: record.partition for record in records}
each_truck = {
    truck: [lies_in[value] for value in values if value.startswith(truck.encode())]
    for truck in trucks
}
Strips(each_truck, "Where each truck's ten events went")

# %% [markdown] covers="appended-in-order"
# Was the order lost, then? Look into one partition alone. The events were numbered by their
# sending, from 0 to 59:

# %% covers="appended-in-order no-order-between"
sent_as = {value: number for number, value in enumerate(values)}

for partition in range(3):
    numbers = [sent_as[record.value] for record in records if record.partition == partition]
    print(f"partition {partition}: in the order of sending: {numbers == sorted(numbers)}")
numbers = [sent_as[record.value] for record in records]
print("all three together:", numbers == sorted(numbers))
# <output>
# partition 0: in the order of sending: True
# partition 1: in the order of sending: True
# partition 2: in the order of sending: True
# all three together: False
# </output>

# %% [markdown] covers="appended-in-order no-order-between"
# **Kafka keeps order within a partition, and nowhere else.** A partition is appended to in the
# order of sending, and read in the order of offsets. Between two partitions there is no order to
# lose.
#
# Even within one, a record that had to be sent again could land behind its successor. Java's and
# kafka-python's producers are *idempotent* unless told otherwise, and that also keeps the order
# when they retry; in librdkafka you switch it on. Lab 07 has the details.
#
# ## 2 · Where does a record without a key go?
#
# Many texts on Kafka say: round robin. To partition 0, then 1, then 2, and so on; or even to broker
# 101, then 102, then 103. Three families of clients are in wide use. Send the same sixty records
# with each of them, without a key, and look.

# %%
without_key = Prediction.arrangement(
    "How does each of them choose a partition for records without a key?",
    chips=["kafka-python", "Java", "librdkafka"],
    places={
        "turn": "each partition in turn",
        "random": "at random, for every record",
        "stay": "the same one for a while",
    },
)
without_key

# %% [markdown]
# First kafka-python, the client that you have used so far. The receipt of each record says where it
# is.

# %%
strips = {}
cluster.create_topic("lab04-python", partitions=3, replication=1)
under_way = [producer.send("lab04-python", value=value) for value in values]
strips["kafka-python"] = [receipt.get(timeout=60).partition for receipt in under_way]

# %% [markdown]
# Then Java. Kafka's own console producer is a Java program: it takes a line of its input for a
# record. It prints no receipts, so the topic is read to see where they are.


# %%
def by_java(topic, lines, *options):
    """Send lines with Kafka's console producer; where each of them lies: {line: partition}."""
    text = "".join(f"{line}\n" for line in lines)
    cluster.tool("kafka-console-producer", "--topic", topic, *options, input=text)
    lying = read_all(cluster.bootstrap_servers, topic)
    return {record.value.decode(): record.partition for record in lying}


lines = [value.decode() for value in values]
cluster.create_topic("lab04-java", partitions=3, replication=1)
found = by_java("lab04-java", lines)
strips["Java"] = [found[line] for line in lines]

# %% [markdown]
# Last librdkafka, a library in C. Clients for C++, Go, .NET, PHP, Rust and many other languages
# stand on it; so does `confluent-kafka` for Python.


# %%
def by_librdkafka(topic, rows, **settings):
    """Send (key, value) rows with librdkafka; the partition of each, in order."""
    places = {}
    sender = confluent_kafka.Producer({"bootstrap.servers": cluster.bootstrap_servers, **settings})
    for number, (key, value) in enumerate(rows):

        def note(error, message, number=number):
            places[number] = message.partition()

        sender.produce(topic, value, key, on_delivery=note)
        if number == 0:
            sender.flush(30)  # until it knows the topic's partitions, it picks at random
    sender.flush(30)
    return [places[number] for number in range(len(rows))]


cluster.create_topic("lab04-librdkafka", partitions=3, replication=1)
strips["librdkafka"] = by_librdkafka("lab04-librdkafka", [(None, value) for value in values])

# %% picture="strips" covers="null-key-round-robin"
Strips(strips, "Sixty records without a key, three partitions", told="changes")

# %% covers="null-key-round-robin"
without_key.compare({name: habit(strip) for name, strip in strips.items()})

# %% [markdown] covers="null-key-round-robin load-balance"
# No round robin anywhere. **kafka-python** throws dice for every record. **Java** stays with one
# partition until it has filled a batch (16 KB, if nobody says otherwise) and then takes another:
# the *sticky partitioner*. **librdkafka** stays for as long as `sticky.partitioning.linger.ms`
# says, 10 ms. Full batches are why: sixty records in one request cost a fraction of sixty requests.
# Over time all partitions get their share.
#
# What the texts say was true once. Java's producer went round robin until Kafka 2.4. It still can,
# if it is asked to. The second strip shows how it was; in the first one a batch is full after 120
# bytes.

# %%
cluster.create_topic("lab04-java-small", partitions=3, replication=1)
cluster.create_topic("lab04-java-turns", partitions=3, replication=1)
small = by_java("lab04-java-small", lines, "--batch-size", "120")
by_turns = "partitioner.class=org.apache.kafka.clients.producer.RoundRobinPartitioner"
turns = by_java("lab04-java-turns", lines, "--producer-property", by_turns)
java = {
    "Java, small batches": [small[line] for line in lines],
    "Java, as it was": [turns[line] for line in lines],
}
Strips(java, "The same records, sent by Java", told="changes")

# %% covers="null-key-round-robin"
for name, strip in java.items():
    print(f"{name}: {habit(strip)}, in more than one partition: {len(set(strip)) > 1}")
# <output>
# Java, small batches: stay, in more than one partition: True
# Java, as it was: turn, in more than one partition: True
# </output>

# %% [markdown] covers="null-key-no-control"
# And never broker by broker: a producer chooses a *partition*. The record then goes to whichever
# broker leads it.
#
# You will also read that without a key nobody controls where a record goes. Whoever sends it does,
# by naming the partition. A key is not even looked at then:

# %% covers="null-key-no-control"
for key in (None, b"T0001", b"T0005"):
    receipt = producer.send("lab04-python", key=key, value=b"here", partition=1).get(timeout=60)
    print(key, "partition", receipt.partition)
# <output>
# None partition 1
# b'T0001' partition 1
# b'T0005' partition 1
# </output>

# %% [markdown] covers="order-per-entity"
# ## 3 · With a key
#
# The alarm service needs to know one thing in order: what happens to the door *of one truck*. So
# the truck is the key. Nothing else changes: the same sixty events, three partitions.

# %%
where_to = Prediction(
    "Where do T0005's ten events go?",
    [
        "to one partition, which is T0005's alone",
        "to one partition, together with other trucks' events",
        "to all three partitions, as before",
    ],
)
where_to

# %%
cluster.create_topic("lab04-keyed", partitions=3, replication=3)
keyed = LogView(cluster, "lab04-keyed")  # looks on from here; shown below
for truck, value in events:
    producer.send("lab04-keyed", key=truck.encode(), value=value)
producer.flush()
records = read_all(cluster.bootstrap_servers, "lab04-keyed")

lives_in = {}
for record in records:
    lives_in.setdefault(record.key.decode(), set()).add(record.partition)
for truck, partitions in sorted(lives_in.items()):
    print(truck, "lies in", *sorted(partitions))
# <output>
# T0001 lies in 2
# T0002 lies in 2
# T0003 lies in 0
# T0004 lies in 1
# T0005 lies in 0
# T0006 lies in 0
# </output>

# %% covers="same-key-same-partition"
with_it = [truck for truck in trucks if truck != "T0005" and lives_in[truck] & lives_in["T0005"]]
if len(lives_in["T0005"]) > 1:
    outcome = "to all three partitions, as before"
elif with_it:
    outcome = "to one partition, together with other trucks' events"
else:
    outcome = "to one partition, which is T0005's alone"
where_to.compare(outcome, f"With it there: {', '.join(with_it) or 'nobody'}.")

# %% picture="with-key" covers="same-key-same-partition"
keyed

# %% [markdown]
# A cell has the letter and the colour of its key. Each key has one lane, and a lane has several
# keys: six trucks or six thousand, there are three partitions to share. And the order?

# %% covers="order-per-entity no-order-between"
print("trucks out of order:", sorted(out_of_order(records)))
numbers = [sent_as[record.value] for record in records]
print("all sixty in the order of sending:", numbers == sorted(numbers))
# <output>
# trucks out of order: []
# all sixty in the order of sending: False
# </output>

# %% [markdown] covers="order-per-entity no-order-between"
# Every truck is in order, whatever a reader does first. *Between* trucks there is still none: T0001
# may be read up to its tenth event before T0003's first one. The alarm service does not mind. It
# got the order it needs, and no more, and that is what lets three consumers share the work.
#
# To want *all* events in order means one partition, and one consumer.
#
# ## 4 · Why partition 0?
#
# Who decided that T0005 lives in partition 0? Not a broker, and no list anywhere. The producer
# works it out: **hash the key, divide by the number of partitions, keep the remainder.** Here is
# the whole sum for one key, step by step. The hash is called murmur2; Java and kafka-python share
# it.

# %% covers="key-hashing"
key = b"T0005"
M, BITS_32 = 0x5BD1E995, 0xFFFFFFFF

hash_ = 0x9747B28C ^ len(key)  # where every key begins: a fixed number, and the key's length
four = int.from_bytes(key[:4], "little")  # four bytes at a time: "T000"
four = four * M & BITS_32
four = (four ^ four >> 24) * M & BITS_32  # stirred
hash_ = (hash_ * M & BITS_32) ^ four  # and into the hash
hash_ = (hash_ ^ int.from_bytes(key[4:], "little")) * M & BITS_32  # the byte that is left: "5"
hash_ = (hash_ ^ hash_ >> 13) * M & BITS_32  # stirred once more
hash_ ^= hash_ >> 15

print(f"hash      {hash_:032b} = {hash_}")
positive = hash_ & 0x7FFFFFFF  # the first bit is a sign to Java, and partitions have none
print(f"positive  {positive:032b} = {positive}")
print(f"{positive} = 3 × {positive // 3} + {positive % 3}, so partition {positive % 3}")
# <output>
# hash      11110101011110011000011000011011 = 4118382107
# positive  01110101011110011000011000011011 = 1970898459
# 1970898459 = 3 × 656966153 + 0, so partition 0
# </output>

# %% [markdown] covers="key-hashing"
# So any producer can say where T0005 goes, without asking anybody, today and next year. That is all
# the memory there is.
#
# The next picture is a calculator: type a key, and follow it through the same steps, beside the
# keys that really lie in the partitions. *Send* sends one, if you want proof.

# %% covers="key-hashing"
calculator = PartitionerView(cluster, "lab04-keyed")
calculator

# %% [markdown]
# Python has a `hash()` of its own. Somebody writes a small producer and finds murmur2 a bother:
# `partition=hash(key) % 3` looks just as good, and in a test it is. Two services run this line now,
# each in a process of its own:

# %%
own_hash = Prediction(
    "Two Python processes each work out hash('T0005'). Do they get the same number?",
    ["the same number", "two different numbers"],
)
own_hash

# %% covers="key-hashing"
# -E: without what this machine's environment may say of hashing.
command = [sys.executable, "-E", "-c", "print(hash('T0005'))"]
one, other = (subprocess.check_output(command, text=True).strip() for process in range(2))
own_hash.compare(
    "the same number" if one == other else "two different numbers",
    f"One got {one}, the other {other}.",
)

# %% [markdown] covers="key-hashing key-is-bytes"
# Python salts its hash anew in each process, on purpose: nobody outside shall be able to guess it.
# After a restart such a producer sends every truck somewhere else. A partitioner's hash must be the
# same on every machine, in every language, for ever.
#
# And it is a hash of *bytes*. Truck 123 can be three letters, or a number of four bytes. Each is a
# good key. Together they are two keys:

# %% covers="key-is-bytes"
for key in (b"123", (123).to_bytes(4, "big")):
    receipt = producer.send("lab04-keyed", key=key, value=b"T0123-001 opened").get(timeout=60)
    print(f"{key!s:20} partition {receipt.partition}")
# <output>
# b'123'               partition 2
# b'\x00\x00\x00{'     partition 1
# </output>

# %% [markdown] covers="key-hashing"
# ### Your turn
#
# {{exercise 04.1}}


# %% exercise="04.1" covers="key-hashing"
def partition_of(key, partitions):
    # <solution>
    return (murmur2(key) & 0x7FFFFFFF) % partitions
    # </solution>


q1.check(partition_of)

# %% [markdown] covers="count-holds"
# ## 5 · More partitions, by night
#
# The fleet has grown to sixty trucks, and three partitions are to become four. Kafka does that
# while everything runs. This evening every truck has opened its door, and that is in the topic:

# %%
fleet = [f"T{number:04}" for number in range(1, 61)]
evening = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all")


def send(sender, topic, number, what):
    """An event of every truck of the fleet: {truck: partition}."""
    sent = {
        truck: sender.send(topic, key=truck.encode(), value=f"{truck}-{number:03} {what}".encode())
        for truck in fleet
    }
    return {truck: receipt.get(timeout=60).partition for truck, receipt in sent.items()}


cluster.create_topic("lab04-fleet", partitions=3, replication=3)
before = send(evening, "lab04-fleet", 1, "opened")

# %%
movers = Prediction.number(
    "A fourth partition is added. Of how many of the sixty trucks do events go somewhere else from then on?",
    unit="trucks",
    within=5,
)
movers

# %%
cluster.tool("kafka-topics", "--alter", "--topic", "lab04-fleet", "--partitions", "4")
cluster.wait_for(
    lambda s: [p.leader is not None for p in s.topic("lab04-fleet").partitions] == [True] * 4,
    30,
    "the fourth partition to have a leader",
)
morning = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all")
after = send(morning, "lab04-fleet", 2, "closed")

# %% covers="more-partitions count-holds"
moved_trucks = [truck for truck in fleet if before[truck] != after[truck]]
to_new = [truck for truck in moved_trucks if after[truck] == 3]
movers.compare(
    len(moved_trucks),
    f"Only {len(to_new)} of them went to the new partition; the others changed places.",
)

# %% [markdown] covers="more-partitions count-holds"
# Not a quarter: four in five. The remainder of a division by 4 has little to do with that of a
# division by 3. A hash keeps its partition only if both remainders agree, which one in four does,
# about. Doubling is milder: half of the keys move, all of them to new partitions.
#
# That would not matter if the old records moved along. They do not: what is written stays where it
# is. So T0005's evening lies in one partition and its morning in another.

# %% covers="more-partitions"
lying = read_all(cluster.bootstrap_servers, "lab04-fleet")
for record in sorted(lying, key=lambda record: record.value):
    if record.key == b"T0005":
        print(record.value.decode(), "lies in partition", record.partition)
# <output>
# T0005-001 opened lies in partition 0
# T0005-002 closed lies in partition 3
# </output>

# %% [markdown]
# Two consumers of the alarm service share the topic. The one with the old partitions was restarted
# a moment ago; the one with partition 3 is up to date. Kafka allows that, and this is what the
# alarm service gets to read:

# %% covers="more-partitions no-order-between"
quick = [record for record in lying if record.partition == 3]
restarted = [record for record in lying if record.partition != 3]
alarm_reads = quick + restarted
for record in alarm_reads:
    if record.key == b"T0005":
        print(record.value.decode())
wrong = out_of_order(alarm_reads).intersection(to_new)
print(f"moved to partition 3: {len(to_new)} trucks, out of order of them: {len(wrong)}")
# <output>
# T0005-002 closed
# T0005-001 opened
# moved to partition 3: 16 trucks, out of order of them: 16
# </output>

# %% [markdown] covers="more-partitions count-holds"
# The door that closed before it opened, with keys and all. **The same key goes to the same
# partition as long as the number of partitions stays what it is.**
#
# One more thing happens in such a night. The producer of the evening still runs. It asks for the
# metadata of a topic every five minutes (`metadata.max.age.ms`), and has not heard of partition 3:

# %% covers="more-partitions"
for name, sender in (("evening", evening), ("morning", morning)):
    receipt = sender.send("lab04-fleet", key=b"T0005", value=b"T0005-003 opened").get(timeout=60)
    known = sender.partitions_for("lab04-fleet")
    print(f"the producer of the {name} knows {len(known)} partitions,")
    print(f"and sends T0005 to partition {receipt.partition}")
# <output>
# the producer of the evening knows 3 partitions,
# and sends T0005 to partition 0
# the producer of the morning knows 4 partitions,
# and sends T0005 to partition 3
# </output>

# %% [markdown]
# Who needs order makes enough partitions at the beginning. Who has too few makes a *new* topic,
# lets the producers write there, and has consumers finish the old one first.
#
# {{exercise 04.2}}
#
# The sum of 04.1 is there under the name `place(key, partitions)`.


# %% exercise="04.2" covers="more-partitions count-holds"
def moved(keys, before, after):
    # <solution>
    return [key for key in keys if place(key, before) != place(key, after)]
    # </solution>


q2.check(moved)

# %% [markdown] covers="load-balance"
# ## 6 · A hot key
#
# Keys spread the load if there are many of them, about equally busy. T0005 got a new door sensor,
# and it chatters: of 300 events, 240 are T0005's. The topic has six partitions.

# %%
relief = Prediction(
    "One partition has most of the work. What share has the fullest with twelve partitions, not six?",
    ["about 80 %, as before", "about 40 %, half of it", "about 8 %, a twelfth"],
)
relief

# %%
others = [truck for truck in fleet if truck != "T0005"]
# Every fifth event is somebody else's.
day = [others[n % len(others)] if n % 5 == 0 else "T0005" for n in range(300)]
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
    print(f"{partitions:2} partitions:", *held)
# <output>
#  6 partitions: 11 4 8 251 13 13
# 12 partitions: 7 3 1 248 7 7 4 1 7 3 6 6
# </output>

# %% covers="load-balance"
nearest = min((80, 40, 8), key=lambda share: abs(share - shares[12]))
told = {80: "about 80 %, as before", 40: "about 40 %, half of it", 8: "about 8 %, a twelfth"}
relief.compare(told[nearest], f"Fullest of six: {shares[6]} %. Fullest of twelve: {shares[12]} %.")

# %% picture="hot-key" covers="load-balance"
hot = LogView(cluster, "lab04-hot-6")
hot

# %% [markdown] covers="load-balance order-per-entity"
# One key is one partition, and one partition is read by one consumer of a group. More partitions do
# nothing for it, and more consumers neither. What helps is another key: a *finer* one, if less
# needs to be in order than you thought.
#
# That is the whole art. The key says which records must stay in order with one another. Too coarse,
# and one partition does all the work. Too fine, and the order is gone.
#
# {{exercise 04.3}}


# %% exercise="04.3" covers="order-per-entity"
def key_of(record):
    # <solution>
    return record["customer"].encode()
    # </solution>


q3.check(key_of)

# %% [markdown]
# {{exercise 04.4}}


# %% exercise="04.4" covers="load-balance order-per-entity"
def key_for(record):
    # <solution>
    return f"{record['vehicle']}/{record['door']}".encode()
    # </solution>


q4.check(key_for)

# %% [markdown] part="finale" covers="same-key-same-partition producer-chooses"
# ## 7 · The colleagues from the dock
#
# Six partitions from the start, the truck as the key, a murmur2 on every line: nothing can go wrong
# any more. Then a second team joins. Their service runs at the loading docks and knows better than
# the trucks when a door is *closed*. It is written in Go, and so it stands on librdkafka. They have
# read the rules: same topic, same key, the truck's id as text.
#
# The trucks go on reporting *opened*.

# %%
together = Prediction.number(
    "Of how many of the sixty trucks do 'opened' and 'closed' lie in the same partition?",
    unit="trucks",
    within=3,
)
together

# %%
cluster.create_topic("lab04-dock", partitions=6, replication=3)
opened = send(producer, "lab04-dock", 1, "opened")
closing = [(truck.encode(), f"{truck}-002 closed".encode()) for truck in fleet]
closed = dict(zip(fleet, by_librdkafka("lab04-dock", closing), strict=True))

# %% covers="same-key-same-partition"
same = [truck for truck in fleet if opened[truck] == closed[truck]]
together.compare(len(same), "One in six is what chance would give.")

# %% [markdown]
# It is three in the morning again. This is what the alarm service makes of the topic, as it
# happened to read it just now:

# %%
doors = {}
for record in read_all(cluster.bootstrap_servers, "lab04-dock"):
    truck, what = record.key.decode(), record.value.decode().split()[1]
    doors[truck] = what
ringing = sorted(truck for truck, what in doors.items() if what == "opened")
print(len(ringing), "doors stand open, it says. All sixty are closed.")

# %% [markdown]
# In the logs one key, with one colour, turns up in two lanes:

# %% picture="dock"
dock = LogView(cluster, "lab04-dock")
dock

# %% [markdown] covers="producer-chooses"
# Where is the fault? Broker and topic are out of the question: the topic has no say in where a
# record goes. So ask the clients. The same sixty keys, through each of them:

# %% covers="same-key-same-partition producer-chooses"
cluster.create_topic("lab04-same-keys", partitions=6, replication=1)
with_keys = ("--property", "parse.key=true", "--property", "key.separator=:")
rows = [(truck.encode(), truck.encode()) for truck in fleet]
found = by_java("lab04-same-keys", [f"{truck}:{truck}" for truck in fleet], *with_keys)
clients = {
    "kafka-python": [opened[truck] for truck in fleet],
    "Java": [found[truck] for truck in fleet],
    "librdkafka": by_librdkafka("lab04-same-keys", rows),
    "crc32, by hand": [zlib.crc32(key) % 6 for key, value in rows],
    "librdkafka, told": by_librdkafka("lab04-same-keys", rows, partitioner="murmur2_random"),
}
for name, places in clients.items():
    agree = sum(a == b for a, b in zip(places, clients["kafka-python"], strict=True))
    print(f"{name:17} T0001 to T0006: {places[:6]}, of 60 as kafka-python: {agree}")
# <output>
# kafka-python      T0001 to T0006: [2, 5, 0, 4, 3, 3], of 60 as kafka-python: 60
# Java              T0001 to T0006: [2, 5, 0, 4, 3, 3], of 60 as kafka-python: 60
# librdkafka        T0001 to T0006: [2, 2, 4, 3, 3, 5], of 60 as kafka-python: 10
# crc32, by hand    T0001 to T0006: [2, 2, 4, 3, 3, 5], of 60 as kafka-python: 10
# librdkafka, told  T0001 to T0006: [2, 5, 0, 4, 3, 3], of 60 as kafka-python: 60
# </output>

# %% picture="same-keys" covers="same-key-same-partition"
Strips(clients, "T0001 to T0060 as keys, six partitions", told="agreement")

# %% [markdown] covers="same-key-same-partition producer-chooses"
# There it is. librdkafka hashes as well, and always alike; but with **CRC-32**, not murmur2
# (`partitioner=consistent_random`, its default). Each family keeps its own promise, and together
# they break it. The partitioner is a setting of *every producer*, not of the topic. One line heals
# the dock's service: `partitioner=murmur2_random`.

# %% covers="same-key-same-partition producer-chooses"
opened = send(producer, "lab04-dock", 3, "opened")
closing = [(truck.encode(), f"{truck}-004 closed".encode()) for truck in fleet]
healed = by_librdkafka("lab04-dock", closing, partitioner="murmur2_random")
closed = dict(zip(fleet, healed, strict=True))
print(sum(opened[truck] == closed[truck] for truck in fleet), "of 60 trucks in one partition")
# <output>
# 60 of 60 trucks in one partition
# </output>

# %% [markdown]
# From here on. What the dock wrote before stays where it is for as long as it is kept, and who reads
# the topic from its beginning gets the old disorder. The repair is a new topic: read everything, put
# it in order by the time of sending, and send it once more, with one producer.

# %% covers="order-per-entity"
cluster.create_topic("lab04-repaired", partitions=6, replication=3)
everything = read_all(cluster.bootstrap_servers, "lab04-dock")
for record in sorted(everything, key=lambda record: record.timestamp):
    producer.send("lab04-repaired", key=record.key, value=record.value)
producer.flush()

repaired = read_all(cluster.bootstrap_servers, "lab04-repaired")
print(len(repaired), "events, trucks out of order:", sorted(out_of_order(repaired)))
# <output>
# 240 events, trucks out of order: []
# </output>

# %% [markdown]
# ## Your points

# %%
print(lab.score())
# <output>
# ✓ 04.1 From key to partition: right
# ✓ 04.2 Who has to move?: right
# ✓ 04.3 Choose the key: right
# ✓ 04.4 Cool a hot key: right
# 7 of 7 points
# </output>

# %% tags=["progress"]
lab.progress()

# %% [markdown]
# ## Clean up
#
# The next cell closes what is open and removes the topics of this lab.

# %% tags=["clean-up"]
for sender in (producer, evening, morning):
    sender.close()
lab.tidy()
print("tidy")
# <output>
# tidy
# </output>

# %% [markdown]
# **The words you own now.** A *key* says which records must stay in order with one another. A
# *partitioner*, in the producer, makes a partition of it: a *hash* modulo the number of partitions.
# *Sticky* is what clients do without a key today. A *hot key* is one that has most of the work.
#
# Two promises to ask for before you rely on a key: that the number of partitions will stay, and
# that all who write to the topic hash alike.
#
# Where next? [05 · Brokers and discovery](05_brokers_and_discovery.ipynb): the producer went to the
# right broker all the time. How did it know where that is?
