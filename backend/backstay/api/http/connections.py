"""Database connections of threads outside Django's request cycle."""

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from django.db import InterfaceError, OperationalError, close_old_connections, connections

DATABASE_ERRORS = (OperationalError, InterfaceError)

P = ParamSpec("P")
R = TypeVar("R")


def closes_connections(function: Callable[P, R]) -> Callable[P, R]:
    """Return the thread's connections to the pool after the call."""

    @functools.wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        finally:
            connections.close_all()

    return wrapped


def replaces_connections(function: Callable[P, R]) -> Callable[P, R]:
    """Replace the thread's connections that no longer work before the call, as Django does at a request."""

    @functools.wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        close_old_connections()
        return function(*args, **kwargs)

    return wrapped
