"""Database connections of threads outside Django's request cycle."""

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from django.db import InterfaceError, OperationalError, connections

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
