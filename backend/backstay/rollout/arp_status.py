"""ARP of fabrics as their nodes run it, and how far their policies are deployed: counted by PostgreSQL.

A fabric may have 10,000 nodes, so a page reads no member as a value. The same as
`core.planning.arp.checks.nodes.split` over `ArpPlanInputs.members`, which plans use.
"""

from __future__ import annotations

from collections.abc import Collection
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
from backstay.telemetry.selectors.addresses import site_address_mismatches

# Names in the order of Python's sort, whatever the collation of the database.
_MEMBERS = """
    WITH member AS (
        SELECT port.fabric_id, node.name::text COLLATE "C" AS name, node.arp <> '{}' AS managed, running.arp
        FROM inventory_port AS port
        JOIN inventory_node AS node ON node.id = port.node_id
        LEFT JOIN telemetry_arpstate AS state ON state.node_id = node.id
        LEFT JOIN LATERAL (
            SELECT (item ->> 'arp')::boolean AS arp
            FROM jsonb_array_elements(state.ports) WITH ORDINALITY AS reported (item, place)
            WHERE item ->> 'port' = port.name ORDER BY place LIMIT 1
        ) AS running ON true
        WHERE port.fabric_id = ANY (%(fabrics)s) AND NOT port.management AND (
            port.declared OR EXISTS (SELECT FROM inventory_link AS link WHERE link.a_id = port.id)
            OR EXISTS (SELECT FROM inventory_link AS link WHERE link.b_id = port.id)
        )
    )
    SELECT fabric_id, arp, managed, array_agg(DISTINCT name ORDER BY name)
    FROM member GROUP BY fabric_id, arp, managed
"""


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
    """Fabric id -> status, of these fabrics of the topology; four queries, and more for deployed policies."""
    shown = [fabric for fabric in fabrics if fabric in topology.fabrics]
    members = _Members.read(shown)
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
        found[fabric] = FabricArpStatus(
            fabric=fabric,
            on=members.running(fabric, arp=True),
            off=members.running(fabric, arp=False),
            unknown=members.running(fabric, arp=None),
            mismatched=tuple(sorted(mismatches.get(fabric, ()), key=lambda item: (item.name, item.port))),
            policy=intent,
            progress=None if intent is None else _progress(inputs, intent, members, has_confirmed=has),
        )
    return found


@dataclass(frozen=True, slots=True)
class _Members:
    """Names of the nodes on fabrics."""

    names: dict[tuple[int, bool | None, bool], list[str]]
    """(fabric id, whether ARP is on, whether it is managed) -> names; None: not reported."""

    @classmethod
    def read(cls, fabrics: Collection[int]) -> _Members:
        """One query."""
        rows = fetch_rows(_MEMBERS, {"fabrics": list(fabrics)})
        return cls({(fabric, arp, managed): names for fabric, arp, managed, names in rows})

    def running(self, fabric: int, *, arp: bool | None) -> tuple[str, ...]:
        """Nodes with a port in this state."""
        return self._merged(*(self.names.get((fabric, arp, managed), []) for managed in (True, False)))

    def managed(self, fabric: int, *, managed: bool) -> tuple[str, ...]:
        """Nodes whose ARP Backstay may change, or the others."""
        return self._merged(*(self.names.get((fabric, arp, managed), []) for arp in (True, False, None)))

    @staticmethod
    def _merged(*parts: list[str]) -> tuple[str, ...]:
        filled = [part for part in parts if part]
        return (
            tuple(filled[0]) if len(filled) == 1 else tuple(sorted({*(n for part in filled for n in part)}))
        )


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
