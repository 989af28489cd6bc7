"""Compilation of array loops to machine code by numba, on the first call."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., object])


def compiled(function: F) -> F:
    """The function as machine code, cached on disk where the installation or the user's cache is writable.

    Equal operations give equal results: no reordering of floating-point sums is allowed.
    """
    try:
        return cast("F", njit(cache=True)(function))
    except RuntimeError:  # numba finds no writable folder for its cache
        return cast("F", njit(function))


def inlined(function: F) -> F:
    """The function as part of each compiled caller: calls in inner loops cost more than what they do."""
    return cast("F", njit(inline="always")(function))
