"""A private PostgreSQL and Redis for tests that need a database, started once per run.

With BACKSTAY_DB_HOST set (servers of a developer or a CI service) nothing is started.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.db import connections

from bench import databases


def pytest_configure() -> None:
    """Keys for a run without environment variables; rotation tests set their own."""
    if not settings.SECRET_KEYS:
        settings.SECRET_KEYS = ["a key that only the tests use"]
        settings.SECRET_KEY = settings.SECRET_KEYS[0]
    # Scrypt is slow by design; the tests only need passwords to be checked.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(scope="session")
def private_databases() -> Iterator[None]:
    """Private servers, set in Django's settings and, for child processes, in the environment."""
    if "BACKSTAY_DB_HOST" in os.environ:
        yield
        return
    servers = databases.start(durable=False)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in servers.environment.items():
            patch.setenv(name, value)
        connections["default"].settings_dict.update(HOST=str(servers.folder), PORT="5432", USER="backstay")
        url = servers.environment["BACKSTAY_REDIS_URL"]
        patch.setattr(settings, "REDIS_URL", url)
        patch.setattr(settings, "CELERY_BROKER_URL", url)
        patch.setitem(settings.CACHES["default"], "LOCATION", url)
        try:
            yield
        finally:
            servers.stop()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(private_databases: None) -> None:
    """pytest-django requests this before it creates the test database."""
