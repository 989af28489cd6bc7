"""Reads of changes: the context of the action rules, and changes that await action."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db.models import (
    Case,
    Count,
    F,
    Func,
    IntegerField,
    JSONField,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    TextField,
    When,
)
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce

from backstay.accounts.models import User
from backstay.core.formatting import listing
from backstay.core.model.change import ENDED, RUNNING
from backstay.core.roles import Role
from backstay.inventory.models import Site
from backstay.policy.holds import held_nodes, open_holds
from backstay.rollout import management
from backstay.rollout.changes import execution
from backstay.rollout.changes.rules import Action, ActionContext
from backstay.rollout.changes.undo import refusal
from backstay.rollout.models import Application, Change, InputEdit, Move, PlanRecord
from backstay.rollout.plans.plan_inputs import PlanInputs
from backstay.rollout.plans.services import is_stale, staleness
from backstay.rollout.selectors import OPEN_CHANGES


@dataclass(frozen=True, slots=True)
class Actor:
    """The acting person and their role at the site."""

    user: User
    role: Role | None

    @classmethod
    def nobody(cls) -> Actor:
        """Somebody who only reads."""
        return cls(User(), None)


_WAITING = frozenset({"planned", "approved"})


def action_context(
    change: Change,
    rows: Sequence[Application],
    plan: PlanRecord | None,
    actor: Actor,
    now: datetime,
    *,
    reading: PlanInputs | None = None,
    undo: bool = False,
) -> ActionContext:
    """For one change with its nodes and newest plan. `reading` avoids reading the site once per change.

    `undo`: also examine whether it can be undone, which takes some queries.
    """
    read = execution.read(change, rows)
    waits = plan is not None and change.state in _WAITING
    approvals = change.approvals.all() if waits else ()
    return ActionContext(
        state=read.state,
        person=actor.user.pk,
        role=actor.role,
        authors=authors(change, plan) if plan and waits and change.site.second_person else {},
        second_person=change.site.second_person,
        planned=plan is not None,
        blocked=plan is not None and plan.blocked,
        empty=plan is not None and not plan.nodes,
        stale=staleness(change, plan, reading or PlanInputs(change.site, now)) if plan and waits else "",
        approvers=frozenset(
            approval.person_id
            for approval in approvals
            if plan and approval.digest == plan.digest and approval.person_id
        ),
        busy=_start_refusal(change, plan, now) if plan and change.state == "approved" else "",
        going_back=bool(read.reason),
        confirm_by=read.confirm_by(),
        undo_refusal=refusal(change) if undo and read.state in ENDED else None,
    )


def _start_refusal(change: Change, plan: PlanRecord, now: datetime) -> str:
    """Why it cannot start now although its plan is current; empty: it can."""
    return busy(change, _nodes(plan), now) or (refusal(change.undoes, by=change) if change.undoes else "")


def authors(change: Change, plan: PlanRecord) -> dict[int, str]:
    """Person -> what they wrote of this change; they cannot approve it where two persons are required.

    An edit of an input counts until a later plan with that input has been carried out.
    """
    carried_out = PlanRecord.objects.filter(change__state="done").order_by("-made_at")
    edits = InputEdit.objects.filter(site=change.site_id).annotate(
        deployed=Case(
            When(policy__isnull=False, then=_newest(carried_out, change__policies=OuterRef("policy"))),
            When(
                arp_policy__isnull=False,
                then=_newest(carried_out, change__arp_policies=OuterRef("arp_policy")),
            ),
            default=_newest(carried_out, change__site=OuterRef("site")),
        )
    )
    edits = edits.filter(Q(deployed=None) | Q(at__gt=F("deployed")))
    whole = Q(policy=None, arp_policy=None)
    mine = Q(policy__in=change.policies.all()) | Q(arp_policy__in=change.arp_policies.all())
    found: dict[int, str] = {}
    rows = edits.filter(whole | mine).order_by("at")
    for person, policy, fabric in rows.values_list("person_id", "policy__name", "arp_policy__fabric__name"):
        about = policy or (f"the ARP policy of {fabric}" if fabric else "the site file")
        found[person] = (
            f"edited {about}, which this plan deploys" if policy or fabric else f"imported {about}"
        )
    if plan.person_id is not None:
        found[plan.person_id] = "made this plan"
    if change.author_id is not None:
        found[change.author_id] = "authored this change"
    return found


def _newest(plans: QuerySet[PlanRecord], **about: OuterRef) -> Subquery:
    return Subquery(plans.filter(**about).values("made_at")[:1])


Awaited = Literal["confirmation", "approval", "start"]
AWAITED: Mapping[str, tuple[Awaited, Action]] = {
    "confirming": ("confirmation", "confirm"),
    "planned": ("approval", "approve"),
    "approved": ("start", "apply"),
}
"""State of a change -> what it awaits, and the action that gives it."""


@dataclass(frozen=True, slots=True)
class WaitingChange:
    """A change that awaits a person."""

    change: Change
    plan: PlanRecord | None
    rows: tuple[Application, ...]

    @property
    def awaits(self) -> Awaited:
        return AWAITED[self.change.state][0]

    @property
    def action(self) -> Action:
        """The action that somebody has to take."""
        return AWAITED[self.change.state][1]


def waiting(site: Site, now: datetime, *, reading: PlanInputs | None = None) -> list[WaitingChange]:
    """Changes that await a person: to confirm first, then to approve or start, oldest first.

    Changes whose plan is blocked, empty or stale are left out: nobody can act on them before they are planned
    again. Overview, headline, navigation and command line count these.
    """
    plans_of = PlanRecord.objects.defer("document", "assignments")
    rows = Change.objects.filter(site=site, state__in=AWAITED).prefetch_related(
        *_PARTS,
        Prefetch("plans", plans_of),
        Prefetch("applications", Application.objects.defer(*execution.BULKY)),
    )
    inputs = reading or PlanInputs(site, now)
    found = [
        WaitingChange(change, next(iter(change.plans.all()), None), tuple(change.applications.all()))
        for change in rows
    ]
    found = [item for item in found if item.change.state == "confirming" or _may_go_on(item, inputs)]
    return sorted(
        found, key=lambda item: (item.change.state != "confirming", item.change.since, item.change.pk)
    )


def _may_go_on(item: WaitingChange, reading: PlanInputs) -> bool:
    plan = item.plan
    if plan is None or not plan.nodes or plan.blocked:
        return False
    item.change.site = reading.site
    return not is_stale(item.change, plan, reading)


def _nodes(plan: PlanRecord) -> list[int]:
    """Ids of the nodes that change, without loading the assignments."""
    keys = Func(F("assignments"), function="jsonb_object_keys", output_field=TextField())
    return [int(key) for key in PlanRecord.objects.filter(pk=plan.pk).values_list(keys, flat=True)]


def busy(change: Change, nodes: Iterable[int], now: datetime) -> str:
    """Why nodes of this change are busy: another change, a move, a hold, a release; empty: they are not."""
    wanted = list(nodes)
    others = (
        Application.objects.filter(node__in=wanted, change__state__in=RUNNING)
        .exclude(change=change)
        .order_by("node__name")
        .values_list("node__name", "change_id")
    )
    taken = list(others)
    if taken:
        names = listing([name for name, _ in taken])
        return f"Change #{taken[0][1]} is in progress on {names}: wait for it, or roll it back."
    moves = Move.objects.filter(path__node__in=wanted, state__in=["waiting", "moved"])
    moved = sorted(set(moves.values_list("path__node__name", flat=True)))
    if moved:
        return f"A move or drill is in progress on {listing(moved)}: wait for it, or end it."
    held = held_nodes(open_holds(wanted).values(), now)
    return f"{held}: wait, or end the hold." if held else management.refusal(wanted)


_PARTS = ("policies", "arp_policies__fabric", "approvals__person")


def change(ident: int) -> Change | None:
    return Change.objects.select_related("site").filter(pk=ident).first()


def change_detail(ident: int) -> Change | None:
    """With all that its page shows; its nodes without texts, see `change_node`."""
    rows = Change.objects.select_related("site", "author").filter(pk=ident)
    members = _summarised(Application.objects.select_related("node").defer(*execution.BULKY))
    return rows.prefetch_related(*_PARTS, "steps", Prefetch("applications", members)).first()


def change_node(change: Change, node: int) -> Application | None:
    """One node of a change that has started, with its evidence and its state before and after."""
    rows = change.applications.select_related("node").defer("assignment")
    return _summarised(rows).filter(node=node).first()


def _summarised(rows: QuerySet[Application]) -> QuerySet[Application]:
    """With the engine, counts of evidence and failed evidence, computed by PostgreSQL: a change of 150 nodes
    has megabytes of texts, and its page is read again with each step."""
    return rows.annotate(
        engine=KT("assignment__routing__engine__kind"),
        checks=_Checks("evidence"),
        failed=_Failed("evidence"),
        as_before=Case(When(~Q(before="") & Q(before=F("after")), then=True), default=False),
    )


class _Checks(Func):
    """[{stage, good, total}] of evidence."""

    template = (
        "(SELECT coalesce(jsonb_agg(jsonb_build_object('stage', stage, 'good', good, 'total', total)"
        " ORDER BY stage), '[]') FROM (SELECT coalesce(item->>'stage', '') AS stage, count(*) AS total,"
        " count(*) FILTER (WHERE (item->>'ok')::boolean) AS good"
        " FROM jsonb_array_elements(%(expressions)s) item GROUP BY 1) counted)"
    )
    output_field = JSONField()


class _Failed(Func):
    """The evidence that was not good."""

    template = "jsonb_path_query_array(%(expressions)s, '$[*] ? (@.ok == false)')"
    output_field = JSONField()


def changes_of(
    site: Site,
    *,
    state: str | None = None,
    policy: str | None = None,
    fabric: str | None = None,
    text: str | None = None,
) -> QuerySet[Change]:
    """A site's changes with all that a list shows, without the plans' texts; state `current`: not ended.

    `node_count`: nodes of the execution, before it starts of the newest plan.
    """
    members_of = Application.objects.filter(change=OuterRef("pk")).order_by().values("change")
    planned = PlanRecord.objects.filter(change=OuterRef("pk")).values("nodes")[:1]
    rows = Change.objects.filter(site=site).select_related("site", "author")
    counted = Subquery(members_of.annotate(number=Count("pk")).values("number"))
    rows = rows.annotate(node_count=Coalesce(counted, Subquery(planned), 0, output_field=IntegerField()))
    if state is not None:
        rows = rows.filter(state__in=OPEN_CHANGES if state == "current" else [state])
    rows = rows.filter(policies__name=policy) if policy is not None else rows
    rows = rows.filter(arp_policies__fabric__name=fabric) if fabric is not None else rows
    rows = rows.filter(Q(title__icontains=text) | Q(ticket__icontains=text)) if text else rows
    plans = PlanRecord.objects.defer("document", "assignments")
    members = Application.objects.defer(*execution.BULKY)
    return rows.prefetch_related(*_PARTS, Prefetch("plans", plans), Prefetch("applications", members))


def newest_plan(change: Change, *, document: bool, assignments: bool) -> PlanRecord | None:
    """The plan of a change, with its large columns if requested; before it has begun its assignments name its
    nodes."""
    left_out = [] if document else ["document"]
    left_out += [] if assignments else ["assignments"]
    return change.plans.defer(*left_out).first()


def planned_nodes(change: Change, plan: PlanRecord | None) -> list[Application]:
    """The nodes of a plan that has not started, as they would be applied; unsaved rows by wave and name."""
    assignments = {} if plan is None else plan.assignments
    nodes = {node.pk: node for node in change.site.nodes.filter(pk__in=map(int, assignments))}
    rows = []
    for key, assignment in assignments.items():
        if (node := nodes.get(int(key))) is not None:
            row = Application(change=change, node=node, wave=assignment["wave"], assignment=assignment)
            routing = assignment["routing"]
            # What `_summarised` annotates.
            vars(row).update(
                engine=None if routing is None else routing["engine"]["kind"],
                checks=[],
                failed=[],
                as_before=False,
            )
            rows.append(row)
    return sorted(rows, key=lambda row: (row.wave, row.node.name))
