"""The parsers that the integration tests judge snapshots with, judged themselves on lines the tools printed."""

from tests.integration.tools_output import (
    assignment,
    assignment_without_topics,
    described_topics,
    last_json,
    offsets,
    pairs,
    table,
)

TOPICS = """\
Topic: single\tTopicId: pOz0prJ7RD-bGA75dSem7w\tPartitionCount: 2\tReplicationFactor: 1\tConfigs: a=1,b=2
\tTopic: single\tPartition: 0\tLeader: none\tReplicas: 102\tIsr: \tElr: 102\tLastKnownElr: 102
\tTopic: single\tPartition: 1\tLeader: 103\tReplicas: 103\tIsr: 103\tElr: N/A\tLastKnownElr: N/A
Topic: a.b-c_d\tTopicId: WONdd1LCR66m6865VUqJjg\tPartitionCount: 1\tReplicationFactor: 3\tConfigs: 
\tTopic: a.b-c_d\tPartition: 0\tLeader: 101\tReplicas: 101,102,103\tIsr: 101,103\tElr: \tLastKnownElr: 

"""  # noqa: W291

GROUPS = """\

Consumer group 'past' has no active members.

GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG             CONSUMER-ID     HOST            CLIENT-ID
past            shared          0          3               7               4               -               -               -

GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG             CONSUMER-ID     HOST            CLIENT-ID
live            wide            1          -               7               -               c1-9924f50f     /127.0.0.1      c one
"""  # noqa: E501

STATE = """\
GROUP                     COORDINATOR (ID)          ASSIGNMENT-STRATEGY  STATE           #MEMBERS
live                      127.0.0.1:41717  (102)    range                Stable          5
past                      127.0.0.1:41717  (102)                         Empty           0
"""


def test_topics() -> None:
    assert described_topics(TOPICS) == {
        "single": {0: (None, [102], []), 1: (103, [103], [103])},
        "a.b-c_d": {0: (101, [101, 102, 103], [101, 103])},
    }


def test_tables() -> None:
    past, live = table(GROUPS)
    assert (past["GROUP"], past["CURRENT-OFFSET"], past["CONSUMER-ID"]) == ("past", "3", "-")
    assert (live["PARTITION"], live["LAG"], live["CLIENT-ID"]) == ("1", "-", "c one")
    stable, empty = table(STATE)
    assert (stable["COORDINATOR (ID)"], stable["#MEMBERS"]) == ("127.0.0.1:41717  (102)", "5")
    assert (empty["ASSIGNMENT-STRATEGY"], empty["STATE"]) == ("", "Empty")


def test_offsets_and_assignments() -> None:
    assert offsets("a:0:7\na:1:\n\nb:10:0\n") == {("a", 0): 7, ("a", 1): None, ("b", 10): 0}
    assert assignment("shared:0;wide:0,1") == {("shared", 0), ("wide", 0), ("wide", 1)}
    assert assignment("-") == set()
    assert assignment_without_topics("(1,2), (0)") == [[0], [1, 2]]
    assert assignment_without_topics("-") == []


def test_the_rest() -> None:
    assert pairs("ClusterId:       x-y\nLeaderId:   101\n")["LeaderId"] == "101"
    assert last_json('Connecting to h:1\n\nWATCHER::\n{"version":2,"brokerid":102}\n') == {
        "version": 2,
        "brokerid": 102,
    }
