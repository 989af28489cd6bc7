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
from backstay.core.model.load import PortRates
from backstay.core.model.state import GatewayStatus, LinkUse, OpenIncidents, ReportTimes
from backstay.inventory.models import Site
from backstay.inventory.read_transaction import read_transaction
from backstay.policy.link_uses import link_uses
from backstay.telemetry.selectors.link_ends import EndNow
from backstay.telemetry.selectors.nodes import NodeNow
from backstay.telemetry.selectors.past_ports import ports_at
from backstay.telemetry.selectors.site_history import rates_at


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
        known = ports_at(self.site, self.now)
        return {port: EndNow(*state, self.rates.get(port)) for port, state in known.items()}

    @cached_property
    def port_states(self) -> Mapping[int, EndNow]:
        return self.ends

    @cached_property
    def gateways(self) -> dict[int, GatewayStatus]:
        """Empty: what the probes of the moment found is not stored."""
        return {}

    @cached_property
    def carries(self) -> Mapping[int, LinkUse]:
        """Unknown for every link that a policy uses today."""
        return dict.fromkeys(link_uses(self.site, self._present, None), "unknown")


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
