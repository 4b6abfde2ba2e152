"""A hop of the way to a broker: where it leads, whether it holds, and the chain of them as a picture in text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

#: In this order: the host's name is looked up, a TCP connection made, Kafka spoken, the metadata asked for, and what
#: answered compared with what the metadata announced.
Step = Literal["name", "connection", "protocol", "metadata", "identity"]


@dataclass(frozen=True, slots=True)
class Hop:
    """One hop. ``why``: what usually is behind what was ``seen``; ``do``: what to change, in Kafka's words.

    ``address``: host:port as it was given or advertised. ``broker``: who advertises it (None: the user gave it).
    A hop that holds may still carry a ``why``: something that works from here and might not from elsewhere.
    """

    step: Step
    address: str
    ok: bool
    seen: str
    why: str = ""
    do: str = ""
    broker: int | None = None

    @property
    def name(self) -> str:
        """Which hop it is, unlike any other of one run: for people, and as a key."""
        return f"{origin(self)}: {self.step}"


#: Where the words of a hop begin.
_COLUMN = 18


def origin(hop: Hop) -> str:
    """The address and where it comes from."""
    return f"bootstrap {hop.address}" if hop.broker is None else f"broker {hop.broker} at {hop.address}"


def to_dict(hops: Sequence[Hop]) -> dict[str, Any]:
    """The shape of ``kafkalab doctor --bootstrap-servers … --json``."""
    return {"checks": [{"name": hop.name, **asdict(hop)} for hop in hops]}


def picture(hops: Sequence[Hop], width: int = 110) -> str:
    """The chains, one under the other: every address with its hops, a mark each, and help under what fails."""
    lines: list[str] = []
    for title, chain in _chains(hops):
        lines.append(title)
        for n, hop in enumerate(chain):
            last = n == len(chain) - 1
            rail = f"  {' ' if last else '│'}      "
            head = f"  {'└' if last else '├'}─ {'✓' if hop.ok else '✗'} {hop.step:<{_COLUMN - 7}}"
            for label, text in ((head, hop.seen), (f"{rail}why:", hop.why), (f"{rail}do:", hop.do)):
                lines += _wrapped(label, rail, text, width)
    failed = [hop for hop in hops if not hop.ok]
    lines.append("")
    lines.append(f"{len(failed)} of {len(hops)} hops fail." if failed else f"All {len(hops)} hops hold.")
    return "\n".join(lines)


def _chains(hops: Iterable[Hop]) -> Iterable[tuple[str, list[Hop]]]:
    chains: dict[tuple[int | None, str], list[Hop]] = {}
    for hop in hops:
        chains.setdefault((hop.broker, hop.address), []).append(hop)
    for (broker, address), chain in chains.items():
        yield f"{address}" if broker is None else f"broker {broker} advertises {address}", chain


def _wrapped(head: str, rail: str, text: str, width: int) -> list[str]:
    """Words of a hop. Settings stand on lines of their own and are not broken: they are there to be copied."""
    lines: list[str] = []
    for paragraph in text.splitlines():
        start = (rail if lines else head).ljust(_COLUMN)
        if paragraph.startswith(" "):
            lines.append(start + paragraph)
        else:
            lines += textwrap.wrap(
                paragraph, width, initial_indent=start, subsequent_indent=rail.ljust(_COLUMN),
                break_long_words=False, break_on_hyphens=False,
            )  # fmt: skip
    return lines
