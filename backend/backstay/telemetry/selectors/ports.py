"""Current ports of a site, filtered and sorted in PostgreSQL."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from django.db.models import (
    BigIntegerField,
    Case,
    Count,
    Expression,
    F,
    FilteredRelation,
    FloatField,
    Q,
    QuerySet,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Cast, Coalesce, Concat, Greatest, NullIf, Round

from backstay.core.model.state import CARRIERS, PORT_STATES, Carrier
from backstay.inventory.models import Port, Site
from backstay.inventory.state_sql import fact, freshness, state_case
from backstay.telemetry.models import AdjacencySet, PortState

PortRows = QuerySet[Port]


@dataclass(frozen=True, slots=True)
class PortNow:
    """One port now: rates in bit/s, shares 0..1 of the usable rate, packets and errors per second."""

    id: int
    name: str
    node_id: int
    node_name: str
    fabric_name: str | None
    kind: str
    link_id: int | None
    oper_up: bool | None
    admin_up: bool
    is_used: bool
    since: datetime | None
    if_type: int | None
    speed: int | None
    contradicted_speed: int | None
    mtu: int | None
    mac: str | None
    current_addresses: list[str]
    last_reported_at: datetime | None
    is_fresh: bool
    usable_rate: int
    at: datetime | None
    seconds: float | None
    in_bps: int | None
    out_bps: int | None
    in_pps: float | None
    out_pps: float | None
    in_errors_ps: float | None
    out_errors_ps: float | None
    in_utilisation: float | None
    out_utilisation: float | None
    utilisation: float | None
    carrier: Carrier
    status: str


_FIELDS = tuple(field.name for field in fields(PortNow))


def ports(
    site: Site,
    now: datetime,
    *,
    node: str | None = None,
    fabric: str | None = None,
    state: str | None = None,
    text: str | None = None,
    nodes: Collection[int] | None = None,
) -> QuerySet[Port]:
    """Rows of `labelled_ports` with the fields of `PortNow` and `errors`.

    `nodes`: all nodes of these rows, if the caller knows them: only their samples are read.
    """
    rows = described_ports(site, now, node=node, fabric=fabric, state=state, text=text)
    return _with_rates(rows, site, nodes)


def described_ports(
    site: Site,
    now: datetime,
    *,
    node: str | None = None,
    fabric: str | None = None,
    state: str | None = None,
    text: str | None = None,
) -> QuerySet[Port]:
    """As `ports`, without what depends on samples: the view of them unrolls those of every port."""
    rows = _with_state(labelled_ports(site, node=node, fabric=fabric, text=text), site, now)
    return rows if state is None else rows.filter(Q(status=state))


def labelled_ports(
    site: Site, *, node: str | None = None, fabric: str | None = None, text: str | None = None
) -> QuerySet[Port]:
    """A site's ports with `label`, `node:port`, which `text` searches."""
    rows = Port.objects.filter(node__site=site).annotate(label=Concat("node__name", Value(":"), "name"))
    rows = rows if node is None else rows.filter(node__name=node)
    rows = rows if fabric is None else rows.filter(fabric__name=fabric)
    return rows.filter(Q(label__icontains=text)) if text else rows


def port_now(row: Port) -> PortNow:
    """Convert a row of `ports`."""
    return PortNow(*(getattr(row, name) for name in _FIELDS))


@dataclass(frozen=True, slots=True)
class PortTotals:
    """Ports of several nodes together; rates in bit/s and errors per second, of reporting nodes only."""

    nodes: int
    carriers: dict[Carrier, int]
    in_bps: int
    out_bps: int
    errors_ps: float


FEW_NODES = 1000
"""Samples of so many nodes are looked up one by one."""


def fabric_totals(site: Site, now: datetime, fabric: str) -> PortTotals:
    """Totals of a fabric's ports; two queries."""
    plain = labelled_ports(site, fabric=fabric).order_by()
    nodes = list(plain.values_list("node", flat=True).distinct())
    return port_totals(
        ports(site, now, fabric=fabric, nodes=nodes if len(nodes) <= FEW_NODES else None), len(nodes)
    )


def port_totals(rows: QuerySet[Any], nodes: int) -> PortTotals:
    """Totals of rows of `ports`, by PostgreSQL; one query. `nodes`: how many have these ports."""
    is_fresh, nothing = Q(is_fresh=True), Value(0.0)
    errors = Coalesce("in_errors_ps", nothing) + Coalesce("out_errors_ps", nothing)
    groups = rows.order_by().values("carrier")
    counted = groups.annotate(
        number=Count("pk"),
        received=Sum("in_bps", filter=is_fresh),
        sent=Sum("out_bps", filter=is_fresh),
        failed=Sum(errors, filter=is_fresh, output_field=FloatField()),
    )
    found = list(counted.values_list("carrier", "number", "received", "sent", "failed"))
    return PortTotals(
        nodes=nodes,
        carriers={carrier: number for carrier, number, *_ in found},
        in_bps=int(sum(received or 0 for *_, received, _, _ in found)),
        out_bps=int(sum(sent or 0 for *_, sent, _ in found)),
        errors_ps=sum(failed or 0.0 for *_, failed in found),
    )


def _with_state(rows: QuerySet[Port], site: Site, now: datetime) -> QuerySet[Port]:
    is_linked = Q(link_as_a__isnull=False) | Q(link_as_b__isnull=False)
    columns = ("oper_up", "since", "if_type", "speed", "contradicted_speed", "mtu", "mac")
    described = {name: F(f"state__{name}") for name in columns}
    return rows.annotate(
        **described,
        node_name=F("node__name"),
        fabric_name=F("fabric__name"),
        kind=Case(
            When(management=True, then=Value("management")),
            default=Coalesce("fabric__kind", Value("other")),
        ),
        link_id=Coalesce("link_as_a__pk", "link_as_b__pk"),
        current_addresses=Case(
            When(state__addresses__len__gt=0, then="state__addresses"), default="addresses"
        ),
        last_reported_at=F("node__state__last_reported_at"),
        is_fresh=freshness("node__state__last_reported_at", site, now),
        admin_up=fact(Q(state__admin_up=True)),
        is_used=fact(Q(management=True) | Q(fabric__isnull=False) | is_linked),
        usable_rate=Case(
            When(fabric__isnull=True, then=Coalesce("state__speed", Value(0))),
            default=usable("fabric__usable_rate", site),
            output_field=BigIntegerField(),
        ),
        carrier=state_case(CARRIERS),
    ).annotate(status=state_case(PORT_STATES))


def _with_rates(rows: QuerySet[Port], site: Site, nodes: Collection[int] | None = None) -> QuerySet[Port]:
    known = ("at", "seconds", "in_bps", "out_bps", "in_pps", "out_pps", "in_errors_ps", "out_errors_ps")
    errors_in, errors_out = F("in_errors_ps"), F("out_errors_ps")
    own = Q(rate__site=site, rate__node=F("node"))
    own = own if nodes is None else own & Q(rate__node__in=nodes)
    return rows.annotate(
        newest=FilteredRelation("rate", condition=own),
        **{name: F(f"newest__{name}") for name in known},
        in_utilisation=_share(F("in_bps")),
        out_utilisation=_share(F("out_bps")),
        utilisation=_share(Greatest("in_bps", "out_bps")),
        errors=Coalesce(errors_in + errors_out, errors_in, errors_out),
    )


def usable(column: str, site: Site) -> Cast:
    """The usable rate on the wire of a site file rate, bit/s."""
    scaled = Cast(F(column), FloatField()) * Value(site.rate_scale, output_field=FloatField())
    return Cast(Round(scaled), BigIntegerField())


def _share(rate: Expression | F) -> Expression:
    return Cast(rate, FloatField()) / NullIf(Cast(F("usable_rate"), FloatField()), Value(0.0))


def ports_up(site: Site, nodes: Collection[str]) -> dict[int, bool | None]:
    """Port id -> operational state of these nodes' ports."""
    rows = PortState.objects.filter(port__node__site=site, port__node__name__in=nodes)
    return dict(rows.values_list("port_id", "oper_up"))


def port_speeds(ports: Collection[int]) -> dict[int, int]:
    """Port id -> speed, bit/s."""
    return dict(PortState.objects.filter(port__in=ports).values_list("port_id", "speed"))


def swept_widths(nodes: Collection[int]) -> dict[tuple[int, str], str]:
    """(node id, port) -> width and speed as the InfiniBand sweep reports them."""
    rows = AdjacencySet.objects.filter(node__in=nodes, source="infiniband")
    return {
        (node, entry["port"]): entry["width"]
        for node, entries in rows.values_list("node_id", "entries")
        for entry in entries
    }
