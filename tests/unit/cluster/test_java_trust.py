"""The key store is one that Java reads: its own keytool lists it."""

from __future__ import annotations

import hashlib
import ssl
import subprocess
from pathlib import Path

import pytest

from kafkalab.cluster import java_trust, java_wheel


def listed(store: Path) -> subprocess.CompletedProcess[str]:
    java = java_wheel.installed()
    assert java is not None
    command = [java.with_name("keytool"), "-list", "-storetype", "jks", "-keystore", store, "-storepass", "changeit"]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture
def authorities() -> list[bytes]:
    found = ssl.create_default_context().get_ca_certs(binary_form=True)
    assert found, "this system trusts nobody"
    return found


def test_java_reads_what_python_trusts(tmp_path: Path, authorities: list[bytes]) -> None:
    options = java_trust.options(tmp_path)
    store = Path(options[0].partition("=")[2])
    assert store.parent == tmp_path
    said = listed(store).stdout.replace(":", "").lower()
    assert f"contains {len(authorities)} entr" in said
    for one in authorities:
        assert hashlib.sha256(one).hexdigest() in said


def test_an_altered_store_is_refused(tmp_path: Path, authorities: list[bytes]) -> None:
    content = bytearray(java_trust.key_store(authorities[:1]))
    content[-30] ^= 1
    (tmp_path / "store").write_bytes(content)
    assert "tampered" in listed(tmp_path / "store").stdout


def test_where_nobody_is_known_java_keeps_its_own_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty.pem").touch()
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "empty.pem"))
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    assert java_trust.options(tmp_path) == []
