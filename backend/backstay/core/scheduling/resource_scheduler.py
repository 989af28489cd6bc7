"""Whose turn it is: no two tests on one resource, the more urgent first, and who waits is told for what.

A resource is a node, a link or a shared ring, by an opaque key with the words for it. One cell of a run asks
at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Request:
    """A run's next cell."""

    run: int
    priority: int
    """The greatest first."""
    asked: datetime
    """When the run was asked for: of equal priority the oldest first."""
    resources: Mapping[str, str]
    """Key -> words, e.g. `link:7` -> `grf1: gt000`; in the order in which they should be named."""
    blocked: str = ""
    """Why it may not start whatever else runs; empty: it may."""


@dataclass(frozen=True, slots=True)
class Reservation:
    """A cell that runs."""

    run: int
    resources: frozenset[str]


@dataclass(frozen=True, slots=True)
class Decision:
    """Who starts now, most urgent first, and what each other waits for."""

    start: tuple[int, ...] = ()
    waits: Mapping[int, str] = field(default_factory=dict)


def decide(asks: Iterable[Request], held: Iterable[Reservation]) -> Decision:
    """Everybody whose resources are free starts.

    Who waits for a resource keeps what it asks for from those after it, so that a wide test is not put off
    for ever by narrow ones. Who is blocked for another reason keeps nothing.
    """
    owners = {resource: one.run for one in held for resource in one.resources}
    running = dict.fromkeys(owners, True)
    start: list[int] = []
    waits: dict[int, str] = {}
    for ask in sorted(asks, key=lambda one: (-one.priority, one.asked, one.run)):
        if ask.blocked:
            waits[ask.run] = ask.blocked
            continue
        taken = [
            (resource, resource_label)
            for resource, resource_label in ask.resources.items()
            if resource in owners
        ]
        if taken:
            waits[ask.run] = _wait_text(taken, owners, running)
        else:
            start.append(ask.run)
        for resource in ask.resources:
            owners.setdefault(resource, ask.run)
            running.setdefault(resource, not taken)
    return Decision(tuple(start), waits)


def _wait_text(taken: list[tuple[str, str]], owners: Mapping[str, int], running: Mapping[str, bool]) -> str:
    """`waits for run #3 on grf1: gt000`; what runs is named before what only comes first."""
    resource, resource_label = next(
        ((key, resource_label) for key, resource_label in taken if running[key]), taken[0]
    )
    before = "" if running[resource] else ", which comes first,"
    return f"waits for run #{owners[resource]}{before} on {resource_label}"
