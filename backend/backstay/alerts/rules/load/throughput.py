"""A test plan whose newest run was slower than its earlier ones: one finding per plan.

It lasts until a run is as fast as usual again, or the plan is removed.
"""

from __future__ import annotations

from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.diagnosis.faults.fault import FaultEvidence
from backstay.core.formatting import share
from backstay.throughput.models import TestRun


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """All plans in one query."""
    done = TestRun.objects.filter(plan__site=snapshot.site, plan__removed_at=None, state="done")
    newest = done.order_by("plan_id", "-pk").distinct("plan_id").select_related("plan")
    return RuleResult(tuple(_finding(snapshot, run) for run in newest if _is_slower(run)))


def _is_slower(run: TestRun) -> bool:
    return run.regression is not None and run.regression["outcome"] == "slower"


def _finding(snapshot: SiteSnapshot, run: TestRun) -> Finding:
    plan, regression, verdict = run.plan, run.regression or {}, run.verdict or {}
    names = {node.name: node.id for node in snapshot.topology.nodes.values()}
    why = f" {verdict['sentence']}" if verdict.get("sentence") else ""
    return Finding(
        fingerprint=f"throughput:{plan.pk}",
        subject=plan.name,
        title=f"{plan.name} is slower than usual by {share(-regression['change'])}"[:300],
        detail=f"Run #{run.pk}: {regression['sentence']}{why} Run it again and compare the runs."[:2000],
        since=run.ended_at or run.asked_at,
        node_id=names.get(verdict.get("suspect", ""), names.get(plan.senders[0])),
        value=regression["change"],
        evidence=(
            FaultEvidence("report", regression["sentence"], run.ended_at, ", ".join(plan.senders[:4])),
        ),
    )


RULE = Rule(
    kind="throughput",
    title="Throughput regression",
    severity="warning",
    evaluate=evaluate,
    cause_rank=CauseRank.EFFECT,
    group="load",
    about="site",
    summary="The newest run of a throughput test is slower than its earlier runs.",
    runbook="saturation",
)
