"""Receivers of notifications on this machine, which keep what they get."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from backstay.core.alerting.message import Message, MessageIncident

NOW = datetime(2026, 11, 27, 15, 0, tzinfo=UTC)
INCIDENT = MessageIncident(
    id=7,
    title="grf1 lost all links",
    detail="3 of 3 links of grf1 have no carrier.",
    severity="critical",
    kind="gateway_isolated",
    subject="grf1",
    phase="open",
    since=NOW,
    resolved_at=None,
    effects=("3 paths dead, 7 rerouted to atmgw",),
    link="https://backstay.example.org/incidents/7",
    labels={"fabric": "hippi"},
    value=None,
    threshold=None,
)
MESSAGE = Message(
    key="route-1/argonne/17",
    site="argonne",
    reason="opened",
    incidents=(INCIDENT,),
    more=0,
    sent_at=NOW,
    link="https://backstay.example.org/incidents",
    acknowledge_link="",
)
EVIL = (
    "grf1\r\nBcc: all@example.org\x1b[2J<script>alert(1)</script> <!channel> [x](https://evil.example)"
    " @everyone \u202e=1+1"
)
"""A name with a payload for each kind of receiver."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request that a sink got."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


Reply = Callable[[BaseHTTPRequestHandler], None]


class HttpSink:
    """A web server that keeps its requests; `reply` answers them."""

    def __init__(self, address: str) -> None:
        self.requests: list[Request] = []
        self.connections = 0
        self.reply: Reply = answer(200)
        sink = self

        class Handler(BaseHTTPRequestHandler):
            def setup(self) -> None:
                sink.connections += 1
                super().setup()

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                sink.requests.append(Request(self.command, self.path, dict(self.headers), body))
                sink.reply(self)

            do_GET = do_PUT = do_POST  # noqa: N815

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
                """Nothing: the requests are kept."""

        self.server = ThreadingHTTPServer((address, 0), Handler)
        self.server.daemon_threads = True
        self.address, self.port = address, self.server.server_port
        self.url = f"http://{address}:{self.port}"


@contextmanager
def http_sink(address: str = "127.0.0.2") -> Iterator[HttpSink]:
    """A running web server; it ends with the context."""
    sink = HttpSink(address)
    thread = threading.Thread(target=sink.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield sink
    finally:
        sink.server.shutdown()
        sink.server.server_close()
        thread.join()


def answer(status: int, headers: Mapping[str, str] | None = None, body: bytes = b"ok") -> Reply:
    """A reply with a status."""

    def reply(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in (headers or {}).items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return reply
