"""ARP of fabrics: policies, what runs, the address rule, the settings that there are.

A policy is brought about by a change of kind `arp` (`POST /changes`): that plans it, too.
"""

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Status

from backstay.accounts.models import Role
from backstay.api.arp.present import fabric_out, policy_out, rule_out
from backstay.api.arp.schemas import ArpFabricOut, ArpPolicyIn, ArpPolicyOut, ArpRuleOut, ArpSettingOut
from backstay.api.http.auth import found, principal, see, site_of
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Id, Text
from backstay.api.http.schemas import READ, WRITE
from backstay.core.errors import Invalid
from backstay.inventory import snapshot
from backstay.inventory.models import Site
from backstay.live import publish
from backstay.policy import services
from backstay.policy.arp_policy_spec import ArpPolicySpec
from backstay.policy.models import ArpPolicy
from backstay.rollout.plans.arp_plan_inputs import ArpPlanInputs
from backstay.rollout.policy_protection import ensure_arp_removable
from backstay.rollout.selectors import fabric_arp_status
from backstay.telemetry import events
from backstay.telemetry.states.arp import SETTINGS, TABLE_SETTINGS

router = Router(tags=["ARP"])
NOUNS = frozenset({"arp-policies"})


@router.get("/arp-policies", response={200: list[ArpPolicyOut], **READ}, operation_id="list_arp_policies")
def list_arp_policies(request: HttpRequest, *, site: Text | None = None) -> list[ArpPolicyOut]:
    """What is wanted of ARP, a policy a fabric, by the fabric's name."""
    row = site_of(request, site)
    return [fabric.policy for fabric in _fabrics(row) if fabric.policy is not None]


@router.get(
    "/arp-policies/fabrics", response={200: list[ArpFabricOut], **READ}, operation_id="list_arp_fabrics"
)
def list_arp_fabrics(request: HttpRequest, *, site: Text | None = None) -> list[ArpFabricOut]:
    """Every fabric as its nodes run it; on one that is mixed, which nodes are which."""
    return _fabrics(site_of(request, site))


@router.get("/arp-policies/rule", response={200: ArpRuleOut, **READ}, operation_id="get_arp_rule")
def get_arp_rule(request: HttpRequest, *, fabric: Text, site: Text | None = None) -> ArpRuleOut:
    """Whether host part minus switch node number is one constant for every node and extension node."""
    now = _now(site_of(request, site))
    named = (item for item in now.topology.fabrics.values() if item.name == fabric)
    row = found(next(named, None), "fabric")
    return rule_out(row, fabric_arp_status(now, row.id).rule())


@router.get(
    "/arp-policies/settings", response={200: list[ArpSettingOut], **READ}, operation_id="list_arp_settings"
)
def list_arp_settings(request: HttpRequest) -> list[ArpSettingOut]:
    """Every setting that a policy may give, with its bounds; those of the whole node last."""
    port = [ArpSettingOut(name=n, scope="port", least=a, greatest=b) for n, (a, b) in SETTINGS.items()]
    node = [ArpSettingOut(name=n, scope="node", least=a, greatest=b) for n, (a, b) in TABLE_SETTINGS.items()]
    return [*port, *node]


@router.get("/arp-policies/{id}", response={200: ArpPolicyOut, **READ}, operation_id="get_arp_policy")
def get_arp_policy(request: HttpRequest, id: Id) -> ArpPolicyOut:  # noqa: A002  (the path's own word)
    """One policy, and how far it is brought about."""
    return _out(_policy(request, id))


@router.post("/arp-policies", response={201: ArpPolicyOut, **WRITE}, operation_id="create_arp_policy")
@idempotent
def create_arp_policy(request: HttpRequest, body: ArpPolicyIn) -> Status[ArpPolicyOut]:
    """A fabric's policy. No node changes by it: a change of kind `arp` brings it about. Needs operator."""
    site = site_of(request, body.site)
    principal(request).require(site.name, Role.OPERATOR)
    with transaction.atomic():
        policy = services.create_arp_policy(site, body.fabric, _wish(body))
        _tell(request, policy, "created")
    return Status(201, _out(policy))


@router.put("/arp-policies/{id}", response={200: ArpPolicyOut, **WRITE}, operation_id="update_arp_policy")
@idempotent
def update_arp_policy(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the path's own word)
    body: ArpPolicyIn,
) -> ArpPolicyOut:
    """Make a policy this; nodes keep what they have until a change. Needs operator at the site."""
    policy = _policy(request, id)
    principal(request).require(policy.site.name, Role.OPERATOR)
    wrong = {}
    if body.site != policy.site.name:
        wrong["site"] = f"{policy.site.name}: a policy stays at its site"
    if body.fabric != policy.fabric.name:
        wrong["fabric"] = f"{policy.fabric.name}: a policy stays with its fabric"
    if wrong:
        raise Invalid(" ".join(f"{item}." for item in wrong.values()), fields=wrong)
    with transaction.atomic():
        services.update_arp_policy(policy, _wish(body))
        _tell(request, policy, "changed")
    return _out(policy)


@router.delete("/arp-policies/{id}", response={204: None, **WRITE}, operation_id="delete_arp_policy")
def delete_arp_policy(request: HttpRequest, id: Id) -> Status[None]:  # noqa: A002
    """Remove a policy that no node has in force. Needs operator at the site."""
    policy = _policy(request, id)
    principal(request).require(policy.site.name, Role.OPERATOR)
    with transaction.atomic():
        ensure_arp_removable(policy)
        _tell(request, policy, "deleted")
        policy.delete()
    return Status(204, None)


def _wish(body: ArpPolicyIn) -> ArpPolicySpec:
    return ArpPolicySpec(**body.model_dump(mode="json", exclude={"site", "fabric"}))


def _policy(request: HttpRequest, ident: int) -> ArpPolicy:
    rows = ArpPolicy.objects.select_related("site", "fabric")
    policy = found(rows.filter(pk=ident).first(), "ARP policy")
    see(request, policy.site, "ARP policy")
    return policy


def _now(site: Site) -> ArpPlanInputs:
    return ArpPlanInputs(site, snapshot.load(site), timezone.now())


def _fabrics(site: Site) -> list[ArpFabricOut]:
    now = _now(site)
    rows = site.arp_policies.select_related("site", "fabric")
    policies = {row.fabric_id: row for row in rows}
    answer = []
    for fabric in sorted(now.topology.fabrics.values(), key=lambda item: item.name):
        stands = fabric_arp_status(now, fabric.id)
        row = policies.get(fabric.id)
        shown = None if row is None else policy_out(row, stands)
        answer.append(fabric_out(fabric, stands, shown))
    return answer


def _out(policy: ArpPolicy) -> ArpPolicyOut:
    now = _now(policy.site)
    known = policy.fabric_id in now.topology.fabrics
    return policy_out(policy, fabric_arp_status(now, policy.fabric_id) if known else None)


def _tell(request: HttpRequest, policy: ArpPolicy, what: str) -> None:
    person, name = principal(request).user.get_username(), policy.fabric.name
    message = f"{person} {what} the ARP policy of {name}"
    data = {"fabric": name, "person": person}
    events.record(policy.site, f"arp_policy.{what}", message, at=timezone.now(), subject=name, data=data)
    publish.changed(policy.site.name, NOUNS)
