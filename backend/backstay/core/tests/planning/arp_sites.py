"""Small SP complexes as values for ARP tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from ipaddress import ip_address, ip_interface

from backstay.core.model.address_mismatch import AddressMismatch, address_mismatches
from backstay.core.model.arp import (
    ArpFiles,
    ArpIntent,
    NodeArp,
    ObservedArp,
    RunningPortArp,
    Settings,
)
from backstay.core.model.arp_plan import ArpPlan
from backstay.core.model.plan import Finding
from backstay.core.model.routing import SavedFile
from backstay.core.model.topology import Fabric, Node, Port, Topology
from backstay.core.planning.arp.members import Known, members
from backstay.core.planning.arp.plan import make_arp_plan
from backstay.core.planning.arp.site import ArpSite, TableEntry

FABRIC = 1
GRF = 900
FILES = ArpFiles("/etc/backstay/arp", "/etc/sysctl.d/60-backstay-arp.conf")
HAS: Settings = (("ipv4.conf.arp_ignore", 0), ("ipv4.neigh.gc_stale_time", 60))
OFF = ArpIntent(1, FABRIC, "off")


def mac(number: int) -> str:
    """A locally administered address."""
    return f"02:00:00:00:{number >> 8:02x}:{number & 255:02x}"


@dataclass
class Complex:
    """`count` nodes from sp01 on one switch, and an unmanaged GigaRouter."""

    count: int = 3
    with_grf: bool = True
    addresses: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Node name -> addresses that replace its own."""
    runs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Node name -> running addresses in its agent's report; absent: as in the site file."""
    numbers: dict[str, int | None] = field(default_factory=dict)
    unmanaged: frozenset[str] = frozenset()
    silent: frozenset[str] = frozenset()
    flags: dict[str, bool] = field(default_factory=dict)
    """Node name -> whether its ARP is on; absent: on."""
    running: dict[str, RunningPortArp] = field(default_factory=dict)
    macs: dict[str, str] = field(default_factory=dict)
    held: Mapping[str, TableEntry] | None = None
    """The GigaRouter's table by address; None: all required permanent entries."""
    table: Settings = ()
    confirmed: dict[int, NodeArp] = field(default_factory=dict)
    wave_limit: int = 200
    kind: str = "sp_switch"
    alone: dict[int, tuple[tuple[str, str], ...]] = field(default_factory=dict)

    @property
    def names(self) -> dict[int, str]:
        """Nodes by id; the id is the node number."""
        found = {number: f"sp{number:02}" for number in range(1, self.count + 1)}
        return {**found, GRF: "grf1"} if self.with_grf else found

    def _addresses(self, ident: int, name: str) -> tuple[str, ...]:
        own = 254 if ident == GRF else ident
        return self.addresses.get(name, (f"10.1.{own // 256}.{own % 256}/16",))

    def _number(self, ident: int, name: str) -> int | None:
        return self.numbers.get(name, 253 if ident == GRF else ident - 1)

    def topology(self) -> Topology:
        """Ports have the id of their node."""
        nodes = {
            ident: Node(
                ident, name, "gateway" if ident == GRF else "host", "compute",
                switch_number=self._number(ident, name),
            )
            for ident, name in self.names.items()
        }  # fmt: skip
        ports = {
            ident: Port(ident, ident, "gt000" if ident == GRF else "css0", FABRIC, False, addresses)
            for ident, name in self.names.items()
            for addresses in [self._addresses(ident, name)]
        }
        fabric = Fabric(FABRIC, "sp-switch", self.kind, 1, 1, 65520, "on")
        return Topology("anl", {FABRIC: fabric}, nodes, ports, {})

    def observed(self) -> dict[int, ObservedArp]:
        """Running state of every node with an agent."""
        return {
            ident: ObservedArp(ident, 0, f"{ident:064x}", (self._running(ident, name),), self.table)
            for ident, name in self.names.items()
            if ident != GRF and name not in self.silent
        }

    def _running(self, ident: int, name: str) -> RunningPortArp:
        known = RunningPortArp("css0", self.flags.get(name, True), mac(ident), HAS)
        return self.running.get(name, known)

    def _held(self) -> dict[object, TableEntry]:
        if self.held is None:
            pairs = self.topology().addresses
            return {address: TableEntry(mac(port.id), "static") for address, port in pairs if port.id != GRF}
        return {ip_address(address): held for address, held in self.held.items()}

    def site(self, *, alive: Iterable[int] | None = None) -> ArpSite:
        """As planner input."""
        topology = self.topology()
        managed = {i for i, name in self.names.items() if i != GRF and name not in self.unmanaged}
        known = Known(
            macs={i: self.macs.get(name, mac(i)) for i, name in self.names.items()},
            managed=managed,
            own_agent={i for i in self.names if i != GRF},
            alive=set(self.names if alive is None else alive),
            address_mismatches=self.address_mismatches(topology),
        )
        return ArpSite(
            topology=topology,
            members={FABRIC: members(topology, FABRIC, known)},
            files=dict.fromkeys(managed, FILES),
            observed=self.observed(),
            confirmed=self.confirmed,
            held={GRF: self._held()},  # type: ignore[dict-item]
            alone={
                node: tuple((port, ip_address(via)) for port, via in hops)
                for node, hops in self.alone.items()
            },
            address_mismatches=dict(known.address_mismatches),
            wave_limit=self.wave_limit,
        )

    def address_mismatches(self, topology: Topology) -> dict[int, AddressMismatch]:
        """Ports with another running address."""
        ids = {name: ident for ident, name in self.names.items()}
        running = {
            ids[name]: {ids[name]: tuple(map(ip_interface, reported))} for name, reported in self.runs.items()
        }
        return address_mismatches(topology, running)

    def plan(self, *intents: ArpIntent, alive: Iterable[int] | None = None) -> ArpPlan:
        """For these intents; without intents ARP is switched off."""
        return make_arp_plan(self.site(alive=alive), intents or (OFF,))


def found(plan: ArpPlan, check: str) -> list[Finding]:
    """Texts of one check."""
    return [finding for finding in plan.findings if finding.check == check]


def failing(plan: ArpPlan) -> set[str]:
    """The blocking checks."""
    return {finding.check for finding in plan.findings if finding.level == "failed"}


def applied(plan: ArpPlan, observed: Mapping[int, ObservedArp]) -> dict[int, ObservedArp]:
    """Reports of the nodes once the plan is deployed and saved."""
    after = dict(observed)
    for node in plan.nodes:
        before = observed[node.arp.node_id]
        wanted = node.arp.ports
        ports = tuple(
            port
            if (aim := wanted.get(port.port)) is None
            else replace(
                port,
                arp=port.arp if aim.arp is None else aim.arp,
                settings=tuple(sorted({**dict(port.settings), **dict(aim.settings)}.items())),
                neighbours=port.neighbours if aim.arp is None else aim.neighbours,
            )
            for port in before.ports
        )
        after[node.arp.node_id] = replace(before, ports=ports, files=_saved(plan, node.arp.node_id))
    return after


def _saved(plan: ArpPlan, node: int) -> tuple[SavedFile, ...]:
    mine = next(item for item in plan.nodes if item.arp.node_id == node)
    return tuple(SavedFile(file.path, "0" * 64, file.after) for file in mine.files)
