# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kafkalab:
#     title: Consumer groups
#     can: share a topic among readers, see who reads what, and let one take over from another
#     after: ["02a", "04"]
#     memory: 1.5 GB
#     seconds: 45
#     big: ["08a.4", "08a.5"]
#     teaches:
#     - KafkaConsumer.group_id
#     - KafkaConsumer.subscribe
#     - KafkaConsumer.assignment
#     - KafkaConsumer.close
#     - KafkaAdminClient.describe_groups
#     - KafkaAdminClient.list_group_offsets
#     - kafka-consumer-groups --describe
# ---

# %% [markdown]
# # 08a · Consumer groups: who reads what?
#
# A thousand trucks report to one topic, and two teams need every report: Aylin's dashboard team,
# and Pavel's alarm team. Aylin's program can't keep up alone, so she starts it twice, and the two
# should share the work. Pavel starts several as well, so that one can fail at night.
#
# So there are many readers of one topic. Who gets what, and who takes over when one of them dies?
# You find out with real readers, some of them in processes of their own, so that you can kill them.
#
# | | |
# |---|---|
# | **You will** | read alone and in groups, kill a reader, kill a broker, separate two services |
# | **You learn** | group id, members, standing by, takeover, lag, the group coordinator |
# | **You need** | about {{minutes}} minutes, 1.5 GB of free memory, labs [02a](02a_topics_partitions_offsets.ipynb) and [04](04_keys_and_order.ipynb) |

# %% tags=["set-up"] jupyter={"source_hidden": true}
# Set-up: takes your running cluster or starts one, and removes what an earlier run left.
import time

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition

from kafkalab import GroupView  # draws who reads what in a group, and who did before
from kafkalab import Lab  # this lab, on your cluster
from kafkalab import LogView  # draws the records of a topic
from kafkalab import Prediction  # asks for your guess
from kafkalab.course.members import Members  # consumers that can be killed

lab = Lab("08a")
cluster = lab.cluster
q1, q2, q3, q4, q5 = lab.exercises
cluster

# %% [markdown]
# ## 1 · Two readers who don't know each other
#
# We begin with two topics: one has a single partition, the other has two. `fill` sends six records
# to each partition:

# %%
admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)
producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all")


def fill(topic, partitions, each=6):
    for number in range(each * partitions):
        value = f"A{number:02}".encode()
        producer.send(topic, value=value, partition=number % partitions)
    producer.flush()


# %%
sizes = {"lab08a-one": 1, "lab08a-two": 2}
new = {topic: {"num_partitions": n, "replication_factor": 3} for topic, n in sizes.items()}
print(len(admin.create_topics(new, wait_for_metadata=True)["topics"]), "topics")
for topic, partitions in sizes.items():
    fill(topic, partitions)
# <output>
# 2 topics
# </output>

# %% [markdown]
# In 02a you *assigned* partitions to a consumer. Now you only say which topic you want: you
# **subscribe**, and which partitions you get isn't your business any more. `earliest` means that a
# reader whose place Kafka doesn't know begins at the oldest record.


# %%
def reader(name, topic, group=None):
    consumer = KafkaConsumer(
        client_id=name,
        group_id=group,
        bootstrap_servers=cluster.bootstrap_servers,
        auto_offset_reset="earliest",
        heartbeat_interval_ms=500,  # tells Kafka twice a second that it's there
    )
    consumer.subscribe([topic])
    return consumer


# %% [markdown]
# `read_on` polls until the consumer is at the end of every partition that it got:


# %%
def read_on(consumer):
    def behind():
        ends = consumer.end_offsets(consumer.assignment())
        return not ends or any(consumer.position(place) < end for place, end in ends.items())

    records = []
    while behind():
        for polled in consumer.poll(timeout_ms=10_000).values():
            records += polled
    return records


# %% covers="no-group"
left = Prediction(
    "C1 has read the one partition to its end, 6 records. Now C2 comes. How many does it get?",
    ["none: C1 has taken them", "only what is sent from now on", "all 6"],
)
left

# %% covers="no-group"
c1, c2 = reader("C1", "lab08a-one"), reader("C2", "lab08a-one")
got = [len(read_on(consumer)) for consumer in (c1, c2)]

# %% covers="no-group"
left.compare("all 6" if got[1] == 6 else "none: C1 has taken them", f"C1 and C2 got {got}.")

# %% [markdown] covers="no-group"
# You've seen it in 02a: reading takes nothing out of a log. And with two partitions, each of our
# two readers reads both:

# %% covers="no-group"
for consumer in (c1, c2):
    print(len(read_on(reader(consumer.config["client_id"], "lab08a-two"))))
# <output>
# 12
# 12
# </output>

# %% [markdown]
# {{exercise 08a.1}}


# %% exercise="08a.1" covers="no-group"
def together(records, readers):
    # <solution>
    return records * readers
    # </solution>


q1.check(together)

# %% [markdown] covers="no-group"
# Our two readers don't even notice each other. For example, if C2 goes back to offset 2, C1 stays
# at 6. Find the marks of both:

# %% picture="no-group" covers="no-group" shows="C1 | C2"
c2.seek(TopicPartition("lab08a-one", 0), 2)
log = LogView(cluster, "lab08a-one")
log.follow("C1", c1)
log.follow("C2", c2)
log

# %% [markdown] covers="group-id"
# ## 2 · One name makes them a group
#
# For Aylin that's no help: if she starts her program twice, both do the whole work. So she gives
# them a **group id**, the same text in both programs. That's all it takes. C1 is yours, here in the
# kernel. As long as it's alone, it gets everything:

# %% covers="group-id exclusive"
mine = reader("C1", "lab08a-two", group="lab08a-dashboard")
read_on(mine)
print(sorted(place.partition for place in mine.assignment()))
# <output>
# [0, 1]
# </output>

# %% [markdown] covers="group-id"
# `Members` starts further consumers. Each is a program of its own with the same settings, as if it
# ran on another of Aylin's machines. C2 joins, and then we send six more records to each partition.

# %% covers="exclusive"
shared = Prediction(
    "C1 and C2 are one group now. Which of the 12 new records does C1 get?",
    ["all 12, and so does C2", "every other record", "all 6 of one partition"],
)
shared

# %% covers="exclusive group-id"
screens = Members(cluster, "lab08a-two", "lab08a-dashboard")
before = mine.assignment()
screens.start("C2")
while mine.assignment() == before:  # until the two have agreed
    mine.poll(timeout_ms=3000)
fill("lab08a-two", 2)
records = read_on(mine)

# %% covers="exclusive group-id"
if len(records) == 12:
    outcome = "all 12, and so does C2"
else:
    one = len({record.partition for record in records}) == 1
    outcome = "all 6 of one partition" if one else "every other record"
shared.compare(outcome, f"C1 got {len(records)}, from P{records[0].partition}.")

# %% picture="one-group" covers="exclusive group-id" shows="C1 | C2 | Stable | lag 0"
screens.settled()
mine.commit()  # tells Kafka how far C1 has come
cluster.wait_for(lambda s: s.group("lab08a-dashboard").lag == 0)
GroupView.of(cluster.snapshot(), "lab08a-dashboard")  # as it is now

# %% [markdown] covers="exclusive group-id"
# Without a group we'd have four lines, and here are two: in a group, each partition has exactly
# *one* reader. You may hear that Kafka deals out records. The *share groups* of Kafka 4 do that,
# but a consumer group deals out whole partitions. That's good for Jon, who needs each truck's
# reports in order: what's in order in a partition (lab 04) stays in order for its reader. A group
# isn't a filter, and it isn't part of the topic, either. It's a name under which consumers share
# partitions. You can ask who its **members** are:

# %% covers="exclusive group-id"
found = admin.describe_groups(["lab08a-dashboard"])["lab08a-dashboard"]
for member in sorted(found["members"], key=lambda member: member["client_id"]):
    print(member["client_id"], member["member_assignment"]["assigned_partitions"])
mine.close()
screens.close("C2")
# <output>
# C1 [{'topic': 'lab08a-two', 'partitions': [0]}]
# C2 [{'topic': 'lab08a-two', 'partitions': [1]}]
# </output>

# %% [markdown] covers="shared-out idle"
# Two and two go together well. What if the numbers don't? Here are three more groups:

# %% covers="shared-out idle more-members"
cases = {
    "6p": "6 partitions, 2 members",
    "4p": "4 partitions, 3 members",
    "3p": "3 partitions, 4 members",
}
split = Prediction.arrangement(
    "How is the work shared?",
    chips=cases,
    places=["all read equally much", "all read, some more than others", "one reads nothing"],
    nowhere="not placed",
)
split


# %% covers="shared-out idle"
def group_of(partitions, members):
    topic = f"lab08a-{partitions}p"
    cluster.create_topic(topic, partitions=partitions)
    group = Members(cluster, topic, topic)
    group.start(*(f"C{number + 1}" for number in range(members)))
    owned = group.settled()
    group.close(*owned)
    return owned


owned = {"6p": group_of(6, 2), "4p": group_of(4, 3), "3p": group_of(3, 4)}

# %% covers="shared-out idle more-members"
happened = {}
for case, owners in owned.items():
    counts = {len(held) for held in owners.values()}
    happened[case] = (
        "one reads nothing"
        if 0 in counts
        else "all read equally much"
        if len(counts) == 1
        else "all read, some more than others"
    )
split.compare(happened, "; ".join(f"{cases[case]}: {owned[case]}" for case in owned))

# %% covers="shared-out idle more-members"
for owners in owned.values():
    print(owners)
# <output>
# {'C1': [0, 1, 2], 'C2': [3, 4, 5]}
# {'C1': [0, 1], 'C2': [2], 'C3': [3]}
# {'C1': [0], 'C2': [1], 'C3': [2], 'C4': []}
# </output>

# %% [markdown] covers="shared-out idle more-members"
# "Evenly" means as evenly as whole partitions allow, because a partition can't be halved. So with 4
# partitions, C1 has twice the work of the others. With 3 partitions, C4 **stands by**: it costs you
# a process, and makes nothing faster. If you want more readers to work, you need more partitions.
#
# Is that the only possible plan? No: P0 and P3 for C1, for example, would do as well. In
# [lab 08b](08b_rebalancing.ipynb) you choose the plan, and find out who makes it.
#
# {{exercise 08a.2}}


# %% exercise="08a.2" covers="idle exclusive group-id"
def owners(bootstrap_servers, group):
    # <solution>
    admin = KafkaAdminClient(bootstrap_servers=bootstrap_servers)
    found = {}
    for member in admin.describe_groups([group])[group]["members"]:
        topics = member["member_assignment"]["assigned_partitions"]
        found[member["client_id"]] = [p for topic in topics for p in topic["partitions"]]
    admin.close()
    return found
    # </solution>


q2.check(owners)

# %% [markdown] covers="standby"
# ## 3 · C2 dies at night
#
# Pavel's alarm team reads two partitions, and for the night it has three members. The third makes
# nothing faster, but that isn't what it's for:

# %% covers="standby"
alarms = Members(cluster, "lab08a-two", "lab08a-alarms")
alarms.start("C1", "C2", "C3")
cluster.wait_for(lambda s: [o.lag for o in s.group("lab08a-alarms").offsets] == [0, 0])
print(alarms.settled())
# <output>
# {'C1': [0], 'C2': [1], 'C3': []}
# </output>

# %% covers="standby"
chart = GroupView(cluster, "lab08a-alarms")
chart

# %% [markdown] covers="standby takeover"
# Keep this picture in sight when you run the next cells. We kill C2's process with `kill -9`, so
# that it can't say goodbye. Then we send new records.

# %% covers="takeover"
when = Prediction(
    "C3 is there, with nothing else to do. When does it read P1?",
    ["at once", "some seconds later", "not before C2 is started again"],
)
when

# %% covers="takeover lag"
place = TopicPartition("lab08a-two", 1)
killed = time.time()
alarms.kill("C2")
fill("lab08a-two", 2)
committed = admin.list_group_offsets("lab08a-alarms")["lab08a-alarms"][place].offset
print("P1:", c1.end_offsets([place])[place] - committed, "records wait")
owned = alarms.settled()
waited = time.time() - killed
print(owned)
# <output>
# P1: 6 records wait
# {'C1': [0], 'C3': [1]}
# </output>

# %% covers="takeover standby"
if "C3" not in owned or owned["C3"] != [1]:
    outcome = "not before C2 is started again"
else:
    outcome = "some seconds later" if waited > 4 else "at once"
when.compare(outcome, f"The group had settled again {waited:.1f} s after the kill.")

# %% [markdown] covers="takeover"
# Now C3 goes, too, but politely: it closes its consumer.

# %% covers="takeover standby"
alarms.close("C3")
print(alarms.settled())
# <output>
# {'C1': [0, 1]}
# </output>

# %% picture="takeover" covers="takeover standby" shows="C3 read on | C1 read on"
cluster.wait_for(lambda s: "then C1 read on" in repr(chart), 30, "the chart to be complete")
GroupView.of(cluster.snapshot(), "lab08a-alarms", chart.history)

# %% [markdown] covers="takeover standby lag"
# Compare the two gaps in P1's lane. Every member sends **heartbeats** to a broker, the group's
# **coordinator**. When they stop, the member may be dead, or its network may be slow. So the
# coordinator waits for the **session timeout** before it gives P1 to C3. We've set 6 seconds;
# kafka-python's default is 45 seconds (`session_timeout_ms`). C3 was different: its `close()` told
# the coordinator "I'm leaving", so there was nothing to wait for. Find the short gaps in P0, too:
# here, C1 paused as well while the partitions were dealt out anew. That's a *rebalance*, and who
# has to pause is the subject of lab 08b.
#
# You may read that a standby takes over *seamlessly*. It does take over, and no record is lost. But
# after a crash, the records of its partition wait for some seconds. How many wait is the group's
# **lag**: in each partition, the log's end minus the offset that the group has committed.
#
# {{exercise 08a.3}}


# %% exercise="08a.3" covers="takeover"
def shift(bootstrap_servers, topic, group_id):
    # <solution>
    consumer = KafkaConsumer(
        bootstrap_servers=bootstrap_servers, group_id=group_id, auto_offset_reset="earliest"
    )
    consumer.subscribe([topic])
    records = read_on(consumer)
    consumer.close()
    return [record.value.decode() for record in records]
    # </solution>


q3.check(shift)

# %% [markdown] covers="lag committed"
# {{exercise 08a.4}}


# %% exercise="08a.4" covers="lag committed"
def lag(bootstrap_servers, group, topic):
    # <solution>
    admin = KafkaAdminClient(bootstrap_servers=bootstrap_servers)
    done = admin.list_group_offsets(group)[group]
    admin.close()
    consumer = KafkaConsumer(bootstrap_servers=bootstrap_servers)
    places = [TopicPartition(topic, p) for p in consumer.partitions_for_topic(topic)]
    ends = consumer.end_offsets(places)
    consumer.close()
    return sum(end - (done[place].offset if place in done else 0) for place, end in ends.items())
    # </solution>


q4.check(lag)

# %% [markdown] covers="two-groups"
# ## 4 · Two groups, and a broker that dies
#
# Now both teams read one topic, `lab08a-a`. It has four partitions, led by two brokers. Aylin has
# C1 and C2, Pavel has C3 to C6. We choose the brokers so that one of them, `hub`, is also the
# coordinator of Pavel's group:

# %% covers="two-groups coordinator"
alarms.close("C1")
hub = cluster.snapshot().group("lab08a-alarms").coordinator
admin.delete_groups(["lab08a-dashboard", "lab08a-alarms"])  # what they had committed, too
other, third = (id for id in (101, 102, 103) if id != hub)
places = {0: [hub, other], 1: [other, hub], 2: [hub, other], 3: [other, hub]}
print(len(admin.create_topics({"lab08a-a": {"assignments": places}})["topics"]), "topic")
fill("lab08a-a", 4)
dashboard = Members(cluster, "lab08a-a", "lab08a-dashboard")
alarms = Members(cluster, "lab08a-a", "lab08a-alarms")
dashboard.start("C1", "C2")
alarms.start("C3", "C4", "C5", "C6")
# <output>
# 1 topic
# </output>

# %% [markdown]
# `saw` waits until a group has no lag, and returns all values that its members have read:


# %% covers="committed"
def saw(team):
    def at_the_end(s):
        group, partitions = s.group(team.group), s.topic(team.topic).partitions
        lags = [o.lag for o in group.offsets if o.topic == team.topic] if group else []
        return lags == [0] * len(partitions)

    cluster.wait_for(at_the_end, 60, "the group to reach the end")
    return sorted(value for records in team.read().values() for _, _, value in records)


# %% covers="two-groups one-logical"
both = Prediction(
    "24 records are in the topic. How many members read the first record of P0?",
    ["one: C1 or C3", "two: one of each group", "six: all of them"],
)
both

# %% covers="two-groups one-logical committed"
owned = {**dashboard.settled(), **alarms.settled()}
for team in (dashboard, alarms):
    saw(team)
readers = [
    name
    for team in (dashboard, alarms)
    for name, records in team.read().items()
    if any(record[:2] == (0, 0) for record in records)
]

# %% covers="one-logical two-groups"
outcomes = {1: "one: C1 or C3", 2: "two: one of each group"}
both.compare(outcomes.get(len(readers), "six: all of them"), f"These did: {readers}.")

# %% covers="two-groups one-logical"
print(owned)
# <output>
# {'C1': [0, 1], 'C2': [2, 3], 'C3': [0], 'C4': [1], 'C5': [2], 'C6': [3]}
# </output>

# %% covers="two-groups committed coordinator"
print(cluster.tool("kafka-consumer-groups", "--describe", "--group", "lab08a-alarms"))

# %% [markdown] covers="one-logical two-groups committed"
# To Kafka, each group is *one* reader: a record goes to one member of **each** group. The tool
# shows why Aylin and Pavel don't disturb each other. `CURRENT-OFFSET` is the offset that *this
# group* has committed. Kafka keeps one for each group and partition. (Is it the last record that
# was read, or the next one? See lab 09.)
#
# Now we kill `hub`, the broker that leads P0 and P2 and looks after Pavel's group.

# %% covers="broker-dies"
dies = Prediction(
    "What do Pavel's four members do?",
    [
        "they stop until the broker is back",
        "they begin again at the first record",
        "they wait a little, and read on where they were",
    ],
)
dies

# %% covers="broker-dies coordinator"
cluster.broker(hub).kill()
fill("lab08a-a", 4)
for team in (dashboard, alarms):
    saw(team)
read = [record[:2] for records in alarms.read().values() for record in records]

# %% covers="broker-dies coordinator"
if len(set(read)) < 48:
    outcome = "they stop until the broker is back"
elif len(read) > 60:
    outcome = "they begin again at the first record"
else:
    outcome = "they wait a little, and read on where they were"
dies.compare(outcome, f"They read {len(read)} records in all; the topic has 48.")

# %% covers="broker-dies coordinator"
print("the same owners:", alarms.settled() == {f"C{n + 3}": [n] for n in range(4)})
print("a new coordinator:", cluster.snapshot().group("lab08a-alarms").coordinator != hub)
# <output>
# the same owners: True
# a new coordinator: True
# </output>

# %% picture="broker-dies" covers="broker-dies two-groups" shows="2 of 3 brokers up | lab08a-a"
cluster.view(topic="lab08a-a").moment("lab08a-a: one of its two brokers is down")

# %% [markdown] covers="broker-dies coordinator committed"
# Find who leads P0 and P2 now. When a *broker* dies, no member has died, so each partition keeps
# its reader. The readers ask the other brokers who leads now, and go on there.
#
# The coordinator is replaced, too. Kafka writes the committed offsets into a topic of its own,
# `__consumer_offsets`. The group's id chooses one of its partitions, and the broker that leads it
# is the coordinator. That partition has copies like any other. So the next leader knows all that
# the old one knew. One thing is left for your own programs: at such a moment, kafka-python's `poll`
# may raise a `KafkaConnectionError`. Our members then simply poll again.

# %%
cluster.broker(hub).start()
dashboard.close("C1", "C2")
alarms.close("C3", "C4", "C5", "C6")

# %% [markdown] part="finale" covers="one-logical group-id"
# ## 5 · Half of the alarms are missing
#
# Pavel has two programs. The *pager* calls the driver, and the *archive* writes down each alert.
# Both need every alert. A colleague copied the settings from one to the other, started both, and
# went on holiday. Then 40 alerts come:

# %% covers="one-logical group-id"
cluster.create_topic("lab08a-alerts", partitions=2)
services = {}
for name in ("pager", "archive"):
    services[name] = Members(cluster, "lab08a-alerts", "lab08a-service")
    services[name].start(name)
services["pager"].settled()
fill("lab08a-alerts", 2, each=20)
print({name: len(saw(service)) for name, service in services.items()})
# <output>
# {'pager': 20, 'archive': 20}
# </output>

# %% [markdown]
# One alert is about a flat tyre on Mara's truck, T0005. Only one of the two programs knows of it.

# %% covers="lag one-logical"
alarm = Prediction(
    "Pavel's monitoring watches the lag of the group. What does it show?",
    ["20: each program lacks 20", "40: no alert went to both", "0"],
)
alarm

# %% covers="lag one-logical"
behind = cluster.snapshot().group("lab08a-service").lag
alarm.compare(
    {0: "0", 20: "20: each program lacks 20"}.get(behind, "40: no alert went to both"),
    f"It's {behind}.",
)

# %% [markdown] covers="one-logical group-id lag"
# There's no error and no lag, because *as a group* they've read everything. From outside, nothing
# looks wrong. Both programs keep their alerts in memory, so each begins empty when you start
# it again. Think of the old group id, too: for that group, all 40 alerts are done.
#
# {{exercise 08a.5}}

# %% exercise="08a.5" covers="one-logical group-id"
# <solution blank="seen = ...">
for name, service in list(services.items()):
    service.close()
    services[name] = Members(cluster, "lab08a-alerts", f"lab08a-{name}")
    services[name].start(name)
seen = {name: saw(service) for name, service in services.items()}
# </solution>
q5.check(seen)

# %% [markdown]
# **Why?** In one sentence: when do you give two programs the same group id, and when not?
# Double-click here and write it down. It isn't graded.
#
# *My sentence:* …
#
# <details><summary>Ours</summary>The same id if they share one job, so that each record is done
# once; different ids if they have different jobs, so that each gets every record.</details>
#
# ## Your points

# %%
print(lab.score())
# <output>
# ✓ 08a.1 How many in all?: right
# ✓ 08a.2 Who owns what?: right
# ✓ 08a.3 A clean goodbye: right
# ✓ 08a.4 How much waits?: right
# ✓ 08a.5 Repair the two services: right
# 10 of 10 points
# </output>

# %% tags=["progress"]
lab.progress()

# %% [markdown]
# ## Clean up
#
# The members end, and the topics and groups of this lab are deleted. Your cluster goes on for the
# next lab.

# %% tags=["clean-up"]
for one in (*services.values(), mine, screens, dashboard, alarms, c1, c2, producer, admin):
    one.close()
lab.tidy()
print("tidy")
# <output>
# tidy
# </output>

# %% [markdown]
# **You can now** share a topic among the members of a group, give each service a group of its own,
# see who reads what and how much waits, and let a member leave so that the next takes over at once.
#
# **The words you own now:** *consumer group, group id, member, standing by, heartbeat, session
# timeout, lag, group coordinator*.
#
# **Where next?** [08b · Rebalancing](08b_rebalancing.ipynb): who deals out the partitions, and who
# has to stop reading meanwhile?
