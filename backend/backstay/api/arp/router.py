"""ARP of fabrics: policies, running state, the address rule, available settings.

A change of kind `arp` (`POST /changes`) plans and deploys a policy.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status

from backstay.alerts.selectors.state_deadline import next_state_change
from backstay.api.arp.present import fabric_out, policy_out, rule_out
from backstay.api.arp.schemas import ArpFabricOut, ArpPolicyIn, ArpPolicyOut, ArpRuleOut, ArpSettingOut
from backstay.api.changes.actor import actor_at
from backstay.api.http.auth import (
    Lookup,
    found,
    require_operator,
    site_of,
)
from backstay.api.http.conditional_reads import INVENTORY, STATES, depends_on
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery, Text
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.core.planning.arp.rule import rule
from backstay.inventory import snapshot
from backstay.inventory.selectors import fabrics_of
from backstay.policy import selectors
from backstay.policy.arp_policy_spec import ArpPolicySpec
from backstay.rollout import policy_editing
from backstay.rollout.arp_status import fabric_arp_statuses
from backstay.rollout.plans.arp_plan_inputs import ArpPlanInputs
from backstay.telemetry.catalogue import SETTINGS, TABLE_SETTINGS

if TYPE_CHECKING:
    from backstay.inventory.models import Site
    from backstay.policy.models import ArpPolicy

router = Router(tags=["ARP"])
_policy = Lookup("ARP policy", selectors.arp_policy)
_ARP_TABLES = frozenset(
    {
        "policy_arppolicy",
        "rollout_intended",
        "rollout_nodemanagement",
        "telemetry_arpstate",
    }
)


POLICY_SORTS = {"name": Column("fabric__name", natural=True), "mode": Column("mode")}
FABRIC_SORTS = {
    "fabric": Column("name", natural=True),
    "kind": Column("kind"),
    "declared": Column("arp"),
    "policy": Column("arp_policy__mode", nullable=True),
}


@router.get("/arp-policies", response={200: Page[ArpPolicyOut], **READ}, operation_id="list_arp_policies")
@depends_on(INVENTORY, STATES, _ARP_TABLES, clock=next_state_change)
def list_arp_policies(request: HttpRequest, query: Query[ListQuery]) -> Page[ArpPolicyOut]:
    """ARP policies, at most one per fabric."""
    site = site_of(request, query.site)
    shown, following = query.rows(selectors.arp_policies_of(site, query.q), POLICY_SORTS, "name")
    return Page(items=_policies_out(site, shown), next=following)


class ArpFabricQuery(ListQuery):
    """Filters of `list_arp_fabrics`."""

    fabric: Text | None = None


@router.get(
    "/arp-policies/fabrics", response={200: Page[ArpFabricOut], **READ}, operation_id="list_arp_fabrics"
)
@depends_on(INVENTORY, STATES, _ARP_TABLES, clock=next_state_change)
def list_arp_fabrics(request: HttpRequest, query: Query[ArpFabricQuery]) -> Page[ArpFabricOut]:
    """Fabrics with the ARP mode of their nodes; for a mixed fabric, the nodes by mode."""
    site = site_of(request, query.site)
    shown, following = query.rows(fabrics_of(site, query.q, name=query.fabric), FABRIC_SORTS, "fabric")
    return Page(items=_fabrics_out(site, [row.pk for row in shown]), next=following)


@router.get("/arp-policies/rule", response={200: ArpRuleOut, **READ}, operation_id="get_arp_rule")
@depends_on(INVENTORY, STATES, _ARP_TABLES, clock=next_state_change)
def get_arp_rule(request: HttpRequest, *, fabric: Text, site: Text | None = None) -> ArpRuleOut:
    """The address rule: host part minus switch node number is the same for every node and extension node."""
    site_row = site_of(request, site)
    now = ArpPlanInputs(site_row, snapshot.load(site_row), timezone.now())
    named = (item for item in now.topology.fabrics.values() if item.name == fabric)
    row = found(next(named, None), "fabric")
    return rule_out(row, rule(now.members(row.id)))


@router.get(
    "/arp-policies/settings", response={200: list[ArpSettingOut], **READ}, operation_id="list_arp_settings"
)
def list_arp_settings(request: HttpRequest) -> list[ArpSettingOut]:
    """Settings that a policy may contain, with their bounds; node-wide settings last."""
    port = [ArpSettingOut(name=n, scope="port", least=a, greatest=b) for n, (a, b) in SETTINGS.items()]
    node = [ArpSettingOut(name=n, scope="node", least=a, greatest=b) for n, (a, b) in TABLE_SETTINGS.items()]
    return [*port, *node]


@router.get("/arp-policies/{id}", response={200: ArpPolicyOut, **READ}, operation_id="get_arp_policy")
@depends_on(INVENTORY, STATES, _ARP_TABLES, clock=next_state_change)
def get_arp_policy(request: HttpRequest, id: Id) -> ArpPolicyOut:  # noqa: A002  (the name in the path)
    """One policy and its deployment."""
    return _current_policy_out(_policy(request, id))


@router.post("/arp-policies", response={201: ArpPolicyOut, **WRITE}, operation_id="create_arp_policy")
@idempotent
def create_arp_policy(request: HttpRequest, body: ArpPolicyIn) -> Status[ArpPolicyOut]:
    """Create a fabric's policy; a change of kind `arp` deploys it. Needs operator."""
    site = site_of(request, body.site)
    require_operator(request, site)
    policy = policy_editing.create_arp_policy(
        site, body.fabric, _spec(body), actor_at(request, site.name), timezone.now()
    )
    return Status(201, _current_policy_out(policy))


@router.put("/arp-policies/{id}", response={200: ArpPolicyOut, **WRITE}, operation_id="update_arp_policy")
@idempotent
def update_arp_policy(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the name in the path)
    body: ArpPolicyIn,
) -> ArpPolicyOut:
    """Replace a policy; nodes keep their settings until a change deploys it. Needs operator at the site."""
    policy = _policy(request, id)
    require_operator(request, policy.site)
    policy_editing.ensure_same_place(policy, body.site, body.fabric)
    policy_editing.update_arp_policy(policy, _spec(body), actor_at(request, policy.site.name), timezone.now())
    return _current_policy_out(policy)


@router.delete("/arp-policies/{id}", response={204: None, **WRITE}, operation_id="delete_arp_policy")
def delete_arp_policy(request: HttpRequest, id: Id) -> Status[None]:  # noqa: A002
    """Delete a policy that no node has in force. Needs operator at the site."""
    policy = _policy(request, id)
    require_operator(request, policy.site)
    policy_editing.delete_arp_policy(policy, actor_at(request, policy.site.name), timezone.now())
    return Status(204, None)


def _spec(body: ArpPolicyIn) -> ArpPolicySpec:
    return ArpPolicySpec(**body.model_dump(mode="json", exclude={"site", "fabric"}))


def _fabrics_out(site: "Site", fabrics: Collection[int]) -> list[ArpFabricOut]:
    """These fabrics of a site with their policies."""
    topology, policies = snapshot.load(site), selectors.arp_policies(site)
    statuses = fabric_arp_statuses(site, topology, fabrics, timezone.now())
    answer = []
    for ident, stands in statuses.items():
        row = policies.get(ident)
        policy = None if row is None else policy_out(row, stands)
        answer.append(fabric_out(topology.fabrics[ident], stands, policy))
    return answer


def _policies_out(site: "Site", rows: "Collection[ArpPolicy]") -> list[ArpPolicyOut]:
    """Policies of a site with the current state of their fabrics."""
    shown = [row.fabric_id for row in rows]
    statuses = fabric_arp_statuses(site, snapshot.load(site), shown, timezone.now())
    return [policy_out(row, statuses.get(row.fabric_id)) for row in rows]


def _current_policy_out(policy: "ArpPolicy") -> ArpPolicyOut:
    return _policies_out(policy.site, [policy])[0]
