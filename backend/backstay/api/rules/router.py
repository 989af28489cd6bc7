"""Rules with their overrides and previews, and limits on device metrics."""

from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status

from backstay.alerts import rule_editing, rule_file
from backstay.alerts.rule import GROUPS
from backstay.alerts.rule_editing import Author, spec_of
from backstay.alerts.rule_preview import PREVIEWED, preview_limit, preview_rule, preview_slot
from backstay.alerts.rule_settings import settings_at
from backstay.alerts.selectors import rules as selectors
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.api.http.auth import Lookup, found, principal, require_operator, site_of
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, Id, ListQuery, Text
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.api.rules.present import (
    effective_out,
    limit_out,
    override_out,
    preview_out,
    rule_out,
    unmeasured_out,
)
from backstay.api.rules.schemas import (
    EffectiveRuleOut,
    KindText,
    MetricLimitIn,
    MetricLimitOut,
    RuleFileOut,
    RuleGroupName,
    RuleIn,
    RuleOut,
    RuleOverrideIn,
    RuleOverrideOut,
    RulePreviewOut,
    UnmeasuredOut,
)
from backstay.core.alerting.metric_limits import MetricLimitSpec
from backstay.core.alerting.overrides import OVERRIDE_SCOPES, ScopedOverride
from backstay.core.errors import Refused
from backstay.inventory import selectors as inventory

if TYPE_CHECKING:
    from backstay.inventory.models import Site

router = Router(tags=["rules"])
_override = Lookup("override", selectors.override, lambda row: row.rule.site)
_limit = Lookup("metric limit", selectors.metric_limit)
_port = Lookup("port", inventory.port, lambda row: row.node.site)
LIMIT_SORTS = {
    "name": Column("name", natural=True),
    "metric": Column("metric", natural=True),
    "severity": Column("severity"),
    "changed_at": Column("changed_at"),
}


class RuleQuery(ListQuery):
    """Filters of `list_rules`."""

    group: RuleGroupName | None = None


@router.get("/rules", response={200: Page[RuleOut], **READ}, operation_id="list_rules")
def list_rules(request: HttpRequest, query: Query[RuleQuery]) -> Page[RuleOut]:
    """All rules with their settings at a site; `q` searches kinds, titles and summaries."""
    site = site_of(request, query.site)
    known = [
        rule_out(rule)
        for rule in selectors.rules_at(site)
        if query.group in {None, rule.spec.group}
        and query.matches(rule.spec.kind, rule.spec.title, rule.spec.summary)
    ]
    keys = {
        "name": lambda rule: rule.name,
        "kind": lambda rule: rule.kind,
        "group": lambda rule: list(GROUPS).index(rule.group),
        "severity": lambda rule: rule.severity,
        "overrides": lambda rule: rule.overrides,
        "open_incidents": lambda rule: rule.open_incidents,
    }
    return query.page(known, keys, lambda rule: rule.kind, "group")


@router.get("/rules/{kind}", response={200: RuleOut, **READ}, operation_id="get_rule")
def get_rule(request: HttpRequest, kind: KindText, site: Text | None = None) -> RuleOut:
    """One rule with its settings at a site."""
    return _shown(site_of(request, site), kind)


@router.put("/rules/{kind}", response={200: RuleOut, **WRITE}, operation_id="update_rule")
@idempotent
def update_rule(request: HttpRequest, kind: KindText, body: RuleIn) -> RuleOut:
    """Replace a rule's settings for the whole site. Needs operator at the site."""
    site = site_of(request, body.site)
    require_operator(request, site)
    wanted = ScopedOverride("site", "", body.enabled, body.severity, body.parameters)
    rule_editing.set_site_rule(site, kind, wanted, Author(principal(request).user), timezone.now())
    return _shown(site, kind)


@router.get(
    "/rules/{kind}/overrides",
    response={200: Page[RuleOverrideOut], **READ},
    operation_id="list_rule_overrides",
)
def list_rule_overrides(
    request: HttpRequest, kind: KindText, query: Query[ListQuery]
) -> Page[RuleOverrideOut]:
    """A rule's overrides for parts of a site, the most specific first."""
    site = site_of(request, query.site)
    spec_of(kind)
    (rule,) = selectors.rules_at(site, [kind])
    known = [override_out(row, kind) for row in rule.overrides if query.matches(row.scope, row.match)]
    keys = {
        "precedence": lambda item: -OVERRIDE_SCOPES.index(item.scope),
        "name": lambda item: item.name,
        "changed_at": lambda item: item.changed_at,
    }
    return query.page(known, keys, lambda item: item.id, "precedence")


@router.post(
    "/rules/{kind}/overrides", response={201: RuleOverrideOut, **WRITE}, operation_id="create_rule_override"
)
@idempotent
def create_rule_override(
    request: HttpRequest, kind: KindText, body: RuleOverrideIn
) -> Status[RuleOverrideOut]:
    """Create an override for a part of a site, or replace the one with the same scope and match.

    Needs operator at the site.
    """
    site = site_of(request, body.site)
    require_operator(request, site)
    if body.scope == "site":
        expected = "fabric, role, label or port; PUT /rules/{kind} changes the settings of the site"
        raise Refused("An override is for a part of a site.", fields={"scope": expected})
    author = Author(principal(request).user)
    row, _ = rule_editing.set_override(site, kind, _scoped(body), author, timezone.now())
    return Status(201, override_out(row, kind))


@router.delete("/rule-overrides/{id}", response={204: None, **WRITE}, operation_id="delete_rule_override")
def delete_rule_override(request: HttpRequest, id: Id) -> Status[None]:  # noqa: A002
    """Delete an override. Needs operator at the site."""
    row = _override(request, id)
    require_operator(request, row.rule.site)
    rule_editing.delete_override(row)
    return Status(204, None)


@router.post("/rules/{kind}/preview", response={200: RulePreviewOut, **WRITE}, operation_id="preview_rule")
def get_rule_preview(request: HttpRequest, kind: KindText, body: RuleOverrideIn) -> RulePreviewOut:
    """How often a rule would have opened an incident in the last 7 days with an override. Stores nothing.

    With scope `site`: the settings of the whole site. Takes up to ten seconds at a large site; one runs at a
    time. Needs operator at the site.
    """
    site, spec = site_of(request, body.site), spec_of(kind)
    require_operator(request, site)
    if kind not in PREVIEWED:
        raise Refused(f"The rule {kind} has no preview: its data are not kept.")
    proposed, snapshot = _scoped(body), SiteSnapshot(site, timezone.now())
    rule_editing.check_override(site, spec, proposed)
    with preview_slot(site):
        return preview_out(preview_rule(snapshot, spec, proposed))


@router.get(
    "/rules/{kind}/unmeasured", response={200: Page[UnmeasuredOut], **READ}, operation_id="list_unmeasured"
)
def list_unmeasured(request: HttpRequest, kind: KindText, query: Query[ListQuery]) -> Page[UnmeasuredOut]:
    """Objects whose capacity or value a rule does not know: it never alarms for them."""
    site, spec = site_of(request, query.site), spec_of(kind)
    if spec.unmeasured is None:
        return Page(items=[], next=None)
    snapshot = SiteSnapshot(site, timezone.now())
    (rule,) = selectors.rules_at(site, [kind])
    known = spec.unmeasured(snapshot, settings_at(spec, rule.row, snapshot))
    items = [unmeasured_out(item) for item in known if query.matches(item.name, item.reason)]
    keys = {"name": lambda item: item.name, "reason": lambda item: item.reason}
    return query.page(items, keys, lambda item: item.name, "name")


@router.get(
    "/ports/{id}/rules", response={200: Page[EffectiveRuleOut], **READ}, operation_id="list_port_rules"
)
def list_port_rules(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the name in the path)
    query: Query[ListQuery],
) -> Page[EffectiveRuleOut]:
    """The effective settings of a port, of every rule, and where each value comes from."""
    port = _port(request, id)
    snapshot = SiteSnapshot(port.node.site, timezone.now())
    known = [
        effective_out(rule, settings)
        for rule, settings in selectors.port_settings(snapshot, port)
        if query.matches(rule.spec.kind, rule.spec.title)
    ]
    keys = {"name": lambda item: item.name, "kind": lambda item: item.kind}
    return query.page(known, keys, lambda item: item.kind, "name")


@router.get("/rule-file", response={200: RuleFileOut, **READ}, operation_id="export_rules")
def export_rules(request: HttpRequest, site: Text | None = None) -> RuleFileOut:
    """Everything that is set at a site, as the sections `rules` and `metric_limits` of its file."""
    row = site_of(request, site)
    return RuleFileOut(site=row.name, text=rule_file.exported(row))


@router.get("/metric-limits", response={200: Page[MetricLimitOut], **READ}, operation_id="list_metric_limits")
def list_metric_limits(request: HttpRequest, query: Query[ListQuery]) -> Page[MetricLimitOut]:
    """A site's limits on device metrics."""
    rows = selectors.metric_limits(site_of(request, query.site), query.q)
    shown, following = query.rows(rows, LIMIT_SORTS, "name")
    return Page(items=[limit_out(row) for row in shown], next=following)


@router.post(
    "/metric-limits/preview", response={200: RulePreviewOut, **WRITE}, operation_id="preview_metric_limit"
)
def preview_metric_limit(request: HttpRequest, body: MetricLimitIn) -> RulePreviewOut:
    """How often a limit would have opened an incident in the last 7 days. Stores nothing.

    One preview runs at a site at a time. Needs operator at the site.
    """
    site = site_of(request, body.site)
    require_operator(request, site)
    limit = rule_editing.unsaved_limit(site, _limit_spec(body))
    with preview_slot(site):
        return preview_out(preview_limit(SiteSnapshot(site, timezone.now()), limit))


@router.get("/metric-limits/{id}", response={200: MetricLimitOut, **READ}, operation_id="get_metric_limit")
def get_metric_limit(request: HttpRequest, id: Id) -> MetricLimitOut:  # noqa: A002
    """One limit on a device metric."""
    return limit_out(_limit(request, id))


@router.post("/metric-limits", response={201: MetricLimitOut, **WRITE}, operation_id="create_metric_limit")
@idempotent
def create_metric_limit(request: HttpRequest, body: MetricLimitIn) -> Status[MetricLimitOut]:
    """Create a limit on a device metric. Needs operator at the site."""
    site = site_of(request, body.site)
    require_operator(request, site)
    author = Author(principal(request).user)
    row = rule_editing.set_limit(site, _limit_spec(body), author, timezone.now())
    return Status(201, limit_out(row))


@router.put(
    "/metric-limits/{id}", response={200: MetricLimitOut, **WRITE}, operation_id="update_metric_limit"
)
@idempotent
def update_metric_limit(request: HttpRequest, id: Id, body: MetricLimitIn) -> MetricLimitOut:  # noqa: A002
    """Replace a limit on a device metric; its incidents follow the new values. Needs operator at the site."""
    row = _limit(request, id)
    require_operator(request, row.site)
    if body.site != row.site.name:
        raise Refused("A metric limit cannot move to another site.", fields={"site": row.site.name})
    author = Author(principal(request).user)
    return limit_out(rule_editing.set_limit(row.site, _limit_spec(body), author, timezone.now(), row))


@router.delete("/metric-limits/{id}", response={204: None, **WRITE}, operation_id="delete_metric_limit")
def delete_metric_limit(request: HttpRequest, id: Id) -> Status[None]:  # noqa: A002
    """Delete a limit on a device metric; its incidents resolve. Needs operator at the site."""
    row = _limit(request, id)
    require_operator(request, row.site)
    rule_editing.delete_limit(row)
    return Status(204, None)


def _shown(site: "Site", kind: str) -> RuleOut:
    spec_of(kind)
    return rule_out(found(next(iter(selectors.rules_at(site, [kind])), None), "rule"))


def _scoped(body: RuleOverrideIn) -> ScopedOverride:
    return ScopedOverride(body.scope, body.match, body.enabled, body.severity, body.parameters)


def _limit_spec(body: MetricLimitIn) -> MetricLimitSpec:
    return MetricLimitSpec(**body.model_dump(exclude={"site"}))
