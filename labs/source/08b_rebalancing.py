# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kafkalab:
#     title: Rebalancing
#     can: tell who stops reading when a group changes, and calm a group that never settles
#     after: ["08a"]
#     memory: 1.4 GB
#     seconds: 50
#     big: ["08b.2", "08b.5"]
#     teaches:
#     - KafkaConsumer.partition_assignment_strategy
#     - KafkaAdminClient.describe_groups
#     - kafka-consumer-groups --describe --members
#     - kafka-consumer-groups --describe --state
#     - KafkaConsumer.max_poll_interval_ms
#     - KafkaConsumer.max_poll_records
# ---

# %% [markdown]
# # 08b · Rebalancing: who stops reading when a member joins?
#
# It's rush hour, and Aylin's dashboard can't keep up. She starts a third consumer in its group, to
# help the other two. At that moment something on the dashboard stands still, and then it goes on.
# Nothing is broken. The group had to agree anew who reads what.
#
# That's a **rebalance**. It happens each time a member joins, leaves or falls silent. In this lab
# you find out who shares out the partitions and who has to stop for it, and you calm a group that
# rebalances again and again.
#
# | | |
# |---|---|
# | **You will** | compare three ways to rebalance, write your own assignor, calm a storm |
# | **You learn** | assignors, coordinator, generation, eager, cooperative, KIP-848, the poll loop |
# | **You need** | about {{minutes}} minutes, 1.4 GB of free memory, [lab 08a](08a_consumer_groups.ipynb) |

# %% tags=["set-up"] jupyter={"source_hidden": true}
# Set-up: takes your running cluster or starts one, and removes what an earlier run left.
from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer
from kafka.coordinator.assignors.range import RangePartitionAssignor

from kafkalab import Cluster  # starts a small second cluster, for the newest protocol
from kafkalab import Lab  # this lab, on your cluster
from kafkalab import Prediction  # asks for your guess
from kafkalab.course.lab_08b.watched import Watched  # consumers in processes of their own
from kafkalab.course.lab_08b.watched import poll_in_turn  # polls until each has its partitions

lab = Lab("08b")
cluster = lab.cluster
q1, q2, q3, q4, q5 = lab.exercises
cluster

# %% [markdown] covers="range-per-topic"
# ## 1 · Which member gets what?
#
# Let's say that the dashboard reads two topics with four partitions each. We start three members,
# each in a process of its own (that's what `Watched` does), and leave the sharing to kafka-python.
# Its first choice is called `range`.

# %% covers="range-per-topic"
admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)
four = {"num_partitions": 4, "replication_factor": 3}
topics = {"lab08b-gps": four, "lab08b-alarms": four}
created = admin.create_topics(topics, wait_for_metadata=True)["topics"]

# %% covers="always-even"
even = Prediction.arrangement(
    "Eight partitions and three members. How many does each member get?",
    chips=["C1", "C2", "C3"],
    places=["2 partitions", "3 partitions", "4 partitions"],
    nowhere="not placed",
)
even

# %% covers="range-per-topic"
by_range = Watched(cluster, "lab08b-gps,lab08b-alarms", "lab08b-range")
by_range.join("C1", "C2", "C3")

# %% covers="always-even range-per-topic"
members = cluster.snapshot().group("lab08b-range").members
even.compare(
    {member.client_id: f"{len(member.partitions)} partitions" for member in members},
    "C1 got half of them.",
)

# %% [markdown] covers="range-per-topic"
# You can ask the cluster who has what. Your admin client describes the group:


# %% covers="range-per-topic"
def shares(group):
    (found,) = admin.describe_groups([group]).values()
    print(found["protocol_data"])
    for member in sorted(found["members"], key=lambda one: one["client_id"]):
        topics = member["member_assignment"]["assigned_partitions"]
        print(member["client_id"], {one["topic"]: one["partitions"] for one in topics})


shares("lab08b-range")
# <output>
# range
# C1 {'lab08b-alarms': [0, 1], 'lab08b-gps': [0, 1]}
# C2 {'lab08b-alarms': [2], 'lab08b-gps': [2]}
# C3 {'lab08b-alarms': [3], 'lab08b-gps': [3]}
# </output>

# %% [markdown] covers="always-even range-per-topic"
# You see that `range` shares out each topic on its own. Four partitions for three members make
# 2, 1, 1. The member whose id comes first gets the extra one, and it gets one in *every* topic. If
# your group reads ten such topics, C1 has 20 partitions and the others have 10 each. So don't
# expect even shares: they're as even as the **assignor** makes them.
#
# {{exercise 08b.1}}


# %% exercise="08b.1" covers="range-per-topic always-even"
def largest(topics, partitions, members):
    # <solution>
    return topics * -(-partitions // members)
    # </solution>


q1.check(largest)

# %% [markdown] covers="round-robin"
# You can choose another assignor. `roundrobin` puts the partitions of all topics in one row, and
# deals them out like cards:

# %% covers="round-robin"
by_robin = Watched(
    cluster, "lab08b-gps,lab08b-alarms", "lab08b-robin", partition_assignment_strategy="roundrobin"
)
by_robin.join("C1", "C2", "C3")
shares("lab08b-robin")
# <output>
# roundrobin
# C1 {'lab08b-alarms': [0, 3], 'lab08b-gps': [2]}
# C2 {'lab08b-alarms': [1], 'lab08b-gps': [0, 3]}
# C3 {'lab08b-alarms': [2], 'lab08b-gps': [1]}
# </output>

# %% [markdown]
# In a terminal, you'd use Kafka's own tool. Look at the column `#PARTITIONS`:

# %% covers="round-robin"
cluster.tool("kafka-consumer-groups", "--describe", "--group", "lab08b-robin", "--members")

# %% [markdown]
# {{exercise 08b.2}}


# %% exercise="08b.2" covers="round-robin"
def deal(topics, members):
    # <solution>
    row = [(topic, number) for topic, size in topics.items() for number in range(size)]
    return {member: row[place :: len(members)] for place, member in enumerate(members)}
    # </solution>


q2.check(deal)

# %% [markdown]
# {{exercise 08b.3}}


# %% exercise="08b.3" covers="coordinator always-even"
def loads(bootstrap_servers, group):
    # <solution>
    admin = KafkaAdminClient(bootstrap_servers=bootstrap_servers)
    (found,) = admin.describe_groups([group]).values()
    admin.close()
    held = {}
    for member in found["members"]:
        topics = member["member_assignment"]["assigned_partitions"]
        held[member["client_id"]] = sum(len(one["partitions"]) for one in topics)
    return held
    # </solution>


q3.check(loads)

# %% [markdown] covers="client-assigns"
# But *who* runs the assignor? Let's write our own. It does what `range` does, but it notes each
# call. We call it `telling`:

# %% covers="client-assigns"
called = []


class Telling(RangePartitionAssignor):
    name = "telling"

    def __init__(self, client_id):
        self.client_id = client_id

    def assign(self, cluster, members):
        called.append(self.client_id)
        return super().assign(cluster, members)


# %% covers="client-assigns"
decides = Prediction(
    "Two members use this assignor. Who decides which of them reads what?",
    ["a broker", "each member for itself", "one of the members, for all"],
)
decides

# %% covers="client-assigns"
pair = [
    KafkaConsumer(
        "lab08b-gps",
        bootstrap_servers=cluster.bootstrap_servers,
        group_id="lab08b-telling",
        heartbeat_interval_ms=500,
        partition_assignment_strategy=[Telling(client_id)],
    )
    for client_id in ("C1", "C2")
]
poll_in_turn(pair, until=2)

# %% covers="client-assigns"
outcome = {0: "a broker", 1: "one of the members, for all"}
decides.compare(
    outcome.get(len(set(called)), "each member for itself"),
    f"The assignor was called in {' and '.join(sorted(set(called))) or 'none of them'}.",
)

# %% picture="group" covers="coordinator generation" shows="coordinator | generation | range | C1 /127.0.0.1 lab08b-alarms P0–P1, lab08b-gps P0–P1"
by_range.moment()

# %% [markdown] covers="client-assigns coordinator generation"
# Read the line at the top of the picture. A broker is your group's **coordinator**. It keeps the
# list of members, and each rebalance begins a new **generation**. But it doesn't know how to share
# out the partitions. It asks one of the clients, the *leader of the group* (this has nothing to do
# with a partition's leader), and passes that plan on to all members. The broker doesn't even read
# the plan. That's why you could bring your own assignor, with a name that your brokers have never
# heard.
#
# ## 2 · C3 joins
#
# Now let's watch a rebalance. The trucks' topic has six partitions, with 1000 reports in each of
# them. We begin with two members. Each gets one report with each poll, by `max_poll_records=1`.

# %% covers="eager-all-stop"
for consumer in pair:
    consumer.close()
for group in (by_range, by_robin):
    group.leave()


def fill(where):
    where.create_topic("lab08b-trucks", partitions=6)
    producer = KafkaProducer(bootstrap_servers=where.bootstrap_servers)
    for number in range(6000):
        producer.send("lab08b-trucks", value=f"R{number}".encode(), partition=number % 6)
    producer.close()


# %% covers="eager-all-stop"
fill(cluster)
# Each report takes 0.02 seconds (pace), so that there's work for the whole experiment.
eager = Watched(cluster, "lab08b-trucks", "lab08b-eager", pace=0.02, max_poll_records=1)
eager.join("C1")
eager.join("C2")
print(eager.settled())
# <output>
# {'C1': [0, 1, 2], 'C2': [3, 4, 5]}
# </output>

# %% covers="eager-all-stop"
partitions = [f"P{number}" for number in range(6)]
stops = Prediction.arrangement(
    "C3 joins. Which partitions have no reader for a moment, and which are read all the time?",
    chips=partitions,
    places=["no reader", "read all the time"],
    nowhere="not placed",
)
stops

# %% [markdown] covers="slow-holds-all"
# To see it better, we slow C2 down: from now on, it needs 2.5 seconds for each report.

# %% covers="eager-all-stop slow-holds-all"
eager.slow_down("C2", 2.5)
eager.join("C3")

# %% covers="eager-all-stop"
stopped = {pause["partition"]: pause["seconds"] for pause in eager.pauses()}
stops.compare(
    {p: "no reader" if int(p[1:]) in stopped else "read all the time" for p in partitions},
    f"P0, which C1 had and kept, had no reader for {stopped.get(0, 0):.2f} s.",
)

# %% picture="eager" covers="eager-all-stop slow-holds-all" shows="nobody read P0–P1 for | nobody read P2 for | nobody read P3 for | nobody read P4–P5 for"
eager.moment()

# %% [markdown] covers="eager-all-stop slow-holds-all"
# Find the last gap in each lane: there's one in *every* lane, although C1 kept P0. This way to
# rebalance is called **eager**: each member gives up everything, and asks to join again. C1 heard
# of C3 with its next heartbeat, and stopped at once. Then it waited, because the coordinator waits
# for all members. A member takes part when it *polls*, and C2 first had to finish its report. It
# came last, so its own gaps are tiny. A slow member doesn't only delay itself: your quick members
# wait for it, too.
#
# You choose another way with the assignor. In your own program you'd import
# `CooperativeStickyAssignor`; our `Watched` knows it by name.

# %% covers="cooperative-few"
eager.leave()
cooperative = Watched(
    cluster,
    "lab08b-trucks",
    "lab08b-cooperative",
    partition_assignment_strategy="cooperative",
    pace=0.02,
    max_poll_records=1,
)
cooperative.join("C1")
cooperative.join("C2")

# %% covers="cooperative-few"
fewer = Prediction(
    "C1 and C2 have three partitions each, and C3 joins. How many lose their owner for a moment?",
    ["none", "two: those that C3 gets", "three: all of one member", "all six, as before"],
)
fewer

# %% covers="cooperative-few"
cooperative.slow_down("C2", 2.5)
cooperative.join("C3")

# %% covers="cooperative-few not-free"
stopped = {pause["partition"]: pause["seconds"] for pause in cooperative.pauses()}
outcome = {0: "none", 2: "two: those that C3 gets", 3: "three: all of one member"}
fewer.compare(
    outcome.get(len(stopped), "all six, as before"),
    f"No owner: {', '.join(f'P{p} for {s:.2f} s' for p, s in sorted(stopped.items()))}.",
)

# %% picture="cooperative" covers="cooperative-few not-free generation" shows="cooperative-sticky | then C3 read on"
cooperative.moment()

# %% [markdown] covers="cooperative-few not-free"
# When C3 joins, four lanes go on without a gap, because their owners keep them. (A lane shows who
# *owns* a partition. With Java's client, C1 also reads on meanwhile. kafka-python's `poll` returns
# nothing until the join is over.) The numbers above the lanes are the generations. In one of them,
# C1 and C2 let go of what moves, and of nothing else. In the next one, C3 gets it. That isn't free,
# either: we needed at least two rebalances in place of one, each of them waited for C2, and so did
# the two partitions that move.
#
# {{exercise 08b.4}}


# %% exercise="08b.4" covers="eager-all-stop cooperative-few"
def without_reader(before, after, cooperative):
    # <solution>
    now = {p: member for member, partitions in after.items() for p in partitions}
    return [
        p
        for member, partitions in before.items()
        for p in partitions
        if not cooperative or now.get(p) != member
    ]
    # </solution>


q4.check(without_reader)

# %% [markdown] covers="kip-848"
# ## 3 · The coordinator takes over
#
# Since Kafka 4 you can have a newer protocol, KIP-848, in which the *coordinator* shares out the
# partitions. You switch it on in each consumer, with `group.protocol=consumer`. kafka-python can't
# do that yet, so our members use confluent-kafka here. We start a small Kafka 4 for them, and let
# them send a heartbeat every 0.5 seconds. (The default is every 5 seconds.)

# %% covers="kip-848"
name = "heartbeat.interval.ms"
often = {f"group.consumer.{name}": "500", f"group.consumer.min.{name}": "500"}
new = Cluster(brokers=1, mode="kraft", quiet=True, settings=often)
fill(new)
newer = Watched(new, "lab08b-trucks", "lab08b-newer", protocol="consumer", pace=0.02)
newer.join("C1", "C2")

# %% covers="kip-848 slow-holds-all"
waits = Prediction(
    "C2 begins a record that takes 5 seconds, and C3 joins. C3 is to get one partition of C1, and "
    "one of C2. When does it get the one of C1?",
    ["when C1 and C2 have both let go", "when C1 has let go", "at once: both read it for a while"],
)
waits

# %% covers="kip-848"
newer.slow_down("C2", 5)
newer.join("C3")

# %% covers="kip-848 slow-holds-all"
heard = sorted(newer.history()["heard"], key=lambda one: one["at"])
reports = [one for one in heard if one["partitions"]]
last = max(place for place, one in enumerate(reports) if one["client"] == "C1")
seen = [(one["client"], one["what"]) for one in reports[last:]]
outcome = {0: "when C1 has let go", 1: "when C1 and C2 have both let go"}
if seen[0] != ("C1", "revoked"):
    outcome = {}
waits.compare(
    outcome.get(seen.index(("C3", "assigned")) - 1, "at once: both read it for a while"),
    f"In order: {', '.join(' '.join(one) for one in seen)}.",
)

# %% picture="newer" covers="kip-848" shows="consumer protocol | then C3 read on"
newer.moment()

# %% covers="kip-848 client-assigns"
new.tool("kafka-consumer-groups", "--describe", "--group", "lab08b-newer", "--state")

# %% [markdown] covers="kip-848 client-assigns"
# Find the last two gaps, which are the top two lines of the list: they aren't at the same time. The
# coordinator tells each member on its own what to give up, in its answer to a heartbeat, and your
# group never has to meet. C2 delays only what it holds itself. The tool names the coordinator's
# assignor, `uniform`, and the picture counts *epochs* in place of generations.

# %% [markdown] part="finale" covers="poll-interval"
# ## 4 · The group that never settles
#
# Pavel's alarm group has two members, and each alarm takes them 0.1 seconds. Pavel wants to know
# soon if a member hangs, so he has set `max_poll_interval_ms` to 2000. A consumer polls, works, and
# polls again: that's its **poll loop**. If it doesn't *poll* for that long, it counts as stuck, and
# it leaves the group. (The default is five minutes.) Its heartbeats don't help, because a
# background thread sends them. Now 80 alarms come, which should be four seconds of work for the
# two.

# %% covers="storm poll-interval"
two = {"num_partitions": 2, "replication_factor": 3}
admin.create_topics({"lab08b-storm": two}, wait_for_metadata=True)
storm = Watched(
    cluster, "lab08b-storm", "lab08b-storm", reports=False, pace=0.1, max_poll_interval_ms=2000
)
storm.join("C1", "C2")
# Both commit where they are, at offset 0:
cluster.wait_for(lambda s: [o.committed for o in s.group("lab08b-storm").offsets] == [0, 0])
before = len(storm.history()["numbers"])  # of the generations

# %% covers="storm"
done = Prediction(
    "Four rebalances later, how many of the 80 alarms are committed as done?",
    ["all 80: it only took longer", "about half", "none, or almost none"],
)
done

# %% covers="storm poll-interval"
producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, linger_ms=60_000)
for number in range(80):
    producer.send("lab08b-storm", value=f"A{number}".encode(), partition=number % 2)
producer.flush()
cluster.wait_for(lambda _: len(storm.history()["numbers"]) >= before + 4, 120, "the storm")
producer.close()

# %% covers="storm generation"
committed = storm.committed()
handled = sum(len(records) for records in storm.read().values())
if committed == 80:
    outcome = "all 80: it only took longer"
else:
    outcome = "none, or almost none" if committed < 20 else "about half"
done.compare(outcome, f"They have handled {handled} alarms by now, and {committed} are committed.")

# %% picture="storm" covers="storm not-free" shows="lab08b-storm | lag 80 | left"
storm.moment()

# %% [markdown] covers="storm poll-interval"
# Here you see the group as its coordinator saw it: members leave and come back all the time.
#
# A member gets up to 500 records with one poll, here all 40 of its partition. They take it 4
# seconds, but after 2 it's out. If the other member is still there, it gets that partition, too,
# and is even later. When a member polls again, it can't commit any more, because it's no longer in
# the group. So it joins again, and begins with the first alarm. That's a **rebalance
# storm**: your members are busy all the time, and you never get anything done.
#
# So a batch has to be done well before the interval is over. Can you calm Pavel's group?
#
# {{exercise 08b.5}}

# %% exercise="08b.5" covers="storm poll-interval"
# <solution blank="settings = ...">
settings = {"max_poll_interval_ms": 2000, "max_poll_records": 5}
# </solution>
q5.check(settings)

# %% [markdown]
# **Why?** In one sentence: why did every lane stop when C3 joined the eager group?
# Double-click here and write it down. It isn't graded.
#
# *My sentence:* …
#
# <details><summary>Ours</summary>Because in an eager rebalance all members give up all their
# partitions, and they get none back before the slowest of them has polled.</details>
#
# ## Your points

# %%
print(lab.score())
# <output>
# ✓ 08b.1 The largest share: right
# ✓ 08b.2 Deal them out: right
# ✓ 08b.3 Who has how many?: right
# ✓ 08b.4 Without a reader: right
# ✓ 08b.5 Calm the storm: right
# 10 of 10 points
# </output>

# %% tags=["progress"]
lab.progress()

# %% [markdown]
# ## Clean up
#
# The members leave, the small Kafka 4 stops, and the topics of this lab are deleted.

# %% tags=["clean-up"]
admin.close()
for group in (cooperative, newer, storm):
    group.leave()
new.stop()
lab.tidy()
print("tidy")
# <output>
# tidy
# </output>

# %% [markdown]
# **You can now** say who gets which partitions and who has to stop for it, choose an assignor, and
# set a poll loop so that its group stays calm.
#
# **The words you own now:** *rebalance, assignor, coordinator, leader of the group, generation,
# eager, cooperative, poll loop, rebalance storm*.
#
# **Where next?** [09 · Offsets and delivery](09_offsets_and_delivery.ipynb): what exactly is
# committed, when, and what does a crash make of it?
