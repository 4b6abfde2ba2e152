# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kafkalab:
#     title: The fleet reports
#     can: send a whole fleet's reports so that each truck stays in order and nothing is lost
#     after: ["04", "07", "08a"]
#     memory: 2 GB
#     seconds: 60
#     big: ["20.3", "20.5"]
#     teaches:
#     - KafkaProducer.value_serializer
#     - KafkaProducer.metrics
#     - KafkaProducer.linger_ms
#     - producer.send
#     - future.get
#     - producer.flush
#     - KafkaConsumer.poll
#     - KafkaConsumer.end_offsets
#     - KafkaConsumer.position
# ---

# %% [markdown]
# # 20 · The fleet reports: who sends for a thousand trucks?
#
# In part 1 you sent records by the dozen. Now the whole fleet goes online: 1000 trucks, and each
# reports every 20 seconds where it is. Their radios talk to one program, the *gateway*, which
# passes every report on to Kafka. You're going to write it.
#
# Three people depend on you. Jon, the dispatcher, wants to see all trucks on a map. Pavel's alarms
# need the reports of each truck in order. And Aylin's dashboard mustn't miss any, not even when a
# broker dies.
#
# | | |
# |---|---|
# | **You will** | send 1000 trucks to a topic and see them on a map, count requests, let a reader fall behind, kill a broker, repair a sender |
# | **You learn** | where neighbours' reports go, when a missing key hurts, what a request carries, when a reader catches up |
# | **You need** | about {{minutes}} minutes, 2 GB of free memory, labs [04](04_keys_and_order.ipynb), [07](07_producers_and_acks.ipynb) and [08a](08a_consumer_groups.ipynb) |

# %% tags=["set-up"] jupyter={"source_hidden": true}
# Set-up: takes your running cluster or starts one, and removes what an earlier run left.
import json
import logging
import time
from collections import Counter

from kafka import KafkaConsumer, KafkaProducer
from kafka.serializer import JsonSerializer

import kafkalab.course.lab_20.gateway as gateway  # what the trucks report, and two drawings
from kafkalab import Lab  # this lab, on your cluster
from kafkalab import Ledger  # counts what was sent, acknowledged and read
from kafkalab import Prediction  # asks for your guess
from kafkalab import TruckMap  # draws trucks on a map
from kafkalab import read_all  # returns all records of a topic

logging.getLogger("kafka").setLevel(logging.CRITICAL)  # else it reports each broken connection
lab = Lab("20")
cluster = lab.cluster
servers = cluster.bootstrap_servers
q1, q2, q3, q4, q5 = lab.exercises
cluster

# %% [markdown] covers="record-of-report"
# ## 1 · One report
#
# `gateway.reports` stands for the radios: it returns what all trucks report, here in the 20 seconds
# after six o'clock. Mara drives T0005, and this is her truck's report:

# %% covers="record-of-report"
six_o_clock = gateway.reports(0, 20)
mara = next(report for report in six_o_clock if report["truck_id"] == "T0005")
print(len(six_o_clock), "reports, for example:")
for name, value in mara.items():
    print(f"  {name}: {value}")
# <output>
# 1000 reports, for example:
#   record_id: T0005-000000
#   truck_id: T0005
#   time: 1767592805228
#   latitude: 51.58639
#   longitude: -3.65193
#   speed_kmh: 66.5
#   heading_deg: 100.9
# </output>

# %% [markdown] covers="record-of-report"
# These seven fields are our schema for now. `time` says when the truck was there, in milliseconds
# since 1970, and not when anything reached Kafka. `record_id` is different for every report, so
# that you can recognise copies. A broker knows nothing of all that, because it stores bytes. We
# send JSON, so that each team can read it.
#
# {{exercise 20.1}}


# %% exercise="20.1" covers="record-of-report"
def record_of(report):
    # <solution>
    return report["truck_id"].encode(), json.dumps(report).encode()
    # </solution>


q1.check(record_of)

# %% [markdown] covers="receipt-tells"
# ## 2 · A thousand trucks
#
# The topic gets ten partitions, so that up to ten members of a group can share the work, and three
# replicas. A `value_serializer` turns each value into bytes. `JsonSerializer` comes with
# kafka-python and makes JSON of a dict, so you can send dicts.

# %% covers="receipt-tells"
cluster.create_topic("lab20-trucks_gps", partitions=10, replication=3)
producer = KafkaProducer(
    bootstrap_servers=servers,
    acks="all",  # a receipt comes when all replicas in sync have the report
    value_serializer=JsonSerializer(),
)


def send(topic, reports):
    futures = [producer.send(topic, key=r["truck_id"].encode(), value=r) for r in reports]
    return [future.get(timeout=60) for future in futures]


# %% covers="receipt-tells"
(receipt,) = send("lab20-trucks_gps", [mara])
print(f"T0005: partition {receipt.partition}, offset {receipt.offset}")
# <output>
# T0005: partition 9, offset 0
# </output>

# %% [markdown] covers="receipt-tells hash-scatters"
# `send` hands all reports over first, and asks for the receipts afterwards. You'll soon see what
# that's worth. Twenty seconds later, all 1000 trucks report. Thirty of them are around Paris.

# %% covers="hash-scatters"
paris = Prediction(
    "In how many of the ten partitions are the reports of the 30 trucks that are nearest to Paris?",
    ["1 or 2: neighbours go together", "about half of them", "nearly all"],
)
paris

# %% covers="hash-scatters"
reports = gateway.reports(20, 40)
receipts = send("lab20-trucks_gps", reports)
partitions = [receipt.partition for receipt in receipts]
place_of = {r["truck_id"]: p for r, p in zip(reports, partitions, strict=True)}


def from_paris(report):
    return abs(report["latitude"] - 48.86) + abs(report["longitude"] - 2.35)


near = {place_of[report["truck_id"]] for report in sorted(reports, key=from_paris)[:30]}

# %% covers="hash-scatters"
said = "nearly all" if len(near) > 7 else "about half of them"
paris.compare(
    said if len(near) > 2 else "1 or 2: neighbours go together",
    f"They are in {len(near)} partitions: {sorted(near)}.",
)

# %% picture="map" covers="hash-scatters receipt-tells" shows="1000 trucks"
jons_map = TruckMap(title="Reports that Kafka has acknowledged, by partition")
gateway.draw(jons_map, reports, partitions)
jons_map

# %% covers="hash-scatters"
counts = Counter(partitions).most_common()
print("fullest and emptiest (partition, reports):", counts[0], counts[-1])
# <output>
# fullest and emptiest (partition, reports): (5, 114) (8, 85)
# </output>

# %% [markdown] covers="hash-scatters"
# Each colour is a partition. Look for a country that has just one colour: where there are many
# trucks, you won't find one. The partition comes from a hash of the key (lab 04), and a hash
# doesn't know the map. That's good for us: if all trucks in Spain set off at the same moment, their
# reports still go to all partitions. It isn't perfectly even, as you see from the fullest and the
# emptiest.
#
# Now let the trucks drive for five minutes of their time. We don't wait for the clock, but send as
# fast as we get receipts. Watch the map above:

# %% covers="receipt-tells"
five_minutes = gateway.reports(40, 340)
rounds = [five_minutes[begin : begin + 1000] for begin in range(0, 15_000, 1000)]
for reports in rounds:
    receipts = send("lab20-trucks_gps", reports)
    gateway.draw(jons_map, reports, [receipt.partition for receipt in receipts])

# %% [markdown]
# {{exercise 20.2}}


# %% exercise="20.2" covers="receipt-tells hash-scatters"
def spread(bootstrap_servers, topic, reports):
    # <solution>
    sender = KafkaProducer(bootstrap_servers=bootstrap_servers, value_serializer=JsonSerializer())
    futures = [sender.send(topic, key=r["truck_id"].encode(), value=r) for r in reports]
    receipts = [future.get(timeout=60) for future in futures]
    sender.close()
    return Counter(receipt.partition for receipt in receipts)
    # </solution>


q2.check(spread)

# %% [markdown] covers="truck-in-order"
# ## 3 · In order, or just lucky?
#
# Pavel doesn't believe us. So we read everything back, and look for trucks with a report that comes
# behind a later one:


# %% covers="truck-in-order no-key-hides"
def out_of_order(records):
    newest, wrong = {}, set()
    for record in records:
        report = json.loads(record.value)
        truck, at = report["truck_id"], report["time"]
        if at < newest.get(truck, 0):
            wrong.add(truck)
        newest[truck] = max(at, newest.get(truck, 0))
    return len(wrong)


records = read_all(servers, "lab20-trucks_gps")
print(f"{len(records)} reports read; {out_of_order(records)} trucks out of order")
# <output>
# 16001 reports read; 0 trucks out of order
# </output>

# %% [markdown] covers="no-key-hides"
# In lab 04, events without a key got mixed up. So let's leave the key out again, but with two
# different readers. One *reads along*: it gets each round of 1000 reports before the trucks report
# again. The other one is started after the five minutes and *catches up*.

# %% covers="no-key-hides"
mixed = Prediction.arrangement(
    "There's no key now. For how many of the 1000 trucks does each reader see a wrong order?",
    chips={"along": "reads along", "later": "catches up"},
    places=["for no truck", "for some trucks", "for nearly all trucks"],
    nowhere="not placed",
)
mixed

# %% covers="no-key-hides"
cluster.create_topic("lab20-no-key", partitions=10, replication=3)
along = KafkaConsumer(
    "lab20-no-key", bootstrap_servers=servers, group_id=None, auto_offset_reset="earliest"
)
seen = []
for number, reports in enumerate(rounds, start=1):
    for report in reports:
        producer.send("lab20-no-key", value=report)
    producer.flush()
    while len(seen) < 1000 * number:
        for polled in along.poll(timeout_ms=1000).values():
            seen += polled

# %% covers="no-key-hides"
wrong = {
    "along": out_of_order(seen),
    "later": out_of_order(read_all(servers, "lab20-no-key")),
}
along.close()

# %% covers="no-key-hides"
words = {0: "for no truck"}
said = {
    reader: words.get(count, "for nearly all trucks" if count > 900 else "for some trucks")
    for reader, count in wrong.items()
}
mixed.compare(said, f"Reading along: {wrong['along']} trucks. Catching up: {wrong['later']}.")

# %% [markdown] covers="no-key-hides"
# That's what makes a missing key so nasty. As long as the reader keeps up, everything looks right,
# and so do all your tests. Then one evening Pavel restarts his alarms. They read what they've
# missed, a piece of one partition, then a piece of another. So nearly every truck jumps back and
# forth. With a key, it doesn't matter when you read.
#
# Jon's map doesn't need the order, if it's careful. It needs the *newest* position of each truck.
#
# {{exercise 20.3}}


# %% exercise="20.3" covers="newest-by-time"
def newest(values):
    # <solution>
    found = {}
    for report in map(json.loads, values):
        truck = report["truck_id"]
        if truck not in found or report["time"] > found[truck]["time"]:
            found[truck] = report
    return found
    # </solution>


q3.check(newest)

# %% [markdown] covers="request-per-broker"
# ## 4 · How fast, and how far behind?
#
# A thousand trucks make 50 reports a second, so we could be lazy. But tomorrow there may be more of
# them. `measured` sends reports with a new producer, and returns the requests that it needed and
# the seconds. With `each`, it waits for every receipt before it goes on; `pace` is the pause
# between two reports, in seconds (`steadily` is from lab 07).


# %% covers="request-per-broker"
def measured(topic, reports, each=False, pace=0, **settings):
    settings |= {"bootstrap_servers": servers, "value_serializer": JsonSerializer()}
    sender, began = KafkaProducer(**settings), time.perf_counter()
    for report, _ in zip(reports, gateway.steadily(len(reports), pace), strict=True):
        future = sender.send(topic, key=report["truck_id"].encode(), value=report)
        if each:
            future.get(timeout=60)
    sender.flush()
    together = sender.metrics()["producer-metrics"]["records-per-request-avg"]
    sender.close()
    return round(len(reports) / together), time.perf_counter() - began


# %% covers="request-per-broker"
cluster.create_topic("lab20-ten", partitions=10, replication=3)
ways = {"wait each time": {"each": True}, "wait once": {}, "wait once, linger": {"linger_ms": 50}}
for way, settings in ways.items():
    requests, seconds = measured("lab20-ten", rounds[0][:500], **settings)
    print(f"{way}: {requests} requests, {seconds:.2f} s")

# %% [markdown] covers="request-per-broker"
# Compare the numbers of requests. (The seconds depend on your machine.) If you wait for each
# receipt, every report travels alone. If you hand over all reports first, and wait once at the end
# (`flush`), they meet in batches, and `linger_ms` gives them the time to do so. You saw that in lab
# 07 with one partition. Now 1000 reports come in steadily, one each millisecond, with
# `linger_ms=50`: first to a topic with one partition, and then to ten.

# %% covers="request-per-broker"
times = Prediction(
    "How many requests does the producer need for ten partitions, compared with one partition?",
    ["about as many", "about three times as many", "about ten times as many"],
)
times

# %% covers="request-per-broker"
cluster.create_topic("lab20-one", partitions=1, replication=3)
needed = {}
for topic in ("lab20-one", "lab20-ten"):
    needed[topic], seconds = measured(topic, rounds[0], pace=0.001, linger_ms=50)

# %% covers="request-per-broker"
ratio = needed["lab20-ten"] / needed["lab20-one"]
said = "about as many" if ratio < 1.6 else "about three times as many"
times.compare(
    said if ratio < 6 else "about ten times as many",
    f"{needed['lab20-one']} requests with one partition, {needed['lab20-ten']} with ten.",
)

# %% [markdown] covers="request-per-broker"
# A batch belongs to one partition. But a **produce request** goes to a *broker*, and it takes along
# batches of all partitions that this broker leads. With three brokers there are three streams of
# requests, with 10 partitions or with 100. The batches do get smaller: here, each has about a tenth
# of the reports.
#
# ### The dashboard falls behind
#
# Now for the other end. `kafkalab.Publisher` does what you wrote, but paced by the clock and on its
# own thread. `gateway.drive` starts one, 20 times as fast as real time. Aylin's dashboard is a
# group of one, and we look at its **lag**: how many reports it hasn't read yet. (We count from its
# position. Kafka's tools count from what it has committed.)

# %% covers="catch-up"
cluster.create_topic("lab20-live", partitions=10, replication=3)
dashboard = KafkaConsumer(
    "lab20-live",
    bootstrap_servers=servers,
    group_id="lab20-dashboard",
    auto_offset_reset="earliest",
)
samples = []


# %% covers="catch-up"
def note_lag():
    if not dashboard.assignment():
        return
    ends = dashboard.end_offsets(dashboard.assignment())
    lag = sum(end - dashboard.position(place) for place, end in ends.items())
    samples.append((time.perf_counter(), lag))


# %% covers="catch-up"
def read(count):
    while count > 0:
        for polled in dashboard.poll(timeout_ms=200).values():
            count -= len(polled)
        note_lag()


# %% covers="catch-up"
driving = gateway.drive(cluster, "lab20-live")
read(3000)  # it keeps up
driving.wait_for(4000)  # until 4,000 more are acknowledged: Aylin's laptop sleeps
note_lag()
awake = time.perf_counter()
read(4000)
rate = 4000 / (time.perf_counter() - awake)
read(2000)
driving.stop()
print(f"while it caught up: {rate:,.0f} reports a second")

# %% picture="lag" covers="catch-up" shows="The lag rises to"
dashboard.close()
gateway.lag_figure(samples)

# %% [markdown] covers="catch-up"
# Find the highest peak: until then the dashboard slept, and the trucks didn't. Then look at the way
# down. It's steep, because this reader is much faster than the 1000 reports that come in each
# second. A reader that draws, asks a database, or sends mails is slower, and then it takes longer.
# Also look at the end: the lag is never far from 0, but seldom 0, because new reports arrive
# between two polls.
#
# {{exercise 20.4}}


# %% exercise="20.4" covers="catch-up"
def catch_up(lag, incoming, reading):
    # <solution>
    return lag / (reading - incoming) if reading > incoming else None
    # </solution>


q4.check(catch_up)

# %% [markdown] part="finale" covers="all-pause nothing-lost"
# ## 5 · A broker dies, and 1000 trucks report
#
# Now we drive, kill broker 102, and look at what's acknowledged. `to_be_sent` is called before a
# report goes out, and `noted` with every receipt: it moves the truck on Jon's map, and tells the
# ledger. (The publisher's reports are objects: `to_dict()` makes our dicts.) 102 leads about a
# third of the ten partitions, and follows in all others. As in lab 07, `min.insync.replicas` is 2.

# %% covers="all-pause"
still = Prediction(
    "102 is killed while all trucks report. Which trucks stand still on the map?",
    [
        "none: other brokers take over at once",
        "those in partitions that 102 leads",
        "all of them, for some seconds",
    ],
)
still

# %% covers="nothing-lost all-pause"
floor = {"min.insync.replicas": "2"}
cluster.create_topic("lab20-outage", partitions=10, replication=3, settings=floor)
ledger, acks = Ledger(), []


def to_be_sent(report):
    ledger.sent(report.record_id, report.truck_id)


def noted(report, partition, offset):
    acks.append((time.monotonic(), partition))
    ledger.acknowledged(report.record_id)
    gateway.draw(jons_map, [report.to_dict()], [partition])


# %% covers="all-pause"
jons_map  # watch it while the next cell runs

# %% covers="all-pause"
topic = cluster.snapshot().topic("lab20-outage")
led = [p.partition for p in topic.partitions if p.leader == 102]
driving = gateway.drive(cluster, topic.name, on_sent=to_be_sent, on_acknowledged=noted)
driving.wait_for(3000)
killed = time.monotonic()
cluster.broker(102).kill()
driving.wait_for(8000)
cluster.broker(102).start()
driving.stop()
pauses = gateway.pauses(acks)

# %% covers="all-pause"
paused = [p for p, seconds in enumerate(pauses) if seconds > 1]
said = "those in partitions that 102 leads" if paused else "none: other brokers take over at once"
still.compare(
    "all of them, for some seconds" if len(paused) > len(led) + 2 else said,
    f"102 led {led}. These paused: {paused}.",
)

# %% picture="pause" covers="all-pause" shows="10 of 10 partitions pause"
gateway.pause_figure(acks, killed, led)

# %% [markdown] covers="all-pause"
# The dashed line is the kill. Look for the empty gap after it: it goes through all ten partitions,
# and not only those that 102 led. New leaders are only half of the story. With `acks="all"`, a
# leader waits for every replica that's in sync, and 102 had a copy of *every* partition. It counts
# as dead after about 3 seconds of silence (Kafka's own default is longer). Until then, 101 and 103
# can't acknowledge anything, either. And a reader gets nothing above the high watermark: nothing
# that isn't on all replicas in sync. So Aylin's dashboard stands still, too, and its lag doesn't
# show it.
#
# (In a cluster of 30 brokers, most partitions have no copy on 102, and go on.) Did we lose any
# reports?

# %% covers="nothing-lost truck-in-order"
records = read_all(servers, "lab20-outage")
ids = [json.loads(record.value)["record_id"] for record in records]
ledger.seen_many(ids, [(record.partition, record.offset) for record in records])
told = ledger.result()
print(f"lost: {told.lost}, twice: {told.duplicated}, out of order: {told.out_of_order}")
# <output>
# lost: 0, twice: 0, out of order: 0
# </output>

# %% [markdown] covers="nothing-lost one-sender"
# Some reports waited in the producer's memory, and others on leaders that couldn't acknowledge them
# yet. The producer sent again what got no answer. It's idempotent, so none is there twice, and each
# truck stayed in order.
#
# Pavel's colleague has written a gateway, too. Pavel gets alarms for trucks that drive backwards,
# and after last night's outage some reports are missing. Here it is, with five of our trucks:


# %% covers="one-sender"
def reports_of_a_colleague(bootstrap_servers, topic, reports):
    for report in reports:
        sender = KafkaProducer(bootstrap_servers=bootstrap_servers, acks=1)
        key, value = report["record_id"].encode(), json.dumps(report).encode()
        sender.send(topic, key=key, value=value).get(timeout=60)
        sender.close()
    return len(reports)


# %% covers="one-sender"
five = [report for report in five_minutes if report["truck_id"] < "T0005"][:40]
cluster.create_topic("lab20-colleague", partitions=10, replication=3)
began = time.perf_counter()
reports_of_a_colleague(servers, "lab20-colleague", five)
print(f"{time.perf_counter() - began:.1f} s for {len(five)} reports")

# %% covers="one-sender"
wrong = out_of_order(read_all(servers, "lab20-colleague"))
print(wrong, "of 5 trucks are out of order")
# <output>
# 5 of 5 trucks are out of order
# </output>

# %% [markdown]
# {{exercise 20.5}}


# %% exercise="20.5" covers="one-sender nothing-lost"
def send_reports(bootstrap_servers, topic, reports):
    # <solution>
    sender = KafkaProducer(bootstrap_servers=bootstrap_servers, acks="all", linger_ms=50)
    futures = []
    for report in reports:
        key, value = report["truck_id"].encode(), json.dumps(report).encode()
        futures.append(sender.send(topic, key=key, value=value))
    receipts = [future.get(timeout=60) for future in futures]
    sender.close()
    return len(receipts)
    # </solution>


q5.check(send_reports)

# %% [markdown]
# **Why?** In one sentence: why would `linger_ms=50` save fewer requests in a cluster of 100
# brokers? Double-click here and write it down. It isn't graded.
#
# *My sentence:* …
#
# <details><summary>Ours</summary>Because a request goes to one broker: with 100 of them, each gets
# few of our reports in 50 ms, so there are more requests, and each carries less.</details>
#
# ## Your points

# %%
print(lab.score())
# <output>
# ✓ 20.1 A report becomes a record: right
# ✓ 20.2 Where did they go?: right
# ✓ 20.3 Not fooled by the order: right
# ✓ 20.4 When has it caught up?: right
# ✓ 20.5 Repair the sender: right
# 9 of 9 points
# </output>

# %% tags=["progress"]
lab.progress()

# %% [markdown]
# ## Clean up
#
# The next cell closes the producer, starts brokers that are down, and removes the topics of this
# lab. Your cluster goes on for the next lab.

# %% tags=["clean-up"]
producer.close()
lab.tidy()
print("tidy")
# <output>
# tidy
# </output>

# %% [markdown]
# **You can now** send a whole fleet with one producer, say which order its readers get and when,
# count what a setting costs in requests, work out when a reader has caught up, and say what a dead
# broker stops.
#
# **The words you own now:** *gateway, produce request, catching up*.
#
# **Where next?** [21 · First stream](21_first_stream.ipynb): Spark reads the fleet, and some of its
# reports are broken.
