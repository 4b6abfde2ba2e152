"""While the lab's image is built: all that kafkalab keeps in its cache and would make at a first start.

What runs the image may make it read-only.
"""

from kafkalab.cluster import jvm, local, tools
from kafkalab.cluster.java import find_java
from kafkalab.cluster.spec import MODES
from kafkalab.streams import jvm as spark_jvm
from kafkalab.streams import session

for mode in MODES:
    local.rehearse(mode)
    assert jvm.made(find_java(), mode), mode
    tools.command("kafka-topics", ["--version"], tools.Where(mode, "127.0.0.1:9092"))
session.rehearse()
assert spark_jvm.archive(find_java()).is_file(), "spark"
