"""Failing parts of a site's rounds, rules and steps: recorded, left out for a growing time, tried again."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta

from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from psycopg import errors

from backstay.alerts import budget
from backstay.alerts.models import EvaluationFailure
from backstay.core.thresholds import ROUND_S
from backstay.inventory.models import Site

MAX_RETRY_S = 60.0
"""A failing part is tried again after one round, then after twice as long each time, at most after this."""

log = logging.getLogger(__name__)


def failing(site: Site) -> dict[str, EvaluationFailure]:
    """Part -> its failure."""
    return {row.part: row for row in EvaluationFailure.objects.filter(site=site)}


def attempt(site: Site, part: str, work: Callable[[], object], limit_s: float) -> str | None:
    """Run a part within its time; None, or why it failed: then its writes are undone.

    Raises if the database is unreachable.
    """
    try:
        with transaction.atomic(), budget.limited_to(limit_s):  # The savepoint itself is not interrupted.
            work()
    except (Exception, budget.BudgetExceededError) as problem:
        if _has_lost_database(problem):
            raise
        reason = _reason(problem, limit_s)
        log.warning("%s of site %s failed: %s", part, site.name, reason, exc_info=problem)
        return reason
    return None


def record(
    site: Site, now: datetime, failed: Mapping[str, str], worked: Collection[str], known: Mapping[str, object]
) -> None:
    """Store why parts failed; forget the failures of parts that worked. `known`: those failing before."""
    recovered = [part for part in worked if part in known]
    if recovered:
        EvaluationFailure.objects.filter(site=site, part__in=recovered).delete()
        log.info("%s of site %s work again", ", ".join(recovered), site.name)
    for part, text in failed.items():
        row, is_new = EvaluationFailure.objects.get_or_create(
            site=site,
            part=part,
            defaults={"since": now, "text": text, "retry_at": now + timedelta(seconds=_retry_s(1))},
        )
        if not is_new:
            row.failures += 1
            row.text, row.retry_at = text, now + timedelta(seconds=_retry_s(row.failures))
            row.save(update_fields=["failures", "text", "retry_at"])


def _retry_s(failures: int) -> float:
    return min(ROUND_S * 2.0 ** min(failures - 1, 16), MAX_RETRY_S)


def _has_lost_database(problem: BaseException) -> bool:
    """Whether the transaction is lost: then nothing can be evaluated, and no part is the reason."""
    if isinstance(problem, InterfaceError) or (connection.in_atomic_block and connection.needs_rollback):
        return True
    return isinstance(problem, OperationalError) and (
        connection.connection is None or connection.connection.closed
    )


def _reason(problem: BaseException, limit_s: float) -> str:
    cause = problem.__cause__
    if isinstance(problem, budget.BudgetExceededError) or isinstance(cause, errors.QueryCanceled):
        return f"took longer than {limit_s:g} s"
    if isinstance(problem, DatabaseError):
        return f"{type(problem).__name__}: {problem}".partition("\n")[0][:300]
    return f"{type(problem).__name__}: {problem}"[:300]
