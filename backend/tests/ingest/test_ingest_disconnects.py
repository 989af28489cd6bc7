"""A client that closes its connection stops its request: what waits never runs, what runs is cancelled."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import psycopg
import pytest
from django.db import connection, connections, transaction
from django.utils import timezone

from backstay.accounts.agents import create_enrolment_token
from backstay.api.edge.lanes import Lane
from backstay.core.errors import Abandoned
from backstay.intake.site_files import import_text
from backstay.telemetry.ingest import interruption
from bench.agent_requests import BASE, rows, value
from bench.servers import SLOW_INGEST, Server, environment, server
from bench.site import AgentIdentity, batch, port_samples, switch_site

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
BOOT = uuid.uuid4()
PORTS = ["Ethernet1/1", "Ethernet1/2"]
SOON_S = 20.0
"""Far below every limit of the patient ingest, and enough for a busy machine."""


@pytest.fixture(scope="module")
def ingest(django_db_setup: None) -> Iterator[Server]:
    with server(SLOW_INGEST, {**environment(), "BACKSTAY_DB_STATEMENT_S": "60"}) as running:
        yield running


@pytest.fixture
def identity(ingest: Server) -> AgentIdentity:
    """An enrolled agent of a small site, without samples of other tests: a flush empties no partitions."""
    rows("DELETE FROM telemetry_samples RETURNING 1")
    import_text(switch_site("lab", devices=2, ports=2, agents=1), "lab.yaml", timezone.now())
    identity = AgentIdentity()
    token, _ = create_enrolment_token("lab", "mgmt0", None, timezone.now())
    reply = httpx.post(f"{ingest.url}{BASE}enrol", content=identity.enrol_body(token), timeout=30)
    assert reply.status_code == 200, reply.text
    identity.enrolled(reply.json())
    return identity


@pytest.fixture
def other(identity: AgentIdentity) -> Iterator[psycopg.Connection[Any]]:
    """A connection of another process, in a transaction."""
    known = connection.get_connection_params()
    with psycopg.connect(**{key: known[key] for key in ("host", "port", "user", "dbname")}) as found:
        yield found
        found.rollback()


def body(seq: int) -> bytes:
    now = time.time_ns()
    return batch([port_samples("sw000", PORTS, seq, boot=BOOT, at=now)], sent=now)


def headers(identity: AgentIdentity) -> dict[str, str]:
    return {"Authorization": identity.authorization, "Content-Encoding": "gzip"}


def report(ingest: Server, identity: AgentIdentity, seq: int) -> httpx.Response:
    url = f"{ingest.url}{BASE}reports"
    return httpx.post(url, content=body(seq), headers=headers(identity), timeout=60)


@contextmanager
def sent(
    ingest: Server, identity: AgentIdentity, method: str, path: str, content: bytes = b""
) -> Iterator[None]:
    """A complete request whose client closes the connection at the end of the block, without a reply."""
    lines = [f"{method} {BASE}{path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(content)}"]
    lines += [f"{name}: {text}" for name, text in headers(identity).items()]
    with socket.create_connection(("127.0.0.1", ingest.port), 5) as peer:
        peer.sendall("\r\n".join([*lines, "", ""]).encode() + content)
        yield
        peer.settimeout(0.05)
        with pytest.raises(TimeoutError):
            peer.recv(1)


def blocked(other: psycopg.Connection[Any]) -> int:
    """How many statements wait for what this connection has locked."""
    own = other.info.backend_pid
    return int(value("SELECT count(*) FROM pg_stat_activity WHERE %s = ANY(pg_blocking_pids(pid))", own))


def until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + SOON_S
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


def test_closed_connection_cancels_its_statement_and_drops_what_waits_for_it(
    ingest: Server, identity: AgentIdentity, other: psycopg.Connection[Any]
) -> None:
    other.execute("SELECT 1 FROM accounts_agent WHERE id = %s FOR UPDATE", [identity.agent])
    with sent(ingest, identity, "POST", "reports", body(1)):
        until(lambda: blocked(other) == 1, "the report does not wait for the row")
        with sent(ingest, identity, "POST", "reports", body(2)):
            time.sleep(0.5)  # Waits for the first, in the process.
        time.sleep(0.5)
        assert blocked(other) == 1
    until(lambda: blocked(other) == 0, "the statement runs on")
    time.sleep(0.5)
    assert blocked(other) == 0, "a request without a client runs"
    other.rollback()
    assert report(ingest, identity, 3).json()["stored"] == 1
    assert value("SELECT count(*) FROM telemetry_samples") == 1, "an abandoned report is stored"
    again = [report(ingest, identity, seq) for seq in (1, 2, 3)]
    assert [reply.status_code for reply in again] == [200, 200, 409]
    assert rows("SELECT in_octets[1] FROM telemetry_samples ORDER BY 1") == [(1,), (2,), (3,)]


def test_closed_connection_cancels_a_read(
    ingest: Server, identity: AgentIdentity, other: psycopg.Connection[Any]
) -> None:
    other.execute("LOCK TABLE accounts_agent IN ACCESS EXCLUSIVE MODE")
    with sent(ingest, identity, "GET", "desired"):
        until(lambda: blocked(other) == 1, "the request does not wait for the table")
    until(lambda: blocked(other) == 0, "the statement runs on")
    other.rollback()
    reply = httpx.get(f"{ingest.url}{BASE}desired", headers=headers(identity), timeout=60)
    assert reply.status_code == 200


def test_reply_arrives_while_the_connection_is_watched(
    ingest: Server, identity: AgentIdentity, other: psycopg.Connection[Any]
) -> None:
    other.execute("SELECT 1 FROM accounts_agent WHERE id = %s FOR UPDATE", [identity.agent])
    with httpx.Client(timeout=60) as client:
        timer = threading.Timer(1.0, other.rollback)
        timer.start()
        for seq in (1, 2):  # The second request uses the same connection.
            reply = client.post(f"{ingest.url}{BASE}reports", content=body(seq), headers=headers(identity))
            assert (reply.status_code, reply.json()["stored"]) == (200, 1)
        timer.join()


def in_thread(work: interruption.Work[Any]) -> tuple[threading.Thread, list[object]]:
    results: list[object] = []

    def run() -> None:
        try:
            results.append(work())
        except Exception as problem:
            results.append(problem)
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    return thread, results


def test_what_follows_a_commit_is_not_cancelled_and_no_transaction_begins_after_it() -> None:
    committed, stopped = threading.Event(), threading.Event()

    def work() -> str:
        with transaction.atomic():
            interruption.begin()
            transaction.on_commit(follow)
        with transaction.atomic():
            interruption.begin()
        return "a transaction began"

    def follow() -> None:
        committed.set()
        assert stopped.wait(SOON_S)
        rows("SELECT pg_sleep(0.3)")
        done.append("followed")

    done: list[str] = []
    running = interruption.Work(work)
    thread, results = in_thread(running)
    assert committed.wait(SOON_S)
    running.stop()
    stopped.set()
    while thread.is_alive():
        running.stop()
        time.sleep(0.01)
    assert done == ["followed"]
    assert [type(result) for result in results] == [Abandoned]


def test_cancelled_call_that_waits_for_a_thread_never_runs() -> None:
    called: list[int] = []
    release = threading.Event()

    async def scene() -> None:
        lane = Lane("test", threads=1, most_waiting=10, patience_s=SOON_S)
        first = asyncio.create_task(lane.run(lambda: release.wait(SOON_S)))
        await asyncio.sleep(0.05)
        second = asyncio.create_task(lane.run(lambda: called.append(2)))
        await asyncio.sleep(0.05)
        second.cancel()
        with pytest.raises(asyncio.CancelledError):
            await second
        release.set()
        assert await first
        await lane.run(lambda: called.append(3))

    asyncio.run(scene())
    assert called == [3]
