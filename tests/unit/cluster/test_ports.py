"""Ports: free ones, taken ones, and who holds them."""

from __future__ import annotations

import os
import socket

import pytest

from kafkalab.cluster.ports import LOOPBACK, PortBook, holder, is_free
from kafkalab.errors import StartFailed


def test_no_port_is_given_twice_and_one_that_is_free_has_no_holder():
    with PortBook() as book:
        ports = [book.take() for _ in range(50)]
    assert len(set(ports)) == 50
    assert "does not tell" in holder(ports[0])


def test_a_taken_port_says_who_holds_it():
    with socket.create_server((LOOPBACK, 0)) as server:
        port = server.getsockname()[1]
        assert not is_free(port)
        with pytest.raises(StartFailed) as e, PortBook() as book:
            book.take(port)
        assert str(port) in e.value.what
        assert str(os.getpid()) in e.value.seen
    assert is_free(port)
