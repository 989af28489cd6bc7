"""Operator actions on changes: propose, plan, approve, apply, confirm, roll back, discard, undo.

Each action locks the change's row, checks the rules again and writes its history line in one transaction.
`apply` locks the site's fence first: revisions increase in start order, and two changes of one node cannot
both start.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction

from backstay.core.errors import Invalid, NotFound, Refused
from backstay.core.formatting import count, duration, listing
from backstay.core.model import change as pure
from backstay.core.model.event_kinds import EventKind
from backstay.inventory.models import Site
from backstay.live import publish
from backstay.policy.models import ArpPolicy, FailoverPolicy
from backstay.rollout.changes import execution
from backstay.rollout.changes.rules import Action, why_not
from backstay.rollout.changes.selectors import Actor, action_context
from backstay.rollout.changes.undo import refusal, remaining
from backstay.rollout.models import Application, Approval, Change, Fence, Intended, PlanRecord, Step
from backstay.rollout.plans.plan_inputs import PlanInputs
from backstay.rollout.plans.services import make_plan
from backstay.telemetry import events


@dataclass(frozen=True, slots=True)
class ChangeProposal:
    """A change to create."""

    kind: str
    policies: Collection[int] = ()
    """Ids."""
    nodes: Collection[str] = ()
    """Names."""
    title: str = ""
    reason: str = ""
    ticket: str = ""
    arp_policies: Collection[int] = ()
    """Ids; of kind `arp` only."""
    wave_size: int | None = None
    """Max nodes per wave; None: no limit."""


@dataclass(frozen=True, slots=True)
class Begin:
    """Options of `apply`."""

    digest: str
    timeout_s: float = 120.0
    auto_confirm: bool = False


@transaction.atomic
def propose(site: Site, actor: Actor, proposal: ChangeProposal, now: datetime) -> Change:
    """Create a change and its plan. Invalid names what the site does not have; Refused."""
    policies = _policies(site, proposal)
    fabrics = _arp_policies(site, proposal)
    nodes = _nodes(site, proposal)
    about = [policy.name for policy in policies] or [fabric.fabric.name for fabric in fabrics]
    change = Change.objects.create(
        site=site,
        kind=proposal.kind,
        title=proposal.title.strip() or _title(proposal.kind, about, nodes),
        reason=proposal.reason,
        ticket=proposal.ticket,
        author=actor.user,
        nodes=nodes,
        wave_size=proposal.wave_size,
        state="draft",
        since=now,
        created_at=now,
    )
    change.policies.set(policies)
    change.arp_policies.set(fabrics)
    _make_plan(change, actor, now)
    return change


def _policies(site: Site, proposal: ChangeProposal) -> list[FailoverPolicy]:
    found = list(site.failover_policies.filter(pk__in=proposal.policies).order_by("name"))
    missing = set(proposal.policies) - {policy.pk for policy in found}
    if missing:
        raise _invalid("policies", f"{site.name} has no policy {listing(sorted(map(str, missing)))}")
    if proposal.kind in {"policies", "retire"} and not found:
        raise _invalid("policies", "at least one policy to deploy")
    if proposal.kind not in {"policies", "retire"} and found:
        raise _invalid("policies", f"none: a change of kind {proposal.kind} takes nodes")
    return found


def _arp_policies(site: Site, proposal: ChangeProposal) -> list[ArpPolicy]:
    rows = site.arp_policies.filter(pk__in=proposal.arp_policies).select_related("fabric")
    found = list(rows.order_by("fabric__name"))
    missing = set(proposal.arp_policies) - {policy.pk for policy in found}
    if missing:
        raise _invalid("arp_policies", f"{site.name} has no ARP policy {listing(sorted(map(str, missing)))}")
    if proposal.kind == "arp" and not found:
        raise _invalid("arp_policies", "at least one ARP policy to deploy")
    if proposal.kind != "arp" and found:
        raise _invalid("arp_policies", "none: use a change of kind arp")
    return found


def _nodes(site: Site, proposal: ChangeProposal) -> list[str]:
    names = sorted(set(proposal.nodes))
    known = dict(site.nodes.filter(name__in=names).values_list("name", "id"))
    missing = [name for name in names if name not in known]
    if missing:
        raise _invalid("nodes", f"{site.name} has no node {listing(missing)}")
    if proposal.kind == "arp" and names:
        raise _invalid("nodes", "none: an ARP policy covers its whole fabric")
    if proposal.kind in {"restore", "adopt"} and not names:
        raise _invalid("nodes", "at least one node")
    if proposal.kind == "restore":
        kept = set(Intended.objects.filter(node__in=known.values()).values_list("node__name", flat=True))
        never = [name for name in names if name not in kept]
        if never:
            raise Refused(
                f"Nothing was deployed on {listing(never)} yet: there is nothing to restore."
                " Deploy a policy, or adopt the running state."
            )
    return names


def _invalid(name: str, expected: str) -> Invalid:
    return Invalid(f"{name}: {expected}.", fields={name: expected})


def _title(kind: str, policies: list[str], nodes: list[str]) -> str:
    if kind == "policies":
        where = f" on {listing(nodes)}" if nodes else ""
        return f"Deploy {listing(policies)}{where}"[:200]
    if kind == "retire":
        return f"Remove {listing(policies)}"[:200]
    if kind == "arp":
        return f"Deploy the ARP policy of {listing(policies)}"[:200]
    if kind == "restore":
        return f"Restore the intended state of {listing(nodes)}"[:200]
    return f"Adopt the running state of {listing(nodes)}"[:200]


@transaction.atomic
def plan_again(change_id: int, actor: Actor, now: datetime) -> Change:
    """Make a new plan from the current state; it invalidates earlier approvals."""
    change, rows = execution.locked(change_id)
    _check("plan", change, rows, actor, now)
    if change.undoes is not None and (why := refusal(change.undoes, by=change)):
        raise Refused(why)
    _make_plan(change, actor, now)
    return change


def _make_plan(change: Change, actor: Actor, now: datetime) -> None:
    plan = make_plan(change, PlanInputs(change.site, now), actor.user)
    _enter(change, "planned", now)
    blocked = ", blocked by a failed check" if plan.blocked else ""
    text = f"Planned{blocked}: {plan.document['summary']}."
    _note(change, actor, text, now)
    severity = "warning" if plan.blocked else None
    _event(change, actor, f"was planned{blocked}: {plan.document['summary']}", now, severity)


@transaction.atomic
def approve(
    change_id: int,
    actor: Actor,
    digest: str,
    now: datetime,
    *,
    comment: str = "",
    accept_warnings: bool = False,
) -> Change:
    """Approve the plan with this digest."""
    change, rows = execution.locked(change_id)
    _check("approve", change, rows, actor, now)
    plan = _read_plan(change, digest)
    if plan.warnings and not accept_warnings:
        raise Refused(
            f"The plan has {count(plan.warnings, 'warning')}: read them, then accept them with"
            " accept_warnings."
        )
    Approval.objects.create(change=change, person=actor.user, at=now, digest=digest, comment=comment)
    _enter(change, "approved", now)
    accepted = f", {count(plan.warnings, 'warning')} accepted" if plan.warnings else ""
    suffix = f": {comment}" if comment else "."
    _note(change, actor, f"Approved plan {digest[:12]}{accepted}{suffix}", now)
    _event(change, actor, f"was approved{accepted}", now)
    return change


def _read_plan(change: Change, digest: str) -> PlanRecord:
    """The newest plan; Refused unless it has this digest."""
    plan = change.plans.first()
    if plan is None or plan.digest != digest:
        raise Refused("A newer plan exists: read it first.")
    return plan


@transaction.atomic
def apply(change_id: int, actor: Actor, begin: Begin, now: datetime) -> Change:
    """Start the change: all nodes of the plan prepare. Refused when the state differs from the approval."""
    site = Site.objects.filter(changes=change_id).first()
    if site is None:
        raise NotFound("The change does not exist or was removed.")
    Fence.objects.get_or_create(site=site)
    fence = Fence.objects.select_for_update().get(site=site)
    change, rows = execution.locked(change_id)
    _check("apply", change, rows, actor, now)
    plan = _read_plan(change, begin.digest)
    fence.revision += 1
    fence.save(update_fields=["revision"])
    change.revision = fence.revision
    change.timeout_s, change.auto_confirm, change.since = begin.timeout_s, begin.auto_confirm, now
    change.save(update_fields=["revision", "timeout_s", "auto_confirm", "since"])
    rows = _members(change, plan)
    planned = execution.read(change, rows)
    if change.kind == "adopt":
        taken = tuple(replace(member, state="confirmed", since=now) for member in planned.members)
        done = replace(planned, state="done", members=taken)
        execution.write(change, rows, done, now, _by(actor, "Adopted."))
        return change
    line = f"Started as revision {change.revision}; guard timeout {duration(begin.timeout_s)}."
    execution.write(change, rows, pure.begin(planned, now), now, _by(actor, line))
    _event(change, actor, f"started on {count(len(rows), 'node')}", now)
    return change


def _members(change: Change, plan: PlanRecord) -> list[Application]:
    """A row for each node, in the order in which `course.locked` reads them."""
    Application.objects.bulk_create(
        Application(change=change, node_id=int(node), wave=assignment["wave"], assignment=assignment)
        for node, assignment in plan.assignments.items()
    )
    return execution.locked(change.pk)[1]


@transaction.atomic
def confirm(change_id: int, actor: Actor, now: datetime, *, wave: int | None = None) -> Change:
    """Confirm the current wave. `wave`: only this one, so that a double click confirms one wave."""
    change, rows = execution.locked(change_id)
    _check("confirm", change, rows, actor, now)
    if wave is not None and wave != change.wave:
        raise Refused(f"Wave {(change.wave or 0) + 1} awaits confirmation, not wave {wave + 1}.")
    line = f"Confirmed wave {(change.wave or 0) + 1}."
    execution.write(change, rows, pure.confirm(execution.read(change, rows), now), now, _by(actor, line))
    return change


@transaction.atomic
def roll_back(change_id: int, actor: Actor, reason: str, now: datetime) -> Change:
    """Roll back the current wave; confirmed waves stay."""
    change, rows = execution.locked(change_id)
    _check("roll_back", change, rows, actor, now)
    why = f"requested by {actor.user.get_username()}" + (f": {reason}" if reason else "")
    back = pure.step(pure.roll_back(execution.read(change, rows), why, now), now)
    execution.write(change, rows, back, now, _by(actor, f"Roll back{': ' + reason if reason else '.'}"))
    return change


@transaction.atomic
def discard(change_id: int, actor: Actor, now: datetime) -> Change:
    """Close a change that has not started."""
    change, rows = execution.locked(change_id)
    _check("discard", change, rows, actor, now)
    change.outcome = f"discarded by {actor.user.get_username()}"
    change.save(update_fields=["outcome"])
    _enter(change, "superseded", now)
    _note(change, actor, "Discarded.", now)
    _event(change, actor, "was discarded", now)
    return change


@transaction.atomic
def undo(change_id: int, actor: Actor, now: datetime, *, reason: str = "") -> Change:
    """Plan the inverse of a confirmed change: its nodes return to their state before it. Refused with why."""
    undone, rows = execution.locked(change_id)
    _check("undo", undone, rows, actor, now)
    change = Change.objects.create(
        site=undone.site,
        kind="undo",
        title=f"Undo change #{undone.pk}: {undone.title}"[:200],
        reason=reason,
        ticket=undone.ticket,
        author=actor.user,
        nodes=remaining(undone),
        wave_size=undone.wave_size,
        undoes=undone,
        state="draft",
        since=now,
        created_at=now,
    )
    _note(undone, actor, f"Undo requested: change #{change.pk}.", now)
    _make_plan(change, actor, now)
    return change


def _check(action: Action, change: Change, rows: list[Application], actor: Actor, now: datetime) -> None:
    plan = change.plans.defer("document", "head", "assignments").first()
    progress = execution.read(change, rows).progress
    refused = why_not(action, action_context(change, progress, plan, actor, now, undo=action == "undo"), now)
    if refused is not None:
        raise refused


def _by(actor: Actor, text: str) -> execution.HistoryLine:
    return execution.HistoryLine(actor.user.get_username(), text)


def _enter(change: Change, state: pure.State, now: datetime) -> None:
    change.state, change.since = state, now
    change.save(update_fields=["state", "since"])


def _note(change: Change, actor: Actor, line: str, now: datetime) -> None:
    Step.objects.create(change=change, at=now, person=actor.user.get_username(), text=line)
    publish.changed(change.site.name, execution.NOUNS)


def _event(change: Change, actor: Actor, text: str, now: datetime, severity: str | None = None) -> None:
    events.record(
        change.site,
        EventKind(f"change.{change.state}"),
        f"Change #{change.pk} ({change.title}) {text}",
        at=now,
        subject=f"#{change.pk}",
        severity=severity,
        data={"change_id": change.pk, "person": actor.user.get_username()},
    )
