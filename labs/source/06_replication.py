# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kafkalab:
#     title: Replication
#     can: tell what a dead broker costs you, and heal a topic without losing a record
#     after: ["05"]
#     memory: 1.2 GB
#     seconds: 45
#     big: ["06.6"]
#     teaches:
#     - KafkaAdminClient.create_topics
#     - kafka-topics --describe
#     - kafka-topics --under-replicated-partitions
#     - kafka-leader-election --election-type
#     - KafkaProducer.acks
#     - KafkaAdminClient.alter_configs
# ---

# %% [markdown]
# # 06 · Replication: who has your data when a broker dies?
#
# The cleaner needs a socket, and unplugs broker 102. Part of Jon's dispatch topic is on it. Has he
# lost records? Can he still send some? And what happens when 102 is back?
#
# In lab 00 you saw that another broker takes over. Now you look closer: at what has to be true for
# that, at how long it takes, and at what an acknowledgement is worth when more than one broker
# dies.
#
# | | |
# |---|---|
# | **You will** | kill brokers while you write, hand leadership back, force an election, and save six alarms |
# | **You learn** | replicas and the ISR, failover, preferred leaders, `min.insync.replicas`, unclean election |
# | **You need** | about {{minutes}} minutes, 1.2 GB of free memory, [lab 05](05_brokers_and_discovery.ipynb) |

# %% tags=["set-up"] jupyter={"source_hidden": true}
# Set-up: takes your running cluster or starts one, and removes what an earlier run left.
import time

from kafka import KafkaAdminClient, KafkaProducer, TopicPartition
from kafka.admin import ConfigResource, ConfigResourceType
from kafka.errors import KafkaError

import kafkalab.course.lab_06.brokers as brokers  # lets brokers join, hang and leave, and reads topics
from kafkalab import Lab  # this lab, on your cluster
from kafkalab import Prediction  # asks for your guess

lab = Lab("06")
cluster = lab.cluster
brokers.as_before(cluster, "lab06-")  # brokers that an interrupted run had added leave
q1, q2, q3, q4, q5, q6 = lab.exercises
cluster

# %% [markdown] covers="replication-factor"
# ## 1 · Where the copies are
#
# Jon's topic has two partitions and two copies of each: its **replication factor** is 2. Usually
# Kafka places the copies, or **replicas**. This time we do, so that we know where they are:

# %% covers="replication-factor not-everywhere"
admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)
places = {"lab06-topic-a": {"assignments": {0: [101, 102], 1: [102, 103]}}}
created = admin.create_topics(places, wait_for_metadata=True)["topics"]
print({topic["name"]: topic["replication_factor"] for topic in created})
# <output>
# {'lab06-topic-a': 2}
# </output>

# %% [markdown]
# {{exercise 06.1}}

# %% exercise="06.1" covers="not-everywhere replication-factor"
# <solution blank="vans = ...">
admin.create_topics({"lab06-vans": {"assignments": {0: [101, 103], 1: [103, 101]}}})
vans = "lab06-vans"
# </solution>
q1.check(vans)

# %% covers="isr-with-leader"
in_sync = Prediction(
    "P0 of Jon's topic has copies on 101, which leads, and on 102. Which brokers are its in-sync replicas?",
    ["102", "101 and 102", "101, 102 and 103"],
)
in_sync

# %% covers="isr-with-leader"
first = cluster.snapshot().topic("lab06-topic-a").partitions[0]

# %% covers="isr-with-leader"
in_sync.compare(
    {(102,): "102", (101, 102): "101 and 102"}.get(tuple(sorted(first.isr)), "101, 102 and 103"),
    f"Led by {first.leader}, with {first.isr} in sync.",
)

# %% covers="isr-with-leader one-leader"
cluster.tool("kafka-topics", "--describe", "--topic", "lab06-topic-a")

# %% picture="two-copies" covers="not-everywhere one-leader" shows="3 of 3 brokers up | ♛ P0 ♛ P1 / ● P0 ● P1"
cluster.view("lab06-topic-a").moment("Two copies of each")

# %% [markdown] covers="isr-with-leader one-leader not-everywhere"
# Find 102: it has a copy of both partitions, and the others have one. No broker has to have
# everything. Now read the tool's line for P0, word by word:
#
# - `Leader: 101` takes all writes. (Consumers read from it, too, unless you let them use a nearer
#   copy.)
# - `Replicas: 101,102` are the brokers that *should* have a copy. The first is the **preferred
#   leader**.
# - `Isr: 101,102`, the **in-sync replicas**, are those that keep up *now*. You may have read that
#   the ISR are the followers, the "passive replicas". But the leader is always in it, and a
#   follower that's too far behind isn't.
# - `Elr` and `LastKnownElr` say who else could lead, in Kafka 4. With ZooKeeper they're `N/A`.
#
# In your program, these are `leader_id`, `replica_nodes` and `isr_nodes`.
#
# {{exercise 06.2}}


# %% exercise="06.2" covers="isr-with-leader"
def under_replicated(topic):
    # <solution>
    return [
        partition["partition_index"]
        for partition in topic["partitions"]
        if set(partition["isr_nodes"]) != set(partition["replica_nodes"])
    ]
    # </solution>


q2.check(under_replicated)

# %% [markdown]
# ## 2 · The plug is pulled
#
# Jon's producer uses `acks="all"`: a record counts as written when all in-sync replicas have it.
# For each of his records we note how long its acknowledgement takes.

# %% covers="acks-all-waits"
jon = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all")
waited = {}


def write(text):
    """Send one record to each partition, wait for the acknowledgements, and return the offsets."""
    began = time.monotonic()
    sent = [jon.send("lab06-topic-a", value=text, partition=number) for number in (0, 1)]
    for one in sent:
        # Called when the acknowledgement comes (lab 07):
        one.add_callback(lambda got: waited.update({got.partition: time.monotonic() - began}))
    return [one.get(timeout=100).offset for one in sent]


print(write(b"all is well"))
# <output>
# [0, 0]
# </output>

# %% covers="lose-102 acks-all-waits"
gap = Prediction.arrangement(
    "102 is killed, and at once Jon sends a record to each partition. What becomes of the two?",
    chips={"P0": "P0: 101 leads, 102 follows", "P1": "P1: 102 leads, 103 follows"},
    places=["acknowledged at once", "acknowledged after some seconds", "refused until 102 is back"],
    nowhere="not placed",
)
gap

# %% covers="lose-102 acks-all-waits"
recording = cluster.record(topics=["lab06-topic-a"])
cluster.broker(102).kill()
print(write(b"still there?"))
# <output>
# [1, 1]
# </output>

# %% covers="lose-102 acks-all-waits one-leader"
gap.compare(
    {
        f"P{number}": "acknowledged at once"
        if waited[number] < 1
        else "acknowledged after some seconds"
        for number in (0, 1)
    },
    f"P0 took {waited[0]:.1f} s, and P1 took {waited[1]:.1f} s.",
)

# %% covers="lose-102"
cluster.wait_for(
    lambda s: all(102 not in p.isr for p in s.topic("lab06-topic-a").partitions),
    60,
    "102 to be out",
)
cluster.tool(
    *("kafka-topics", "--describe", "--under-replicated-partitions"),
    *("--topic", "lab06-topic-a"),
)

# %% picture="without-102" covers="lose-102 failover" shows="2 of 3 brokers up | Broker 102 / down | ♛ P0 ✕ P0–P1 ♛ P1"
cluster.view("lab06-topic-a").moment("Without 102")

# %% [markdown] covers="lose-102 failover acks-all-waits"
# Find the crown of P1: 103 has it now. It had a copy of every acknowledged record, so nothing is
# lost. But it took seconds. A dead broker says nothing, so the **controller**, the node that elects
# leaders, waits for the session time-out: 3 seconds in your cluster, 9 or 18 by default. Then it
# elects the first of `Replicas` that's in sync. That's **failover**.
#
# Did you expect P0 to go on at once? Its leader was never gone. But "all" means the whole ISR, and
# until that time-out, 102 was in it. So even the death of a *follower* stops your writers for a
# moment. Both partitions are **under-replicated** now: in the tool's lines, 102 is among the
# `Replicas`, and not in `Isr`.
#
# ## 3 · Back, but not on the throne
#
# 102 starts. It fetches what it missed, and is in sync again. You may have read that it then tries
# to become the leader. As in lab 00, it only follows. Kafka checks every 300 seconds whether each
# partition is led by its preferred leader, and if not, moves the crown. If you don't want to wait,
# do it by hand:

# %% covers="back-not-leading"
cluster.broker(102).start()
cluster.wait_for(
    lambda s: all(len(p.isr) == 2 for p in s.topic("lab06-topic-a").partitions), 60, "102 in sync"
)
cluster.tool(
    *("kafka-leader-election", "--election-type", "preferred"),
    *("--topic", "lab06-topic-a", "--partition", "1"),
)

# %% [markdown] covers="back-not-leading"
# In a program, `admin.elect_leaders(0, ["lab06-topic-a"])` does it for all partitions of a topic; 0
# means *preferred*. Since the kill, `recording` has noted what happens. We wait until it has seen
# this, too:

# %% covers="back-not-leading"
seen = cluster.watcher().wait_for(
    lambda s: s.topic("lab06-topic-a").partitions[1].leader == 102, 60, "102 to lead P1"
)
print(seen.topic("lab06-topic-a").partitions[1].leader)
# <output>
# 102
# </output>

# %% covers="failover"
polite = Prediction.number(
    "Now 102 is stopped for maintenance, not killed. After how many seconds does 103 lead P1?",
    unit="seconds",
    within=1,
)
polite

# %% covers="failover"
cluster.broker(102).stop()
cluster.watcher().wait_for(
    lambda s: s.topic("lab06-topic-a").partitions[1].leader == 103, 60, "103 to lead P1"
)
recording.stop()


def until_103_leads(verb):
    acted = next(e.at for e in recording.events if e.verb == verb)
    moved = [e.at for e in recording.events if (e.topic, e.broker) == ("lab06-topic-a", 103)]
    return min(at - acted for at in moved if at >= acted)


# %% covers="failover"
killed, stopped = until_103_leads("kill"), until_103_leads("stop")
polite.compare(
    round(stopped, 1), f"After the kill it took {killed:.1f} s. (We look twice a second.)"
)

# %% picture="time-line" covers="failover back-not-leading" shows="leader 103 → 102 | you stopped broker 102 | leader 102 → 103"
recording.timeline()

# %% [markdown] covers="failover back-not-leading"
# Each ▸ is something you did to 102: you killed it, started it, and stopped it. In the list, find
# the first ♛ (scroll up) and the last one. The + says how long after your ▸ each of them came. A
# broker that is stopped tells the controller first, and hands its partitions over. So for
# maintenance, stop brokers, and never kill them.

# %%
cluster.broker(102).start()

# %% [markdown]
# {{exercise 06.3}}


# %% exercise="06.3" covers="back-not-leading"
def give_back(bootstrap_servers, topic):
    # <solution>
    admin = KafkaAdminClient(bootstrap_servers=bootstrap_servers)
    admin.elect_leaders(0, [topic])
    admin.close()
    # </solution>


q3.check(give_back)

# %% [markdown] covers="min-insync"
# ## 4 · Two of three are gone
#
# "With replication factor N, N−1 brokers may be down." Let's test that with N = 3. If your cluster
# runs Kafka 4, its brokers 101, 102 and 103 also vote as controllers, and without two of them
# nothing is elected (lab 10). So we kill two brokers that don't vote: 104 and 105 join, as in lab
# 05.
#
# We make two topics with three copies. The second one is strict: its `min.insync.replicas` is 2,
# while the default is 1. Pavel's alarms get only two copies.

# %% covers="min-insync"
brokers.join(cluster, 5)
admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)
orders = {"assignments": {0: [103, 104, 105]}}
strict = {"assignments": {0: [103, 104, 105]}, "configs": {"min.insync.replicas": "2"}}
alarms = {"assignments": {0: [103, 104]}}
topics = {"lab06-orders": orders, "lab06-strict": strict, "lab06-alarms": alarms}
created = admin.create_topics(topics, wait_for_metadata=True)["topics"]
print({topic["name"]: topic["configs"]["min.insync.replicas"]["value"] for topic in created})
# <output>
# {'lab06-orders': '1', 'lab06-strict': '2', 'lab06-alarms': '1'}
# </output>


# %% covers="min-insync"
def send(topic, *values):
    """Send records without trying again, and say whether that works."""
    producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all", retries=0)
    try:
        for value in values:
            producer.send(topic, value=value.encode()).get(timeout=60)
        return "works"
    except KafkaError as error:
        print(f"{type(error).__name__}: {error.description}")
        return "doesn't"
    finally:
        producer.close()


# %%
print(send("lab06-orders", "order 1", "order 2", "order 3"))
print(send("lab06-strict", "order 1", "order 2", "order 3"))
print(send("lab06-alarms", "alarm 1", "alarm 2", "alarm 3"))
# <output>
# works
# works
# works
# </output>

# %% [markdown] covers="isr-shrinks"
# First, 104 *hangs*: its process stands still, with all connections open. When does it leave the
# ISR?

# %% covers="isr-shrinks"
seconds = brokers.hang(cluster, 104, "lab06-orders", ask=103)
print(f"104 was out of the ISR after {seconds:.1f} seconds. Now it's running again.")
watched = cluster.view("lab06-orders")  # the picture, which notes what happens from now on

# %% [markdown] covers="isr-shrinks"
# A broker that hangs sends no heartbeats, so its session times out, as after a kill. But it's worse
# than dead: clients that are connected to it wait, and aren't told anything.
#
# What if a broker is only *slow*, for example because its disk is? Then its session goes on, and
# the leader puts it out of the ISR when it hasn't caught up for 10 seconds
# (`replica.lag.time.max.ms`; Kafka's default is 30). So `Replicas` says which brokers should have a
# copy, and the ISR says which ones have kept up.

# %% covers="n-minus-1 min-insync"
alone = Prediction.arrangement(
    "104 and 105 are killed. Only 103 has copies now. What still works?",
    chips={
        "read": "read lab06-orders",
        "orders": "write to lab06-orders (minimum 1)",
        "strict": "write to lab06-strict (minimum 2)",
    },
    places=["works", "doesn't"],
    nowhere="not placed",
)
alone

# %% covers="n-minus-1 min-insync"
for broker in (104, 105):
    cluster.broker(broker).kill()
cluster.wait_for(lambda s: all(s.topic(t).partitions[0].isr == (103,) for t in topics), 60, "103")
happened = {
    "read": "works" if len(brokers.read(cluster, "lab06-orders")) == 3 else "doesn't",
    "orders": send("lab06-orders", "order 4", "order 5"),
    "strict": send("lab06-strict", "order 4"),
}
# <output>
# NotEnoughReplicasError: Returned from a produce request when the number of in-sync replicas is lower than the configured minimum and requiredAcks is -1.
# </output>

# %% covers="n-minus-1 min-insync isr-shrinks"
alone.compare(happened, "In all of these topics, only 103 is in sync.")

# %% picture="one-left" covers="n-minus-1" shows="3 of 5 brokers up | ♛ P0 ✕ P0 ✕ P0"
watched.moment("Two of three are gone")

# %% [markdown] covers="n-minus-1 min-insync"
# Find the only crown, 103's. For *reading*, one in-sync copy is enough: N−1 may be down. For
# *writing*, `min.insync.replicas` decides: with fewer in sync, Kafka refuses what comes with
# `acks="all"`. Read the error: `requiredAcks is -1` means `acks="all"`. In `lab06-orders`, where
# the minimum is 1, "all" means all that are left, and that was one.
#
# {{exercise 06.4}}


# %% exercise="06.4" covers="n-minus-1 min-insync"
def works(isr, min_insync, dead):
    # <solution>
    left = [broker for broker in isr if broker not in dead]
    if not left:
        return "nothing"
    return "read" if len(left) < min_insync else "read and write"
    # </solution>


q4.check(works)

# %% [markdown]
# An admin client learns of the brokers when it begins, and it may still call a dead one. So when
# brokers have come or gone, we take a new client:

# %%
admin.close()
admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)

# %% [markdown]
# {{exercise 06.5}}

# %% exercise="06.5" covers="min-insync replication-factor"
# <solution blank="payments = ...">
two = {"min.insync.replicas": "2"}
safe = {"num_partitions": 1, "replication_factor": 3, "configs": two}
admin.create_topics({"lab06-payments": safe})
payments = "lab06-payments"
# </solution>
q5.check(payments)

# %% [markdown] part="finale" covers="unclean-loses"
# ## 5 · One broker comes back
#
# Pavel sends three more alarms, and 103 alone has them. Then 103 dies as well, and 104 comes back.

# %% covers="unclean-loses"
print(send("lab06-alarms", "alarm 4", "alarm 5", "alarm 6"))
# <output>
# works
# </output>

# %% covers="unclean-loses"
cluster.broker(103).kill()
two = ("lab06-orders", "lab06-alarms")
cluster.wait_for(lambda s: not any(s.topic(t).partitions[0].leader for t in two), 60, "the end")
cluster.broker(104).start()
cluster.wait_for(
    lambda s: s.broker(104).alive and not any("104" in one for one in s.problems),
    60,
    "104 to answer",
)
print([broker.id for broker in cluster.snapshot().brokers if broker.alive])
# <output>
# [101, 102, 104]
# </output>

# %% picture="no-leader" covers="unclean-loses" shows="3 of 5 brokers up | no leader: P0 | ✕ P0 ◌ P0 ✕ P0"
watched.moment("104 is back, and may not lead")

# %% [markdown] covers="unclean-loses"
# Find 104: it has a copy, but it wasn't in sync, so Kafka doesn't let it lead. No client can read
# or write. You can wait for 103, or tell Kafka to take what's there: that's an **unclean leader
# election**. Jon's phone is ringing, and he does it.

# %% covers="unclean-loses"
hurry = Prediction(
    "Orders 1 to 5 were acknowledged. Jon lets 104 lead lab06-orders. Which of them can he read?",
    ["all five", "orders 1 to 3", "none"],
)
hurry

# %% covers="unclean-loses"
cluster.tool(
    *("kafka-leader-election", "--election-type", "unclean"),
    *("--topic", "lab06-orders", "--partition", "0"),
)
cluster.wait_for(lambda s: s.topic("lab06-orders").partitions[0].leader == 104, 60, "104 to lead")
there = brokers.read(cluster, "lab06-orders")

# %% covers="unclean-loses"
hurry.compare({5: "all five", 3: "orders 1 to 3"}.get(len(there), "none"), f"He reads {there}.")

# %% covers="unclean-loses"
acknowledged = ["order 1", "order 2", "order 3", "order 4", "order 5"]
print("lost:", [order for order in acknowledged if order not in there])
# <output>
# lost: ['order 4', 'order 5']
# </output>

# %% [markdown] covers="unclean-loses min-insync"
# Two orders are gone, although Kafka had acknowledged them with `acks="all"`. They're still on
# 103's disk, but that doesn't help: when 103 comes back, it must follow 104, and *cuts off* what
# 104 doesn't have. (Each new leader gets a higher number, the **leader epoch**, and every batch
# carries it. That's how 103 finds where the logs part.) Can it happen in an ordinary, clean
# election, too? That depends on `acks`, and you'll try it in lab 07.
#
# `lab06-strict` refused order 4. An error at once is better than a loss later, so orders get the
# same minimum now:

# %% covers="min-insync"
admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)
minimum = {"min.insync.replicas": "2"}
print(admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, "lab06-orders", minimum)]))
# <output>
# {'topic': {'lab06-orders': 'OK'}}
# </output>

# %% [markdown]
# The alarms have no leader either. Now you heal them. Keep the order: first a leader, and then the
# settings, because Kafka 4 forgets its `Elr` when the minimum changes. And take a new admin client
# once the broker is up.
#
# {{exercise 06.6}}

# %% exercise="06.6" covers="heal-without-loss min-insync"
# <solution blank="saved = ...">
cluster.broker(103).start()
cluster.wait_for(lambda s: s.topic("lab06-alarms").partitions[0].leader, 60, "a leader")
client = KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)
client.alter_partition_reassignments({TopicPartition("lab06-alarms", 0): [103, 104, 101]})
client.alter_configs(
    [ConfigResource(ConfigResourceType.TOPIC, "lab06-alarms", {"min.insync.replicas": "2"})]
)
cluster.wait_for(lambda s: len(s.topic("lab06-alarms").partitions[0].isr) == 3, 60, "three copies")
client.close()
saved = brokers.read(cluster, "lab06-alarms")
# </solution>
q6.check(saved)

# %% [markdown] covers="heal-without-loss replication-factor"
# The best cure was patience: the last in-sync replica comes back, and everything is there. Three
# copies and a minimum of 2 are the usual choice. Give brokers a *rack* label, too; then Kafka puts
# the copies into different racks, which don't share a plug.
#
# **Why?** In one sentence: why can a record be lost that Kafka acknowledged with `acks="all"`?
# Double-click here and write it down. It isn't graded.
#
# *My sentence:* …
#
# <details><summary>Ours</summary>Because "all" means all replicas that are in sync, and that can be
# a single one: if its disk is lost, or a copy without the record is made the leader, the record is
# gone.</details>
#
# ## Your points

# %%
print(lab.score())
# <output>
# ✓ 06.1 Nothing on 102: right
# ✓ 06.2 Which copies are missing?: right
# ✓ 06.3 Give it back: right
# ✓ 06.4 What still works?: right
# ✓ 06.5 Safe, and still open: right
# ✓ 06.6 Heal the alarms: right
# 9 of 9 points
# </output>

# %% tags=["progress"]
lab.progress()

# %% [markdown]
# ## Clean up
#
# The dead brokers start, the topics of this lab are deleted, and 104 and 105 leave.

# %% tags=["clean-up"]
jon.close()
admin.close()
lab.tidy()
brokers.as_before(cluster, "lab06-")
print("tidy")
# <output>
# tidy
# </output>

# %% [markdown]
# **You can now** read a topic's replicas and ISR, say who can read and write when brokers are gone,
# hand leadership back, and heal a topic without losing a record.
#
# **The words you own now:** *replica, replication factor, in-sync replicas, controller, failover,
# preferred leader, under-replicated, min.insync.replicas, unclean leader election, leader epoch*.
#
# **Where next?** [07 · Producers and acks](07_producers_and_acks.ipynb): what a producer is told,
# and what it can believe.
