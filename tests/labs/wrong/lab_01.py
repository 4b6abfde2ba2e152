"""Lab 01: what people answer, and the word that the check has for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from kafkalab.course.lab_01.exercises import TEAMS, group_of
from kafkalab.exercises.topics import publish, read_all
from tests.labs.wrong.lab_00 import read
from tests.support.answers import Answers


def service(made: Callable[[dict[str, Any], int], Any], *, into: int = 2) -> Any:
    """A service; what is ``made`` of a ride and its price goes to its source (1), its target (2) or nowhere (0)."""

    def price(*given: str) -> None:
        told = []
        for record in read_all(*given[:2]):
            ride = json.loads(record.value)
            value = made(ride, (3 + 2 * ride["km"]) * (2 if ride["waiting"] > ride["free"] else 1))
            told.append(value if isinstance(value, bytes) else json.dumps(value).encode())
        if into:
            publish(given[0], given[into], [(None, value, None) for value in told])

    return price


ALONE = {
    "01.1": Answers(
        {
            "what does that save": lambda n, m: (n * m, n * m),
            "draw the 6 lines": lambda n, m: (n + m, n + m),
            "better or worse": lambda n, m: (n + m, n * m),
            "is there already": lambda n, m: (n * m, n + m + 1),
            "has both a source and a target": lambda n, m: (n * m, 2 * n * m),
            "Two numbers": lambda n, m: (n * m,),
        },
        [lambda n, m: [n * m, n + m], lambda n, m: (x for x in (n * m, n + m))],
    )
}
#: More of what is told apart is in tests/unit/course/test_lab_01.py.
ON_CLUSTER = {
    "01.2": Answers(
        {
            "who joins one of their groups": lambda s, t: read(s, *t, group=group_of(TEAMS[0])),
            "takes a group, and a commit": lambda s, t: read(s, *t),
            "and nothing from": lambda s, t: read(s, t[0], group="lab01-half"),
        }
    ),
    "01.3": Answers(
        {
            "written to the topic it reads from": service(lambda ride, cost: ride, into=1),
            "nothing in the second topic": service(lambda ride, cost: ride, into=0),
            "is not JSON": service(lambda ride, cost: str({"ride": ride["ride"]}).encode()),
            "should have `ride` and `price`": service(lambda ride, cost: cost),
            "costs twice as much": service(lambda ride, cost: {"ride": ride["ride"], "price": 3 + 2 * ride["km"]}),
        }
    ),
}
