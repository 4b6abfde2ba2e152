"""The props of lab 03b: a table of Avro schemas, and a drawing of one report in several formats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kafkalab.course.figures import Drawing
    from kafkalab.course.lab_03a.disk import OnDisk
    from kafkalab.views.record.view import RecordView


class Registry(dict[str, dict[str, Any]]):
    """The id of a schema → the schema; a stand-in for a schema registry.

    >>> Registry().add({"type": "record", "name": "Empty", "fields": []})
    '38e17ae3ba9e8ab8'
    """

    def add(self, schema: dict[str, Any]) -> str:
        """Keep a schema, and return its id: 16 hexadecimal digits, the same for schemas that mean the same."""
        from fastavro.schema import fingerprint, to_parsing_canonical_form

        id = str(fingerprint(to_parsing_canonical_form(schema), "CRC-64-AVRO"))
        self[id] = schema
        return id


def formats_drawn(values: Mapping[str, bytes], names: list[str]) -> Drawing:
    """Return the sizes of one report in several formats, format → bytes, and how much of each are the fields' names."""
    from kafkalab.course.figures import Drawing, label, legend, new_figure

    figure, axes = new_figure("One report, as bytes", height=2.2)
    labels = list(values)[::-1]
    sizes = [len(values[one]) for one in labels]
    named = [sum(values[one].count(name.encode()) * len(name) for name in names) for one in labels]
    axes.barh(labels, named, color="#b0691a", label="names of fields")
    rest = [size - part for size, part in zip(sizes, named, strict=True)]
    axes.bar_label(axes.barh(labels, rest, left=named, color="#2f6fc4", label="values, and what separates them"), sizes)
    label(axes, "bytes", "")
    axes.margins(x=0.08)
    legend(axes)
    said = "; ".join(
        f"{one}: {size}, of these {part} names" for one, size, part in zip(labels, sizes, named, strict=True)
    )
    return Drawing(figure, f"One report in bytes. {said}.")


def record(cluster: OnDisk, topic: str, offset: int) -> RecordView:
    """Return a picture of the record at an offset of partition 0, to the byte, as lab 03a draws it."""
    from kafkalab.course.lab_03a import disk

    return disk.record(cluster, topic, offset)
