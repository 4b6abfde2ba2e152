# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kafkalab:
#     title: Why Kafka
#     can: connect any number of systems and teams through topics
#     after: ["00"]
#     memory: 1 GB
#     seconds: 45
#     big: ["01.3", "01.5"]
#     teaches:
#     - KafkaProducer.send
#     - KafkaProducer.flush
#     - KafkaConsumer.group_id
#     - KafkaConsumer.poll
#     - json.dumps
#     - json.loads
# ---

# %% [markdown]
# # 01 · Why Kafka: six teams want your data. Which phone rings at night?
#
# Our haulage company has four systems that work: the web site, the meters in the trucks, the
# payment log, and a database of orders. Then the phone rings, six times. Dashboard, alarms,
# archive, recommendations, surge pricing and spam prevention would all like *your data*. One answer
# is to let each team fetch what it needs. In this lab you do that, for real, and count what it
# costs. Then you do it again with topics in between, and break things in both worlds.
#
# | | |
# |---|---|
# | **You will** | wire 4 systems to 6 teams, twice; add a team; change a format; kill a broker |
# | **You learn** | what decoupling is worth, publish and subscribe, what Kafka doesn't do for you |
# | **You need** | about {{minutes}} minutes, 1 GB of free memory, [lab 00](00_start_here.ipynb) |

# %% tags=["set-up"] jupyter={"source_hidden": true}
# Set-up: takes your running cluster or starts one, and removes what an earlier run left.
import json
import socket
import struct
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from kafka import KafkaConsumer, KafkaProducer, TopicPartition

import kafkalab.course.lab_01.company as company  # four small systems, and a billing desk
import kafkalab.course.lab_01.drawings as drawings  # draws wires, latencies and payments
from kafkalab import Lab  # this lab, on your cluster
from kafkalab import LogView  # draws the records of a topic
from kafkalab import Prediction  # asks for your guess

lab = Lab("01")
cluster = lab.cluster
q1, q2, q3, q4, q5 = lab.exercises
cluster

# %% [markdown]
# ## 1 · Twenty-four wires
#
# Your four systems start: small, but real. This is how each begins its answer:

# %% covers="protocol-format-schema"
systems = {
    "web": company.Web(),
    "meters": company.Meters(),
    "log": company.Logs(),
    "orders": company.Orders(),
}
for name, system in systems.items():
    print(f"{name:7s}{system.protocol:5s}{system.form:14s}{system.sample()[:28]}")
# <output>
# web    HTTP JSON          b'[{"user": "u99", "page": "/t'
# meters TCP  binary        b'\x00\xcf3\x00\xe3X\x00\xd5B\x00\xe2F\x00\xd5B\x00\xd87\x00\xd1V\x00\xd8U\x00\xc9>\x00'
# log    TCP  lines of text b'08:00:03 WARN card was slow\n'
# orders SQL  rows          b"('o001', 'old town', 4, 1, 6"
# </output>

# %% [markdown] covers="protocol-format-schema"
# Three protocols and four formats. A team that wants these events must know how to reach each
# system, how to cut its answer into values, and what the values mean: its **schema**. For example,
# the first three bytes of the meters are truck 207 at 51 km/h, but nothing in them says so.


# %% covers="protocol-format-schema"
def from_web():
    with urllib.request.urlopen(systems["web"].url) as page:
        return json.load(page)


def from_meters():
    with socket.create_connection(systems["meters"].address) as line, line.makefile("rb") as answer:
        frames = struct.iter_unpack(">HB", answer.read())
        return [{"truck": truck, "km_h": speed} for truck, speed in frames]


# %% covers="protocol-format-schema"
def from_log():
    with socket.create_connection(systems["log"].address) as line, line.makefile() as answer:
        return [{"at": row[:8], "line": row[9:].strip()} for row in answer]


def from_orders():
    with closing(systems["orders"].login()) as database:
        names = ["order", "zone", "km", "waiting", "free"]
        return [
            dict(zip(names, row, strict=True)) for row in database.execute("select * from orders")
        ]


# %% [markdown] covers="n-times-m"
# No program can do the work of another one. And in our company, teams can't share them: the archive
# is written in Java and the dashboard in TypeScript. So each team writes its own four:

# %% covers="n-times-m load-on-sources"
readers = {"web": from_web, "meters": from_meters, "log": from_log, "orders": from_orders}
teams = ["dashboard", "alarms", "archive", "recommendations", "surge-pricing", "spam"]
had = [[len(read()) for read in readers.values()] for team in teams]
print(had[0], had[1] == had[5])
# <output>
# [60, 40, 30, 50] True
# </output>

# %% picture="one-to-one" covers="n-times-m load-on-sources" shows="24 wires | web asked 6 times"
drawings.wires({name: system.asked for name, system in systems.items()}, teams)

# %% [markdown] covers="load-on-sources n-times-m"
# That's 24 programs to write. Now look at the left side: each system was asked for the same events
# six times, although it has other work to do, and the teams come again in a minute. Tonight, the meters get new firmware: each frame has one more byte, the battery's charge.

# %% covers="protocol-format-schema"
paged = Prediction("How many of the 24 integrations fail tonight?", [0, 1, 6, 24])
paged

# %% covers="protocol-format-schema"
systems["meters"].update()
failed = []
for team in teams:
    for name, read in readers.items():
        try:
            read()
        except struct.error:
            failed.append(f"{team} cannot read {name}")

# %% covers="protocol-format-schema n-times-m"
paged.compare(len(failed), f"For example: {failed[0] if failed else 'none'}.")

# %% [markdown] covers="protocol-format-schema"
# Six pagers go off. Six teams that changed nothing now write the same fix, and you're one of them:
#
# {{exercise 01.1}}


# %% exercise="01.1" covers="protocol-format-schema"
def speeds(frames):
    # <solution>
    return [(truck, speed) for truck, speed, battery in struct.iter_unpack(">HBB", frames)]
    # </solution>


q1.check(speeds)

# %% [markdown]
# ## 2 · The same through topics
#
# Now we put Kafka in the middle. Each system gets one program, a *producer*, that **publishes** its
# events to a topic. Each team gets one, a *consumer*, that **subscribes** to the topics it wants.
# The two don't know each other. It's like mail: you write when you have something to say, and your
# colleagues read when they have time.

# %% covers="publish-subscribe protocol-format-schema"
knowing = Prediction(
    "How many programs must know the meters' new frames now?",
    ["one", "one for each of the 6 teams", "none"],
)
knowing


# %% covers="publish-subscribe"
def from_new_meters():
    with socket.create_connection(systems["meters"].address) as line, line.makefile("rb") as answer:
        frames = struct.iter_unpack(">HBB", answer.read())
        return [{"truck": truck, "km_h": speed} for truck, speed, battery in frames]


readers["meters"] = from_new_meters
topics = {name: f"lab01-{name}" for name in systems}
producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all")
before = {name: system.asked for name, system in systems.items()}

# %% covers="publish-subscribe load-on-sources"
for name, topic in topics.items():
    cluster.create_topic(topic, partitions=3, replication=3)
    for event in readers[name]():
        producer.send(topic, json.dumps(event).encode())
producer.flush()  # wait until all have arrived

# %% [markdown] covers="publish-subscribe"
# The right side needs only one program, because every team talks to Kafka in the same way. A team
# reads as a **consumer group**, and Kafka remembers by the group's name how far it has come:


# %% covers="publish-subscribe many-topics"
def consumer_of(team, *topics, most=500):
    return KafkaConsumer(
        *topics,
        bootstrap_servers=cluster.bootstrap_servers,
        group_id=f"lab01-{team}",
        auto_offset_reset="earliest",  # a new group begins at the oldest record
        max_poll_records=most,
    )


# %% covers="publish-subscribe many-topics"
def catch_up(team, *topics, enough=1_000_000):
    consumer = consumer_of(team, *topics, most=min(enough, 500))
    events, ends = [], {}
    while not ends or (len(events) < enough and any(consumer.position(p) < ends[p] for p in ends)):
        for records in consumer.poll(timeout_ms=20_000).values():
            events += [json.loads(record.value) for record in records]
        ends = ends or consumer.end_offsets(consumer.assignment())
    consumer.close()  # and tells Kafka how far the group has come
    return events


# %% covers="publish-subscribe many-topics"
with ThreadPoolExecutor() as all_teams:
    had = list(all_teams.map(lambda team: catch_up(team, *topics.values()), teams))
print([len(events) for events in had])
# <output>
# [180, 180, 180, 180, 180, 180]
# </output>

# %% covers="publish-subscribe protocol-format-schema load-on-sources"
asked = {name: system.asked - before[name] for name, system in systems.items()}
knowing.compare("one" if asked["meters"] == 1 else "none", f"Since then asked: {asked}")

# %% picture="through-kafka" covers="n-plus-m load-on-sources" shows="10 wires | web asked 1 times"
drawings.wires(asked, teams, through=True)

# %% [markdown] covers="n-plus-m load-on-sources protocol-format-schema"
# Ten programs instead of 24, and each system is asked once. Only the producer beside the meters had
# to change, and the people who know them wrote it. Schemas haven't gone away, but there's one place
# to agree on them, the topic (lab 03b). Now move the sliders. When is there little to win?

# %% covers="n-plus-m"
drawings.sliders()

# %% [markdown]
# {{exercise 01.2}}


# %% exercise="01.2" covers="publish-subscribe n-plus-m"
def publish(bootstrap_servers, topic, events):
    # <solution>
    producer = KafkaProducer(bootstrap_servers=bootstrap_servers, acks="all")
    for event in events:
        producer.send(topic, json.dumps(event).encode())
    producer.flush()
    producer.close()
    # </solution>


q2.check(publish)

# %% [markdown]
# ## 3 · A new team, and a slow one
#
# A month later the phone rings again. A fraud-prevention team was formed this morning, and it wants
# all page views and all orders, from the first one on.

# %% covers="new-target-free"
seventh = Prediction(
    "What does the seventh team get, and who must change something for it?",
    [
        "everything; none of us",
        "everything; the web site and the orders send it again",
        "what happens from now on; none of us",
    ],
)
seventh

# %% covers="new-target-free"
before = {name: system.asked for name, system in systems.items()}
got = catch_up("fraud", "lab01-web", "lab01-orders")
print(len(got), "events")
# <output>
# 110 events
# </output>

# %% covers="new-target-free messages-stored"
again = any(system.asked > before[name] for name, system in systems.items())
if len(got) < 110:
    outcome = "what happens from now on; none of us"
else:
    outcome = (
        "everything; the web site and the orders send it again"
        if again
        else "everything; none of us"
    )
seventh.compare(outcome, "No system was asked again." if not again else "")

# %% [markdown] covers="new-target-free messages-stored"
# Kafka stores events on disk, for a week by default, whether they were read or not. The other teams
# didn't notice either, because each group has offsets of its own.
#
# Now two everyday troubles at once. The archive is down for maintenance, and spam prevention has
# become slow: it manages five events while 90 people look at the web site.

# %% covers="decoupled-in-time"
accepted = Prediction(
    "How many of the 90 page views can the web site hand over?",
    ["90: it knows neither of them", "5: as many as the slowest reads", "0: the archive is down"],
)
accepted

# %% covers="decoupled-in-time"
receipts = [
    producer.send("lab01-web", json.dumps(view).encode()) for view in systems["web"].more(90)
]
acknowledged = sum(receipt.get(timeout=60) is not None for receipt in receipts)
print("dashboard read", len(catch_up("dashboard", "lab01-web")))
print("spam read", len(catch_up("spam", "lab01-web", enough=5)))
# <output>
# dashboard read 90
# spam read 5
# </output>

# %% covers="decoupled-in-time"
words = {90: "90: it knows neither of them", 5: "5: as many as the slowest reads"}
accepted.compare(words.get(acknowledged, "0: the archive is down"))

# %% picture="who-lags" covers="decoupled-in-time messages-stored" shows="lab01-spam committed | lab01-archive committed"
LogView(cluster, "lab01-web").moment("lab01-dashboard", "lab01-archive", "lab01-spam")

# %% [markdown] covers="decoupled-in-time"
# Find the marks of *lab01-archive* and *lab01-spam*: between a mark and the end is a group's
# **lag**, the work it still has to do. The web site waits for neither. Maintenance is over now:

# %% covers="decoupled-in-time messages-stored"
for team in ("archive", "spam"):
    group = cluster.snapshot().group(f"lab01-{team}")
    lag = sum(offset.lag for offset in group.offsets)
    print(team, "has a lag of", lag, "and reads", len(catch_up(team, *topics.values())))
# <output>
# archive has a lag of 90 and reads 90
# spam has a lag of 85 and reads 85
# </output>

# %% [markdown] covers="both-roles"
# ## 4 · A service in the middle, and how fast it is
#
# Companies don't only carry events, they work on them. This service looks for robots: a user who
# looks at twenty pages is judged to be one.

# %% covers="both-roles"
role = Prediction(
    "The service reads page views and writes verdicts. What is it for Kafka?",
    ["a consumer", "a producer", "a consumer and a producer", "a part of the cluster"],
)
role

# %% covers="both-roles only-transport"
cluster.create_topic("lab01-verdicts", partitions=1, replication=3)
seen = {}
for view in catch_up("robots", "lab01-web"):
    seen[view["user"]] = seen.get(view["user"], 0) + 1
    if seen[view["user"]] == 20:
        producer.send("lab01-verdicts", json.dumps({"robot": view["user"]}).encode())
producer.flush()
print(sorted(verdict["robot"] for verdict in catch_up("web", "lab01-verdicts")))
# <output>
# ['u66', 'u99']
# </output>

# %% covers="both-roles only-transport"
now = cluster.snapshot()
reads = now.group("lab01-robots") is not None
writes = any(p.end for p in now.topic("lab01-verdicts").partitions)
role.compare(
    "a consumer and a producer"
    if reads and writes
    else ("a consumer" if reads else "a producer" if writes else "a part of the cluster")
)

# %% [markdown] covers="both-roles only-transport use-cases"
# It's both, and the web site is both now, too: it reads verdicts. Kafka itself counted nothing. It
# only **transports**, so you write the application, with libraries such as Kafka Streams, Spark,
# Flink or Storm, and keep results in a database or in Hadoop. People call Kafka an **event streaming
# platform**. Your five topics already show most of what it's used for:
#
# | topic | an example of |
# |---|---|
# | `lab01-web` | activity tracking |
# | `lab01-meters` | metrics from many places |
# | `lab01-log` | gathering logs |
# | `lab01-orders` | rows of a database |
# | `lab01-verdicts` | stream processing, messages between programs |

# %% covers="use-cases"
held = {t.name: sum(p.end for p in t.partitions) for t in cluster.snapshot().topics}
print({name: count for name, count in held.items() if name.startswith("lab01-")})
# <output>
# {'lab01-log': 30, 'lab01-meters': 40, 'lab01-orders': 50, 'lab01-verdicts': 2, 'lab01-web': 150}
# </output>

# %% [markdown] covers="use-cases"
# (The orders are a copy of the table as it was. A topic that gets every *change* of a table needs a
# program that follows the database: *change data capture*.)
#
# {{exercise 01.3}}


# %% exercise="01.3" covers="both-roles only-transport"
def price(bootstrap_servers, source, target):
    # <solution>
    consumer = KafkaConsumer(
        source,
        bootstrap_servers=bootstrap_servers,
        auto_offset_reset="earliest",
        consumer_timeout_ms=3000,
    )
    producer = KafkaProducer(bootstrap_servers=bootstrap_servers, acks="all")
    for record in consumer:
        order = json.loads(record.value)
        cost = (3 + 2 * order["km"]) * (2 if order["waiting"] > order["free"] else 1)
        producer.send(target, json.dumps({"order": order["order"], "price": cost}).encode())
    producer.close()
    consumer.close()
    # </solution>


q3.check(price)

# %% [markdown] covers="latency"
# You'll often hear that a record needs **less than 10 ms**. Let's measure: a thousand times, one
# record is sent, acknowledged by all three copies, and received.

# %% covers="latency"
fast = Prediction.number(
    "From send to received on this machine: the median of 1000 records?", unit="ms", within=3
)
fast

# %% covers="latency"
cluster.create_topic("lab01-clock", partitions=1, replication=3)
listener = KafkaConsumer(bootstrap_servers=cluster.bootstrap_servers)
listener.assign([TopicPartition("lab01-clock", 0)])
listener.seek_to_beginning()
seconds = []
while len(seconds) < 1300:
    began = time.perf_counter()
    producer.send("lab01-clock", b"tick")
    while not listener.poll(timeout_ms=1000):
        pass
    seconds.append(time.perf_counter() - began)

# %% covers="latency"
seconds = sorted(seconds[300:])  # the first ones warm up
under = sum(s < 0.010 for s in seconds) / 10
fast.compare(round(seconds[500] * 1000, 1), f"Under 10 ms were {under:.0f} % of them.")

# %% picture="latency" covers="latency" shows="1,000 records, p50"
drawings.latency(seconds)

# %% [markdown] covers="latency horizontal-scale"
# Compare the median with the 99th percentile, which is what one record in a hundred meets. "Less
# than 10 ms" says neither how many records, nor with which `acks`, nor under which load. So ask for
# percentiles, and give them. And remember that your brokers, your clients and your browser share
# one machine here: if you do something else meanwhile, you get another figure.
#
# The other claim is that Kafka grows to hundreds of brokers. Here's what makes that possible: a
# producer sends to the *leader* of each partition, and brokers share the leaders.

# %% covers="horizontal-scale origin"
cluster.create_topic("lab01-wide", partitions=6, replication=3)
for n in range(600):
    producer.send("lab01-wide", b"x" * 100, partition=n % 6)
producer.flush()
wide = cluster.snapshot().topic("lab01-wide").partitions
print([sum(p.end for p in wide if p.leader == broker) for broker in (101, 102, 103)])
print(company.notice_of_kafka(cluster))
# <output>
# [200, 200, 200]
# Apache Kafka · The Apache Software Foundation
# </output>

# %% [markdown] covers="horizontal-scale origin"
# With more brokers, each leads fewer partitions and does a smaller part of the work. That's
# *horizontal* scaling: not a larger machine, but one more.
#
# (Kafka was made at LinkedIn, and it belongs to the Apache Software Foundation, as its own file
# says above. Several firms work on it; none of them owns it. How many firms use it? Counts differ by
# year and by who counts.)
#
# {{exercise 01.4}}


# %% exercise="01.4" covers="horizontal-scale"
def shares(bootstrap_servers, topic):
    # <solution>
    from kafka import KafkaAdminClient

    admin = KafkaAdminClient(bootstrap_servers=bootstrap_servers)
    (found,) = admin.describe_topics([topic])
    admin.close()
    leaders = [p["leader_id"] for p in found["partitions"]]
    return {leader: leaders.count(leader) for leader in leaders}
    # </solution>


q4.check(shares)

# %% [markdown] part="finale" covers="fault-tolerant"
# ## 5 · Three hundred payments, and two crashes
#
# The worst day. Payments go to the billing desk in both ways at once: **pushed** straight to it, and
# through the topic `lab01-payments`. After 100 payments the desk crashes, and the broker that leads
# the partition is killed. After 200 the desk is back.

# %% covers="fault-tolerant"
survive = Prediction(
    "Of 300 payments, how many reach billing: pushed, and through Kafka?",
    ["300 and 300", "200 and 300", "200 and 200"],
)
survive


# %% covers="fault-tolerant"
cluster.create_topic("lab01-payments", partitions=1, replication=3)
leader = cluster.snapshot().topic("lab01-payments").partitions[0].leader


def push(payment):
    try:
        with socket.create_connection(desk.address, timeout=5) as line:
            line.sendall(payment.encode() + b"\n")
            return line.recv(3) == b"ok\n"
    except OSError:
        return False


# %% covers="fault-tolerant"
payments = [f"p{n:03d}" for n in range(300)]
desk = company.Desk()
for payment in payments:
    if payment in ("p000", "p200"):
        desk.open()
    elif payment == "p100":
        desk.close()
        cluster.broker(leader).kill()
    push(payment)
    producer.send("lab01-payments", json.dumps(payment).encode())
producer.flush()

# %% covers="fault-tolerant"
paid = catch_up("billing", "lab01-payments")
pushed = [payment.decode() for payment in desk.received]

# %% covers="fault-tolerant"
survive.compare(f"{len(pushed)} and {len(set(paid))}", f"Broker {leader} is still dead.")

# %% picture="payments" covers="fault-tolerant" shows="pushed: 200 of 300 arrived, 100 lost | through Kafka: 300 of 300 arrived"
drawings.payments(payments, pushed, paid, crash=100, back=200)

# %% [markdown] covers="fault-tolerant decoupled-in-time"
# The push lost a hundred payments. The sender *could* have kept them and tried again. So could each
# of your 24 integrations, and then each would be a small and bad copy of Kafka. Through the topic,
# the records waited for the desk, and a broker that had a copy took over.
#
# There's one more victim. After the crash, the auditors want to check all payments. They copied the
# code of the billing team, and they get *nothing*:

# %% covers="new-target-free"
cluster.broker(leader).start()


def auditors_code(bootstrap_servers, topics):
    consumer = KafkaConsumer(
        *topics,
        bootstrap_servers=bootstrap_servers,
        group_id="lab01-billing",
        consumer_timeout_ms=5000,
    )
    values = [record.value.decode() for record in consumer]
    consumer.close()
    return values


# %% [markdown]
# {{exercise 01.5}}


# %% exercise="01.5" covers="new-target-free messages-stored"
def audit(bootstrap_servers, topics):
    # <solution>
    consumer = KafkaConsumer(
        *topics,
        bootstrap_servers=bootstrap_servers,
        group_id="lab01-auditors",
        auto_offset_reset="earliest",
        consumer_timeout_ms=5000,
    )
    values = [record.value.decode() for record in consumer]
    consumer.close()
    return values
    # </solution>


q5.check(audit)

# %% [markdown]
# **Why?** In one sentence: why did the web site not have to wait for the slow team? Double-click
# here and write it down. It isn't graded.
#
# *My sentence:* …
#
# <details><summary>Ours</summary>Because it hands its events to Kafka, which keeps them, and each
# team reads them at its own pace.</details>
#
# ## Your points

# %%
print(lab.score())
# <output>
# ✓ 01.1 The same fix, six times: right
# ✓ 01.2 Publish: right
# ✓ 01.3 Surge pricing: right
# ✓ 01.4 Which broker leads how many?: right
# ✓ 01.5 The auditors: right
# 8 of 8 points
# </output>

# %% tags=["progress"]
lab.progress()

# %% [markdown]
# ## Clean up
#
# The next cell removes the topics and groups of this lab. Your cluster goes on for the next one.

# %% tags=["clean-up"]
for one in (producer, listener, *systems.values(), desk):
    one.close()
lab.tidy()
print("tidy")
# <output>
# tidy
# </output>

# %% [markdown]
# **You can now** publish a system's events to a topic, let any number of teams read them at their
# own pace, and explain what an event streaming platform does and what it leaves to you.
#
# **The words you own now:** *publish, subscribe, event streaming platform, decoupling, consumer
# group, lag, horizontal scaling*.
#
# **Where next?** [02a · Topics, partitions, offsets](02a_topics_partitions_offsets.ipynb): where in
# the log is the violin?
