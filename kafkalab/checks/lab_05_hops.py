"""Judges 05.4: from the facts of a client's way, which hop fails. On random cases, without any cluster."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Final

from kafkalab.checks.judging import Wrong, call, function_needed, listed

_ROUNDS: Final = 5


@dataclass(frozen=True, slots=True)
class Case:
    """A client's way: what it was given, what it would be told, and which addresses answer it."""

    bootstrap: str
    advertised: dict[int, str]
    answering: list[str]

    @property
    def expected(self) -> str | set[int]:
        """Where it ends: ``"bootstrap"``, or the brokers it cannot reach."""
        if self.bootstrap not in self.answering:
            return "bootstrap"
        return {id for id, address in self.advertised.items() if address not in self.answering}


def cases(seed: int | None = None) -> list[Case]:
    """Every kind of way, in random numbers: all well, a dead bootstrap server, one that lies, all that lie."""
    dice = random.Random(seed)
    found = []
    for _ in range(_ROUNDS):
        brokers = dice.sample(range(101, 130), dice.randint(2, 5))
        ports = dice.sample(range(9100, 32000), len(brokers) + 1)
        host = dice.choice(["127.0.0.1", "kafka.example.com", "10.0.0.7"])
        advertised = {id: f"{host}:{port}" for id, port in zip(brokers, ports, strict=False)}
        mapped, direct = f"localhost:{ports[-1]}", dice.choice(list(advertised.values()))
        liar = dice.choice(brokers)
        honest = [address for id, address in advertised.items() if id != liar]
        everywhere = list(advertised.values())
        # A published port as bootstrap address is none of those that are advertised, and no fault.
        for bootstrap in (mapped, direct):
            others = [address for address in everywhere if address != bootstrap]
            found.append(Case(bootstrap, advertised, [bootstrap, *others]))
            found.append(Case(bootstrap, advertised, others))
            found.append(Case(bootstrap, advertised, []))
            found.append(Case(bootstrap, advertised, [bootstrap]))
        found.append(Case(mapped, advertised, [mapped, *honest]))
        found.append(Case(honest[0], advertised, honest))
    for case in found:
        dice.shuffle(case.answering)
    dice.shuffle(found)
    return found


def failing_hop(answer: Any) -> str:
    """Judge 05.4."""
    function_needed(answer)
    tried = cases()
    for case in tried:
        _compare(case, call(answer, case.bootstrap, dict(case.advertised), list(case.answering)))
    return f"Right in {len(tried)} cases: you go the client's way, hop by hop."


def _compare(case: Case, got: Any) -> None:
    expected = case.expected
    facts = f"Bootstrap {case.bootstrap}, advertised {case.advertised}, answering {case.answering}:"
    if isinstance(got, str):
        if got != "bootstrap":
            raise Wrong(f'The only text that is asked for is "bootstrap"; this was {got[:40]!r}.')
        if expected != "bootstrap":
            raise Wrong(f"{facts} the bootstrap address answers, so the client hears the metadata. The way goes on.")
        return
    items = listed(got, "What your function returns", most=1000)
    named = {item for item in items if isinstance(item, int) and not isinstance(item, bool)}
    if expected == "bootstrap":
        raise Wrong(
            f"{facts} nobody answers at the bootstrap address, so the client hears no metadata and never learns what "
            'the brokers advertise. That is "bootstrap".'
        )
    if strange := [item for item in items if type(item) is not int or item not in case.advertised]:
        raise Wrong(f"{facts} {repr(strange[0])[:40]} is not the id of one of those brokers.")
    assert not isinstance(expected, str)  # said above
    if missing := sorted(expected - named):
        raise Wrong(
            f"{facts} broker {missing[0]} is missing. The bootstrap address answers, but that broker sends its clients "
            f"to {case.advertised[missing[0]]}, where nobody does."
        )
    if extra := sorted(named - expected):
        raise Wrong(
            f"{facts} broker {extra[0]} can be reached where it says that it is. That need not be the bootstrap server."
        )
