"""Neighbour tables: entries, how full each port's part is, who had an address when, and what disagrees."""

from collections.abc import Callable
from datetime import datetime
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from backstay.alerts.selectors import incidents
from backstay.api.http.auth import site_of
from backstay.api.http.list_query import Column, ListQuery, Text, age_key
from backstay.api.http.schemas import READ, Page
from backstay.api.neighbours.present import View, duplicate_out, entry_out, holdings_out, table_out
from backstay.api.neighbours.schemas import DuplicateOut, NeighbourHistory, NeighbourOut, NeighbourTable
from backstay.core.diagnosis.duplicates import duplicates
from backstay.core.errors import Invalid
from backstay.core.model.freshness import is_fresh
from backstay.core.model.hardware import spelled
from backstay.core.timerange import moment
from backstay.inventory.models import Port, Site
from backstay.telemetry.models import Neighbour
from backstay.telemetry.selectors import neighbours as selectors
from backstay.telemetry.selectors.nodes import nodes_now

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
    """Entries of all tables as they are now; every filter is exact. `mac` may be written in any way."""
    row, now = site_of(request, query.site), timezone.now()
    wanted = Q(node__site=row)
    wanted &= Q(node__name=query.node) if query.node is not None else Q()
    wanted &= Q(port=query.port) if query.port is not None else Q()
    wanted &= Q(address=_address(query.address)) if query.address is not None else Q()
    wanted &= Q(mac=spelled(query.mac)) if query.mac is not None else Q()
    wanted &= Q(state=query.state) if query.state is not None else Q()
    if query.q:
        wanted &= Q(address__icontains=query.q) | Q(mac__icontains=query.q) | Q(node__name__icontains=query.q)
    rows = Neighbour.objects.filter(wanted).select_related("node")
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
    """Each port's entries against its device's capacity, and by whose frames they grow."""
    row = site_of(request, query.site)
    wanted = (query.q or "").casefold()
    watched = [
        (watch, port, table)
        for watch in selectors.watches(row)
        if query.node in {None, watch.node}
        for port, table in watch.tables.items()
        if wanted in f"{watch.node}:{port}".casefold()
    ]
    view = _view(row, {mac for _, _, table in watched for mac in (table.top_mac, table.talker)})
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
    """Who had an address when, as every table of the site has it: ever, or at a moment (`at=now-1h`)."""
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
    """Addresses that the tables of one fabric hold to be at several hardware addresses now."""
    row = site_of(request, query.site)
    found = duplicates(selectors.claims(row))
    view = _view(row, {mac for item in found for mac in item.macs})
    names = dict(row.fabrics.values_list("pk", "name"))
    items = [duplicate_out(view, item, names.get(item.fabric_id or 0)) for item in found]
    keys: dict[str, Callable[[DuplicateOut], Any]] = {
        "address": lambda item: item.address,
        "since": lambda item: item.since,
        "age": lambda item: age_key(item.since),
    }
    return query.page(items, keys, lambda item: f"{item.address} {item.fabric}", "address")


def _address(text: str) -> str:
    """An address as it is stored; `Invalid` for what is none."""
    try:
        return str(ip_address(text.strip().partition("%")[0]))
    except ValueError as cause:
        expected = "expected an IPv4 or IPv6 address"
        raise Invalid(f"address={text!r} is no address: {expected}.", fields={"address": expected}) from cause


def _view(site: Site, macs: set[str]) -> View:
    now: datetime = timezone.now()
    ports = Port.objects.filter(node__site=site, fabric__isnull=False)
    heard = nodes_now(site).items()
    return View(
        now=now,
        interval_s=site.interval_s,
        owners=selectors.owners(site, macs),
        fabrics={
            (node, port): fabric
            for node, port, fabric in ports.values_list("node_id", "name", "fabric__name")
        },
        fresh=frozenset(node for node, told in heard if is_fresh(told.heard.at, now, site.interval_s)),
        incidents={
            item.fingerprint: item
            for item in incidents.current(site)
            if item.fingerprint.startswith("neighbour_")
        },
    )
