"""Connections: asks many brokers at once, and gets each question answered or given up in a bounded time.

kafka-python's own admin calls go from broker to broker and wait for each, so one paused broker would hold up a snapshot
for half a minute. Here its protocol and connections are used directly: all brokers are asked in parallel, and a broker
that falls silent is not waited for again until a connection to it, tried in the background, succeeds.
"""

from __future__ import annotations

import itertools
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, TypeVar

import kafka.errors
from kafka.net.inet import KafkaNetSocket
from kafka.net.manager import KafkaConnectionManager
from kafka.net.selector import NetworkSelector
from kafka.protocol.consumer import FetchRequest, ListOffsetsRequest, OffsetSpec
from kafka.protocol.metadata import CoordinatorType, MetadataRequest

log = logging.getLogger(__name__)

#: A broker id, "bootstrap-0" (the first bootstrap address), or a name given with :meth:`Connections.introduce`.
Node = int | str

#: Seconds that a connection may take in the background; a paused broker accepts it and answers when it is resumed.
CONNECT_SECONDS = 15.0

_CLIENT_ID = "kafkalab-capture"
_numbers = itertools.count(1)


def aside(broker: int) -> str:
    """Name a second connection to a broker, for requests that may hang: one connection answers its requests in turn."""
    return f"aside-{broker}"


class NoAnswer(Exception):
    """A broker did not answer; the text completes "broker 102 …"."""


# --- The two questions about a log: where it begins or ends, and what is in it.
#
# A consumer sees a log only up to the high watermark. Kafka knows two more ids to ask as, which do not count as
# replicas: the debugging replica gets the true end of a log from ListOffsets, of any replica's log and not only of the
# leader's; and a log that is being moved to another disk gets the records up to there from Fetch.


CONSUMER, DEBUGGER, MOVING = -1, -2, -3


def offsets_request(
    topics: Mapping[str, Iterable[int]],
    spec: OffsetSpec = OffsetSpec.LATEST,
    replica: int = CONSUMER,
    *,
    stable: bool = False,
) -> ListOffsetsRequest:
    """Return the question where partitions (topic → their numbers) begin or end.

    :param stable: ask for the last stable offset, the beginning of the oldest open transaction.
    """
    named = ListOffsetsRequest.ListOffsetsTopic
    one = named.ListOffsetsPartition
    return ListOffsetsRequest(
        replica_id=replica,
        isolation_level=int(stable),
        topics=[
            named(name=topic, partitions=[one(partition_index=p, timestamp=int(spec)) for p in partitions])
            for topic, partitions in topics.items()
        ],
    )


def fetch_request(
    wanted: Mapping[str, Mapping[int, int]],
    most: int,
    replica: int = CONSUMER,
    *,
    together: int = 0,
    wait_ms: int = 0,
) -> FetchRequest:
    """Return the question what is in partitions: topic → partition → the offset to begin at.

    :param most: maximum bytes of each partition; a longer first batch comes whole all the same.
    :param together: maximum bytes of all of them; 0: as much as that makes.
    """
    named = FetchRequest.FetchTopic
    one = named.FetchPartition
    topics = [
        named(topic=t, partitions=[one(partition=p, fetch_offset=at, partition_max_bytes=most) for p, at in ps.items()])
        for t, ps in wanted.items()
    ]
    return FetchRequest(
        replica_id=replica, max_wait_ms=wait_ms, min_bytes=0, topics=topics, isolation_level=0,
        max_bytes=together or most * max(1, sum(map(len, wanted.values()))),
        min_version=4, max_version=11,  # from version 13 on topics are named by id only
    )  # fmt: skip


class _Aside(logging.Filter):
    """Keeps kafka-python's messages about *our* connections out of the learner's cells.

    Brokers that are down are what the lessons are about, and the snapshot's problems name them. The learner's own
    producers and consumers log as usual.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        ours = (record.threadName or "").startswith(f"kafka-io-{_CLIENT_ID}") or getattr(_closing, "ours", False)
        if ours:
            log.debug("%s: %s", record.name, record.getMessage(), exc_info=record.exc_info)
        return not ours


#: Marks a thread that closes our connections: kafka-python then gives up what they await, and logs that as an error.
_closing = threading.local()
_aside = _Aside()
for _name in ("cluster", "future", "net.connection", "net.inet", "net.manager", "net.selector", "net.transport"):
    logging.getLogger(f"kafka.{_name}").addFilter(_aside)
logging.getLogger("kafka.protocol.parser").addFilter(_aside)


class _Tidy(KafkaNetSocket):  # type: ignore[misc]
    """Closes the socket of a connection that is refused; kafka-python leaves that to the garbage collector.

    kafka-python chooses this class by the scheme of ``proxy_url``, so ours has its own scheme; there is no proxy.
    """

    SCHEMES = ("kafkalab-direct",)

    async def sock_connect(self, net: Any, sock: socket.socket, sockaddr: Any, timeout_at: float | None = None) -> Any:
        try:
            return await super().sock_connect(net, sock, sockaddr, timeout_at=timeout_at)
        except BaseException:
            sock.close()
            raise


class Connections:
    """Connections to the brokers of one cluster, kept open from question to question.

    :param bootstrap_servers: "host:port,host:port".
    """

    def __init__(self, bootstrap_servers: str) -> None:
        self._config: dict[str, Any] = {
            "bootstrap_servers": bootstrap_servers,
            "client_id": f"{_CLIENT_ID}-{next(_numbers)}",
            "proxy_url": f"{_Tidy.SCHEMES[0]}://",
            "receive_message_max_bytes": 100_000_000,
            # The questions of one capture go out together; the default of 5 would refuse the sixth.
            "max_in_flight_requests_per_connection": 100,
            "reconnect_backoff_ms": 50,
            # A broker that comes back should show at once, not after kafka-python's 30 s.
            "reconnect_backoff_max_ms": 500,
        }
        self._silent: dict[Node, str] = {}
        self._awaited: dict[Node, Any] = {}
        self._net: Any = None
        self._manager: Any = None

    def bootstrap_nodes(self) -> list[Node]:
        """Return the names under which the bootstrap addresses can be asked."""
        return [broker.node_id for broker in self._open().cluster.bootstrap_brokers()]

    def address(self, node: Node) -> tuple[str, int] | None:
        """Return host and port of a node, if known."""
        broker = self._open().cluster.broker_metadata(node)
        return None if broker is None else (broker.host, broker.port)

    def learn(self, metadata: Any) -> None:
        """Take the brokers' addresses from a MetadataResponse."""
        self._wait(self._schedule(self._open().cluster.update_metadata, metadata), 1.0)
        self.meet((b.node_id, b.host, b.port) for b in metadata.brokers)

    def meet(self, brokers: Iterable[tuple[int, str | None, int | None]]) -> None:
        """Take brokers' addresses, (id, host, port), so that they can be asked under the name :func:`aside`."""
        for id, host, port in brokers:
            if host and port:
                self.introduce(aside(id), host, port)

    def introduce(self, node: str, host: str, port: int) -> None:
        """Give an address a name under which it can be asked."""
        known = self.address(node)
        if known != (host, port):
            # kafka-python keeps connections other than those to broker ids as connections to coordinators.
            found = SimpleNamespace(error_code=0, node_id=node, host=host, port=port)
            add = self._open().cluster.add_coordinator
            self._wait(self._schedule(lambda: add(found, CoordinatorType.GROUP, node, synthesize_node_id=False)), 1.0)

    def supports(self, node: Node, api_key: int) -> bool:
        """Return whether a node that answered before supports this request."""
        versions = self._open().get_connection(node).broker_version_data
        return versions is not None and api_key in versions.api_versions

    def ask(self, questions: Sequence[tuple[Node, Any]], seconds: float) -> list[Any]:
        """Send (node, request) pairs in parallel; return each response or NoAnswer, in order, within ``seconds``."""
        futures = [self._schedule(self._one, node, request, seconds) for node, request in questions]
        # The margin lets a request's own timeout come first.
        end = time.monotonic() + seconds + 0.1
        for future in futures:
            self._wait(future, max(0.0, end - time.monotonic()))
        return [_outcome(future) for future in futures]

    def first(
        self,
        nodes: Iterable[Node],
        request: Callable[[], Any],
        good: Callable[[Node, Any], bool],
        patience: float,
        seconds: float,
    ) -> tuple[Node, Any] | dict[Node, NoAnswer]:
        """Return the first good answer: the first node's if it comes within ``patience`` seconds, else any node's.

        The result is (node, response), or a dictionary of why each node gave none.
        """
        nodes = list(nodes)
        failed: dict[Node, NoAnswer] = {}
        asked: dict[Node, Any] = {}
        arrived = threading.Event()
        end = time.monotonic() + seconds + patience
        for some, until in ((nodes[:1], time.monotonic() + patience), (nodes[1:], end)):
            for node in some:
                asked[node] = self._schedule(self._one, node, request(), seconds)
                asked[node].add_both(lambda _: arrived.set())
            while asked.keys() - failed.keys() and (left := until - time.monotonic()) > 0:
                arrived.wait(left)
                arrived.clear()
                for node in [node for node, future in asked.items() if future.is_done and node not in failed]:
                    answer = _outcome(asked[node])
                    if not isinstance(answer, NoAnswer) and good(node, answer):
                        return node, answer
                    starts = NoAnswer("is starting and does not know the cluster yet")
                    failed[node] = answer if isinstance(answer, NoAnswer) else starts
        return {node: failed.get(node, NoAnswer("does not answer")) for node in nodes}

    def metadata(self, topic: str, seconds: float) -> Any:
        """Return a broker's metadata of one topic, whose leaders can be asked from then on; it names none if it is new.

        :raises NoAnswer: no broker answers.
        """
        one = MetadataRequest.MetadataRequestTopic(name=topic)

        def request() -> MetadataRequest:
            return MetadataRequest(topics=[one], allow_auto_topic_creation=False, max_version=9)

        found = self.first(self.bootstrap_nodes(), request, lambda _, m: bool(m.brokers), 0.3, seconds)
        if isinstance(found, dict):
            raise NoAnswer("; ".join(sorted({str(why) for why in found.values()})))
        self.learn(found[1])
        return found[1]

    def close(self) -> None:
        """Close every connection and end the thread that serves them."""
        manager, net = self._manager, self._net
        self._manager = self._net = None
        if manager is None:
            return
        _closing.ours = True
        try:
            manager.close()
            net.stop(timeout_ms=2000)
            net.close()
        except RuntimeError:
            log.debug("the connections' thread had ended before", exc_info=True)
        finally:
            _closing.ours = False

    async def _one(self, node: Node, request: Any, seconds: float) -> Any:
        manager = self._manager
        if manager is None:
            raise NoAnswer("was not asked, because the connections are closed")
        end = time.monotonic() + seconds
        try:
            connection = manager.get_connection(node, timeout_ms=CONNECT_SECONDS * 1000, refresh_metadata_on_err=False)
            if not connection.connected:
                if self._awaited.get(node) is not connection:
                    self._awaited[node] = connection
                    connection.init_future.add_errback(lambda error: self._silent.update({node: _reason(error)}))
                if node in self._silent:
                    raise NoAnswer(self._silent[node])
                await manager.wait_for(connection.init_future, seconds * 1000)
            response = await connection.send_request(
                request, request_timeout_ms=1000 * max(0.0, end - time.monotonic())
            )
        except kafka.errors.IncompatibleBrokerVersion as error:
            raise NoAnswer(f"runs a version of Kafka without {type(request).__name__}") from error
        except kafka.errors.NodeNotReadyError as error:
            raise NoAnswer(self._silent.get(node, "is not ready")) from error
        except kafka.errors.KafkaError as error:
            self._silent[node] = _reason(error)
            raise NoAnswer(self._silent[node]) from error
        self._silent.pop(node, None)
        return response

    def _open(self) -> Any:
        if self._manager is None:
            self._net = NetworkSelector(**self._config)
            self._manager = KafkaConnectionManager(self._net, **self._config)
            self._net.start()
            self._silent.clear()
        return self._manager

    def _schedule(self, work: Callable[..., Any], *args: Any) -> Any:
        try:
            return self._open().call_soon(work, *args)
        except Exception:
            # Raised only when the thread that serves the connections has crashed: start afresh, once.
            log.warning("the thread that asks the brokers ended; starting another", exc_info=True)
            self.close()
            return self._open().call_soon(work, *args)

    @staticmethod
    def _wait(future: Any, seconds: float) -> None:
        if not future.is_done:
            arrived = threading.Event()
            future.add_both(lambda _: arrived.set())
            arrived.wait(seconds)


T = TypeVar("T")


class Round:
    """Questions to brokers, each answered within ``timeout`` seconds and all by ``end`` (of the monotonic clock).

    A broker that does not answer is not asked again; ``silent`` says why, by its id.
    """

    def __init__(self, connections: Connections, timeout: float, end: float) -> None:
        self._connections, self._timeout, self._end = connections, timeout, end
        self.silent: dict[int, str] = {}

    @property
    def seconds(self) -> float:
        """Seconds that a question may take now."""
        return max(0.0, min(self._timeout, self._end - time.monotonic()))

    def ask(self, questions: Iterable[tuple[int, Any, T]]) -> Iterator[tuple[T, Any]]:
        """Ask (broker, request, subject) in parallel; yield subject and response of those that are answered."""
        asked = [question for question in questions if question[0] not in self.silent]
        answers = self._connections.ask([(broker, request) for broker, request, _ in asked], self.seconds)
        for (broker, _, subject), answer in zip(asked, answers, strict=True):
            if isinstance(answer, NoAnswer):
                self.silent[broker] = str(answer)
            else:
                yield subject, answer


def _outcome(future: Any) -> Any:
    if not future.is_done:
        return NoAnswer("does not answer")
    if future.exception is None:
        return future.value
    if isinstance(future.exception, NoAnswer):
        return future.exception
    if isinstance(future.exception, kafka.errors.KafkaError):
        return NoAnswer(_reason(future.exception))
    raise future.exception


def _reason(error: Exception) -> str:
    """Return a few plain words, the same for the same cause, so that a watcher can tell news from repetition."""
    text = str(error)
    if "ECONNREFUSED" in text:
        return "refuses connections"
    if (
        isinstance(error, kafka.errors.RequestTimedOutError | kafka.errors.KafkaTimeoutError)
        or "timed out" in text.lower()
    ):
        return "does not answer"
    if isinstance(error, kafka.errors.KafkaConnectionError):
        return "closed the connection"
    return f"failed: {type(error).__name__}"
