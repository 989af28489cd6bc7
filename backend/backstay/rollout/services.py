"""What rollout learns from a batch of reports: inside the transaction that stores it, and right after."""

from __future__ import annotations

import logging

from backstay.rollout import drift, moves
from backstay.rollout.changes import change_inbox, execution
from backstay.telemetry.facts import Facts

log = logging.getLogger(__name__)


def observe(facts: Facts) -> None:
    """Bring moves and drift up to date with what nodes told, and keep what they told of changes."""
    if facts.changes:
        change_inbox.keep(facts)
    if facts.moves:
        moves.observe(facts)
    if facts.routings or facts.arps:
        drift.observe(facts)


def apply_reports(facts: Facts) -> None:
    """Move changes on by what was told of them; to be called once that is committed.

    Should it fail, the tick does it within a second.
    """
    try:
        for change in sorted({seen.change for seen in facts.changes}):
            nodes = execution.apply_reports(change)
            drift.judge(nodes, facts.received or max(seen.at for seen in facts.changes))
    except Exception:
        log.exception("what was told of changes is left to the tick")
