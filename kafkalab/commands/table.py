"""A table on standard output, for people and for pipes."""

from __future__ import annotations


def show(title: str, columns: list[str], rows: list[list[str]]) -> None:
    """Print a table with a title above it. Into a pipe it is as wide as it needs: no address is broken in two."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console()
    if not console.is_terminal:
        console.width = 10_000
    table = Table()
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(escape(cell) for cell in row))
    console.print(title, style="italic", markup=False, highlight=False, soft_wrap=True)
    console.print(table)
