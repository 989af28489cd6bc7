"""Failover policies as wanted: the site file's, and those that operators keep."""

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status

from backstay.accounts.models import Role
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.api.http.auth import found, principal, see, site_of
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Id, ListQuery
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.api.policies.present import policy_out, stripe_out
from backstay.api.policies.schemas import PolicyIn, PolicyOut, StripeOut
from backstay.core.errors import Invalid
from backstay.inventory.models import Site
from backstay.live import publish
from backstay.policy import services
from backstay.policy.models import FailoverPolicy
from backstay.policy.policy_spec import PolicySpec
from backstay.rollout import policy_protection, selectors
from backstay.rollout.plans import stripe_preview
from backstay.telemetry import events

router = Router(tags=["failover policies"])
SORTS: dict[str, Callable[[PolicyOut], Any]] = {
    "name": lambda policy: policy.name,
    "gateways": lambda policy: ", ".join(policy.gateways),
    "prefix": lambda policy: policy.prefix,
    "detection": lambda policy: policy.detection,
    "origin": lambda policy: policy.origin,
    "nodes": lambda policy: len(policy.nodes),
    "confirmed": lambda policy: policy.progress.confirmed,
}
NOUNS = frozenset({"failover-policies", "paths", "topology"})


@router.get(
    "/failover-policies", response={200: Page[PolicyOut], **READ}, operation_id="list_failover_policies"
)
def list_failover_policies(request: HttpRequest, query: Query[ListQuery]) -> Page[PolicyOut]:
    """What is wanted: for these nodes and this prefix, gateways in order of preference."""
    wanted = (query.q or "").casefold()
    items = [
        policy
        for policy in _all(site_of(request, query.site))
        if wanted in f"{policy.name} {policy.prefix}".casefold()
    ]
    return query.page(items, SORTS, lambda item: item.id, "name")


@router.post(
    "/failover-policies/stripe-preview", response={200: StripeOut, **WRITE}, operation_id="preview_stripe"
)
def preview_stripe(request: HttpRequest, body: PolicyIn) -> StripeOut:
    """How a stripe would spread its nodes now, and what the loss of each gateway would do. Stores nothing."""
    site = site_of(request, body.site)
    topology, figures = stripe_preview.preview(site, _wish(body), timezone.now())
    return stripe_out(topology, figures)


@router.get("/failover-policies/{id}", response={200: PolicyOut, **READ}, operation_id="get_failover_policy")
def get_failover_policy(request: HttpRequest, id: Id) -> PolicyOut:  # noqa: A002  (the path's own word)
    """One policy, and how far it is brought about."""
    policy = _policy(request, id)
    return _out(policy.site, policy.pk)


@router.post("/failover-policies", response={201: PolicyOut, **WRITE}, operation_id="create_failover_policy")
@idempotent
def create_failover_policy(request: HttpRequest, body: PolicyIn) -> Status[PolicyOut]:
    """A new policy. No node changes by it: a change brings it about. Needs operator at the site."""
    site = site_of(request, body.site)
    principal(request).require(site.name, Role.OPERATOR)
    with transaction.atomic():
        policy = services.create(site, _wish(body))
        _tell(request, site, policy.name, "created")
    return Status(201, _out(site, policy.pk))


@router.put(
    "/failover-policies/{id}", response={200: PolicyOut, **WRITE}, operation_id="update_failover_policy"
)
@idempotent
def update_failover_policy(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the path's own word)
    body: PolicyIn,
) -> PolicyOut:
    """Make a policy this; nodes keep what they have until a change. Needs operator at the site.

    One that the site file keeps is refused: copy it under another name, or change the file. An empty group
    makes it for no node: a change then takes it from those that have it.
    """
    policy = _policy(request, id)
    site = policy.site
    principal(request).require(site.name, Role.OPERATOR)
    if body.site != site.name:
        raise Invalid("A policy stays at its site.", fields={"site": f"{site.name}, or make a new policy"})
    with transaction.atomic():
        if body.name != policy.name:
            policy_protection.ensure_removable(policy)
        services.update(policy, _wish(body))
        _tell(request, site, policy.name, "changed")
    return _out(site, policy.pk)


@router.delete(
    "/failover-policies/{id}", response={204: None, **WRITE}, operation_id="delete_failover_policy"
)
def delete_failover_policy(request: HttpRequest, id: Id) -> Status[None]:  # noqa: A002
    """Remove a policy that no node has in force, with its paths' past. Needs operator at the site."""
    policy = _policy(request, id)
    principal(request).require(policy.site.name, Role.OPERATOR)
    with transaction.atomic():
        policy_protection.ensure_removable(policy)
        services.delete(policy)
        _tell(request, policy.site, policy.name, "deleted")
    return Status(204, None)


def _wish(body: PolicyIn) -> PolicySpec:
    told = body.model_dump(mode="json")
    told.pop("site")
    return PolicySpec(**told)


def _policy(request: HttpRequest, ident: int) -> FailoverPolicy:
    rows = FailoverPolicy.objects.select_related("site")
    policy = found(rows.filter(pk=ident).first(), "failover policy")
    see(request, policy.site, "failover policy")
    return policy


def _all(site: Site) -> list[PolicyOut]:
    snapshot = SiteSnapshot(site, timezone.now())
    known = selectors.nodes(site), selectors.confirmed(site)
    return [policy_out(snapshot, policy, known) for policy in snapshot.policies.values()]


def _out(site: Site, ident: int) -> PolicyOut:
    site.refresh_from_db(fields=["version"])
    return found(next((item for item in _all(site) if item.id == ident), None), "failover policy")


def _tell(request: HttpRequest, site: Site, name: str, what: str) -> None:
    person = principal(request).user.get_username()
    message, data = f"{person} {what} the failover policy {name}", {"policy": name, "person": person}
    events.record(site, f"policy.{what}", message, at=timezone.now(), subject=name, data=data)
    publish.changed(site.name, NOUNS)
