"""Live streams end with their user's permission, and each user has a limited number of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx
import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from backstay.accounts.models import ApiToken, RoleGrant, User
from backstay.api.tests.world import World, bearer, person
from backstay.core.roles import Role
from bench.servers import WEB, Server, environment, server

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
MOST = 3
PATIENCE_S = 45.0


@pytest.fixture(scope="module")
def web(django_db_setup: None) -> Iterator[Server]:
    settings = {"BACKSTAY_LIVE_RECHECK_S": "1", "BACKSTAY_LIVE_STREAMS_PER_USER": str(MOST)}
    with server(WEB, {**environment(), **settings}) as running:
        yield running


@pytest.fixture
def reader() -> User:
    World.make()
    return person("reader", Role.VIEWER)


def by_token(user: User) -> dict[str, str]:
    return bearer(user)


def by_session(user: User) -> dict[str, str]:
    client = Client()
    client.force_login(user)
    # The server may run without TLS, and then its cookies have no prefix.
    cookies = {name.removeprefix("__Host-"): morsel.value for name, morsel in client.cookies.items()}
    return {
        "Cookie": "; ".join(
            f"{name}={cookies[plain]}" for plain in cookies for name in (plain, f"__Host-{plain}")
        )
    }


@pytest.mark.parametrize(
    ("headers", "end"),
    [
        (by_token, lambda: ApiToken.objects.all().delete()),
        (by_token, lambda: RoleGrant.objects.all().delete()),
        (by_session, lambda: Session.objects.all().delete()),
    ],
    ids=["token deleted", "role taken", "signed out"],
)
def test_stream_ends_soon_after_its_permission(
    web: Server, reader: User, headers: Callable[[User], dict[str, str]], end: Callable[[], object]
) -> None:
    with httpx.stream("GET", f"{web.url}/api/v1/live", headers=headers(reader), timeout=30) as stream:
        assert stream.status_code == 200
        lines = stream.iter_lines()
        assert any("hello" in line for line in lines)
        end()
        deadline = time.monotonic() + PATIENCE_S
        for _ in lines:
            assert time.monotonic() < deadline, "the stream goes on"


def test_one_user_has_a_limited_number_of_streams(web: Server, reader: User) -> None:
    url, headers = f"{web.url}/api/v1/live", bearer(reader)
    with ExitStack() as stack:
        kept = []  # A stream whose lines nobody holds is closed.
        for _ in range(MOST):
            stream = stack.enter_context(httpx.stream("GET", url, headers=headers, timeout=30))
            kept.append(stream.iter_lines())
            assert any("hello" in line for line in kept[-1])
        with httpx.stream("GET", url, headers=headers, timeout=30) as refused:
            assert (refused.status_code, int(refused.headers["Retry-After"]) > 0) == (429, True)
        with httpx.stream("GET", url, headers=bearer(person("other", Role.VIEWER)), timeout=30) as other:
            assert other.status_code == 200
