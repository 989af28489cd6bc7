"""The machines of site `cern`: their ports, addresses and routes. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from backstay_lab.blueprint import (
    FabricSpec,
    HopSpec,
    NodeSpec,
    PortSpec,
    RouteSpec,
)
from backstay_lab.sites.cern_crossbar import switch
from backstay_lab.sites.cern_plan import (
    CARD,
    CORE_NET,
    FDDI,
    FEW_RINGS,
    GIGASWITCH,
    GIGASWITCH_HOST,
    GR1,
    GR2,
    HIPPI,
    NA48_NET,
    RINGS,
    RINGS_NET,
    SERIAL,
    SERVICE_NET,
    SP,
    SP023,
    SP041,
    SP_NET,
    ULTRA_NET,
    ULTRANET,
    USERS,
    Machine,
    Server,
    ring,
    ring_net,
)
from backstay_lab.sites.parts import (
    GRF400,
    CircuitSpec,
    alone,
    management_host,
    management_port,
    on,
)


def machines(servers: list[Server]) -> Iterator[NodeSpec]:
    """Every node of the site."""
    for machine in USERS:
        yield _user(machine)
    yield _sp041()
    yield _sp023()
    yield from (_server(server) for server in servers)
    yield _gr1()
    yield _gigaswitch()
    yield _gr2()
    yield from (_few(circuit) for circuit in FEW_RINGS)
    yield switch()
    yield management_host()


def _user(machine: Machine) -> NodeSpec:
    """A machine that prefers HIPPI and falls back to its older network."""
    ports = [PortSpec("hip0", HIPPI.name, machine.hippi), _core(machine)]
    if machine.ultranet:
        ports.append(PortSpec(machine.ultranet, ULTRANET.name, on(ULTRA_NET, machine.number)))
    tapes = HopSpec(GIGASWITCH, on(CORE_NET, GIGASWITCH_HOST).ip, machine.fddi)
    others = tuple(
        RouteSpec(alone(other.service), (other.over_hippi(), _second(machine, other)))
        for other in USERS
        if other != machine
    )
    return NodeSpec(
        name=machine.name,
        title=machine.title,
        kind="host",
        role="compute",
        ports=(*ports, management_port(machine.number + 10)),
        service=machine.service,
        loopback=machine.service,
        routes=(
            RouteSpec(RINGS_NET, (GR1.over_hippi(), tapes)),
            RouteSpec(alone(SP023.service), (SP041.over_hippi(), SP023.over_core(machine.fddi))),
            RouteSpec(NA48_NET, (GR2.over_hippi(),)),
            *others,
        ),
    )


def _second(machine: Machine, other: Machine) -> HopSpec:
    """The alternative to HIPPI: UltraNet between the Challenges, otherwise CORE FDDI."""
    if machine.ultranet and other.ultranet:
        return HopSpec(other.name, on(ULTRA_NET, other.number).ip, machine.ultranet)
    return other.over_core(machine.fddi)


def _core(machine: Machine) -> PortSpec:
    return PortSpec(machine.fddi, FDDI.name, on(CORE_NET, machine.number))


def _sp_port(machine: Machine) -> PortSpec:
    return PortSpec("css0", SP.name, on(SP_NET, machine.number))


def _sp041() -> NodeSpec:
    tape = HopSpec(SP023.name, on(SP_NET, SP023.number).ip, "css0")
    return NodeSpec(
        name=SP041.name,
        title=SP041.title,
        kind="gateway",
        role="gateway",
        ports=(PortSpec("hip0", HIPPI.name, SP041.hippi), _sp_port(SP041), _core(SP041), management_port(51)),
        service=SP041.hippi.ip,
        routes=(
            *(
                RouteSpec(alone(user.service), (user.over_hippi(), user.over_core(SP041.fddi)))
                for user in USERS
            ),
            RouteSpec(alone(SP023.service), (tape,)),
        ),
        forwards=True,
        node_number=SP041.number,
    )


def _sp023() -> NodeSpec:
    gateway = HopSpec(SP041.name, on(SP_NET, SP041.number).ip, "css0")
    return NodeSpec(
        name=SP023.name,
        title=SP023.title,
        kind="host",
        role="server",
        ports=(_sp_port(SP023), _core(SP023), management_port(33)),
        service=SP023.service,
        loopback=SP023.service,
        routes=tuple(RouteSpec(alone(user.service), (gateway, user.over_core(SP023.fddi))) for user in USERS),
        node_number=SP023.number,
    )


def _server(server: Server) -> NodeSpec:
    net = ring_net(server.ring)
    gateways = (HopSpec(GR1.name, on(net, 1).ip, "fta0"), HopSpec(GIGASWITCH, on(net, 2).ip, "fta0"))
    return NodeSpec(
        name=server.name,
        title="DLT tape server",
        kind="host",
        role="server",
        ports=(PortSpec("fta0", ring(server.ring).name, server.address), management_port(60 + server.number)),
        service=server.address.ip,
        routes=(RouteSpec(SERVICE_NET, gateways),),
        labels=(("ring", str(server.ring)),),
    )


def _gr1() -> NodeSpec:
    rings = tuple(
        PortSpec(f"gf0{number}0", ring(number).name, on(ring_net(number), 1))
        for number in range(1, RINGS + 1)
    )
    # Without HIPPI it forwards what the tape servers still send: they do not detect the loss.
    fallback = HopSpec(GIGASWITCH, on(ring_net(1), 2).ip, rings[0].name)
    users = (RouteSpec(alone(user.service), (user.over_hippi(CARD), fallback)) for user in USERS)
    return _gigarouter(GR1, HIPPI, rings, 201, (*users, RouteSpec(RINGS_NET, ())))


def _gr2() -> NodeSpec:
    rings = tuple(circuit.port(GR2.name) for circuit in FEW_RINGS)
    users = (RouteSpec(alone(user.service), (user.over_hippi(CARD),)) for user in USERS)
    return _gigarouter(GR2, SERIAL, rings, 202, (*users, RouteSpec(NA48_NET, ())))


def _gigarouter(
    machine: Machine,
    fabric: FabricSpec,
    rings: tuple[PortSpec, ...],
    host: int,
    routes: tuple[RouteSpec, ...],
) -> NodeSpec:
    return NodeSpec(
        name=machine.name,
        title=machine.title,
        kind="gateway",
        role="gateway",
        ports=(PortSpec(CARD, fabric.name, machine.hippi), *rings, management_port(host, "de0")),
        service=machine.hippi.ip,
        routes=routes,
        forwards=True,
        watcher="mgmt1",
        object_id=GRF400,
    )


def _gigaswitch() -> NodeSpec:
    core = PortSpec("core", FDDI.name, on(CORE_NET, GIGASWITCH_HOST))
    rings = (
        PortSpec(f"ring{number}", ring(number).name, on(ring_net(number), 2))
        for number in range(1, RINGS + 1)
    )
    return NodeSpec(
        name=GIGASWITCH,
        title="DEC GigaSwitch of CORE FDDI",
        kind="gateway",
        role="gateway",
        ports=(core, *rings, management_port(203)),
        service=core.interface.ip,
        routes=(
            *(RouteSpec(alone(user.service), (user.over_core("core"),)) for user in USERS),
            RouteSpec(RINGS_NET, ()),
        ),
        forwards=True,
        watcher="mgmt1",
    )


def _few(circuit: CircuitSpec) -> NodeSpec:
    port = circuit.port(circuit.b.node)
    return NodeSpec(
        name=circuit.b.node,
        title="NA48 front-end workstation",
        kind="host",
        role="experiment",
        ports=(port, management_port(210 + int(circuit.b.node.removeprefix("few")))),
        service=port.interface.ip,
        routes=(RouteSpec(SERVICE_NET, (circuit.hop(GR2.name),)),),
    )
