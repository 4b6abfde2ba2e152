"""JupyterLab in a Codespace lets in the one address by which the learner's browser comes."""

from __future__ import annotations

from kafkalab.commands.lab import codespace

THERE = {"CODESPACES": "true", "CODESPACE_NAME": "fluffy-x7", "GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN": "app.example"}


def test_one_origin_is_allowed_and_none_elsewhere() -> None:
    for said, port in (("", 8888), ("--port 9999", 9999), ("--no-browser --port=9999", 9999)):
        allowed = f"--ServerApp.allow_origin=https://fluffy-x7-{port}.app.example"
        assert codespace(said.split(), THERE) == [allowed, "--ServerApp.port_retries=0"]
    for elsewhere in ({}, {**THERE, "CODESPACES": "false"}, {"CODESPACES": "true"}):
        assert codespace([], elsewhere) == []
