"""What PartitionerView draws."""

from __future__ import annotations

import json

from kafkalab.state.log.fetched import Placed
from kafkalab.state.log.murmur2 import partition_of
from kafkalab.views.partitioner.picture import MOST_KEYS, Picture, Places, blocks, drawn, is_astray
from kafkalab.views.static import to_html, to_text

TRUCKS = [b"T%04d" % i for i in range(200)]


def placed(keys: list[bytes], partitions: int) -> Places:
    """Keys where a producer put them when there were so many partitions."""
    places = Places()
    places.add(Placed(key, partition_of(key, partitions), i) for i, key in enumerate(keys))
    return places


def picture(places: Places, partitions: int = 4) -> Picture:
    return drawn("trucks_gps", partitions, places, looked=True)


def test_keys_that_lie_elsewhere_than_calculated() -> None:
    places = placed(TRUCKS, 4)
    well = picture(places)
    assert well["away"] == ""
    shown = picture(places, 6)
    assert 100 < sum(is_astray(key, 6) for key in shown["keys"].values()) < 170
    assert "the topic had 4 partitions" in to_text(blocks(shown)) and "✗" in to_html(blocks(shown))
    # All in the first: as if there had been just one. In the last, no number of partitions would do that.
    assert "the topic had 1 partition," in picture(placed(TRUCKS, 1), 6)["away"]
    # One key alone tells nothing: its record may have been sent to a partition by name.
    alone = Places()
    alone.add([Placed(next(key for key in TRUCKS if partition_of(key, 3)), 0, 0)])
    assert "a partition was named" in picture(alone, 3)["away"]
    last = Places()
    last.add(Placed(key, 5, i) for i, key in enumerate(TRUCKS))
    assert "another partitioner" in to_text(blocks(picture(last, 6)))


def test_more_keys_than_are_drawn_are_counted() -> None:
    places = placed([b"k%d" % i for i in range(MOST_KEYS + 7)], 4)
    before = picture(places)
    kept = json.dumps(before)
    places.add([Placed(None, 2, 1), Placed(None, 2, 2)])
    shown = picture(places)
    assert json.dumps(before) == kept, "what is drawn is not changed by what comes"
    assert (len(shown["keys"]), shown["beyond"], shown["nulls"]) == (MOST_KEYS, 7, {"2": 2})
    assert len(json.dumps(shown)) < 120_000
