"""The state of a site at a past moment, from stored history: what was not stored is unknown.

Nodes, links and capacities are those of today; `topology` has no past.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

import numpy as np

from backstay.alerts.selectors import incidents
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.link_rates import NO_PORT, Ints, NewestSamples
from backstay.core.model.event_kinds import EventKind
from backstay.core.model.load import PortRates
from backstay.core.model.state import GatewayStatus, GatewayUse, OpenIncidents, ReportTimes
from backstay.core.model.topology import Link, Topology
from backstay.inventory.models import Site
from backstay.inventory.read_transaction import read_transaction
from backstay.inventory.sql import fetch_rows
from backstay.policy.link_uses import link_uses, used_links
from backstay.telemetry.rollups.arrays import fetch_columns, length, ragged
from backstay.telemetry.selectors.link_ends import EndNow
from backstay.telemetry.selectors.loads import Loads, port_ids
from backstay.telemetry.selectors.nodes import NodeNow
from backstay.telemetry.selectors.site_history import KnownRates, known_rates, linked_ports, port_rates

# A port that has not changed since the moment was as it is. Of another one, the first change after the moment
# says what it was until then; without one that is stored, nothing does. Whether it was down on purpose is not
# in the event: it counts as down.
_PAST = """
    WITH changed AS (
        SELECT DISTINCT ON (subject) subject, kind FROM telemetry_event
        WHERE site_id = %(site)s AND at > %(at)s AND kind = ANY (%(kinds)s)
        ORDER BY subject, at, id
    )
    SELECT port.id,
           CASE WHEN state.since <= %(at)s THEN state.oper_up
                WHEN changed.kind IS NOT NULL THEN changed.kind = %(down)s END,
           CASE WHEN state.since <= %(at)s THEN state.admin_up ELSE true END,
           CASE WHEN state.since <= %(at)s THEN state.since END
    FROM inventory_link AS link
    CROSS JOIN LATERAL (VALUES (link.a_id), (link.b_id)) AS linked (port)
    JOIN inventory_port AS port ON port.id = linked.port
    JOIN inventory_node AS node ON node.id = port.node_id
    LEFT JOIN telemetry_portstate AS state ON state.port_id = port.id
    LEFT JOIN changed ON changed.subject = node.name || ':' || port.name
    WHERE link.site_id = %(site)s AND (%(links)s::bigint[] IS NULL OR link.id = ANY (%(links)s))
"""


def _ports_at(
    site: Site, at: datetime, links: Collection[int] | None
) -> dict[int, tuple[bool | None, bool | None, datetime | None]]:
    """Port id -> (operationally up, administratively up, since) of the ports of these or all links of the
    site; None: unknown."""
    down, chosen = EventKind.PORT_DOWN.value, None if links is None else list(links)
    kinds = [down, EventKind.PORT_UP.value]
    values = {"site": site.pk, "at": at, "kinds": kinds, "down": down, "links": chosen}
    return {port: (up, admin, since) for port, up, admin, since in fetch_rows(_PAST, values)}


# Of ports that have not changed since. Another one was up until its first change if it went down then.
_UNCHANGED = """
    SELECT array_agg(port_id), array_agg(coalesce(oper_up::integer, -1)::bigint)
    FROM telemetry_portstate WHERE since <= %(at)s AND port_id BETWEEN %(first)s AND %(last)s
"""
_FIRST_CHANGES = """
    SELECT DISTINCT ON (subject) subject, kind = %(down)s FROM telemetry_event
    WHERE site_id = %(site)s AND at > %(at)s AND kind = ANY (%(kinds)s) ORDER BY subject, at, id
"""
UP, DOWN, UNKNOWN = 1, 0, -1


def _carriers_at(site: Site, at: datetime, topology: Topology, ports: Ints) -> Ints:
    """`UP`, `DOWN` or `UNKNOWN` of these ports, which ascend; two queries."""
    found, is_settled = np.full(len(ports), UNKNOWN), np.zeros(len(ports), np.bool_)
    if not len(ports):
        return found
    values = {"at": at, "first": int(ports[0]), "last": int(ports[-1])}
    columns = fetch_columns(_UNCHANGED, values)
    size = np.array([length(columns[0][0])], np.int64)
    known, carriers = (ragged(fields, size, "int8", 0).astype(np.int64) for fields in columns)
    places = _places(ports, known)
    found[places[places >= 0]], is_settled[places[places >= 0]] = carriers[places >= 0], True
    down = EventKind.PORT_DOWN.value
    changes = fetch_rows(
        _FIRST_CHANGES, {"site": site.pk, "at": at, "kinds": [down, EventKind.PORT_UP.value], "down": down}
    )
    for port, went_down in _changed_ports(topology, changes):
        place = int(_places(ports, np.array([port]))[0])
        if place >= 0 and not is_settled[place]:
            found[place] = UP if went_down else DOWN
    return found


def _places(ports: Ints, wanted: Ints) -> Ints:
    """Positions in ports, which ascend; -1: not one of them."""
    places = np.minimum(np.searchsorted(ports, wanted), len(ports) - 1)
    return np.where(ports[places] == wanted, places, -1)


def _changed_ports(topology: Topology, changes: Sequence[tuple[Any, ...]]) -> Iterator[tuple[int, bool]]:
    """Port ids of subjects, `node:port`; either name may have a colon."""
    if not changes:
        return
    nodes = {node.name: node.id for node in topology.nodes.values()}
    for subject, is_down in changes:
        for place in (place for place, letter in enumerate(subject) if letter == ":"):
            node, name = nodes.get(subject[:place]), subject[place + 1 :]
            for port in topology.node_ports.get(node, ()) if node is not None else ():
                if port.name == name:
                    yield port.id, is_down


class PastSnapshot(SiteSnapshot):
    """A site at `now`, a moment before `present`; of the whole site, or of some links or nodes.

    A node whose ports were measured at the moment reported then. Loads are means of five minutes.
    """

    def __init__(
        self,
        site: Site,
        at: datetime,
        present: datetime,
        *,
        links: Collection[int] | None = None,
        nodes: Collection[int] | None = None,
    ) -> None:
        super().__init__(site, at, links=links, nodes=nodes)
        self._present = present
        if links is not None:
            known = self.topology.links
            self._link_ids = [link for link in links if link in known]
            ports = port_ids([known[link] for link in self._link_ids])
            self._node_ids = {self.topology.ports[port].node_id for port in ports}

    @cached_property
    def known_rates(self) -> KnownRates:
        """Rates at the moment of all ports that were measured."""
        return known_rates(self.site, self.now, "mean", self._present, self._node_ids)

    @cached_property
    def rates(self) -> Mapping[int, PortRates]:
        """The same by port id."""
        return port_rates(self.known_rates, self.now)

    @cached_property
    def newest_samples(self) -> NewestSamples:
        """The rates as samples of one second, for `link_rates`."""
        known = self.known_rates
        one, nothing = np.ones(len(known.port)), np.full(len(known.port), np.nan)
        counters = {
            "in_octets": known.inward / 8,
            "out_octets": known.outward / 8,
            "in_peak": nothing,
            "out_peak": nothing,
        }
        return NewestSamples(known.port, one * self.now.timestamp(), one, counters)

    @cached_property
    def loads(self) -> dict[int, Loads]:
        if self._link_ids is not None:
            return super().loads
        rates = self.link_rates
        both = zip(rates.loads(0), rates.loads(1), strict=True)
        return dict(zip(self.link_table.id.tolist(), both, strict=True))

    @cached_property
    def measured(self) -> frozenset[int]:
        """Ids of nodes of which a port was measured."""
        return frozenset(np.unique(self.port_nodes.nodes_of(self.known_rates.port)).tolist()) - {NO_PORT}

    @cached_property
    def fresh_nodes(self) -> frozenset[int]:
        return self.measured

    def is_collected(self, node_id: int) -> bool:
        """Which nodes were is not stored: every one counts as collected."""
        return node_id in self.topology.nodes

    @cached_property
    def nodes(self) -> dict[int, NodeNow]:
        return {
            node: NodeNow(ReportTimes(at=self.now if node in self.measured else None, watched=True), None)
            for node in self.topology.nodes
        }

    @cached_property
    def ends(self) -> dict[int, EndNow]:
        known = _ports_at(self.site, self.now, self._link_ids)
        return {port: EndNow(*state, self.rates.get(port)) for port, state in known.items()}

    @cached_property
    def port_states(self) -> Mapping[int, EndNow]:
        return self.ends

    @cached_property
    def gateways(self) -> dict[int, GatewayStatus]:
        """Empty: what the probes of the moment found is not stored."""
        return {}

    @cached_property
    def carries(self) -> dict[int, GatewayUse]:
        """Unknown for every link that a policy uses today."""
        unknown: GatewayUse = "unknown"
        if self._link_ids is None:
            return dict.fromkeys(used_links(self.site), unknown)
        return dict.fromkeys(link_uses(self.site, self._present, self._link_ids), unknown)


MOST_LINKS = 500
"""More links are read with the whole site."""


@dataclass(frozen=True, slots=True)
class PastLinks:
    """Links at a past moment."""

    snapshot: PastSnapshot
    links: Sequence[Link]
    incidents: Mapping[int, OpenIncidents]
    """Link id -> those that were open."""


def past_links(site: Site, at: datetime, present: datetime, links: Sequence[int]) -> PastLinks:
    """Read what is stored of these links at a moment, in one transaction; few queries for any number.

    The links are in this order, without those that were removed meanwhile.
    """
    with read_transaction():
        snapshot = PastSnapshot(site, at, present, links=None if len(links) > MOST_LINKS else links)
        for part in ("ends", "carries"):
            getattr(snapshot, part)
        known = snapshot.topology.links
        chosen = [known[link] for link in links if link in known]
        return PastLinks(snapshot, chosen, incidents.by_link(incidents.open_at(site, at)))


@dataclass(frozen=True, slots=True)
class PastMapFacts:
    """One site at a past moment."""

    snapshot: PastSnapshot
    """With its rates and uses of links; without the states of its ports."""
    ill: PastSnapshot
    """Limited to the links that have an incident or an end that was not up, and of which an end is known."""
    unknown: Collection[int]
    """Ids of the links of which no end is known."""
    loads: list[Loads]
    """Of every link, in the order of the topology."""
    node_incidents: Mapping[int, OpenIncidents]
    link_incidents: Mapping[int, OpenIncidents]


def past_map_facts(site: Site, at: datetime, present: datetime) -> PastMapFacts:
    """Read what is stored of a moment, in one transaction; with few queries for any site."""
    with read_transaction():
        snapshot, known = PastSnapshot(site, at, present), incidents.open_at(site, at)
        by_link = incidents.by_link(known)
        ill, unknown = _unwell(snapshot, by_link)
        chosen = PastSnapshot(site, at, present, links=ill)
        # States need no rates of ports; the loads are known.
        vars(chosen).update(measured=snapshot.measured, rates={}, loads=snapshot.loads)
        for known_parts, part in ((snapshot, "carries"), (chosen, "ends")):
            getattr(known_parts, part)
        return PastMapFacts(
            snapshot=snapshot,
            ill=chosen,
            unknown=unknown,
            loads=[*snapshot.loads.values()],
            node_incidents=incidents.by_node(known),
            link_incidents=by_link,
        )


def _unwell(
    snapshot: PastSnapshot, troubles: Mapping[int, OpenIncidents]
) -> tuple[list[int], frozenset[int]]:
    """Ids of links to be looked at one by one, and of those of which no end is known; others are well."""
    table, ports = snapshot.link_table, linked_ports(snapshot.link_table)
    if not len(table.id):
        return [], frozenset()
    carriers = _carriers_at(snapshot.site, snapshot.now, snapshot.topology, ports)
    measured = np.fromiter(snapshot.measured, np.int64, len(snapshot.measured))
    is_fresh = np.isin(snapshot.port_nodes.nodes_of(ports), measured)
    is_up, is_known = is_fresh & (carriers == UP), is_fresh & (carriers != UNKNOWN)
    ends = [_places(ports, end) for end in (table.a, table.b)]
    is_missing = [end < 0 for end in ends]
    all_up = (is_up[ends[0]] | is_missing[0]) & (is_up[ends[1]] | is_missing[1])
    one_known = (is_known[ends[0]] & ~is_missing[0]) | (is_known[ends[1]] & ~is_missing[1])
    has_trouble = np.isin(table.id, np.fromiter(troubles, np.int64, len(troubles)))
    ill = one_known & ~(all_up & ~has_trouble)
    return table.id[ill].tolist(), frozenset(table.id[~one_known].tolist())
