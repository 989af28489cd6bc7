"""A private PostgreSQL and Redis for tests that need a database, started once per run.

With BACKSTAY_DB_HOST set (servers of a developer or a CI service) nothing is started.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from datetime import datetime

import pytest
from django.conf import settings
from django.db import connections
from django.db.backends.postgresql.operations import DatabaseOperations
from django.utils import timezone

from bench import databases


def pytest_configure() -> None:
    """Keys for a run without environment variables; rotation tests set their own."""
    if not settings.SECRET_KEYS:
        settings.SECRET_KEYS = ["a key that only the tests use"]
        settings.SECRET_KEY = settings.SECRET_KEYS[0]
    # Scrypt is slow by design; the tests only need passwords to be checked.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # Tests with Django's client call both ports' routes; the servers themselves keep them apart.
    settings.ROOT_URLCONF = "bench.urls"


NO_AUTOANALYZE = ("autovacuum_analyze_threshold=2147483647",)
"""A table analysed between two tests is empty, but not its file: the planner would then expect one row of
it, however many the next test inserts, and compare each row of a large site with each."""


@pytest.fixture(scope="session")
def private_databases() -> Iterator[None]:
    """Private servers, set in Django's settings and, for child processes, in the environment."""
    if "BACKSTAY_DB_HOST" in os.environ:
        yield
        return
    servers = databases.start(durable=False, options=NO_AUTOANALYZE, data=databases.migrated_data())
    with pytest.MonkeyPatch.context() as patch:
        for name, value in servers.environment.items():
            patch.setenv(name, value)
        default = connections["default"].settings_dict
        default.update(HOST=str(servers.folder), PORT="5432", USER="backstay")
        # The test database starts as a copy of the migrated one, so `migrate` has nothing left to do.
        patch.setitem(default["TEST"], "TEMPLATE", "backstay")
        url = servers.environment["BACKSTAY_REDIS_URL"]
        patch.setattr(DatabaseOperations, "sql_flush", _delete_all)
        patch.setattr(settings, "REDIS_URL", url)
        patch.setattr(settings, "CELERY_BROKER_URL", url)
        patch.setitem(settings.CACHES["default"], "LOCATION", url)
        try:
            yield
        finally:
            servers.stop()


def _delete_all(
    operations: DatabaseOperations, style: object, tables: Iterable[str], **options: bool
) -> list[str]:
    """After a transactional test: Django's TRUNCATE makes new files for each table and index, empty or not.

    Locks the tables as TRUNCATE does, and so waits until servers have ended what they write. Only for the
    private server, whose user may delete without foreign keys and audit triggers.
    """
    names = [operations.quote_name(table) for table in tables]
    return [
        "SET LOCAL session_replication_role = replica",
        f"LOCK TABLE {', '.join(names)} IN ACCESS EXCLUSIVE MODE",
        *(f"DELETE FROM {name}" for name in names),  # noqa: S608  # names of our own tables
    ]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(private_databases: None) -> None:
    """pytest-django requests this before it creates the test database."""


@pytest.fixture(scope="module")
def shown_at_once() -> Iterator[None]:
    """Effects do not wait for their root cause: for tests of what happens once an incident is shown."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("backstay.alerts.incidents.MAX_WAITS", {})
        yield


CLOCK_RATE = 0.02
"""Of a test module's clock: a minute's delay is 1.2 s, less than any age that a rule or a page judges."""


@pytest.fixture(scope="module", autouse=True)
def _slow_clock(request: pytest.FixtureRequest) -> Iterator[None]:
    """A loaded machine must not age what a test has reported.

    Django's clock runs on from the module's start, slowly; not with the mark `real_clock`, for tests that
    share a clock with other processes or wait for something to expire.
    """
    if request.node.get_closest_marker("real_clock") or request.node.get_closest_marker("netns"):
        yield
        return
    real = timezone.now
    start = real()

    def now() -> datetime:
        return start + (real() - start) * CLOCK_RATE

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timezone, "now", now)
        yield


@pytest.fixture(autouse=True)
def _patient_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits of storing and evaluating have their own tests; they must fail no others on a busy machine."""
    from backstay.alerts import budget
    from backstay.telemetry.ingest import limits

    for name in ("LOCK_MS", "WAIT_MS"):
        monkeypatch.setattr(limits, name, 60_000)
    for name in ("STORE_S", "ALONE_S"):
        monkeypatch.setattr(limits, name, 60.0)
    monkeypatch.setattr(limits, "REQUEST_S", 120.0)
    for name in ("RULE_S", "STEP_S"):
        monkeypatch.setattr(budget, name, 120.0)
    monkeypatch.setattr(budget, "ROUND_S", 3600.0)
