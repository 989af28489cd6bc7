"""The ingest as a process: half-sent bodies, limits, and the routes it does not serve."""

from __future__ import annotations

import asyncio
import json
import socket
import time
import uuid
from collections.abc import Iterator, Sequence
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
from bench.agent_requests import BASE, value
from bench.servers import INGEST, Server, environment, server
from bench.site import AgentIdentity, batch, port_samples, switch_site
from config.agent_server import AgentServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
BOOT = uuid.uuid4()
AGENTS = 12
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


def enrol(ingest: Server, site: str = "lab", node: str = "mgmt0") -> AgentIdentity:
    identity = AgentIdentity()
    token, _ = create_enrolment_token(site, node, None, timezone.now())
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


def report(ingest: Server, identity: AgentIdentity, seq: int, device: str = "sw000") -> httpx.Response:
    now = time.time_ns()
    samples = port_samples(device, ["Ethernet1/1", "Ethernet1/2"], seq, boot=BOOT, at=now)
    body = batch([samples], sent=now)
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


def test_agent_whose_large_batch_was_malformed_waits_before_the_next(
    ingest: Server, identity: AgentIdentity
) -> None:
    headers = {"Authorization": identity.authorization, "Content-Encoding": "gzip"}
    entry = {"port": "Ethernet1/1", "address": "10.0.0.1", "mac": "02:00:00:00:00:01"}
    table = {
        "kind": "neighbours",
        "boot": str(BOOT),
        "seq": 9,
        "device": "sw000",
        "neighbours": [entry] * 21_000,
    }
    body = batch([table], sent=time.time_ns())

    def refused() -> httpx.Response:
        return httpx.post(f"{ingest.url}{BASE}reports", content=body, headers=headers, timeout=15)

    assert refused().status_code == 422
    reply = refused()
    assert (reply.status_code, reply.json()["message"]) == (429, "The previous large batch was malformed.")
    assert 1 <= int(reply.headers["Retry-After"]) <= 10
    assert report(ingest, identity, 1).status_code == 200
    time.sleep(int(reply.headers["Retry-After"]))
    assert refused().status_code == 422


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


Reporter = tuple[AgentIdentity, str]
"""An agent, and the switch that it polls."""


@pytest.fixture
def many(ingest: Server) -> list[Reporter]:
    """Agents of one switch each, which have reported once."""
    import_text(switch_site("many", devices=AGENTS, ports=2, agents=AGENTS), "many.yaml", timezone.now())
    found = [(enrol(ingest, "many", f"mgmt{number}"), f"sw{number:03}") for number in range(AGENTS)]
    assert {reply.status_code for reply in all_report(ingest, found, 1)} == {200}
    return found


def all_report(ingest: Server, reporters: Sequence[Reporter], seq: int) -> list[httpx.Response]:
    """The replies to reports that they send at the same time."""
    with ThreadPoolExecutor(len(reporters)) as pool:
        return list(pool.map(lambda one: report(ingest, one[0], seq, one[1]), reporters))


def transactions(reporters: Sequence[Reporter]) -> int:
    """In how many transactions the newest reports of these agents were stored."""
    ids = ", ".join(f"'{identity.agent}'" for identity, _ in reporters)
    found: int = value(
        f"SELECT count(DISTINCT xmin::text) FROM telemetry_reportledger WHERE agent_id IN ({ids})"
    )
    return found


def test_agents_that_report_at_the_same_time_share_a_transaction(
    ingest: Server, many: list[Reporter]
) -> None:
    replies = all_report(ingest, many, 2)
    assert {(reply.status_code, reply.json()["stored"]) for reply in replies} == {(200, 1)}
    assert transactions(many) < AGENTS
    of_nodes = "telemetry_samples AS sample JOIN inventory_node AS node ON node.id = sample.node_id"
    assert value(f"SELECT count(*) FROM {of_nodes} WHERE in_octets[1] = 2") == AGENTS
    for reply in replies:
        assert 0 < reply.json()["replied"] - reply.json()["received"] < 10**10


def test_agent_whose_reports_cannot_be_stored_leaves_the_others_their_group(
    ingest: Server, many: list[Reporter]
) -> None:
    """The group fails once; then that agent is stored alone."""
    bad = {"kind": "device", "boot": str(BOOT), "device": "sw000", "ports": [], "uptime_s": 1e300}
    headers = {"Authorization": many[0][0].authorization, "Content-Encoding": "gzip"}
    for seq in (100, 101):
        with ThreadPoolExecutor(1) as pool:
            now = time.time_ns()
            body = batch([{**bad, "seq": seq, "at": now}], sent=now)
            wrong = pool.submit(
                httpx.post, f"{ingest.url}{BASE}reports", content=body, headers=headers, timeout=15
            )
            replies = all_report(ingest, many[1:], seq)
        assert {(reply.status_code, reply.json()["stored"]) for reply in replies} == {(200, 1)}
        assert (wrong.result().status_code, wrong.result().json()["stored"]) == (422, 0)
    assert transactions(many[1:]) < AGENTS - 1


def test_group_that_is_not_stored_is_a_failure_of_the_health() -> None:
    application = AgentServer()
    application._groups._busy_since = time.monotonic() - 60
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": f"{BASE}health", "headers": []}
    asyncio.run(application(scope, receive, send))
    assert sent[0]["status"] == 503
