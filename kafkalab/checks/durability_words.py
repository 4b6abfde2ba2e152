"""Why a cell of the durability matrix came out as it did: one line, in Kafka's terms, from what was counted. Pure."""

from __future__ import annotations

from kafkalab.checks.durability_cell import Cell


def why(cell: Cell) -> str:
    """A sentence or two; "" for a cell that has not been run."""
    if cell.state != "done" or cell.ledger is None:
        return cell.why
    sentences = {"0": _zero, "1": _one, "all": _all}[cell.setting.acks](cell, cell.ledger.lost)
    return " ".join(sentences)


def _zero(cell: Cell, lost: int) -> list[str]:
    said = ["With acks=0 nobody answers: a record counts as sent once it is in a socket."]
    if cell.setting.brokers_up > 1:
        said.append("Lost is what the followers had not fetched yet, and what the leader never read.")
    elif cell.setting.fault == "disk lost":
        said.append("The leader's log was the only copy.")
    elif lost > _unread(cell):
        said.append(_ELR)
    else:
        said.append("The leader's log outlived its process; what was still on the way to it is lost.")
    return said


def _one(cell: Cell, lost: int) -> list[str]:
    if cell.setting.brokers_up > 1:
        return [
            "With acks=1 the leader answers for itself: what it acknowledged and no follower had fetched died with it.",
            "min.insync.replicas is not asked.",
        ]
    if cell.setting.fault == "disk lost":
        return ["The leader acknowledged alone, and its log was the only copy."]
    if lost:
        return ["The leader acknowledged alone.", _ELR]
    return [
        "The leader acknowledged alone, and its log outlived its process: a kill leaves the page cache.",
        "That is luck, not a promise.",
    ]


def _all(cell: Cell, lost: int) -> list[str]:
    up, least = cell.setting.brokers_up, cell.setting.min_insync
    if up < least:
        return [
            f"The ISR has {up}, min.insync.replicas={least}: the leader refuses to write.",
            "Nothing is acknowledged, so nothing acknowledged can be lost.",
        ]
    if up > 1:
        return ["Acknowledged is what every replica in the ISR has, and one of them was elected: it has all of it."]
    alone = "acks=all waits for the ISR, and the ISR was the leader alone: min.insync.replicas=1 allows that."
    if lost:
        return [alone, "Its log was the only copy."]
    return [alone, "Its log outlived its process."]


_ELR = (
    "The leader came back, but did not lead again: KRaft elected a replica that was in sync as long as "
    "min.insync.replicas were, and what came after that was never committed."
)


def _unread(cell: Cell) -> int:
    """How many records were sent to a leader that stood still."""
    return cell.spells[-1].sent if cell.spells else 0
