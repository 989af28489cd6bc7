"""Failover policies from the site file and from operators."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status
from pydantic import BaseModel, Field

from backstay.api.changes.actor import actor_at, detail
from backstay.api.changes.schemas import ChangeDetail
from backstay.api.http.auth import Lookup, found, require_operator, site_of
from backstay.api.http.conditional_reads import INVENTORY, PATHS, depends_on
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery, Text
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.api.policies.present import group_out, policy_out, policy_outages_out, stripe_out
from backstay.api.policies.schemas import (
    GroupIn,
    GroupOut,
    PolicyIn,
    PolicyOut,
    PolicyOutagesOut,
    StripeOut,
)
from backstay.core.errors import Invalid
from backstay.core.planning.groups import select
from backstay.core.timerange import moment
from backstay.inventory import snapshot
from backstay.inventory.lookups import sorts_by
from backstay.inventory.standby_reads import reads_standby
from backstay.policy import intents
from backstay.policy import selectors as policies
from backstay.policy.outage_totals import outage_totals
from backstay.policy.policy_spec import PolicySpec
from backstay.rollout import policy_editing
from backstay.rollout.plans import stripe_preview
from backstay.rollout.policy_progress import progress_by_policy, with_confirmed
from backstay.rollout.policy_protection import deletion_refusals
from backstay.rollout.retirement import removals
from backstay.rollout.selectors import nodes, undetected_nodes

if TYPE_CHECKING:
    from backstay.inventory.models import Site

router = Router(tags=["failover policies"])
_policy = Lookup("failover policy", policies.failover_policy)
_POLICY_TABLES = frozenset(
    {
        "policy_hold",
        "rollout_application",
        "rollout_change",
        "rollout_change_policies",
        "rollout_drill",
        "rollout_intended",
        "rollout_nodemanagement",
        "rollout_planrecord",
    }
)
SORTS = {
    "name": Column("name", natural=True),
    "gateways": Column("gateway_names", natural=True),
    "prefix": Column("prefix", natural=True),
    "detection": Column("detection"),
    "origin": Column("origin"),
    "nodes": Column("node_count"),
    "confirmed": Column("confirmed"),
}


@router.get(
    "/failover-policies", response={200: Page[PolicyOut], **READ}, operation_id="list_failover_policies"
)
@depends_on(INVENTORY, PATHS, _POLICY_TABLES)
def list_failover_policies(request: HttpRequest, query: Query[ListQuery]) -> Page[PolicyOut]:
    """A site's failover policies with their deployment."""
    site = site_of(request, query.site)
    rows = policies.policies_of(site, query.q)
    if sorts_by(query.sort, "confirmed"):
        rows = with_confirmed(rows, site)
    shown, following = query.rows(rows, SORTS, "name")
    return Page(items=_policies_out(site, [row.pk for row in shown]), next=following)


@router.post(
    "/failover-policies/group-preview", response={200: GroupOut, **WRITE}, operation_id="preview_group"
)
def preview_group(request: HttpRequest, body: GroupIn) -> GroupOut:
    """Nodes that currently match a policy's group. Stores nothing."""
    site = site_of(request, body.site)
    topology = snapshot.load(site)
    members = [topology.nodes[node] for node in select(topology, intents.group(body.nodes.model_dump()))]
    return group_out(topology, members, nodes(site, [node.id for node in members]), body)


@router.post(
    "/failover-policies/stripe-preview", response={200: StripeOut, **WRITE}, operation_id="preview_stripe"
)
def preview_stripe(request: HttpRequest, body: PolicyIn) -> StripeOut:
    """Nodes of a stripe by gateway, and the impact of each gateway's failure. Stores nothing."""
    site = site_of(request, body.site)
    topology, stripe = stripe_preview.preview(site, _spec(body), timezone.now())
    return stripe_out(topology, stripe)


@router.get("/failover-policies/{id}", response={200: PolicyOut, **READ}, operation_id="get_failover_policy")
@depends_on(INVENTORY, PATHS, _POLICY_TABLES)
def get_failover_policy(request: HttpRequest, id: Id) -> PolicyOut:  # noqa: A002  (the name in the path)
    """One policy and its deployment."""
    policy = _policy(request, id)
    return _shown(request, policy.pk)


class OutageQuery(BaseModel):
    """Range of `list_policy_outages`."""

    by: Literal["day", "month"] = "day"
    start: Text | None = Field(None, description="A time, or `now-30d`; default: 30 days, or 12 months")
    end: Text = "now"


@router.get(
    "/failover-policies/{id}/outages",
    response={200: PolicyOutagesOut, **READ},
    operation_id="list_policy_outages",
)
@reads_standby
def list_policy_outages(request: HttpRequest, id: Id, query: Query[OutageQuery]) -> PolicyOutagesOut:  # noqa: A002
    """Outage time of a policy's paths by day or month in UTC, clipped to the range."""
    policy, now = _policy(request, id), timezone.now()
    start = moment(query.start, now, "start") if query.start else None
    totals = outage_totals(policy, query.by, start, moment(query.end, now, "end"), now)
    return policy_outages_out(policy, query.by, totals)


@router.post("/failover-policies", response={201: PolicyOut, **WRITE}, operation_id="create_failover_policy")
@idempotent
def create_failover_policy(request: HttpRequest, body: PolicyIn) -> Status[PolicyOut]:
    """Create a policy; a change deploys it. Needs operator at the site."""
    site = site_of(request, body.site)
    require_operator(request, site)
    actor = actor_at(request, site.name)
    policy = policy_editing.create_policy(site, _spec(body), actor, timezone.now())
    return Status(201, _shown(request, policy.pk))


@router.put(
    "/failover-policies/{id}", response={200: PolicyOut, **WRITE}, operation_id="update_failover_policy"
)
@idempotent
def update_failover_policy(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the name in the path)
    body: PolicyIn,
) -> PolicyOut:
    """Replace a policy; nodes keep their routes until a change deploys it. Needs operator at the site.

    A policy of the site file is refused: copy it under another name, or edit the file. With an empty group, a
    change that removes its routes from all nodes is planned at once: `removal`.
    """
    policy = _policy(request, id)
    require_operator(request, policy.site)
    actor = actor_at(request, policy.site.name)
    if body.site != policy.site.name:
        fields = {"site": f"{policy.site.name}, or create a new policy"}
        raise Invalid("A policy cannot move to another site.", fields=fields)
    policy_editing.update_policy(policy, _spec(body), actor, timezone.now())
    return _shown(request, policy.pk)


@router.delete(
    "/failover-policies/{id}",
    response={202: ChangeDetail, 204: None, **WRITE},
    operation_id="delete_failover_policy",
)
def delete_failover_policy(request: HttpRequest, id: Id) -> Status[ChangeDetail | None]:  # noqa: A002
    """Delete a policy with its paths' history. Needs operator at the site.

    204: it was not deployed and is deleted. 202 with a change: nodes have it; the change removes its routes
    from them, and the policy is deleted when that change is done. A policy of the site file stays until the
    file drops it.
    """
    policy, now = _policy(request, id), timezone.now()
    require_operator(request, policy.site)
    change = policy_editing.delete_policy(policy, actor_at(request, policy.site.name), now)
    return Status(204, None) if change is None else Status(202, detail(request, change.pk, now))


def _spec(body: PolicyIn) -> PolicySpec:
    return PolicySpec(**body.model_dump(mode="json", exclude={"site"}))


def _shown(request: HttpRequest, ident: int) -> PolicyOut:
    known = _policies_out(_policy(request, ident).site, [ident])
    return found(next(iter(known), None), "failover policy")


def _policies_out(site: "Site", idents: Iterable[int]) -> list[PolicyOut]:
    """These policies of a site with their deployment."""
    known, topology = policies.policies(site), snapshot.load(site)
    shown = [known[ident] for ident in idents if ident in known]
    done = progress_by_policy(site, shown)
    deployed = {policy.id for policy in shown if done[policy.id].in_force}
    removed, refused = removals([policy.id for policy in shown]), deletion_refusals(site, shown, deployed)
    undetected = undetected_nodes(site, shown)
    return [
        policy_out(
            topology,
            policy,
            done[policy.id],
            removed.get(policy.id),
            refused.get(policy.id, ""),
            undetected=undetected.get(policy.id, ()),
        )
        for policy in shown
    ]
