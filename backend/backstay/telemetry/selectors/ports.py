"""Every port of a site as it is now: filtered, sorted and cut into pages in one statement.

A site may have tens of thousands of ports and a page shows a hundred, so everything happens in
PostgreSQL: the sample arrays of each device are unrolled once, rates and states follow from them.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from backstay.core.model.freshness import max_age_s
from backstay.inventory.models import Site
from backstay.telemetry.models import AdjacencySet, PortState

_NOW = """
    WITH newest AS (
        SELECT place.port_id, latest.ts, latest.duration_ns / 1e9 AS seconds,
               nullif(place.in_octets, -1) AS in_octets, nullif(place.out_octets, -1) AS out_octets,
               nullif(place.in_packets, -1) AS in_packets, nullif(place.out_packets, -1) AS out_packets,
               nullif(place.in_errors, -1) AS in_errors, nullif(place.out_errors, -1) AS out_errors,
               latest.in_errors IS NULL AS no_in_errors, latest.out_errors IS NULL AS no_out_errors
        FROM telemetry_latest AS latest
        JOIN inventory_node AS node ON node.id = latest.node_id
        JOIN telemetry_portlayout AS layout ON layout.id = latest.layout_id
        CROSS JOIN LATERAL unnest(
            layout.ports, latest.in_octets, latest.out_octets, latest.in_packets, latest.out_packets,
            latest.in_errors, latest.out_errors
        ) AS place (port_id, in_octets, out_octets, in_packets, out_packets, in_errors, out_errors)
        WHERE node.site_id = %(site)s AND (%(node)s::text IS NULL OR node.name = %(node)s)
          AND (place.port_id = ANY (latest.elsewhere)) IS NOT TRUE
    ),
    known AS (
        SELECT port.id, port.name, node.name AS node, node.id AS node_id, fabric.name AS fabric,
               CASE WHEN port.management THEN 'management' ELSE coalesce(fabric.kind, 'other') END AS kind,
               coalesce(as_a.id, as_b.id) AS link_id,
               state.oper_up, state.admin_up, state.since, state.if_type, state.speed, state.mtu, state.mac,
               CASE WHEN cardinality(state.addresses) > 0 THEN state.addresses ELSE port.addresses END
                   AS addresses,
               heard.last_reported_at, coalesce(heard.last_reported_at >= %(cutoff)s, false) AS fresh,
               CASE WHEN fabric.id IS NULL THEN coalesce(state.speed, 0)
                    ELSE round(fabric.usable_rate * %(scale)s)::bigint END AS usable_rate,
               newest.ts, newest.seconds,
               (newest.in_octets * 8 / newest.seconds)::bigint AS in_bps,
               (newest.out_octets * 8 / newest.seconds)::bigint AS out_bps,
               (newest.in_packets / newest.seconds)::float8 AS in_pps,
               (newest.out_packets / newest.seconds)::float8 AS out_pps,
               CASE WHEN newest.no_in_errors THEN 0 ELSE newest.in_errors / newest.seconds END::float8
                   AS in_errors_ps,
               CASE WHEN newest.no_out_errors THEN 0 ELSE newest.out_errors / newest.seconds END::float8
                   AS out_errors_ps
        FROM inventory_port AS port
        JOIN inventory_node AS node ON node.id = port.node_id
        LEFT JOIN inventory_fabric AS fabric ON fabric.id = port.fabric_id
        LEFT JOIN inventory_link AS as_a ON as_a.a_id = port.id
        LEFT JOIN inventory_link AS as_b ON as_b.b_id = port.id
        LEFT JOIN telemetry_portstate AS state ON state.port_id = port.id
        LEFT JOIN telemetry_nodestate AS heard ON heard.node_id = node.id
        LEFT JOIN newest ON newest.port_id = port.id
        WHERE node.site_id = %(site)s AND (%(node)s::text IS NULL OR node.name = %(node)s)
          AND (%(port)s::bigint IS NULL OR port.id = %(port)s)
          AND (%(fabric)s::text IS NULL OR fabric.name = %(fabric)s)
          AND (%(q)s::text IS NULL OR position(lower(%(q)s) IN lower(node.name || ':' || port.name)) > 0)
    ),
    reported AS (
        SELECT known.*,
               in_bps::float8 / nullif(usable_rate, 0) AS in_utilisation,
               out_bps::float8 / nullif(usable_rate, 0) AS out_utilisation,
               greatest(in_bps, out_bps)::float8 / nullif(usable_rate, 0) AS utilisation,
               CASE WHEN NOT fresh OR oper_up IS NULL THEN 'unknown' WHEN oper_up THEN 'ok'
                    WHEN NOT admin_up OR (kind = 'other' AND link_id IS NULL) THEN 'disabled'
                    ELSE 'critical' END AS state
        FROM known
    )
"""
_PAGE = """
    SELECT reported.*, ({key}) AS sort_key FROM reported
    WHERE (%(state)s::text IS NULL OR state = %(state)s)
      AND (%(after_id)s::bigint IS NULL OR ({key}) {beyond} %(after_key)s::{kind}
           OR (({key}) = %(after_key)s::{kind} AND id > %(after_id)s))
    ORDER BY sort_key {order}, id
    LIMIT %(limit)s
"""

SORTS: dict[str, tuple[str, str]] = {
    "name": ("node || ':' || name", "text"),
    "node": ("node", "text"),
    "state": ("state", "text"),
    "utilisation": ("coalesce(utilisation, -1)", "float8"),
    "in_utilisation": ("coalesce(in_utilisation, -1)", "float8"),
    "out_utilisation": ("coalesce(out_utilisation, -1)", "float8"),
    "in_bps": ("coalesce(in_bps, -1)", "bigint"),
    "out_bps": ("coalesce(out_bps, -1)", "bigint"),
    "errors": ("coalesce(in_errors_ps, 0) + coalesce(out_errors_ps, 0)", "float8"),
    "usable_rate": ("coalesce(usable_rate, 0)", "bigint"),
    "mtu": ("coalesce(mtu, 0)", "bigint"),
    "fabric": ("coalesce(fabric, '')", "text"),
    "speed": ("coalesce(speed, 0)", "bigint"),
    "age": ("coalesce(-extract(epoch FROM last_reported_at), 0)::float8", "float8"),
}
"""Field -> (expression that is never null, its type). Ports without the figure come last when descending.

No expression may move with the clock, or a page would not go on where the one before ended: an age is
the negated time since when.
"""


@dataclass(frozen=True, slots=True)
class PortFilter:
    """Which ports; None leaves a filter out."""

    id: int | None = None
    node: str | None = None
    fabric: str | None = None
    state: str | None = None
    q: str | None = None


@dataclass(frozen=True, slots=True)
class PortPage:
    """How they are sorted and where the page begins."""

    field: str
    descending: bool
    limit: int
    after: tuple[str | float | None, int] | None = None
    """(sort value, id) of the row before."""


@dataclass(frozen=True, slots=True)
class PortNow:
    """One port now. Rates in bit/s, shares 0..1 of the usable rate, packets and errors per second."""

    id: int
    name: str
    node: str
    node_id: int
    fabric: str | None
    kind: str
    link_id: int | None
    oper_up: bool | None
    admin_up: bool | None
    since: datetime | None
    if_type: int | None
    speed: int | None
    mtu: int | None
    mac: str | None
    addresses: list[str]
    last_reported_at: datetime | None
    fresh: bool
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
    state: str
    sort_key: str | float


def ports_now(site: Site, wanted: PortFilter, page: PortPage, now: datetime) -> list[PortNow]:
    """At most `page.limit` ports; one query."""
    key, kind = SORTS[page.field]
    statement = _NOW + _PAGE.format(
        key=key,
        kind=kind,
        beyond="<" if page.descending else ">",
        order="DESC" if page.descending else "ASC",
    )
    after_key, after_id = page.after or (None, None)
    known: dict[str, Any] = {
        "site": site.pk,
        "scale": site.rate_scale,
        "cutoff": now - timedelta(seconds=max_age_s(site.interval_s)),
        "port": wanted.id,
        "node": wanted.node,
        "fabric": wanted.fabric,
        "state": wanted.state,
        "q": wanted.q,
        "limit": page.limit,
        "after_key": after_key,
        "after_id": after_id,
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, known)
        return [PortNow(*row) for row in cursor.fetchall()]


def ports_up(site: Site, nodes: Collection[str]) -> dict[int, bool | None]:
    """Port id -> operational state, of the ports of these nodes."""
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
