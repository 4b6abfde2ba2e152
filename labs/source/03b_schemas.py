# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kafkalab:
#     title: Schemas
#     can: write and read Avro, change a schema safely, and free a consumer from a poison record
#     after: ["03a"]
#     memory: 1 GB
#     seconds: 15
#     big: ["03b.3", "03b.5"]
#     teaches:
#     - json.loads
#     - fastavro.schemaless_writer
#     - fastavro.schemaless_reader
#     - KafkaConsumer.group_id
#     - KafkaConsumer.enable_auto_commit
#     - KafkaConsumer.commit
# ---

# %% [markdown]
# # 03b · Schemas: who put Mara's truck into the sea?
#
# In lab 03a you cleared two suspects: the broker didn't change the bytes of Mara's report, and no
# bit was flipped. The dashboard still shows her truck in the Indian Ocean. So someone must read the
# right bytes in the wrong way. In this lab you find out who, and you learn how you can change the
# form of your records without breaking our readers.
#
# | | |
# |---|---|
# | **You will** | write one report in three formats, change a schema in five ways, free a stuck dashboard |
# | **You learn** | schema, Avro, the writer's schema, evolution, poison record, dead letter |
# | **You need** | about {{minutes}} minutes, 1 GB of free memory, [lab 03a](03a_messages.ipynb) |

# %% tags=["set-up"] jupyter={"source_hidden": true}
# Set-up: takes your running cluster or starts one, and removes what an earlier run left.
import io
import json
from xml.etree import ElementTree

import fastavro
from kafka import KafkaConsumer, KafkaProducer

from kafkalab import Fleet  # our trucks, which drive and report
from kafkalab import Lab  # this lab, on your cluster
from kafkalab import LogView  # draws the records of a topic
from kafkalab import Prediction  # asks for your guess
from kafkalab import read_all  # the loop of lab 02a: every record that is in a topic now
import kafkalab.course.lab_03b.props as props  # a table of schemas, and two drawings

lab = Lab("03b")
cluster = lab.cluster
q1, q2, q3, q4, q5 = lab.exercises
report = next(Fleet().reports(0, 20))
cluster

# %% [markdown] covers="schema avro"
# ## 1 · Three ways to write a report
#
# You and your readers must agree on what the bytes mean, and that agreement is a **schema**. Some
# formats bring the names of the fields along in every record. Avro doesn't: you keep its schema
# apart, and the bytes are the values alone, one behind the other.

# %%
avro_size = Prediction.number(
    "As JSON, the report takes 159 bytes. How many does it take as Avro?", unit="bytes", within=15
)
avro_size

# %% covers="schema avro"
of_a_report = [
    {"name": "record_id", "type": "string"},
    {"name": "truck_id", "type": "string"},
    {"name": "time", "type": "long"},
    {"name": "latitude", "type": "double"},
    {"name": "longitude", "type": "double"},
    {"name": "speed_kmh", "type": "double"},
    {"name": "heading_deg", "type": "double", "default": 0.0},
]
V1 = {"type": "record", "name": "Report", "fields": of_a_report}


# %% covers="avro"
def write_avro(schema, fields):
    out = io.BytesIO()
    fastavro.schemaless_writer(out, schema, fields)
    return out.getvalue()


def write_xml(fields):
    root = ElementTree.Element("report")
    for name, value in fields.items():
        ElementTree.SubElement(root, name).text = str(value)
    return ElementTree.tostring(root)


# %% covers="json-readable schema avro"
as_xml, as_avro = write_xml(report.to_dict()), write_avro(V1, report.to_dict())
print(as_xml[:60], as_avro[:24], sep="\n")
# <output>
# b'<report><record_id>T0190-000000</record_id><truck_id>T0190</'
# b'\x18T0190-000000\nT0190\x8a\xbc\xed\xcb\xf1'
# </output>

# %% covers="avro json-readable"
avro_size.compare(
    len(as_avro), f"XML {len(as_xml)}, JSON {len(report.value)}, Avro {len(as_avro)}."
)

# %% picture="formats" covers="json-readable avro" shows="XML: 223 | JSON: 159 | Avro: 57, of these 0 names"
formats = {"XML": as_xml, "JSON": report.value, "Avro": as_avro}
props.formats_drawn(formats, [field["name"] for field in of_a_report])

# %% [markdown] covers="json-readable types"
# You can read JSON and XML without any tool. That has its price, and not only in bytes. Last week
# some trucks began to send their speed in quotes, as text. Which of these two is faster?

# %% covers="types"
slow, fast = b'{"speed_kmh": "9.5"}', b'{"speed_kmh": "88.5"}'
print("JSON:", max(json.loads(value)["speed_kmh"] for value in (slow, fast)))

speed_only = {"type": "record", "name": "S", "fields": [{"name": "speed_kmh", "type": "double"}]}
try:
    write_avro(speed_only, {"speed_kmh": "fast"})
except ValueError as refusal:
    print("Avro refuses:", refusal)
# <output>
# JSON: 9.5
# Avro refuses: could not convert string to float: 'fast'
# </output>

# %% [markdown] covers="types schema"
# As text, "9.5" comes after "88.5", and no program told you. XML has nothing but text. JSON knows
# numbers, but doesn't insist on them. With Avro, your schema says what a speed is, and the writer
# checks it *before* the record is in the topic. (This writer, fastavro, would turn the text "9.5"
# into a number. Apache's own Avro refuses that, too.) JSON can be checked as well, with JSON
# Schema. But your program has to do it: to Kafka's brokers a schema means nothing.
#
# {{exercise 03b.1}}


# %% exercise="03b.1" covers="types"
def fastest(values):
    # <solution>
    return max(float(json.loads(value)["speed_kmh"]) for value in values)
    # </solution>


q1.check(fastest)

# %% [markdown] covers="writers-schema"
# ## 2 · The third suspect
#
# On Friday, a colleague of Aylin's tidied up the dashboard's copy of the schema. Now it has the
# longitude before the latitude. This is how the dashboard reads our report:


# %% covers="writers-schema"
def read_avro(value, written_with, wanted=None):
    return fastavro.schemaless_reader(io.BytesIO(value), written_with, wanted)


tidied = {**V1, "fields": [V1["fields"][n] for n in (0, 1, 2, 4, 3, 5, 6)]}
seen = read_avro(as_avro, tidied)
print("sent: ", report.latitude, report.longitude)
print("shown:", seen["latitude"], seen["longitude"])
# <output>
# sent:  40.86017 -5.26601
# shown: -5.26601 40.86017
# </output>

# %% [markdown] covers="writers-schema"
# 5° south, 41° east: that's the Indian Ocean, and you've solved the case. The bytes are the same,
# but someone changed what they're *read as*, and there was no error, because Avro values have no
# names in them. A reader can also get two schemas: the one that the bytes were **written with**,
# and the one that it **wants**.

# %%
both = Prediction(
    "Now the dashboard reads the bytes as written with V1, and wants the tidied schema. What happens?",
    ["it shows the right position", "it shows a wrong position", "it gets an error"],
)
both

# %% covers="writers-schema"
seen = read_avro(as_avro, written_with=V1, wanted=tidied)

# %% covers="writers-schema"
both.compare(
    "it shows the right position"
    if seen["latitude"] == report.latitude
    else "it shows a wrong position",
    f"Shown: {seen['latitude']}, {seen['longitude']}.",
)

# %% [markdown] covers="writers-schema"
# With the **writer's schema**, a reader puts each value in its place, in any order it wants. But a
# schema is too long to send along every time. So we send a short id with the record, here in a
# header, and look it up in a table. Our table is a dict. Real systems use a **schema
# registry**, a server beside Kafka, and most put the id into the first bytes of the value.

# %% covers="writers-schema"
registry = props.Registry()
print(registry.add(V1), registry.add(tidied))
print(registry["b817010ab5e5af54"] == V1)
# <output>
# b817010ab5e5af54 52a433a0d3940355
# True
# </output>

# %% [markdown]
# {{exercise 03b.2}}


# %% exercise="03b.2" covers="writers-schema"
def position(value, written_with):
    # <solution>
    fields = read_avro(value, written_with)
    return fields["latitude"], fields["longitude"]
    # </solution>


q2.check(position)

# %% [markdown] covers="evolution"
# ## 3 · A schema that changes
#
# So your schemas may differ, but not in every way. In each of these cases, we give the reader the
# schema that the record was written with:
#
# | | the reader wants | the record was written with |
# |---|---|---|
# | A | V1 and one more field, which has a default | V1 |
# | B | V1 and one more field, without a default | V1 |
# | C | V1 | V1 and one more field |
# | D | V1 with a field renamed | V1 |
# | E | V1 with a field renamed, and the old name as an alias | V1 |

# %%
follows = Prediction.arrangement(
    "Five readers, and five records. Which reader can read its record?",
    chips=["A", "B", "C", "D", "E"],
    places={"read": "can be read", "fails": "cannot be read"},
    nowhere="not placed",
)
follows


# %% covers="evolution avro"
def changed(**fields):
    # V1 with these fields: one of its own is replaced, a new one is added.
    named = {field["name"]: field for field in V1["fields"]}
    return {**V1, "fields": list((named | fields).values())}


fuel = {"name": "fuel_l", "type": "double"}
speed = {"name": "speed", "type": "double"}
cases = {
    "A": (V1, changed(fuel_l={**fuel, "default": -1.0})),
    "B": (V1, changed(fuel_l=fuel)),
    "C": (changed(fuel_l=fuel), V1),
    "D": (V1, changed(speed_kmh=speed)),
    "E": (V1, changed(speed_kmh={**speed, "aliases": ["speed_kmh"]})),
}

# %% covers="evolution"
full = report.to_dict() | {"fuel_l": 310.0}
outcome = {}
for case, (written_with, wanted) in cases.items():
    try:
        read_avro(write_avro(written_with, full), written_with, wanted)
        outcome[case] = "read"
    except fastavro.read.SchemaResolutionError:
        outcome[case] = "fails"

# %% covers="evolution"
follows.compare(outcome)

# %% [markdown] covers="evolution"
# The reader looks for its own fields. It skips what else the writer has (C). What the writer
# doesn't have, it fills with the default of *its own* schema (A), or it fails (B). It matches
# fields by name, so a new name is a new field (D), unless the reader's schema knows the old name as
# an alias (E). A type may change only where no value can get lost, for example from `int` to `long`
# or `double`.
#
# Records stay in a topic for a week or for years, and you replace programs one by one. So there are
# always old records and old readers, and a safe change works **both ways**.
#
# {{exercise 03b.3}}

# %% exercise="03b.3" covers="evolution"
# <solution blank="new_schema = ...">
fields = [field for field in V1["fields"] if field["name"] != "heading_deg"]
fields.append({"name": "fuel_l", "type": "double", "default": -1.0})
new_schema = {"type": "record", "name": "Report", "fields": fields}
# </solution>
q3.check(new_schema)

# %% [markdown] part="finale" covers="poison"
# ## 4 · A record that stops the dashboard
#
# It's Friday, five to five. New software goes out to the trucks, one after the other. In its
# schema, `speed_kmh` is called `speed`, and Aylin's team doesn't know. Here are twelve reports,
# with the driver as the key. Three of them come from trucks with the new software: Ida's, Kim's and
# Mia's.

# %% covers="poison schema"
cluster.create_topic("lab03b-fleet", partitions=1)
producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers)
renamed = changed(speed_kmh=speed)
drivers = ["Ana", "Ben", "Cem", "Dia", "Eli", "Fay", "Gus", "Ida", "Jan", "Kim", "Leo", "Mia"]
for offset, truck in enumerate(Fleet(trucks=12).reports(0, 20)):
    written_with = renamed if offset in (7, 9, 11) else V1
    value = write_avro(written_with, truck.to_dict() | {"speed": truck.speed_kmh})
    note = [("schema", registry.add(written_with).encode())]
    producer.send("lab03b-fleet", value, drivers[offset].encode(), headers=note)
producer.flush()
print(len(read_all(cluster.bootstrap_servers, "lab03b-fleet")), "records, all of them accepted")
# <output>
# 12 records, all of them accepted
# </output>

# %% [markdown] covers="poison"
# And here's the dashboard, a consumer group. It reads each report and commits its offset after
# that. (By default, the client would commit by itself, every 5 seconds.)


# %% covers="poison"
def decode(record, wanted=V1):
    written_with = registry[dict(record.headers)["schema"].decode()]
    return read_avro(record.value, written_with, wanted)


# %% covers="poison"
def consumer_of(group):
    return KafkaConsumer(
        "lab03b-fleet",
        bootstrap_servers=cluster.bootstrap_servers,
        group_id=group,
        auto_offset_reset="earliest",
        enable_auto_commit=False,
        max_poll_records=1,
        consumer_timeout_ms=8_000,
    )


# %% covers="poison"
def dashboard(group):
    consumer = consumer_of(group)
    try:
        for record in consumer:
            decode(record)
            consumer.commit()
    except fastavro.read.SchemaResolutionError as error:
        print(f"died at partition {record.partition}, offset {record.offset}: {error}")
    finally:
        consumer.close()


dashboard("lab03b-dashboard")
# <output>
# died at partition 0, offset 7: No default value for field speed_kmh in Report
# </output>

# %%
stuck = Prediction(
    "The dashboard is started again. Where does it die next?",
    ["it doesn't: it has seen that record", "at offset 7", "at offset 9"],
)
stuck

# %% covers="poison"
dashboard("lab03b-dashboard")

# %% covers="poison"
(committed,) = cluster.snapshot().group("lab03b-dashboard").offsets
stuck.compare(
    {7: "at offset 7", 9: "at offset 9"}.get(
        committed.committed, "it doesn't: it has seen that record"
    ),
    f"Its committed offset is {committed.committed}, and its lag {committed.lag}.",
)

# %% picture="stuck" covers="poison" shows="lab03b-dashboard committed | 12 12 7 · lag 5"
LogView(cluster, "lab03b-fleet").moment()

# %% [markdown] covers="poison"
# That's a **poison record**: it isn't damaged or lost, but this reader can't read it. The dashboard
# doesn't get past it, so its offset is never committed, and it comes again. Find the group's mark:
# it would stay at Ida's record all weekend, with everything behind it. Let's look at the record on
# the broker's disk, and at the one before it:

# %% covers="poison"
for record in read_all(cluster.bootstrap_servers, "lab03b-fleet")[6:8]:
    print(record.offset, dict(record.headers)["schema"], len(record.value), "bytes")
# <output>
# 6 b'b817010ab5e5af54' 57 bytes
# 7 b'75da2fd9426e60a8' 57 bytes
# </output>

# %% picture="poison" covers="poison" shows="75da2fd9426e60a8"
props.record(cluster, "lab03b-fleet", offset=7)

# %% [markdown] covers="poison"
# Nothing is wrong with its bytes: only its schema is another one. Two things help. The trucks can't
# take their records back, but you can give the *reader* a schema that knows both names:
#
# {{exercise 03b.4}}

# %% exercise="03b.4" covers="evolution poison"
# <solution blank="patient = ...">
patient = changed(speed_kmh={"name": "speed_kmh", "type": "double", "aliases": ["speed"]})
# </solution>
q4.check(patient)

# %% [markdown] covers="poison"
# That takes until Monday. Tonight you want the others to get through. So you put aside what the
# dashboard can't read: you send it to a topic for **dead letters** as it is, with the reason and
# its old address in headers. Only when it has arrived there do you commit.

# %% covers="poison"
cluster.create_topic("lab03b-dead-letters", partitions=1)


# %% [markdown]
# {{exercise 03b.5}}

# %% exercise="03b.5" covers="poison"
# <solution blank="shown = ...">
shown = {}
reader = consumer_of("lab03b-dashboard")
for record in reader:
    try:
        shown[record.offset] = decode(record)["speed_kmh"]
    except fastavro.read.SchemaResolutionError as error:
        address = f"{record.topic}/{record.partition}/{record.offset}".encode()
        noted = [*record.headers, ("reason", str(error).encode()), ("from", address)]
        letter = producer.send("lab03b-dead-letters", record.value, record.key, headers=noted)
        letter.get(timeout=60)
    reader.commit()
reader.close()
# </solution>
q5.check(shown)

# %% [markdown] covers="evolution"
# It's cheaper to ask *before* the software goes out. In a schema registry you choose for each topic
# which changes are compatible, for example that new readers must be able to read old records, and
# the registry refuses the others.
#
# **Why?** In one sentence: why did the broker accept the record that stopped the dashboard?
# Double-click here and write it down. It isn't graded.
#
# *My sentence:* …
#
# <details><summary>Ours</summary>Because a broker only sees bytes: the schema is an agreement of
# the programs that write and read them.</details>
#
# ## Your points

# %%
print(lab.score())
# <output>
# ✓ 03b.1 The fastest of all: right
# ✓ 03b.2 Where is it?: right
# ✓ 03b.3 A schema that grows: right
# ✓ 03b.4 A patient reader: right
# ✓ 03b.5 Free the dashboard: right
# 9 of 9 points
# </output>

# %% tags=["progress"]
lab.progress()

# %% [markdown]
# ## Clean up
#
# The next cell removes the topics and the group of this lab. Your cluster goes on for the next one.

# %% tags=["clean-up"]
producer.close()
lab.tidy()
print("tidy")
# <output>
# tidy
# </output>

# %% [markdown]
# **You can now** write and read Avro, change a schema so that old and new programs understand each
# other, and free a consumer from a record that it can't read.
#
# **The words you own now:** *schema, Avro, writer's schema, schema registry, evolution, alias,
# poison record, dead letter*.
#
# **Where next?** [04 · Keys and order](04_keys_and_order.ipynb): what the five bytes of the key
# decide.
