# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kafkalab:
#     title: First stream
#     can: write a Spark stream in which every record has its place
#     after: ["02a", "03b"]
#     memory: 2 GB
#     seconds: 80
#     big: ["21.4", "21.5"]
#     teaches:
#     - spark.read
#     - spark.readStream
#     - sf.from_json
#     - judged.where
#     - good.withWatermark
#     - dropDuplicatesWithinWatermark
#     - good.writeStream
#     - foreachBatch
#     - option
#     - trigger
#     - outputMode
#     - query.processAllAvailable
#     - query.stop
# ---

# %% [markdown]
# # 21 · First stream: where does every single record end up?
#
# A thousand trucks drive through Europe, and every 20 seconds each one reports where it is. Aylin
# wants them on a map, live. That would be easy if every report were well formed, came once, and
# came on time. None of that is so: 2 in 100 are broken, a tunnel holds some back, and a radio sends
# some twice. So the question isn't how to read a topic, but **where every single record ends up**.
#
# | | |
# |---|---|
# | **You will** | write a stream with Spark's own API, stop and restart it, sort out bad records, kill a broker |
# | **You learn** | micro-batch, trigger, checkpoint, output mode, watermark, dead letters |
# | **You need** | about {{minutes}} minutes, 2 GB of free memory, [lab 03b](03b_schemas.ipynb), some knowledge of DataFrames |

# %% tags=["set-up"] jupyter={"source_hidden": true}
# Set-up: takes your running cluster or starts one, removes what an earlier run left, and starts Spark (30 s).
import inspect
import tempfile
import uuid

from pyspark.sql import functions as sf

import kafkalab.course.lab_21.trouble as trouble  # our trucks' records, good and bad
from kafkalab import Lab  # this lab, on your cluster
from kafkalab import Prediction  # asks for your guess
from kafkalab import StreamView  # draws a stream as it runs
from kafkalab import spark as start_spark  # a SparkSession that can read Kafka

spark = start_spark()
for left_over in spark.streams.active:
    left_over.stop()
lab = Lab("21")
cluster = lab.cluster
q1, q2, q3, q4, q5 = lab.exercises
scratch = tempfile.TemporaryDirectory(prefix="kafkalab-lab21-")
folder = scratch.name
cluster

# %% [markdown] covers="bytes-and-schema"
# ## 1 · What Spark gets
#
# A minute of our fleet goes to a topic: 2,997 good reports, and 60 bad records among them. First we
# read the topic as a *table*: each time you ask, Spark reads what is there at that moment, and
# stops. You tell Spark where the cluster is, which topic to read, and where to begin. (The last
# three options let it find a new leader within seconds when a broker dies. You'll need that in the
# finale.)

# %% covers="bytes-and-schema"
cluster.create_topic("lab21-trucks_gps", partitions=10, replication=3)
minute = trouble.Minute()
print(trouble.send(cluster, minute.first), "records sent")
kafka = {
    "kafka.bootstrap.servers": cluster.bootstrap_servers,
    "subscribe": "lab21-trucks_gps",
    "startingOffsets": "earliest",
    "kafka.default.api.timeout.ms": "5000",
    "kafka.request.timeout.ms": "4000",
    "fetchOffset.numRetries": "12",
}
table = spark.read.format("kafka").options(**kafka).load()
# <output>
# 3057 records sent
# </output>

# %% covers="bytes-and-schema"
kind = Prediction(
    "What type does the column value have?",
    ["a struct with latitude, longitude…", "string", "binary"],
)
kind

# %% covers="bytes-and-schema"
print(table.columns)
# <output>
# ['key', 'value', 'topic', 'partition', 'offset', 'timestamp', 'timestampType']
# </output>

# %% covers="bytes-and-schema"
kind.compare(table.schema["value"].dataType.typeName())

# %% [markdown] covers="bytes-and-schema"
# Kafka carries bytes, so Spark gets bytes, and these columns for any topic (the option
# `includeHeaders` adds `headers`). `timestamp` is the producer's clock by default, as you saw in
# lab 03a. You say what the bytes mean, with a **schema**:

# %% covers="bytes-and-schema"
schema = """record_id string, truck_id string, time long, latitude double, longitude double,
    speed_kmh double, heading_deg double, version int"""


def parse(raw):
    said = sf.from_json(sf.col("value").cast("string"), schema).alias("said")
    return raw.select("key", "value", "partition", "offset", said)


rows = parse(table)

# %% covers="malformed-is-silent"
nonsense = Prediction(
    "60 of the 3,057 records are bad. What does from_json make of them?",
    ["an error that stops the job", "nothing: they are left out", "rows like all others"],
)
nonsense

# %% covers="malformed-is-silent"
holes = sf.expr("said.record_id is null or said.latitude is null or said.speed_kmh is null")
count, with_holes = rows.agg(sf.count("*"), sf.count_if(holes)).first()

# %% covers="malformed-is-silent"
nonsense.compare(
    "rows like all others" if count == 3057 else "nothing: they are left out",
    f"{count} rows came out, and only {with_holes} of them have holes.",
)

# %% [markdown] covers="malformed-is-silent bad-is-kept"
# There's no error and no warning: a parser that never fails hides what failed. So we give each row
# a `reason`, which is null for a good one. `coalesce` takes the first that isn't null:


# %% covers="bad-is-kept"
def judge(rows):
    reason = sf.coalesce(
        sf.when(sf.col("key").isNull(), "no key"),
        sf.when(sf.col("said.version") != 1, "unknown version"),
        sf.when(holes, "not a whole report"),
        sf.when(~sf.col("said.truck_id").rlike("^T[0-9]{4}$"), "unknown truck"),
    )
    return rows.withColumn("reason", reason)


for row in judge(rows).groupBy("reason").count().orderBy("reason").collect():
    print(row["count"], row["reason"] or "good")
# <output>
# 2997 good
# 12 no key
# 24 not a whole report
# 12 unknown truck
# 12 unknown version
# </output>

# %% [markdown]
# {{exercise 21.1}}


# %% exercise="21.1" covers="same-code"
def speeding(good, limit):
    # <solution>
    return good.where(good.speed_kmh > limit).select("truck_id", "record_id", "speed_kmh")
    # </solution>


q1.check(speeding)

# %% [markdown] covers="stream-from-kafka same-code"
# ## 2 · Let it flow
#
# Now the same as a **stream**: `readStream` in place of `read`. Your functions don't change,
# because a DataFrame is a plan, and this plan just never says "that was all". Spark carries it out
# in **micro-batches**: it takes what's new in the topic, works on it as on a small table, and notes
# how far it is.

# %% covers="stream-from-kafka same-code"
stream = spark.readStream.format("kafka").options(**kafka).load()
judged = judge(parse(stream))
good = judged.where("reason is null").select("said.*", "partition")
good = good.withColumn("time", sf.timestamp_millis("time"))


def append(batch, number):
    batch.write.mode("append").parquet(f"{folder}/table")


# %% [markdown] covers="stream-from-kafka"
# That's the plan, and nothing has happened yet. `writeStream` starts it, and you choose four
# things:
#
# - `foreachBatch`: your function, which gets each micro-batch as an ordinary DataFrame;
# - a **trigger**: how often a batch begins, here every second if there's something new;
# - an **output mode**: which rows a batch hands on. *Append* means new rows only;
# - a **checkpoint**: a folder in which Spark notes which offsets it has read, for the last 100
#   batches.


# %% covers="stream-from-kafka"
def start(frame, name, each_batch, mode="append"):
    return (
        frame.writeStream.queryName(name)
        .foreachBatch(each_batch)
        .option("checkpointLocation", f"{folder}/{name}")
        .trigger(processingTime="1 second")
        .outputMode(mode)
        .start()
    )


query = start(good, "good", append)
query.processAllAvailable()  # wait until it has read what is there
print(spark.read.parquet(f"{folder}/table").count(), "rows in the table")
# <output>
# 2997 rows in the table
# </output>

# %% [markdown]
# You stop the query. While it's down, three trucks come out of a tunnel, and each sends a report
# that is a minute late. Then you start it again, with the same checkpoint and `startingOffsets:
# earliest`.

# %%
again = Prediction.number("How many records does the restarted query read?", unit="records")
again

# %% covers="stream-from-kafka late-in-place"
query.stop()
trouble.send(cluster, minute.late)
query = start(good, "good", append)
query.processAllAvailable()
read = sum(batch["numInputRows"] for batch in query.recentProgress)

# %% covers="stream-from-kafka late-in-place"
in_table = spark.read.parquet(f"{folder}/table").count()
again.compare(read, f"The table has {in_table} rows now.")

# %% [markdown] covers="stream-from-kafka late-in-place"
# `startingOffsets` counts only when there's no checkpoint yet. With one, the query goes on where it
# stopped. Late reports aren't lost: they're good records, just not *news*.
#
# {{exercise 21.2}}


# %% exercise="21.2" covers="late-in-place"
def newest_of_each(good):
    # <solution>
    return good.groupBy("truck_id").agg(sf.max_by("record_id", "time").alias("record_id"))
    # </solution>


q2.check(newest_of_each)

# %% [markdown] covers="twice-is-known"
# ## 3 · Twice, and much too late
#
# A radio doesn't trust itself and sends five reports again. Kafka keeps both copies. To find a
# copy, the stream must remember ids, and it can't remember all of them forever. So you give it a
# **watermark**. It stays 10 minutes behind the newest *event time*, which is the time in the report
# itself, not the time at which it arrived. The stream forgets ids that are older than the
# watermark.

# %% covers="twice-is-known"
once_each = good.withWatermark("time", "10 minutes").dropDuplicatesWithinWatermark(["record_id"])
ids = []


def note(batch, number):
    ids.extend(row.record_id for row in batch.select("record_id").collect())


unique = start(once_each, "once", note)
unique.processAllAvailable()
print(len(ids), "reports so far")
# <output>
# 3000 reports so far
# </output>

# %%
too_late = Prediction(
    "Now come five copies, and two reports that are an hour late. What does the stream hand on?",
    ["the two late reports", "all seven", "nothing"],
)
too_late

# %% covers="twice-is-known late-in-place"
trouble.send(cluster, minute.twice + minute.too_late)
unique.processAllAvailable()
spark_says = [batch["stateOperators"][0] for batch in unique.recentProgress]
dropped = sum(one["numRowsDroppedByWatermark"] for one in spark_says)
copies = sum(one["customMetrics"]["numDroppedDuplicateRows"] for one in spark_says)
unique.stop()

# %% covers="twice-is-known late-in-place"
handed = {2: "the two late reports", 7: "all seven"}.get(len(ids) - 3000, "nothing")
too_late.compare(handed, f"{dropped} rows were dropped because they came after the watermark.")

# %% [markdown] covers="twice-is-known dead-letters"
# That's the price of a watermark: a report may be 10 minutes late, but not more. Anything later is
# dropped, and only counted. So choose it for the lateness that you expect. The bad records are
# still nowhere. They go to a topic for dead letters, with the reason in a header, and Spark writes
# it:

# %% covers="dead-letters"
cluster.create_topic("lab21-trucks_gps.bad", partitions=1, replication=3)
reason = sf.struct(sf.lit("reason").alias("key"), sf.col("reason").cast("binary").alias("value"))
bad = judged.where("reason is not null").select("key", "value", sf.array(reason).alias("headers"))
letters = (
    bad.writeStream.format("kafka")
    .option("kafka.bootstrap.servers", cluster.bootstrap_servers)
    .option("topic", "lab21-trucks_gps.bad")
    .option("checkpointLocation", f"{folder}/bad")
    .trigger(availableNow=True)  # read what is there, in one or more batches, and end
    .start()
)
letters.awaitTermination()

# %% covers="dead-letters bad-is-kept twice-is-known"
there = kafka | {"subscribe": "lab21-trucks_gps.bad", "includeHeaders": "true"}
aside = spark.read.format("kafka").options(**there).load()
print(aside.count(), "dead letters, each with a header:", aside.first().headers[0].key)
print(table.count(), "records are in the topic of the trucks")  # it's read again
# <output>
# 60 dead letters, each with a header: reason
# 3067 records are in the topic of the trucks
# </output>

# %% picture="account" covers="dead-letters twice-is-known" shows="handed on: 3,000 | dead letters: 60 | copies: 5 | too late: 2"
places = {"handed on": len(ids), "dead letters": aside.count(), "too late": dropped}
trouble.account(places | {"copies": copies})

# %% [markdown] covers="dead-letters twice-is-known bad-is-kept"
# The four numbers make 3,067, so every record has its place. (Mind the axis: each step is ten times
# as many, so that you see the two beside the 3,000.)
#
# {{exercise 21.3}}


# %% exercise="21.3" covers="dead-letters"
def to_letters(bad):
    # <solution>
    header = sf.struct(
        sf.lit("reason").alias("key"), sf.col("reason").cast("binary").alias("value")
    )
    return bad.select("key", "value", sf.array(header).alias("headers"))
    # </solution>


q3.check(to_letters)

# %% [markdown] covers="same-code stream-from-kafka"
# ## 4 · On the map
#
# The map needs one row for each truck, its newest. Here the output mode is **update**: each batch
# hands on only the trucks that got a report. To do that, Spark remembers the newest row of all
# thousand trucks from batch to batch. That's its *state*, and it's in the checkpoint, too.

# %% covers="same-code stream-from-kafka"
# Spark compares structs by their first field, so the largest is the one with the newest time.
newest = sf.max(sf.struct("time", "latitude", "longitude", "partition", "speed_kmh")).alias("at")
positions = good.groupBy("truck_id").agg(newest).select("truck_id", "at.*")
fleet = trouble.fleet_map()


def draw(batch, number):
    rows = batch.drop("time").collect()
    if rows:
        fleet.update(*zip(*rows, strict=True))


shown = start(positions, "map", draw, mode="update")
shown.processAllAvailable()

# %% picture="map" covers="stream-from-kafka" shows="1000 trucks in 10 partitions"
fleet

# %% [markdown] covers="same-code"
# Zoom in and press a truck: its colour and the number on it say in which of the ten partitions its
# reports are. What you typed in this lab exists in `kafkalab.streams`, too, tidied up and with more
# reasons for bad records. Here's the source of one function:

# %% covers="same-code"
from kafkalab.streams import jobs  # the same, tidied up: parse, without_duplicates, latest_position

print(inspect.getsource(jobs.without_duplicates))

# %% [markdown]
# {{exercise 21.4}}


# %% exercise="21.4" covers="same-code late-in-place"
def moving(good):
    # <solution>
    newest = sf.max_by("speed_kmh", "time").alias("speed_kmh")
    return good.groupBy("truck_id").agg(newest).where("speed_kmh > 0")
    # </solution>


q4.check(moving)

# %% [markdown] part="finale" covers="nothing-lost"
# ## 5 · Kill a broker under it
#
# Now the trucks drive, ten times as fast as the clock: 500 records a second. Keep the map in sight
# (right-click it, *Create New View for Output*).

# %% covers="nothing-lost"
view = StreamView(shown)
driving = trouble.drive(cluster)
driving.wait_for(2000)  # until 2,000 more reports are acknowledged

# %% covers="nothing-lost"
loss = Prediction(
    "Broker 102 is killed while all this runs. How many acknowledged records are lost?",
    ["none", "those on their way to 102", "everything in the partitions that 102 leads"],
)
loss

# %% covers="nothing-lost"
cluster.broker(102).kill()
view.mark("102 killed")
driving.wait_for(3000)
cluster.broker(102).start()
view.mark("102 back")
cluster.wait_for(lambda s: not any(p.under_replicated for p in s.partitions()), 90)
acknowledged = driving.stop().acknowledged
for running in (query, shown):
    running.processAllAvailable()

# %% covers="nothing-lost"
rows = spark.read.parquet(f"{folder}/table")
driven = rows.count() - 3007  # without the first minute, its copies and its late ones
lost = acknowledged - driven
loss.compare(
    "none" if lost <= 0 else "those on their way to 102",
    f"{acknowledged:,} were acknowledged, and {driven:,} are in the table.",
)

# %% picture="stream" covers="nothing-lost" shows="102 killed | 102 back"
view

# %% [markdown] covers="nothing-lost"
# In *Rows a second* you see what came and what the stream could do, and in *Where the time of a
# batch goes* how long each batch took. Find the dashed line *102 killed* and the tall bar beside
# it: that batch had to wait for new leaders. What piled up is in it, or in the next one. (The batch
# at *102 back* may be slow, too: coming back isn't free either.) Below, each
# partition has a lane that says which batch read which offsets. No acknowledged record was lost,
# because each already was on other brokers, too, and one of them leads now. The producer sent again
# what wasn't acknowledged, and the query asked again until each partition had a leader.
#
# One thing is still broken. A colleague's nightly job copies new records to a table. This morning
# records were missing. Here it is. Repair it:


# %% covers="nothing-lost stream-from-kafka"
def nightly_job(bootstrap_servers, topic, folder):
    servers = {"kafka.bootstrap.servers": bootstrap_servers, "subscribe": topic}
    stream = spark.readStream.format("kafka").options(**servers, startingOffsets="latest").load()
    query = (
        stream.selectExpr("cast(value as string) as value")
        .writeStream.format("parquet")
        .option("path", f"{folder}/table")
        .option("checkpointLocation", f"{folder}/{uuid.uuid4()}")
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()


# %% [markdown]
# {{exercise 21.5}}


# %% exercise="21.5" covers="nothing-lost stream-from-kafka"
def copy_new(bootstrap_servers, topic, folder):
    # <solution>
    servers = {"kafka.bootstrap.servers": bootstrap_servers, "subscribe": topic}
    stream = spark.readStream.format("kafka").options(**servers, startingOffsets="earliest").load()
    query = (
        stream.selectExpr("cast(value as string) as value")
        .writeStream.format("parquet")
        .option("path", f"{folder}/table")
        .option("checkpointLocation", f"{folder}/checkpoint")
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    # </solution>


q5.check(copy_new)

# %% [markdown]
# **Why?** In one sentence: why could you stop the stream and start it again without losing a
# record? Double-click here and write it down. It isn't graded.
#
# *My sentence:* …
#
# <details><summary>Ours</summary>Because Kafka keeps the records, and the checkpoint keeps the
# offsets up to which the stream has read them.</details>
#
# ## Your points

# %%
print(lab.score())
# <output>
# ✓ 21.1 Too fast: right
# ✓ 21.2 The newest of each: right
# ✓ 21.3 A dead letter: right
# ✓ 21.4 Which trucks are moving?: right
# ✓ 21.5 The nightly job: right
# 9 of 9 points
# </output>

# %% tags=["progress"]
lab.progress()

# %% [markdown]
# ## Clean up
#
# The next cell stops the streams and Spark, and removes the topics of this lab.

# %% tags=["clean-up"]
for running in spark.streams.active:
    running.stop()
spark.stop()
scratch.cleanup()
lab.tidy()
print("tidy")
# <output>
# tidy
# </output>

# %% [markdown]
# **You can now** read a topic as a table and as a stream, judge its records, restart a query from its
# checkpoint, find copies, and put bad records aside.
#
# **The words you own now:** *micro-batch, trigger, checkpoint, output mode (append, update), event
# time, watermark, dead letter*.
#
# **Where next?** [22 · Location dashboard](22_location_dashboard.ipynb): the same stream moves a
# thousand trucks on a map.
