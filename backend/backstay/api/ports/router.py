"""Ports."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Schema
from pydantic import Field

from backstay.alerts.selectors.state_deadline import next_state_change
from backstay.api.http.array_page import page_numbers
from backstay.api.http.auth import Lookup, found, site_of
from backstay.api.http.conditional_reads import INVENTORY, SAMPLES, STATES, depends_on
from backstay.api.http.list_query import Column, Id, ListQuery, Points, Text, in_order, sort_of
from backstay.api.http.schemas import READ, Page, State
from backstay.api.ports.present import port_history_out, port_out, port_trends_out
from backstay.api.ports.schemas import PortHistoryOut, PortOut, PortTrendsOut
from backstay.core.model.history import capacity_over
from backstay.core.timerange import span
from backstay.inventory import selectors
from backstay.inventory.lookups import sorts_by
from backstay.inventory.snapshot import port_of
from backstay.inventory.standby_reads import reads_standby
from backstay.telemetry.rollups.port_counters import port_counters
from backstay.telemetry.rollups.port_trends import port_trends
from backstay.telemetry.selectors.current_samples import FIELDS, port_values
from backstay.telemetry.selectors.history import port_history, stored_sources
from backstay.telemetry.selectors.ports import (
    PortNow,
    PortRows,
    described_ports,
    labelled_ports,
    port_now,
    ports,
)

if TYPE_CHECKING:
    from backstay.inventory.models import Port, Site

router = Router(tags=["ports"])
_port = Lookup("port", selectors.port, lambda port: port.node.site)
SORTS = {
    "name": Column("label", natural=True),
    "node": Column("node_name", natural=True),
    "state": Column("status"),
    "kind": Column("kind"),
    "fabric": Column("fabric_name", natural=True, nullable=True),
    "utilisation": Column("utilisation", nullable=True),
    "in_utilisation": Column("in_utilisation", nullable=True),
    "out_utilisation": Column("out_utilisation", nullable=True),
    "in_bps": Column("in_bps", nullable=True),
    "out_bps": Column("out_bps", nullable=True),
    "errors": Column("errors", nullable=True),
    "usable_rate": Column("usable_rate"),
    "speed": Column("speed", nullable=True),
    "mtu": Column("mtu", nullable=True),
    "since": Column("since", nullable=True),
    "age": Column("last_reported_at", backwards=True, nullable=True),
}


class PortQuery(ListQuery):
    """Filters of `list_ports`."""

    node: Text | None = None
    fabric: Text | None = None
    state: State | None = None


@router.get("/ports", response={200: Page[PortOut], **READ}, operation_id="list_ports")
@depends_on(INVENTORY, STATES, SAMPLES, clock=next_state_change)
@reads_standby
def list_ports(request: HttpRequest, query: Query[PortQuery]) -> Page[PortOut]:
    """A site's ports with current state and load; `q` searches `node:port`."""
    site, now = site_of(request, query.site), timezone.now()
    filters = {"node": query.node, "fabric": query.fabric, "text": query.q}
    rows = described_ports(site, now, state=query.state, **filters)
    light = labelled_ports(site, **filters) if query.state is None else rows
    if sorts_by(query.sort, *FIELDS):
        chosen, following = _by_rate(site, query, rows)
    else:
        is_stored = query.sorts_by_column_of(light, SORTS, "name")
        chosen, following = query.keys(light if is_stored else rows, SORTS, "name")
    shown = in_order(ports(site, now), chosen)
    return Page(items=[port_out(port_now(row), now) for row in shown], next=following)


def _by_rate(site: "Site", query: PortQuery, rows: PortRows) -> tuple[list[int], str | None]:
    """Ids of the ports of a page that is sorted by a rate of the newest samples."""
    sort = sort_of(query.sort, "name", SORTS)
    idents, values = port_values(site, rows, sort.field)
    column = SORTS[sort.field]
    return page_numbers(idents, values, column, sort=sort, cursor=query.cursor, limit=query.limit)


MOST_TRENDS = 200


class PortTrendQuery(Schema):
    """The ports and the range of `get_port_trends`."""

    site: Text | None = None
    port_id: list[Id] = Field([], max_length=MOST_TRENDS)
    start: Text = "now-1h"
    end: Text = "now"
    points: int = Field(60, ge=10, le=400)


@router.get("/ports/trends", response={200: PortTrendsOut, **READ}, operation_id="get_port_trends")
@reads_standby
def get_port_trends(request: HttpRequest, query: Query[PortTrendQuery]) -> PortTrendsOut:
    """Mean load of up to 200 ports over time in the same bins, for the trends of a table."""
    site = site_of(request, query.site)
    since, until = span(query.start, query.end, timezone.now())
    return port_trends_out(port_trends(site, query.port_id, since, until, points=query.points))


@router.get("/ports/{id}", response={200: PortOut, **READ}, operation_id="get_port")
@depends_on(INVENTORY, STATES, SAMPLES, clock=next_state_change)
def get_port(request: HttpRequest, id: Id) -> PortOut:  # noqa: A002  (the name in the path)
    """One port."""
    row, now = _port(request, id), timezone.now()
    return port_out(_now(row, now), now)


@router.get("/ports/{id}/history", response={200: PortHistoryOut, **READ}, operation_id="get_port_history")
@reads_standby
def get_port_history(
    request: HttpRequest,
    id: Id,  # noqa: A002  (the name in the path)
    start: Text = "now-1h",
    end: Text = "now",
    points: Points = 600,
) -> PortHistoryOut:
    """A port's load, packets, errors and discards over time, in and out from the port's point of view."""
    row, now = _port(request, id), timezone.now()
    since, until = span(start, end, now)
    changes = [] if row.fabric_id is None else selectors.rate_changes(row.fabric_id)
    usable = _now(row, now).usable_rate
    capacity = capacity_over(usable, changes, since.timestamp(), until.timestamp())
    interval_s, port = row.node.site.interval_s, port_of(row)
    stored = stored_sources(port)
    history = port_history(port, since, until, points=points, interval_s=interval_s, stored=stored)
    counters = port_counters(port, stored, history.bins, since, until, points=points, interval_s=interval_s)
    return port_history_out(history, counters, capacity)


def _now(row: "Port", now: datetime) -> PortNow:
    rows = ports(row.node.site, now, node=row.node.name)
    return port_now(found(rows.filter(pk=row.pk).first(), "port"))
