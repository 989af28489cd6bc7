"""A standby of the tests' PostgreSQL as this process's standby for reads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from backstay.inventory import standby_reads
from backstay.inventory.standby_reads import ALIAS, StandbyGate, StandbyStatus, measure
from config.database_options import standby_options


@contextmanager
def commits(setting: str) -> Iterator[None]:
    """The server of the tests has `off`, which is faster."""
    database = connection.settings_dict["NAME"]
    with connection.cursor() as cursor:
        cursor.execute(f'ALTER DATABASE "{database}" SET synchronous_commit = {setting}')
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]
    yield
    with connection.cursor() as cursor:
        cursor.execute(f'ALTER DATABASE "{database}" RESET synchronous_commit')
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]


@contextmanager
def in_use(*folders: Path) -> Iterator[None]:
    """These servers are the configured standbys."""
    host = ",".join(map(str, folders))
    known = connections.settings[DEFAULT_DB_ALIAS] | {
        "NAME": connection.settings_dict["NAME"],
        "HOST": host,
        "OPTIONS": standby_options(host, is_pooled=False, statement_s=10),
    }
    usual = BaseDatabaseWrapper.ensure_connection

    def ensure_connection(wrapper: BaseDatabaseWrapper) -> None:
        """Django's refuses databases that the test did not create."""
        if wrapper.alias != ALIAS:
            usual(wrapper)
        elif wrapper.connection is None:
            with wrapper.wrap_database_errors:
                wrapper.connect()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(standby_reads, "gate", StandbyGate(measure))
        patch.setattr(BaseDatabaseWrapper, "ensure_connection", ensure_connection)
        patch.setitem(connections.settings, ALIAS, known)
        try:
            yield
        finally:
            connections[ALIAS].close()
            connections[ALIAS].close_pool()  # type: ignore[attr-defined]
            del connections[ALIAS]


def probed() -> StandbyStatus:
    """What a probe finds now, in its own thread."""
    found: list[StandbyStatus] = []
    thread = threading.Thread(target=lambda: found.append(standby_reads.gate.status()))
    thread.start()
    thread.join(30)
    return found[0]


def statements(work: Callable[..., object], *arguments: object) -> int:
    """How many statements the standby got from this thread."""
    found: list[str] = []

    def note(execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        found.append(sql)
        return execute(sql, *arguments)

    with connections[ALIAS].execute_wrapper(note):
        work(*arguments)
    return len(found)
