"""A hop of the way to a broker: where it leads, whether it holds, and the chain of them as a picture in text."""

from __future__ import annotations

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
            lines.append(f"  {'└' if last else '├'}─ {'✓' if hop.ok else '✗'} {hop.step:<11} {hop.seen}")
            rail = " " if last else "│"
            for label, text in (("why", hop.why), ("do", hop.do)):
                lines += _wrapped(f"  {rail}      {label}:", text, width)
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


def _wrapped(head: str, text: str, width: int) -> list[str]:
    """Words under a hop. Settings stand on lines of their own and are not broken: they are there to be copied."""
    lines: list[str] = []
    for paragraph in text.splitlines():
        line = head if not lines else ""
        line = line.ljust(14)
        if paragraph.startswith(" "):
            lines.append(line + paragraph)
            continue
        for word in paragraph.split():
            if len(line) + len(word) >= width and line.strip():
                lines.append(line)
                line = " " * 14
            line += " " + word
        lines.append(line)
    return lines
