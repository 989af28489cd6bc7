"""Processing of report batches: inside the transaction that stores them, and after its commit."""

from __future__ import annotations

import logging

from backstay.rollout import drift, holds, management, moves
from backstay.rollout.changes import change_inbox, execution
from backstay.telemetry.facts import Facts

log = logging.getLogger(__name__)


def observe(facts: Facts) -> None:
    """Update moves, holds and drift from a batch; store reports about changes."""
    if facts.changes:
        change_inbox.keep(facts)
    if facts.moves:
        moves.observe(facts)
    if facts.management:
        management.observe(facts)
    if facts.holds:
        holds.observe(facts)
    if facts.routings or facts.arps:
        drift.observe(facts)


def apply_reports(facts: Facts) -> None:
    """Advance changes by their reports; call after the commit. On failure the tick repeats it within 1 s."""
    try:
        for change in sorted({seen.change for seen in facts.changes}):
            nodes = execution.apply_reports(change)
            drift.judge(nodes, facts.received or max(seen.at for seen in facts.changes))
    except Exception:
        log.exception("reports about changes are left to the tick")
