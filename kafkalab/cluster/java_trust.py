"""What this system trusts, as Java reads it: for a Java that brings a list of certificate authorities of its own.

A system's Java is packaged to trust what the system trusts, also the authority of a company's proxy. The wheel's Java
knows only the public ones, so behind such a proxy it could fetch nothing that pip can fetch.
"""

from __future__ import annotations

import hashlib
import ssl
import struct
from collections.abc import Sequence
from pathlib import Path

_PASSWORD = "changeit"  # Java's own; it keeps nothing secret, for what is in here is public


def options(folder: Path) -> list[str]:
    """The JVM options that trust what Python trusts here (a file in ``folder``); none where Python knows of nothing."""
    authorities = ssl.create_default_context().get_ca_certs(binary_form=True)
    if not authorities:
        return []
    store = folder / "trusted.jks"
    store.write_bytes(key_store(authorities))
    return [
        f"-Djavax.net.ssl.trustStore={store}",
        "-Djavax.net.ssl.trustStoreType=jks",
        f"-Djavax.net.ssl.trustStorePassword={_PASSWORD}",
    ]


def key_store(certificates: Sequence[bytes]) -> bytes:
    """Certificates (DER) as a Java key store of version 2: a header, an entry each, a digest. Pure."""
    entries = [
        struct.pack(">i", 2) + _text(f"authority-{n}") + struct.pack(">q", 0) + _text("X.509")
        + struct.pack(">i", len(certificate)) + certificate
        for n, certificate in enumerate(certificates)
    ]  # fmt: skip
    content = struct.pack(">Iii", 0xFEEDFEED, 2, len(entries)) + b"".join(entries)
    # SHA-1 and the words are the format's; they guard against accidents, not against anybody.
    salt = _PASSWORD.encode("utf-16-be") + b"Mighty Aphrodite"
    return content + hashlib.sha1(salt + content, usedforsecurity=False).digest()


def _text(text: str) -> bytes:
    return struct.pack(">H", len(text)) + text.encode("ascii")
