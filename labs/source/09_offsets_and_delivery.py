# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kafkalab:
#     title: Offsets and delivery
#     can: choose what a crash does to your records, rewind a service, and bill each record once
#     after: ["02b", "08a"]
#     memory: 1 GB
#     seconds: 30
#     big: ["09.3", "09.6"]
#     teaches:
#     - KafkaConsumer.commit
#     - KafkaConsumer.committed
#     - KafkaConsumer.enable_auto_commit
#     - KafkaConsumer.isolation_level
#     - KafkaAdminClient.list_group_offsets
#     - KafkaProducer.transactional_id
#     - KafkaProducer.init_transactions
#     - KafkaProducer.begin_transaction
#     - KafkaProducer.send_offsets_to_transaction
#     - KafkaProducer.commit_transaction
#     - kafka-consumer-groups --reset-offsets
# ---

# %% [markdown]
# # 09 · Offsets and delivery: read once, or twice, or never?
#
# Mara delivers a box, scans it, and Pavel's notification service texts the customer: *your parcel
# is here*. On Monday the service crashed and was restarted, and some customers got the same text
# again. Pavel moved one line. On Tuesday it crashed again, and some customers got no text at all.
#
# Which line was it? In this lab you let that service crash at a moment of your choice, count who
# gets a text never or twice, and find out when *exactly once* is possible.
#
# | | |
# |---|---|
# | **You will** | read a bookmark, choose a crash point, rewind a service, use a transaction, write a bill |
# | **You learn** | committed offsets, at most once, at least once, exactly once, auto-commit |
# | **You need** | about {{minutes}} minutes, 1 GB of free memory, labs [02b](02b_retention.ipynb) and [08a](08a_consumer_groups.ipynb) |

# %% tags=["set-up"] jupyter={"source_hidden": true}
# Set-up: takes your running cluster or starts one, and removes what an earlier run left.
import sqlite3
import tempfile

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.structs import OffsetAndMetadata

from kafkalab import Lab  # this lab, on your cluster
from kafkalab import Ledger  # counts records by their id
from kafkalab import LedgerView  # draws what it has counted
from kafkalab import LogView  # draws the records of a topic
from kafkalab import Prediction  # asks for your guess
from kafkalab import read_all  # the loop of lab 02a: every record that is in a topic now

lab = Lab("09")
cluster = lab.cluster
servers = cluster.bootstrap_servers
q1, q2, q3, q4, q5, q6 = lab.exercises
cluster

# %% [markdown] covers="resume"
# ## 1 · Where is the bookmark?
#
# Each arrival is a record with an id, S001, S002 and so on, in a topic with one partition. It's
# early, so there are 20 of them:

# %%
admin = KafkaAdminClient(bootstrap_servers=servers)
cluster.create_topic("lab09-arrivals", partitions=1, replication=3)
producer = KafkaProducer(bootstrap_servers=servers)
place = TopicPartition("lab09-arrivals", 0)


def arrive(first, last):
    for number in range(first, last + 1):
        producer.send("lab09-arrivals", key=b"%d" % number, value=b"S%03d" % number)
    producer.flush()


arrive(1, 20)

# %% [markdown] covers="resume"
# Pavel's service reads them for its group, `lab09-notify`. As in lab 02b, we assign the partition
# by hand, so the group has no members. `auto_offset_reset` says where a group without a bookmark
# begins.


# %% covers="resume reading-not-committing"
def opened(topic, group, **settings):
    settings = {"enable_auto_commit": False, **settings}
    consumer = KafkaConsumer(
        bootstrap_servers=servers, group_id=group, auto_offset_reset="earliest", **settings
    )
    consumer.assign([TopicPartition(topic, 0)])
    return consumer


pavel = opened("lab09-arrivals", "lab09-notify")
batch = pavel.poll(timeout_ms=60_000, max_records=10)[place]
print(batch[0].value.decode(), "to", batch[-1].value.decode())
# <output>
# S001 to S010
# </output>

# %% covers="reading-not-committing resume"
again = Prediction(
    "It has read S001 to S010. Now it's killed, and started again. Which record comes first?",
    ["S001", "S010", "S011"],
)
again

# %% covers="reading-not-committing resume"
pavel.close(autocommit=False)  # killed: it can't do anything more
pavel = opened("lab09-arrivals", "lab09-notify")
batch = pavel.poll(timeout_ms=60_000, max_records=10)[place]

# %% covers="reading-not-committing resume"
again.compare(batch[0].value.decode(), f"The committed offset is {pavel.committed(place)}.")

# %% [markdown] covers="reading-not-committing"
# Reading moves the *position* of a consumer, and that dies with the program. The bookmark of the
# *group* survives: its **committed offset**. So far there's none, because reading isn't committing.

# %% covers="next-offset"
number = Prediction(
    "It has read offsets 0 to 9, and calls commit(). Which number does Kafka keep for the group?",
    ["9", "10", "all ten: a tick for each record"],
)
number

# %% covers="next-offset"
pavel.commit()
offset = pavel.committed(place)

# %% covers="next-offset"
number.compare(str(offset), "That's the offset that it reads next.")

# %% picture="bookmark" covers="next-offset" shows="lab09-notify committed | 20 20 10 · lag 10"
LogView(cluster, "lab09-arrivals").moment("lab09-notify")

# %% [markdown] covers="next-offset broker-writes offsets-topic"
# Find the ▲: it's at offset 10. That's S011 (a box shows its record's key, 11), the first record
# that has *not* been read. You may have heard that
# Kafka keeps the offset of the *last* record read. It keeps the **next** one. You can also commit
# any other offset, for example if only five texts were sent so far:


# %% covers="next-offset offsets-topic broker-writes one-key"
def after(record):
    partition = TopicPartition(record.topic, record.partition)
    return {partition: OffsetAndMetadata(record.offset + 1, "", -1)}  # no note, no leader epoch


pavel.commit(after(batch[4]))
print(admin.list_group_offsets(["lab09-notify"])["lab09-notify"][place].offset)
# <output>
# 5
# </output>

# %% [markdown]
# {{exercise 09.1}}


# %% exercise="09.1" covers="next-offset resume"
def bookmark(topic, group):
    # <solution>
    return admin.list_group_offsets([group])[group][TopicPartition(topic, 0)].offset
    # </solution>


q1.check(bookmark)

# %% [markdown] covers="offsets-topic"
# Where is that number? In a topic, of course: the internal topic `__consumer_offsets`. It's bytes,
# but you can find the group, the topic and the offset in them:

# %% covers="offsets-topic broker-writes one-key"
kept = [r for r in read_all(servers, "__consumer_offsets") if b"lab09-notify" in r.key]
kept = [r for r in kept if b"lab09-arrivals" in r.key and r.value]
for record in kept[-2:]:
    print(record.key, "->", int.from_bytes(record.value[2:10], "big"))

now = cluster.snapshot()
(group,) = [group for group in now.groups if group.group_id == "lab09-notify"]
leader = now.topic("__consumer_offsets").partitions[kept[-1].partition].leader
print("its leader is the group's coordinator:", leader == group.coordinator)
# <output>
# b'\x00\x01\x00\x0clab09-notify\x00\x0elab09-arrivals\x00\x00\x00\x00' -> 10
# b'\x00\x01\x00\x0clab09-notify\x00\x0elab09-arrivals\x00\x00\x00\x00' -> 5
# its leader is the group's coordinator: True
# </output>

# %% [markdown] covers="offsets-topic broker-writes one-key"
# Each commit is one more record. Its key is group, topic and partition, so log compaction can
# remove the older ones. If you delete the group, a tombstone follows. You may have read that the
# group writes into this topic. The group only *asks*: a broker writes, its **coordinator**. The
# topic has 3 partitions in your cluster and 50 by default. The group's name decides which of them
# keeps its offsets, and the leader of that partition is the coordinator. (`kafka-console-consumer`
# decodes all the bytes, with `--formatter
# org.apache.kafka.tools.consumer.OffsetsMessageFormatter`.)
#
# ## 2 · The crash
#
# It's noon, and there are 150 arrivals. The service reads 25 at a time. We let it write each text
# into a topic of texts, so that you can count them.


# %% covers="at-most-once at-least-once"
def next_batch(consumer, most=25):
    (place,) = consumer.assignment()
    while consumer.position(place) < consumer.end_offsets([place])[place]:
        if batch := consumer.poll(timeout_ms=500, max_records=most).get(place):
            return batch
    return []  # nothing more to read


def send_texts(texts, batch, producer=producer):
    for record in batch:
        producer.send(texts, value=record.value)
    producer.flush()


arrive(21, 150)


# %% [markdown]
# Now look for the line that Pavel moved, `consumer.commit()`. Our crash is a simple one: after
# `crash_after` texts, the program does nothing more. `close(autocommit=False)` only closes the
# connection, as the operating system does for a process that is killed.


# %% covers="at-most-once at-least-once"
def notify(texts, when, crash_after=1000):
    consumer = opened("lab09-arrivals", group=texts)  # each try has a group of its own
    while crash_after > 0 and (batch := next_batch(consumer)):
        if when == "before":
            consumer.commit()
        send_texts(texts, batch[:crash_after])
        crash_after -= len(batch)
        if when == "after" and crash_after > 0:
            consumer.commit()
    consumer.close(autocommit=False)


# %% covers="at-most-once at-least-once"
crash_after = 60  # choose your own: 1 to 149 texts

# %% covers="at-most-once at-least-once"
crash = Prediction.arrangement(
    f"It crashes after {crash_after} texts, and is started again. What happens to the texts?",
    chips={"before": "commits before the work", "after": "commits after the work"},
    places=["some never sent", "some sent twice", "each sent once"],
    nowhere="not placed",
)
crash


# %% covers="at-most-once at-least-once"
def counted(texts, read):
    ledger = Ledger()
    for number in range(1, 151):
        ledger.sent(f"S{number:03}")
        ledger.acknowledged(f"S{number:03}")
    for record in read:
        ledger.seen(record.value.decode(), (texts, record.partition, record.offset))
    return ledger.result()


# %% covers="at-most-once at-least-once"
found = {}
for when in ("before", "after"):
    texts = f"lab09-texts-{when}-{crash_after}"
    cluster.create_topic(texts, partitions=1, replication=3)
    notify(texts, when, crash_after)  # crashes …
    notify(texts, when)  # … and is started again
    found[when] = counted(texts, read_all(servers, texts))


# %% covers="at-most-once at-least-once"
def outcome(result):
    if result.lost:
        return "some never sent"
    return "some sent twice" if result.duplicated else "each sent once"


crash.compare(
    {when: outcome(result) for when, result in found.items()},
    "; ".join(f"{w}: {r.lost} never, {r.duplicated} twice" for w, r in found.items()) + ".",
)

# %% picture="before" covers="at-most-once" shows="lost 15 S061 | none duplicated"
LedgerView.of(found["before"], topic="commit before the work")

# %% picture="after" covers="at-least-once" shows="duplicated 10 S051 | none lost"
LedgerView.of(found["after"], topic="commit after the work")

# %% [markdown] covers="at-most-once at-least-once"
# In these ledgers, *sent* counts arrivals and *seen* counts texts. Compare the ids with your crash
# point. If the commit comes before the work, the rest of the batch is lost: **at most once**. If it
# comes after the work, the beginning of the batch is done again: **at least once**. That's usually
# the better mistake, because you can repair it, as you'll see. (To try another crash point, change
# `crash_after` and run the cells from there to here again.)
#
# {{exercise 09.2}}


# %% exercise="09.2" covers="at-most-once at-least-once"
def fate(when, batch, done):
    # <solution>
    begin = (done - 1) // batch * batch
    if when == "before":
        return list(range(done + 1, begin + batch + 1)), []
    return [], list(range(begin + 1, done + 1))
    # </solution>


q2.check(fate)

# %% [markdown] covers="auto-commit"
# And if you don't call `commit` at all? By default, `enable_auto_commit` is on: every 5 seconds the
# client commits for you. "That's at least once", people say. Let's try it with two accidents, each
# after the same number of texts.

# %% covers="auto-commit"
ends = Prediction.arrangement(
    f"With auto-commit, it dies after {crash_after} texts. What happens to the texts?",
    chips={
        "killed": "the process is killed",
        "closed": "an error, and then consumer.close()",
    },
    places=["some never sent", "some sent twice", "each sent once"],
    nowhere="not placed",
)
ends


# %% covers="auto-commit"
def notify_auto(texts, killed, crash_after=1000):
    consumer = opened("lab09-arrivals", group=texts, enable_auto_commit=True)
    batch = next_batch(consumer, most=500)  # as many as poll returns by default
    send_texts(texts, batch[:crash_after])
    consumer.close(autocommit=not killed)


for way in ("killed", "closed"):
    texts = f"lab09-texts-{way}-{crash_after}"
    cluster.create_topic(texts, partitions=1, replication=3)
    notify_auto(texts, way == "killed", crash_after)
    notify_auto(texts, way == "killed")
    found[way] = counted(texts, read_all(servers, texts))

# %% covers="auto-commit"
ends.compare(
    {way: outcome(found[way]) for way in ("killed", "closed")},
    f"Killed: {found['killed'].duplicated} twice; closed: {found['closed'].lost} never.",
)

# %% [markdown] covers="auto-commit"
# Auto-commit commits what `poll` has *returned*, at a later `poll` and in `close()`. It doesn't
# know how far your work is. A killed program commits nothing more, so texts go out again. A program
# that fails and closes its consumer in good order commits all that it was given, and the rest is
# never sent. So it's at least once only if your work on all that `poll` returned is done before the
# next `poll` or `close`.
#
# {{exercise 09.3}}


# %% exercise="09.3" covers="at-least-once next-offset"
def relay(source, target, group, crash_after):
    # <solution>
    consumer = opened(source, group)
    while crash_after > 0 and (batch := next_batch(consumer)):
        for record in batch[:crash_after]:
            send_texts(target, [record])
            crash_after -= 1
            if crash_after > 0:
                consumer.commit(after(record))
    consumer.close(autocommit=False)
    # </solution>


q3.check(relay)

# %% [markdown] covers="rewind-one"
# ## 3 · A hundred texts, once more
#
# The text company calls: the last 100 texts were lost on *their* side. Pavel wants to send them
# again. Aylin's dashboard reads the same topic, and both have read everything.

# %% covers="rewind-one"
aylin = opened("lab09-arrivals", "lab09-dashboard")
for service in (pavel, aylin):
    while next_batch(service):
        service.commit()
    service.close()

# %% covers="rewind-one"
rewound = Prediction(
    "You rewind the notification service by 100 records. At which offsets are the two then?",
    ["both at 50: it's one topic", "one at 50, one at 150", "both at 150: it's all read"],
)
rewound

# %% covers="rewind-one"
told = cluster.tool(
    *("kafka-consumer-groups", "--reset-offsets", "--shift-by", "-100", "--execute"),
    *("--group", "lab09-notify", "--topic", "lab09-arrivals"),
)
print(told.split()[-4:])
# <output>
# ['lab09-notify', 'lab09-arrivals', '0', '50']
# </output>

# %% covers="rewind-one"
at = {
    name: admin.list_group_offsets([name])[name][place].offset
    for name in ("lab09-notify", "lab09-dashboard")
}
rewound.compare(
    {(50, 50): "both at 50: it's one topic", (50, 150): "one at 50, one at 150"}.get(
        tuple(at.values()), "both at 150: it's all read"
    ),
    f"Committed: {at}.",
)

# %% picture="rewound" covers="rewind-one" shows="lab09-dashboard committed ▲ lab09-notify committed | 150 150 150 · lag 0 50 · lag 100"
LogView(cluster, "lab09-arrivals").moment("lab09-notify", "lab09-dashboard")

# %% [markdown] covers="rewind-one"
# Find the two lags, 100 and 0. Each group has its own bookmark, and you moved one of them; no
# record has moved. Stop the service before you do that, because a running consumer goes on from its
# own position. The tool refuses while a group has members, but ours, with `assign`, has none.
#
# {{exercise 09.4}}


# %% exercise="09.4" covers="rewind-one"
def rewind(topic, group, n):
    # <solution>
    consumer = opened(topic, group)
    (place,) = consumer.assignment()
    back = max(0, consumer.committed(place) - n)
    consumer.commit({place: OffsetAndMetadata(back, "", -1)})
    consumer.close()
    # </solution>


q4.check(rewind)

# %% [markdown] covers="exactly-once-kafka"
# ## 4 · Both or neither
#
# Before or after: either way a crash can come between the texts and the bookmark. But both are
# records in Kafka! So a **transaction** can write them *together*. The producer gets a name that
# stays the same after a restart, its `transactional_id`:


# %% covers="exactly-once-kafka aborted-in-log"
def ready(name):
    sender = KafkaProducer(bootstrap_servers=servers, transactional_id=name)
    sender.init_transactions()  # aborts what an earlier program of that name left open
    return sender


# %% [markdown] covers="exactly-once-kafka"
# If two programs have that name, the newer one *fences* the older one, which gets errors from then
# on. Here's the service again. It sends the bookmark into the same transaction as the texts. Its
# consumer uses `read_committed`, so that it never goes on from a bookmark that isn't final yet.


# %% covers="exactly-once-kafka aborted-in-log"
def notify_once(texts, crash_after=1000):
    sender = ready(texts)
    consumer = opened("lab09-arrivals", group=texts, isolation_level="read_committed")
    while crash_after > 0 and (batch := next_batch(consumer)):
        sender.begin_transaction()
        send_texts(texts, batch[:crash_after], sender)
        crash_after -= len(batch)
        if crash_after > 0:
            sender.send_offsets_to_transaction(after(batch[-1]), consumer.group_metadata())
            sender.commit_transaction()
    consumer.close()
    sender.close(timeout=0)  # after a crash, its transaction is still open


# %% covers="exactly-once-kafka aborted-in-log"
unfinished = (crash_after - 1) % 25 + 1
log = Prediction(
    f"It crashes after {crash_after} texts, the last {unfinished} of them in a transaction that is "
    "still open, and is started again. How many texts are in the log in the end?",
    [
        "150: what is never committed is never written",
        f"{150 + unfinished}: those {unfinished} are there twice",
        f"{150 - unfinished}: those {unfinished} are gone",
    ],
)
log

# %% covers="exactly-once-kafka aborted-in-log"
texts = f"lab09-texts-once-{crash_after}"
cluster.create_topic(texts, partitions=1, replication=3)
notify_once(texts, crash_after)
notify_once(texts)


def texts_read(texts, isolation_level):
    reader, read = opened(texts, None, isolation_level=isolation_level), []
    while batch := next_batch(reader):
        read += batch
    reader.close()
    return read


every = texts_read(texts, "read_uncommitted")  # kafka-python's default
settled_ones = texts_read(texts, "read_committed")

# %% covers="exactly-once-kafka aborted-in-log"
log.compare(
    {
        150: "150: what is never committed is never written",
        150 + unfinished: f"{150 + unfinished}: those {unfinished} are there twice",
    }.get(len(every), f"{150 - unfinished}: those {unfinished} are gone"),
    f"By default you read {len(every)}, with read_committed {len(settled_ones)}.",
)

# %% picture="once" covers="exactly-once-kafka" shows="none lost | none duplicated"
LedgerView.of(counted("once", settled_ones), topic="a transaction, read_committed")

# %% [markdown] covers="exactly-once-kafka aborted-in-log"
# Nothing is lost and nothing is there twice: **exactly once**. But that's only for readers that ask
# for `read_committed`. Aborted records stay in the log. A marker behind them says that they don't
# count, and by default kafka-python's and Java's readers get them anyway. A `read_committed` reader
# also waits in front of an open transaction, until the program comes back or
# `transaction.timeout.ms` is over, by default a minute. You may have read that you need Kafka
# Streams for this. It uses the same transactions, and so can you, as you've just seen.
#
# {{exercise 09.5}}


# %% exercise="09.5" covers="aborted-in-log"
def settled(topic):
    # <solution>
    return [record.value.decode() for record in texts_read(topic, "read_committed")]
    # </solution>


q5.check(settled)

# %% [markdown] part="finale" covers="exactly-once-outside idempotent"
# ## 5 · The bill
#
# Each arrival costs the customer 5 euros. Pavel writes the bill into a database, SQLite, and a
# transaction of Kafka doesn't reach in there. He has learned from Monday and Tuesday, so he commits
# after the work:


# %% covers="exactly-once-outside idempotent at-least-once"
def pavels_bill(topic, group, database, crash_after=1000):
    db = sqlite3.connect(database, isolation_level=None)  # each row is written at once
    db.execute("CREATE TABLE IF NOT EXISTS bill (id TEXT, euros INTEGER)")
    consumer = opened(topic, group)
    while crash_after > 0 and (batch := next_batch(consumer)):
        for record in batch[:crash_after]:
            db.execute("INSERT INTO bill VALUES (?, 5)", [record.value.decode()])
        crash_after -= len(batch)
        if crash_after > 0:
            consumer.commit()
    consumer.close(autocommit=False)
    db.close()


# %% covers="exactly-once-outside"
euros = Prediction(
    "The program crashes twice, after 60 and after 40 arrivals, and then runs to its end. "
    "What do the 150 arrivals cost?",
    ["750 euros: it commits after the work", "more than 750 euros", "less than 750 euros"],
)
euros

# %% covers="exactly-once-outside"
folder = tempfile.TemporaryDirectory()  # it goes with the kernel
database = f"{folder.name}/bill.db"
for dies_after in (60, 40, 1000):
    pavels_bill("lab09-arrivals", "lab09-bill", database, dies_after)

db = sqlite3.connect(database)
count, total = db.execute("SELECT count(*), sum(euros) FROM bill").fetchone()
db.close()

# %% covers="exactly-once-outside"
if total == 750:
    what = "750 euros: it commits after the work"
else:
    what = "more than 750 euros" if total > 750 else "less than 750 euros"
euros.compare(what, f"{count} rows, {total} euros.")

# %% [markdown] covers="exactly-once-outside idempotent"
# "Kafka doesn't support exactly once for external systems", say some notes. Its transactions don't,
# that's true. But the *result* can still be right, and there are two ways. Either a second write
# changes nothing, because the id is the table's primary key: that's an **idempotent consumer**. Or
# you keep the offset in the same database, write it in the same transaction of the *database* as
# the rows, and `seek` to it when you start.
#
# {{exercise 09.6}}


# %% exercise="09.6" covers="exactly-once-outside idempotent"
def bill(topic, group, database, crash_after=1000):
    # <solution>
    db = sqlite3.connect(database, isolation_level=None)
    db.execute("CREATE TABLE IF NOT EXISTS bill (id TEXT PRIMARY KEY, euros INTEGER)")
    consumer = opened(topic, group)
    while crash_after > 0 and (batch := next_batch(consumer)):
        for record in batch[:crash_after]:
            db.execute("INSERT OR IGNORE INTO bill VALUES (?, 5)", [record.value.decode()])
        crash_after -= len(batch)
        if crash_after > 0:
            consumer.commit()
    consumer.close(autocommit=False)
    db.close()
    # </solution>


q6.check(bill)

# %% [markdown] covers="exactly-once-outside"
# Some arrivals were still *processed* twice, and no system can prevent that, because a crash can
# come at any moment. *Exactly once* means that the result looks as if there had been no crash. A
# text that is on a phone can't be taken back, so Pavel's customers will still get one twice now and
# then.
#
# **Why?** In one sentence: why can't you avoid both lost and double texts by moving the commit?
# Double-click here and write it down. It isn't graded.
#
# *My sentence:* …
#
# <details><summary>Ours</summary>Because the work and the commit are two steps, and a crash can
# come between them, in either order, unless one transaction holds both.</details>
#
# ## Your points

# %%
print(lab.score())
# <output>
# ✓ 09.1 Where does it go on?: right
# ✓ 09.2 Never or twice?: right
# ✓ 09.3 One at most: right
# ✓ 09.4 Back, but not too far: right
# ✓ 09.5 Only what counts: right
# ✓ 09.6 Repair the bill: right
# 12 of 12 points
# </output>

# %% tags=["progress"]
lab.progress()

# %% [markdown]
# ## Clean up
#
# The topics and groups of this lab are deleted. Your cluster goes on for the next lab.

# %% tags=["clean-up"]
for client in (producer, admin):
    client.close()
lab.tidy()
print("tidy")
# <output>
# tidy
# </output>

# %% [markdown]
# **You can now** say which records a crash loses or doubles, commit where it's safe, rewind one
# service, read only what was committed, and write each record once into a database.
#
# **The words you own now:** *committed offset, coordinator, at most once, at least once, exactly
# once, auto-commit, transaction, read_committed, idempotent consumer*.
#
# **Where next?** [20 · The fleet reports](20_fleet.ipynb): part 2 begins, and a thousand trucks go
# online.
