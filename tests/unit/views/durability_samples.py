"""A durability matrix as a run gives it, made without a cluster: what a real one gives is held to the same numbers."""

from __future__ import annotations

from typing import Any

from kafkalab.experiments.durability.cell import Cell, Setting, chosen, why
from kafkalab.experiments.durability.matrix import DurabilityResult
from kafkalab.experiments.ledger import Ledger
from kafkalab.views.durability.picture import Spell, Told

NAMES = ("calm", "followers stand still", "leader stands still")
REFUSED = ("NotEnoughReplicasError", "[Error 19] NotEnoughReplicasError: None")
BROKEN = ("KafkaConnectionError", "KafkaConnectionError: [Errno 104] Connection reset by peer")


def acknowledged(s: Setting) -> tuple[bool, bool, bool]:
    """Of each stretch, whether its records are acknowledged."""
    if s.acks == "all" and s.min_insync > s.brokers_up:
        return False, False, False
    return True, s.acks != "all" or s.brokers_up == 1, s.acks == "0"


def stored(s: Setting) -> tuple[bool, bool, bool]:
    """Of each stretch, whether its records are there in the end."""
    if s.brokers_up > 1:
        return acknowledged(s)[0], False, False
    whole = s.fault == "killed"
    return acknowledged(s)[0] and whole, acknowledged(s)[1] and whole, False


def cell(s: Setting, records: int = 200) -> Cell:
    """A cell that was run."""
    sizes = (records - 2 * (records // 4), records // 4, records // 4)
    ledger, number = Ledger(), 0
    spells: list[Spell] = []
    for name, size, good, there in zip(NAMES, sizes, acknowledged(s), stored(s), strict=True):
        for _ in range(size):
            id = f"{s.name}-{number:04d}"
            ledger.sent(id)
            if good:
                ledger.acknowledged(id)
            if there:
                ledger.seen(id, (0, number))
            number += 1
        said = REFUSED if s.acks == "all" and s.min_insync > s.brokers_up and name != NAMES[2] else BROKEN
        errors: list[Told] = [] if good else [{"error": said[0], "said": said[1], "times": size}]
        spells.append({"name": name, "sent": size, "acknowledged": size if good else 0, "lost": 0, "errors": errors})
    found = Cell(s, "done", ledger.result(), tuple(spells))
    return Cell(s, "done", found.ledger, found.spells, why(found))


def result(**part: object) -> DurabilityResult:
    """A whole run, or a part of it."""
    settings = chosen(**part)
    steps = ("3 replicas of each partition, on 101, 102 and 103; 101 leads all of them.", "101 killed (SIGKILL).")
    rounds = dict.fromkeys(dict.fromkeys(s.brokers_up for s in settings), steps)
    return DurabilityResult("zookeeper", 200, tuple(cell(s) for s in settings), rounds)


def begun() -> dict[str, Any]:
    """As a view is told while the first round is under way; a third is done, a third runs, and a third is to come."""
    plain = result().to_dict(12)
    for one in plain["cells"]:
        if one["brokers_up"] < 3:
            running = one["brokers_up"] == 2
            one.update(dict.fromkeys(("seen", "lost", "duplicated"), None), lost_ids=[], lost_words="", why="")
            one["state"] = "running" if running else "not run"
            one["spells"] = [{**s, "errors": [], "lost": 0} for s in one["spells"][:1]] if running else []
            one.update({} if running else dict.fromkeys(("sent", "acknowledged", "refused", "error"), None))
    progress = {"done": 11, "of": 27, "step": "2 of 3 brokers up: 100 records sent"}
    return {**plain, "cluster": "lab", "running": True, "progress": progress}
