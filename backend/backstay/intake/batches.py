"""Stores a batch of reports: the transaction, retries, and the reply with its status.

Policy, rollout, throughput and alerts evaluate the batch in the same transaction, behind a savepoint: if one
fails, the samples are still stored and its periodic round catches up.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.db import DataError, OperationalError, connection, transaction

from backstay.accounts.agents import generation_of
from backstay.alerts import services as alerts
from backstay.core.errors import Unavailable
from backstay.live import publish
from backstay.policy import services as policy
from backstay.rollout import services as rollout
from backstay.telemetry import events
from backstay.telemetry.facts import Facts
from backstay.telemetry.ingest import store
from backstay.telemetry.ingest.batch import Batch, Outcome, prepare_days, store_reports
from backstay.telemetry.ingest.clock import nanoseconds
from backstay.throughput import run_lifecycle as throughput
from backstay_wire import BatchReply, Rejection, RejectionCode

log = logging.getLogger(__name__)
ATTEMPTS = 4
"""Closed connections and resolved deadlocks are retried here instead of by the agent."""
STATUS: dict[RejectionCode, int] = {
    RejectionCode.DUPLICATE: 409,
    RejectionCode.FOREIGN: 403,
    RejectionCode.FUTURE: 422,
    RejectionCode.EXPIRED: 422,
    RejectionCode.MALFORMED: 422,
}
"""Reply status by worst rejection, in rising severity."""


def store_batch(batch: Batch) -> Outcome:
    """Store a batch. Raises OperationalError when the database is unavailable, and Unauthenticated."""
    try:
        return _attempted(batch)
    except (DataError, OverflowError, ValueError) as problem:
        log.warning("agent %s: a report cannot be stored: %s", batch.agent, type(problem).__name__)
        return _one_by_one(batch)


def reply_of(outcome: Outcome, malformed: Sequence[Rejection], received: datetime) -> tuple[int, BatchReply]:
    """Status and body."""
    rejected = sorted([*outcome.rejected, *malformed], key=lambda item: item.index)
    status = max((STATUS[item.code] for item in rejected), default=200, key=list(_RANK).index)
    return status, BatchReply(
        stored=outcome.stored,
        rejected=rejected,
        generation=outcome.generation,
        received=nanoseconds(received),
    )


_RANK = dict.fromkeys([200, *STATUS.values()])


def _attempted(batch: Batch) -> Outcome:
    careful = False
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return _stored(batch, careful)
        except store.OverlapError:
            careful = True
        except OperationalError:
            if connection.in_atomic_block or attempt == ATTEMPTS:
                raise
            connection.close()
    raise Unavailable("The reports are being stored by another request; try again.", retry_after_s=1)


def _stored(batch: Batch, careful: bool) -> Outcome:
    prepare_days(batch)
    with transaction.atomic():
        outcome = store_reports(batch, careful=careful)
        _evaluate(outcome.facts)
        if outcome.facts.sampled:
            publish.samples(outcome.site, outcome.facts.sampled)
    if outcome.facts.changes or outcome.facts.moves:
        rollout.apply_reports(outcome.facts)
        # The report may have changed the desired state: the reply carries the new generation.
        outcome = replace(outcome, generation=generation_of(batch.agent))
    return outcome


def _evaluate(facts: Facts) -> None:
    if not facts.is_relevant:
        return
    try:
        with transaction.atomic():
            events.record_facts(facts)
            policy.observe(facts)
            rollout.observe(facts)
            if facts.tests:
                throughput.observe(facts)
            alerts.on_facts(facts)
    except OperationalError:
        raise
    except Exception:
        log.exception("evaluating a batch failed; its samples are stored")


def _one_by_one(batch: Batch) -> Outcome:
    """Store each report in its own transaction, so that an invalid one does not affect the others."""
    outcomes: list[Outcome] = []
    refused: list[Rejection] = []
    for index, report in batch.reports:
        try:
            outcomes.append(_attempted(replace(batch, reports=[(index, report)])))
        except (DataError, OverflowError, ValueError) as problem:
            reason = f"a value that cannot be stored ({type(problem).__name__})"
            refused.append(Rejection(index=index, code=RejectionCode.MALFORMED, reason=reason))
    empty = _attempted(replace(batch, reports=[]))
    return replace(
        empty,
        stored=sum(outcome.stored for outcome in outcomes),
        rejected=[item for outcome in outcomes for item in outcome.rejected] + refused,
    )
