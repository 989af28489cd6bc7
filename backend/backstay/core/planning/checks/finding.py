"""Constructors and text helpers for findings, and the runner of checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sized
from typing import TypeVar

from backstay.core.formatting import listing
from backstay.core.model.plan import Finding

ProposalT = TypeVar("ProposalT")


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


def run_checks(
    proposal: ProposalT, checks: Mapping[str, Callable[[ProposalT], list[Finding]]]
) -> tuple[Finding, ...]:
    """Findings of every check in order, at least one each; a check that raises an exception fails."""
    return tuple(finding for name, check in checks.items() for finding in _run(name, check, proposal))


def _run(name: str, check: Callable[[ProposalT], list[Finding]], proposal: ProposalT) -> list[Finding]:
    try:
        found = check(proposal)
    except Exception as error:  # a check without a result must block the plan
        text = f"The check {name} failed with {type(error).__name__}: {error}; the plan is blocked"
        return [failed(name, f"{text}. Report this error.")]
    return found or [
        failed(name, f"The check {name} returned nothing; the plan is blocked. Report this error.")
    ]
