"""A PostgreSQL that hangs (stopped, or waiting for its disk) keeps its connections open and never replies.

The server itself keeps `statement_timeout`, which does not help then. Here the client gives up: a connection
without a complete reply within `reply_s` of OPTIONS is closed, and its caller gets an OperationalError.
"""

from __future__ import annotations

import functools
import types
from typing import Any, ClassVar, TypeVar

import psycopg
from django.core.exceptions import ImproperlyConfigured
from django.db.backends.postgresql import base
from psycopg.abc import PQGen

from config.postgresql.session_validation import SessionValidation

OWN_OPTIONS = ("reply_s", "leaves_standby")
INTERVAL_S = 0.1
"""As psycopg's own: how often a wait checks for interrupts."""
RV = TypeVar("RV")


class ImpatientConnection(psycopg.Connection[Any]):
    """Closes itself when a reply takes longer than `reply_s`, or when its server has become a standby."""

    reply_s: ClassVar[float | None] = None
    leaves_standby: ClassVar[bool] = False

    def wait(self, gen: PQGen[RV], interval: float = INTERVAL_S, timeout: float | None = None) -> RV:
        """As psycopg's, with a timeout. Raises OperationalError."""
        try:
            return super().wait(gen, interval, self.reply_s if timeout is None else timeout)
        except psycopg.errors.ReadOnlySqlTransaction:
            # PgBouncer keeps its clients when PostgreSQL behind it restarts as a standby; only a new connection
            # finds the server that accepts writes.
            if self.leaves_standby:
                self.close()
            raise
        except psycopg.errors._WaitTimeout:
            if timeout is not None:
                raise
            self.close()
            raise psycopg.OperationalError(f"PostgreSQL did not reply within {self.reply_s:g} s") from None


@functools.cache
def connection_class(reply_s: float, leaves_standby: bool = False) -> type[psycopg.Connection[Any]]:
    """The class of connections with these properties; psycopg's own without any. `reply_s` 0: no limit."""
    if reply_s <= 0 and not leaves_standby:
        return psycopg.Connection
    given = {"reply_s": reply_s or None, "leaves_standby": leaves_standby}
    return type("ImpatientConnection", (ImpatientConnection,), given)


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, with connections of `connection_class`, in the pool and without one."""

    validation_class = SessionValidation

    def __init__(self, settings_dict: dict[str, Any], alias: str = "default") -> None:
        super().__init__(settings_dict, alias)
        options = settings_dict["OPTIONS"]
        made = connection_class(float(options.get("reply_s", 0)), options.get("leaves_standby", False))
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
