"""Both ports as processes behind TLS: half-sent bodies, and the headers of what is refused before Django."""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import httpx
import pytest

from backstay.api.tests.world import World, bearer, person
from backstay.core.roles import Role
from bench.servers import INGEST, WEB, Server, environment, server

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
HALF_SENT = 72
"""64 of one address may be incomplete."""
HTTPS = {"Host": "localhost", "X-Forwarded-Proto": "https"}
HEADERS = {
    "strict-transport-security": "max-age=31536000",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
}


@pytest.fixture(scope="module")
def web(django_db_setup: None) -> Iterator[Server]:
    with server(WEB, {**environment(), "BACKSTAY_HTTPS": "1"}) as running:
        httpx.get(f"{running.url}/api/v1/alive", timeout=60)  # The first request imports the API.
        yield running


@pytest.fixture(scope="module")
def ingest(django_db_setup: None) -> Iterator[Server]:
    with server(INGEST, {**environment(), "BACKSTAY_HTTPS": "1"}) as running:
        yield running


@contextmanager
def half_sent(web: Server, count: int, path: str = "/api/v1/session") -> Iterator[list[socket.socket]]:
    """Connections whose requests have a declared length and one byte of body."""
    lines = (f"POST {path} HTTP/1.1", "Host: localhost", "X-Forwarded-Proto: https", "Content-Length: 1000")
    head = "\r\n".join(lines) + "\r\n\r\n{"
    with ExitStack() as stack:
        peers = []
        for _ in range(count):
            peer = stack.enter_context(socket.create_connection(("127.0.0.1", web.port), 20))
            peer.sendall(head.encode())
            peers.append(peer)
        yield peers


def replies(peers: list[socket.socket], count: int) -> dict[socket.socket, str]:
    """The first `count` replies of any of the connections."""
    found: dict[socket.socket, str] = {}
    deadline = time.monotonic() + 20
    while len(found) < count and time.monotonic() < deadline:
        waiting = [peer for peer in peers if peer not in found]
        for peer in select.select(waiting, [], [], 0.5)[0]:
            found[peer] = peer.recv(65536).decode()
    return found


def headers_of(reply: str) -> dict[str, str]:
    lines = reply.partition("\r\n\r\n")[0].splitlines()[1:]
    return {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}


def assert_safe(headers: object) -> None:
    """The headers of every response; behind TLS, HSTS too."""
    found = {name.lower(): value for name, value in dict(headers).items()}  # type: ignore[call-overload]
    assert HEADERS.items() <= found.items(), found
    assert "camera=()" in found["permissions-policy"]


def test_half_sent_bodies_stop_no_page_and_the_oldest_are_given_up(web: Server) -> None:
    World.make()
    token = bearer(person("sam", Role.VIEWER))
    with half_sent(web, HALF_SENT) as peers:
        given_up = replies(peers, HALF_SENT - 64)
        for path in ("/api/v1/sites", "/api/v1/session", "/map"):
            reply = httpx.get(f"{web.url}{path}", headers={**token, **HTTPS}, timeout=10)
            assert reply.status_code == 200, reply.text
            assert reply.elapsed.total_seconds() < 5
        body = {"username": "sam", "password": "wrong"}
        assert httpx.post(f"{web.url}/api/v1/session", json=body, headers=HTTPS).status_code == 401
        # The sign-in was one more: another one had to go.
        given_up |= replies([peer for peer in peers if peer not in given_up], 1)
    assert len(given_up) == HALF_SENT - 64 + 1
    for text in given_up.values():
        assert text.startswith("HTTP/1.1 408")
        assert_safe(headers_of(text))


def test_every_response_of_the_web_port_has_the_headers(web: Server) -> None:
    refused = httpx.post(f"{web.url}/api/v1/session", headers=HTTPS, content=b"[" * 20_000)
    assert refused.status_code == 413
    assert_safe(refused.headers)
    for method, path, status in (
        ("GET", "/map", 200),
        ("GET", "/api/v1/alive", 200),
        ("GET", "/api/v1/nodes", 401),
        ("GET", "/api/nowhere", 404),
        ("GET", "/map%00", 400),
        ("PUT", "/map", 403),
    ):
        reply = httpx.request(method, f"{web.url}{path}", headers=HTTPS)
        assert reply.status_code == status, (path, reply.text)
        assert_safe(reply.headers)


@pytest.mark.parametrize(
    ("path", "mebibytes", "status"),
    [("site-files", 9, 401), ("site-files", 25, 413), ("changes", 7, 401), ("changes", 9, 413)],
)
def test_only_a_site_file_may_be_large(web: Server, path: str, mebibytes: int, status: int) -> None:
    """Read whole before the sign-in is checked: 401; refused by its length: 413."""
    body = b'{"text": "' + b"x" * (mebibytes << 20) + b'"}'
    headers = {**HTTPS, "Content-Type": "application/json"}
    reply = httpx.post(f"{web.url}/api/v1/{path}", headers=headers, content=body, timeout=30)
    assert reply.status_code == status, reply.text


def test_without_tls_there_is_no_hsts(web: Server, ingest: Server) -> None:
    for url in (f"{web.url}/api/v1/alive", f"{web.url}/map", f"{ingest.url}/api/agent/v1/health"):
        assert "strict-transport-security" not in httpx.get(url, headers={"Host": "localhost"}).headers


def test_every_response_of_the_ingest_has_the_headers(ingest: Server) -> None:
    base = f"{ingest.url}/api/agent/v1/"
    for method, path, status in (
        ("GET", "health", 200),
        ("GET", "nowhere", 404),
        ("PUT", "reports", 405),
        ("POST", "reports", 401),
        ("POST", "enrol", 400),
    ):
        reply = httpx.request(method, f"{base}{path}", headers=HTTPS)
        assert reply.status_code == status, (path, reply.text)
        assert_safe(reply.headers)
        assert reply.headers["cache-control"] == "no-store"
    with half_sent(ingest, 1, "/api/agent/v1/credential") as peers:
        (text,) = replies(peers, 1).values()
    assert text.startswith("HTTP/1.1 408")
    assert_safe(headers_of(text))
