"""While the lab's image is built: the archives of class data that make starts quick, for the jars and the Java in it."""

from kafkalab.cluster import archive, rehearsal
from kafkalab.cluster.java import find_java
from kafkalab.cluster.spec import MODES

for mode in MODES:
    rehearsal.ensure(mode)
    assert archive.made(find_java(), mode), mode
