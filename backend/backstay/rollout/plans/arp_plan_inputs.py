"""Inputs of an ARP plan: fabric members, running state and confirmed state."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from ipaddress import ip_address

from django.db.models import F

from backstay.core.model.address_mismatch import AddressMismatch
from backstay.core.model.arp import ArpFiles, ArpIntent, Member, NodeArp, ObservedArp
from backstay.core.model.freshness import is_fresh
from backstay.core.model.routing import Address
from backstay.core.model.topology import Topology
from backstay.core.planning.arp.members import Known, members
from backstay.core.planning.arp.site import ArpSite, TableEntry
from backstay.inventory.models import Site
from backstay.policy.intents import arp_intents
from backstay.rollout.models import Intended
from backstay.rollout.wire_codec import decode_arp, decode_arp_files, decode_observed_arp
from backstay.telemetry.models import ArpState, Neighbour, NodeState, PortState, Route
from backstay.telemetry.selectors.addresses import site_address_mismatches

_Hops = dict[int, tuple[tuple[str, Address], ...]]


@dataclass(frozen=True)
class ArpPlanInputs:
    """One snapshot of a site for ARP planning; every part is read once, on first use."""

    site: Site
    topology: Topology
    now: datetime

    @cached_property
    def policies(self) -> dict[int, ArpIntent]:
        """ARP policies by id."""
        return arp_intents(self.site)

    @cached_property
    def files(self) -> dict[int, ArpFiles]:
        """Node id -> boot files; a node without them is not managed."""
        rows = self.site.nodes.exclude(arp={}).values_list("pk", "arp")
        return {node: decode_arp_files(stored) for node, stored in rows}

    @cached_property
    def observed(self) -> dict[int, ObservedArp]:
        """Node id -> running and saved state."""
        rows = ArpState.objects.filter(node__site=self.site).order_by("node_id")
        return {row.node_id: decode_observed_arp(row) for row in rows}

    @cached_property
    def confirmed(self) -> dict[int, NodeArp]:
        """Node id -> confirmed ARP, for managed nodes."""
        rows = Intended.objects.filter(node__site=self.site, arp__isnull=False).order_by("node_id")
        return {
            node: decode_arp(name, node, self.files[node], stored)
            for node, name, stored in rows.values_list("node_id", "node__name", "arp")
            if node in self.files and stored is not None
        }

    @cached_property
    def known(self) -> Known:
        """Ports and nodes; MAC addresses from the node's own agent, else from device reports."""
        rows = PortState.objects.filter(port__node__site=self.site).exclude(mac="")
        macs = dict(rows.values_list("port_id", "mac"))
        reported = {
            (node, port.port): port.mac for node, item in self.observed.items() for port in item.ports
        }
        for port in self.topology.ports.values():
            mac = reported.get((port.node_id, port.name))
            if mac:
                macs[port.id] = mac
        last_reports = NodeState.objects.filter(node__site=self.site).values_list(
            "node_id", "last_reported_at"
        )
        return Known(
            macs=macs,
            managed=frozenset(self.files),
            own_agent=frozenset(self.site.nodes.filter(watcher=F("pk")).values_list("pk", flat=True)),
            alive=frozenset(
                node for node, at in last_reports if is_fresh(at, self.now, self.site.interval_s)
            ),
            address_mismatches=self.mismatches,
        )

    @cached_property
    def mismatches(self) -> dict[int, AddressMismatch]:
        """Port id -> declared addresses that it does not run."""
        return site_address_mismatches(self.site, self.topology, self.now)

    @cached_property
    def policy_site(self) -> ArpSite:
        """Planner input for every policy."""
        return self.read(self.policies.values())

    def members(self, fabric: int) -> tuple[Member, ...]:
        """Of one fabric."""
        return members(self.topology, fabric, self.known)

    def read(self, wanted: Iterable[ArpIntent], restored: Set[int] = frozenset()) -> ArpSite:
        """Planner input for these policies and nodes only."""
        known = {
            item.fabric: self.members(item.fabric) for item in wanted if item.fabric in self.topology.fabrics
        }
        people = {m.node for item in known.values() for m in item if not m.managed and not m.own_agent}
        hosts = {m.node for item in known.values() for m in item if m.managed}
        names = {self.topology.fabrics[fabric].name for fabric in known}
        concerned = {
            node
            for node, item in self.confirmed.items()
            if node in restored or any(part.fabric in names for part in item.fabrics)
        }
        concerned |= {member.node for item in known.values() for member in item}
        return ArpSite(
            topology=self.topology,
            members=known,
            files={node: item for node, item in self.files.items() if node in concerned},
            observed={node: item for node, item in self.observed.items() if node in concerned},
            confirmed={node: item for node, item in self.confirmed.items() if node in concerned},
            held=self._held(people),
            alone=self._alone(hosts),
            systems=self._systems(people),
            address_mismatches=self.mismatches,
            wave_limit=self.site.wave_limit,
        )

    def _held(self, nodes: Collection[int]) -> dict[int, dict[Address, TableEntry]]:
        """ARP tables of devices; one query."""
        found: dict[int, dict[Address, TableEntry]] = {}
        rows = Neighbour.objects.filter(node__in=nodes).values_list("node_id", "address", "mac", "state")
        for node, address, mac, state in rows:
            found.setdefault(node, {})[ip_address(address)] = TableEntry(mac, state)
        return found

    def _alone(self, nodes: Collection[int]) -> _Hops:
        """Next hops of hosts without a management port; two queries."""
        rows = self.site.nodes.filter(pk__in=nodes).exclude(ports__management=True)
        alone = list(rows.values_list("pk", flat=True))
        found: _Hops = {}
        hops = Route.objects.filter(node__in=alone, via__isnull=False).order_by("node_id", "port", "via")
        for node, port, via in hops.values_list("node_id", "port", "via").distinct():
            if via is not None:
                found[node] = (*found.get(node, ()), (port, ip_address(via)))
        return found

    def _systems(self, nodes: Collection[int]) -> dict[int, str]:
        rows = self.site.nodes.filter(pk__in=nodes).values_list("pk", "sources")
        return {node: source["system"] for node, sources in rows for source in sources if "system" in source}
