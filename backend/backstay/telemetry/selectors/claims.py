"""Evidence of cables between ports: reported neighbours, learnt addresses, point-to-point subnets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from ipaddress import IPv4Interface, IPv6Interface, ip_interface
from typing import Any, get_args

from backstay.core.wiring.evidence import LEAST_PERIOD_S, LIFETIME_INTERVALS, Claim, Ends, Source, ends
from backstay.core.wiring.identity import Directory, Named, NodeFacts, PortFacts, plain_mac
from backstay.inventory.models import Link, Node, Port, Site
from backstay.telemetry.models import AdjacencySet, Neighbour

SMALL = {4: 30, 6: 126}
"""Prefix length from which a subnet is point-to-point (RFC 3021: /31; RFC 6164: /127)."""
SOURCES: dict[str, Source] = {name: name for name in get_args(Source)}
INFINIBAND = "infiniband"


@dataclass(frozen=True, slots=True)
class _NeighbourSet:
    """One device's set of neighbours."""

    node_id: int
    source: Source
    entries: list[dict[str, Any]]
    until: datetime


class Claims:
    """All evidence of a site's cables at one moment.

    `listening_since`: no report could arrive before this (the backend was down), so nothing expires earlier.
    """

    def __init__(self, site: Site, listening_since: datetime | None) -> None:
        self._site = site
        self._listening_since = listening_since

    @cached_property
    def ports(self) -> dict[int, PortFacts]:
        """Ports that a cable can join, by id; excludes the management network."""
        rows = Port.objects.filter(node__site=self._site, management=False).values_list(*_PORT_COLUMNS)
        return {row[0]: _port(row) for row in rows}

    @cached_property
    def names(self) -> dict[int, str]:
        """Node id -> name."""
        return {node.id: node.name for node in self._nodes}

    @cached_property
    def numbered(self) -> frozenset[int]:
        """Ids of the ports that have addresses."""
        return frozenset(port.id for port in self.ports.values() if port.addresses)

    @cached_property
    def declared(self) -> dict[Ends, Link]:
        """The site file's own links between two ports."""
        rows = Link.objects.filter(site=self._site, declared=True, b__isnull=False)
        return {ends(row.a_id, row.b_id): row for row in rows if row.b_id is not None}

    @cached_property
    def all(self) -> list[Claim]:
        """All claims, including expired ones."""
        return [*self._adjacent(), *self._small_networks()]

    def name(self, port_id: int) -> str:
        """`grf1:ga030`."""
        port = self.ports[port_id]
        return f"{self.names[port.node_id]}:{port.name}"

    def fabric_of(self, pair: Ends) -> int | None:
        """The fabric of a discovered link; None if neither port is on one."""
        known = [self.ports[port].fabric_id for port in pair]
        return next((fabric for fabric in known if fabric is not None), self._only_infiniband(pair))

    def _only_infiniband(self, pair: Ends) -> int | None:
        """For two ports known only from a sweep: the only InfiniBand fabric of their nodes."""
        nodes = {self.ports[port].node_id for port in pair}
        on = {
            port.fabric_id
            for port in self.ports.values()
            if port.node_id in nodes and port.id in self._infiniband
        }
        return next(iter(on)) if len(on) == 1 else None

    @cached_property
    def _nodes(self) -> list[NodeFacts]:
        rows = Node.objects.filter(site=self._site).values_list("id", "name", "guid", "state__sys_name")
        return [NodeFacts(ident, name, guid, sys_name or "") for ident, name, guid, sys_name in rows]

    @cached_property
    def _directory(self) -> Directory:
        return Directory(self._nodes, self.ports.values())

    @cached_property
    def _infiniband(self) -> frozenset[int]:
        fabrics = set(self._site.fabrics.filter(kind=INFINIBAND).values_list("pk", flat=True))
        return frozenset(port.id for port in self.ports.values() if port.fabric_id in fabrics)

    def _until(self, at: datetime, period_s: float) -> datetime:
        newest = at if self._listening_since is None else max(at, self._listening_since)
        return newest + timedelta(seconds=LIFETIME_INTERVALS * max(period_s, self._site.interval_s))

    def _adjacent(self) -> Iterator[Claim]:
        for row in AdjacencySet.objects.filter(node__site=self._site).order_by("pk"):
            source = SOURCES[row.source]
            neighbours = _NeighbourSet(row.node_id, source, row.entries, self._until(row.at, row.period_s))
            for entry in neighbours.entries:
                claim = self._claim(neighbours, entry)
                if claim is not None:
                    yield claim

    def _claim(self, neighbours: _NeighbourSet, entry: dict[str, Any]) -> Claim | None:
        kin = self._infiniband if neighbours.source == INFINIBAND else frozenset[int]()
        mine = self._directory.port_named(neighbours.node_id, entry["port"])
        if mine is None and kin:
            only = [
                port for port in self.ports.values() if port.node_id == neighbours.node_id and port.id in kin
            ]
            mine = only[0] if len(only) == 1 else None
        if mine is None:
            return None
        other = (
            self._behind(entry) if neighbours.source == "fdb" else self._directory.find(_named(entry), kin)
        )
        if other is None or other.id == mine.id:
            return None
        since = datetime.fromisoformat(entry["since"])
        return Claim(neighbours.source, neighbours.node_id, ends(mine.id, other.id), since, neighbours.until)

    def _behind(self, entry: dict[str, Any]) -> PortFacts | None:
        """The port whose hardware address a bridge learnt: from device descriptions, else from ARP."""
        mac = entry["peer_id"]
        return self._directory.by_mac.get(mac) or self._by_arp.get(mac)

    @cached_property
    def _by_arp(self) -> dict[str, PortFacts]:
        """Hardware address -> port, through the IP address that neighbours resolve to it."""
        owners = {
            str(interface.ip): port
            for port in self.ports.values()
            for text in port.addresses
            if (interface := _interface(text)) is not None
        }
        rows = Neighbour.objects.filter(node__site=self._site).exclude(mac="").values_list("mac", "address")
        found: dict[str, set[int]] = {}
        for mac, address in rows:
            if address in owners:
                found.setdefault(plain_mac(mac), set()).add(owners[address].id)
        return {mac: self.ports[ids.pop()] for mac, ids in found.items() if mac and len(ids) == 1}

    def _small_networks(self) -> Iterator[Claim]:
        """Two declared ports of one fabric that share a point-to-point subnet, as reported."""
        reported = {row.port_id: row for row in _described(self._site)}
        members: dict[tuple[object, int], list[int]] = {}
        for port in self.ports.values():
            if port.fabric_id is None or port.id not in reported:
                continue
            for network in {_network(text) for text in reported[port.id].addresses} - {None}:
                members.setdefault((network, port.fabric_id), []).append(port.id)
        for ports in members.values():
            if len(ports) != 2 or self.ports[ports[0]].node_id == self.ports[ports[1]].node_id:
                continue
            rows = [reported[port] for port in ports]
            since = max(row.since for row in rows)
            until = min(self._until(row.at, LEAST_PERIOD_S) for row in rows)
            for row in rows:
                by = self.ports[row.port_id].node_id
                yield Claim("subnet", by, ends(*ports), since, until)


@dataclass(frozen=True, slots=True)
class _Described:
    """A port as its device last described it."""

    port_id: int
    addresses: list[str]
    since: datetime
    at: datetime


def _described(site: Site) -> list[_Described]:
    rows = Port.objects.filter(node__site=site, state__oper_up=True, state__addresses__len__gt=0)
    values = rows.values_list("id", "state__addresses", "state__since", "node__state__described_at")
    return [_Described(port, addresses, since, at) for port, addresses, since, at in values if at is not None]


def _interface(text: str) -> IPv4Interface | IPv6Interface | None:
    """Parse a reported address; None if invalid."""
    try:
        return ip_interface(text)
    except ValueError:
        return None


def _network(text: str) -> object | None:
    """The subnet of an address if it is point-to-point."""
    suffix = text.rpartition("/")[2]
    if suffix.isdecimal() and int(suffix) < SMALL[6 if ":" in text else 4]:
        return None  # Nearly all, without parsing them.
    interface = _interface(text)
    if interface is None:
        return None
    length = interface.network.prefixlen
    fits = SMALL[interface.version] <= length < interface.network.max_prefixlen
    return interface.network if fits else None


def _named(entry: dict[str, Any]) -> Named:
    return Named(entry["peer"], entry["peer_name"], entry["peer_id"], entry["peer_port"])


_PORT_COLUMNS = (
    "id", "node_id", "name", "fabric_id", "declared", "state__mac", "state__alias", "state__if_index",
    "state__addresses", "addresses",
)  # fmt: skip


def _port(row: tuple[Any, ...]) -> PortFacts:
    """Of `_PORT_COLUMNS`; those of the state are None before the first report."""
    ident, node, name, fabric, declared, mac, alias, if_index, reported, addresses = row
    return PortFacts(
        id=ident,
        node_id=node,
        name=name,
        fabric_id=fabric,
        declared=declared,
        mac=mac or "",
        alias=alias or "",
        if_index=if_index or 0,
        addresses=tuple(reported or addresses),
    )
