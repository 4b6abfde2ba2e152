# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---

# %% [markdown]
# # 02 · Topics, partitions, offsets: where in the log is my parcel?
#
# A violin is on its way by parcel service. At every stop somebody points a scanner at the box, and
# the scanner sends one record to Kafka: *S12 violin at the depot*. Thirty scans, six parcels, one
# topic.
#
# Then a customer calls and asks where the violin is. Somewhere in that topic is the answer. This
# lab is about the word *somewhere*: what an address in Kafka looks like, what it is worth, and how
# an answer that was there last week can be gone today.
#
# | | |
# |---|---|
# | **You will** | fill three partitions, read by address, watch a week-old log lose its beginning |
# | **You learn** | what a topic is and is not, partition and offset, order, retention, log start |
# | **You need** | 35 minutes, 1 GB of free memory, [lab 00](00_start_here.ipynb) |

# %% tags=["set-up"] jupyter={"source_hidden": true}
# Set-up: takes the running cluster or starts one, brings back what is down, removes what an earlier run left.
import re
import time

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.admin import ConfigResource
from kafka.errors import OffsetOutOfRangeError
from matplotlib.figure import Figure

from kafkalab import Ledger, LedgerView, LogView
from kafkalab.errors import RefusedByKafka, ToolFailed
from kafkalab.exercises.lab import Lab
from kafkalab.exercises.moments import LogMoment
from kafkalab.exercises.predict.answers import records_in
from kafkalab.exercises.predict.prediction import Prediction
from kafkalab.exercises.topics import read_all
from kafkalab.views.figures import Drawing

lab = Lab("02")
cluster = lab.cluster
q1, q2, q3, q4 = lab.exercises
cluster

# %% [markdown] covers="topic-is-a-stream like-a-table name-identifies any-format"
# ## 1 · A topic is a name
#
# A topic is often introduced as "something like a table in a database". That is a good start and
# a bad end, so let us see how far it carries.
#
# A table wants to know its columns. Here is a topic, and three records that have nothing in common:
# one with an empty value, one with a line of text, one with the first bytes of a picture.

# %%
refused = Prediction(
    "All three go to one topic. Which of them does the broker refuse?",
    ["the empty one", "all but the first: the first one set the form", "none of them"],
)
refused

# %% covers="any-format offset-from-0"
cluster.create_topic("lab02-anything", partitions=1, replication=3)
producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all")

for value in (b"", b"violin, 1 piece, fragile", b"\x89PNG\r\n\x1a\n"):
    receipt = producer.send("lab02-anything", value=value).get(timeout=60)
    print(f"offset {receipt.offset}: {len(value)} bytes")
# <output>
# offset 0: 0 bytes
# offset 1: 24 bytes
# offset 2: 8 bytes
# </output>

# %% covers="like-a-table any-format"
stored = read_all(cluster.bootstrap_servers, "lab02-anything")
refused.compare(
    "none of them" if len(stored) == 3 else "the empty one",
    f"{len(stored)} records are there. A broker looks at none of them.",
)

# %% [markdown] covers="many-topics name-identifies"
# No columns, no types: a topic takes bytes. You may have as many topics as you like, and each is
# known by its **name** alone. Which is why a name can be had only once:

# %% covers="many-topics name-identifies"
for name in ("lab02-routes", "lab02-complaints", "lab02-routes"):
    try:
        cluster.create_topic(name, partitions=1, replication=3)
        print("created", name)
    except RefusedByKafka as no:
        print(no.what)
# <output>
# created lab02-routes
# created lab02-complaints
# The topic 'lab02-routes' exists already.
# </output>

# %% [markdown] covers="like-a-table topic-is-a-stream"
# | | table | topic |
# |---|---|---|
# | known by its name | yes | yes |
# | has columns | yes | no: bytes |
# | a row can be changed | yes | no (round 5) |
# | can be queried | yes | no (round 6) |
# | rows stay until deleted | yes | no: for a week (round 7) |
# | has an order | no | yes, in each partition (round 3) |
#
# The last line is the one that matters. A topic is a **stream**: records in the order in which
# they came. The rest of this lab goes through the table line by line.
#
# ## 2 · Partition and offset
#
# Now the real thing. Six parcels, five stops each, in three partitions. How many partitions a topic
# has is said when it is made.

# %%
offset_3 = Prediction.number(
    "30 scans go to a topic with 3 partitions. How many records have offset 3?", unit="records"
)
offset_3

# %% covers="partitions"
cluster.create_topic("lab02-scans", partitions=3, replication=3)
log = LogView(cluster, "lab02-scans")
log

# %% [markdown] covers="partitions"
# A lane is a partition, and each is empty. Keep the picture in sight (right-click it, *Create New View
# for Output*) while the scans come in. A cell will be a record; its letter and colour stand for its
# key, which here is the parcel, in the order in which keys turn up.

# %% covers="partitions"
parcels = ["anvil", "books", "drum", "guitar", "kettle", "violin"]
stops = ["picked up", "at the depot", "sorted", "on the van", "delivered"]
first_scan = int(time.time() * 1000) - 3_600_000  # an hour ago

number = 0
for stop in stops:
    for parcel in parcels:
        number += 1
        scan = f"S{number:02} {parcel} {stop}"
        producer.send(
            "lab02-scans",
            key=parcel.encode(),
            value=scan.encode(),
            timestamp_ms=first_scan + number * 60_000,  # a scan a minute
        ).get(timeout=60)
print(scan)
# <output>
# S30 violin delivered
# </output>

# %% covers="offset-only-with-partition offset-from-0"
records = read_all(cluster.bootstrap_servers, "lab02-scans")
offset_3.compare(
    sum(record.offset == 3 for record in records),
    "Every partition counts for itself, from 0.",
)

# %% covers="offset-only-with-partition partitions"
at = {(record.partition, record.offset): record.value.decode() for record in records}
for partition in range(3):
    held = sum(place[0] == partition for place in at)
    print(f"partition {partition} holds {held:2}, offset 3 is: {at[partition, 3]}")
# <output>
# partition 0 holds 15, offset 3 is: S08 books at the depot
# partition 1 holds  5, offset 3 is: S22 guitar on the van
# partition 2 holds 10, offset 3 is: S11 kettle at the depot
# </output>

# %% picture="three-lanes" covers="partitions offset-from-0"
LogMoment(cluster, log)

# %% [markdown] covers="offset-only-with-partition offset-from-0 partitions"
# "Offset 3" is three different scans. An address in Kafka has three parts: **topic, partition,
# offset**. Say "partition 0, offset 3", and there is exactly one record that you can mean.
#
# The lanes are not of equal length. All scans of a parcel went to the same partition, because they
# have the same key; without a key the producer would have chosen. How, is the subject of lab 04.
#
# {{exercise 02.1}}


# %% exercise="02.1" covers="offset-only-with-partition"
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


q1.check(read_at)

# %% [markdown]
# ## 3 · In which order?
#
# The scans were sent one after the other, S01 to S30. One consumer now reads all three partitions.

# %%
order = Prediction(
    "In which order do the 30 scans reach the consumer?",
    [
        "S01 to S30",
        "not S01 to S30, but each partition in order",
        "in no order that anybody could count on",
    ],
)
order

# %% covers="order-within-partition order-not-across topic-is-a-stream"
came = [int(record.value[1:3]) for record in records]
by_partition = {p: [int(r.value[1:3]) for r in records if r.partition == p] for p in range(3)}
for partition, numbers in by_partition.items():
    print(f"partition {partition} in the order of sending: {numbers == sorted(numbers)}")
print("all of them in the order of sending:", came == sorted(came))
# <output>
# partition 0 in the order of sending: True
# partition 1 in the order of sending: True
# partition 2 in the order of sending: True
# all of them in the order of sending: False
# </output>

# %% picture="order" covers="order-within-partition order-not-across"
figure = Figure(figsize=(7, 3.2), layout="constrained")
axes = figure.subplots()
for partition, marker, colour in ((0, "o", "#0072b2"), (1, "s", "#d55e00"), (2, "^", "#009e73")):
    turns = [turn for turn, record in enumerate(records, 1) if record.partition == partition]
    axes.plot(turns, by_partition[partition], marker, color=colour, label=f"partition {partition}")
axes.set(xlabel="read as number …", ylabel="sent as number …", title="Sent against read")
axes.legend(frameon=False)
axes.spines[["top", "right"]].set_visible(False)
Drawing(
    figure,
    "The order of sending against that of reading: in each partition it rises, over all it jumps.",
)

# %% covers="order-within-partition order-not-across"
if came == sorted(came):
    outcome = "S01 to S30"
elif all(numbers == sorted(numbers) for numbers in by_partition.values()):
    outcome = "not S01 to S30, but each partition in order"
else:
    outcome = "in no order that anybody could count on"
order.compare(outcome)

# %% [markdown] covers="order-within-partition order-not-across"
# Each partition rises, and the consumer gets them in pieces, now from this one, now from that. **Order
# holds within a partition, and nowhere else.** Of two records in different partitions nobody can say
# from their offsets which was written first.
#
# For a parcel that is enough: all scans of the violin are in one partition, so *delivered* never
# comes before *picked up*.
#
# And order means the order of *arrival*. Not the time on the record, which is whatever the sender
# says. A handheld whose clock is a day behind:

# %% covers="ordered-by-arrival"
yesterday = int(time.time() * 1000) - 86_400_000
producer.send("lab02-anything", value=b"from a slow clock", timestamp_ms=yesterday).get(timeout=60)

before, last = read_all(cluster.bootstrap_servers, "lab02-anything")[-2:]
print(
    f"offsets {before.offset}, {last.offset}; earlier by its time: {last.timestamp < before.timestamp}"
)
# <output>
# offsets 2, 3; earlier by its time: True
# </output>

# %% [markdown] covers="stays-after-read queue many-queues two-readers"
# ## 4 · What reading takes away
#
# People call a topic a queue, and that is half right. From a queue in a post office, whoever is
# served leaves. Two readers go through `lab02-scans`: C1 reads everything, C2 stops after the first
# four records of partition 0.

# %%
left_over = Prediction.number(
    "C1 has read 30 records and C2 has read 4. How many records are in the topic then?",
    unit="records",
)
left_over

# %% covers="two-readers stays-after-read many-queues"
places = [TopicPartition("lab02-scans", partition) for partition in range(3)]


def reader(*assigned):
    consumer = KafkaConsumer(bootstrap_servers=cluster.bootstrap_servers)
    consumer.assign(assigned)
    consumer.seek_to_beginning()
    return consumer


c1, c2 = reader(*places), reader(places[0])
ends = c1.end_offsets(places)
while any(c1.position(place) < ends[place] for place in places):
    c1.poll(timeout_ms=500)
while c2.position(places[0]) < 4:
    c2.poll(timeout_ms=500, max_records=4)

print("C1 stands at", [c1.position(place) for place in places])
print("C2 stands at", c2.position(places[0]))
# <output>
# C1 stands at [15, 5, 10]
# C2 stands at 4
# </output>

# %% picture="two-readers" covers="two-readers"
log.follow("C1", c1).follow("C2", c2)
LogMoment(cluster, log)

# %% covers="stays-after-read queue"
left_over.compare(
    records_in("lab02-scans"), "Reading moves the reader, and nothing else.", of=cluster
)

# %% [markdown] covers="stays-after-read queue many-queues two-readers"
# Nothing left the topic. What moved is a number on the reader's side: its **position**, the offset
# that it reads next. Any number of readers can go through the same log, each at a place of its own,
# and none of them notices the others.
#
# So a partition *is* a queue: first in, first out. But one that keeps what it has handed out. And a
# topic with three partitions is three such queues side by side, which is how it can be spread over
# several brokers.

# %%
log.follow("C1", None).follow("C2", None)
c1.close()
c2.close()

# %% [markdown] covers="immutable"
# ## 5 · Mend a mistake
#
# S05 says that the kettle was picked up. It was not: the sender had not packed it yet. You know the
# address, partition 2, offset 1, and you want it to tell the truth.

# %%
mend = Prediction(
    "Which request do you send to the broker?",
    [
        "one that writes a new value at partition 2, offset 1",
        "two: delete offset 1, then insert at offset 1",
        "there is no such request",
    ],
)
mend

# %% [markdown]
# Brokers can be asked which requests they understand. That is all that any client, in any language,
# can ever ask of them:

# %% covers="immutable not-queried"
admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)
understood = sorted(request.name for request in admin.api_versions())
print(len(understood), "requests:", ", ".join(understood))

# %% covers="immutable not-queried"
for wish in (
    "Produce",
    "Fetch",
    "ListOffsets",
    "DeleteRecords",
    "UpdateRecords",
    "InsertRecords",
    "Query",
):
    print(f"{wish:14}", "yes" if wish in understood else "no")
# <output>
# Produce        yes
# Fetch          yes
# ListOffsets    yes
# DeleteRecords  yes
# UpdateRecords  no
# InsertRecords  no
# Query          no
# </output>

# %% covers="immutable"
changing = [n for n in understood if re.search("(Update|Insert|Alter|Replace).*Record", n)]
mend.compare(
    "there is no such request"
    if not changing
    else "one that writes a new value at partition 2, offset 1"
)

# %% [markdown] covers="immutable append-only"
# `Produce` appends at the end. `Fetch` reads. `ListOffsets` tells where a log begins and ends. And
# `DeleteRecords` deletes everything *before* an offset: it cuts the front off, and cannot make a hole.
#
# So a mistake is mended the way a bookkeeper does it: with another entry, further down. Whoever reads
# needs to know that the later one counts.

# %% covers="immutable append-only"
producer.send("lab02-scans", key=b"kettle", value=b"S05 kettle NOT picked up").get(timeout=60)

for record in read_all(cluster.bootstrap_servers, "lab02-scans"):
    if record.value.startswith(b"S05"):
        print(f"partition {record.partition}, offset {record.offset}: {record.value.decode()}")
# <output>
# partition 2, offset 1: S05 kettle picked up
# partition 2, offset 10: S05 kettle NOT picked up
# </output>

# %% [markdown] covers="not-queried"
# ## 6 · Where is the violin?
#
# The customer is still on the phone. In a database you would type
# `select * from scans where parcel = 'violin'`. There are 31 records now, and 5 are the violin's.

# %%
travelled = Prediction.number(
    "You want the five scans of the violin from this topic. How many records does the consumer fetch?",
    unit="records",
)
travelled

# %% covers="not-queried"
fetched = read_all(cluster.bootstrap_servers, "lab02-scans")
for record in fetched:
    if record.key == b"violin":
        print(f"partition {record.partition}, offset {record.offset:2}: {record.value.decode()}")
# <output>
# partition 0, offset  2: S06 violin picked up
# partition 0, offset  5: S12 violin at the depot
# partition 0, offset  8: S18 violin sorted
# partition 0, offset 11: S24 violin on the van
# partition 0, offset 14: S30 violin delivered
# </output>

# %% covers="not-queried"
travelled.compare(len(fetched), "The broker cannot choose for you: it does not look into records.")

# %% [markdown] covers="not-queried time-index"
# A topic is written by producers and read by consumers, and **cannot be queried**. If you know which
# partition holds the key, you can read only that one: here, half of the records. Kafka cannot narrow it
# down further. What people do is read a topic once, into something that has an index: a database, a Spark
# table, a search engine.
#
# Two questions a broker does answer without anybody reading: where a log begins and ends, and *from
# which offset on* records are of a given time. What happened from minute 20 on?

# %% covers="time-index"
consumer = KafkaConsumer(bootstrap_servers=cluster.bootstrap_servers)
moment = first_scan + 20 * 60_000
found = consumer.offsets_for_times(dict.fromkeys(places, moment))
for place in places:
    offset = found[place].offset
    print(f"partition {place.partition}: from offset {offset:2} on, {at[place.partition, offset]}")
consumer.close()
# <output>
# partition 0: from offset  9 on, S20 books on the van
# partition 1: from offset  3 on, S22 guitar on the van
# partition 2: from offset  7 on, S23 kettle on the van
# </output>

# %% [markdown]
# {{exercise 02.2}}


# %% exercise="02.2" covers="offset-only-with-partition order-within-partition"
def newest(bootstrap_servers, topic, n):
    # <solution>
    consumer = KafkaConsumer(bootstrap_servers=bootstrap_servers)
    places = [TopicPartition(topic, p) for p in consumer.partitions_for_topic(topic)]
    begin, end = consumer.beginning_offsets(places), consumer.end_offsets(places)
    consumer.assign(places)
    for place in places:
        consumer.seek(place, max(begin[place], end[place] - n))
    values = {place.partition: [] for place in places}
    while any(consumer.position(place) < end[place] for place in places):
        for polled in consumer.poll(timeout_ms=500).values():
            for record in polled:
                values[record.partition].append(record.value.decode())
    consumer.close()
    return values
    # </solution>


q2.check(newest)

# %% [markdown] covers="retention-week retention-configurable retention-too-many"
# ## 7 · A week
#
# Records stay after they are read. For ever? Kafka's own tool tells what a topic is set to:

# %% covers="retention-week retention-configurable retention-too-many"
settings = cluster.tool(
    "kafka-configs",
    "--describe",
    "--all",
    "--entity-type",
    "topics",
    "--entity-name",
    "lab02-scans",
)
for name in ("retention.ms", "retention.bytes", "segment.ms", "segment.bytes"):
    (value,) = re.findall(rf"^\s*{re.escape(name)}=(\S+)", settings, re.MULTILINE)
    print(f"{name:15} {value}")
print(604_800_000 / 1000 / 60 / 60 / 24, "days")
# <output>
# retention.ms    604800000
# retention.bytes -1
# segment.ms      604800000
# segment.bytes   1073741824
# 7.0 days
# </output>

# %% [markdown] covers="retention-week"
# A week, and no bound in bytes. Nobody told your cluster so: it is the default.
#
# You cannot wait a week, but somebody did it for you. A scanner fell behind a shelf, full of scans that
# it had not sent: one a day, and each with the time at which it was made. Today it was found, the
# oldest scan nine and a half days old, the newest half a day. Now it sends them all.

# %%
found_again = Prediction.number(
    "Ten scans, from 9.5 days old to half a day old, arrive now. "
    "How many of them are in the topic a minute later?",
    unit="records",
)
found_again

# %% covers="retention-week"
DAY = 86_400_000  # milliseconds
# A new file every half day: why, you will see in a moment.
cluster.create_topic(
    "lab02-shelf", partitions=1, replication=3, settings={"segment.ms": str(DAY // 2)}
)
now = int(time.time() * 1000)
for day in range(10):
    made = now - int((9.5 - day) * DAY)
    scan = f"day {day}: still behind the shelf".encode()
    receipt = producer.send("lab02-shelf", key=b"day %d" % day, value=scan, timestamp_ms=made).get(
        timeout=60
    )
print("acknowledged, up to offset", receipt.offset)
# <output>
# acknowledged, up to offset 9
# </output>

# %% [markdown]
# All ten are acknowledged, and for a moment all ten are there. Watch the left end of the lane. Brokers
# look for what is too old every 10 seconds in your cluster, and every 5 minutes in one that nobody
# has tuned.

# %%
shelf = LogView(cluster, "lab02-shelf")
shelf

# %% covers="retention-week log-start-moves"
seen = cluster.wait_for(
    lambda s: s.topic("lab02-shelf").partitions[0].start > 0, 90, "the oldest records to be deleted"
)
then = seen.topic("lab02-shelf").partitions[0]
print(f"log start {then.start}, log end {then.end}, there: {then.end - then.start}")
# <output>
# log start 3, log end 10, there: 7
# </output>

# %% covers="retention-week"
found_again.compare(
    records_in("lab02-shelf"), "Older than a week were those of 9.5, 8.5 and 7.5 days.", of=cluster
)

# %% [markdown] covers="log-start-moves retention-by-file"
# Three records were acknowledged and are gone, a few seconds after they came. Nothing failed: that is
# what a week means. (It also happens to people who load last year's data into Kafka.)
#
# The **log start offset** has moved to 3. Offsets are not counted anew; the log simply begins at 3 now.
# And here is how Kafka deletes: not record by record, but **file by file**. A partition is a row of
# files on the broker's disk, each called by the offset it begins with:

# %% covers="retention-by-file"
for name, size in cluster.log_dir(101).segments("lab02-shelf", 0):
    print(name, size, "bytes")

# %% [markdown] covers="retention-by-file"
# A file, in Kafka's word a **segment**, goes as a whole, and only when its *newest* record is too old. New
# records go into the last file. Kafka begins another one when a record comes whose timestamp is more than
# `segment.ms` after that of the file's first record, or when the file would outgrow `segment.bytes`.
# With the defaults, a week and 1 GiB, a file of a slow topic holds a week of records, and its first
# one gets almost two weeks old. To see days go one by one, this topic has a file for each.
#
# A week is a setting. Three days are enough for a shelf:

# %% covers="retention-configurable log-start-moves"
admin.alter_configs([ConfigResource("TOPIC", "lab02-shelf", {"retention.ms": str(3 * DAY)})])

seen = cluster.wait_for(
    lambda s: s.topic("lab02-shelf").partitions[0].start > 3,
    90,
    "what is older than 3 days to be deleted",
)
then = seen.topic("lab02-shelf").partitions[0]
print(f"log start {then.start}, log end {then.end}, there: {then.end - then.start}")
# <output>
# log start 7, log end 10, there: 3
# </output>

# %% [markdown] covers="delete-records retention-too-many"
# There are two more ways to lose the beginning of a log. `retention.bytes` bounds how large a partition
# may grow, whatever its age. And the request `DeleteRecords`, which you have met: it waits for nobody,
# and heeds no file.

# %% covers="delete-records log-start-moves"
admin.delete_records({TopicPartition("lab02-shelf", 0): 8})

then = cluster.snapshot().topic("lab02-shelf").partitions[0]
first_file = cluster.log_dir(then.leader).segments("lab02-shelf", 0)[0][0]
print(f"log start {then.start}, in a file that begins at {int(first_file.removesuffix('.log'))}")
# <output>
# log start 8, in a file that begins at 7
# </output>

# %% [markdown] covers="offsets-never-again"
# Eight of ten are gone. Which offset will the next scan get?

# %% covers="offsets-never-again append-only"
receipt = producer.send("lab02-shelf", key=b"day 10", value=b"charged again").get(timeout=60)
print("offset", receipt.offset)
# <output>
# offset 10
# </output>

# %% picture="log-start" covers="log-start-moves"
LogMoment(cluster, shelf)

# %% [markdown] covers="offsets-never-again"
# Offsets only grow. What is deleted leaves no free numbers behind, and if you want a lost record back,
# you send it again, and it gets a new one.
#
# {{exercise 02.3}}


# %% exercise="02.3" covers="log-start-moves offset-only-with-partition"
def how_many(bootstrap_servers, topic):
    # <solution>
    consumer = KafkaConsumer(bootstrap_servers=bootstrap_servers)
    places = [TopicPartition(topic, p) for p in consumer.partitions_for_topic(topic)]
    begin, end = consumer.beginning_offsets(places), consumer.end_offsets(places)
    consumer.close()
    return sum(end[place] - begin[place] for place in places)
    # </solution>


q3.check(how_many)

# %% [markdown]
# {{exercise 02.4}}

# %% exercise="02.4" covers="retention-configurable retention-by-file"
# <solution blank="name = ...">
name = "lab02-hourly"
hour = 3_600_000
cluster.create_topic(name, partitions=1, settings={"retention.ms": hour, "segment.ms": hour // 2})
# </solution>
q4.check(name)

# %% [markdown] covers="partitions-changed-later partitions-unlimited"
# ## 8 · As many partitions as you like?
#
# Three partitions were a guess. Before Christmas you want six, and in January three again.

# %%
six_and_back = Prediction(
    "Which of the two does Kafka do?",
    ["both", "3 to 6, but not 6 to 3", "neither: the number is fixed when the topic is made"],
)
six_and_back

# %% covers="partitions-changed-later"
done = []
try:
    admin.create_partitions({"lab02-scans": 6})
    done.append(6)
    cluster.tool("kafka-topics", "--alter", "--topic", "lab02-scans", "--partitions", "3")
    done.append(3)
except ToolFailed as no:
    print(no.seen)
LogMoment(cluster, log)

# %% covers="partitions-changed-later"
partitions = cluster.snapshot().topic("lab02-scans").partitions
print({p.partition: p.end for p in partitions})
# <output>
# {0: 15, 1: 5, 2: 11, 3: 0, 4: 0, 5: 0}
# </output>

# %% covers="partitions-changed-later"
outcomes = {(6, 3): "both", (6,): "3 to 6, but not 6 to 3"}
six_and_back.compare(
    outcomes.get(tuple(done), "neither: the number is fixed when the topic is made")
)

# %% [markdown] covers="partitions-changed-later partitions-unlimited"
# More is possible, less is not: what should become of the records in partitions 3, 4 and 5? And the new
# ones are empty. Nothing moves, although from now on the same key may choose another partition (lab 04).
#
# Kafka names no largest number. "Unlimited" is still the wrong word, because every partition costs
# something on every broker that has a copy of it. Take thirty, each kept three times:

# %%
copies = Prediction.number(
    "30 partitions, replication factor 3. How many folders with files of their own does that make "
    "on the brokers' disks, all together?",
    unit="folders",
)
copies

# %% covers="partitions-unlimited"
began = time.monotonic()
cluster.create_topic("lab02-thirty", partitions=30, replication=3)
print(f"created in {time.monotonic() - began:.1f} s, and not one record in it")

# %% covers="partitions-unlimited"
folders = sum(
    bool(cluster.log_dir(broker.id).segments("lab02-thirty", partition))
    for broker in cluster.snapshot().brokers
    for partition in range(30)
)
copies.compare(folders, "Counted on the disks of the brokers.")

# %% [markdown] covers="partitions-unlimited"
# 90 folders with three or four open files each, and the hundred partitions of many examples would make
# 300. When a broker dies, each partition that it *led* needs a new leader; each follower fetches, each
# client asks for all. Brokers bear some thousands of them well. A topic wants as many as it will ever have
# readers side by side, and some to spare.
#
# One way to get fewer is left: delete the topic and make it again. Let us see what that does to an
# address that somebody has written down.

# %% covers="deleted-and-made-again"
noted = ("lab02-anything", 0, 2)  # the picture

cluster.delete_topic("lab02-anything")
cluster.create_topic("lab02-anything", partitions=1, replication=3)
receipt = producer.send("lab02-anything", value=b"the first of a new life").get(timeout=60)
print("offset", receipt.offset)
# <output>
# offset 0
# </output>

# %% covers="deleted-and-made-again"
topic, partition, offset = noted
place = TopicPartition(topic, partition)
strict = KafkaConsumer(
    bootstrap_servers=cluster.bootstrap_servers,
    auto_offset_reset="none",
    consumer_timeout_ms=10_000,
)
strict.assign([place])
strict.seek(place, offset)
try:
    print(next(strict, None))
except OffsetOutOfRangeError as no:
    print(no)
strict.close()
# <output>
# [Error 1] OffsetOutOfRangeError: {TopicPartition(topic='lab02-anything', partition=0): 2}
# </output>

# %% [markdown] covers="deleted-and-made-again"
# The same name, and another log: it counts from 0 again. Offset 2 is out of its range, for now; when
# two more records have come, the old note will point to one of them, and *no error will tell*. An offset
# means something with its partition, in its topic, in this life of the topic.

# %% [markdown] part="finale" covers="slept-too-long"
# ## 9 · The reader who slept too long
#
# Every night a program reads the scans and writes the invoices. On the first night it reads two
# records and notes its place with Kafka: it *commits* offset 2. Then the machine it runs on is switched
# off, and nobody notices.
#
# The topic keeps its records for ever (`retention.ms=-1`). It matters who knows that.

# %% covers="slept-too-long"
cluster.create_topic(
    "lab02-nights",
    partitions=1,
    replication=3,
    settings={"retention.ms": "-1", "segment.ms": str(DAY // 2)},
)
night = TopicPartition("lab02-nights", 0)
ledger = Ledger()


def send(scan, age):
    ledger.sent(scan)
    made = int(time.time() * 1000 - age * DAY)
    record = {"key": scan.encode(), "value": scan.encode(), "timestamp_ms": made}
    producer.send("lab02-nights", **record).get(timeout=60)
    ledger.acknowledged(scan)


for number in range(1, 11):
    send(f"N{number:02}", age=13.5 - number)

# %% [markdown]
# The reader. What it does when its place is gone is not said here, so the client's default holds.


# %% covers="slept-too-long"
def invoices(most=None, commit=False, **settings):
    """Read on where the group left off: to the end, or so many records. Values by their place."""
    consumer = KafkaConsumer(
        bootstrap_servers=cluster.bootstrap_servers,
        group_id="lab02-invoices",
        enable_auto_commit=False,
        **settings,
    )
    read = {}
    try:
        consumer.assign([night])
        end = most or consumer.end_offsets([night])[night]
        while consumer.position(night) < end:
            for records in consumer.poll(timeout_ms=500, max_records=most).values():
                read |= {(r.partition, r.offset): r.value.decode() for r in records}
        if commit:
            consumer.commit()
    finally:
        consumer.close()
    return read


# %% covers="slept-too-long"
first_night = invoices(most=2, commit=True, auto_offset_reset="earliest")
ledger.seen_many(first_night.values(), first_night.keys())
print(list(first_night.values()), "invoiced; then the lights go out")
# <output>
# ['N01', 'N02'] invoiced; then the lights go out
# </output>

# %%
nights = LogView(cluster, "lab02-nights")
nights

# %% [markdown] covers="slept-too-long"
# There the group stands, at offset 2. Ten days later somebody tidies up. A topic that keeps everything?
# Let it keep a week, like all others.

# %% covers="slept-too-long log-start-moves"
admin.alter_configs([ConfigResource("TOPIC", "lab02-nights", {"retention.ms": str(7 * DAY)})])
seen = cluster.wait_for(
    lambda s: s.topic("lab02-nights").partitions[0].start > 0,
    90,
    "what is older than a week to be deleted",
)
then = seen.topic("lab02-nights").partitions[0]
print(f"log start {then.start}, log end {then.end}; the reader will ask for offset 2")
# <output>
# log start 6, log end 10; the reader will ask for offset 2
# </output>

# %% picture="out-of-range" covers="slept-too-long"
LogMoment(cluster, nights)

# %%
wakes = Prediction(
    "The machine is switched on again. What does the reader get, with the client's default settings?",
    [
        "an error: its place is gone",
        "N07, the oldest scan that is still there",
        "nothing: it goes to the end and waits",
    ],
)
wakes

# %% covers="slept-too-long offset-reset"
try:
    got = list(invoices().values())
    outcome = (
        "N07, the oldest scan that is still there"
        if got
        else "nothing: it goes to the end and waits"
    )
except OffsetOutOfRangeError:
    outcome = "an error: its place is gone"
wakes.compare(outcome)

# %% [markdown] covers="slept-too-long offset-reset"
# No error, no warning, no records. Four scans were eaten, four more are still there and were skipped, and
# from tomorrow on all looks well. What a consumer does whose place is gone is a setting,
# `auto_offset_reset`, and its default is `latest`. All three, from the same committed offset:

# %% covers="slept-too-long offset-reset"
for reset in ("latest", "earliest", "none"):
    try:
        print(f"{reset:9}", list(invoices(auto_offset_reset=reset).values()))
    except OffsetOutOfRangeError as no:
        print(f"{reset:9}", no)
# <output>
# latest    []
# earliest  ['N07', 'N08', 'N09', 'N10']
# none      [Error 1] OffsetOutOfRangeError: {TopicPartition(topic='lab02-nights', partition=0): 2}
# </output>

# %% [markdown] covers="offset-reset"
# `latest` is for who only wants news, such as a dashboard. `earliest` takes what is left. `none` stops
# and tells, which is what a program that writes invoices should do. Then a person decides: take what
# is left, and count what is missing.

# %% picture="lost" covers="slept-too-long"
left = invoices(commit=True, auto_offset_reset="earliest")
ledger.seen_many(left.values(), left.keys())
LedgerView.of(ledger.result())

# %% covers="slept-too-long"
print("acknowledged and never read:", ledger.result().lost_ids)
# <output>
# acknowledged and never read: ('N03', 'N04', 'N05', 'N06')
# </output>

# %% [markdown] covers="slept-too-long offsets-never-again"
# Nothing brings these four back out of Kafka. But the scanners still have them, and know by the ids which
# ones. They send them again; the reader goes on from what it has committed.

# %% covers="slept-too-long offsets-never-again append-only"
for scan in ledger.result().lost_ids:
    send(scan, age=0)

sent_again = invoices(commit=True, auto_offset_reset="none")
ledger.seen_many(sent_again.values(), sent_again.keys())
for (partition, offset), scan in sent_again.items():
    print(f"partition {partition}, offset {offset}: {scan}")
print("lost:", ledger.result().lost)
# <output>
# partition 0, offset 10: N03
# partition 0, offset 11: N04
# partition 0, offset 12: N05
# partition 0, offset 13: N06
# lost: 0
# </output>

# %% [markdown] covers="slept-too-long"
# **Healed**, with luck. Next time it is better to know before: the distance between a group's committed
# offset and the *log start* is how much may still be eaten before something is lost. And retention is not
# housekeeping. It is a promise to every reader: so long may you sleep.
#
# ## Your points

# %%
print(lab.score())
# <output>
# ✓ 02.1 One record, by its place: right
# ✓ 02.2 The newest of each partition: right
# ✓ 02.3 How many are there?: right
# ✓ 02.4 An hour at least, two at most: right
# 10 of 10 points
# </output>

# %% tags=["progress"]
lab.progress()

# %% [markdown]
# ## Clean up
#
# Removes the topics and the group of this lab. The cluster stays, for the next one.

# %% tags=["clean-up"]
producer.close()
admin.close()
lab.tidy()
print("tidy")
# <output>
# tidy
# </output>

# %% [markdown]
# **The words you own now.** A *topic* is a named stream of records, cut into *partitions*. An *offset*
# is a place in one partition; it begins at 0, grows, and is never given twice. *Retention* moves the
# *log start*, file by file; the *log end* is where the next record goes. A reader has a *position*, and
# `auto_offset_reset` says what becomes of it when its place is gone.
#
# Where next? [03 · Messages](03_messages.ipynb): what is in a record, to the byte.
