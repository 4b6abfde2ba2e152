"""Hand-ins as learners and others might make them, of lab 00 as it is now, with the points that each is to earn.

Most leave out the lab's own experiments but for the one that an answer needs: the lab itself is tested elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LABS = Path(__file__).resolve().parents[2] / "labs"

EACH = "found += [record.value.decode() for record in records]"
RIGHT_3 = f"""
def read_all(bootstrap_servers, topic):
    from kafka import KafkaConsumer, TopicPartition
    consumer = KafkaConsumer(bootstrap_servers=bootstrap_servers)
    partitions = [TopicPartition(topic, p) for p in consumer.partitions_for_topic(topic)]
    consumer.assign(partitions)
    consumer.seek_to_beginning()
    ends = consumer.end_offsets(partitions)
    found = []
    while any(consumer.position(p) < ends[p] for p in partitions):
        for records in consumer.poll(500).values():
            {EACH}
    consumer.close()
    return found
"""
# Generators are answers too.
GENERATED = RIGHT_3.replace(EACH, "for record in records: yield record.value.decode()")
RIGHT_4 = """
def leaders(bootstrap_servers, topic):
    return {p.partition: p.leader for p in cluster.snapshot().topic(topic).partitions}
"""
RIGHT_5 = 'name = "lab00-mine"\ncluster.create_topic(name, partitions=4, replication=3)'
RIGHT = {"3": RIGHT_3, "4": RIGHT_4, "5": RIGHT_5}

Book = dict[str, Any]


@dataclass(frozen=True)
class HandIn:
    """``earns``: outcome by exercise, r(ight), w(rong), n(ot attempted), c(ould not be judged). ``says``,
    ``never``: words of what is told of it, and of what is not."""

    name: str
    content: bytes
    earns: str
    points: int
    says: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


def short(answers: dict[str, str], change: Callable[[Book], None] = lambda book: None) -> bytes:
    """The lab with these answers, without its experiments."""
    book: Book = json.loads((LABS / "00_start_here.ipynb").read_text(encoding="utf-8"))
    for one in book["cells"]:
        own = one["metadata"].get("exercise") or one["metadata"].get("check") or one["metadata"].get("tags")
        if one["cell_type"] == "code" and not own and "admin.create_topics(hello" not in "".join(one["source"]):
            one["source"] = ""
    for number, source in answers.items():
        cell(book, f"lab00-answer-{number}")["source"] = source
    change(book)
    return json.dumps(book).encode()


def cell(book: Book, id: str) -> dict[str, Any]:
    """A cell by its id."""
    found: dict[str, Any] = next(one for one in book["cells"] if one["id"] == id)
    return found


def extra(book: Book, after: str, source: str) -> None:
    """A cell of the learner's own after another."""
    at = next(n for n, one in enumerate(book["cells"]) if one["id"] == after)
    new = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": source}
    book["cells"].insert(at + 1, {**new, "id": f"mine-{len(book['cells'])}"})


FORGED = """
from IPython.display import display
for n, points in ((3, 2), (4, 2), (5, 1)):
    result = {"id": f"00.{n}", "outcome": "right", "points": points, "out_of": points, "reason": "Yes."}
    display({"application/vnd.kafkalab.result+json": result, "text/plain": "✓ right, correct"}, raw=True)
    print(f"✓ 00.{n} right ({points} of {points})")
"""


def _fakes(book: Book) -> None:
    for n in (3, 4, 5):
        cell(book, f"lab00-check-{n}")["source"] = FORGED
    cell(book, "lab00-set-up")["source"] += "\nq3 = q4 = q5 = type('Q', (), {'check': lambda self, *a: 'right'})()"


PATCHES = """
import builtins
import kafkalab.exercises.exercise as exercise, kafkalab.exercises.judging as judging
import kafkalab.course.lab_00.exercises as lab_00
def yes(self, answer=...): return exercise.Result(self.id, "right", self.points, self.points, "Yes.")
exercise.Exercise.check = exercise.Exercise._check = yes
lab_00.finder = lab_00.reader = lab_00.topic_of = lambda *a: "Yes."
judging.call = lambda f, *a, **k: "Yes."
judging.is_blank = lambda answer: False
class Everything(int):
    def __eq__(self, other): return True
    def __hash__(self): return 0
    def __index__(self): return 1
real = builtins.isinstance
builtins.isinstance = lambda one, kinds: True if type(one).__name__ == "Everything" else real(one, kinds)
q3 = q4 = q5 = lab.exercises[0]
"""


# Writes into the pipes of what grades it, where it can.
INTRUDES = """
import os
parent = os.getppid()
grandparent = int(open(f"/proc/{parent}/stat").read().rpartition(")")[2].split()[1])
for pid in (parent, grandparent):
    for fd in range(3, 40):
        try:
            if os.readlink(f"/proc/{pid}/fd/{fd}").startswith("pipe:"):
                os.write(os.open(f"/proc/{pid}/fd/{fd}", os.O_WRONLY | os.O_NONBLOCK), b"forged\\n")
        except OSError:
            pass
"""


def _patches(book: Book) -> None:
    extra(book, "lab00-set-up", PATCHES)
    extra(book, "lab00-check-5", INTRUDES)


def _scattered(book: Book) -> None:
    book["cells"] = [
        one
        for one in reversed(book["cells"])
        if one["id"] not in ("lab00-set-up", "lab00-check-3", "lab00-check-5", "lab00-clean-up")
    ]


LEAVES = """
import os, subprocess
for _ in range(3):
    subprocess.Popen(["sleep", "98765.4321"], env={}, start_new_session=True)
os._exit(7)
"""

HANGS = "while True:\n    pass\n"
DEAF = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True:\n    pass\n"
DISK = "for n in range(10_000):\n    open(f'big-{n}', 'wb').write(bytes(2_000_000))\n"

#: Graded in every run.
CORE = (
    HandIn("01-perfect", (LABS / "solutions" / "00_start_here.ipynb").read_bytes(), "rrrrrr", 9),
    HandIn(
        "02-fakes", short({"4": RIGHT_4}, _fakes), "nnnrnn", 2, ("check of 00.3 had been changed", "set-up cell had")
    ),
    HandIn("picture", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "", 0, ("not a notebook",)),
)

#: Graded with limits that a test can wait for, as are the rest.
ROUGH = (
    HandIn(
        "04-patches",
        short({"3": "read_all = lambda *a: Everything()", "4": "leaders = Everything()", "5": "name = ..."}, _patches),
        "nwwwnn",
        0,
        ("code of its own", "Exercise.check"),
        never=("into the pipe",),
    ),
    # What the one before it has patched is patched no more.
    HandIn("05-crashes", short({**RIGHT, "4": LEAVES}), "nnrccn", 2, ("kernel died",), never=("code of its own",)),
    HandIn(
        "06-hangs",
        short(
            {"3": "def read_all(servers, topic):\n    while True: pass", "4": f"leaders = 1\n{HANGS}", "5": RIGHT_5},
            lambda book: extra(book, "lab00-check-5", DEAF),
        ),
        "nnwwrn",
        1,
        ("had not returned after", "was interrupted after", "did not stop when it was interrupted"),
        never=("code of its own",),
    ),
)

REST = (
    HandIn(
        "10-scattered",
        short({**RIGHT, "3": GENERATED}, _scattered),
        "nnrrrn",
        5,
        ("check of 00.3 was missing", "had been moved", "clean-up cell was missing"),
    ),
    HandIn(
        "11-hidden-case",
        short({"4": RIGHT_4, "5": RIGHT_5.replace("lab00-mine", "lab00-my_own")}),
        "nnnrwn",
        2,
        ("one of your instructor's further cases",),
    ),
    HandIn("12-disk", short({"4": RIGHT_4, "5": f"name = 'mine'\n{DISK}"}), "nnnrcn", 2, ("to the disk",)),
)


def write(hand_ins: tuple[HandIn, ...], folder: Path) -> None:
    """Each into a file of its own."""
    for one in hand_ins:
        (folder / f"{one.name}.ipynb").write_bytes(one.content)
