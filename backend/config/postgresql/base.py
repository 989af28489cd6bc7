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

INTERVAL_S = 0.1
"""As psycopg's own: how often a wait checks for interrupts."""
RV = TypeVar("RV")


class ImpatientConnection(psycopg.Connection[Any]):
    """Closes itself when a reply takes longer than `reply_s`."""

    reply_s: ClassVar[float]

    def wait(self, gen: PQGen[RV], interval: float = INTERVAL_S, timeout: float | None = None) -> RV:
        """As psycopg's, with a timeout. Raises OperationalError."""
        try:
            return super().wait(gen, interval, self.reply_s if timeout is None else timeout)
        except psycopg.errors._WaitTimeout:
            if timeout is not None:
                raise
            self.close()
            raise psycopg.OperationalError(f"PostgreSQL did not reply within {self.reply_s:g} s") from None


@functools.cache
def connection_class(reply_s: float) -> type[psycopg.Connection[Any]]:
    """The class of connections with this limit; psycopg's own without one."""
    if reply_s <= 0:
        return psycopg.Connection
    return type("ImpatientConnection", (ImpatientConnection,), {"reply_s": reply_s})


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, with connections of `connection_class`, in the pool and without one."""

    def __init__(self, settings_dict: dict[str, Any], alias: str = "default") -> None:
        super().__init__(settings_dict, alias)
        options = settings_dict["OPTIONS"]
        made = connection_class(float(options.get("reply_s", 0)))
        driver: Any = types.SimpleNamespace(**vars(psycopg) | {"connect": made.connect})
        self.Database = driver
        if isinstance(pool := options.get("pool"), dict):
            pool["connection_class"] = made
        elif pool:
            raise ImproperlyConfigured("OPTIONS['pool'] must be a dict.")

    def get_connection_params(self) -> dict[str, Any]:
        """Without our own option."""
        parameters: dict[str, Any] = super().get_connection_params()
        parameters.pop("reply_s", None)
        return parameters
