"""A test plan whose newest run was slower than its earlier ones: one finding a plan.

It stands until a run is as usual again, or the plan is removed: nothing but another run can tell.
"""

from __future__ import annotations

from backstay.alerts.finding import Finding, Verdict
from backstay.alerts.models import Incident, Rule
from backstay.alerts.selectors.situation import Situation
from backstay.core.formatting import share
from backstay.throughput.models import TestRun


def evaluate(situation: Situation, rule: Rule, present: dict[str, Incident]) -> Verdict:
    """Every such plan, in one query."""
    done = TestRun.objects.filter(plan__site=situation.site, plan__removed_at=None, state="done")
    newest = done.order_by("plan_id", "-pk").distinct("plan_id").select_related("plan")
    return Verdict(tuple(_finding(situation, run) for run in newest if _is_slower(run)))


def _is_slower(run: TestRun) -> bool:
    return run.regression is not None and run.regression["outcome"] == "slower"


def _finding(situation: Situation, run: TestRun) -> Finding:
    plan, told, verdict = run.plan, run.regression or {}, run.verdict or {}
    names = {node.name: node.id for node in situation.topology.nodes.values()}
    why = f" {verdict['sentence']}" if verdict.get("sentence") else ""
    return Finding(
        fingerprint=f"throughput:{plan.pk}",
        severity="warning",
        subject=plan.name,
        title=f"{plan.name} is slower than usual by {share(-told['change'])}"[:300],
        detail=f"Run #{run.pk}: {told['sentence']}{why} Run it again, and compare the runs."[:2000],
        since=run.ended_at or run.asked_at,
        node_id=names.get(verdict.get("suspect", ""), names.get(plan.senders[0])),
        value=told["change"],
    )
