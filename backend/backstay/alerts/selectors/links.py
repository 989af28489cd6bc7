"""Links with their states, for lists: filtered and sorted in PostgreSQL; and their loads as arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import numpy as np
from django.db.models import (
    BooleanField,
    Case,
    Count,
    Expression,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Greatest, Least

from backstay.alerts.models import Incident
from backstay.alerts.selectors.incidents import CRITICAL, CURRENT, has_incident
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.link_rates import NO_PORT, Flags, Floats, Ints
from backstay.core.model.freshness import max_age_s
from backstay.core.model.state import CARRIERS, LINK_CARRIERS, LINK_STATES
from backstay.inventory.models import Link, Node, Site
from backstay.inventory.state_sql import fact, freshness, state_case
from backstay.policy.gateway_uses import USES
from backstay.telemetry.selectors.link_ends import ports_up_between
from backstay.telemetry.selectors.site_history import linked_ports

LinkRows = QuerySet[Link]


def links(
    snapshot: SiteSnapshot, rows: QuerySet[Link] | None = None, *, state: str | None = None
) -> QuerySet[Link]:
    """Rows of `labelled_links`, by default all of the site, with `carrier`, `status`, `open_incidents` and
    `up_since`, by which a list may be filtered and sorted."""
    known = _with_state(labelled_links(snapshot.site) if rows is None else rows, snapshot)
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


def _utilisation(snapshot: SiteSnapshot) -> Floats:
    usable = snapshot.link_table.usable
    return np.asarray(np.fmax(*snapshot.link_rates.bps) / np.where(usable > 0, usable, np.nan))


def _measured_at(snapshot: SiteSnapshot) -> Floats:
    rates = snapshot.link_rates
    return np.asarray(np.fmax(*np.where(np.isnan(rates.bps), np.nan, rates.at)))


def _use(snapshot: SiteSnapshot) -> Floats:
    places = {use: float(place) for place, use in enumerate(sorted([*USES, "none"]))}
    carries = snapshot.carries
    return np.array([places[carries.get(link, "none")] for link in snapshot.link_table.id.tolist()])


def _state(snapshot: SiteSnapshot) -> Floats:
    """The place of the state by name. PostgreSQL decides it of links that something may be wrong with."""
    table, places = snapshot.link_table, {state: float(place) for place, state in enumerate(STATES)}
    found = np.full(len(table.id), places["ok"])
    suspects = _suspects(snapshot)
    chosen = None if 2 * suspects.sum() > len(table.id) else _with_ids(table.id[suspects])
    rows: QuerySet[Any] = links(snapshot, chosen)
    order = np.argsort(table.id)
    for link, status in rows.order_by().values_list("pk", "status") if suspects.any() else ():
        found[order[np.searchsorted(table.id, link, sorter=order)]] = places[status]
    return found


def _with_ids(idents: Ints) -> QuerySet[Link]:
    return Link.objects.filter(pk__in=idents.tolist())


def _suspects(snapshot: SiteSnapshot) -> Flags:
    """Which links have an incident, or an end that is not up, reporting and reachable; of `link_table`."""
    site, table, ports = snapshot.site, snapshot.link_table, linked_ports(snapshot.link_table)
    if not len(table.id):
        return np.zeros(0, np.bool_)
    oldest = snapshot.now - timedelta(seconds=max_age_s(site.interval_s))
    silent = Node.objects.filter(site=site).exclude(state__last_reported_at__gte=oldest)
    nodes = {*silent.values_list("pk", flat=True), *snapshot.unreachable_nodes}
    bad = np.isin(snapshot.port_nodes.nodes_of(ports), np.fromiter(nodes, np.int64, len(nodes)))
    bad |= ~np.isin(ports, ports_up_between(int(ports[0]), int(ports[-1])))
    named = list(Incident.objects.filter(CURRENT, link__site=site).values_list("link", flat=True))
    is_bad = np.isin(table.id, np.array(named, np.int64))
    for end in (table.a, table.b):
        is_bad |= (end != NO_PORT) & np.isin(end, ports[bad])
    return np.asarray(is_bad)


STATES = sorted({rule.state for rule in LINK_STATES})
LIVE: Mapping[str, Callable[[SiteSnapshot], Floats]] = {
    "utilisation": _utilisation,
    "forward": lambda snapshot: snapshot.link_rates.bps[0],
    "back": lambda snapshot: snapshot.link_rates.bps[1],
    "age": _measured_at,
    "carries": _use,
    "state": _state,
}
"""Field -> values to sort by, of every link in the order of the topology. `utilisation`: of the direction
with the higher load; `age`: when an end was last measured; `carries` and `state`: the place of the
use or state by name."""


def live_values(snapshot: SiteSnapshot, field: str) -> tuple[Ints, Floats]:
    """Ids of all links of the site, and one of `LIVE` of each; NaN: no value. From what each process keeps of
    the newest samples, and of the gateways and routes of the paths."""
    return snapshot.link_table.id, LIVE[field](snapshot)


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
