"""Changes for clients: status, permitted actions, plan, nodes, history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from backstay.accounts.services import RANK
from backstay.api.changes.schemas import (
    ApprovalOut,
    ChangeDetail,
    ChangeNodeDetail,
    ChangeNodeOut,
    ChangeOut,
    ChangeStep,
    PlanOut,
    RestoredOut,
    WaveOut,
)
from backstay.api.http.urls import change_url
from backstay.api.overview.schemas import OverviewItem
from backstay.core.formatting import count, duration, listing
from backstay.core.model.change import RUNNING, ChangeProgress, NodeState, outcome_of
from backstay.core.model.state import seconds
from backstay.rollout.changes.rules import ACTIONS, Action, ActionContext, why_not
from backstay.rollout.plans.plan_summary import counts, head_of

if TYPE_CHECKING:
    from backstay.rollout.changes.node_progress import Restored
    from backstay.rollout.changes.selectors import WaitingChange
    from backstay.rollout.models import Application, Approval, Change, PlanRecord

_BEFORE: tuple[Action, ...] = ("plan", "approve", "apply", "discard")
_AFTER: tuple[Action, ...] = ("undo",)
_IN_PROGRESS: tuple[Action, ...] = ("confirm", "roll_back")


def change_out(
    change: Change,
    progress: ChangeProgress,
    plan: PlanRecord | None,
    context: ActionContext,
    now: datetime,
) -> ChangeOut:
    """A change as seen by this user; approvals, policies and author are loaded."""
    refusals = {action: why_not(action, context, now) for action in ACTIONS}
    looked_for = _looked_for(context)
    return ChangeOut(
        id=change.pk,
        name=f"#{change.pk}",
        kind=change.kind,
        title=change.title,
        reason=change.reason,
        ticket=change.ticket,
        state=context.state,
        state_text=state_text(change, progress, context, now),
        stale=bool(context.stale),
        since=change.since,
        age_s=seconds(now, change.since) or 0.0,
        author="" if change.author is None else change.author.get_username(),
        site=change.site.name,
        policies=[policy.name for policy in change.policies.all()],
        arp_policies=sorted(policy.fabric.name for policy in change.arp_policies.all()),
        nodes=progress.total or (0 if plan is None else plan.nodes),
        confirmed=progress.of("confirmed"),
        wave=change.wave if change.state in RUNNING else None,
        waves=0 if plan is None else plan.waves,
        confirm_by=context.confirm_by,
        may=[action for action, refusal in refusals.items() if refusal is None],
        may_not={
            action: refusal.message
            for action in looked_for
            if (refusal := refusals[action]) is not None and _is_somebody(context)
        },
        undoes=change.undoes_id,
        url=change_url(change.pk),
    )


def _looked_for(context: ActionContext) -> tuple[Action, ...]:
    """Actions that a person would look for in this state."""
    if context.state in RUNNING:
        return _IN_PROGRESS
    if context.state not in {"done", "stopped", "failed"}:
        return _BEFORE
    return () if context.undo_refusal is None else _AFTER


def _is_somebody(context: ActionContext) -> bool:
    """Whether the user may act at all; viewers get no reasons for missing actions."""
    return context.role is not None and RANK[context.role] > 0


def state_text(change: Change, progress: ChangeProgress, context: ActionContext, now: datetime) -> str:
    """The status as text."""
    if change.state in {"planned", "draft", "approved"}:
        return _before(change, context)
    if change.state == "rolling":
        return _rolling(change, progress)
    if change.state == "confirming":
        left = 0.0 if context.confirm_by is None else (context.confirm_by - now).total_seconds()
        soon = f", {duration(left)} left" if left > 0 else ": timed out, the guards roll back"
        return f"wave {(change.wave or 0) + 1} awaits confirmation{soon}"
    return outcome_of(context.state, change.wave, change.outcome, progress)


def _before(change: Change, context: ActionContext) -> str:
    if not context.planned:
        return "not planned yet"
    if context.blocked:
        return "a failed check blocks it"
    if context.empty:
        return "no node changes"
    if context.stale:
        return "the plan is stale"
    if change.state == "planned":
        return "awaiting approval"
    names = [
        approval.person.get_username() for approval in change.approvals.all() if approval.person is not None
    ]
    return f"approved by {listing(sorted(set(names)))}; not yet applied"


def _rolling(change: Change, progress: ChangeProgress) -> str:
    all_nodes = count(progress.total, "node")
    if change.outcome:
        return f"rolling back {count(progress.of('rolling_back'), 'node')}: {change.outcome}"
    if change.wave is None:
        return f"{progress.of('prepared')} of {all_nodes} prepared"
    return f"wave {change.wave + 1} in progress; {progress.of('confirmed')} of {all_nodes} confirmed"


def waiting_item(item: WaitingChange, context: ActionContext, now: datetime) -> OverviewItem:
    """A change that awaits an action, as this user sees it, for the overview."""
    text = state_text(item.change, item.progress, context, now)
    refusal = why_not(item.action, context, now)
    return OverviewItem(
        title=f"Change #{item.change.pk}: {item.change.title}",
        detail=f"{text[0].upper()}{text[1:]}",
        state="warning",
        since=item.change.since,
        confirm_by=context.confirm_by,
        refusal="" if refusal is None else refusal.message,
        url=change_url(item.change.pk),
    )


@dataclass(frozen=True, slots=True)
class ChangeNodes:
    """The nodes of a change for its page."""

    first: Sequence[Application]
    """Before it starts, those of its plan."""
    progress: ChangeProgress
    restored: Restored | None


def detail_out(
    change: Change,
    nodes: ChangeNodes,
    plan: PlanRecord | None,
    context: ActionContext,
    now: datetime,
    *,
    with_plan: bool = True,
) -> ChangeDetail:
    """One change with its first nodes and history, and the head of its plan if requested."""
    out = change_out(change, nodes.progress, plan, context, now)
    return ChangeDetail(
        **dict(out),
        has_all_members=len(nodes.first) >= out.nodes,
        plan=plan_out(plan, context.stale) if with_plan and plan is not None else None,
        approvals=[_approval(approval) for approval in change.approvals.all()],
        members=[member_out(change, row) for row in nodes.first],
        progress=_waves(nodes.progress),
        restored=None if nodes.restored is None else _restored(nodes.restored),
        history=[
            ChangeStep(at=step.at, person=step.person, text=step.text)
            for step in sorted(change.steps.all(), key=lambda step: step.pk)
        ],
    )


def _waves(progress: ChangeProgress) -> list[WaveOut]:
    found: dict[int, dict[NodeState, int]] = {}
    for (wave, state), number in progress.counts.items():
        found.setdefault(wave, {})[state] = number
    return [
        WaveOut(wave=wave, nodes=sum(states.values()), states=states)
        for wave, states in sorted(found.items())
    ]


def _restored(found: Restored) -> RestoredOut:
    node_id, node = found.cause or (None, "")
    return RestoredOut(touched=found.touched, verified=found.verified, node_id=node_id, node=node)


def plan_out(plan: PlanRecord, stale: str, *, whole: bool = False) -> PlanOut:
    """A frozen plan; `stale`: the reason, or empty. `whole`: with all entries of its lists."""
    head = None if whole else plan.head or head_of(plan.document)
    content = {**plan.document, "counts": counts(plan.document)} if head is None else head
    return PlanOut(
        **{name: value for name, value in content.items() if name not in {"parts", "shapes", "checks"}},
        shapes=[_counted(shape) for shape in content["shapes"]],
        checks=[_counted(check) for check in content["checks"]],
        is_whole=head is None,
        made_at=plan.made_at,
        digest=plan.digest,
        stale=bool(stale),
        stale_because=stale,
        blocked=plan.blocked,
    )


def _counted(item: dict[str, Any]) -> dict[str, Any]:
    return {"node_count": len(item["nodes"]), **item}


def _approval(row: Approval) -> ApprovalOut:
    person = "" if row.person is None else row.person.get_username()
    return ApprovalOut(person=person, at=row.at, digest=row.digest, comment=row.comment)


def member_out(change: Change, row: Application) -> ChangeNodeOut:
    """One node of a change; `selectors` annotates the row."""
    return ChangeNodeOut.model_validate(_member(change, row))


def member_detail_out(change: Change, row: Application) -> ChangeNodeDetail:
    """The same with its evidence and texts."""
    texts = {"evidence": row.evidence, "before": row.before, "after": row.after}
    return ChangeNodeDetail.model_validate({**_member(change, row), **texts})


def _member(change: Change, row: Application) -> dict[str, object]:
    same = (
        "node_id",
        "wave",
        "engine",
        "state",
        "reason",
        "by",
        "checks",
        "failed",
        "as_before",
        "guard_until",
    )
    return {
        **{name: getattr(row, name) for name in same},
        "node": row.node.name,
        "since": row.since or change.since,
    }
