"""ARP of fabrics as their nodes run it, and how far their policies are deployed.

A fabric may have 10,000 nodes: a process keeps what they run by the version of their rows (`row_cache`), and
the names of the fabric's members with the topology. The same as
`core.planning.arp.checks.nodes.split` over `ArpPlanInputs.members`, which plans use.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from backstay.core.model.address_mismatch import AddressMismatch
from backstay.core.model.arp import ArpIntent, FabricArp
from backstay.core.model.topology import Topology
from backstay.core.planning.arp.resolve import desired
from backstay.inventory.models import Site
from backstay.inventory.sql import fetch_rows
from backstay.policy.intents import arp_intents
from backstay.rollout.plans.arp_plan_inputs import ArpPlanInputs
from backstay.telemetry.row_cache import RecentSites, RowCache, version_sql
from backstay.telemetry.selectors.addresses import site_address_mismatches

_VERSIONS = f"""
    SELECT state.node_id AS id, {version_sql("state")} AS version
    FROM telemetry_arpstate AS state JOIN inventory_node AS node ON node.id = state.node_id
    WHERE node.site_id = %(site)s
"""  # noqa: S608 - only names of tables are put in
# The first item of a port counts.
_RUNNING = """
    SELECT state.node_id, jsonb_object_agg(item ->> 'port', item -> 'arp' ORDER BY place DESC)
    FROM telemetry_arpstate AS state
    CROSS JOIN LATERAL jsonb_array_elements(state.ports) WITH ORDINALITY AS reported (item, place)
    WHERE state.node_id = ANY (%s) GROUP BY state.node_id
"""


def _read(_: int, nodes: Sequence[int]) -> dict[int, dict[str, bool | None]]:
    return {node: json.loads(ports) for node, ports in fetch_rows(_RUNNING, [list(nodes)])}


_running = RowCache(_VERSIONS, _read)
"""Node id -> whether ARP is on, by port; missing: not reported."""


@dataclass(frozen=True, slots=True)
class ArpProgress:
    """Deployment progress of an ARP policy."""

    managed: int
    not_managed: tuple[str, ...]
    confirmed: int
    outdated: int

    @property
    def in_force(self) -> bool:
        """Whether any node has it, in any state."""
        return bool(self.confirmed or self.outdated)


@dataclass(frozen=True, slots=True)
class FabricArpStatus:
    """ARP of one fabric, with its policy if it has one; names of nodes in order."""

    fabric: int
    on: tuple[str, ...]
    off: tuple[str, ...]
    unknown: tuple[str, ...]
    """Nodes that have not reported."""
    mismatched: tuple[AddressMismatch, ...]
    """Members that run another address than the site file declares, by node and port."""
    policy: ArpIntent | None
    progress: ArpProgress | None

    @property
    def mixed(self) -> bool:
        """Some run ARP and some do not: they cannot resolve each other."""
        return bool(self.on and self.off)


def fabric_arp_statuses(
    site: Site, topology: Topology, fabrics: Collection[int], now: datetime
) -> dict[int, FabricArpStatus]:
    """Fabric id -> status, of these fabrics of the topology; six queries, and more for deployed policies."""
    shown = [fabric for fabric in fabrics if fabric in topology.fabrics]
    members = _Members(site, topology)
    mismatches: dict[int, list[AddressMismatch]] = {}
    for port, mismatch in site_address_mismatches(site, topology, now, shown).items():
        fabric = topology.ports[port].fabric_id
        if fabric is not None:
            mismatches.setdefault(fabric, []).append(mismatch)
    intents = {intent.fabric: intent for intent in arp_intents(site).values()}
    deployed = _deployed(site)
    inputs = ArpPlanInputs(site, topology, now)
    found = {}
    for fabric in shown:
        intent = intents.get(fabric)
        has = topology.fabrics[fabric].name in deployed
        modes = members.by_mode(fabric)
        found[fabric] = FabricArpStatus(
            fabric=fabric,
            on=modes[True],
            off=modes[False],
            unknown=modes[None],
            mismatched=tuple(sorted(mismatches.get(fabric, ()), key=lambda item: (item.name, item.port))),
            policy=intent,
            progress=None if intent is None else _progress(inputs, intent, members, has_confirmed=has),
        )
    return found


@dataclass(frozen=True, slots=True)
class _Port:
    """A port on a fabric, and its node's name."""

    node: int
    name: str
    port: str


_ports: RecentSites[tuple[Topology, dict[int, tuple[_Port, ...]]]] = RecentSites()
"""By site id: its topology, and the ports of each fabric, by node's name."""


def _ports_of(site: Site, topology: Topology) -> dict[int, tuple[_Port, ...]]:
    known = _ports.get(site.pk)
    if known is None or known[0] is not topology:
        found: dict[int, list[_Port]] = {}
        for port in topology.ports.values():
            if port.fabric_id is not None and not port.management:
                name = topology.nodes[port.node_id].name
                found.setdefault(port.fabric_id, []).append(_Port(port.node_id, name, port.name))
        by_name = {fabric: tuple(sorted(ports, key=_name)) for fabric, ports in found.items()}
        known = (topology, by_name)
        _ports.put(site.pk, known, len(topology.ports))
    return known[1]


def _name(port: _Port) -> str:
    return port.name


class _Members:
    """Names of the nodes on fabrics, in order."""

    def __init__(self, site: Site, topology: Topology) -> None:
        """Three queries at most."""
        self._ports = _ports_of(site, topology)
        self._running = _running.rows(site.pk).values
        self._managed = frozenset(site.nodes.exclude(arp={}).values_list("pk", flat=True))

    def by_mode(self, fabric: int) -> dict[bool | None, tuple[str, ...]]:
        """Nodes with a port whose ARP is on, off or not reported (None)."""
        found: dict[bool | None, dict[str, None]] = {True: {}, False: {}, None: {}}
        nothing: dict[str, bool | None] = {}
        for item in self._ports.get(fabric, ()):
            found[self._running.get(item.node, nothing).get(item.port)][item.name] = None
        return {mode: tuple(names) for mode, names in found.items()}

    def managed(self, fabric: int, *, managed: bool) -> tuple[str, ...]:
        """Nodes whose ARP Backstay may change, or the others."""
        ports = self._ports.get(fabric, ())
        return tuple(dict.fromkeys(item.name for item in ports if (item.node in self._managed) is managed))


_DEPLOYED = """
    SELECT DISTINCT part ->> 'fabric'
    FROM rollout_intended AS intended JOIN inventory_node AS node ON node.id = intended.node_id
    CROSS JOIN LATERAL jsonb_array_elements(intended.arp -> 'fabrics') AS part
    WHERE node.site_id = %s AND intended.arp IS NOT NULL AND node.arp <> '{}'
"""


def _deployed(site: Site) -> frozenset[str]:
    """Names of the fabrics whose policy some node has confirmed; one query."""
    return frozenset(name for (name,) in fetch_rows(_DEPLOYED, [site.pk]))


def _progress(
    inputs: ArpPlanInputs, intent: ArpIntent, members: _Members, *, has_confirmed: bool
) -> ArpProgress:
    confirmed, outdated = _versions(inputs, intent) if has_confirmed else (0, 0)
    return ArpProgress(
        managed=len(members.managed(intent.fabric, managed=True)),
        not_managed=members.managed(intent.fabric, managed=False),
        confirmed=confirmed,
        outdated=outdated,
    )


def _versions(inputs: ArpPlanInputs, intent: ArpIntent) -> tuple[int, int]:
    """Numbers of nodes that have the policy as it is now, and an older version; reads every member."""
    site = inputs.read([intent])
    name = site.topology.fabrics[intent.fabric].name
    # An address mismatch does not make the deployed policy outdated: it blocks the plan instead.
    as_given = tuple(replace(member, address_mismatch=None) for member in site.members[intent.fabric])
    aim = desired(replace(site, members={intent.fabric: as_given}), (intent,))
    has = {node: _part(item.fabrics, name) for node, item in site.confirmed.items()}
    known = {node: part for node, part in has.items() if part is not None}
    current = sum(part == _part(aim[node].fabrics, name) for node, part in known.items())
    return current, len(known) - current


def _part(fabrics: tuple[FabricArp, ...], name: str) -> FabricArp | None:
    return next((fabric for fabric in fabrics if fabric.fabric == name), None)
