"""The port of a demo, and the owner named if it is busy."""

from __future__ import annotations

import os
import socket

import pytest

from backstay_lab.demo import ports
from backstay_lab.demo.errors import DemoError

# Two listeners on port 8080 (1F90), one connection that is not listening, one listener elsewhere.
TABLE = """\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0 100
   1: 0100007F:1F90 0100007F:A2C4 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0 100
   2: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1 0 100
   3: 0100007F:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4714 1 0 100
"""


def choose(wanted: int, busy: set[int], *, insist: bool) -> tuple[int, str]:
    return ports.choose(
        wanted, insist=insist, free=lambda port: port not in busy, holder=lambda port: f"nginx ({port})"
    )


def test_free_port_is_used_without_a_message() -> None:
    assert choose(8080, set(), insist=False) == (8080, "")


def test_busy_default_port_is_replaced_by_the_next_free_one_with_a_message() -> None:
    port, remark = choose(8080, {8080, 8081}, insist=False)
    assert port == 8082
    assert remark == "port 8080 is in use by nginx (8080); using 8082"


def test_busy_requested_port_is_an_error_that_names_its_owner() -> None:
    with pytest.raises(DemoError, match=r"8080 is in use by nginx \(8080\)\. Stop that, or .* PORT=8081"):
        choose(8080, {8080}, insist=True)


def test_port_search_ends_at_the_last_port() -> None:
    with pytest.raises(DemoError, match="No free port"):
        choose(65530, set(range(65530, 65536)), insist=False)


def test_only_listening_sockets_of_the_port_count() -> None:
    assert ports.listening_inodes(TABLE, 8080) == {"4711", "4713"}


def test_owner_of_a_listening_socket_is_named() -> None:
    with socket.socket() as server:
        server.bind((ports.LOOPBACK, 0))
        server.listen()
        port = server.getsockname()[1]
        assert not ports.is_free(port)
        assert f"(process {os.getpid()})" in ports.holder(port)


def test_port_picked_by_the_kernel_is_free() -> None:
    assert ports.is_free(ports.any_free())
