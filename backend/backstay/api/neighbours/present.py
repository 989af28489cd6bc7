"""Neighbour tables, duplicates and history, for clients."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from backstay.api.http.schemas import State
from backstay.api.http.urls import incident_url, node_url
from backstay.api.neighbours.schemas import (
    DuplicateMac,
    DuplicateOut,
    HoldingOut,
    NeighbourOut,
    NeighbourTable,
    TableIncident,
    TablePoint,
)
from backstay.core.diagnosis.duplicates import Duplicate
from backstay.core.diagnosis.neighbours import PortTable, as_of, growth, share
from backstay.core.model.state import TABLE_STATES, decide, seconds
from backstay.telemetry.states.neighbour_watch import FAMILIES

if TYPE_CHECKING:
    from backstay.alerts.models import Incident
    from backstay.telemetry.models import Neighbour
    from backstay.telemetry.selectors.neighbours import Claim, Holding, WatchNow


@dataclass(frozen=True, slots=True)
class View:
    """Data shared by several tables."""

    now: datetime
    interval_s: float
    owners: Mapping[str, str]
    """Hardware address -> `node:port`."""
    fabrics: Mapping[tuple[int, str], str]
    """(node id, port) -> fabric."""
    fresh: frozenset[int]
    incidents: Mapping[str, Incident]
    """Open incidents of neighbour rules by fingerprint."""


def table_out(view: View, watch: WatchNow, port: str, port_table: PortTable) -> NeighbourTable:
    """One port's table."""
    table = as_of(port_table, view.now.timestamp(), view.interval_s)
    incidents = _incidents(view, watch.node_id, port)
    used = {family: sum(getattr(item, family) for item in watch.tables.values()) for family in FAMILIES}
    return NeighbourTable(
        node=watch.node,
        node_id=watch.node_id,
        port=port,
        fabric=view.fabrics.get((watch.node_id, port)),
        state=_state(view, watch, incidents),
        at=watch.at,
        age_s=seconds(view.now, watch.at) or 0.0,
        ipv4=table.ipv4,
        ipv6=table.ipv6,
        permanent=table.permanent,
        incomplete=table.incomplete,
        capacity_ipv4=watch.capacity.get("ipv4"),
        capacity_ipv6=watch.capacity.get("ipv6"),
        share=_fullest(watch, {family: getattr(table, family) for family in FAMILIES}),
        device_share=_fullest(watch, used),
        growth_per_s=growth(table.recent, 2 * view.interval_s)[1],
        broadcasts_per_s=table.broadcasts_per_s,
        top_mac=table.top_mac,
        top_mac_entries=table.top_mac_entries,
        top_owner=view.owners.get(table.top_mac, ""),
        talker=table.talker,
        talker_share=table.talker_share,
        talker_owner=view.owners.get(table.talker, ""),
        recent=[
            TablePoint(at=datetime.fromtimestamp(point.at, UTC), entries=point.entries)
            for point in table.recent
        ],
        incidents=incidents,
        url=node_url(watch.node_id),
    )


def _fullest(watch: WatchNow, used: Mapping[str, int]) -> float | None:
    shares = [share(used[family], watch.capacity.get(family)) for family in FAMILIES]
    return max((item for item in shares if item is not None), default=None)


def _state(view: View, watch: WatchNow, incidents: list[TableIncident]) -> State:
    severities = {incident.severity for incident in incidents}
    facts = {
        "is_fresh": watch.node_id in view.fresh,
        "has_critical": "critical" in severities,
        "has_warning": bool(severities - {"critical"}),
    }
    return decide(TABLE_STATES, facts).state


def _incidents(view: View, node_id: int, port: str) -> list[TableIncident]:
    wanted = fingerprints_of(node_id, port)
    return [incident_out(view.incidents[item]) for item in wanted if item in view.incidents]


def fingerprints_of(node_id: int, port: str) -> list[str]:
    """Of incidents of a port's or its device's tables; `alerts.selectors.neighbours` has the same."""
    device = [f"neighbour_table:{node_id}:{family}" for family in FAMILIES]
    return [f"neighbour_flood:{node_id}:{port}"[:200], *device]


def incident_out(incident: Incident) -> TableIncident:
    return TableIncident(
        id=incident.pk,
        kind=incident.rule.kind,
        title=incident.title,
        severity=incident.severity,
        url=incident_url(incident.pk),
    )


def entry_out(row: Neighbour, owners: Mapping[str, str], now: datetime) -> NeighbourOut:
    """One entry; `row` has its node loaded."""
    return NeighbourOut(
        node=row.node.name,
        node_id=row.node_id,
        port=row.port,
        address=row.address,
        mac=row.mac,
        owner=owners.get(row.mac, ""),
        state=row.state,
        held_since=row.held_since,
        age_s=seconds(now, row.held_since) or 0.0,
    )


def holdings_out(rows: Iterable[Holding], owners: Mapping[str, str]) -> list[HoldingOut]:
    return [
        HoldingOut(
            node=row.node,
            node_id=row.node_id,
            port=row.port,
            mac=row.mac,
            owner=owners.get(row.mac, ""),
            since=row.since,
            until=row.until,
        )
        for row in rows
    ]


def duplicate_out(view: View, found: Duplicate[Claim], fabric: str | None) -> DuplicateOut:
    incident = view.incidents.get(clash_of(found))
    return DuplicateOut(
        address=found.address,
        fabric=fabric,
        since=found.since,
        age_s=seconds(view.now, found.since) or 0.0,
        macs=[_mac(view, found, mac) for mac in found.macs],
        incident=None if incident is None else incident_out(incident),
    )


def clash_of(found: Duplicate[Claim]) -> str:
    return f"neighbour_clash:{found.address}:{found.fabric_id or 0}"


def _mac(view: View, found: Duplicate[Claim], mac: str) -> DuplicateMac:
    claims = [claim for claim in found.claims if claim.mac == mac]
    return DuplicateMac(
        mac=mac,
        owner=view.owners.get(mac, ""),
        since=min(claim.held_since for claim in claims),
        nodes=[f"{claim.node}:{claim.port}" for claim in claims],
    )
