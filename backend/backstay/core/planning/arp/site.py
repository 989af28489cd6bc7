"""Input of an ARP plan and of its checks, in frozen values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from backstay.core.model.address_mismatch import AddressMismatch
from backstay.core.model.arp import ArpFiles, ArpIntent, Member, NodeArp, ObservedArp
from backstay.core.model.arp_plan import HandOver, NodeArpPlan
from backstay.core.model.routing import Address
from backstay.core.model.topology import Topology
from backstay.core.planning.digest import digest


@dataclass(frozen=True, slots=True)
class TableEntry:
    """An entry of a device's own table; states are the kernel's (ip-neighbour(8)) or ipNetToMedia's."""

    mac: str
    state: str

    @property
    def lasting(self) -> bool:
        """Whether it is configured; learnt entries disappear when ARP is switched off."""
        return self.state in {"permanent", "static"}


@dataclass(frozen=True, slots=True)
class ArpSite:
    """Current state of a site. Mappings are by node id, `members` by fabric id."""

    topology: Topology
    members: Mapping[int, tuple[Member, ...]]
    """Of the policies' fabrics."""
    files: Mapping[int, ArpFiles]
    """Of the nodes whose ARP is managed."""
    observed: Mapping[int, ObservedArp]
    confirmed: Mapping[int, NodeArp]
    held: Mapping[int, Mapping[Address, TableEntry]] = field(default_factory=dict)
    """Neighbour tables of unmanaged nodes."""
    alone: Mapping[int, tuple[tuple[str, Address], ...]] = field(default_factory=dict)
    """Next hops, (port, address), of nodes whose agents reach the controller only over the fabrics."""
    systems: Mapping[int, str] = field(default_factory=dict)
    address_mismatches: Mapping[int, AddressMismatch] = field(default_factory=dict)
    """Port id -> address mismatch, for the whole site."""
    wave_limit: int = 200
    holds: Mapping[int, str] = field(default_factory=dict)
    """Node id -> `held until 14:32 UTC by alice`; not part of `inputs`."""

    def inputs(self, intents: Iterable[ArpIntent]) -> str:
        """SHA-256 over the inputs that must not change before the plan is applied."""
        return digest(list(self.parts(intents).values()))

    def parts(self, intents: Iterable[ArpIntent]) -> dict[str, str]:
        """`inputs` in parts, by the label shown if the part has changed."""
        names = {node.id: node.name for node in self.topology.nodes.values()}
        about = {*self.files, *(member.node for known in self.members.values() for member in known)}
        lasting = {fabric: [_lasting(item) for item in known] for fabric, known in self.members.items()}
        running = {
            f"the running or saved ARP state of {names.get(node, node)}": item.digest
            for node, item in self.observed.items()
        }
        kept = {
            f"the confirmed ARP state of {names.get(node, node)}": digest(item)
            for node, item in self.confirmed.items()
        }
        return {
            "the fabric's members": digest(lasting),
            "the ARP policies": digest(list(intents)),
            "the nodes with managed ARP": digest(self.files),
            "the wave limit": digest(self.wave_limit),
            "the running addresses": digest(
                {port: item for port, item in self.address_mismatches.items() if item.node in about}
            ),
            **running,
            **kept,
        }


def _lasting(member: Member) -> tuple[object, ...]:
    """A member without its liveness, which changes all the time."""
    return (
        member.node, member.name, member.port, member.addresses, member.networks, member.number,
        member.mac, member.managed, member.own_agent, member.extension,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ArpProposal:
    """The site, the intended state, and the drafts."""

    site: ArpSite
    intents: tuple[ArpIntent, ...]
    wanted: Mapping[int, NodeArp]
    nodes: tuple[NodeArpPlan, ...]
    faults: Mapping[int, str]
    """Node id -> reason why its files cannot be written."""
    clashes: tuple[str, ...]
    """Conflicting table settings of two fabrics' policies, as text."""
    hand_overs: tuple[HandOver, ...]
    waves: tuple[tuple[int, ...], ...]

    def name(self, node: int) -> str:
        """A node's name; its number if the site no longer has the node."""
        known = self.site.topology.nodes.get(node)
        return f"node {node}" if known is None else known.name

    def fabric(self, intent: ArpIntent) -> str:
        """Name of the policy's fabric."""
        return self.site.topology.fabrics[intent.fabric].name

    def off(self) -> Iterable[tuple[ArpIntent, tuple[Member, ...]]]:
        """Fabrics to switch off ARP on, with their members."""
        return ((intent, self.site.members[intent.fabric]) for intent in self.intents if intent.mode == "off")
