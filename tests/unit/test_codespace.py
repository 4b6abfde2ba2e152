"""JupyterLab in a Codespace lets in the one address by which the learner's browser comes."""

from __future__ import annotations

import pytest

from kafkalab.commands.lab import codespace

THERE = {"CODESPACES": "true", "CODESPACE_NAME": "fluffy-x7", "GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN": "app.example"}


@pytest.mark.parametrize(
    "arguments, port",
    [([], 8888), (["--port", "9999"], 9999), (["--no-browser", "--port=9999"], 9999), (["--ServerApp.port=7"], 7)],
)
def test_one_origin_is_allowed(arguments: list[str], port: int):
    allowed = f"--ServerApp.allow_origin=https://fluffy-x7-{port}.app.example"
    assert codespace(arguments, THERE) == [allowed, "--ServerApp.port_retries=0"]


@pytest.mark.parametrize("elsewhere", [{}, {**THERE, "CODESPACES": "false"}, {"CODESPACES": "true"}])
def test_no_other_origin_is_allowed_anywhere_else(elsewhere: dict[str, str]):
    assert codespace([], elsewhere) == []
