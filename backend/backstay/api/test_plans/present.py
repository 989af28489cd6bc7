"""Throughput tests for clients: our own runs and the papers' tables."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from backstay.api.http.urls import plan_url
from backstay.api.test_plans.schemas import TestPlanOut
from backstay.api.test_runs.present import _since, _text, run_out
from backstay.core.formatting import duration
from backstay.core.model.progress import OPEN_RUNS
from backstay.core.model.state import seconds
from backstay.core.scheduling.matrix import rounds, size

if TYPE_CHECKING:
    from backstay.throughput.models import TestPlan, TestRun
    from backstay.throughput.selectors import Tally


def plan_out(
    plan: TestPlan, newest: TestRun | None, tally: Tally, now: datetime, *, runs: int, may: bool
) -> TestPlanOut:
    """A plan, with site and author loaded, and its newest run."""
    is_open = newest is not None and newest.state in OPEN_RUNS
    since = _since(newest) if newest is not None and is_open else plan.changed_at
    shape, ends = plan.shape, rounds(plan.shape, plan.senders, plan.receivers)  # type: ignore[arg-type]
    return TestPlanOut.model_validate(
        {
            "id": plan.pk,
            "name": plan.name,
            "site": plan.site.name,
            "state": newest.state if is_open and newest else "idle" if plan.enabled else "disabled",
            "state_text": _plan_text(plan, newest if is_open else None, tally, now),
            "since": since,
            "age_s": seconds(now, since) or 0.0,
            "shape": shape,
            "senders": plan.senders,
            "receivers": plan.receivers,
            "fabric": plan.fabric,
            "matrix": plan.matrix,
            "repeats": plan.repeats,
            "schedule": plan.schedule,
            "next_at": plan.next_at,
            "priority": plan.priority,
            "quiet_percent": plan.quiet_percent,
            "budget_bytes": plan.budget_bytes,
            "budget_s": plan.budget_s,
            "enabled": plan.enabled,
            "note": plan.note,
            "author": plan.author.get_username() if plan.author else "",
            "created_at": plan.created_at,
            "cells": size(plan.matrix, plan.repeats) * len(ends),
            "runs": runs,
            "last_run": None if newest is None else run_out(newest, tally, now, may_cancel=may),
            "may_run": may and not is_open,
            "url": plan_url(plan.pk),
        }
    )


def _plan_text(plan: TestPlan, running: TestRun | None, tally: Tally, now: datetime) -> str:
    if running is not None:
        return _text(running, tally)
    if plan.next_at is not None:
        return f"next in {duration(max((plan.next_at - now).total_seconds(), 0.0))}"
    return "runs on request" if plan.enabled else "schedule disabled"
