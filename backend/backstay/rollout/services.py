"""What rollout learns from a batch of reports, inside the transaction that stores it."""

from __future__ import annotations

from backstay.rollout import course
from backstay.telemetry.facts import Facts


def observe(facts: Facts) -> None:
    """Bring changes up to date with what nodes told."""
    if facts.changes:
        course.observe(facts)
