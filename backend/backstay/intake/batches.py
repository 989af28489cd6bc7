"""Stores a batch of reports: the transaction, retries, and the reply with its status.

Policy, rollout, throughput and alerts evaluate the batch in the same transaction, behind a savepoint: if one
fails, the samples are still stored and its periodic round catches up.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.db import DataError, OperationalError, connection, transaction
from django.utils import timezone

from backstay.accounts.agents import generation_of
from backstay.alerts import services as alerts
from backstay.core.errors import TooLarge, Unavailable
from backstay.live import publish
from backstay.policy import services as policy
from backstay.rollout import services as rollout
from backstay.telemetry import events
from backstay.telemetry.facts import Facts
from backstay.telemetry.ingest import deadline, interruption, limits, store
from backstay.telemetry.ingest.batch import Batch, Outcome, prepare_days, store_reports
from backstay.telemetry.ingest.clock import nanoseconds
from backstay.telemetry.ingest.layouts import ExcessError
from backstay.throughput import run_lifecycle as throughput
from backstay_wire import BatchReply, Rejection, RejectionCode, Report

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


class TooSlowError(ValueError):
    """The statements took longer than their limit."""


def store_batch(batch: Batch) -> Outcome:
    """Store a batch, within the limits of `telemetry.ingest.limits`.

    Raises OperationalError when the database is unavailable, Unavailable, TooMany and Unauthenticated.
    """
    ends_at = time.monotonic() + limits.REQUEST_S
    try:
        return _attempted(batch, limits.STORE_S)
    except (DataError, OverflowError, ValueError) as problem:
        log.warning("agent %s: a report cannot be stored: %s", batch.agent, type(problem).__name__)
        return _one_by_one(batch, ends_at)


def reply_of(outcome: Outcome, malformed: Sequence[Rejection], received: datetime) -> tuple[int, BatchReply]:
    """Status and body."""
    rejected = sorted([*outcome.rejected, *malformed], key=lambda item: item.index)
    status = max((STATUS[item.code] for item in rejected), default=200, key=list(_RANK).index)
    return status, BatchReply(
        stored=outcome.stored,
        rejected=rejected,
        generation=outcome.generation,
        received=nanoseconds(received),
        replied=nanoseconds(timezone.now()),
    )


_RANK = dict.fromkeys([200, *STATUS.values()])


def _attempted(batch: Batch, seconds: float) -> Outcome:
    careful = False
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return _stored(batch, careful, seconds)
        except store.OverlapError:
            careful = True
        except OperationalError as problem:
            interruption.check()
            if limits.is_timeout(problem):
                raise TooSlowError from None
            if limits.is_locked(problem):
                raise _locked() from None
            if connection.in_atomic_block or attempt == ATTEMPTS:
                raise
            connection.close()
    raise Unavailable("The reports are being stored by another request; try again.", retry_after_s=1)


def _locked() -> Unavailable:
    return Unavailable("The reports' rows are in use; try again.", retry_after_s=2)


def _stored(batch: Batch, careful: bool, seconds: float) -> Outcome:
    prepare_days(batch)
    size = sum(limits.entries(report) for _, report in batch.reports)
    with limits.limited(batch.agent, size, seconds):
        admitted, facts = store_reports(batch, careful=careful)
        evaluate(facts)
        publish.samples(admitted.sender.site, facts.sampled)
    outcome = admitted.outcome
    if facts.changes or facts.moves:
        rollout.apply_reports(facts)
        # The report may have changed the desired state: the reply carries the new generation.
        outcome = replace(outcome, generation=generation_of(batch.agent))
    return outcome


def evaluate(facts: Facts, seconds: float = limits.STORE_S, *, waits: bool = True) -> None:
    """Pass the facts on, behind a savepoint, within this time; `waits`: as `alerts.on_facts`."""
    if not facts.is_relevant:
        return
    try:
        with transaction.atomic(), deadline.within(seconds):
            events.record_facts(facts)
            policy.observe(facts)
            rollout.observe(facts)
            if facts.tests:
                throughput.observe(facts)
            alerts.on_facts(facts, waits=waits)
    except OperationalError as problem:
        if not (limits.is_timeout(problem) or limits.is_locked(problem)):
            raise
        log.warning("evaluating a batch took too long; its samples are stored: %s", problem)
    except Exception:
        log.exception("evaluating a batch failed; its samples are stored")


def _one_by_one(batch: Batch, ends_at: float) -> Outcome:
    """Store each report in its own transaction, so that an invalid one does not affect the others.

    `ends_at`: end of the request's time, monotonic seconds. TooLarge when the reports need more than that,
    Unavailable when the database is too slow for small ones.
    """
    outcomes: list[Outcome] = []
    refused: list[Rejection] = []
    for index, report in batch.reports:
        left_s = ends_at - time.monotonic()
        try:
            if left_s <= 0:
                raise TooSlowError
            single = replace(batch, reports=[(index, report)], malformed=0, sanitised=0)
            outcomes.append(_attempted(single, min(limits.ALONE_S, left_s)))
        except TooSlowError:
            refused.append(_slow(batch, index, report, left_s))
        except (DataError, OverflowError, ValueError) as problem:
            refused.append(_refusal(index, problem))
    try:
        malformed = batch.malformed + len(refused)
        empty = _attempted(replace(batch, reports=[], malformed=malformed), limits.STORE_S)
    except TooSlowError:
        raise _overloaded() from None
    return replace(
        empty,
        stored=sum(outcome.stored for outcome in outcomes),
        rejected=[item for outcome in outcomes for item in outcome.rejected] + refused,
    )


def _slow(batch: Batch, index: int, report: Report, left_s: float) -> Rejection:
    """Refuse a large report that had enough time; else have the agent send again, fewer if it can."""
    if left_s >= limits.STORE_S and limits.entries(report) > limits.SMALL:
        reason = f"not stored within {min(limits.ALONE_S, left_s):.1f} s"
        return Rejection(index=index, code=RejectionCode.MALFORMED, reason=reason)
    if any(limits.entries(report) > limits.SMALL for _, report in batch.reports):
        raise TooLarge("The reports take too long to store: send fewer at once.")
    raise _overloaded()


def _overloaded() -> Unavailable:
    return Unavailable("The database is too slow; try again.", retry_after_s=2)


def _refusal(index: int, problem: Exception) -> Rejection:
    reason = str(problem) if isinstance(problem, ExcessError) else ""
    reason = reason or f"a value that cannot be stored ({type(problem).__name__})"
    return Rejection(index=index, code=RejectionCode.MALFORMED, reason=reason)
