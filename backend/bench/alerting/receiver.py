"""A webhook's receiver in a process of its own, as a real one: this one's work does not delay its answers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

START_S = 20.0
ACCEPTED = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Received(NamedTuple):
    """A message that arrived, in the order of `line`."""

    channel: str
    key: str
    reason: str
    incidents: tuple[int, ...]
    titles: tuple[str, ...]
    at: float
    """Seconds since 1970."""


class Sink:
    """What a receiver wrote to its file."""

    def __init__(self, url: str, file: Path) -> None:
        self.url = url
        self._file = file.open()
        self._received: list[Received] = []
        self._rest = ""

    @property
    def received(self) -> list[Received]:
        """All messages until now."""
        *lines, self._rest = (self._rest + self._file.read()).split("\n")
        for line in lines:
            channel, key, reason, incidents, titles, at = json.loads(line)
            self._received.append(Received(channel, key, reason, tuple(incidents), tuple(titles), at))
        return self._received

    def keys_of_openings(self) -> dict[str, set[str]]:
        """Channel -> keys of the messages that say that incidents opened."""
        found: dict[str, set[str]] = {}
        for one in self.received:
            if one.reason in {"opened", "worse"}:
                found.setdefault(one.channel, set()).add(one.key)
        return found

    def keys(self, prefix: str) -> Counter[str]:
        """Key -> how often it arrived, of the channels with such names."""
        return Counter(one.key for one in self.received if one.channel.startswith(prefix))


@contextmanager
def listening() -> Iterator[Sink]:
    """A real HTTP server on the loopback address."""
    with tempfile.TemporaryDirectory(prefix="backstay-receiver-") as folder:
        file, port = Path(folder, "received"), Path(folder, "port")
        argv = ["setpriv", "--pdeathsig", "KILL", sys.executable, __file__, str(file), str(port)]
        process = subprocess.Popen(argv)
        try:
            limit = time.monotonic() + START_S
            while not port.exists():
                if time.monotonic() > limit or process.poll() is not None:
                    raise RuntimeError("the receiver does not start")
                time.sleep(0.02)
            yield Sink(f"http://127.0.0.1:{port.read_text()}", file)
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()


def serve(file: Path, port: Path) -> None:
    """Answer every POST with 200 once its line is written; the port is written when it listens."""
    output = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            text = self.rfile.read(length)
            if len(text) < length:  # Its sender was killed.
                return
            body = json.loads(text)
            listed = body["incidents"]
            idents, titles = [item["id"] for item in listed], [item["title"] for item in listed]
            line = json.dumps([self.path[1:], body["key"], body["reason"], idents, titles, time.time()])
            # One write: lines of several threads do not mix.
            os.write(output, f"{line}\n".encode())
            # Without the formatting of dates, which would last longer than all that is measured.
            self.wfile.write(ACCEPTED)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (its base's name)
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    draft = port.with_suffix(".draft")
    draft.write_text(str(server.server_port))
    draft.rename(port)
    server.serve_forever()


if __name__ == "__main__":
    serve(Path(sys.argv[1]), Path(sys.argv[2]))
