"""Bodies of which one byte is sent and the rest never, on each port, with and without a credential."""

from __future__ import annotations

import contextlib
import select
import socket
import time

from bench.attack.target import Result, Target
from bench.service.calls import LOOPBACK, NO_ANSWER, Answer, bearer

SOCKETS = 200
ANNOUNCED = 10_000


def on_ingest(target: Target) -> Result:
    """Half of them enrol, half send reports with a valid credential."""
    credential = target.attackers[0].identity.authorization
    heads = [
        _head("/api/agent/v1/enrol", ""),
        _head("/api/agent/v1/reports", f"Authorization: {credential}\r\n"),
    ]
    return _hold(target, target.ingest_port, heads)


def on_web(target: Target) -> Result:
    """Half of them sign in, half import a site file as administrator."""
    token = bearer(target.service.token)["Authorization"]
    heads = [
        _head("/api/v1/session", ""),
        _head("/api/v1/site-files", f"Authorization: {token}\r\n"),
    ]
    return _hold(target, target.web_port, heads)


def _head(path: str, more: str) -> bytes:
    lines = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{lines}Content-Length: {ANNOUNCED}\r\n{more}\r\n{{".encode()


def _hold(target: Target, port: int, heads: list[bytes]) -> Result:
    """Keep SOCKETS open; one that the server ends is opened again."""
    result, held = Result(), dict[socket.socket, float]()
    end = time.monotonic() + target.seconds
    try:
        while time.monotonic() < end:
            while len(held) < SOCKETS and (opened := _open(port, heads[len(held) % len(heads)])):
                held[opened] = time.monotonic()
            for one in select.select(list(held), [], [], 0.2)[0]:
                result.attacker.add(Answer(_status(one), took_s=time.monotonic() - held.pop(one)))
                one.close()
            time.sleep(0.05)
    finally:
        for one in held:
            one.close()
    result.remarks.append(f"{len(held)} held at the end")
    return result


def _open(port: int, head: bytes) -> socket.socket | None:
    try:
        made = socket.create_connection((LOOPBACK, port), 2)
        made.sendall(head)
    except OSError:
        return None
    return made


def _status(one: socket.socket) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(one.recv(4096).split(b" ", 2)[1])
    return NO_ANSWER
