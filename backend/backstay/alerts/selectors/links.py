"""Links with their states and loads, for lists: filtered and sorted in PostgreSQL."""

from __future__ import annotations

from django.db.models import (
    BooleanField,
    Case,
    Count,
    Expression,
    ExpressionWrapper,
    F,
    FilteredRelation,
    FloatField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Cast, Coalesce, Greatest, Least, NullIf

from backstay.alerts.models import Incident
from backstay.alerts.selectors.incidents import CRITICAL, CURRENT, has_incident
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.model.state import CARRIERS, LINK_CARRIERS, LINK_STATES
from backstay.inventory.models import Link, Site
from backstay.inventory.state_sql import fact, freshness, state_case
from backstay.telemetry.selectors.ports import usable

LinkRows = QuerySet[Link]


def links(
    snapshot: SiteSnapshot, rows: QuerySet[Link] | None = None, *, state: str | None = None
) -> QuerySet[Link]:
    """Rows of `labelled_links`, by default all of the site, with `carrier`, `status`, rates, `open_incidents`
    and times, by which a list may be filtered and sorted."""
    known = labelled_links(snapshot.site) if rows is None else rows
    known = _with_loads(_with_state(known, snapshot), snapshot)
    return known if state is None else known.filter(Q(status=state))


def labelled_links(
    site: Site, *, fabric: str | None = None, node: str | None = None, text: str | None = None
) -> QuerySet[Link]:
    """A site's links.

    `node` matches either end; the far end of a shared medium is its fabric. `text` searches labels.
    """
    rows = Link.objects.filter(site=site)
    rows = rows if fabric is None else rows.filter(fabric__name=fabric)
    if node is not None:
        medium = Q(b__isnull=True, fabric__name=node)
        rows = rows.filter(Q(a__node__name=node) | Q(b__node__name=node) | medium)
    return rows.filter(Q(label__icontains=text)) if text else rows


def _with_state(rows: QuerySet[Link], snapshot: SiteSnapshot) -> QuerySet[Link]:
    counted = Incident.objects.filter(CURRENT, link=OuterRef("pk")).order_by().values("link")
    rows = rows.alias(**_end_facts("a", snapshot), **_end_facts("b", snapshot))
    rows = rows.alias(a_carrier=state_case(CARRIERS, "a_"), b_carrier=state_case(CARRIERS, "b_"))
    unreachable = snapshot.unreachable_nodes
    rows = rows.alias(
        has_admin_down=fact(Q(a_carrier="admin_down") | Q(b_carrier="admin_down")),
        has_down=fact(Q(a_carrier="down") | Q(b_carrier="down")),
        has_up=fact(Q(a_carrier="up") | Q(b_carrier="up")),
        has_critical=has_incident("link", CRITICAL),
        has_warning=has_incident("link", ~CRITICAL),
        has_silent_end=fact(_is_silent("a") | _is_silent("b")),
        has_unreachable_end=fact(Q(a__node__in=unreachable) | Q(b__node__in=unreachable)),
    )
    rows = rows.annotate(carrier=state_case(LINK_CARRIERS))
    return rows.annotate(
        status=state_case(LINK_STATES),
        up_since=Coalesce(
            Least(_down_since("a"), _down_since("b")), Greatest("a__state__since", "b__state__since")
        ),
        open_incidents=Coalesce(Subquery(counted.annotate(number=Count("pk")).values("number")), Value(0)),
    )


def _with_loads(rows: QuerySet[Link], snapshot: SiteSnapshot) -> QuerySet[Link]:
    """Annotate rates in bit/s, as `core.model.load.link_loads`: the end that reported last counts."""
    site = snapshot.site
    forward, back = _newer("out_bps", "in_bps"), _newer("in_bps", "out_bps")
    capacity = NullIf(Cast(usable("fabric__usable_rate", site), FloatField()), Value(0.0))
    return rows.annotate(
        a_rate=FilteredRelation("a__rate", condition=Q(a__rate__site=site)),
        b_rate=FilteredRelation("b__rate", condition=Q(b__rate__site=site)),
        forward_bps=forward,
        back_bps=back,
        utilisation=Cast(Greatest("forward_bps", "back_bps"), FloatField()) / capacity,
        reported_at=Greatest(_measured_at("a"), _measured_at("b")),
    )


def _end_facts(end: str, snapshot: SiteSnapshot) -> dict[str, Expression]:
    """Facts of `CARRIERS` of one end. A missing end (of a shared medium) is never fresh: unknown."""
    return {
        f"{end}_is_fresh": freshness(f"{end}__node__state__last_reported_at", snapshot.site, snapshot.now),
        f"{end}_oper_up": ExpressionWrapper(F(f"{end}__state__oper_up"), BooleanField(null=True)),
        f"{end}_admin_up": fact(Q(**{f"{end}__state__admin_up": True})),
    }


def _is_silent(end: str) -> Q:
    return Q(**{f"{end}__node__watcher__isnull": False, f"{end}_is_fresh": False})


def _down_since(end: str) -> Case:
    return Case(When(**{f"{end}__state__oper_up": False}, then=f"{end}__state__since"))


def _newer(of_a: str, of_b: str) -> Case:
    """The rate of `a`, unless only `b` has one or `b`'s is newer."""
    is_later = Q(**{f"a_rate__{of_a}__isnull": True}) | Q(b_rate__at__gt=F("a_rate__at"))
    take_b = Q(**{f"b_rate__{of_b}__isnull": False}) & is_later
    return Case(When(take_b, then=f"b_rate__{of_b}"), default=f"a_rate__{of_a}")


def _measured_at(end: str) -> Case:
    measured = Q(**{f"{end}_rate__in_bps__isnull": False}) | Q(**{f"{end}_rate__out_bps__isnull": False})
    return Case(When(measured, then=f"{end}_rate__at"))
