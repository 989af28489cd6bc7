"""A PostgreSQL that hangs (stopped, or waiting for its disk) keeps its connections open and never replies.

The server itself keeps `statement_timeout`, which does not help then. Here the client gives up: a connection
without a complete reply within `reply_s` of OPTIONS is closed, and its caller gets an OperationalError.
"""

from __future__ import annotations

import functools
import types
from typing import Any, ClassVar, Self, TypeVar

import psycopg
from django.conf import settings
from django.core import checks
from django.core.exceptions import ImproperlyConfigured
from django.db.backends.base.validation import BaseDatabaseValidation
from django.db.backends.postgresql import base
from psycopg.abc import PQGen

from config.database_options import SESSION

OWN_OPTIONS = ("reply_s", "finds_primary")
INTERVAL_S = 0.1
"""As psycopg's own: how often a wait checks for interrupts."""
PRIMARY_S = 3.0
"""Longest wait for whether a host is the primary."""
_VALUES = "SELECT name, setting FROM pg_settings WHERE name = ANY(%s)"
RV = TypeVar("RV")


class ImpatientConnection(psycopg.Connection[Any]):
    """Closes itself when a reply takes longer than `reply_s`, or when its server has become a standby."""

    reply_s: float | None = None

    def wait(self, gen: PQGen[RV], interval: float = INTERVAL_S, timeout: float | None = None) -> RV:
        """As psycopg's, with a timeout. Raises OperationalError."""
        try:
            return super().wait(gen, interval, self.reply_s if timeout is None else timeout)
        except psycopg.errors._WaitTimeout:
            if timeout is not None:
                raise
            self.close()
            raise psycopg.OperationalError(f"PostgreSQL did not reply within {self.reply_s:g} s") from None


class PrimaryConnection(ImpatientConnection):
    """Connects to the one of several hosts that accepts writes, and closes itself when that has changed.

    libpq's target_session_attrs does not find it: PgBouncer repeats to each client whether its server was a
    standby when it first connected there.
    """

    _primary: ClassVar[str] = ""
    """The host that was found last; it is tried first."""

    @classmethod
    def connect(cls, conninfo: str = "", **kwargs: Any) -> Self:
        """Tries the hosts of `host`, separated by commas. Raises OperationalError with the reasons of all."""
        hosts = sorted(str(kwargs["host"]).split(","), key=lambda host: host != cls._primary)
        failed = []
        for host in hosts:
            try:
                found = super().connect(conninfo, **kwargs | {"host": host})
                if found._is_primary():
                    PrimaryConnection._primary = host
                    return found
                found.close()
                failed.append(f"{host} is a standby")
            except psycopg.OperationalError as problem:
                failed.append(f"{host}: {problem}")
        raise psycopg.OperationalError("; ".join(failed))

    def _is_primary(self) -> bool:
        """A PgBouncer without its PostgreSQL lets clients wait, hence the limit. Raises OperationalError."""
        usual, self.reply_s = self.reply_s, PRIMARY_S
        row = self.execute("SELECT pg_is_in_recovery()").fetchone()
        self.rollback()
        self.reply_s = usual
        return row is not None and not row[0]

    def wait(self, gen: PQGen[RV], interval: float = INTERVAL_S, timeout: float | None = None) -> RV:
        """As above. PgBouncer keeps its clients when PostgreSQL behind it returns as a standby."""
        try:
            return super().wait(gen, interval, timeout)
        except psycopg.errors.ReadOnlySqlTransaction:
            self.close()
            raise


@functools.cache
def connection_class(reply_s: float, finds_primary: bool = False) -> type[psycopg.Connection[Any]]:
    """The class of connections with these properties; psycopg's own without any. `reply_s` 0: no limit."""
    if reply_s <= 0 and not finds_primary:
        return psycopg.Connection
    base_class = PrimaryConnection if finds_primary else ImpatientConnection
    return type(base_class.__name__, (base_class,), {"reply_s": reply_s or None})


class SessionValidation(BaseDatabaseValidation):
    """`manage.py check --database default`: the settings of sessions are as expected.

    Through PgBouncer they come from the role and PgBouncer's file, where nobody would notice a missing one.
    """

    def check(self, **kwargs: Any) -> list[checks.CheckMessage]:
        """A warning for each setting that differs."""
        expected = dict(SESSION)
        if settings.DB_STATEMENT_S:
            expected["statement_timeout"] = str(settings.DB_STATEMENT_S * 1000)
        with self.connection.cursor() as cursor:
            cursor.execute(_VALUES, [list(expected)])
            found = dict(cursor.fetchall())
        return [
            checks.Warning(
                f"{name} is {found.get(name)}, not {value}.", hint="See docs/hosts.md.", id="backstay.W001"
            )
            for name, value in expected.items()
            if found.get(name) != value
        ]


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, with connections of `connection_class`, in the pool and without one."""

    validation_class = SessionValidation

    def __init__(self, settings_dict: dict[str, Any], alias: str = "default") -> None:
        super().__init__(settings_dict, alias)
        options = settings_dict["OPTIONS"]
        made = connection_class(float(options.get("reply_s", 0)), options.get("finds_primary", False))
        driver: Any = types.SimpleNamespace(**vars(psycopg) | {"connect": made.connect})
        self.Database = driver
        if isinstance(pool := options.get("pool"), dict):
            pool["connection_class"] = made
        elif pool:
            raise ImproperlyConfigured("OPTIONS['pool'] must be a dict.")

    def get_connection_params(self) -> dict[str, Any]:
        """Without our own options."""
        parameters: dict[str, Any] = super().get_connection_params()
        for name in OWN_OPTIONS:
            parameters.pop(name, None)
        return parameters
