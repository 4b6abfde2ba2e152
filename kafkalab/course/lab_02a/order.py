"""Draws the order in which records were read against that in which they were sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kafkalab.course.figures import Drawing, label, legend, new_figure

#: One mark and one colour for each of the first three partitions.
_LOOKS = (("o", "#0072b2"), ("s", "#d55e00"), ("^", "#009e73"))


def sent_against_read(records: Sequence[Any]) -> Drawing:
    """Return the picture for records of up to three partitions, whose values begin like ``S07``, as they were read."""
    figure, axes = new_figure("Sent against read", height=3.2)
    sent = [int(record.value[1:3]) for record in records]
    for partition, (marker, colour) in enumerate(_LOOKS):
        turns = [turn for turn, record in enumerate(records) if record.partition == partition]
        read = [turn + 1 for turn in turns]
        axes.plot(read, [sent[turn] for turn in turns], marker, color=colour, label=f"partition {partition}")
    label(axes, "read as number …", "sent as number …")
    legend(axes, columns=3)
    said = "; ".join(
        f"partition {p}: {', '.join(f'S{s:02}' for s, r in zip(sent, records, strict=True) if r.partition == p)}"
        for p in range(len(_LOOKS))
    )
    return Drawing(figure, f"Sent against read: each partition rises, and all together jump. As they came: {said}.")
