"""From a report to a browser: the real web server, the real stream, and faults in between."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis
from django.conf import settings
from django.db import connection

from backstay.api.tests.world import World, bearer, person
from backstay.core.roles import Role
from backstay.live import bus
from bench.databases import PrivateDatabases

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
BACKEND = Path(__file__).resolve().parent.parent
PATIENCE_S = 60.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def web(redis_url: str) -> Iterator[str]:
    """granian serving the ASGI application over the tests' database; yields its address."""
    port = free_port()
    environment = {
        **os.environ,
        "BACKSTAY_DB_NAME": str(connection.settings_dict["NAME"]),
        "BACKSTAY_DB_HOST": str(connection.settings_dict["HOST"]),
        "BACKSTAY_SECRET_KEYS": settings.SECRET_KEY,
        "BACKSTAY_REDIS_URL": redis_url,
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    command = [sys.executable, "-m", "granian", "--interface", "asginl", "--host", "127.0.0.1"]
    command += ["--port", str(port), "--workers", "1", "--workers-kill-timeout", "2"]
    command += ["config.asgi:application"]
    process = subprocess.Popen(command, cwd=BACKEND, env=environment)
    try:
        until(lambda: httpx.get(f"http://127.0.0.1:{port}/api/v1/alive").status_code == 200)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def until(condition: Callable[[], Any], patience_s: float = PATIENCE_S) -> None:
    """Wait for a condition in another process."""
    end = time.monotonic() + patience_s
    while True:
        try:
            if condition():
                return
        except httpx.HTTPError:
            pass
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.05)


class Stream:
    """One open live stream: its messages with their arrival times (monotonic seconds)."""

    def __init__(self, url: str, headers: dict[str, str], last_id: str | None = None) -> None:
        self.messages: list[tuple[float, str, dict[str, Any], str | None]] = []
        more = {} if last_id is None else {"last-event-id": last_id}
        self._client = httpx.Client(timeout=PATIENCE_S)
        self._request = self._client.build_request(
            "GET", f"{url}/api/v1/live?site=argonne", headers={**headers, **more}
        )
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        try:
            reply = self._client.send(self._request, stream=True)
            fields: dict[str, str] = {}
            for line in reply.iter_lines():
                if line:
                    name, _, value = line.partition(":")
                    fields[name] = value.strip()
                elif "data" in fields:
                    answer = json.loads(fields["data"])
                    self.messages.append((time.monotonic(), fields["event"], answer, fields.get("id")))
                    fields = {}
        except (httpx.HTTPError, RuntimeError):
            return

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [answer for _, name, answer, _ in self.messages if name == kind]

    def wait(self, kind: str, count: int = 1) -> list[dict[str, Any]]:
        """The messages of a kind, once this number has arrived."""
        until(lambda: len(self.of(kind)) >= count)
        return self.of(kind)

    def close(self) -> None:
        self._client.close()


@pytest.fixture
def world() -> World:
    return World.make()


@pytest.fixture
def headers(world: World) -> dict[str, str]:
    return bearer(person("reader", Role.VIEWER))


def now(world: World) -> World:
    world.now = datetime.now(UTC)
    return world


@pytest.mark.usefixtures("shown_at_once")
def test_reports_reach_the_browser_and_a_broken_stream_resumes(world: World, headers: dict[str, str]) -> None:
    with web(settings.REDIS_URL) as url:
        stream = Stream(url, headers)
        stream.wait("hello")
        now(world).describe()
        world.all_paths()
        world.sample()
        loads = stream.wait("load")
        assert {link["id"] for message in loads for link in message["links"]} == {
            link.pk for link in world.site.links.all()
        }

        ident = world.switch("grf1", "atmgw")
        reported_at = time.monotonic()
        now(world).report([world.path("sp01", "sp-default", "atmgw", switch=ident)])
        events = [event["event"] for event in stream.wait("event", 2)]
        assert events[0]["message"] == "sp01: 0.0.0.0/0 switched from grf1 to atmgw"
        assert events[1]["kind"] == "incident.opened"
        until(lambda: any("incidents" in message["nouns"] for message in stream.of("changed")))
        arrived = next(at for at, kind, _, _ in stream.messages if kind == "event")
        print(f"\nevent to client: {(arrived - reported_at) * 1000:.0f} ms after the report was handed over")

        stream.close()
        last_id = next(ident for _, kind, _, ident in stream.messages if kind == "event")
        now(world).report([world.path("sp02", "sp-default", "atmgw", switch=world.switch("grf1", "atmgw"))])
        again = Stream(url, headers, last_id)
        missed = [event["event"]["message"] for event in again.wait("event", 2)]
        assert missed[0].startswith("grf1: 1 of 3 nodes") or missed[0].startswith("grf1: ")
        assert "sp02: 0.0.0.0/0 switched from grf1 to atmgw" in missed
        assert "sp01: 0.0.0.0/0 switched from grf1 to atmgw" not in missed
        again.wait("load")
        assert not again.of("gap")
        again.close()

        for bad in ("1-1", "rubbish", "99999999999999-0"):
            lost = Stream(url, headers, bad)
            lost.wait("gap")
            lost.close()

        assert httpx.get(f"{url}/api/v1/live").status_code == 401
        stranger = bearer(person("stranger", Role.ADMIN, "elsewhere"))
        assert httpx.get(f"{url}/api/v1/live?site=argonne", headers=stranger).status_code == 404


def test_losing_redis_data_loses_no_report_and_the_stream_continues(
    world: World, headers: dict[str, str], private_databases: None
) -> None:
    own = PrivateDatabases(Path(settings.REDIS_URL.removeprefix("unix://")).parent)
    socket_path = str(own.folder / "second.sock")
    url_of_redis = f"unix://{socket_path}"
    server = start_redis(socket_path)
    settings.REDIS_URL, before = url_of_redis, settings.REDIS_URL
    try:
        with web(url_of_redis) as url:
            stream = Stream(url, headers)
            stream.wait("hello")
            now(world).describe()
            world.sample()
            stream.wait("load")

            redis.Redis(unix_socket_path=socket_path).flushall()
            count = len(stream.of("load"))
            now(world).forward(0)
            world.sample()
            stream.wait("load", count + 1)

            server.kill()
            server.wait(10)
            outcomes = [outcome for _ in range(3) for outcome in _report_again(world)]
            assert all(not outcome.rejected for outcome in outcomes)
            stream.wait("gap")

            server = start_redis(socket_path)
            until(bus.is_up)
            time.sleep(bus.LONGEST_PAUSE_S)
            count = len(stream.of("load"))
            until(lambda: _report_again(world) and len(stream.of("load")) > count)
            stream.close()
    finally:
        settings.REDIS_URL = before
        server.kill()
        server.wait(10)


def _report_again(world: World) -> list[Any]:
    now(world)
    time.sleep(0.3)
    return world.report([world.samples("grf1"), world.samples("sp01")])


def start_redis(path: str) -> subprocess.Popen[bytes]:
    """A Redis of this test alone, on a socket."""
    command = ["redis-server", "--port", "0", "--unixsocket", path, "--save", "", "--appendonly", "no"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=Path(path).parent)
    until(lambda: redis_answers(path), 20)
    return server


def redis_answers(path: str) -> bool:
    try:
        return bool(redis.Redis(unix_socket_path=path).ping())
    except redis.RedisError:
        return False
