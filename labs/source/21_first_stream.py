# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---

# %% [markdown]
# # 21 · First stream: where does every single record end up?
#
# A thousand trucks drive through Europe. Every 20 seconds each one reports where it is. You want
# them on a map, live. That would be an afternoon's work, if every report were well formed, came
# once, and came on time.
#
# None of that is so. A firmware update sends half a report. A tunnel holds one back for a minute.
# A radio sends one twice, to be safe. So the question of this lab is not how to read a topic. It
# is: **where does every single record end up?**
#
# | | |
# |---|---|
# | **You will** | publish a fleet with trouble in it, sort the trouble out, kill a broker below |
# | **You learn** | a topic as a stream, schemas and their breaches, dead letters, event time |
# | **You need** | 35 minutes, 2 GB of free memory, lab 00, a DataFrame seen before |
#
# The set-up takes half a minute: Spark is a big engine to start.

# %% tags=["set-up"] jupyter={"source_hidden": true}
# Set-up: takes the running cluster or starts one, removes what was left, makes topics, starts Spark.
import json
from collections import Counter

from kafka import KafkaProducer
from pyspark.sql import functions as sf

import kafkalab
from kafkalab import Fleet, Ledger, Publisher, StreamView, TruckMap
from kafkalab.exercises.lab import Lab
from kafkalab.exercises.predict.prediction import Prediction
from kafkalab.exercises.topics import read_all
from kafkalab.streams import jobs, run, sinks
from kafkalab.streams.jobs import TRUCK
from kafkalab.waiting import wait_until

run.stop_all()  # streams of an earlier run read topics that are about to go
lab = Lab("21")
cluster = lab.cluster
q1, q2, q3 = lab.exercises
cluster.create_topic("lab21-trucks_gps", partitions=10, replication=3)
cluster.create_topic("lab21-trucks_gps.bad", partitions=1, replication=3)
spark = kafkalab.spark()
cluster

# %% [markdown]
# ## 1 · A minute of the fleet
#
# The fleet is a simulation, and always the same one, so that you and everybody else see the same
# trucks. What happens to its records from here on is real.

# %%
rate = Prediction.number(
    "1000 trucks, a report every 20 seconds. How many reports are there in a minute?",
    unit="reports",
)
rate

# %%
fleet = Fleet(trucks=1000)
minute = list(fleet.reports(0, 60))
print(len(minute), "reports, the first of them by truck", minute[0].truck_id)
# <output>
# 3000 reports, the first of them by truck T0190
# </output>

# %%
rate.compare(len(minute))

# %% [markdown]
# Three each, 50 a second: for Kafka, next to nothing. One broker takes a thousand times that.
#
# This is what a truck says, byte for byte:

# %%
minute[0].value

# %% [markdown]
# The truck's id is also the record's **key**, so all reports of a truck go to the same partition,
# in order.
#
# Now the trouble. Four records that are broken, each in its own way; three reports held back in a
# tunnel; five that the radio sends twice. A **ledger** keeps book by record id: what was sent,
# and what Kafka acknowledged.

# %%
sample = json.loads(minute[500].value)
broken = [
    b"GPS FIX LOST",  # no JSON at all
    json.dumps({"record_id": "X-1", "truck_id": sample["truck_id"]}).encode(),  # half a report
    json.dumps(
        sample | {"record_id": "X-2", "latitude": 948.2}
    ).encode(),  # a place that is nowhere
    json.dumps(
        sample | {"record_id": "X-3", "speed_kmh": "fast"}
    ).encode(),  # text where a number belongs
]
held_back = minute[:3]
sent_twice = minute[100:105]

# %%
ledger = Ledger()
producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all", linger_ms=20)


def send(report):
    ledger.sent(report.record_id)
    receipt = producer.send("lab21-trucks_gps", key=report.key, value=report.value)
    receipt.add_callback(lambda _: ledger.acknowledged(report.record_id))
    return receipt


under_way = [send(report) for report in minute if report not in held_back]
under_way += [
    producer.send("lab21-trucks_gps", key=sample["truck_id"].encode(), value=value)
    for value in broken
]
for receipt in under_way:
    receipt.get(timeout=60)
print(len(under_way), "acknowledged")
# <output>
# 3001 acknowledged
# </output>

# %% [markdown]
# ## 2 · What Spark gets
#
# Spark can read a topic in two ways: as a **table**, what is there now, once; or as a **stream**,
# what is there and what will come. Begin with the table: it holds still while you look at it.

# %%
raw = jobs.read_trucks(spark, cluster.bootstrap_servers, "lab21-trucks_gps", stream=False)

# %% covers="bytes-and-schema"
kind = Prediction(
    "What type has the column value?", ["a struct with latitude, longitude…", "string", "binary"]
)
kind

# %% covers="bytes-and-schema"
raw.printSchema()
# <output>
# root
#  |-- key: binary (nullable = true)
#  |-- value: binary (nullable = true)
#  |-- topic: string (nullable = true)
#  |-- partition: integer (nullable = true)
#  |-- offset: long (nullable = true)
#  |-- timestamp: timestamp (nullable = true)
#  |-- timestampType: integer (nullable = true)
#
# </output>

# %% covers="bytes-and-schema"
kind.compare(raw.schema["value"].dataType.typeName())

# %% [markdown] covers="bytes-and-schema"
# Kafka carries bytes and knows nothing of trucks, so Spark cannot either. Whatever the topic,
# these are the columns; the option `includeHeaders` adds one more, `headers`.
#
# So it is for you to say what the bytes mean. You need a **schema**, and a function that applies
# it:

# %% covers="bytes-and-schema"
naive = raw.select(sf.from_json(sf.col("value").cast("string"), TRUCK).alias("said")).select(
    "said.*"
)
naive.printSchema()
# <output>
# root
#  |-- record_id: string (nullable = true)
#  |-- truck_id: string (nullable = true)
#  |-- time: long (nullable = true)
#  |-- latitude: double (nullable = true)
#  |-- longitude: double (nullable = true)
#  |-- speed_kmh: double (nullable = true)
#  |-- heading_deg: double (nullable = true)
#
# </output>

# %% covers="malformed-is-silent"
nonsense = Prediction(
    "Four of the 3001 records are broken. What does from_json make of them?",
    ["an error that stops the job", "nothing: they are left out", "rows with holes in them"],
)
nonsense

# %% covers="malformed-is-silent"
gaps = sf.expr("truck_id is null or latitude is null or speed_kmh is null")
rows, holes = naive.agg(sf.count("*"), sf.count_if(gaps)).first()
nonsense.compare(
    "rows with holes in them" if rows == len(under_way) and holes else "nothing: they are left out",
    f"{rows} rows came out, and {holes} of them have holes.",
)

# %% [markdown] covers="malformed-is-silent bad-is-kept"
# No error, no warning. An average speed would quietly be one of fewer trucks. And one of the four
# has no hole at all: the truck at latitude 948.2 went through as if all were well.
#
# That is the trap of this lab: **a parser that never fails hides what failed.** `jobs.parse`
# applies the same schema, and keeps every record, good or bad, with a `reason` for the bad ones
# and its place in the log. Nothing is thrown away that somebody may need to look at.

# %% covers="bad-is-kept"
parsed = jobs.parse(raw)
for row in sorted(jobs.bad_records(parsed).collect(), key=lambda row: row.reason):
    print(f"{row.reason:38} {bytes(row.value)[:30]}")
# <output>
# latitude is outside -90 to 90          b'{"record_id": "X-2", "truck_id'
# speed_kmh is not a number              b'{"record_id": "X-3", "truck_id'
# the value is not JSON                  b'GPS FIX LOST'
# time is missing                        b'{"record_id": "X-1", "truck_id'
# </output>

# %% [markdown]
# ### Your turn
#
# Answers go where the `...` is; the cell below each one checks. A wrong one is told why, and you
# may ask for a hint: `q1.hint()`.
#
# {{exercise 21.1}}

# %% exercise="21.1" covers="bad-is-kept"
# <solution blank="bad = ...">
everything = jobs.read_trucks(spark, cluster.bootstrap_servers, "lab21-trucks_gps", stream=False)
bad = jobs.bad_records(jobs.parse(everything)).count()
# </solution>
q1.check(bad)

# %% [markdown] covers="stream-from-kafka dead-letters same-code"
# ## 3 · Let it flow
#
# Now the same as a stream. `jobs.parse` does not change by a letter: a streaming DataFrame is a
# plan like any other, it just never says "that was all". Three streams start, and each gives
# records their place:
#
# - **bad ones** go to a topic of their own, `lab21-trucks_gps.bad`: the *dead letters*, reason in the headers;
# - **good ones** are counted in the ledger, by record id and by their place in the log;
# - **the newest position of each truck** goes on the map.

# %% covers="stream-from-kafka dead-letters" picture="map"
reports = jobs.parse(jobs.read_trucks(spark, cluster.bootstrap_servers, "lab21-trucks_gps"))
truck_map = TruckMap(title="The fleet, coloured by partition")

letters = sinks.dead_letters(
    jobs.bad_records(reports), cluster.bootstrap_servers, "lab21-trucks_gps.bad"
)
counted = sinks.to_ledger(jobs.good_records(reports), ledger)
positions = sinks.to_map(jobs.latest_position(reports), truck_map)
positions.catch_up(120)
truck_map

# %% [markdown]
# A thousand trucks, each where its newest report says, in the colour and shape of its partition.
# Zoom in; click one, and it tells where it is and how fast it goes.

# %% covers="stream-from-kafka"
for stream in (letters, counted):
    stream.catch_up(120)
micro_batches = StreamView(positions)
micro_batches

# %% [markdown]
# A stream shows how it is doing, batch by batch. **Behind** is the number to watch: records that
# are in the topic and not yet in the stream. **State** is what it must remember to do its work:
# one row for each truck, a thousand in all.
#
# The dead letters are in Kafka by now, where anybody can read them, Spark or not:

# %% covers="dead-letters stream-from-kafka"
letters_there = read_all(cluster.bootstrap_servers, "lab21-trucks_gps.bad")
for reason in sorted(dict(letter.headers)["reason"].decode() for letter in letters_there):
    print(reason)
# <output>
# latitude is outside -90 to 90
# speed_kmh is not a number
# the value is not JSON
# time is missing
# </output>

# %% [markdown]
# ### Your turn
#
# {{exercise 21.2}}


# %% exercise="21.2" covers="same-code"
def speeding(good, limit):
    # <solution>
    return good.where(good.speed_kmh > limit).select("truck_id", "record_id", "speed_kmh")
    # </solution>


q2.check(speeding)

# %% [markdown] covers="late-in-place"
# ## 4 · Late
#
# Three reports are still in the tunnel. Their trucks have reported twice since. Now they come
# out.

# %%
late_truck = held_back[0].truck_id
print(f"{late_truck} has been in the tunnel")
# <output>
# T0190 has been in the tunnel
# </output>

# %% covers="late-in-place"
tunnel = Prediction(
    f"The first report of {late_truck} arrives last. Where does the map show {late_truck} then?",
    ["where the late report says", "where its newest report says"],
)
tunnel

# %% covers="late-in-place"
for receipt in [send(report) for report in held_back]:
    receipt.get(timeout=60)
for stream in (counted, positions):
    stream.catch_up(120)

newest = jobs.latest_position(
    jobs.parse(jobs.read_trucks(spark, cluster.bootstrap_servers, "lab21-trucks_gps", stream=False))
)
shown = newest.where(newest.truck_id == late_truck).first()
late = shown.record_id == held_back[0].record_id
tunnel.compare(
    "where the late report says" if late else "where its newest report says",
    f"It shows {shown.record_id}.",
)

# %% [markdown] covers="late-in-place"
# A record has two times: when the truck measured (*event time*, the column `time`, which is in the
# record's value) and the `timestamp` that Kafka keeps with it. That one is by default the
# producer's clock when it sent the record (`CreateTime`); a topic can take the broker's clock
# instead (`LogAppendTime`). `latest_position` goes by event time. Had it taken whatever came last,
# the truck would have jumped back by a minute.
#
# The late ones are not lost: they are good records, in the log and in the ledger. They are just
# not *news*.

# %% [markdown]
# ### Your turn
#
# {{exercise 21.3}}


# %% exercise="21.3" covers="late-in-place"
def newest_of_each(good):
    # <solution>
    return good.groupBy("truck_id").agg(sf.max_by("record_id", "time").alias("record_id"))
    # </solution>


q3.check(newest_of_each)

# %% [markdown]
# ## 5 · Twice
#
# The radio of five trucks does not trust itself, and sends what it has sent before.

# %% covers="twice-is-known"
double = Prediction(
    "3000 reports were made, and five were sent twice. How many good records does the stream count?",
    [2995, 3000, 3005],
)
double

# %%
for receipt in [send(report) for report in sent_twice]:
    receipt.get(timeout=60)
counted.catch_up(120)

# %% covers="twice-is-known"
table = jobs.parse(
    jobs.read_trucks(spark, cluster.bootstrap_servers, "lab21-trucks_gps", stream=False)
)
double.compare(jobs.good_records(table).count())

# %% [markdown] covers="twice-is-known"
# To Kafka, a record is whatever it was given, and it was given five of them twice. Nothing in
# between looks at ids, unless you do.
#
# The ledger looks at ids. It counts how many *different* ones were seen, and knows by their
# offsets which ones lie in the log twice:

# %% covers="twice-is-known"
result = ledger.result()
print(f"sent {result.sent}, seen {result.seen}, lost {result.lost}, duplicated {result.duplicated}")
print(set(result.duplicated_ids) == {report.record_id for report in sent_twice})
# <output>
# sent 3000, seen 3000, lost 0, duplicated 5
# True
# </output>

# %% [markdown]
# A stream can do so as well. It has to remember ids to tell a copy from news, and nobody can
# remember all ids for ever. So it is told for how long: copies that are less than an hour apart,
# in event time, are found. The price: this stream has a *watermark*, an hour behind the newest
# event time, and drops every record that is later than that, copy or not. (Lab 23.)

# %% covers="twice-is-known"
once_each = Counter()
unique = jobs.without_duplicates(reports, within="1 hour")


def count(rows, batch):
    once_each.update(row.record_id for row in rows)


sinks.each_batch(unique, count, "once each", once=True).wait(180)
print(len(once_each), "records, none more than", max(once_each.values()), "time")
# <output>
# 3000 records, none more than 1 time
# </output>

# %% [markdown]
# Every record has its place now. Bad ones are dead letters. Late ones are history (none was an
# hour late, so the watermark dropped nothing). Copies are known as copies.

# %% [markdown] part="finale"
# ## 6 · Kill a broker under it
#
# So far the fleet was a recording. Now it drives, ten times as fast as the clock: 500 records a
# second. Keep the map in sight (right-click it, *Create New View for Output*).

# %%
publisher = Publisher(
    cluster.bootstrap_servers,
    fleet,
    "lab21-trucks_gps",
    lapse=10,
    since=60,
    on_sent=lambda report: ledger.sent(report.record_id),
    on_acknowledged=lambda report, partition, offset: ledger.acknowledged(report.record_id),
).start()
wait_until(
    lambda: publisher.stats().acknowledged > 2000, 120, "two thousand reports to be acknowledged"
)
truck_map

# %% covers="nothing-lost"
loss = Prediction(
    "Broker 102 is killed while all this is running. How many acknowledged records are lost?",
    ["none", "those on their way to 102", "everything in the partitions 102 leads"],
)
loss

# %% picture="cluster"
picture = cluster.view()
picture

# %% [markdown]
# Press **kill** on 102 in the picture, and keep an eye on both: the crowns move to other brokers,
# and the trucks stand still for some seconds, then catch up. The next cell kills 102 if you have
# not, lets three thousand more records through without it, and brings it back.

# %% covers="nothing-lost"
before = publisher.stats().acknowledged
if cluster.broker(102).state == "running":
    cluster.broker(102).kill()
wait_until(
    lambda: publisher.stats().acknowledged > before + 3000,
    180,
    "three thousand reports more, without 102",
)

if cluster.broker(102).state == "stopped":
    cluster.broker(102).start()
cluster.wait_for(
    lambda s: not any(p.under_replicated for p in s.partitions()),
    90,
    "every copy to be in sync again",
)

stats = publisher.stop()
producer.close()
for stream in (letters, counted, positions):
    stream.catch_up(180)
stats

# %% [markdown]
# The stream that feeds the map, as its batches tell it. Look for the one that had to wait for a
# broker that was gone, and for the next, which took in what had piled up.

# %% picture="stream"
micro_batches

# %% covers="nothing-lost"
result = ledger.result()
loss.compare(
    "none" if result.lost == 0 else "those on their way to 102",
    f"{result.acknowledged:,} acknowledged, {result.seen:,} seen by Spark.",
)

# %% [markdown]
# What was on its way to 102 was not acknowledged, so the producer sent it again, to the new
# leader; and because it is idempotent, nothing was stored twice by that. What Spark was reading
# from 102 it asked the new leader for, from the offset it had reached.

# %% covers="nothing-lost" picture="ledger"
account = ledger.view(topic="lab21-trucks_gps")
account

# %% [markdown]
# Five duplicates, as before: the ones you made. Kafka and Spark added none.

# %% covers="nothing-lost"
print(
    f"lost {result.lost}, not acknowledged {result.unacknowledged}, duplicated {result.duplicated}"
)
# <output>
# lost 0, not acknowledged 0, duplicated 5
# </output>

# %% [markdown]
# ## Your points

# %%
print(lab.score())
# <output>
# ✓ 21.1 How many are bad?: right
# ✓ 21.2 Too fast: right
# ✓ 21.3 The newest of each: right
# 6 of 6 points
# </output>

# %% tags=["progress"]
lab.progress()

# %% [markdown]
# ## Clean up

# %% tags=["clean-up"]
run.stop_all()
spark.stop()
lab.tidy()
print("tidy")
# <output>
# tidy
# </output>

# %% [markdown]
# **What to take home.** A topic is bytes, and a schema is a claim about them: check it, and give
# what breaks it a place of its own. Order by event time, not by arrival. Count by id, or you do
# not know what you have. Then a broker may die and the map goes on.
