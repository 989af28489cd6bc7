"""The ingest as a process: half-sent bodies, limits, and the routes it does not serve."""

from __future__ import annotations

import json
import socket
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx
import pytest
from django.utils import timezone

from backstay.accounts.agents import create_enrolment_token
from backstay.accounts.models import Agent
from backstay.intake.site_files import import_text
from backstay.inventory.models import Node
from backstay.inventory.services import raise_generations
from bench.agent_requests import BASE
from bench.servers import INGEST, Server, environment, server
from bench.site import AgentIdentity, batch, port_samples, switch_site

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
BOOT = uuid.uuid4()
ATTACKERS = 64
"""Eight were enough for eight threads."""


@pytest.fixture(scope="module")
def ingest(django_db_setup: None) -> Iterator[Server]:
    with server(INGEST, environment()) as running:
        yield running


@pytest.fixture
def identity(ingest: Server) -> AgentIdentity:
    """An enrolled agent of a small site."""
    import_text(switch_site("lab", devices=2, ports=2, agents=1), "lab.yaml", timezone.now())
    return enrol(ingest)


def enrol(ingest: Server) -> AgentIdentity:
    identity = AgentIdentity()
    token, _ = create_enrolment_token("lab", "mgmt0", None, timezone.now())
    reply = httpx.post(f"{ingest.url}{BASE}enrol", content=identity.enrol_body(token))
    assert reply.status_code == 200, reply.text
    identity.enrolled(reply.json())
    return identity


@contextmanager
def half_sent(port: int, path: str, count: int, headers: str = "", length: int = 1000) -> Iterator[list[Any]]:
    """Connections whose requests have a declared length and one byte of body."""
    with ExitStack() as stack:
        sockets = []
        for _ in range(count):
            peer = stack.enter_context(socket.create_connection(("127.0.0.1", port), 5))
            head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n{headers}\r\n{{"
            peer.sendall(head.encode())
            sockets.append(peer)
        yield sockets


def report(ingest: Server, identity: AgentIdentity, seq: int) -> httpx.Response:
    now = time.time_ns()
    body = batch([port_samples("sw000", ["Ethernet1/1", "Ethernet1/2"], seq, boot=BOOT, at=now)], sent=now)
    headers = {"Authorization": identity.authorization, "Content-Encoding": "gzip"}
    return httpx.post(f"{ingest.url}{BASE}reports", content=body, headers=headers, timeout=15)


def test_half_sent_bodies_delay_no_report_and_no_enrolment(ingest: Server, identity: AgentIdentity) -> None:
    with half_sent(ingest.port, f"{BASE}enrol", ATTACKERS):
        for seq in range(1, 4):
            reply = report(ingest, identity, seq)
            assert (reply.status_code, reply.json()["stored"]) == (200, 1)
            assert reply.elapsed.total_seconds() < 5
        assert httpx.get(f"{ingest.url}{BASE}health", timeout=5).json() == {"status": "ok"}
        enrol(ingest)


def test_half_sent_body_ends_at_its_deadline(ingest: Server) -> None:
    with half_sent(ingest.port, f"{BASE}credential", 1) as (peer,):
        peer.settimeout(20)
        began = time.monotonic()
        assert peer.recv(4096).startswith(b"HTTP/1.1 408")
        assert 3 < time.monotonic() - began < 15


def test_body_without_credential_is_not_awaited(ingest: Server) -> None:
    """The reply comes although the body never ends: it is not read before the credential is checked."""
    with half_sent(ingest.port, f"{BASE}reports", 1, "Authorization: Bearer bsa1.forged\r\n") as (peer,):
        peer.settimeout(20)
        assert peer.recv(4096).startswith(b"HTTP/1.1 401")


def test_large_body_is_refused_by_its_declared_and_by_its_real_length(
    ingest: Server, identity: AgentIdentity
) -> None:
    headers = f"Authorization: {identity.authorization}\r\n"
    with half_sent(ingest.port, f"{BASE}reports", 1, headers, length=10**12) as (peer,):
        peer.settimeout(20)
        assert peer.recv(4096).startswith(b"HTTP/1.1 413")
    chunks = (b"x" * 65536 for _ in range(100))
    reply = httpx.post(
        f"{ingest.url}{BASE}reports", content=chunks, headers={"Authorization": identity.authorization}
    )
    assert reply.status_code == 413
    assert report(ingest, identity, 1).status_code == 200


def known(ingest: Server, identity: AgentIdentity, wait_s: int) -> httpx.Response:
    """A request for the desired state of a newer generation."""
    headers = {"Authorization": identity.authorization, "If-None-Match": f'"{generation()}"'}
    headers["Prefer"] = f"wait={wait_s}"
    return httpx.get(f"{ingest.url}{BASE}desired", headers=headers, timeout=20)


def generation() -> int:
    return Agent.objects.get(node="mgmt0", revoked_at=None).generation


def test_request_is_held_until_the_generation_changes(ingest: Server, identity: AgentIdentity) -> None:
    with ThreadPoolExecutor(1) as pool:
        held = pool.submit(known, ingest, identity, 8)
        time.sleep(1)
        assert not held.done()
        assert report(ingest, identity, 1).status_code == 200
        raise_generations(Node.objects.filter(name="mgmt0").values_list("pk", flat=True))
        reply = held.result(20)
    assert (reply.status_code, reply.json()["generation"]) == (200, generation())
    assert (reply.headers["Preference-Applied"], 1 < reply.elapsed.total_seconds() < 6) == ("wait", True)


def test_held_request_ends_at_its_time_or_with_the_agents_next(
    ingest: Server, identity: AgentIdentity
) -> None:
    reply = known(ingest, identity, 1)
    assert (reply.status_code, reply.headers["Preference-Applied"]) == (304, "wait")
    assert 1 <= reply.elapsed.total_seconds() < 6
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda _: known(ingest, identity, 2), range(8)))
    assert {reply.status_code for reply in replies} == {304}
    assert sorted(reply.elapsed.total_seconds() for reply in replies)[4] < 2


def test_user_facing_routes_do_not_exist_here(ingest: Server) -> None:
    for path in ("/", "/map", "/api/v1/health", "/api/v1/nodes", "/api/v1/session", "/api/agent/v1/nowhere"):
        for method in ("GET", "POST"):
            reply = httpx.request(method, f"{ingest.url}{path}")
            assert (reply.status_code, reply.json()["code"]) == (404, "not_found")


def test_one_agents_batches_are_stored_one_after_the_other(ingest: Server, identity: AgentIdentity) -> None:
    """Requests beyond those that may wait are refused with Retry-After; the others are stored once."""
    with ThreadPoolExecutor(12) as pool:
        replies = list(pool.map(lambda seq: report(ingest, identity, seq), range(1, 13)))
    statuses = [reply.status_code for reply in replies]
    assert set(statuses) <= {200, 408, 429}
    assert all(int(reply.headers["Retry-After"]) > 0 for reply in replies if reply.status_code == 429)
    again = [report(ingest, identity, seq) for seq in range(1, 13)]
    stored = sum(
        json.loads(reply.content)["stored"] for reply in (*replies, *again) if "stored" in reply.text
    )
    assert stored == 12
