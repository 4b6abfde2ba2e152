# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kafkalab:
#     title: Producers and acks
#     can: choose a producer's settings so that nothing is lost and nothing is stored twice
#     after: ["06"]
#     memory: 1 GB
#     seconds: 55
#     big: ["07.3", "07.5"]
#     teaches:
#     - KafkaProducer.acks
#     - KafkaProducer.flush
#     - KafkaProducer.linger_ms
#     - KafkaProducer.metrics
#     - KafkaProducer.request_timeout_ms
#     - KafkaProducer.enable_idempotence
#     - KafkaAdminClient.alter_configs
# ---

# %% [markdown]
# # 07 · Producers and acknowledgements: what is a receipt worth?
#
# You post a letter, and you get a receipt. But from whom? From the letter box, from one clerk, or
# from three clerks who have all made a copy? The word is the same. But which of these receipts
# helps you when a post office burns down?
#
# With a Kafka producer *you* choose who signs. In this lab you find out what each choice can lose,
# by really losing it, and what a producer does by itself when brokers fail.
#
# | | |
# |---|---|
# | **You will** | send in batches, lose records on purpose, kill a leader, make a follower hang, repair a producer |
# | **You learn** | acks, min.insync.replicas, futures, linger, retries, idempotence |
# | **You need** | about {{minutes}} minutes, 1 GB of free memory, [lab 06](06_replication.ipynb) |

# %% tags=["set-up"] jupyter={"source_hidden": true}
# Set-up: takes your running cluster or starts one, and removes what an earlier run left.
import logging
import time
from collections import Counter

from kafka import KafkaAdminClient, KafkaProducer
from kafka.admin import ConfigResource

import kafkalab.course.lab_07.trouble as trouble  # a steady rate, a figure, a leader's death
from kafkalab import DurabilityMatrix  # loses records in every way, and counts them
from kafkalab import Lab  # this lab, on your cluster
from kafkalab import Prediction  # asks for your guess
from kafkalab import read_all  # returns all records of a topic

logging.getLogger("kafka").setLevel(logging.CRITICAL)  # else it reports each broken connection
lab = Lab("07")
cluster = lab.cluster
q1, q2, q3, q4, q5 = lab.exercises
cluster

# %% [markdown] covers="send-background"
# ## 1 · What send() does
#
# Mara drives T0005. Her truck's program creates a producer and sends a position. `send()` returns
# at once, without an error.

# %% covers="send-background"
where = Prediction(
    "send() has returned. What do we know about Mara's record?",
    [
        "it is stored on the leader",
        "it is stored on all replicas",
        "only that her own program has it",
    ],
)
where

# %% covers="send-background"
cluster.create_topic("lab07-positions", partitions=3, replication=3)
mara = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, linger_ms=60_000)
future = mara.send("lab07-positions", key=b"T0005", value=b"leaving the depot")
after_send = len(read_all(cluster.bootstrap_servers, "lab07-positions"))
mara.flush()
after_flush = len(read_all(cluster.bootstrap_servers, "lab07-positions"))
print(f"records after send(): {after_send}, after flush(): {after_flush}")
# <output>
# records after send(): 0, after flush(): 1
# </output>

# %% covers="send-background"
where.compare(
    "it is stored on the leader" if after_send else "only that her own program has it",
    f"The topic had {after_send} records when send() had returned.",
)

# %% [markdown] covers="send-background receipt knows-where"
# `send()` only puts the record into a **batch** in the program's memory. A thread in the background
# takes the batch to the cluster, and we told it to wait for up to a minute (`linger_ms`). `flush()`
# says "go now", and waits for all the answers. `close()` does the same and ends the producer. If
# Mara's program had crashed in between, the record would be gone, and no error would tell her.
#
# How do you learn what became of a record? `send()` gives you a **future**. `future.get()` waits
# for the receipt, or raises the error. And `future.add_callback()` takes a function that is called
# with the receipt.

# %% covers="receipt knows-where"
receipt = future.get(timeout=60)
mara.close()
print(f"partition {receipt.partition}, offset {receipt.offset}")
# <output>
# partition 0, offset 0
# </output>

# %% [markdown] covers="receipt knows-where"
# Mara never said which broker or partition. Her producer worked out the partition from the key,
# found its leader in the metadata (lab 05), and went straight there.
#
# {{exercise 07.1}}


# %% exercise="07.1" covers="receipt"
def send_all(bootstrap_servers, topic, values):
    producer = KafkaProducer(bootstrap_servers=bootstrap_servers)
    futures = [producer.send(topic, value=value) for value in values]
    # <solution blank="offsets = ...">
    offsets = [future.get(timeout=60).offset for future in futures]
    # </solution>
    producer.close()
    return offsets


q1.check(send_all)

# %% [markdown] covers="linger"
# Why would you let a record wait for others at all? Because a request with a hundred records costs
# hardly more than a request with one. Let's measure that. The callback notes how long each record
# took:


# %% covers="linger"
def measured(linger_ms, numbers):
    """Send records; return the seconds that each took, and how many a request carried."""
    producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, linger_ms=linger_ms)
    seconds = []
    for _ in numbers:
        began = time.perf_counter()
        future = producer.send("lab07-positions", value=b"x" * 100, partition=0)
        future.add_callback(lambda _, began=began: seconds.append(time.perf_counter() - began))
    producer.flush()
    together = producer.metrics()["producer-metrics"]["records-per-request-avg"]
    producer.close()
    return seconds, together


# %% covers="linger"
burst = Prediction(
    "5,000 records as fast as possible, with linger_ms=100 instead of 0. How long does it take?",
    ["much longer: every record waits", "about 100 ms longer", "no longer, or even less"],
)
burst

# %% covers="linger"
took = {}
for linger_ms in (0, 100, 0, 100):  # the first pair only warms up
    began = time.perf_counter()
    measured(linger_ms, range(5000))
    took[linger_ms] = time.perf_counter() - began

# %% covers="linger"
more = took[100] - took[0]
if more > 2:
    outcome = "much longer: every record waits"
else:
    outcome = "about 100 ms longer" if more > 0.07 else "no longer, or even less"
burst.compare(outcome, f"{took[0]:.2f} s with linger_ms=0, and {took[100]:.2f} s with 100.")

# %% [markdown] covers="linger"
# `linger_ms` is only the longest time that a batch waits. A batch that is full (`batch_size`, here
# 16,384 bytes) leaves at once, so in a burst nothing lingers. But what if records trickle in, one
# each millisecond?

# %% covers="linger" picture="linger" shows="linger_ms=0: 600 records | linger_ms=20: 600 records | linger_ms=100: 600 records"
delays = {}
for linger_ms in (0, 20, 100):
    found, together = measured(linger_ms, trouble.steadily(600))
    delays[f"linger_ms={linger_ms}"] = found
    print(f"linger_ms={linger_ms}: {together:.0f} records in a request")
trouble.latency_figure(delays, title="One record each millisecond")

# %% [markdown] covers="linger"
# The three lines above the picture are what you gain: fewer requests. Compare them. Now find the
# three p50, the medians. That's what a typical record pays: with 100, it's about half of
# `linger_ms`, because some records come just before their batch leaves. With 0 and 20, the sending
# itself adds its part.
#
# {{exercise 07.2}}

# %% exercise="07.2" covers="linger"
# <solution blank="settings = ...">
settings = {"linger_ms": 300, "batch_size": 200_000}
# </solution>
q2.check(settings)

# %% [markdown] covers="acks-0 acks-1 acks-all"
# ## 2 · Who signs the receipt?
#
# A producer's `acks` says whose signature it wants: `0` (none: it waits for no answer), `1` (the
# leader's) or `"all"` (the default here). The topic has a say, too, with `min.insync.replicas`.
#
# We try them all, without retries, and break your cluster for about 20 seconds. Each setting gets
# 40 records, and its leader is killed at the *worst* moment: 20 records are copied, 10 more reach
# the leader alone, and the last 10 come after it has stopped reading. Then the leader comes back,
# with its disk or without, and we count by id. All this is done with three brokers up, and again
# with only the leader up.

# %% covers="acks-0 acks-1 acks-all"
losing = Prediction(
    "Three brokers are up, and the leader dies. With which acks can records be lost that counted as sent?",
    ["only 0", "0 and 1", "all three", "none: there are three copies"],
)
losing

# %% covers="min-insync"
alone = Prediction(
    "Now only the leader is up. acks=1, min.insync.replicas=2, no retries: what happens to a record?",
    [
        "it is stored",
        "it waits until another broker is back",
        "the leader refuses it",
    ],
)
alone

# %% covers="acks-0 acks-1 acks-all min-insync"
matrix = DurabilityMatrix(cluster, records=40, brokers_up=[3, 1])
result = matrix.run()

# %% covers="acks-0 acks-1 acks-all"
lost = {
    acks: max(result.cell(acks, least, 3).ledger.lost for least in (1, 2, 3))
    for acks in ("0", "1", "all")
}
outcomes = {(True, False, False): "only 0", (True, True, False): "0 and 1"}
losing.compare(
    outcomes.get(
        tuple(map(bool, lost.values())),
        "all three" if any(lost.values()) else "none: there are three copies",
    ),
    f"Lost with 0, 1 and all: {lost['0']}, {lost['1']} and {lost['all']} records.",
)

# %% covers="min-insync"
one, every = (result.cell(acks, 2, 1).ledger.acknowledged for acks in ("1", "all"))
alone.compare(
    "it is stored" if one else "the leader refuses it",
    f'With acks=1, {one} records were acknowledged, and with acks="all", {every}.',
)

# %% covers="acks-0 acks-1 acks-all min-insync" picture="matrix" shows="acks=all | refused | 1 of 3 brokers up"
matrix.view()

# %% [markdown] covers="acks-0 acks-1 acks-all min-insync"
# Begin with three brokers up, and go down the rows. (You can click on a cell to see its story.)
#
# - **acks=0** lost 20: those that no follower had yet, and those that the dead leader never read.
# - **acks=1** lost 10, *with a receipt*. The leader signed alone and died before a follower had
#   them. People call this "limited data loss". It's every record that no follower had yet.
# - **acks=all** lost nothing: the other 20 have no receipt. But `all` doesn't mean all replicas of
#   the topic. It means all that are **in sync** right now.
#
# Now look at the last row of all, where only the leader is up. With `min.insync.replicas=1`, find
# *disk lost: ✗ 30*: all 30 receipts are worthless, because `all` was the leader alone. So
# `min.insync.replicas` is a floor: with 2, that leader refuses (*NotEnoughReplicas*). A normal
# producer then tries again for two minutes before your program gets a time-out. That's unpleasant,
# but honest. Only `acks=all` asks for the floor. (If the lone leader's disk survives, its records
# with `acks=1` come back in Kafka 3.9. In Kafka 4 they may be lost, because a broker in the `Elr`
# of lab 06 may lead instead.)
#
# We usually choose three replicas, `min.insync.replicas=2` and `acks="all"`.
#
# {{exercise 07.3}}


# %% exercise="07.3" covers="acks-0 acks-1 acks-all min-insync"
def fate(acks, in_sync, min_insync):
    # <solution>
    if acks != "all":
        return "lost"
    if in_sync < min_insync:
        return "refused"
    return "kept" if in_sync > 1 else "lost"
    # </solution>


q3.check(fate)

# %% [markdown] covers="recovers"
# ## 3 · A leader dies on the way
#
# Mara's program sends 600 positions with that usual choice. This time there's no key, so the
# producer spreads them over the partitions by itself. In the middle, a leader is killed.

# %% covers="recovers"
crash = Prediction(
    "A leader dies after 300 of Mara's 600 records. Her program has no code for that. What happens?",
    [
        "it gets errors, and must send again",
        "some records are lost",
        "all are stored, some a few seconds late",
    ],
)
crash


# %% covers="min-insync recovers"
def set_floor(topic, least):
    """Set a topic's min.insync.replicas, with a new client that knows the cluster as it is now."""
    admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)
    floor = {"min.insync.replicas": str(least)}
    admin.alter_configs([ConfigResource("TOPIC", topic, floor)])
    admin.close()


set_floor("lab07-positions", 2)

# %% covers="recovers load-balance"
now = cluster.snapshot()
victim = next(
    p.leader for p in now.topic("lab07-positions").partitions if p.leader != now.controller
)
watched = cluster.view("lab07-positions")  # the picture, which notes what happens from now on
mara = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks="all")
futures = []
for number in range(600):
    if number == 300:
        cluster.broker(victim).kill()
    futures.append(mara.send("lab07-positions", value=b"position %d" % number))

# %% covers="recovers load-balance"
receipts = [future.get(timeout=120) for future in futures]
there = [r.value for r in read_all(cluster.bootstrap_servers, "lab07-positions")]
mine = [value for value in there if value.startswith(b"position")]
print(len(receipts), "acknowledged,", len(mine), "stored,", len(set(mine)), "different")
print("partitions:", sorted({receipt.partition for receipt in receipts}))
# <output>
# 600 acknowledged, 600 stored, 600 different
# partitions: [0, 1, 2]
# </output>

# %% covers="recovers"
if len(receipts) < 600:
    outcome = "it gets errors, and must send again"
else:
    late = "all are stored, some a few seconds late"
    outcome = late if len(set(mine)) == 600 else "some records are lost"
crash.compare(outcome, f"{len(set(mine))} of 600 are there, and {victim} is still down.")

# %% covers="recovers" picture="crash" shows="2 of 3 brokers up"
watched.moment("A leader is gone")

# %% [markdown] covers="recovers load-balance"
# Find the crowns: the broker that you killed has none, because others took over. The producer saw
# its connection break, asked a living broker for new metadata, and tried again until there was a
# new leader, some seconds later. It retries by itself for two minutes (`delivery_timeout_ms`). Then
# the future gives you a time-out, and that means "I don't know": the record may be stored all the
# same. (An error that no retry can cure, such as a record that's too large, comes at once.)


# %% covers="recovers"
def await_all_in_sync(topic):
    cluster.wait_for(lambda s: all(len(p.isr) == 3 for p in s.topic(topic).partitions), 60)


cluster.broker(victim).start()
await_all_in_sync("lab07-positions")

# %% [markdown] covers="timeout-stored"
# ## 4 · A pause of three seconds
#
# Let's make a *follower* hang for a moment. The leader is fine, and two
# of Pavel's producers send ten alarms each. Both wait half a second for an answer
# (`request_timeout_ms=500`) and then try again. Only one of them has `enable_idempotence=True`.

# %% covers="timeout-stored idempotence"
copied = Prediction.arrangement(
    "How often is each of their alarms stored in the end?",
    chips={"False": "enable_idempotence=False", "True": "enable_idempotence=True"},
    places=["never", "once", "more than once"],
    nowhere="not placed",
)
copied


# %% covers="timeout-stored idempotence"
def copies(topic):
    return Counter(record.value for record in read_all(cluster.bootstrap_servers, topic))


cluster.create_topic("lab07-brakes", partitions=1, replication=3)

# %% covers="timeout-stored idempotence"
producers = {
    idempotent: KafkaProducer(
        bootstrap_servers=cluster.bootstrap_servers,
        enable_idempotence=idempotent,
        request_timeout_ms=500,
    )
    for idempotent in (False, True)
}
for producer in producers.values():
    producer.send("lab07-brakes", value=b"engine on").get(timeout=60)

# %% covers="timeout-stored idempotence"
now = cluster.wait_for(lambda s: s.topic("lab07-brakes"))
(brakes,) = now.topic("lab07-brakes").partitions
hung = next(id for id in brakes.isr if id not in (brakes.leader, now.controller))
cluster.broker(hung).pause()
futures = [
    producer.send("lab07-brakes", value=f"{idempotent} {number}".encode())
    for idempotent, producer in producers.items()
    for number in range(10)
]
receipts = [future.get(timeout=100) for future in futures]

# %% covers="timeout-stored"
cluster.wait_for(lambda s: hung not in s.topic("lab07-brakes").partitions[0].isr, 60)
cluster.broker(hung).resume()
await_all_in_sync("lab07-brakes")

# %% covers="timeout-stored idempotence"
counts = copies("lab07-brakes")
most = {key: max(counts[f"{key} {n}".encode()] for n in range(10)) for key in producers}
copied.compare(
    {str(key): "more than once" if times > 1 else "once" for key, times in most.items()},
    f"Up to {most[False]} copies without idempotence, and {most[True]} with it.",
)

# %% covers="timeout-stored idempotence"
print(len(receipts), "acknowledged")
for idempotent in producers:
    stored = [counts[f"{idempotent} {number}".encode()] for number in range(10)]
    print(
        f"enable_idempotence={idempotent}:", "copies" if max(stored) > 1 else "each is there once"
    )
# <output>
# 20 acknowledged
# enable_idempotence=False: copies
# enable_idempotence=True: each is there once
# </output>

# %% [markdown] covers="timeout-stored idempotence"
# The leader stored all alarms at once, but it couldn't acknowledge them, because one replica in
# sync was silent. The producers heard nothing and sent again. So **a timeout doesn't mean that a
# record wasn't stored**, and a plain retry makes a copy. (After 3 seconds the silent broker counts
# as dead, it's no longer in sync, and the receipts come.)
#
# An **idempotent** producer has an id, and it numbers its batches. The numbers are in the log, so
# each replica knows them, and a leader doesn't store a number twice: it only acknowledges it again.
# Does it compare contents, too?

# %% covers="idempotence"
hot = b"T0005: brakes are hot"
for value in (hot, hot):
    producers[True].send("lab07-brakes", value=value).get(timeout=60)
print(copies("lab07-brakes")[hot])
# <output>
# 2
# </output>

# %% [markdown] covers="idempotence"
# No: two calls of `send()` are two records, as they should be. Only *retries* are recognised. If
# your program restarts and sends again, it's a new producer with a new id. Idempotence is on by
# default, but `acks=1` or `retries=0` quietly switch it off.
#
# {{exercise 07.4}}


# %% exercise="07.4" covers="timeout-stored"
def twice(bootstrap_servers, topic):
    # <solution>
    counts = Counter(record.value for record in read_all(bootstrap_servers, topic))
    return [value for value, count in counts.items() if count > 1]
    # </solution>


q4.check(twice)

# %% [markdown] part="finale" covers="acks-1"
# ## 5 · Pavel's alarms
#
# Last night a broker died, and alarms are missing. Here are Pavel's settings and his topic, and
# `storm` brings that night back:

# %% covers="acks-1"
cluster.create_topic("lab07-alarms", partitions=3, replication=3)
set_floor("lab07-alarms", 3)
pavel = {"acks": 1, "enable_idempotence": False}
night = trouble.storm(cluster, "lab07-alarms", pavel)
print(night.result().acknowledged, "acknowledged,", night.result().lost, "lost")
# <output>
# 40 acknowledged, 20 lost
# </output>

# %% covers="acks-1" picture="night" shows="20 of 40 acknowledged records are lost"
night.view(topic="lab07-alarms")

# %% [markdown] covers="acks-1 min-insync"
# Find the 20 that were acknowledged and are gone. In `storm`, 20 alarms reach the leader and *one*
# follower, while the other hangs. Then both hang, and 20 more reach the leader
# alone. It dies, the followers go on, and the producer has 20 seconds for its retries before the
# dead broker comes back.
#
# Pavel has tried `acks="all"`. "While the broker was down, nothing was accepted," he says, "and
# afterwards I had alarms twice!" You can try your own settings with `trouble.storm`, too.
#
# {{exercise 07.5}}

# %% exercise="07.5" covers="acks-all min-insync idempotence recovers"
# <solution blank="repaired = ...">
set_floor("lab07-alarms", 2)
repaired = {"acks": "all", "enable_idempotence": True}
# </solution>
q5.check(repaired)

# %% [markdown]
# **Why?** In one sentence: why did Pavel need *both* `acks="all"` and idempotence? Double-click
# here and write it down. It isn't graded.
#
# *My sentence:* …
#
# <details><summary>Ours</summary>Because with acks="all" an alarm gets no receipt until every replica in
# sync has it, so it's sent again when the leader dies, and only idempotence lets the next leader
# recognise an alarm that it already has.</details>
#
# ## Your points

# %%
print(lab.score())
# <output>
# ✓ 07.1 Where are they?: right
# ✓ 07.2 Fewer requests: right
# ✓ 07.3 What can become of it?: right
# ✓ 07.4 Find the copies: right
# ✓ 07.5 Repair the alarms: right
# 9 of 9 points
# </output>

# %% tags=["progress"]
lab.progress()

# %% [markdown]
# ## Clean up
#
# The next cell closes the producers, starts what is down, and removes the topics of this lab. Your
# cluster goes on for the next lab.

# %% tags=["clean-up"]
for producer in (mara, *producers.values()):
    producer.close()
lab.tidy()
print("tidy")
# <output>
# tidy
# </output>

# %% [markdown]
# **You can now** send records and know what became of each, trade delay for requests, say what an
# acknowledgement is worth, and set up a producer that neither loses nor repeats.
#
# **The words you own now:** *batch, linger, future, acknowledgement, retry, idempotent producer*.
#
# **Where next?** [08a · Consumer groups](08a_consumer_groups.ipynb): the records are safe. Now who
# reads which of them?
