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


def _patches(book: Book) -> None:
    extra(book, "lab00-set-up", PATCHES)


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

NOTHING = {"3": "read_all = lambda *a: Everything()", "4": "leaders = Everything()", "5": "name = ..."}

#: Graded with limits that a test can wait for, as are the rest.
ROUGH = (
    HandIn("04-patches", short(NOTHING, _patches), "nwwwnn", 0, ("`kafkalab.exercises.exercise` is used in cell",)),
    HandIn("05-crashes", short({**RIGHT, "4": LEAVES}), "nnrccn", 2, ("kernel died",)),
    HandIn(
        "06-hangs",
        short(
            {"3": "def read_all(servers, topic):\n    while True: pass", "4": f"leaders = 1\n{HANGS}", "5": RIGHT_5},
            lambda book: extra(book, "lab00-check-5", DEAF),
        ),
        "nnwwrn",
        1,
        ("had not returned after", "was interrupted after", "did not stop when it was interrupted"),
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


# --- Forgeries: what earns points where nothing is isolated, or takes what is not the learner's.


# All that this process sees is written into, in the form in which results are told; and read for secrets.
FORGES = """
import json, os
results = [{"question": {"outcome": "right", "reason": "FORGED"}, "exercise": f"00.{n}"} for n in range(1, 7)]
forged = "".join(json.dumps(one) + "\\n" for one in [*results, {"done": True}]).encode()
mine, seen = os.getpid(), []
for pid in [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != mine]:
    for n in range(40):
        try:
            os.write(os.open(f"/proc/{pid}/fd/{n}", os.O_WRONLY | os.O_NONBLOCK), forged)
        except OSError:
            pass
grader = os.getppid()
for name in ("mem", "environ", "maps", *(f"fd/{n}" for n in range(40))):
    try:
        os.close(os.open(f"/proc/{grader}/{name}", os.O_RDONLY))
        seen.append(name)
    except OSError:
        pass
raise RuntimeError(f"seen: {seen}")
"""

# The solution, wherever it is: from kafkalab, from its files, from another's hand-in.
COPIES = """
import json, pathlib, kafkalab
found = [q3.solution().code]
package = pathlib.Path(kafkalab.__file__).parent
for path in [*package.rglob("*.json"), *package.parent.rglob("*.ipynb"), *pathlib.Path("{here}").rglob("*")]:
    try:
        text = path.read_text()
    except OSError:
        continue
    if path.name == "solutions.json":
        found += json.loads(text).values()
    elif "read_all" in text:
        found += ["".join(one["source"]) for one in json.loads(text)["cells"]]
for code in found:
    if "def read_all" in code:
        exec(code)
"""

# Out to the network, also to the grader's own loopback, and into files that are not the learner's.
REACHES = """
import pathlib, socket, kafkalab
seen = []
for address in (("127.0.0.1", {port}), ("192.0.2.1", 53), ("{host}", {port})):
    try:
        socket.create_connection(address, 2).close()
        seen.append(address)
    except OSError:
        pass
for path in ("{here}/out/grades.json", "{here}/in/x.ipynb", kafkalab.__file__, "/usr/x"):
    try:
        pathlib.Path(path).open("a").close()
        seen.append(path)
    except OSError:
        pass
raise RuntimeError(f"seen: {{seen}}")
"""

# Ends and stops all that it can.
KILLS = """
import os, signal
for pid in [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGSTOP, signal.SIGKILL):
        try:
            os.kill(pid, number)
        except OSError:
            pass
os.kill(-1, signal.SIGKILL)
"""


def forgeries(here: Path, port: int, host: str) -> tuple[HandIn, ...]:
    """Hand-ins that are to earn nothing by what they do, however that goes.

    ``here``: where the hand-ins and the grades are; ``port``: of a server on this machine's loopback and ``host``.
    """
    reaches = REACHES.format(here=here, port=port, host=host)
    return (
        HandIn("20-forges", short({"3": FORGES, "4": RIGHT_4}), "nnwrnn", 2, ("seen: []",), ("FORGED",)),
        HandIn("21-copies", short({"3": COPIES.replace("{here}", str(here)), "4": RIGHT_4}), "nnwrnn", 2),
        HandIn("22-reaches", short({"3": reaches, "4": RIGHT_4}), "nnwrnn", 2, ("seen: []",)),
        HandIn("23-kills", short({**RIGHT, "4": KILLS}), "nnrwcn", 2),
        HandIn("24-patches", short(NOTHING, _patches), "nwwwnn", 0),
        HandIn("25-fakes", short({"4": RIGHT_4}, _fakes), "nnnrnn", 2),
        HandIn("26-honest", short(RIGHT), "nnrrrn", 5),
    )


def write(hand_ins: tuple[HandIn, ...], folder: Path) -> None:
    """Each into a file of its own."""
    for one in hand_ins:
        (folder / f"{one.name}.ipynb").write_bytes(one.content)
