"""Sign-in under attack: a real web server, real scrypt, parallel wrong passwords."""

from __future__ import annotations

import socket
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from django.contrib.auth.hashers import ScryptPasswordHasher
from django.db import connection

from backstay.accounts.models import User
from backstay.api.tests.world import World, bearer, person
from backstay.core.roles import Role
from bench.servers import WEB, Server, environment, server

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
PARALLEL = 40
PASSWORD = "correct horse"


@pytest.fixture(scope="module")
def web(django_db_setup: None) -> Iterator[Server]:
    with server(WEB, {**environment(), "BACKSTAY_TRUSTED_PROXIES": "127.0.0.1"}) as running:
        yield running


@pytest.fixture(autouse=True)
def sam() -> User:
    """A person whose password is hashed as in production."""
    World.make()
    user = person("sam", Role.VIEWER)
    user.password = ScryptPasswordHasher().encode(PASSWORD, "a salt of this test")
    user.save()
    return user


def attempt(
    web: Server,
    password: str,
    address: str = "192.0.2.1",
    name: str = "sam",
    cookies: dict[str, str] | None = None,
) -> httpx.Response:
    """One sign-in through a proxy that the server trusts."""
    return httpx.post(
        f"{web.url}/api/v1/session",
        json={"username": name, "password": password},
        headers={"X-Forwarded-For": f"10.0.0.1, {address}", "Host": "localhost"},
        cookies=cookies,
        timeout=60,
    )


def test_parallel_failures_do_not_pass_the_limit_nor_stop_the_service(web: Server, sam: User) -> None:
    token = bearer(sam)
    with ThreadPoolExecutor(PARALLEL + 1) as pool:
        wrong = [pool.submit(attempt, web, "wrong") for _ in range(PARALLEL)]
        reads = []
        while not all(future.done() for future in wrong):
            reads.append(
                httpx.get(f"{web.url}/api/v1/sites", headers={**token, "Host": "localhost"}, timeout=60)
            )
            time.sleep(0.1)
    statuses = Counter(future.result().status_code for future in wrong)
    assert statuses[401] <= 10
    assert set(statuses) <= {401, 429, 503}
    assert all(int(f.result().headers["Retry-After"]) > 0 for f in wrong if f.result().status_code != 401)
    assert {reply.status_code for reply in reads} == {200}


def test_attackers_from_many_addresses_lock_out_nobody_who_signed_in_before(web: Server) -> None:
    """The name's limit is reached; its owner uses a known address, and elsewhere a known browser."""
    first = attempt(web, PASSWORD, "198.51.100.7")
    assert first.status_code == 200
    device = {name: value for name, value in first.cookies.items() if "device" in name}
    with connection.cursor() as cursor:  # As if 100 attempts from many addresses had failed.
        cursor.execute("DELETE FROM accounts_signinattempts WHERE succeeded_at IS NULL")
    for number in range(11):
        attempt(web, "wrong", f"192.0.2.{number}")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE accounts_signinattempts SET failures = 100 WHERE failures = 11")
        assert cursor.rowcount == 1
    assert attempt(web, PASSWORD, "203.0.113.9").status_code == 429
    assert attempt(web, PASSWORD, "198.51.100.7").status_code == 200
    assert attempt(web, PASSWORD, "203.0.113.9", cookies=device).status_code == 200


def test_failures_at_the_owners_own_address_do_not_lock_out_the_owners_browser(web: Server) -> None:
    first = attempt(web, PASSWORD, "198.51.100.8")
    device = {name: value for name, value in first.cookies.items() if "device" in name}
    for _ in range(11):
        refused = attempt(web, "wrong", "198.51.100.8")
    assert (refused.status_code, int(refused.headers["Retry-After"]) > 0) == (429, True)
    assert attempt(web, PASSWORD, "198.51.100.8").status_code == 429
    assert attempt(web, PASSWORD, "198.51.100.8", cookies=device).status_code == 200
    assert attempt(web, PASSWORD, "198.51.100.8", name="someone else").status_code == 401


def test_large_body_is_refused_before_it_is_sent(web: Server) -> None:
    """413 although nothing of 600 MB has arrived; by chunks, after the limit."""

    for path in ("/api/v1/session", "/map"):
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 600000000\r\n\r\n["
        with socket.create_connection(("127.0.0.1", web.port), 20) as peer:
            peer.sendall(head.encode())
            assert peer.recv(4096).startswith(b"HTTP/1.1 413")
    chunks = (b"[" * 65536 for _ in range(4))
    assert httpx.post(f"{web.url}/api/v1/session", content=chunks).status_code == 413
