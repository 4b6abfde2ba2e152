"""The shapes of the records that the jobs read and write, as Spark sees them."""

from __future__ import annotations

from typing import Final

from pyspark.sql.types import DoubleType, LongType, StringType, StructField, StructType, TimestampType

#: Schema of the JSON in a record's value. ``time``: milliseconds since 1970; ``latitude``, ``longitude``,
#: ``heading_deg`` (0 is north, clockwise): degrees. Other fields are ignored, so that trucks may send more one day.
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

#: Allowed range of each number, both ends included; a record with a number outside it is bad.
RANGES: Final[dict[str, tuple[float, float]]] = {
    # To the year 9999, the last that Spark can print.
    "time": (0, 253_402_300_799_999),
    "latitude": (-90, 90),
    "longitude": (-180, 180),
    "speed_kmh": (0, 1000),
    "heading_deg": (0, 360),
}

#: A geofence: the area within ``km`` kilometres of a place in degrees. Its ``name`` is unique in a table of them.
GEOFENCE: Final = StructType(
    [
        StructField("name", StringType(), nullable=False),
        StructField("latitude", DoubleType(), nullable=False),
        StructField("longitude", DoubleType(), nullable=False),
        StructField("km", DoubleType(), nullable=False),
    ]
)

#: A notification: a truck has entered or left a geofence. ``what``: "enter" or "leave"; ``time``, ``latitude`` and
#: ``longitude``: those of the first report that shows it. The id is made of the four before the degrees, so a
#: notification that is made again has the same one.
NOTIFICATION: Final = StructType(
    [
        StructField("notification_id", StringType()),
        StructField("truck_id", StringType()),
        StructField("what", StringType()),
        StructField("fence", StringType()),
        StructField("time", TimestampType()),
        StructField("latitude", DoubleType()),
        StructField("longitude", DoubleType()),
    ]
)

#: Schema of the JSON in an order: from ``time`` on (milliseconds since 1970), the truck has some minutes to come
#: within ``km`` kilometres of a place in degrees.
ORDER: Final = StructType(
    [
        StructField("order_id", StringType()),
        StructField("truck_id", StringType()),
        StructField("time", LongType()),
        StructField("latitude", DoubleType()),
        StructField("longitude", DoubleType()),
        StructField("km", DoubleType()),
    ]
)
