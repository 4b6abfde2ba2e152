# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---

# %% [markdown]
# # 03 · Messages: what is in a record, to the byte?
#
# On Monday a truck in Spain is on the dashboard in the Indian Ocean. Its report lies in the topic
# exactly as the truck sent it. No broker failed, no program raised an error. **Who changed the
# meaning of its bytes?**
#
# To find out, you follow one report from the truck to the disk of a broker, and look at every byte
# that it has become. Then you look at what is *not* in those bytes.
#
# | | |
# |---|---|
# | **You will** | read a batch from a broker's own file, damage a copy of it, measure five codecs, change a schema without breaking anybody, and heal a consumer that dies again and again |
# | **You learn** | what a record consists of; batches and compression; serialisation; JSON, XML and Avro; how a schema may change |
# | **You need** | 45 minutes, 1 GB of free memory, and lab 02 |

# %% tags=["set-up"] jupyter={"source_hidden": true}
# Set-up: takes the running cluster or starts one, brings back what is down, removes what an earlier run left.
import io
import json
import struct
from xml.etree import ElementTree

import fastavro
from fastavro.schema import fingerprint, to_parsing_canonical_form
from kafka import KafkaConsumer, KafkaProducer
from kafka.errors import MessageSizeTooLargeError
from matplotlib.figure import Figure

from kafkalab import Fleet, LogView, RecordView
from kafkalab.course.lab_03.disk import batches_in, found_on_disk, on_disk
from kafkalab.exercises.lab import Lab
from kafkalab.exercises.moments import LogMoment
from kafkalab.exercises.predict.prediction import Prediction
from kafkalab.exercises.topics import read_all
from kafkalab.state.log.segments import Found
from kafkalab.views.figures import Drawing

lab = Lab("03")
cluster = lab.cluster
q1, q2, q3, q4 = lab.exercises
cluster

# %% [markdown]
# ## 1 · One report, byte by byte
#
# A **message**, or **record**, is the unit of data in Kafka, as a row is in a table. Here is one, as a truck
# makes it: a key, and a value.

# %% covers="unit-of-data"
report = next(Fleet().reports(0, 20))
print(report.key)
print(report.value.decode())
# <output>
# b'T0190'
# {"record_id": "T0190-000000", "truck_id": "T0190", "time": 1767592800005, "latitude": 40.86017, "longitude": -5.26601, "speed_kmh": 71.6, "heading_deg": 290.0}
# </output>

# %% [markdown]
# It will travel with a timestamp and one header, a note on the outside. Both are optional, and so
# is the key.

# %%
inside = Prediction(
    "The report goes into the topic lab03-reports. "
    "What will you look for in vain among the bytes on the broker's disk?",
    ["the topic's name", "the key", "the header's name", "the time of the report"],
)
inside

# %%
# The report's time is long past, and Kafka usually keeps a record for a week: here, for ever.
KEEP = {"retention.ms": "-1"}
cluster.create_topic("lab03-reports", partitions=1, settings=KEEP)

producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers)
receipt = producer.send(
    "lab03-reports",
    key=report.key,
    value=report.value,
    headers=[("trace", b"7f3a")],
    timestamp_ms=report.time,
).get(timeout=60)
print(f"partition {receipt.partition}, offset {receipt.offset}")
# <output>
# partition 0, offset 0
# </output>

# %% [markdown]
# The leader has written it to a file. Here is that file, byte by byte. Press a field to see its
# bytes, or a byte to see what it belongs to. (`RecordView(cluster, "lab03-reports")` is the same for
# strolling about: it goes from record to record, and compares the replicas.)

# %% picture="record" covers="record-parts"
found = found_on_disk(cluster, "lab03-reports", partition=0, offset=0)
RecordView.of(found, "lab03-reports", partition=0, offset=0)

# %% covers="record-parts"
raw = on_disk(cluster, "lab03-reports")  # the leader's segment file, as it is
parts = {
    "the topic's name": b"lab03-reports",
    "the key": report.key,
    "the header's name": b"trace",
    "the time of the report": report.time.to_bytes(8, "big"),
}
(absent,) = [name for name, part in parts.items() if part not in raw]
inside.compare(absent, f"The partition's file has {len(raw)} bytes, and that is not among them.")

# %% [markdown]
# A record does not know where it is. Topic and partition are the *name of the folder* its file lies
# in. Its offset is not written out either, only the distance from the first record of its batch.
#
# The first 61 bytes belong to the **batch**, the box in which records travel. It is there even for
# a single one.
#
# | part | where it lies |
# |---|---|
# | key, value, headers | in the record |
# | timestamp, offset | the first in the batch's header, each record's distance from it in the record |
# | compression | in the batch's header |
# | topic, partition | in neither |

# %% covers="record-parts"
(batch,) = batches_in(raw)
(record,) = batch.records
print(f"{len(raw)} bytes: {len(raw) - record.size} of the batch, {record.size} of the record")
print(f"in the record: a key of {record.key.size} bytes, a value of {record.value.size},")
print("headers", [(n.of(batch.section), v.of(batch.section)) for n, v in record.headers])
# <output>
# 245 bytes: 61 of the batch, 184 of the record
# in the record: a key of 5 bytes, a value of 159,
# headers [(b'trace', b'7f3a')]
# </output>

# %% [markdown]
# A consumer puts it together again, and adds what it knows: where it read.

# %% covers="record-parts"
(got,) = read_all(cluster.bootstrap_servers, "lab03-reports")
print(got.topic, got.partition, got.offset)
print(got.key, got.headers, got.timestamp == report.time, got.value == report.value)
# <output>
# lab03-reports 0 0
# b'T0190' [('trace', b'7f3a')] True True
# </output>

# %% [markdown]
# ## 2 · Nothing but bytes
#
# The value above was text, and had become bytes before it was sent. What if you send a number as
# it is?

# %%
plain = Prediction(
    "You send the number 71.6 as a value. What will a consumer get?",
    ["the number 71.6", "the text 71.6", "nothing: the producer refuses it"],
)
plain

# %% covers="bytes-only key-kinds"
cluster.create_topic("lab03-anything", partitions=1)
try:
    producer.send("lab03-anything", value=71.6).get(timeout=60)
except TypeError as refusal:
    print(f"TypeError: {refusal}")
# <output>
# TypeError: Unsupported type for serialized value: <class 'float'>
# </output>

# %% covers="bytes-only"
arrived = read_all(cluster.bootstrap_servers, "lab03-anything")
plain.compare(
    "nothing: the producer refuses it" if not arrived else f"the number {arrived[0].value}"
)

# %% [markdown]
# Keys and values are **bytes**, whatever they stand for. Making bytes of a thing is called
# *serialising*, and it is your job, or that of a function you give to the producer
# (`value_serializer`). There are many ways:

# %% covers="bytes-only key-kinds"
as_text, as_double = str(71.6).encode(), struct.pack(">d", 71.6)
print(as_text, as_double)
print("the eight bytes, read from the other end:", struct.unpack("<d", as_double)[0])
# <output>
# b'71.6' b'@Q\xe6fffff'
# the eight bytes, read from the other end: 1.903598568786322e+185
# </output>

# %% [markdown]
# Mark that last line. The reader took the right bytes in the wrong way, and there was no error:
# only another number. That is the first suspect in the case of the truck.
#
# Would the broker at least notice bytes that make no sense at all?

# %% covers="bytes-only any-format no-meaning key-optional"
nonsense = bytes(range(256))
producer.send("lab03-anything", value=nonsense).get(timeout=60)
(got,) = read_all(cluster.bootstrap_servers, "lab03-anything")
print("the same bytes:", got.value == nonsense, "· key:", got.key)
# <output>
# the same bytes: True · key: None
# </output>

# %% [markdown]
# It did not look. To a broker, a value is a length and so many bytes; it checks that they arrive
# unharmed, and nothing else. Any format will do, and a broker will never save you from a bad one.
#
# There is one value that Kafka does understand: none at all. **Null** is not the same as empty.

# %% covers="null-value"
for value in (b"", None):
    producer.send("lab03-anything", key=b"T0190", value=value)
producer.flush()
empty, null = read_all(cluster.bootstrap_servers, "lab03-anything")[-2:]
print(empty.value, null.value)

written = [r for b in batches_in(on_disk(cluster, "lab03-anything")) for r in b.records]
print("length of the value:", [r.value.size for r in written])
# <output>
# b'' None
# length of the value: [256, 0, -1]
# </output>

# %% [markdown]
# A null is written as the length −1. In a *compacted* topic, which keeps the newest record of each
# key, a record without a value is a **tombstone**: it says "forget this key".
#
# {{exercise 03.1}}


# %% exercise="03.1" covers="any-format bytes-only json-readable"
def encode(report):
    # <solution>
    clean = {name: None if value != value else value for name, value in report.items()}
    return json.dumps(clean).encode()
    # </solution>


q1.check(encode)

# %% [markdown]
# ## 3 · Notes on the outside
#
# A **header** is a name with a value, outside of the record's own value: whoever passes the record
# on can read it without opening the letter. Our report has one, `trace`, by which its way through
# several services can be followed. The first of these reads it, and passes it on.

# %%
passed_on = Prediction(
    "A service reads the report, and sends its key and value to the topic lab03-places. "
    "Which headers has the record there?",
    ["trace, as before", "none"],
)
passed_on

# %% covers="headers"
cluster.create_topic("lab03-places", partitions=1)
(got,) = read_all(cluster.bootstrap_servers, "lab03-reports")
producer.send("lab03-places", key=got.key, value=got.value).get(timeout=60)

with_headers = [*got.headers, ("passed", b"geocoder")]
producer.send("lab03-places", key=got.key, value=got.value, headers=with_headers).get(timeout=60)

first, second = read_all(cluster.bootstrap_servers, "lab03-places")
print(list(first.headers))
print(list(second.headers))
# <output>
# []
# [('trace', b'7f3a'), ('passed', b'geocoder')]
# </output>

# %% covers="headers"
passed_on.compare("trace, as before" if first.headers else "none")

# %% [markdown]
# To Kafka, the two records in `lab03-places` are new ones, and have nothing to do with the first.
# What is to come along must be sent along. Then the value can stay sealed, and still tell its way.
#
# ## 4 · Whose clock?
#
# The truck drives through a tunnel, and its next report comes a minute late: *after* one that was
# measured later. Two topics take both. The second is set to `message.timestamp.type=LogAppendTime`.

# %%
clock = Prediction(
    "Both records say when the truck measured. Which time do readers of the second topic get?",
    ["the truck's", "the broker's"],
)
clock

# %% covers="timestamps"
appended = KEEP | {"message.timestamp.type": "LogAppendTime"}
cluster.create_topic("lab03-created", partitions=1, settings=KEEP)
cluster.create_topic("lab03-appended", partitions=1, settings=appended)
for topic in ("lab03-created", "lab03-appended"):
    for measured in (report.time, report.time - 60_000):
        producer.send(topic, key=report.key, value=report.value, timestamp_ms=measured)
    producer.flush()

names = ["CreateTime", "LogAppendTime"]
for topic in ("lab03-created", "lab03-appended"):
    records = read_all(cluster.bootstrap_servers, topic)
    falls = records[1].timestamp < records[0].timestamp
    print(names[records[0].timestamp_type], "· offset 1 is earlier than offset 0:", falls)
# <output>
# CreateTime · offset 1 is earlier than offset 0: True
# LogAppendTime · offset 1 is earlier than offset 0: False
# </output>

# %% covers="timestamps"
clock.compare("the truck's" if records[0].timestamp == report.time else "the broker's")

# %% [markdown]
# `CreateTime` is the default: the timestamp is the producer's claim. Offsets follow the order of
# arrival, so a later offset may well have an earlier time; it is often told otherwise. With
# `LogAppendTime` the leader's own clock counts, which seldom runs backwards.
#
# How does a broker write its time into every record of a batch, when the batch may be compressed?
# It does not. It sets one bit and one number in the header:

# %% covers="timestamps"
header = batches_in(on_disk(cluster, "lab03-appended"))[0].header
print(f"attributes {header.attributes & 0xFF:08b}")
print("base timestamp is still the truck's:", header.base_timestamp == report.time)
print("max timestamp is the broker's:", header.max_timestamp == records[0].timestamp)
# <output>
# attributes 00001000
# base timestamp is still the truck's: True
# max timestamp is the broker's: True
# </output>

# %% [markdown]
# ## 5 · Batches
#
# A hundred trucks report, once each. First every report is sent in a batch of its own, then as
# many together as go into one.


# %% covers="batches"
def deliver(topic, partition, reports, **settings):
    """Sends reports to a partition; the batches that the leader wrote of them."""
    sender = KafkaProducer(
        bootstrap_servers=cluster.bootstrap_servers,
        linger_ms=60_000,  # a batch waits to be filled, until flush()
        **settings,
    )
    for r in reports:
        sender.send(topic, r.value, r.key, partition=partition, timestamp_ms=r.time)
    sender.flush()
    sender.close()
    return batches_in(on_disk(cluster, topic, partition))


reports = list(Fleet(trucks=100).reports(0, 20))
cluster.create_topic("lab03-batches", partitions=2, settings=KEEP)
print(len(reports), "reports")
# <output>
# 100 reports
# </output>

# %%
room = Prediction.number(
    "Sent one by one, how much more room on the disk do the 100 reports take than together?",
    unit="%",
    within=10,
)
room

# %% covers="batches"
alone = deliver("lab03-batches", 0, reports, batch_size=0)
together = deliver("lab03-batches", 1, reports, batch_size=16_384)
print(len(alone), "batches against", len(together))
print([batch.header.record_count for batch in together])
# <output>
# 100 batches against 2
# [94, 6]
# </output>

# %% picture="batches" covers="batches"
figure = Figure(figsize=(8.6, 2.2), layout="constrained")
axes = figure.subplots()
for row, batches in enumerate((together, alone)):
    at = 0
    for batch in batches[:12]:
        axes.broken_barh([(at, 61)], (row - 0.3, 0.6), color="#b0691a")
        records = [(at + 61 + r.at, r.size) for r in batch.records]
        axes.broken_barh(records, (row - 0.3, 0.6), color="#2f6fc4", edgecolor="white")
        at += batch.header.size
axes.set(xlim=(0, 2400), yticks=(0, 1), yticklabels=("together", "one by one"))
axes.set(xlabel="bytes from the beginning of the leader's file")
axes.set(title="61 bytes of header (brown) for each batch of records (blue)")
Drawing(figure, "Together: few headers and many records. One by one: a header before each record.")

# %% covers="batches"
few, many = (sum(batch.header.size for batch in batches) for batches in (together, alone))
because = f"{many / len(reports):.0f} bytes a report against {few / len(reports):.0f}."
room.compare(round(100 * (many / few - 1)), because)

# %% [markdown]
# Room is the lesser cost. Each batch is also sent, checked, appended and acknowledged
# by itself: a hundred times against two. Records are written in batches for efficiency, and two
# settings of the producer fill them: `batch_size` (bytes, at most) and `linger_ms` (how long a
# batch may wait for company).
#
# A batch is also what carries the **checksum**, CRC-32C, over everything behind it. You take a copy
# of the file from part 1, and flip a single bit of it: the one that makes a 5 of the 4 in 40.86. That is still JSON, and still a place in Europe.

# %%
who_notices = Prediction(
    "One bit is wrong, and the value still looks fine. Is the checksum of the batch still right?",
    ["yes: the value is still JSON", "no: it covers every bit of the value"],
)
who_notices

# %% picture="damaged" covers="checksum"
copy = bytearray(on_disk(cluster, "lab03-reports"))  # a copy: the broker's file stays as it is
copy[copy.index(b"40.86")] ^= 0b0000_0001
(damaged,) = batches_in(bytes(copy))

RecordView.of(Found(damaged, found.broker, "our-copy.log"), "lab03-reports")

# %% covers="checksum"
position = json.loads(damaged.records[0].value.of(damaged.section))
right = damaged.header.crc == damaged.computed_crc
who_notices.compare(
    "yes: the value is still JSON" if right else "no: it covers every bit of the value",
    f"The truck would be at {position['latitude']}, {position['longitude']}.",
)

# %% [markdown]
# The producer computes the checksum, the broker compares it before it appends, and consumers do
# when they read. So a flipped bit does not move a truck. Second suspect cleared: **the bytes
# are what they were.**
#
# Here is the layout of a batch's header, for your turn:
#
# | bytes | field | bytes | field |
# |---|---|---|---|
# | 0–7 | base offset | 27–34 | base timestamp |
# | 8–11 | batch length | 35–42 | max timestamp |
# | 12–15 | partition leader epoch | 43–50 | producer id |
# | 16 | magic | 51–52 | producer epoch |
# | 17–20 | CRC-32C | 53–56 | base sequence |
# | 21–22 | attributes | 57–60 | record count |
# | 23–26 | last offset delta | 61– | the records |
#
# {{exercise 03.2}}


# %% exercise="03.2" covers="batches codecs record-parts"
def batch_facts(raw):
    # <solution>
    codecs = ["none", "gzip", "snappy", "lz4", "zstd"]
    return {
        "base_offset": int.from_bytes(raw[0:8], "big"),
        "records": int.from_bytes(raw[57:61], "big"),
        "codec": codecs[raw[22] & 0b111],
    }
    # </solution>


q2.check(batch_facts)

# %% [markdown]
# ## 6 · Compression
#
# A producer can compress, with one of four codecs, and the consumer unpacks. The leader in between
# unpacks a batch too, to check it, but stores the bytes as they came. What does gzip do for our
# hundred reports, when each travels in a batch of its own?

# %%
saved_alone = Prediction.number(
    "One report a batch, each batch compressed by gzip: how much room is saved?",
    unit="%",
    within=10,
)
saved_alone

# %% covers="codecs whole-batch"
cluster.create_topic("lab03-codecs", partitions=11, settings=KEEP)
taken = {}
for n, codec in enumerate((None, "gzip", "snappy", "lz4", "zstd")):
    for m, size in enumerate((0, 65_536)):
        batches = deliver(
            "lab03-codecs", 2 * n + m, reports, compression_type=codec, batch_size=size
        )
        kind = "one by one" if size == 0 else "together"
        taken[codec or "none", kind] = sum(batch.header.size for batch in batches) / len(reports)
print(len(taken), "ways to write the same reports")
# <output>
# 10 ways to write the same reports
# </output>

# %% covers="codecs whole-batch"
plainly, packed = taken["none", "one by one"], taken["gzip", "one by one"]
saved_alone.compare(
    round(100 * (1 - packed / plainly)),
    f"{plainly:.0f} bytes a report without, {packed:.0f} with gzip.",
)

# %% picture="codecs" covers="codecs whole-batch"
figure = Figure(figsize=(8.6, 3.2), layout="constrained")
axes = figure.subplots()
colours = {"one by one": "#b0691a", "together": "#2f6fc4"}
for n, (way, size) in enumerate(taken.items()):
    kind = way[1]
    at = n // 2 + (0.2 if kind == "together" else -0.2)
    bar = axes.bar(at, size, width=0.38, color=colours[kind], label=kind if n < 2 else None)
    axes.bar_label(bar, fmt="%.0f", fontsize=8)
axes.set_xticks(range(5), ["none", "gzip", "snappy", "lz4", "zstd"])
axes.set(ylabel="bytes a report, on disk")
axes.set(ylim=(0, 290), title="The same 100 reports, in ten ways")
axes.legend(loc="upper right", ncols=2, frameon=False)
Drawing(figure, "Bytes a report: each codec saves little one by one, and most of it together.")

# %% covers="codecs whole-batch"
bare = taken["none", "together"]
for codec in ("gzip", "snappy", "lz4", "zstd"):
    share = taken[codec, "together"] / bare
    print(f"{codec:6} together: less than {'a quarter' if share < 0.25 else 'half'}")
least = min(size for way, size in taken.items() if way[1] == "one by one")
print("the best codec, one by one, takes more than no codec, together:", least > bare)
# <output>
# gzip   together: less than a quarter
# snappy together: less than half
# lz4    together: less than half
# zstd   together: less than a quarter
# the best codec, one by one, takes more than no codec, together: True
# </output>

# %% [markdown]
# **The batch is what is compressed**, not the record. A codec saves by finding what repeats, and
# the field names repeat from report to report, not within one. So fill the batches first; which
# codec you take matters less. (Between codecs you trade room for time: snappy and lz4 are quick,
# gzip and zstd small.)
#
# And where there is nothing to gain?

# %% covers="codecs whole-batch"
sender = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, compression_type="gzip")
sender.send("lab03-codecs", b"T0190 is well", partition=10).get(timeout=60)
sender.close()
print(batches_in(on_disk(cluster, "lab03-codecs", 10))[0].header.codec_name)
# <output>
# none
# </output>

# %% [markdown]
# gzip would have made it longer, so this client sent it as it was. Consumers go by the codec that
# stands in each batch's header, so a topic may hold all kinds at once.
#
# {{exercise 03.3}}


# %% exercise="03.3" covers="batches codecs whole-batch"
def send_thriftily(bootstrap_servers, topic, records):
    # <solution>
    sender = KafkaProducer(
        bootstrap_servers=bootstrap_servers,
        compression_type="gzip",
        batch_size=65_536,
        linger_ms=1_000,
    )
    for key, value in records:
        sender.send(topic, key=key, value=value)
    sender.flush()
    sender.close()
    # </solution>


q3.check(send_thriftily)

# %% [markdown]
# How large may it get? Somebody sends a film, 1.1 million bytes of it:

# %% covers="size-limit"
film = bytes(1_100_000)
for settings in (
    {},
    {"max_request_size": 5_000_000},
    {"max_request_size": 5_000_000, "compression_type": "gzip"},
):
    sender = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, **settings)
    try:
        sender.send("lab03-anything", film).get(timeout=60)
        print("accepted")
    except MessageSizeTooLargeError as refusal:
        print(refusal)
    sender.close()
# <output>
# [Error 10] MessageSizeTooLargeError: The message is 1100088 bytes when serialized which is larger than the maximum request size you have configured with the max_request_size configuration
# [Error 10] MessageSizeTooLargeError: None
# accepted
# </output>

# %% [markdown]
# The first refusal is the producer's own: nothing was sent. The second is the broker's, which takes
# batches of up to about 1 MiB (`message.max.bytes`, for one topic `max.message.bytes`). It measures the
# batch as it comes, so the compressed film, all black, passed. Better put films elsewhere, and send
# where they are.
#
# ## 7 · What the bytes mean
#
# Writer and reader must agree on what the bytes mean: on a **schema**. Some formats bring the names of
# fields along, in every record. Avro does not: its schema is kept apart, and the bytes are the
# values alone, one behind the other.

# %%
avro_size = Prediction.number(
    "As JSON, the report takes 159 bytes. How many does it take as Avro?", unit="bytes", within=15
)
avro_size

# %% covers="schema avro"
V1 = {
    "type": "record",
    "name": "Report",
    "fields": [
        {"name": "record_id", "type": "string"},
        {"name": "truck_id", "type": "string"},
        {"name": "time", "type": "long"},
        {"name": "latitude", "type": "double"},
        {"name": "longitude", "type": "double"},
        {"name": "speed_kmh", "type": "double"},
        {"name": "heading_deg", "type": "double", "default": 0.0},
    ],
}


# %% covers="avro"
def write_avro(schema, fields):
    out = io.BytesIO()
    fastavro.schemaless_writer(out, schema, fields)
    return out.getvalue()


def read_avro(value, writer, reader=None):
    """Reads what was written with one schema, as another sees it."""
    return fastavro.schemaless_reader(io.BytesIO(value), writer, reader)


def write_xml(fields):
    root = ElementTree.Element("report")
    for name, value in fields.items():
        ElementTree.SubElement(root, name).text = str(value)
    return ElementTree.tostring(root)


# %% covers="json-readable schema"
as_xml, as_avro = write_xml(report.to_dict()), write_avro(V1, report.to_dict())
print(f"XML {len(as_xml)}, JSON {len(report.value)}, Avro {len(as_avro)} bytes")
print(as_xml[:60])
print(as_avro[:24])
# <output>
# XML 223, JSON 159, Avro 57 bytes
# b'<report><record_id>T0190-000000</record_id><truck_id>T0190</'
# b'\x18T0190-000000\nT0190\x8a\xbc\xed\xcb\xf1'
# </output>

# %% covers="avro"
avro_size.compare(len(as_avro), "Not one field name is in it, and no comma.")

# %% [markdown]
# JSON and XML can be read by anybody with a pair of eyes. That has its price, and not only in
# bytes. One team's trucks began to send their speed in quotes. Which of two is faster?

# %% covers="types"
slow, fast = {"speed_kmh": "9.5"}, {"speed_kmh": "88.5"}
print("JSON:", max(json.loads(json.dumps(truck))["speed_kmh"] for truck in (slow, fast)))
print("XML: ", max(ElementTree.fromstring(write_xml(truck))[0].text for truck in (slow, fast)))

SPEED = {"type": "record", "name": "Speed", "fields": [{"name": "speed_kmh", "type": "double"}]}
values = [write_avro(SPEED, truck) for truck in (slow, fast)]
print("Avro:", max(read_avro(value, SPEED)["speed_kmh"] for value in values))
try:
    write_avro(SPEED, {"speed_kmh": "fast"})
except ValueError as refusal:
    print("Avro refuses:", refusal)
# <output>
# JSON: 9.5
# XML:  9.5
# Avro: 88.5
# Avro refuses: could not convert string to float: 'fast'
# </output>

# %% [markdown]
# As text, "9.5" comes after "88.5", and nobody was told. XML has nothing but text. JSON tells
# numbers from text, but does not hold anybody to it. With Avro, the schema says what a speed is, and
# the writer holds you to it *before* the record is in the topic. This writer, fastavro, makes a number
# of the text "9.5" where it can; Apache's own Avro refuses any text where a number should be.
#
# To be fair to JSON: there is JSON Schema now, and it can be checked when writing. What counts is
# that there is a schema, and that somebody checks. It will not be the broker: a schema helps the
# programs at both ends, and means nothing to Kafka.
#
# ## 8 · A schema that changes
#
# On Friday, somebody tidied up the dashboard's copy of the schema. Longitude now stands before
# latitude.

# %%
tidied = {**V1, "fields": [V1["fields"][n] for n in (0, 1, 2, 4, 3, 5, 6)]}
where = Prediction(
    "The dashboard reads the report's Avro bytes by its tidied schema, and knows no other. What happens?",
    ["the right position", "a wrong position", "an error"],
)
where

# %% covers="writers-schema"
seen = read_avro(as_avro, tidied)
print("sent:", report.latitude, report.longitude)
print("seen:", seen["latitude"], seen["longitude"])
# <output>
# sent: 40.86017 -5.26601
# seen: -5.26601 40.86017
# </output>

# %% covers="writers-schema"
where.compare(
    "the right position" if seen["latitude"] == report.latitude else "a wrong position",
    "5° south, 41° east: the Indian Ocean.",
)

# %% [markdown]
# The case is solved. Nobody changed the bytes: somebody changed what they are *read as*. Avro values
# have no names in them, so a reader needs the schema **they were written with**. With that it can
# put everything in its place, whatever its own schema looks like:

# %% covers="writers-schema"
seen = read_avro(as_avro, V1, tidied)  # written with V1, wanted as tidied
print("seen:", seen["latitude"], seen["longitude"])
# <output>
# seen: 40.86017 -5.26601
# </output>

# %% [markdown]
# How does a reader know the writer's schema? It is too long to send along every time. A
# *fingerprint* of it is enough, 16 letters here, in a header; and a table from fingerprints to
# schemas that both can look into. Our table is a dict. In real systems a **schema registry** keeps it,
# a server beside Kafka, and most of them put a short id into the first bytes of the value.

# %% covers="writers-schema"
known = {}


def id_of(schema):
    return fingerprint(to_parsing_canonical_form(schema), "CRC-64-AVRO")


def register(schema):
    known[id_of(schema)] = schema
    return id_of(schema)


print(register(V1), "is V1")
print(register(tidied), "is the tidied one")
# <output>
# b817010ab5e5af54 is V1
# 52a433a0d3940355 is the tidied one
# </output>

# %% [markdown]
# Now schemas may differ. But not in every way. Each time, the reader knows the writer's schema:
#
# | | the reader's schema | the record was written with |
# |---|---|---|
# | A | V1 and a field more, with a default | V1 |
# | B | V1 and a field more, without a default | V1 |
# | C | V1 | V1 and a field more |
# | D | V1 with a field renamed | V1 |
# | E | V1 with a field renamed, the old name as an alias | V1 |

# %%
follows = Prediction.arrangement(
    "Five readers, and five records. Which reader can read its record?",
    chips=["A", "B", "C", "D", "E"],
    places={"read": "can be read", "fails": "cannot be read"},
)
follows

# %% covers="evolution avro"
fuel = {"name": "fuel_l", "type": "double"}
more = {**V1, "fields": [*V1["fields"], fuel]}
more_with_default = {**V1, "fields": [*V1["fields"], {**fuel, "default": -1.0}]}
renamed, aliased = (
    {**V1, "fields": [speed if f["name"] == "speed_kmh" else f for f in V1["fields"]]}
    for speed in (
        {"name": "speed", "type": "double"},
        {"name": "speed", "type": "double", "aliases": ["speed_kmh"]},
    )
)
old, new = report.to_dict(), {**report.to_dict(), "fuel_l": 310.0}
tries = {
    "A": (V1, old, more_with_default),
    "B": (V1, old, more),
    "C": (more, new, V1),
    "D": (V1, old, renamed),
    "E": (V1, old, aliased),
}

# %% covers="evolution"
outcome = {}
for change, (writer, fields, reader) in tries.items():
    try:
        read_avro(write_avro(writer, fields), writer, reader)
        outcome[change] = "read"
        print(f"{change} can be read")
    except fastavro.read.SchemaResolutionError as error:
        outcome[change] = "fails"
        print(f"{change} fails: {error}")
# <output>
# A can be read
# B fails: No default value for field fuel_l in Report
# C can be read
# D fails: No default value for field speed in Report
# E can be read
# </output>

# %% covers="evolution"
follows.compare(outcome)

# %% [markdown]
# The reader asks for its own fields. What the writer has besides, it skips (C). What the writer does
# not have, it fills with the default of *its own* schema (A), or fails (B). Fields are matched by name,
# so a new name is a new field (D), unless the reader's schema knows the old name as an alias (E).
#
# Records stay in a topic for a week or for years. So there are always old records and, while
# programs are replaced one by one, old readers too. A change that is safe has to work **both ways**.
#
# {{exercise 03.4}}

# %% exercise="03.4" covers="evolution"
# <solution blank="new_schema = ...">
fields = [field for field in V1["fields"] if field["name"] != "heading_deg"]
fields.append({"name": "fuel_l", "type": "double", "default": -1.0})
new_schema = {"type": "record", "name": "Report", "fields": fields}
# </solution>
q4.check(new_schema)

# %% [markdown] part="finale"
# ## 9 · A record that nobody can read
#
# It is Friday again, five to five. New software goes out to the trucks, one after the other. In
# its schema, `speed_kmh` is called `speed`. Nobody has asked those who read.
#
# The first truck to get it sends the record at offset 7. The dashboard, a consumer group of one, takes
# each report, and commits its offset after that.

# %%
stuck = Prediction(
    "The dashboard cannot read the record at offset 7, dies, and is started again. Where does it go on?",
    ["at offset 0", "at offset 7", "at offset 8"],
)
stuck

# %% covers="poison no-meaning schema"
cluster.create_topic("lab03-fleet", partitions=1)
register(renamed)
trucks = list(Fleet(trucks=12).reports(0, 20))
for offset, truck in enumerate(trucks):
    fields, schema = truck.to_dict(), V1
    if offset in (7, 9, 11):  # the new software
        fields["speed"], schema = fields.pop("speed_kmh"), renamed
    header = ("schema", id_of(schema).encode())
    producer.send("lab03-fleet", write_avro(schema, fields), truck.key, headers=[header])
producer.flush()
print(len(read_all(cluster.bootstrap_servers, "lab03-fleet")), "records, every one accepted")
# <output>
# 12 records, every one accepted
# </output>


# %% covers="poison"
def decode(record, reader=V1):
    """The fields of a report, by the schema that its header names."""
    return read_avro(record.value, known[dict(record.headers)["schema"].decode()], reader)


def dashboard(take):
    """Reads on from the committed offset to the last record; what it has to say when it ends."""
    consumer = KafkaConsumer(
        "lab03-fleet",
        group_id="lab03-dashboard",
        bootstrap_servers=cluster.bootstrap_servers,
        auto_offset_reset="earliest",
        enable_auto_commit=False,
        max_poll_records=1,
        consumer_timeout_ms=60_000,
    )
    try:
        for record in consumer:
            take(record)
            consumer.commit()
            if record.offset == len(trucks) - 1:
                return "has read everything"
    except fastavro.read.SchemaResolutionError as error:
        return f"died at partition {record.partition}, offset {record.offset}: {error}"
    finally:
        consumer.close()


# %% covers="poison"
for start in (1, 2, 3):
    print(f"start {start}:", dashboard(decode))
# <output>
# start 1: died at partition 0, offset 7: No default value for field speed_kmh in Report
# start 2: died at partition 0, offset 7: No default value for field speed_kmh in Report
# start 3: died at partition 0, offset 7: No default value for field speed_kmh in Report
# </output>

# %% covers="poison"
(committed,) = cluster.snapshot().group("lab03-dashboard").offsets
stuck.compare(f"at offset {committed.committed}", f"Its lag is {committed.lag}, and grows.")

# %% [markdown]
# A **poison record**: not damaged, not lost, just not to be read by this reader. It has not been
# processed, so its offset is not committed, so it comes again. Nothing behind it is read, and it
# would go on like this all weekend.

# %% picture="stuck"
log_view = LogView(cluster, "lab03-fleet")
LogMoment(cluster, log_view)

# %% [markdown]
# The error has told the two numbers that find any record in a topic: partition 0, offset 7. Look at
# it, and then at its neighbour. The checksum is right, the value is whole; in the header `schema` is
# another fingerprint.

# %% picture="poison"
found = found_on_disk(cluster, "lab03-fleet", partition=0, offset=7)
RecordView.of(found, "lab03-fleet", partition=0, offset=7)

# %% covers="poison headers"
for offset in (6, 7):
    found = read_all(cluster.bootstrap_servers, "lab03-fleet")[offset]
    print(offset, dict(found.headers)["schema"].decode())
print(id_of(V1) in known, id_of(renamed) in known)
# <output>
# 6 b817010ab5e5af54
# 7 75da2fd9426e60a8
# True True
# </output>

# %% [markdown]
# First, let the others through. What cannot be read goes to a topic for **dead letters**, as it is,
# with the reason and its old place in headers. Only then is its offset committed.

# %% covers="poison headers"
cluster.create_topic("lab03-fleet-dead-letters", partitions=1)
shown = []


def show_or_put_aside(record):
    try:
        shown.append(decode(record)["speed_kmh"])
    except fastavro.read.SchemaResolutionError as error:
        place = f"{record.topic}/{record.partition}/{record.offset}"
        note = [*record.headers, ("reason", str(error).encode()), ("from", place.encode())]
        sent = producer.send("lab03-fleet-dead-letters", record.value, record.key, headers=note)
        sent.get(timeout=60)  # only then may its offset be committed


print("the dashboard", dashboard(show_or_put_aside))
letters = read_all(cluster.bootstrap_servers, "lab03-fleet-dead-letters")
print([dict(letter.headers)["from"].decode() for letter in letters])
# <output>
# the dashboard has read everything
# ['lab03-fleet/0/7', 'lab03-fleet/0/9', 'lab03-fleet/0/11']
# </output>

# %% [markdown]
# Then, find a schema with which the letters can be read. The writer cannot be changed any more: what is
# written is written. But the *reader's* schema may know the new name as an alias of its own.

# %% covers="poison evolution"
patient = {**V1, "fields": [dict(field) for field in V1["fields"]]}
patient["fields"][5]["aliases"] = ["speed"]

recovered = [decode(letter, patient)["speed_kmh"] for letter in letters]
wanted = [truck.speed_kmh for truck in trucks]
print(f"{len(trucks)} sent, 7 shown at first, {len(shown)} later, {len(recovered)} letters read")
print("the letters:", recovered == [wanted[7], wanted[9], wanted[11]])
# <output>
# 12 sent, 7 shown at first, 2 later, 3 letters read
# the letters: True
# </output>

# %% covers="poison"
(committed,) = cluster.snapshot().group("lab03-dashboard").offsets
print("lag", committed.lag)
# <output>
# lag 0
# </output>

# %% [markdown]
# Healed, and nothing lost. Cheaper is to ask *before* the software goes out. In a schema registry you
# choose which changes of a topic's schema are compatible, for example that new readers must be able to
# read old records, and it refuses the others. Here that was your exercise 03.4: both directions, tried.
#
# ## Your points

# %%
print(lab.score())
# <output>
# ✓ 03.1 Bytes for any reader: right
# ✓ 03.2 What a header says: right
# ✓ 03.3 Little room: right
# ✓ 03.4 A schema that grows: right
# 7 of 7 points
# </output>

# %% tags=["progress"]
lab.progress()

# %% [markdown]
# ## Clean up

# %% tags=["clean-up"]
producer.close()
lab.tidy()
print("tidy")
# <output>
# tidy
# </output>

# %% [markdown]
# **What to take home.** A record is bytes: key, value, headers, with a time and a place. Records
# travel in batches, and the batch is what is compressed and checked. What the bytes mean is an
# agreement between writer and reader. Write it down as a schema, send its name along, and change it
# only so that both sides can follow.
#
# Your words now: *record, batch, header, serialising, codec, CreateTime and LogAppendTime,
# tombstone, schema, fingerprint, poison record, dead letter*. Next is [lab 04](04_keys_and_order.ipynb):
# what the five bytes of the key decide.
