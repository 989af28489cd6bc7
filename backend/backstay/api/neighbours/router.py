"""Neighbour tables: entries, how full each port's part is, who had an address when, and what disagrees."""

from collections.abc import Callable
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from backstay.api.http.auth import site_of
from backstay.api.http.list_query import Column, ListQuery, Text, age_key
from backstay.api.http.schemas import READ, Page
from backstay.api.neighbours.present import duplicate_out, entry_out, holdings_out, table_out, view_of
from backstay.api.neighbours.schemas import DuplicateOut, NeighbourHistory, NeighbourOut, NeighbourTable
from backstay.core.diagnosis.duplicates import duplicates
from backstay.core.errors import Invalid
from backstay.core.model.hardware import spelled
from backstay.core.timerange import moment
from backstay.inventory.selectors import fabric_names
from backstay.telemetry.selectors import neighbours as selectors

router = Router(tags=["neighbours"])
SORTS = {
    "address": Column("address"),
    "mac": Column("mac"),
    "node": Column("node__name"),
    "port": Column("port"),
    "state": Column("state"),
    "since": Column("held_since"),
    "age": Column("held_since", backwards=True),
}


class NeighbourQuery(ListQuery):
    """Filters of `list_neighbours`."""

    node: Text | None = None
    port: Text | None = None
    address: Text | None = None
    mac: Text | None = None
    state: Text | None = None


@router.get("/neighbours", response={200: Page[NeighbourOut], **READ}, operation_id="list_neighbours")
def list_neighbours(request: HttpRequest, query: Query[NeighbourQuery]) -> Page[NeighbourOut]:
    """Entries of all tables as they are now; filters are exact. `mac` in any notation."""
    row, now = site_of(request, query.site), timezone.now()
    rows = selectors.entries(
        row,
        text=query.q,
        node__name=query.node,
        port=query.port,
        address=None if query.address is None else _address(query.address),
        mac=None if query.mac is None else spelled(query.mac),
        state=query.state,
    )
    shown, following = query.rows(rows, SORTS, "address")
    known = selectors.owners(row, {item.mac for item in shown})
    return Page(items=[entry_out(item, known, now) for item in shown], next=following)


class NeighbourTableQuery(ListQuery):
    """Filters of `list_neighbour_tables`."""

    node: Text | None = None


@router.get(
    "/neighbours/tables", response={200: Page[NeighbourTable], **READ}, operation_id="list_neighbour_tables"
)
def list_neighbour_tables(request: HttpRequest, query: Query[NeighbourTableQuery]) -> Page[NeighbourTable]:
    """Entries per port against the device's capacity, and the main sources of growth."""
    row = site_of(request, query.site)
    wanted = (query.q or "").casefold()
    watched = [
        (watch, port, table)
        for watch in selectors.watches(row)
        if query.node in {None, watch.node}
        for port, table in watch.tables.items()
        if wanted in f"{watch.node}:{port}".casefold()
    ]
    view = view_of(row, {mac for _, _, table in watched for mac in (table.top_mac, table.talker)})
    items = [table_out(view, watch, port, table) for watch, port, table in watched]
    keys: dict[str, Callable[[NeighbourTable], Any]] = {
        "node": lambda item: f"{item.node}:{item.port}",
        "entries": lambda item: item.ipv4 + item.ipv6,
        "ipv4": lambda item: item.ipv4,
        "ipv6": lambda item: item.ipv6,
        "permanent": lambda item: item.permanent,
        "top": lambda item: item.top_mac_entries,
        "fabric": lambda item: item.fabric,
        "state": lambda item: item.state,
        "share": lambda item: item.share,
        "growth": lambda item: item.growth_per_s,
        "broadcasts": lambda item: item.broadcasts_per_s,
        "incomplete": lambda item: item.incomplete,
        "age": lambda item: age_key(item.at),
    }
    return query.page(items, keys, lambda item: f"{item.node}:{item.port}", "node")


@router.get(
    "/neighbours/history", response={200: NeighbourHistory, **READ}, operation_id="get_neighbour_history"
)
def get_neighbour_history(
    request: HttpRequest, *, address: Text, site: Text | None = None, at: Text | None = None
) -> NeighbourHistory:
    """Owners of an address over time, by every table of the site; `at=now-1h`: at that moment."""
    row, wanted = site_of(request, site), _address(address)
    when = None if at is None else moment(at, timezone.now(), "at")
    rows = selectors.history(row, wanted, when)
    known = selectors.owners(row, {item.mac for item in rows})
    return NeighbourHistory(
        address=wanted, at=when, kept_days=settings.HOT_DAYS, items=holdings_out(rows, known)
    )


@router.get(
    "/neighbours/duplicates", response={200: Page[DuplicateOut], **READ}, operation_id="list_duplicates"
)
def list_duplicates(request: HttpRequest, query: Query[ListQuery]) -> Page[DuplicateOut]:
    """Addresses with several hardware addresses on one fabric now."""
    row = site_of(request, query.site)
    found = duplicates(selectors.claims(row))
    view = view_of(row, {mac for item in found for mac in item.macs})
    names = fabric_names(row)
    items = [duplicate_out(view, item, names.get(item.fabric_id or 0)) for item in found]
    keys: dict[str, Callable[[DuplicateOut], Any]] = {
        "address": lambda item: item.address,
        "since": lambda item: item.since,
        "age": lambda item: age_key(item.since),
    }
    return query.page(items, keys, lambda item: f"{item.address} {item.fabric}", "address")


def _address(text: str) -> str:
    """An address as stored; Invalid when malformed."""
    try:
        return str(ip_address(text.strip().partition("%")[0]))
    except ValueError as cause:
        expected = "expected an IPv4 or IPv6 address"
        raise Invalid(
            f"address={text!r} is not an address: {expected}.", fields={"address": expected}
        ) from cause
