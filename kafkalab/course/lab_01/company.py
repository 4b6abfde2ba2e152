"""The company of lab 01: four systems that answer in four different ways, and a desk that events are pushed to.

All of them are real and on loopback: an HTTP server, two TCP servers with different formats, a database in a file. Each
counts how often it is asked, because those requests are the cost of an integration for the system that has the data.
"""

from __future__ import annotations

import json
import random
import shutil
import socketserver
import sqlite3
import struct
import tempfile
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from zipfile import ZipFile

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster

# --- The company's events in lab 01: made from a seed, so they are the same on every machine.


#: An event: a dict of plain values, as from JSON.
Event = dict[str, Any]

_PAGES: Final = ("/", "/order", "/track", "/invoices", "/help", "/jobs")
_ZONES: Final = ("station", "harbour", "airport", "old town")
_LINES: Final = ("INFO order paid", "INFO invoice sent", "WARN card was slow", "ERROR card was declined")
#: Two visitors that view far more pages than a person does.
_BOTS: Final = ("u66", "u99")


def page_views() -> Iterator[Event]:
    """Yield page views, (user, page): an example of activity data."""
    dice = random.Random("page views")
    while True:
        user = dice.choice(_BOTS) if dice.random() < 0.4 else f"u{dice.randrange(10, 40)}"
        yield {"user": user, "page": dice.choice(_PAGES)}


def speeds() -> Iterator[Event]:
    """Yield the trucks' speeds in km/h: an example of metrics."""
    dice = random.Random("speeds")
    while True:
        yield {"truck": dice.randrange(200, 230), "km_h": dice.randrange(0, 90)}


def log_lines() -> Iterator[Event]:
    """Yield the log lines of the payment service: an example of logs."""
    dice = random.Random("log lines")
    second = 0
    while True:
        second += dice.randrange(1, 9)
        clock = f"{8 + second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}"
        yield {"at": clock, "line": dice.choices(_LINES, (9, 5, 2, 1))[0]}


def orders() -> Iterator[Event]:
    """Yield orders with the parcels waiting and the trucks free in their zone: an example of rows of a database."""
    dice = random.Random("orders")
    number = 0
    while True:
        number += 1
        yield {
            "order": f"o{number:03d}",
            "zone": dice.choice(_ZONES),
            "km": dice.randrange(1, 25),
            "waiting": dice.randrange(0, 9),
            "free": dice.randrange(0, 9),
        }


class Happening:
    """The events of one kind so far, in their order; :meth:`more` lets further ones happen."""

    def __init__(self, make: Callable[[], Iterator[Event]], first: int) -> None:
        self._coming = make()
        self.events: list[Event] = []
        self.more(first)

    def more(self, count: int) -> list[Event]:
        """Let ``count`` events happen: add them to :attr:`events` and return them."""
        new = [next(self._coming) for _ in range(count)]
        self.events.extend(new)
        return new


_LOOPBACK: Final = "127.0.0.1"

#: The frame of a meter: truck and speed. After its update there is one byte more: the battery in percent.
FRAME, NEW_FRAME = struct.Struct(">HB"), struct.Struct(">HBB")


class Source:
    """A system with data that other systems want; it counts the requests that it gets."""

    #: The protocol by which it is reached, and the format of its answers.
    protocol = form = ""

    def __init__(self, happening: Happening) -> None:
        self.happening = happening
        self.asked = 0
        self._counting = threading.Lock()

    @property
    def events(self) -> list[Event]:
        """All events of this system so far."""
        return self.happening.events

    def more(self, count: int) -> list[Event]:
        """Let ``count`` events happen and return them, for a lab in which the source sends them by itself."""
        return self.happening.more(count)

    def sample(self) -> bytes:
        """Return the beginning of an answer, without counting a request."""
        raise NotImplementedError

    def _count(self) -> None:
        with self._counting:
            self.asked += 1

    def close(self) -> None:
        """Stop answering; idempotent."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.protocol}, {self.form}, asked {self.asked} times>"


class _Served(Source):
    """A source behind a server of its own, which listens on a free port."""

    def body(self) -> bytes:
        """Return the content of an answer."""
        raise NotImplementedError

    def sample(self) -> bytes:
        """Return the beginning of an answer, without counting a request."""
        return self.body()[:32]

    def _serve(self, server: socketserver.TCPServer) -> None:
        self._server = server
        self.address = (_LOOPBACK, int(server.server_address[1]))
        # Poll every 20 ms, so that closing does not wait half a second.
        threading.Thread(target=server.serve_forever, args=(0.02,), name=repr(self), daemon=True).start()

    def close(self) -> None:
        """Stop listening; idempotent."""
        self._server.shutdown()
        self._server.server_close()


class Web(_Served):
    """The web site's page views: HTTP and JSON."""

    protocol, form = "HTTP", "JSON"

    def __init__(self) -> None:
        super().__init__(Happening(page_views, 60))
        source = self

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                source._count()
                body = source.body()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                """Write nothing: requests are counted, not logged."""

        server = ThreadingHTTPServer((_LOOPBACK, 0), Answer)
        server.daemon_threads = True
        self._serve(server)
        self.url = f"http://{_LOOPBACK}:{self.address[1]}/page-views"

    def body(self) -> bytes:
        """Return the content of an answer."""
        return json.dumps(self.events).encode()


class _Stream(_Served):
    """A source that sends all its data to each client that connects, and closes the connection."""

    def __init__(self, happening: Happening) -> None:
        super().__init__(happening)
        source = self

        class Answer(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                source._count()
                self.request.sendall(source.body())

        server = socketserver.ThreadingTCPServer((_LOOPBACK, 0), Answer)
        server.daemon_threads = True
        self._serve(server)


class Meters(_Stream):
    """The trucks' speeds: TCP, and frames of a few bytes without field names."""

    protocol, form = "TCP", "binary"

    def __init__(self) -> None:
        self.updated = False
        super().__init__(Happening(speeds, 40))

    def update(self) -> None:
        """Add one byte to every frame from now on."""
        self.updated = True

    def body(self) -> bytes:
        """Return the content of an answer."""
        if self.updated:
            return b"".join(NEW_FRAME.pack(e["truck"], e["km_h"], 100 - e["truck"] % 50) for e in self.events)
        return b"".join(FRAME.pack(e["truck"], e["km_h"]) for e in self.events)


class Logs(_Stream):
    """The payment service's log: TCP, and lines of text."""

    protocol, form = "TCP", "lines of text"

    def __init__(self) -> None:
        super().__init__(Happening(log_lines, 30))

    def body(self) -> bytes:
        """Return the content of an answer."""
        return "".join(f"{e['at']} {e['line']}\n" for e in self.events).encode()


class Orders(Source):
    """The orders: rows of a database, read through a login."""

    protocol, form = "SQL", "rows"

    def __init__(self) -> None:
        super().__init__(Happening(orders, 50))
        self._folder = Path(tempfile.mkdtemp(prefix="kafkalab-orders-"))
        with self._open() as database:
            database.execute("create table orders (name text, zone text, km int, waiting int, free int)")
            database.executemany("insert into orders values (:order, :zone, :km, :waiting, :free)", self.events)
        database.close()

    def login(self) -> sqlite3.Connection:
        """Return a connection to the database; the caller closes it."""
        self._count()
        return self._open()

    def sample(self) -> bytes:
        """Return the first row, without counting a request."""
        return repr(tuple(self.events[0].values())).encode()

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self._folder / "orders.db")

    def close(self) -> None:
        """Remove the database; idempotent."""
        shutil.rmtree(self._folder, ignore_errors=True)


class Desk:
    """A target that events are pushed to, one line each; it answers "ok". While closed, it refuses connections."""

    def __init__(self) -> None:
        self.received: list[bytes] = []
        self.address = (_LOOPBACK, 0)
        self._server: socketserver.ThreadingTCPServer | None = None

    def open(self) -> None:
        """Listen, always on the same port; idempotent."""
        if self._server is not None:
            return
        received = self.received

        class Take(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                received.append(self.rfile.readline().rstrip(b"\n"))
                self.wfile.write(b"ok\n")

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True

        self._server = Server(self.address, Take)
        self.address = (_LOOPBACK, int(self._server.server_address[1]))
        threading.Thread(target=self._server.serve_forever, args=(0.02,), name="desk", daemon=True).start()

    def close(self) -> None:
        """Stop listening; idempotent."""
        server, self._server = self._server, None
        if server is not None:
            server.shutdown()
            server.server_close()


def notice_of_kafka(cluster: Cluster) -> str:
    """Return who has the rights to Kafka, as the NOTICE in the jar of its clients says."""
    from kafkalab.cluster.jars import jar_set

    jars = jar_set(cluster.mode or "zookeeper").ensure()
    (clients,) = [jar for jar in jars if jar.name.startswith("kafka-clients-")]
    notice = ZipFile(clients).read("NOTICE").decode().splitlines()
    return f"{notice[0]} · {notice[1].split(maxsplit=2)[2].rstrip('.')}"
