"""A wallboard's live stream ends at once with its token, and the token is in no log of the server."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

import httpx
import pytest

from backstay.accounts.models import User
from backstay.alerts.models import Wallboard
from backstay.alerts.wallboards import services
from backstay.api.tests.full_site import WALLBOARD
from backstay.api.tests.world import World, person
from backstay.core.roles import Role
from bench.servers import WEB, Server, environment, server

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
AT_ONCE_S = 5.0
"""Far less than the minute after which the stream would check its permission."""


@pytest.fixture(scope="module")
def web(django_db_setup: None) -> Iterator[Server]:
    with server(WEB, {**environment(), "BACKSTAY_LIVE_RECHECK_S": "600"}) as running:
        yield running


@pytest.mark.parametrize("end", [services.revoke_wallboard, services.renew_token])
def test_stream_ends_at_once_with_its_token(
    web: Server, end: Callable[[Wallboard, User, datetime], object]
) -> None:
    author, now = person("olga", Role.OPERATOR), datetime.now(UTC)
    row, token = services.create_wallboard(World.make().site, WALLBOARD, None, author, now)
    second = replace(WALLBOARD, name="second")
    other, others = services.create_wallboard(row.site, second, None, author, now)
    url = f"{web.url}/api/v1/live"
    with (
        httpx.stream("GET", url, headers={"Authorization": f"Bearer {token}"}, timeout=30) as stream,
        httpx.stream("GET", url, headers={"Authorization": f"Bearer {others}"}, timeout=30) as untouched,
    ):
        lines, rest = stream.iter_lines(), untouched.iter_lines()
        assert any("hello" in line for line in lines)
        assert any("hello" in line for line in rest)
        end(row, author, now)
        began = time.monotonic()
        for _ in lines:
            pass
        assert time.monotonic() - began < AT_ONCE_S
        services.update_wallboard(other, second, None, author, now)
        assert any("changed" in line for line in rest)
    reply = httpx.get(url, headers={"Authorization": f"Bearer {token}"})
    assert reply.status_code == 401
