"""How the demo looks in a terminal: a live table while it runs, a summary at the end."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table

if TYPE_CHECKING:
    from kafkalab.commands.demo_stage import Stage

EVENTS_SHOWN = 10


@contextmanager
def live_table(stage: Stage) -> Iterator[None]:
    """Redraw the stage twice a second on standard error while the block runs; lines only where it is no terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        print("The demo is running; its result comes at the end.", file=sys.stderr)
        yield
        return

    class Drawing:
        def __rich__(self) -> Group:
            return draw(stage)

    with Live(Drawing(), console=console, refresh_per_second=2, transient=True):
        yield


def draw(stage: Stage) -> Group:
    """The stage as it is now."""
    counted = stage.ledger.result()
    numbers = Table.grid(padding=(0, 3))
    numbers.add_row("sent", "acknowledged", "seen by Spark", "trucks", "records/s", "behind", style="dim")
    stats = stage.publisher.stats() if stage.publisher else None
    numbers.add_row(
        f"{counted.sent:,}", f"{counted.acknowledged:,}", f"{counted.seen:,}", f"{len(stage.positions):,}",
        f"{stats.rate:,.0f} of {stats.target_rate:,.0f}" if stats else "", f"{stats.behind:.1f} s" if stats else "",
        style="bold",
    )  # fmt: skip
    brokers = Table.grid(padding=(0, 3))
    if stage.snapshot is not None:
        parts = [p for t in stage.snapshot.topics if not t.internal for p in t.partitions]
        for b in stage.snapshot.brokers:
            leads, in_sync = sum(p.leader == b.id for p in parts), sum(b.id in p.isr for p in parts)
            mark = "[green]● up[/]" if b.alive else "[red]✕ down[/]"
            controller = "controller" if stage.snapshot.controller == b.id else ""
            brokers.add_row(f"broker {b.id}", mark, f"leads {leads}", f"in sync {in_sync}", controller)
    events = Table.grid(padding=(0, 2))
    for event in stage.events[-EVENTS_SHOWN:]:
        events.add_row(f"+{event['at']:.1f} s", escape(event["what"]))
    title = f"kafkalab demo · {stage.seconds():.0f} s · {escape(stage.doing)}"
    return Group(Panel(numbers, title=title, title_align="left"), Panel(brokers), Panel(events, title="What happened"))


def show_result(result: dict[str, Any], good: bool) -> None:
    """The time line and the ledger, on standard output."""
    console = Console()
    table = Table(title="What happened", title_justify="left", show_header=False)
    for event in result["events"]:
        table.add_row(f"+{event['at']:.2f} s", escape(event["what"]))
    console.print(table)
    ledger = Table(title="The ledger, by record id", title_justify="left")
    for name in ("sent", "acknowledged", "seen", "lost", "duplicated"):
        ledger.add_column(name, justify="right")
    ledger.add_row(*(f"{result[name]:,}" for name in ("sent", "acknowledged", "seen", "lost", "duplicated")))
    console.print(ledger)
    verdict = (
        "✓ nothing lost, nothing twice, every replica in sync again" if good else "✗ not as it should be, see above"
    )
    console.print(f"{verdict} · {result['trucks']} trucks on the map: {result['map']}", markup=False)
