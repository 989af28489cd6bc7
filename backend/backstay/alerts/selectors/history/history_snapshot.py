"""The state of a site at a past moment, from stored history: what was not stored is unknown.

Nodes, links and capacities are those of today; `topology` has no past.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from backstay.alerts.selectors import incidents
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.model.event_kinds import EventKind
from backstay.core.model.load import PortRates
from backstay.core.model.state import GatewayStatus, GatewayUse, OpenIncidents, ReportTimes
from backstay.core.model.topology import Link
from backstay.inventory.models import Site
from backstay.inventory.read_transaction import read_transaction
from backstay.inventory.sql import fetch_rows
from backstay.policy.link_uses import link_uses
from backstay.telemetry.selectors.link_ends import EndNow
from backstay.telemetry.selectors.loads import port_ids
from backstay.telemetry.selectors.nodes import NodeNow
from backstay.telemetry.selectors.site_history import rates_at

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
    def rates(self) -> Mapping[int, PortRates]:
        """Port id -> rates at the moment."""
        return rates_at(self.site, self.now, "mean", self._present, self._node_ids)

    @cached_property
    def measured(self) -> frozenset[int]:
        """Ids of nodes of which a port was measured."""
        ports = self.topology.ports
        return frozenset(ports[port].node_id for port in self.rates if port in ports)

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
    node_incidents: Mapping[int, OpenIncidents]
    link_incidents: Mapping[int, OpenIncidents]


def past_map_facts(site: Site, at: datetime, present: datetime) -> PastMapFacts:
    """Read what is stored of a moment, in one transaction; with few queries for any site."""
    with read_transaction():
        snapshot, known = PastSnapshot(site, at, present), incidents.open_at(site, at)
        for part in ("ends", "carries"):
            getattr(snapshot, part)
        return PastMapFacts(snapshot, incidents.by_node(known), incidents.by_link(known))
