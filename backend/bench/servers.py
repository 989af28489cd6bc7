"""The web and the ingest server as processes, as in production, for tests and benchmarks."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from bench.processes import tree

BACKEND = Path(__file__).resolve().parent.parent
START_S, STOP_S = 60.0, 20.0
CONNECTIONS = ["--backlog", "4096", "--backpressure", "16384", "--http1-header-read-timeout", "60000"]
WEB = ("asginl", "config.asgi:application")
INGEST = ("asginl", "config.ingest:application")
SLOW_INGEST = ("asginl", "bench.slow_ingest:application")


@dataclass(frozen=True, slots=True)
class Server:
    """A running server."""

    pid: int
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def environment() -> dict[str, str]:
    """Environment of a server that uses the database of this process."""
    from django.conf import settings
    from django.db import connection

    return {
        "BACKSTAY_DB_NAME": str(connection.settings_dict["NAME"]),
        "BACKSTAY_DB_HOST": str(connection.settings_dict["HOST"]),
        "BACKSTAY_SECRET_KEYS": settings.SECRET_KEY,
        "BACKSTAY_REDIS_URL": settings.REDIS_URL,
    }


@contextmanager
def server(
    program: tuple[str, str],
    environment: Mapping[str, str],
    output: IO[bytes] | int | None = None,
    port: int = 0,
) -> Iterator[Server]:
    """granian with one worker on a free port of the loopback address; listening when the block begins."""
    port = port or free_port()
    interface, application = program
    command = ["setpriv", "--pdeathsig", "INT", sys.executable, "-m", "granian", "--interface", interface]
    command += ["--host", "127.0.0.1", "--port", str(port), "--workers", "1", "--workers-kill-timeout", "2"]
    command += [*CONNECTIONS, "--log-level", "warning", application]
    process = subprocess.Popen(
        command, cwd=BACKEND, env={**os.environ, **environment}, stdout=output, stderr=output
    )
    try:
        _until_open(process, port)
        yield Server(process.pid, port)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def rounds(environment: Mapping[str, str], folder: Path) -> Iterator[int]:
    """A Celery worker with its own beat, which evaluates the rules; its process id. `folder`: its files."""
    command = ["setpriv", "--pdeathsig", "TERM", sys.executable, "-m", "celery", "-A", "config", "worker"]
    command += ["--beat", "--schedule", str(folder / "beat"), "--concurrency", "2", "--loglevel", "warning"]
    command += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    process = subprocess.Popen(command, cwd=BACKEND, env={**os.environ, **environment})
    try:
        yield process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    """A process and all its descendants do not run during the block (SIGSTOP); some may end before."""
    pids = tree([pid])
    for member in pids:
        _signal(member, signal.SIGSTOP)
    try:
        yield
    finally:
        for member in pids:
            _signal(member, signal.SIGCONT)


def _signal(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def free_port() -> int:
    """A port of the loopback address that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _until_open(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + START_S
    while process.poll() is None and time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError("granian did not come up")
