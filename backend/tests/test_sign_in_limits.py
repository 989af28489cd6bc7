"""Sign-in under attack: a real web server, real scrypt, parallel wrong passwords."""

from __future__ import annotations

import itertools
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx
import pytest
from django.contrib.auth.hashers import ScryptPasswordHasher
from django.db import connection

from backstay.accounts.models import User
from backstay.accounts.sign_in import SLOT_S, _digest
from backstay.api.tests.world import World, bearer, person
from backstay.core.roles import Role
from bench.servers import WEB, Server, environment, server

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
PARALLEL = 60
PAGE_S = 2.0
"""Longest time to a page while passwords are guessed."""
SIGN_IN_S = 20.0
"""Longest time to a sign-in while 24 others guess, on a loaded machine; idle it takes 1 to 3 s."""
PASSWORD = "correct horse"
TLS = httpx.create_ssl_context()
"""Made once: each call would read the certificate authorities anew, with more work than the server has."""


@pytest.fixture(scope="module")
def web(django_db_setup: None) -> Iterator[Server]:
    with server(WEB, {**environment(), "BACKSTAY_TRUSTED_PROXIES": "127.0.0.1"}) as running:
        httpx.get(f"{running.url}/api/v1/alive", timeout=60)  # The first request imports the API.
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
        verify=TLS,
    )


@contextmanager
def guessing(web: Server, addresses: list[str], clients: int = 24) -> Iterator[Counter[int]]:
    """So many clients try wrong passwords for sam all the time; statuses of their replies."""
    statuses: Counter[int] = Counter()
    over = threading.Event()

    def guess(number: int) -> None:
        for address in itertools.cycle(addresses[number::clients] or addresses):
            if over.is_set():
                return
            statuses[attempt(web, "wrong", address).status_code] += 1

    with ThreadPoolExecutor(clients) as pool:
        clients_ = [pool.submit(guess, number) for number in range(clients)]
        try:
            yield statuses
        finally:
            over.set()
        for client in clients_:
            client.result()


def sign_in_time(web: Server, address: str) -> float:
    """Seconds until sam's own password is accepted; repeats as Retry-After says."""
    began = time.monotonic()
    while (reply := attempt(web, PASSWORD, address)).status_code != 200:
        assert reply.status_code in {429, 503}, reply.text
        assert time.monotonic() < began + SIGN_IN_S, reply.text
        time.sleep(int(reply.headers["Retry-After"]))
    return time.monotonic() - began


def use_up_limits(addresses: list[str]) -> None:
    """As if a guesser had failed 100 times in all for sam's name, and 10 times from each address."""
    keys = [_digest("pair", "sam", address) for address in addresses]
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO accounts_signinattempts (key, failures, ends_at)"
            " SELECT key, failures, now() + interval '5 min'"
            " FROM unnest(%s::text[], %s::int[]) AS given (key, failures)"
            " ON CONFLICT (key) DO UPDATE SET failures = EXCLUDED.failures, ends_at = EXCLUDED.ends_at",
            [[_digest("name", "sam"), *keys], [100, *(10 for _ in keys)]],
        )


@pytest.mark.quiet
def test_60_parallel_failures_pass_no_limit_and_pages_answer_meanwhile(web: Server, sam: User) -> None:
    headers = {**bearer(sam), "Host": "localhost"}
    began = time.monotonic()
    with ThreadPoolExecutor(PARALLEL) as pool:
        wrong = [pool.submit(attempt, web, "wrong") for _ in range(PARALLEL)]
        reads: list[httpx.Response] = []
        while not all(future.done() for future in wrong):
            urls = (f"{web.url}/", f"{web.url}/api/v1/sites")
            reads += [httpx.get(url, headers=headers, timeout=60, verify=TLS) for url in urls]
            time.sleep(0.1)
    statuses = Counter(future.result().status_code for future in wrong)
    # Ten at once, then one a second.
    assert statuses[401] <= 10 + (time.monotonic() - began) / SLOT_S + 1, statuses
    assert statuses[429] >= PARALLEL / 2, statuses
    assert set(statuses) <= {401, 429, 503}
    assert all(int(f.result().headers["Retry-After"]) > 0 for f in wrong if f.result().status_code != 401)
    assert {reply.status_code for reply in reads} == {200}
    assert max(reply.elapsed.total_seconds() for reply in reads) < PAGE_S


def test_nobody_is_locked_out_by_guesses_from_many_addresses(web: Server) -> None:
    """A new browser at a new address, while 24 clients with 24 addresses guess beyond every limit."""
    addresses = [f"192.0.2.{number}" for number in range(24)]
    use_up_limits(addresses)
    began = time.monotonic()
    with guessing(web, addresses) as statuses:
        time.sleep(3)
        sign_in_time(web, "203.0.113.9")
        guessed, tried = statuses[401], statuses.total()
        took_s = time.monotonic() - began
    assert tried > guessed
    assert guessed <= took_s / SLOT_S + 2, "one password a second is checked beyond the limits"
    assert set(statuses) <= {401, 429, 503}


def test_nobody_is_locked_out_by_guesses_from_the_same_address(web: Server) -> None:
    """A browser without a cookie, at the address that it shares with four guessing clients."""
    use_up_limits(["192.0.2.1"])
    with guessing(web, ["192.0.2.1"], clients=4) as statuses:
        time.sleep(3)
        sign_in_time(web, "192.0.2.1")
    assert set(statuses) <= {401, 429, 503}


def test_browsers_and_addresses_of_earlier_sign_ins_do_not_wait_for_guesses(web: Server) -> None:
    first = attempt(web, PASSWORD, "198.51.100.7")
    assert first.status_code == 200
    device = {name: value for name, value in first.cookies.items() if "device" in name}
    addresses = [f"192.0.2.{number}" for number in range(24)]
    use_up_limits(addresses)
    with guessing(web, addresses):
        time.sleep(2)
        assert attempt(web, PASSWORD, "198.51.100.7").status_code == 200
        assert attempt(web, PASSWORD, "192.0.2.3", cookies=device).status_code == 200
        assert attempt(web, PASSWORD, "198.51.100.7", name="someone else").status_code == 401


def test_large_body_is_refused_before_it_is_sent(web: Server) -> None:
    """413 although nothing of 600 MB has arrived; by chunks, after the limit."""

    for path in ("/api/v1/session", "/map"):
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 600000000\r\n\r\n["
        with socket.create_connection(("127.0.0.1", web.port), 20) as peer:
            peer.sendall(head.encode())
            assert peer.recv(4096).startswith(b"HTTP/1.1 413")
    chunks = (b"[" * 65536 for _ in range(4))
    assert httpx.post(f"{web.url}/api/v1/session", content=chunks).status_code == 413
