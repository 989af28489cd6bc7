"""PostgreSQL hangs: every process of it is stopped, connections stay open, nothing replies."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from django.db import connection

from backstay.api.health.checks import SHARED_S
from bench.processes import tree
from bench.servers import WEB, Server, environment, server

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
HEALTH_S = 3.0


@pytest.fixture
def postmaster() -> int:
    """The process id of the tests' own PostgreSQL, which no other test uses meanwhile."""
    host = Path(str(connection.settings_dict["HOST"]))
    file = host / "data" / "postmaster.pid"
    if not file.is_file():
        pytest.skip("stops only a PostgreSQL that the tests started: unset BACKSTAY_DB_HOST")
    return int(file.read_text().split()[0])


@contextmanager
def stopped(postmaster: int) -> Iterator[None]:
    """Stops every process of PostgreSQL; the postmaster first, which starts them for a growing pool.

    Others may end before they are stopped.
    """
    pids = [postmaster]
    os.kill(postmaster, signal.SIGSTOP)
    try:
        for pid in set(tree([postmaster])) - {postmaster}:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
                pids.append(pid)
        yield
    finally:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


def test_health_answers_and_names_postgresql_while_it_hangs(postmaster: int) -> None:
    with server(WEB, environment()) as web:
        assert _health(web)["database"] is True
        headers = {"Authorization": "Bearer unknown"}
        with stopped(postmaster):
            pages: list[httpx.Response] = []
            stuck = [threading.Thread(target=lambda: pages.append(_page(web, headers))) for _ in range(20)]
            for thread in stuck:
                thread.start()
            time.sleep(SHARED_S)
            for _ in range(3):
                began = time.monotonic()
                health = _health(web)
                assert time.monotonic() - began < HEALTH_S + 1  # One second for a busy machine.
                assert health["database"] is False
                assert "PostgreSQL" in str(health["message"])
            for thread in stuck:
                thread.join(60)
            assert {page.status_code for page in pages} == {503}
            assert max(page.elapsed.total_seconds() for page in pages) < 15
        deadline = time.monotonic() + 60
        while _health(web)["database"] is not True or _page(web, headers).status_code == 503:
            assert time.monotonic() < deadline, "no return"
            time.sleep(0.2)


def _health(web: Server) -> dict[str, object]:
    health: dict[str, object] = httpx.get(f"{web.url}/api/v1/health", timeout=30).json()
    return health


def _page(web: Server, headers: dict[str, str]) -> httpx.Response:
    """A request that reads the database before it can be refused."""
    return httpx.get(f"{web.url}/api/v1/nodes", headers=headers, timeout=60)
