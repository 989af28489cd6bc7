"""What rollout learns from a batch of reports, inside the transaction that stores it."""

from __future__ import annotations

from backstay.rollout import course, drift, moves
from backstay.rollout.course import claim
from backstay.telemetry.facts import Facts

__all__ = ["claim", "observe"]


def observe(facts: Facts) -> None:
    """Bring changes, moves and drift up to date with what nodes told: what is intended comes first."""
    if facts.changes:
        course.observe(facts)
    if facts.moves:
        moves.observe(facts)
    if facts.routings or facts.arps or facts.changes:
        drift.observe(facts)
