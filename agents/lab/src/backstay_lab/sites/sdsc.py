"""Site `sdsc`: a teraflop SP that stripes its traffic to the archive over four Gigabit Ethernet gateways.

After "High-Speed Data Transfer via HPSS using Striped Gigabit Ethernet Communications" (San Diego, 2001):
the 144 client nodes' addresses are divided into quadrants, each routed over its own GbE connection, and
each gateway node is the backup of another. The archive's movers, behind a GbE switch, route back along the
path of a quadrant.

Clients boot with their quadrant's plain kernel routes and no monitoring, which costs a batch node nothing.
Movers and gateways run BIRD, with BFD between them. One stripe policy of the site file covers all; until it
is deployed, the archive leaves a dead gateway but the quadrant does not.

Deviations from the paper. The 144 clients are a parameter, 16 by default. A quadrant is a quarter of the
address space, so that one prefix describes it. The paper names the backups but not the failure detection.
Its other switch generation, twelve disk servers and the archive's own switch are left out: none of their
traffic crosses the gateways.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Network

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
    ReturnPath,
    RouteSpec,
    StripeSpec,
)
from backstay_lab.errors import LabError
from backstay_lab.sites.parts import (
    MANAGEMENT,
    RELAY,
    UDP_OVERHEAD,
    management_host,
    management_port,
    on,
)

QUADRANTS = 4
MAX_NODES = 144
MOVERS = 8
INTERVAL_S = 5
PROBE_MS = 200
"""Probe interval of a mover, which monitors all quadrants: 50 ms would cause too much load."""
AT_EASE = 24
"""Clients whose agents two processors can run at these intervals; with more, all intervals grow."""

COLONY = FabricSpec(
    name="colony",
    title="SP Switch2 (Colony)",
    kind="sp_switch",
    media_rate=3_600_000_000,
    usable_rate=3_600_000_000,  # the paper's "~450 MB/s" a node
    mtu=65520,
    if_type=53,  # propVirtual: IANA never gave css0 a number
    shared=True,
)
GBE = FabricSpec(
    name="gbe",
    title="Gigabit Ethernet, jumbo frames",
    kind="ethernet",
    media_rate=1_000_000_000,
    usable_rate=990_000_000,
    mtu=9000,
    if_type=6,
    shared=True,
)

COLONY_NET = IPv4Network("10.1.0.0/16")
"""Quadrant q is its q-th quarter; a gateway is the first host of the quadrant that prefers it."""
FIRST_CLIENT = 10
"""Host part of client 0; clients are numbered across quadrants."""
GBE_NET = IPv4Network("10.2.0.0/24")
FIRST_MOVER = 10
"""Host part before the first mover's; gateways have 1 to 4."""


def blueprint(parameters: Parameters) -> Blueprint:
    """The site for these parameters; LabError when the number of nodes does not fit."""
    count = parameters.nodes
    if not QUADRANTS <= count <= MAX_NODES:
        raise LabError(
            f"{count} nodes cannot be divided into sdsc's quadrants.", f"Choose {QUADRANTS} to {MAX_NODES}."
        )
    clients = [_Client(number, 1 + number * QUADRANTS // count) for number in range(count)]
    quadrants = range(1, QUADRANTS + 1)
    nodes = (
        *(_client_node(client) for client in clients),
        *(_gateway(quadrant) for quadrant in quadrants),
        *(_mover(number) for number in range(1, MOVERS + 1)),
        management_host(),
    )
    return Blueprint(
        site="sdsc",
        title="Blue Horizon and HPSS at San Diego, 2001",
        parameters=parameters,
        fabrics=(COLONY, GBE, MANAGEMENT),
        nodes=nodes,
        links=tuple(_links(nodes)),
        policies=(_policy(clients),),
        flows=tuple(_flows(clients, parameters.rate_scale)),
        relay=RELAY,
        interval_s=_slower(INTERVAL_S, count),
    )


def _slower(time: int, count: int) -> int:
    """`time`, increased in proportion when there are many clients."""
    return time * max(count, AT_EASE) // AT_EASE


@dataclass(frozen=True)
class _Client:
    """A client node: number in the machine from 0, quadrant from 1."""

    number: int
    quadrant: int

    @property
    def name(self) -> str:
        return f"bh{self.number + 1:03}"


def gateway_name(quadrant: int) -> str:
    """The gateway that a quadrant prefers."""
    return f"gw{quadrant}"


def backup_of(quadrant: int) -> int:
    """The quadrant whose gateway is this one's backup; each gateway backs up one other."""
    return quadrant % QUADRANTS + 1


def quadrant_net(quadrant: int) -> IPv4Network:
    """Addresses of a quadrant's clients."""
    return list(COLONY_NET.subnets(2))[quadrant - 1]


def _on_colony(quadrant: int, host: int = 1) -> PortSpec:
    """A host's address in a quadrant; the first host is its gateway. The whole switch is one network."""
    first = int(quadrant_net(quadrant).network_address) - int(COLONY_NET.network_address)
    return PortSpec("css0", COLONY.name, on(COLONY_NET, first + host))


def _on_gbe(host: int) -> PortSpec:
    return PortSpec("en1", GBE.name, on(GBE_NET, host))


def _hops(quadrant: int, own_port: str) -> tuple[HopSpec, ...]:
    """The quadrant's gateway and its backup, via a port on their switch or on the GbE."""
    port = _on_colony if own_port == "css0" else _on_gbe
    return tuple(
        HopSpec(gateway_name(place), port(place).interface.ip, own_port)
        for place in (quadrant, backup_of(quadrant))
    )


def _client_node(client: _Client) -> NodeSpec:
    css0 = _on_colony(client.quadrant, FIRST_CLIENT + client.number)
    return NodeSpec(
        name=client.name,
        title="NightHawk2 client node",
        kind="host",
        role="compute",
        ports=(css0, management_port(10 + client.number)),
        service=css0.interface.ip,
        routes=(RouteSpec(GBE_NET, _hops(client.quadrant, "css0")),),
        engine="kernel",
        node_number=client.number + 1,
        labels=(("quadrant", str(client.quadrant)),),
    )


def _gateway(quadrant: int) -> NodeSpec:
    css0 = _on_colony(quadrant)
    return NodeSpec(
        name=gateway_name(quadrant),
        title="NightHawk router to the archive",
        kind="gateway",
        role="gateway",
        ports=(css0, _on_gbe(quadrant), management_port(200 + quadrant)),
        service=css0.interface.ip,
        routes=(RouteSpec(GBE_NET, ()), RouteSpec(COLONY_NET, ())),
        forwards=True,
        labels=(("quadrant", str(quadrant)),),
    )


def _mover(number: int) -> NodeSpec:
    en1 = _on_gbe(FIRST_MOVER + number)
    return NodeSpec(
        name=f"mover{number}",
        title="WinterHawk mover of HPSS",
        kind="host",
        role="server",
        ports=(en1, management_port(210 + number)),
        service=en1.interface.ip,
        routes=tuple(
            RouteSpec(quadrant_net(quadrant), _hops(quadrant, "en1")) for quadrant in range(1, QUADRANTS + 1)
        ),
    )


def _links(nodes: tuple[NodeSpec, ...]) -> list[LinkSpec]:
    return [
        LinkSpec(port.fabric, End(node.name, port.name))
        for node in nodes
        for port in node.ports
        if port.fabric != MANAGEMENT.name
    ]


def _policy(clients: list[_Client]) -> Policy:
    return Policy(
        name="quadrants",
        nodes=("bh*",),
        prefix=GBE_NET,
        gateways=tuple(gateway_name(quadrant) for quadrant in range(1, QUADRANTS + 1)),
        target=_on_gbe(FIRST_MOVER + 1).interface.ip,
        note="Each quadrant of the clients uses its own gateway; another one is its backup.",
        detection="checker",
        deployed=False,
        probe_interval_ms=_slower(PROBE_MS, len(clients)),
        stripe=StripeSpec(backups=1, by_label="quadrant"),
        back=ReturnPath(
            routers=tuple(f"mover{number}" for number in range(1, MOVERS + 1)),
            prefix=COLONY_NET,
            target=_on_colony(1, FIRST_CLIENT).interface.ip,
        ),
    )


def _flows(clients: list[_Client], scale: float) -> list[FlowSpec]:
    """Clients write to the movers round robin, and read less; in total a tenth of each gateway's link.

    Two quadrants on one gateway use a fifth, so every backup can carry them. Neighbours communicate over
    Colony.
    """
    flows = []
    size = GBE.mtu - UDP_OVERHEAD
    share = GBE.usable_rate * scale * QUADRANTS / len(clients)
    for client in clients:
        mover = f"mover{client.number % MOVERS + 1}"
        phase = client.number * 0.618 % 1
        flows.append(FlowSpec(client.name, mover, 0.07 * share, size, 83.0, phase))
        flows.append(FlowSpec(mover, client.name, 0.03 * share, size, 109.0, (phase + 0.5) % 1))
        neighbour = clients[(client.number + 1) % len(clients)].name
        rate = 0.02 * COLONY.usable_rate * scale * min(1.0, 16 / len(clients))
        flows.append(FlowSpec(client.name, neighbour, rate, COLONY.mtu - UDP_OVERHEAD, 71.0, phase))
    return flows
