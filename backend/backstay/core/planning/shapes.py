"""Nodes whose changes read the same: a page shows one of them, and a wave has some of each."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import PurePosixPath

from backstay.core.model.plan import Difference, FileDifference
from backstay.core.model.routing import EngineKind
from backstay.core.planning.digest import digest

_LENGTH = 16
"""Hex digits: enough for one plan's shapes."""
_Lines = tuple[str, tuple[str, ...], tuple[str, ...]]
"""A file's name, the lines that go, the lines that come."""


def shape(engine: EngineKind, differences: Iterable[Difference], files: Iterable[FileDifference]) -> str:
    """A name for what a person would read: the differences and the lines that go and come in each file."""
    lines = tuple((PurePosixPath(item.path).name, *_changed(item.before, item.after)) for item in files)
    return _name(engine, tuple(differences), lines)


@lru_cache(maxsize=1024)
def _name(engine: EngineKind, differences: tuple[Difference, ...], lines: tuple[_Lines, ...]) -> str:
    """Remembered: most nodes of a plan are of few shapes."""
    return digest([engine, differences, lines])[:_LENGTH]


def _changed(before: str, after: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines between what both begin with and what both end with."""
    old, new = before.splitlines(), after.splitlines()
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return tuple(old[start : len(old) - end]), tuple(new[start : len(new) - end])
