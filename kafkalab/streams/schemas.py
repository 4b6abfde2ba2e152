"""The shape of a truck's record, as Spark sees it."""

from __future__ import annotations

from typing import Final

from pyspark.sql.types import DoubleType, LongType, StringType, StructField, StructType

#: The JSON in a record's value. ``time``: milliseconds since 1970; ``latitude``, ``longitude``, ``heading_deg`` (0 is
#: north, clockwise): degrees. Fields that are not listed are ignored, so a truck may learn to say more.
TRUCK: Final = StructType(
    [
        StructField("record_id", StringType()),
        StructField("truck_id", StringType()),
        StructField("time", LongType()),
        StructField("latitude", DoubleType()),
        StructField("longitude", DoubleType()),
        StructField("speed_kmh", DoubleType()),
        StructField("heading_deg", DoubleType()),
    ]
)

#: What a number may be, both ends included; outside of it the record is bad.
RANGES: Final[dict[str, tuple[float, float]]] = {
    # To the year 9999, the last that Spark can print.
    "time": (0, 253_402_300_799_999),
    "latitude": (-90, 90),
    "longitude": (-180, 180),
    "speed_kmh": (0, 1000),
    "heading_deg": (0, 360),
}
