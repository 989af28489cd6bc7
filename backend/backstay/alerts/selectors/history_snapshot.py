"""The state of a site at a past moment, from stored history: what was not stored is unknown.

Nodes, links and capacities are those of today; `topology` has no past.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from backstay.alerts.selectors import incidents
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.model.event_kinds import EventKind
from backstay.core.model.load import PortRates
from backstay.core.model.state import GatewayStatus, GatewayUse, OpenIncidents, ReportTimes
from backstay.inventory.models import Site
from backstay.inventory.read_transaction import read_transaction
from backstay.inventory.sql import fetch_rows
from backstay.policy.link_uses import link_uses
from backstay.telemetry.selectors.link_ends import EndNow
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
    WHERE link.site_id = %(site)s
"""


def _ports_at(site: Site, at: datetime) -> dict[int, tuple[bool | None, bool | None, datetime | None]]:
    """Port id -> (operationally up, administratively up, since) of the site's linked ports; None: unknown."""
    kinds = [EventKind.PORT_DOWN.value, EventKind.PORT_UP.value]
    values = {"site": site.pk, "at": at, "kinds": kinds, "down": EventKind.PORT_DOWN.value}
    return {port: (up, admin, since) for port, up, admin, since in fetch_rows(_PAST, values)}


class PastSnapshot(SiteSnapshot):
    """A site at `now`, a moment before `present`; of the whole site.

    A node whose ports were measured at the moment reported then. Loads are means of five minutes.
    """

    def __init__(self, site: Site, at: datetime, present: datetime) -> None:
        super().__init__(site, at)
        self._present = present

    @cached_property
    def rates(self) -> Mapping[int, PortRates]:
        """Port id -> rates at the moment."""
        return rates_at(self.site, self.now, "mean", self._present)

    @cached_property
    def nodes(self) -> dict[int, NodeNow]:
        ports = self.topology.ports
        measured = {ports[port].node_id for port in self.rates if port in ports}
        return {
            node: NodeNow(ReportTimes(at=self.now if node in measured else None, watched=True), None)
            for node in self.topology.nodes
        }

    @cached_property
    def ends(self) -> dict[int, EndNow]:
        known = _ports_at(self.site, self.now)
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
        return dict.fromkeys(link_uses(self.site, self._present, None), unknown)


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
