# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kafkalab:
#     title: How long a record stays
#     can: set how long records stay, grow a topic, and rescue a reader whose place is gone
#     after: ["02a"]
#     memory: 1 GB
#     seconds: 40
#     big: ["02b.4", "02b.6"]
#     teaches:
#     - kafka-configs --describe
#     - KafkaAdminClient.alter_configs
#     - KafkaAdminClient.delete_records
#     - KafkaAdminClient.create_partitions
#     - KafkaAdminClient.delete_topics
#     - KafkaConsumer.beginning_offsets
#     - KafkaConsumer.auto_offset_reset
#     - KafkaConsumer.commit
# ---

# %% [markdown]
# # 02b · How long a record stays: why is last week's answer gone?
#
# Jon found the violin. Now he has two more calls. A customer says that a scan is wrong: please
# correct it. And the accountant asks for the scans of last month. Jon knows their addresses. Can he
# help them? In this lab you see what you can change in a log, when its beginning disappears, and
# what that does to a reader that comes back late.
#
# | | |
# |---|---|
# | **You will** | try to change a record, watch old ones go, grow a topic, rescue a reader that slept too long |
# | **You learn** | append only, retention, segment, log start offset, what happens to a lost place |
# | **You need** | about {{minutes}} minutes, 1 GB of free memory, [lab 02a](02a_topics_partitions_offsets.ipynb) |

# %% tags=["set-up"] jupyter={"source_hidden": true}
# Set-up: takes your running cluster or starts one, and removes what an earlier run left.
import time

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.admin import ConfigResource
from kafka.errors import InvalidPartitionsError, OffsetOutOfRangeError

from kafkalab import Lab  # this lab, on your cluster
from kafkalab import LogView  # draws the records of a topic
from kafkalab import Prediction  # asks for your guess
from kafkalab import read_all  # the loop of lab 02a: every record that is in a topic now

lab = Lab("02b")
cluster = lab.cluster
q1, q2, q3, q4, q5, q6 = lab.exercises
DAY = 86_400_000  # milliseconds
cluster

# %% [markdown] covers="immutable append-only"
# ## 1 · Correct a mistake
#
# Mara scanned a kettle by mistake. She hasn't picked it up, but at offset 1 the topic says that she
# has:

# %% covers="append-only"
admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)
one_partition = {"num_partitions": 1, "replication_factor": 3}
admin.create_topics({"lab02b-scans": one_partition}, wait_for_metadata=True)
producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all")


def scan(parcel, text):
    receipt = producer.send("lab02b-scans", key=parcel, value=text).get(timeout=60)
    print(f"offset {receipt.offset}: {parcel.decode()} {text.decode()}")


scan(b"violin", b"picked up")
scan(b"kettle", b"picked up")
scan(b"anvil", b"picked up")
# <output>
# offset 0: violin picked up
# offset 1: kettle picked up
# offset 2: anvil picked up
# </output>

# %%
correct = Prediction(
    "You want offset 1 to tell the truth. Which request do you send to the broker?",
    [
        "one that writes a new value at offset 1",
        "two: delete offset 1, then insert at offset 1",
        "there is no such request",
    ],
)
correct

# %% [markdown]
# You can ask brokers which requests they understand. No client, in any language, can ask for more:

# %% covers="immutable"
requests = sorted(request.name for request in admin.api_versions())
print([name for name in requests if "Produce" in name or "Fetch" in name or "Record" in name])

# %% covers="immutable"
changing = [n for n in requests if n in ("UpdateRecords", "InsertRecords", "AlterRecords")]
correct.compare(
    "one that writes a new value at offset 1" if changing else "there is no such request",
    f"None of the {len(requests)} requests changes a record.",
)

# %% [markdown] covers="immutable append-only"
# `Produce` appends at the end, `Fetch` reads, and `DeleteRecords` cuts off everything *before* an
# offset, so it can't make a hole. (The others don't touch records.) That's why you correct a
# mistake like a bookkeeper: with another record, further down. Readers need to know that the later
# one counts.

# %% covers="immutable append-only"
scan(b"kettle", b"NOT picked up")
print([record.value.decode() for record in read_all(cluster.bootstrap_servers, "lab02b-scans")])
# <output>
# offset 3: kettle NOT picked up
# ['picked up', 'picked up', 'picked up', 'NOT picked up']
# </output>

# %% [markdown]
# {{exercise 02b.1}}


# %% exercise="02b.1" covers="append-only immutable"
def valid(records):
    # <solution>
    return dict(records)
    # </solution>


q1.check(valid)

# %% [markdown] covers="retention-week retention-configurable retention-too-many"
# ## 2 · A week
#
# Records stay after they're read, but not forever. Kafka's tool tells you what a topic is set to:

# %% covers="retention-week retention-configurable retention-too-many"
settings = cluster.tool(
    *("kafka-configs", "--describe", "--all"),
    *("--entity-type", "topics", "--entity-name", "lab02b-scans"),
)
for line in settings.splitlines():
    if line.strip().startswith(("retention.", "segment.bytes", "segment.ms")):
        print(line.split()[0])
# <output>
# retention.bytes=-1
# retention.ms=604800000
# segment.bytes=1073741824
# segment.ms=604800000
# </output>

# %% [markdown] covers="retention-week retention-too-many"
# 604,800,000 ms are a week, the default. There's no limit by size (-1), but `retention.bytes` can
# set one for each partition: old records go while the rest still has that many bytes.
#
# You can't wait for a week, but we have a scanner that fell behind a shelf. It's full of scans that
# it never sent, one a day, each with the time at which it was made. Now it sends them all.

# %%
found_again = Prediction.number(
    "Ten scans, from 9.5 days old to half a day old, arrive now. "
    "How many of them are in the topic a minute later?",
    unit="records",
)
found_again

# %% covers="retention-week"
half_days = {"segment.ms": str(DAY // 2)}  # you'll see in a moment what that is for
admin.create_topics({"lab02b-shelf": one_partition | {"configs": half_days}})
now = int(time.time() * 1000)
for day in range(10):
    made = now - int((9.5 - day) * DAY)
    text = b"scan of day %d" % day
    receipt = producer.send("lab02b-shelf", text, timestamp_ms=made).get(timeout=60)
print("acknowledged, up to offset", receipt.offset)
# <output>
# acknowledged, up to offset 9
# </output>

# %% [markdown]
# All ten are acknowledged. Brokers look for records that are too old every 10 seconds in your
# cluster, and every 5 minutes by default. This cell waits until they have looked:

# %% covers="log-start-moves"
place = TopicPartition("lab02b-shelf", 0)
consumer = KafkaConsumer(bootstrap_servers=cluster.bootstrap_servers)
cluster.wait_for(lambda s: s.topic("lab02b-shelf").partitions[0].start > 0, 90)
print(consumer.beginning_offsets([place])[place], consumer.end_offsets([place])[place])
# <output>
# 3 10
# </output>

# %% covers="retention-week log-start-moves"
partition = cluster.snapshot().topic("lab02b-shelf").partitions[0]
found_again.compare(
    partition.end - partition.start, "The scans of 9.5, 8.5 and 7.5 days are gone again."
)

# %% [markdown] covers="log-start-moves retention-by-file"
# Three records were acknowledged and disappeared a few seconds later. Nothing failed: that's what a
# week means. (It happens to people who load last year's data into Kafka.) The **log start offset**
# has moved to 3, and that's what `beginning_offsets` tells you.
#
# Kafka deletes **file by file**. A partition is a row of files on the broker's disk, the
# *segments*, and each is called after its first offset:

# %% covers="retention-by-file"
for name, size in cluster.log_dir(101).segments("lab02b-shelf", 0):
    print(name, size, "bytes")

# %% [markdown] covers="retention-by-file"
# A segment is deleted when its *newest* record is too old. New records go into the last one. The
# broker rolls to another when a record's time is more than `segment.ms` after the first one's time
# in that file, or when the file would outgrow `segment.bytes`. With the defaults, a slow topic has
# a week of records in a file, so its oldest record gets almost two weeks old. Half a day, as in our
# topic, gives each of the ten scans a file of its own.
#
# {{exercise 02b.2}}


# %% exercise="02b.2" covers="log-start-moves"
def how_many(bootstrap_servers, topic):
    # <solution>
    consumer = KafkaConsumer(bootstrap_servers=bootstrap_servers)
    places = [TopicPartition(topic, p) for p in consumer.partitions_for_topic(topic)]
    begin, end = consumer.beginning_offsets(places), consumer.end_offsets(places)
    consumer.close()
    return sum(end[place] - begin[place] for place in places)
    # </solution>


q2.check(how_many)

# %% [markdown]
# ## 3 · Sooner than a week
#
# For scans from behind a shelf, three days are enough. You can change that while the topic is in
# use. You can also delete records yourself, at once, up to an offset:

# %% covers="retention-configurable log-start-moves delete-records"
admin.alter_configs([ConfigResource("TOPIC", "lab02b-shelf", {"retention.ms": str(3 * DAY)})])
cluster.wait_for(lambda s: s.topic("lab02b-shelf").partitions[0].start > 3, 90)
print("after 3 days of retention:", consumer.beginning_offsets([place])[place])
admin.delete_records({place: 8})
print("after delete_records:", consumer.beginning_offsets([place])[place])
# <output>
# after 3 days of retention: 7
# after delete_records: 8
# </output>

# %%
again = Prediction(
    "The records at offsets 0 to 7 are deleted. Which offset does the next record get?",
    ["0", "8", "10"],
)
again

# %% covers="offsets-never-again append-only"
receipt = producer.send("lab02b-shelf", b"scan of day 10").get(timeout=60)

# %% covers="offsets-never-again append-only"
again.compare(str(receipt.offset), "Offsets only grow: they are never counted anew.")

# %% picture="log-start" covers="log-start-moves" shows="8 11 11 8:∅=scan of day 8"
LogView(cluster, "lab02b-shelf").moment()

# %% [markdown] covers="offsets-never-again"
# Find where the lane begins: offset 8, after the dashed places of what is deleted. A deleted record
# leaves no free number. If you want it back, you send it again, and it gets a new offset.
#
# {{exercise 02b.3}}

# %% exercise="02b.3" covers="retention-configurable"
# <solution blank="kept = ...">
admin.alter_configs([ConfigResource("TOPIC", "lab02b-scans", {"retention.ms": str(6 * 3_600_000)})])
kept = "lab02b-scans"
# </solution>
q3.check(kept)

# %% [markdown]
# {{exercise 02b.4}}

# %% exercise="02b.4" covers="retention-configurable retention-by-file"
# <solution blank="hourly = ...">
hour = 3_600_000
configs = {"retention.ms": str(hour), "segment.ms": str(hour // 2)}
admin.create_topics({"lab02b-hourly": one_partition | {"configs": configs}})
hourly = "lab02b-hourly"
# </solution>
q4.check(hourly)

# %% [markdown] covers="partitions-changed-later partitions-unlimited"
# ## 4 · As many partitions as you like?
#
# Before Christmas the company needs six partitions, and in January three again.

# %%
six_and_back = Prediction(
    "Which of the two does Kafka do?",
    ["both", "3 to 6, but not 6 to 3", "neither: you can't change the number"],
)
six_and_back

# %% covers="partitions-changed-later"
three = {"num_partitions": 3, "replication_factor": 3}
admin.create_topics({"lab02b-stops": three}, wait_for_metadata=True)
for n in range(9):
    producer.send("lab02b-stops", b"stop %d" % n, partition=n % 3).get(timeout=60)

for wanted in (6, 3):
    try:
        admin.create_partitions({"lab02b-stops": wanted})
    except InvalidPartitionsError:
        print("refused:", wanted)
# <output>
# refused: 3
# </output>

# %% covers="partitions-changed-later"
count = len(cluster.wait_for(lambda s: len(s.topic("lab02b-stops").partitions) != 3, 30, "more")
            .topic("lab02b-stops").partitions)  # fmt: skip
six_and_back.compare(
    {6: "3 to 6, but not 6 to 3", 3: "neither: you can't change the number"}.get(count, "both"),
    f"It has {count} partitions.",
)

# %% picture="six-lanes" covers="partitions-changed-later" shows="0 3 3 0:∅=stop 0 1:∅=stop 3 2:∅=stop 6 | P5"
LogView(cluster, "lab02b-stops").moment()

# %% [markdown] covers="partitions-changed-later partitions-unlimited"
# The new partitions are empty, because nothing moves. And there's no way back: where should the
# records of partitions 3, 4 and 5 go? So choose well. People say the number is unlimited, but each
# partition costs something on every broker that has a copy: a folder with three or four open files,
# for example. Let's count for a topic with 30 partitions and three copies:

# %% covers="partitions-unlimited"
admin.create_topics(
    {"lab02b-thirty": {"num_partitions": 30, "replication_factor": 3}}, wait_for_metadata=True
)


def folders(broker):
    return sum(bool(cluster.log_dir(broker).segments("lab02b-thirty", p)) for p in range(30))


cluster.wait_for(lambda s: all(folders(broker) >= 30 for broker in (101, 102, 103)), 30)
print([folders(broker) for broker in (101, 102, 103)])
# <output>
# [30, 30, 30]
# </output>

# %% [markdown] covers="partitions-unlimited"
# That's 90 folders and no record yet. When a broker dies, each partition that it *led* needs a new
# leader, too. Plan one partition for every consumer that will ever read in parallel, plus a few
# spare. And mind the keys: with another number of partitions, the next record of a key may go to
# another partition than those before (lab 04). If you want fewer, you must delete the topic, with
# all its records, and create it again:

# %% covers="deleted-and-made-again"
admin.delete_topics(["lab02b-stops"])
cluster.wait_for(lambda s: s.topic("lab02b-stops") is None, 30)
cluster.create_topic("lab02b-stops", partitions=3, replication=3)
print(producer.send("lab02b-stops", b"stop 9", partition=0).get(timeout=60).offset)
# <output>
# 0
# </output>

# %% [markdown] covers="deleted-and-made-again"
# It has the same name, but it's another log, and it counts from 0. An address that you noted before
# now points to nothing, and after some more records to the *wrong* record, without any error.
#
# {{exercise 02b.5}}

# %% exercise="02b.5" covers="partitions-changed-later"
# <solution blank="grown = ...">
admin.create_partitions({"lab02b-scans": 4})
grown = "lab02b-scans"
# </solution>
q5.check(grown)

# %% [markdown] part="finale" covers="slept-too-long"
# ## 5 · The reader that slept too long
#
# Every night, a program reads the scans and writes invoices. It *commits* its offset: Kafka keeps
# the note for it, under the name of its group. On the first night it read two records and committed
# offset 2. Then its machine was switched off, and no alarm went off. The topic keeps its
# records forever (`retention.ms=-1`). Here it is, with ten scans, and the program that reads it:

# %% covers="slept-too-long"
forever = {"retention.ms": "-1", "segment.ms": str(DAY // 2)}
admin.create_topics({"lab02b-nights": one_partition | {"configs": forever}})
night = TopicPartition("lab02b-nights", 0)


def send_scan(text, age):
    made = int(time.time() * 1000 - age * DAY)
    producer.send("lab02b-nights", text.encode(), timestamp_ms=made).get(timeout=60)


for number in range(1, 11):
    send_scan(f"N{number:02}", age=13.5 - number)


# %% covers="slept-too-long"
def invoices(until=None, **settings):
    consumer = KafkaConsumer(
        bootstrap_servers=cluster.bootstrap_servers, group_id="lab02b-invoices", **settings
    )
    consumer.assign([night])
    until = until or consumer.end_offsets([night])[night]
    read = []
    while consumer.position(night) < until:
        for records in consumer.poll(timeout_ms=500, max_records=2).values():
            read += [record.value.decode() for record in records]
    consumer.close(autocommit=False)
    return read


# %% [markdown]
# We note the place of the first night. Ten days later someone tidies up: why does this topic keep
# everything? A week should do.

# %% covers="slept-too-long log-start-moves"
sleeper = KafkaConsumer(bootstrap_servers=cluster.bootstrap_servers, group_id="lab02b-invoices")
sleeper.assign([night])
sleeper.seek(night, 2)
sleeper.commit()
sleeper.close()

admin.alter_configs([ConfigResource("TOPIC", "lab02b-nights", {"retention.ms": str(7 * DAY)})])
cluster.wait_for(lambda s: s.topic("lab02b-nights").partitions[0].start > 2, 90)
print(consumer.beginning_offsets([night])[night], consumer.end_offsets([night])[night])
# <output>
# 6 10
# </output>

# %%
wakes = Prediction(
    "The machine is on again, and the program asks for offset 2. The log has 6 to 9. "
    "What does it get, with the client's default settings?",
    [
        "an error: its place is gone",
        "N07, the oldest scan that is still there",
        "nothing: it goes to the end and waits",
    ],
)
wakes

# %% covers="slept-too-long offset-reset"
try:
    got = invoices()
except OffsetOutOfRangeError:
    got = None

# %% covers="slept-too-long offset-reset"
if got is None:
    outcome = "an error: its place is gone"
elif got:
    outcome = "N07, the oldest scan that is still there"
else:
    outcome = "nothing: it goes to the end and waits"
wakes.compare(outcome, f"It got {got}.")

# %% picture="out-of-range" covers="slept-too-long" shows="lab02b-invoices committed | 6 10 10 2 · lag 8 6:∅=N07"
LogView(cluster, "lab02b-nights").moment()

# %% [markdown] covers="slept-too-long offset-reset"
# No error, no warning, no records. Find the group's mark: it's at offset 2, where nothing is left.
# What a consumer does when its place is gone is a setting, `auto_offset_reset`. Let's try all
# three:

# %% covers="slept-too-long offset-reset"
for reset in ("latest", "earliest", "none"):
    try:
        print(reset, invoices(auto_offset_reset=reset))
    except OffsetOutOfRangeError as error:
        print(reset, type(error).__name__)
# <output>
# latest []
# earliest ['N07', 'N08', 'N09', 'N10']
# none OffsetOutOfRangeError
# </output>

# %% [markdown] covers="offset-reset"
# `latest`, the default, suits a reader that only needs new records, such as a dashboard. `earliest`
# takes what's left. `none` stops with an error, and that's best for a program that writes invoices,
# because then a person decides. That person is you: the drivers' scanners still have all ten scans,
# and `send_scan(text, age=0)` sends one again.
#
# {{exercise 02b.6}}

# %% exercise="02b.6" covers="slept-too-long offset-reset offsets-never-again"
# <solution blank="invoiced = ...">
for missing in ("N03", "N04", "N05", "N06"):
    send_scan(missing, age=0)
rescuer = KafkaConsumer(
    bootstrap_servers=cluster.bootstrap_servers,
    group_id="lab02b-invoices",
    auto_offset_reset="earliest",
)
rescuer.assign([night])
invoiced = []
while rescuer.position(night) < rescuer.end_offsets([night])[night]:
    for polled in rescuer.poll(timeout_ms=500).values():
        invoiced += [record.value.decode() for record in polled]
rescuer.commit()
rescuer.close()
# </solution>
q6.check(invoiced)

# %% [markdown] covers="slept-too-long"
# This time the scanners had a copy. Next time, watch the distance between a group's committed
# offset and the log start: it tells you how much can still be deleted before something is lost.
#
# **Why?** In one sentence: why is retention a promise to readers? Double-click here and write it
# down. It isn't graded.
#
# *My sentence:* …
#
# <details><summary>Ours</summary>Because it tells every reader how long it may be away without
# losing a record.</details>
#
# ## Your points

# %%
print(lab.score())
# <output>
# ✓ 02b.1 The later one counts: right
# ✓ 02b.2 How many are there?: right
# ✓ 02b.3 Six hours: right
# ✓ 02b.4 An hour at least, two at most: right
# ✓ 02b.5 One more lane: right
# ✓ 02b.6 Wake the reader: right
# 11 of 11 points
# </output>

# %% tags=["progress"]
lab.progress()

# %% [markdown]
# ## Clean up
#
# The next cell removes the topics and the group of this lab. Your cluster goes on for the next one.

# %% tags=["clean-up"]
for client in (producer, consumer, admin):
    client.close()
lab.tidy()
print("tidy")
# <output>
# tidy
# </output>

# %% [markdown]
# **You can now** set how long records stay, delete them up to an offset, give a topic more
# partitions, and rescue a group whose place is gone.
#
# **The words you own now:** *append only, retention, segment, log start offset, offset reset,
# committed offset*.
#
# **Where next?** [03a · Messages](03a_messages.ipynb): what is in a record, to the byte.
