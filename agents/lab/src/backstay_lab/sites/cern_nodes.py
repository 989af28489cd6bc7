"""The machines of site `cern`: their ports, addresses and routes. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from backstay_lab.blueprint import (
    Fabric,
    Hop,
    Node,
    Port,
    Route,
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
    Circuit,
    alone,
    management_host,
    management_port,
    on,
)


def machines(servers: list[Server]) -> Iterator[Node]:
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


def _user(machine: Machine) -> Node:
    """A machine that prefers HIPPI and falls back to its older network."""
    ports = [Port("hip0", HIPPI.name, machine.hippi), _core(machine)]
    if machine.ultranet:
        ports.append(Port(machine.ultranet, ULTRANET.name, on(ULTRA_NET, machine.number)))
    tapes = Hop(GIGASWITCH, on(CORE_NET, GIGASWITCH_HOST).ip, machine.fddi)
    others = tuple(
        Route(alone(other.service), (other.over_hippi(), _second(machine, other)))
        for other in USERS
        if other != machine
    )
    return Node(
        name=machine.name,
        title=machine.title,
        kind="host",
        role="compute",
        ports=(*ports, management_port(machine.number + 10)),
        service=machine.service,
        loopback=machine.service,
        routes=(
            Route(RINGS_NET, (GR1.over_hippi(), tapes)),
            Route(alone(SP023.service), (SP041.over_hippi(), SP023.over_core(machine.fddi))),
            Route(NA48_NET, (GR2.over_hippi(),)),
            *others,
        ),
    )


def _second(machine: Machine, other: Machine) -> Hop:
    """The alternative to HIPPI: UltraNet between the Challenges, otherwise CORE FDDI."""
    if machine.ultranet and other.ultranet:
        return Hop(other.name, on(ULTRA_NET, other.number).ip, machine.ultranet)
    return other.over_core(machine.fddi)


def _core(machine: Machine) -> Port:
    return Port(machine.fddi, FDDI.name, on(CORE_NET, machine.number))


def _sp_port(machine: Machine) -> Port:
    return Port("css0", SP.name, on(SP_NET, machine.number))


def _sp041() -> Node:
    tape = Hop(SP023.name, on(SP_NET, SP023.number).ip, "css0")
    return Node(
        name=SP041.name,
        title=SP041.title,
        kind="gateway",
        role="gateway",
        ports=(Port("hip0", HIPPI.name, SP041.hippi), _sp_port(SP041), _core(SP041), management_port(51)),
        service=SP041.hippi.ip,
        routes=(
            *(Route(alone(user.service), (user.over_hippi(), user.over_core(SP041.fddi))) for user in USERS),
            Route(alone(SP023.service), (tape,)),
        ),
        forwards=True,
        node_number=SP041.number,
    )


def _sp023() -> Node:
    gateway = Hop(SP041.name, on(SP_NET, SP041.number).ip, "css0")
    return Node(
        name=SP023.name,
        title=SP023.title,
        kind="host",
        role="server",
        ports=(_sp_port(SP023), _core(SP023), management_port(33)),
        service=SP023.service,
        loopback=SP023.service,
        routes=tuple(Route(alone(user.service), (gateway, user.over_core(SP023.fddi))) for user in USERS),
        node_number=SP023.number,
    )


def _server(server: Server) -> Node:
    net = ring_net(server.ring)
    gateways = (Hop(GR1.name, on(net, 1).ip, "fta0"), Hop(GIGASWITCH, on(net, 2).ip, "fta0"))
    return Node(
        name=server.name,
        title="DLT tape server",
        kind="host",
        role="server",
        ports=(Port("fta0", ring(server.ring).name, server.address), management_port(60 + server.number)),
        service=server.address.ip,
        routes=(Route(SERVICE_NET, gateways),),
        labels=(("ring", str(server.ring)),),
    )


def _gr1() -> Node:
    rings = tuple(
        Port(f"gf0{number}0", ring(number).name, on(ring_net(number), 1)) for number in range(1, RINGS + 1)
    )
    # Without HIPPI it forwards what the tape servers still send: they do not detect the loss.
    fallback = Hop(GIGASWITCH, on(ring_net(1), 2).ip, rings[0].name)
    users = (Route(alone(user.service), (user.over_hippi(CARD), fallback)) for user in USERS)
    return _gigarouter(GR1, HIPPI, rings, 201, (*users, Route(RINGS_NET, ())))


def _gr2() -> Node:
    rings = tuple(circuit.port(GR2.name) for circuit in FEW_RINGS)
    users = (Route(alone(user.service), (user.over_hippi(CARD),)) for user in USERS)
    return _gigarouter(GR2, SERIAL, rings, 202, (*users, Route(NA48_NET, ())))


def _gigarouter(
    machine: Machine, fabric: Fabric, rings: tuple[Port, ...], host: int, routes: tuple[Route, ...]
) -> Node:
    return Node(
        name=machine.name,
        title=machine.title,
        kind="gateway",
        role="gateway",
        ports=(Port(CARD, fabric.name, machine.hippi), *rings, management_port(host, "de0")),
        service=machine.hippi.ip,
        routes=routes,
        forwards=True,
        watcher="mgmt1",
        object_id=GRF400,
    )


def _gigaswitch() -> Node:
    core = Port("core", FDDI.name, on(CORE_NET, GIGASWITCH_HOST))
    rings = (
        Port(f"ring{number}", ring(number).name, on(ring_net(number), 2)) for number in range(1, RINGS + 1)
    )
    return Node(
        name=GIGASWITCH,
        title="DEC GigaSwitch of CORE FDDI",
        kind="gateway",
        role="gateway",
        ports=(core, *rings, management_port(203)),
        service=core.interface.ip,
        routes=(
            *(Route(alone(user.service), (user.over_core("core"),)) for user in USERS),
            Route(RINGS_NET, ()),
        ),
        forwards=True,
        watcher="mgmt1",
    )


def _few(circuit: Circuit) -> Node:
    port = circuit.port(circuit.b.node)
    return Node(
        name=circuit.b.node,
        title="NA48 front-end workstation",
        kind="host",
        role="experiment",
        ports=(port, management_port(210 + int(circuit.b.node.removeprefix("few")))),
        service=port.interface.ip,
        routes=(Route(SERVICE_NET, (circuit.hop(GR2.name),)),),
    )
