"""Schedule throughput tests: one test per resource at a time, higher priority first, with a reason for each
wait.

A resource is a node, a link or a shared ring, identified by an opaque key with a label. A run requests one
cell at a time.
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
    """Higher values first."""
    asked: datetime
    """When the run was requested; within a priority the oldest goes first."""
    resources: Mapping[str, str]
    """Key -> label, e.g. `link:7` -> `grf1: gt000`, in the order in which messages name them."""
    blocked: str = ""
    """Reason why the cell cannot start regardless of other runs; empty if it can."""


@dataclass(frozen=True, slots=True)
class Reservation:
    """A running cell."""

    run: int
    resources: frozenset[str]


@dataclass(frozen=True, slots=True)
class ScheduleDecision:
    """Runs that start now, most urgent first, and the reason why each other run waits."""

    start: tuple[int, ...] = ()
    waits: Mapping[int, str] = field(default_factory=dict)


def decide(asks: Iterable[Request], held: Iterable[Reservation]) -> ScheduleDecision:
    """Start every request whose resources are free.

    A request that waits for a resource reserves its resources against later requests, so that narrow tests
    cannot delay a wide test forever. A request that is blocked for another reason reserves nothing.
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
    return ScheduleDecision(tuple(start), waits)


def _wait_text(taken: list[tuple[str, str]], owners: Mapping[str, int], running: Mapping[str, bool]) -> str:
    """`waits for run #3 on grf1: gt000`; a running test is named before one that only has priority."""
    resource, resource_label = next(
        ((key, resource_label) for key, resource_label in taken if running[key]), taken[0]
    )
    before = "" if running[resource] else ", which has priority,"
    return f"waits for run #{owners[resource]}{before} on {resource_label}"
