"""Bodies of 600 MB, announced or chunked, on both ports."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from dataclasses import dataclass

from bench.attack.target import Result, Target
from bench.service.calls import LOOPBACK, NO_ANSWER, Answer, bearer

BYTES = 600_000_000
BLOCK = b"[" * 1_000_000
CHUNK = b"%x\r\n%s\r\n" % (len(BLOCK), BLOCK)
ACCEPTABLE = 50_000_000
"""Bytes that the server may have taken in; more is remarked."""


@dataclass(frozen=True, slots=True)
class Upload:
    """One body; `is_chunked`: without an announced length."""

    port: int
    path: str
    authorization: str
    is_chunked: bool

    @property
    def head(self) -> bytes:
        length = "Transfer-Encoding: chunked" if self.is_chunked else f"Content-Length: {BYTES}"
        lines = [f"POST {self.path} HTTP/1.1", "Host: localhost", "Content-Type: application/json", length]
        if self.authorization:
            lines.append(f"Authorization: {self.authorization}")
        return ("\r\n".join(lines) + "\r\n\r\n").encode()


def run(target: Target) -> Result:
    """All at the same time, each until it is refused or everything is sent."""
    result = Result()
    credential = target.attackers[0].identity.authorization
    token = bearer(target.service.token)["Authorization"]
    places = [
        (target.ingest_port, "/api/agent/v1/enrol", ""),
        (target.ingest_port, "/api/agent/v1/reports", credential),
        (target.web_port, "/api/v1/session", ""),
        (target.web_port, "/api/v1/site-files", token),
    ]
    end = time.monotonic() + 2 * target.seconds
    uploads = [Upload(*place, is_chunked=chunked) for place in places for chunked in (False, True)]
    threads = [threading.Thread(target=_send, args=(one, result, end), daemon=True) for one in uploads]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(2 * target.seconds + 30)
    return result


def _send(upload: Upload, result: Result, end: float) -> None:
    began, sent, status = time.monotonic(), 0, NO_ANSWER
    with (
        contextlib.suppress(OSError, ValueError, IndexError),
        socket.create_connection((LOOPBACK, upload.port), 20) as connection,
    ):
        connection.sendall(upload.head)
        with contextlib.suppress(OSError):
            while sent < BYTES and time.monotonic() < end and not _has_answer(connection):
                connection.sendall(CHUNK if upload.is_chunked else BLOCK)
                sent += len(BLOCK)
            if upload.is_chunked:
                connection.sendall(b"0\r\n\r\n")
        connection.settimeout(20)
        status = int(connection.recv(4096).split(b" ", 2)[1])
    result.attacker.add(Answer(status, took_s=time.monotonic() - began))
    if sent > ACCEPTABLE:
        how = "chunked" if upload.is_chunked else "announced"
        result.remarks.append(f"{sent // 1_000_000} MB read by {upload.path} ({how})")


def _has_answer(connection: socket.socket) -> bool:
    try:
        return bool(connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT))
    except BlockingIOError:
        return False
