"""Constructors and text helpers for findings."""

from __future__ import annotations

from collections.abc import Iterable, Sized

from backstay.core.formatting import listing
from backstay.core.model.plan import Finding


def passed(check: str, text: str) -> list[Finding]:
    return [Finding(check, "passed", text)]


def failed(check: str, text: str, nodes: Iterable[str] = ()) -> Finding:
    """A finding that blocks the plan."""
    return Finding(check, "failed", text, tuple(nodes))


def warning(check: str, text: str, nodes: Iterable[str] = ()) -> Finding:
    """A finding that a person must accept."""
    return Finding(check, "warning", text, tuple(nodes))


def some(nodes: Iterable[str]) -> str:
    """`sp01, sp02, sp03, sp04 and 12 more`."""
    return listing(list(nodes))


def by_number(names: Sized, one: str, many: str) -> str:
    """The verb form: `sp01 runs`, `sp01 and sp02 run`."""
    return one if len(names) == 1 else many
