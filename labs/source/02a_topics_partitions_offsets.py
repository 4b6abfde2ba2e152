# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kafkalab:
#     title: Topics, partitions, offsets
#     can: find any record by its address, and read on exactly where you stopped
#     after: ["00"]
#     memory: 1 GB
#     seconds: 20
#     big: ["02a.4", "02a.6"]
#     teaches:
#     - KafkaAdminClient.list_topics
#     - KafkaConsumer.partitions_for_topic
#     - KafkaConsumer.assign
#     - KafkaConsumer.end_offsets
#     - KafkaConsumer.seek
#     - KafkaConsumer.poll
#     - KafkaConsumer.position
#     - KafkaConsumer.offsets_for_times
# ---

# %% [markdown]
# # 02a · Topics, partitions, offsets: where in the log is the violin?
#
# Jon's phone rings. "Where is my violin?" asks a customer. The violin is on its way with our
# haulage company, and at every stop a driver scans the box. Each scan is one record in Kafka, for
# example *S12 violin at the depot*. So the answer is somewhere in a topic. This lab is about the
# word *somewhere*: what an address in Kafka looks like, and how you read from there.
#
# | | |
# |---|---|
# | **You will** | fill three partitions, read by address and by time, repair a reader that went astray |
# | **You learn** | what a topic is and isn't, partition and offset, order, a reader's position |
# | **You need** | about {{minutes}} minutes, 1 GB of free memory, [lab 00](00_start_here.ipynb) |

# %% tags=["set-up"] jupyter={"source_hidden": true}
# Set-up: takes your running cluster or starts one, and removes what an earlier run left.
import time

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.errors import TopicAlreadyExistsError

from kafkalab import Lab  # this lab, on your cluster
from kafkalab import LogView  # draws the records of a topic
from kafkalab import Prediction  # asks for your guess
from kafkalab.course.lab_02a.order import sent_against_read  # draws one order against another

lab = Lab("02a")
cluster = lab.cluster
q1, q2, q3, q4, q5, q6 = lab.exercises
cluster

# %% [markdown] covers="topic-is-a-stream like-a-table name-identifies any-format"
# ## 1 · A topic is a name
#
# People often compare a topic to a table in a database. That's a good start, so let's see how far
# it carries. A table knows its columns. Here are three records that have nothing in common: an
# empty one, a line of text, and the first bytes of a picture.

# %%
refused = Prediction(
    "You send all three to one topic. Which of them does the broker refuse?",
    ["the empty one", "all but the first: the first one sets the format", "none of them"],
)
refused

# %% covers="any-format offset-from-0"
admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)
one_partition = {"num_partitions": 1, "replication_factor": 3}
admin.create_topics({"lab02a-anything": one_partition}, wait_for_metadata=True)
producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all")

for value in (b"", b"violin, 1 piece, fragile", b"\x89PNG\r\n\x1a\n"):
    receipt = producer.send("lab02a-anything", value=value).get(timeout=60)
    print(f"offset {receipt.offset}: {len(value)} bytes")
# <output>
# offset 0: 0 bytes
# offset 1: 24 bytes
# offset 2: 8 bytes
# </output>

# %% covers="like-a-table any-format"
stored = cluster.snapshot().topic("lab02a-anything").partitions[0].end
refused.compare("none of them" if stored == 3 else "the empty one", f"{stored} records are there.")

# %% [markdown] covers="many-topics name-identifies"
# There are no columns and no types, because brokers don't look into a record: it's bytes. Only the
# **name** identifies a topic. You can have as many topics as you like, but each name only once:

# %% covers="many-topics name-identifies"
for name in ("lab02a-routes", "lab02a-complaints", "lab02a-routes"):
    try:
        admin.create_topics({name: one_partition}, wait_for_metadata=True)
        print("created", name)
    except TopicAlreadyExistsError:
        print("there already is a topic called", name)
print("lab02a-anything" in admin.list_topics())
# <output>
# created lab02a-routes
# created lab02a-complaints
# there already is a topic called lab02a-routes
# True
# </output>

# %% [markdown]
# {{exercise 02a.1}}


# %% exercise="02a.1" covers="name-identifies"
def is_free(bootstrap_servers, name):
    # <solution>
    admin = KafkaAdminClient(bootstrap_servers=bootstrap_servers)
    names = admin.list_topics()
    admin.close()
    return name not in names
    # </solution>


q1.check(is_free)

# %% [markdown]
# ## 2 · Partition and offset
#
# Now the scans: six parcels, five stops each, in a topic with three partitions. You choose the
# number of partitions when you create the topic.

# %%
offset_3 = Prediction.number(
    "30 scans go to a topic with 3 partitions. How many records have offset 3?", unit="records"
)
offset_3

# %% covers="partitions"
admin.create_topics(
    {"lab02a-scans": {"num_partitions": 3, "replication_factor": 3}}, wait_for_metadata=True
)
parcels = ["anvil", "books", "drum", "guitar", "kettle", "violin"]
stops = ["picked up", "at the depot", "sorted", "on the truck", "delivered"]
an_hour_ago = int(time.time() * 1000) - 3_600_000

# %% [markdown] covers="partitions"
# The parcel is the key, so all scans of a parcel go to the same partition, as in lab 00. We also
# give each record its time: the first scan was an hour ago, and there's one every minute.

# %% covers="partitions"
number = 0
for stop in stops:
    for parcel in parcels:
        number += 1
        producer.send(
            "lab02a-scans",
            key=parcel.encode(),
            value=f"S{number:02} {parcel} {stop}".encode(),
            timestamp_ms=an_hour_ago + number * 60_000,
        ).get(timeout=60)

# %% covers="offset-only-with-partition offset-from-0"
ends = [p.end for p in cluster.snapshot().topic("lab02a-scans").partitions]
offset_3.compare(sum(end > 3 for end in ends), f"P0, P1 and P2 end at {ends}, and begin at 0.")

# %% picture="three-lanes" covers="partitions offset-from-0" shows="15 15 … 9 earlier 9:books | 5 5 0:guitar | 10 10 … 4 earlier 4:anvil"
log = LogView(cluster, "lab02a-scans")
log

# %% [markdown] covers="offset-only-with-partition offset-from-0 partitions"
# Each lane is a partition, and each letter is the key of a record: find the five *v*. Now find
# offset 3, which is there three times. So an address in Kafka has three parts: **topic, partition,
# offset**. To read at an address, you *assign* a partition to a consumer and *seek* the offset:

# %% covers="offset-only-with-partition"
consumer = KafkaConsumer(bootstrap_servers=cluster.bootstrap_servers, consumer_timeout_ms=10_000)
for partition in sorted(consumer.partitions_for_topic("lab02a-scans")):
    place = TopicPartition("lab02a-scans", partition)
    consumer.assign([place])
    consumer.seek(place, 3)
    print(f"partition {partition}, offset 3: {next(consumer).value.decode()}")
# <output>
# partition 0, offset 3: S08 books at the depot
# partition 1, offset 3: S22 guitar on the truck
# partition 2, offset 3: S11 kettle at the depot
# </output>

# %% [markdown]
# You can also ask where the partitions end, without reading a record. The answer is the *log end
# offset*: the offset that the next record will get.

# %% covers="offset-from-0"
places = [TopicPartition("lab02a-scans", partition) for partition in range(3)]
print([consumer.end_offsets(places)[place] for place in places])
# <output>
# [15, 5, 10]
# </output>

# %% [markdown]
# {{exercise 02a.2}}


# %% exercise="02a.2" covers="offset-from-0 partitions"
def written(bootstrap_servers, topic):
    # <solution>
    consumer = KafkaConsumer(bootstrap_servers=bootstrap_servers)
    places = [TopicPartition(topic, p) for p in consumer.partitions_for_topic(topic)]
    ends = consumer.end_offsets(places)
    consumer.close()
    return sum(ends.values())
    # </solution>


q2.check(written)

# %% [markdown]
# {{exercise 02a.3}}


# %% exercise="02a.3" covers="offset-only-with-partition"
def read_at(bootstrap_servers, topic, partition, offset):
    # <solution>
    consumer = KafkaConsumer(bootstrap_servers=bootstrap_servers, consumer_timeout_ms=10_000)
    place = TopicPartition(topic, partition)
    consumer.assign([place])
    consumer.seek(place, offset)
    record = next(consumer)
    consumer.close()
    return record.value.decode()
    # </solution>


q3.check(read_at)

# %% [markdown]
# ## 3 · In which order?
#
# You sent the scans one after the other, S01 to S30. Now one consumer reads all three partitions.

# %%
order = Prediction(
    "In which order do the 30 scans reach the consumer?",
    ["S01 to S30", "not S01 to S30, but each partition in order", "in no order at all"],
)
order

# %% [markdown]
# `poll` returns a dict with a list of records for each partition, up to 500 records at a time.
# `position` is the offset that the consumer reads next, so we go on until each one is at the end:


# %% covers="order-within-partition order-not-across"
def read_all(topic):
    consumer = KafkaConsumer(bootstrap_servers=cluster.bootstrap_servers)
    places = [TopicPartition(topic, p) for p in consumer.partitions_for_topic(topic)]
    consumer.assign(places)
    consumer.seek_to_beginning()
    ends = consumer.end_offsets(places)
    records = []
    while any(consumer.position(place) < ends[place] for place in places):
        for polled in consumer.poll(timeout_ms=500).values():
            records += polled
    consumer.close()
    return records


# %% covers="order-within-partition order-not-across topic-is-a-stream"
records = read_all("lab02a-scans")

# %% covers="order-within-partition order-not-across topic-is-a-stream"
came = [int(record.value[1:3]) for record in records]
lanes = [[int(r.value[1:3]) for r in records if r.partition == p] for p in range(3)]
if came == sorted(came):
    outcome = "S01 to S30"
elif all(lane == sorted(lane) for lane in lanes):
    outcome = "not S01 to S30, but each partition in order"
else:
    outcome = "in no order at all"
order.compare(outcome, f"It began with {', '.join(f'S{number:02}' for number in came[:5])}.")

# %% picture="order" covers="order-within-partition order-not-across" shows="partition 1: S04, S10, S16, S22, S28"
sent_against_read(records)

# %% [markdown] covers="order-within-partition order-not-across"
# Follow one kind of mark: it only rises. All together they jump, because the consumer gets a piece
# from one partition and then a piece from another. **Order holds within a partition, and nowhere
# else.** From the offsets of two partitions you can't tell which record was written first. For
# Jon that's enough: all scans of the violin are in one partition, so *delivered* never comes
# before *picked up*.
#
# Order means the order of *arrival*. The time in a record is what the sender says. Here's a
# scanner whose clock is a day behind:

# %% covers="ordered-by-arrival"
yesterday = int(time.time() * 1000) - 86_400_000
producer.send("lab02a-anything", value=b"slow clock", timestamp_ms=yesterday).get(timeout=60)

before, last = read_all("lab02a-anything")[-2:]
earlier = last.timestamp < before.timestamp
print(f"offset {last.offset} comes after offset {before.offset}; earlier by its time: {earlier}")
# <output>
# offset 3 comes after offset 2; earlier by its time: True
# </output>

# %% [markdown]
# {{exercise 02a.4}}


# %% exercise="02a.4" covers="offset-only-with-partition order-within-partition"
def newest(bootstrap_servers, topic, n):
    # <solution>
    consumer = KafkaConsumer(bootstrap_servers=bootstrap_servers)
    places = [TopicPartition(topic, p) for p in consumer.partitions_for_topic(topic)]
    end = consumer.end_offsets(places)
    consumer.assign(places)
    for place in places:
        consumer.seek(place, max(0, end[place] - n))
    values = {place.partition: [] for place in places}
    while any(consumer.position(place) < end[place] for place in places):
        for polled in consumer.poll(timeout_ms=500).values():
            for record in polled:
                values[record.partition].append(record.value.decode())
    consumer.close()
    return values
    # </solution>


q4.check(newest)

# %% [markdown] covers="stays-after-read queue many-queues two-readers"
# ## 4 · What reading moves, and what you can't ask
#
# In lab 00 you saw that reading takes nothing away. So what does it change? Aylin's dashboard reads
# everything, and Pavel's alarm program only the first four records of partition 0.

# %%
where = Prediction(
    "Both have read offset 3 of partition 0. What's the next offset for Aylin's and for Pavel's?",
    ["4 for both: the partition knows how far it was read", "15 and 4", "4 and 0"],
)
where

# %% covers="two-readers stays-after-read many-queues"
aylin = KafkaConsumer(bootstrap_servers=cluster.bootstrap_servers)
pavel = KafkaConsumer(bootstrap_servers=cluster.bootstrap_servers)
for reader, to in ((aylin, consumer.end_offsets(places)), (pavel, {places[0]: 4})):
    reader.assign(list(to))
    reader.seek_to_beginning()
    while any(reader.position(place) < to[place] for place in to):
        reader.poll(timeout_ms=500, max_records=4)

# %% covers="stays-after-read queue two-readers many-queues"
where.compare(
    {(15, 4): "15 and 4", (4, 0): "4 and 0"}.get(
        (aylin.position(places[0]), pavel.position(places[0])),
        "4 for both: the partition knows how far it was read",
    ),
    "The position belongs to the reader.",
)

# %% picture="two-readers" covers="two-readers" shows="Aylin reads next | Pavel reads next | 15 15 15 4 … 9 earlier | 5 5 5 – 0:guitar | 10 10 10 – … 4 earlier"
log.follow("Aylin", aylin).follow("Pavel", pavel)
log.moment()

# %% [markdown] covers="stays-after-read queue many-queues two-readers"
# Find the two marks on partition 0. Reading moves the reader's **position**, and nothing in the
# topic. So a partition is a queue, first in, first out, but one that keeps what it hands out. A
# topic with three partitions is three such queues, and that's how several brokers can share it.
#
# Now back to the violin. In a database you'd type `select * from scans where parcel = 'violin'`.

# %%
fetched = Prediction.number(
    "You want the violin's five scans. How many of the 30 records must your consumer fetch, "
    "if it reads as little as possible?",
    unit="records",
)
fetched

# %% covers="not-queried"
aylin.assign(places[:1])  # all scans of a key are in one partition
aylin.seek_to_beginning()
read = []
while aylin.position(places[0]) < 15:
    for polled in aylin.poll(timeout_ms=500).values():
        read += polled
print([record.value.decode() for record in read if record.key == b"violin"][-1])
# <output>
# S30 violin delivered
# </output>

# %% covers="not-queried"
fetched.compare(len(read), "The broker doesn't look into records, so it can't choose them for you.")

# %% [markdown] covers="not-queried time-index"
# You **can't query** a topic. If you know which partition holds the key, you can read only that
# one: here, half of the records. Kafka can't narrow it down further. That's why people read a topic
# into something with an index, for example a database, Spark or a search engine.
#
# Brokers do keep one index: *from which offset on* are records of a given time? What has happened
# since minute 20?

# %% covers="time-index"
moment = an_hour_ago + 20 * 60_000
found = consumer.offsets_for_times(dict.fromkeys(places, moment))
print([found[place].offset for place in places])
print(found[places[0]].timestamp - moment, "ms later")
# <output>
# [9, 3, 7]
# 0 ms later
# </output>

# %% [markdown] covers="time-index"
# For each partition you get the *first* offset whose time is not before the moment, or `None` if
# there is no such record.
#
# {{exercise 02a.5}}


# %% exercise="02a.5" covers="time-index offset-only-with-partition"
def since(bootstrap_servers, topic, timestamp_ms):
    # <solution>
    consumer = KafkaConsumer(bootstrap_servers=bootstrap_servers)
    places = [TopicPartition(topic, p) for p in consumer.partitions_for_topic(topic)]
    ends = consumer.end_offsets(places)
    found = consumer.offsets_for_times(dict.fromkeys(places, timestamp_ms))
    consumer.close()
    return {p.partition: found[p].offset if found[p] else ends[p] for p in places}
    # </solution>


q5.check(since)

# %% [markdown] part="finale" covers="offset-only-with-partition two-readers"
# ## 5 · The dashboard that lost its place
#
# Aylin's dashboard crashed this morning. It remembers the *last* offset that it has shown, for each
# partition. Here's the code that reads on from there:


# %% covers="offset-only-with-partition two-readers"
def aylins_code(bootstrap_servers, topic, shown):
    consumer = KafkaConsumer(bootstrap_servers=bootstrap_servers, consumer_timeout_ms=3_000)
    places = [TopicPartition(topic, partition) for partition in shown]
    consumer.assign(places)
    for place in places:
        consumer.seek(place, min(shown.values()))
    values = [record.value.decode() for record in consumer]
    consumer.close()
    return values


# %%
board = Prediction(
    "It has shown partition 0 up to offset 5, P1 up to 2 and P2 up to 4. It reads on with this "
    "code. What's on the board afterwards?",
    ["every scan once", "every scan, but some of them twice", "some scans are missing"],
)
board

# %% covers="offset-only-with-partition"
shown = {0: 5, 1: 2, 2: 4}
on_the_board = [r.value.decode() for r in records if r.offset <= shown[r.partition]]
on_the_board += aylins_code(cluster.bootstrap_servers, "lab02a-scans", shown)

# %% covers="offset-only-with-partition"
missing, twice = 30 - len(set(on_the_board)), len(on_the_board) - len(set(on_the_board))
if missing:
    outcome = "some scans are missing"
else:
    outcome = "every scan, but some of them twice" if twice else "every scan once"
board.compare(outcome, f"{missing} are missing, {twice} are there twice.")

# %% [markdown] covers="offset-only-with-partition"
# The code uses one offset for three partitions, and it has a second mistake. Someone suggests `max`
# instead of `min`. Then the board would lose scans, and that's worse. Now it's your turn to repair
# it.
#
# {{exercise 02a.6}}


# %% exercise="02a.6" covers="offset-only-with-partition two-readers"
def go_on(bootstrap_servers, topic, shown):
    # <solution>
    consumer = KafkaConsumer(bootstrap_servers=bootstrap_servers, consumer_timeout_ms=3_000)
    places = [TopicPartition(topic, partition) for partition in shown]
    consumer.assign(places)
    for place in places:
        consumer.seek(place, shown[place.partition] + 1)
    values = [record.value.decode() for record in consumer]
    consumer.close()
    return values
    # </solution>


q6.check(go_on)

# %% [markdown] covers="like-a-table topic-is-a-stream"
# How far does the comparison with a table carry now?
#
# | | table | topic |
# |---|---|---|
# | its name identifies it | yes | yes |
# | has columns | yes | no: bytes |
# | can be queried | yes | no: you read it, by offset or from a time on |
# | has an order | no | yes, in each partition |
# | rows can change and stay until deleted | yes | see [lab 02b](02b_retention.ipynb) |
#
# So a topic is a **stream**: records in the order in which they came, once for each partition.
#
# **Why?** In one sentence: why does Aylin's dashboard have to remember three numbers, and not one?
# Double-click here and write it down. It isn't graded.
#
# *My sentence:* …
#
# <details><summary>Ours</summary>Because each partition counts its own offsets from 0, and a reader
# can be at a different place in each of them.</details>
#
# ## Your points

# %%
print(lab.score())
# <output>
# ✓ 02a.1 Is the name free?: right
# ✓ 02a.2 How many were written?: right
# ✓ 02a.3 One record, by its address: right
# ✓ 02a.4 The newest of each partition: right
# ✓ 02a.5 Since when?: right
# ✓ 02a.6 Read on where it stopped: right
# 11 of 11 points
# </output>

# %% tags=["progress"]
lab.progress()

# %% [markdown]
# ## Clean up
#
# The next cell removes the topics of this lab. Your cluster goes on for the next one.

# %% tags=["clean-up"]
log.follow("Aylin", None).follow("Pavel", None)
for client in (producer, consumer, aylin, pavel, admin):
    client.close()
lab.tidy()
print("tidy")
# <output>
# tidy
# </output>

# %% [markdown]
# **You can now** read any record by its address, find out where partitions end, read from a time
# on, and go on reading exactly where you stopped.
#
# **The words you own now:** *topic, partition, offset, log end offset, position, assign, seek*.
#
# **Where next?** [02b · How long a record stays](02b_retention.ipynb): the answer was there last
# week, and today it's gone.
