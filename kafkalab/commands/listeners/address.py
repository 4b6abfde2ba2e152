"""Addresses of listeners: read from what a user typed, and what kind of host they name. Pure."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import Literal

from kafkalab.errors import BadInput

#: everywhere: 0.0.0.0 or ::, where a server listens and nobody can connect to. docker: 172.16.0.0/12, where Docker puts
#: its bridges. word: a name without a dot, as containers and machines of one network call each other.
Kind = Literal["everywhere", "loopback", "docker", "private", "public", "word", "cluster", "name"]

_INSIDE = (".local", ".internal", ".svc", ".cluster.local", ".lan", ".home", ".localdomain")


@dataclass(frozen=True, slots=True)
class Address:
    """A host, by name or number, and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def kind(self) -> Kind:
        """What kind of host it is, by its looks."""
        if self.host.lower() == "localhost":
            return "loopback"
        try:
            number = ipaddress.ip_address(self.host)
        except ValueError:
            if self.host.lower().endswith(_INSIDE):
                return "cluster"
            return "name" if "." in self.host else "word"
        if number.is_unspecified:
            return "everywhere"
        if number.is_loopback:
            return "loopback"
        if number.version == 4 and number in ipaddress.ip_network("172.16.0.0/12"):
            return "docker"
        return "private" if number.is_private or number.is_link_local else "public"


def parse(text: str) -> list[Address]:
    """``host:port,host:port`` → addresses, each once; BadInput says which part is wrong, and how."""
    given = [part.strip() for part in text.split(",") if part.strip()]
    if not given:
        raise BadInput("No bootstrap server was given.", do='Write "host:port", several with commas between them.')
    return list(dict.fromkeys(_one(part) for part in given))


def _one(text: str) -> Address:
    def wrong(do: str) -> BadInput:
        return BadInput(f"{text!r} is not a bootstrap server.", do=do)

    if scheme := re.match(r"([A-Za-z0-9_+.-]+)://", text):
        bare = text[scheme.end() :].strip("/") or "host:9092"
        raise wrong(f"Leave {scheme.group()} out: it belongs to Kafka's own settings or to a browser. Write {bare}")
    if "/" in text or "@" in text or re.search(r"\s", text):
        raise wrong("Write host:port and nothing else.")
    found = re.fullmatch(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<host>[^:\[\]]*))(?P<port>:.*)?", text)
    if found is None or text.startswith("::"):
        raise wrong("An IPv6 address is written in brackets: [::1]:9092")
    host, port = found["six"] or found["host"] or "", found["port"]
    if not host:
        raise wrong(f"The host is missing. Write localhost{port or ':9092'}, or the name of another machine.")
    if port is None:
        raise wrong(f"The port is missing. Kafka's usual one is 9092: {text}:9092")
    if not re.fullmatch(r":[0-9]{1,5}", port) or not 0 < int(port[1:]) < 65536:
        raise wrong("A port is a number from 1 to 65535.")
    return Address(host, int(port[1:]))
