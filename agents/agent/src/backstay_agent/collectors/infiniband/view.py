"""A discovered fabric as the wire's values, device by device: ports, neighbours, states. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from backstay_agent.collectors.infiniband.cables import CableCheck, check
from backstay_agent.collectors.infiniband.grades import LANES, Grade, grade
from backstay_agent.collectors.infiniband.names import Names
from backstay_agent.collectors.infiniband.sweeper import DiscoveredFabric
from backstay_agent.parsers import text
from backstay_agent.parsers.infiniband.ib_links import PortLink
from backstay_agent.parsers.infiniband.ib_topology import Cable, FabricNode, PortKey
from backstay_wire import Adjacency, ExpectedCable, MetricValue, PortState

IF_TYPE = 199
"""infiniband of IANAifType-MIB."""
_NO_LINK = PortLink("down", "unknown")


@dataclass(slots=True)
class DeviceView:
    """One of our devices in the fabric."""

    nodes: list[FabricNode] = field(default_factory=list)
    """Its switch, or its adapters."""
    ports: list[PortState] = field(default_factory=list)
    keys: list[PortKey] = field(default_factory=list)
    """Of `ports`, in their order."""
    adjacencies: list[Adjacency] = field(default_factory=list)
    states: list[MetricValue] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The node description, or those of all its adapters: data."""
        return text.text("; ".join(node.name for node in self.nodes))

    @property
    def description(self) -> str:
        """The device's own description: untrusted data."""
        parts = (f"InfiniBand {node.kind}, {node.port_count} ports, GUID {node.guid}" for node in self.nodes)
        return text.text("; ".join(parts))


@dataclass(frozen=True, slots=True)
class FabricView:
    """The whole fabric: our devices by name, and its cable faults."""

    devices: Mapping[str, DeviceView]
    cables: CableCheck
    degraded: int
    """Links below the width or speed of similar links that both ends support."""
    could_do_more: int
    """Links below the width or speed that both ends report as supported."""


def view(fabric: DiscoveredFabric, names: Names, expected: Sequence[ExpectedCable]) -> FabricView:
    """The view of `fabric` with our names; an empty list of expected cables disables the comparison."""
    topology = fabric.topology
    pairs = [((cable.node, cable.port), (cable.peer, cable.peer_port)) for cable in expected]
    seen = {
        names.place(topology, key): names.place(topology, cable.peer)
        for key, cable in topology.cables.items()
    }
    cables = check(pairs, seen) if expected else CableCheck({}, ())
    grades = grade(fabric)
    devices: dict[str, DeviceView] = {}
    for node in topology.nodes.values():
        name = names.device(node.guid)
        if name:
            _add(devices.setdefault(name, DeviceView()), node, _Context(fabric, names, cables, grades))
    more = [key for key, link in fabric.links.items() if link.could_width or link.could_speed]
    slow = [key for key, found in grades.items() if found.narrow or found.slow]
    return FabricView(devices, cables, _count_cables(fabric, slow), _count_cables(fabric, more))


def _count_cables(fabric: DiscoveredFabric, keys: Iterable[PortKey]) -> int:
    cables = fabric.topology.cables
    return len({frozenset((key, cables[key].peer)) for key in keys if key in cables})


@dataclass(frozen=True, slots=True)
class _Context:
    """Input of one node's view."""

    fabric: DiscoveredFabric
    names: Names
    cables: CableCheck
    grades: Mapping[PortKey, Grade]


def _add(device: DeviceView, node: FabricNode, context: _Context) -> None:
    fabric, names, cables = context.fabric, context.names, context.cables
    device.nodes.append(node)
    name = names.device(node.guid)
    for number in range(1, node.port_count + 1):
        key = (node.guid, number)
        port, cable = names.port(fabric.topology, key), fabric.topology.cables.get(key)
        link = fabric.links.get(key, _NO_LINK)
        if cable is not None and link is _NO_LINK:
            link = PortLink("active", "linkup", cable.width)
        device.keys.append(key)
        device.ports.append(_port_state(port, node, number, link, cable))
        device.states += _states(port, link, context.grades.get(key))
        if cable is not None:
            device.adjacencies.append(_adjacency(port, cable, link, fabric, names))
        if (name, port) in cables.ends:
            device.states.append(MetricValue(subject=port, metric="ib.cable", value=cables.ends[name, port]))


def _port_state(name: str, node: FabricNode, number: int, link: PortLink, cable: Cable | None) -> PortState:
    return PortState(
        name=name,
        index=number,
        if_type=IF_TYPE,
        speed=LANES.get(cable.speed, 0) * cable.width if cable is not None else 0,
        admin_up=link.physical != "disabled",
        oper_up=link.state == "active",
        mac=_eui64(node.port_guids.get(number) or node.port_guids.get(0) or node.guid),
    )


def _eui64(guid: str) -> str:
    return bytes.fromhex(guid.removeprefix("0x")).hex(":")


def _states(port: str, link: PortLink, found: Grade | None) -> Iterable[MetricValue]:
    """States of a port whose link runs; an unconnected port has no meaningful ones."""
    if found is None and link.state == _NO_LINK.state:
        return
    yield MetricValue(subject=port, metric="ib.port_state", value=link.state)
    if found is not None:
        yield MetricValue(subject=port, metric="ib.link_width", value="degraded" if found.narrow else "full")
        yield MetricValue(subject=port, metric="ib.link_speed", value="degraded" if found.slow else "full")


def _adjacency(port: str, cable: Cable, link: PortLink, fabric: DiscoveredFabric, names: Names) -> Adjacency:
    guid = cable.peer[0]
    peer = fabric.topology.nodes.get(guid)
    return Adjacency(
        port=port,
        peer=names.device(guid),
        peer_name=peer.name[:256] if peer is not None else "",
        peer_id=guid,
        peer_port=names.port(fabric.topology, cable.peer),
        width=f"{cable.width}X {link.speed or cable.speed}"[:16],
    )
