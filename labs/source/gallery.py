# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---

# %% [markdown]
# # Gallery: every view, on one cluster
#
# A fleet of trucks reports to a topic, a group reads it, Spark follows it, and a broker dies and
# comes back. Here is each picture there is of that, with a line on what to look for. Run it from
# top to bottom (*Run All Cells*, two minutes), then walk back up: the views stay alive until you
# press the button at the end.
#
# Everything a mouse can do in them, the keyboard can. `presenter=True` makes any of them larger,
# for a projector.

# %% tags=["set-up"]
import tempfile
import threading
from pathlib import Path

from ipywidgets import Button
from kafka import KafkaConsumer
from pyspark.sql import functions as sf

import kafkalab
from kafkalab import (
    Cluster,
    ClusterView,
    Fleet,
    GroupView,
    Ledger,
    LogView,
    MetadataView,
    PartitionerView,
    Prediction,
    Publisher,
    RecordView,
    StreamView,
    TruckMap,
)
from kafkalab.exercises.predict.answers import leaders_of
from kafkalab.exercises.topics import publish, tidy
from kafkalab.experiments.durability.matrix import DurabilityMatrix
from kafkalab.streams import jobs, run, sinks
from kafkalab.views.live import freeze_all
from kafkalab.waiting import wait_until

cluster = Cluster.lab()
tidy(cluster, "trucks_gps", "parcels")
cluster.create_topic("trucks_gps", partitions=6, replication=3)
folder = tempfile.TemporaryDirectory(prefix="kafkalab-gallery-")
recording = cluster.record(Path(folder.name) / "gallery")
cluster

# %% [markdown]
# ## The fleet, and who reads it
#
# 300 trucks, ten times as fast as the clock: 150 records a second. The ledger keeps book of them by
# id. Three consumers share the topic as the group `dashboard`.

# %%
fleet = Fleet(trucks=300)
ledger = Ledger()
publisher = Publisher(
    cluster.bootstrap_servers,
    fleet,
    lapse=10,
    on_sent=lambda report: ledger.sent(report.record_id, report.truck_id),
    on_acknowledged=lambda report, partition, offset: ledger.acknowledged(report.record_id),
).start()


class Reader(threading.Thread):
    """A member of the group: reads, and commits on its way, until it is stopped."""

    def __init__(self, name):
        super().__init__(daemon=True)
        self.over = threading.Event()
        self.consumer = KafkaConsumer(
            "trucks_gps",
            bootstrap_servers=cluster.bootstrap_servers,
            group_id="dashboard",
            client_id=name,
            auto_offset_reset="earliest",
            auto_commit_interval_ms=1000,
            heartbeat_interval_ms=500,  # hears of a rebalance soon
        )

    def run(self):
        while not self.over.wait(0.2):
            self.consumer.poll(timeout_ms=2000, max_records=40)
        self.consumer.close()

    def stop(self):
        self.over.set()
        self.join(30)


readers = [Reader(name) for name in ("C1", "C2", "C3")]
for reader in readers:
    reader.start()
held = cluster.wait_for(
    lambda s: s.group("dashboard") and s.group("dashboard").state == "Stable" and s,
    60,
    "the group to be stable",
)

# %% [markdown]
# ## Prediction
#
# Asked before the run, locked, and compared with what the cluster says. Broker 102 is about to be
# killed: drag the partitions to the brokers that will lead them (by keyboard: Enter, arrow keys,
# Enter). A cell that nobody answered runs on.

# %%
guess = Prediction.arrangement(
    "Broker 102 is killed. Who leads each partition of trucks_gps a few seconds later?",
    chips=[f"P{p}" for p in range(6)],
    places={broker: f"broker {broker}" for broker in (101, 102, 103)},
)
guess

# %%
recording.name("102 is killed")
cluster.broker(102).kill()
# By the look that is recorded, so that the moment has what is waited for.
cluster.watcher().wait_for(
    lambda s: all(p.leader not in (None, 102) for p in s.topic("trucks_gps").partitions),
    60,
    "other brokers to lead",
)
led = recording.name("others lead")
guess.compare(leaders_of("trucks_gps"), "Only who was in sync may lead.", of=cluster)

# %% [markdown]
# ## ClusterView
#
# Brokers with their partitions: ♛ leads, ● follows in sync, ✕ is on a broker that is down. What
# happened stands beside it, counted from *your* deed. Its buttons are real.

# %%
ClusterView(cluster, topic="trucks_gps")

# %% [markdown]
# ## LogView
#
# A lane for each partition, a cell for each record, letter and colour by its key. ▲ is what a group
# has committed, │ the high watermark. Scroll back to offset 0.

# %%
LogView(cluster, "trucks_gps")

# %%
cluster.broker(102).start()
cluster.wait_for(
    lambda s: not any(p.under_replicated for p in s.partitions()), 60, "every copy to be in sync"
)
print("102 is back")

# %% [markdown]
# ## GroupView
#
# Who reads which partition, and who held what when. C3 leaves while you look: find the moment in
# which nobody read.

# %%
group = GroupView(cluster, "dashboard")
group

# %%
readers.pop().stop()
cluster.wait_for(
    lambda s: len(s.group("dashboard").members) == 2 and s.group("dashboard").state == "Stable",
    60,
    "two members to share",
)
print("C3 has left")

# %% [markdown]
# ## RecordView
#
# One record to the byte, from the file of the broker that leads. Press a field, and see its bytes.

# %%
RecordView(cluster, "trucks_gps", partition=0, offset=3)

# %% [markdown]
# ## PartitionerView
#
# From a key to its partition, step by step; and beside it where records with that key really are.
# Ask for one partition more, and see how many keys would move.

# %%
PartitionerView(cluster, "trucks_gps")

# %% [markdown]
# ## MetadataView
#
# What ZooKeeper keeps, and the watches as they fire: here those that the controller waits for when a
# topic is made. On a KRaft cluster this is the quorum and its log.

# %%
MetadataView(cluster)

# %%
cluster.create_topic("parcels", partitions=2, replication=3)

# %% [markdown]
# ## TruckMap and StreamView
#
# Spark reads the topic: where each truck is now, and how many reports fall into each minute. The
# map is marked by partition; a click follows a truck. Below it is the query, batch by batch: move
# the slider, and see what one batch read and where its time went.

# %%
spark = kafkalab.spark()
good = jobs.good_records(jobs.parse(jobs.read_trucks(spark, cluster.bootstrap_servers)))
truck_map = TruckMap(title="The fleet, by partition")
positions = sinks.to_map(jobs.latest_position(good), truck_map)
counted = sinks.to_ledger(good, ledger)
minutes = good.withWatermark("time", "30 seconds").groupBy(sf.window("time", "1 minute")).count()
windows = run.start(
    minutes.writeStream.format("noop").outputMode("update"), "reports a minute", every=1.0
)
recording.follow(windows)
truck_map

# %%
stream = StreamView(windows)
wait_until(lambda: len(windows.recent()) >= 3, 120, "a few batches")
stream

# %% [markdown]
# ## LedgerView
#
# Every record by its id: sent, acknowledged, seen by Spark; and whatever was lost, came twice or out
# of order. A broker has died meanwhile, and nothing is missing. Five reports are sent again here, as
# by a radio that got no answer: press on what they became, and see which they are.

# %%
publisher.stop()
again = list(fleet.reports(0, 60))[100:105]
publish(cluster.bootstrap_servers, "trucks_gps", [(r.key, r.value, None) for r in again])
counted.catch_up(120)
ledger.view(topic="trucks_gps")  # a LedgerView

# %% [markdown]
# ## Timeline
#
# All of it was recorded. Drag the playhead, press play, jump to an event; the other views of the
# recording follow. Here is the moment in which others lead. `recording.to_html("gallery.html")`
# makes one page of it that needs no kernel and no network.

# %%
run.stop_all()
recording.stop()
timeline = recording.timeline()  # a Timeline
recording.playhead.seek(led.at)
timeline

# %%
ClusterView(recording, topic="trucks_gps")

# %% [markdown]
# ## DurabilityMatrix
#
# What each setting of `acks` and `min.insync.replicas` can lose, run for real: brokers are killed at
# the worst moment, and every record is looked for by its id. This is a small part of it; without
# `brokers_up` it tries them all.

# %%
matrix = DurabilityMatrix(cluster, records=40, brokers_up=2, quiet=True)
matrix.run()
matrix.view()

# %% [markdown]
# ## Clean up
#
# Walk back up first. The button ends the readers and Spark, and removes the topics; every picture
# stays as it is then. Closing the notebook's kernel ends the readers and Spark too.


# %%
def clean_up(_=None):
    freeze_all(cluster)
    for reader in readers:
        reader.stop()
    spark.stop()
    tidy(cluster, "trucks_gps", "parcels")
    folder.cleanup()
    button.disabled, button.description = True, "tidy"


button = Button(description="clean up")
button.on_click(clean_up)
button
