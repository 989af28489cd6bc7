"""Site `zoo`: forty makes of SNMP devices next to a small cluster of real nodes.

The devices are recordings of our own (`backstay_lab.zoo`), which one snmpsim serves: a tree of switches, with
routers, firewalls, hosts and power equipment attached to it. `mgmt1` polls all of them. The compute nodes,
the two gateways between them and the campus, and the server there are namespaces with real daemons.

Rates are real: the recordings count at their ports' speeds, and the cluster's Ethernet has 100 Mb/s.
`--rate-scale` applies to both.
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network

from backstay_lab.blueprint import (
    Blueprint,
    End,
    FabricSpec,
    FlowSpec,
    HopSpec,
    LinkSpec,
    NodeSpec,
    Parameters,
    Policy,
    PortSpec,
    RouteSpec,
    SnmpEndpoint,
)
from backstay_lab.errors import LabError
from backstay_lab.sites.parts import MANAGEMENT as MANAGEMENT_FABRIC
from backstay_lab.sites.parts import (
    MANAGEMENT_NET,
    RELAY,
    UDP_OVERHEAD,
    management_host,
    management_port,
    on,
)
from backstay_lab.zoo.catalogue import kinds, links, zoo
from backstay_lab.zoo.device import ZooDevice
from backstay_lab.zoo.service import NAME, zoo_service

INTERVAL_S = 15
MAX_NODES = 16
FIRST_DEVICE = 100
"""Host part before the first device's on the management network."""
SETTINGS = {"devices": float(len(kinds()))}
MEANINGS = {"devices": f"number of SNMP devices, 1 to {len(kinds())}"}


def _ethernet(
    name: str, title: str, rate: int, *, shared: bool = False, usable: int | None = None
) -> FabricSpec:
    return FabricSpec(
        name=name,
        title=title,
        kind="ethernet",
        media_rate=rate,
        usable_rate=usable or rate,
        mtu=1500,
        if_type=6,
        shared=shared,
        wiring="veth" if shared else "none",
    )


CLUSTER = _ethernet("cluster", "Fast Ethernet of the cluster", 100_000_000, shared=True)
CAMPUS = _ethernet("campus", "Fast Ethernet of the campus", 100_000_000, shared=True)
CLUSTER_NET, CAMPUS_NET = IPv4Network("10.1.0.0/24"), IPv4Network("10.2.0.0/24")
GATEWAYS = ("gw1", "gw2")
SERVER = "server1"
SERVER_HOST, FIRST_COMPUTE = 10, 10
WIRES = {
    100_000_000: _ethernet("ethernet-100m", "Fast Ethernet between devices", 100_000_000),
    1_000_000_000: _ethernet("ethernet-1g", "Gigabit Ethernet between devices", 1_000_000_000),
    10_000_000_000: _ethernet("ethernet-10g", "10 Gigabit Ethernet between devices", 10_000_000_000),
    40_000_000_000: _ethernet("ethernet-40g", "40 Gigabit Ethernet between devices", 40_000_000_000),
}
"""The devices' cables by their ports' speed."""


def blueprint(parameters: Parameters) -> Blueprint:
    """The site for these parameters; LabError when one is out of range."""
    count = int(parameters.setting("devices"))
    if not 1 <= count <= len(kinds()) or not 1 <= parameters.nodes <= MAX_NODES:
        raise LabError(
            f"{count} devices and {parameters.nodes} compute nodes do not fit.",
            f"Choose 1 to {len(kinds())} devices and 1 to {MAX_NODES} nodes.",
        )
    devices = {device.name: device for device in zoo(count)}
    cables = tuple(_cables(devices))
    used = {link.fabric for link in cables}
    nodes = (*_computes(parameters.nodes), *map(_gateway, (1, 2)), _server(), management_host())
    return Blueprint(
        site="zoo",
        title="Forty makes of SNMP devices next to a cluster",
        parameters=parameters,
        fabrics=(
            CLUSTER,
            CAMPUS,
            *(fabric for fabric in WIRES.values() if fabric.name in used),
            MANAGEMENT_FABRIC,
        ),
        nodes=(*nodes, *(_device(device, cables) for device in devices.values())),
        links=(
            *(LinkSpec(port.fabric, End(node.name, port.name)) for node in nodes for port in _data(node)),
            *cables,
        ),
        policies=(_policy(),),
        flows=tuple(_flows(parameters)),
        relay=RELAY,
        interval_s=INTERVAL_S,
        services=(zoo_service(list(devices.values()), address_of),),
    )


def address_of(device: ZooDevice) -> IPv4Address:
    """Where the device answers."""
    return on(MANAGEMENT_NET, FIRST_DEVICE + device.number).ip


def _data(node: NodeSpec) -> list[PortSpec]:
    return [port for port in node.ports if port.fabric != MANAGEMENT_FABRIC.name]


def _cables(devices: dict[str, ZooDevice]) -> Iterator[LinkSpec]:
    for link in links(len(devices)):
        fabric = WIRES[devices[link.a[0]].port(link.a[1]).speed]
        yield LinkSpec(fabric.name, End(*link.a), End(*link.b))


def _device(device: ZooDevice, cables: tuple[LinkSpec, ...]) -> NodeSpec:
    """Only its cabled ports are in the site file: the others are discovered."""
    fabrics = {end: link.fabric for link in cables for end in (link.a, link.b) if end is not None}
    attached = [
        PortSpec(port.name, fabrics[end], None)
        for port in device.ports
        if (end := End(device.name, port.name)) in fabrics
    ]
    return NodeSpec(
        name=device.name,
        title=device.make,
        kind=device.kind,
        role="switch" if device.kind == "switch" else "device",
        ports=tuple(attached),
        service=None,
        watcher="mgmt1",
        simulated_by=NAME,
        snmp=SnmpEndpoint(address_of(device), "3" if "v3" in device.quirks else "2c"),
    )


def _hops(net: IPv4Network, port: str) -> tuple[HopSpec, ...]:
    """Both gateways as seen from one of their networks."""
    return tuple(HopSpec(name, on(net, place).ip, port) for place, name in enumerate(GATEWAYS, start=1))


def _computes(count: int) -> Iterator[NodeSpec]:
    for number in range(1, count + 1):
        port = PortSpec("eth0", CLUSTER.name, on(CLUSTER_NET, FIRST_COMPUTE + number))
        yield NodeSpec(
            name=f"node{number}",
            title="Compute node",
            kind="host",
            role="compute",
            ports=(port, management_port(10 + number)),
            service=port.interface.ip,
            routes=(RouteSpec(CAMPUS_NET, _hops(CLUSTER_NET, "eth0")),),
        )


def _gateway(number: int) -> NodeSpec:
    inside = PortSpec("eth0", CLUSTER.name, on(CLUSTER_NET, number))
    outside = PortSpec("eth1", CAMPUS.name, on(CAMPUS_NET, number))
    return NodeSpec(
        name=GATEWAYS[number - 1],
        title="Gateway between cluster and campus",
        kind="gateway",
        role="gateway",
        ports=(inside, outside, management_port(200 + number)),
        service=inside.interface.ip,
        routes=(RouteSpec(CAMPUS_NET, ()), RouteSpec(CLUSTER_NET, ())),
        forwards=True,
    )


def _server() -> NodeSpec:
    port = PortSpec("eth0", CAMPUS.name, on(CAMPUS_NET, SERVER_HOST))
    return NodeSpec(
        name=SERVER,
        title="File server of the campus",
        kind="host",
        role="server",
        ports=(port, management_port(210)),
        service=port.interface.ip,
        routes=(RouteSpec(CLUSTER_NET, _hops(CAMPUS_NET, "eth0")),),
    )


def _policy() -> Policy:
    return Policy(
        name="campus",
        nodes=("node*",),
        prefix=CAMPUS_NET,
        gateways=GATEWAYS,
        target=on(CAMPUS_NET, SERVER_HOST).ip,
        note="The compute nodes reach the campus through gw1, else through gw2.",
        probe_interval_ms=200,
    )


def _flows(parameters: Parameters) -> Iterator[FlowSpec]:
    """Every compute node writes to the server, and reads half as much."""
    share = 0.2 * CAMPUS.usable_rate * parameters.rate_scale / parameters.nodes
    size = CAMPUS.mtu - UDP_OVERHEAD
    for number in range(1, parameters.nodes + 1):
        phase = number * 0.618 % 1
        yield FlowSpec(f"node{number}", SERVER, share, size, 83.0, phase)
        yield FlowSpec(SERVER, f"node{number}", share / 2, size, 109.0, (phase + 0.5) % 1)
