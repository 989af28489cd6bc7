"""Site `cern`: HIPPI beside FDDI and UltraNet in a computer centre, and serial HIPPI to an experiment.

After Segal, Kaim, Dimou and Gyori, "HIPPI in the CERN Computer Centre" (CN/96/13): four SGI Challenges, an
SP-2 by its gateway node sp041, and a Meiko CS-2 on a 16 x 16 crossbar. A GigaRouter leads from HIPPI to the
DLT tape servers on four FDDI rings, which the rest of CORE reaches through its GigaSwitch: the fallback of
the HIPPI machines too, for they are also on CORE FDDI. A second GigaRouter, 10 km away, brings NA48's data.

Liberties. The GigaSwitch bridged the rings and CORE; here it forwards, so that the way through it can be seen
as a gateway's. A ring is a switch of 100 Mb/s ports. The paper gives no line rate of UltraNet, only what was
measured; its MTU, the fallback from HIPPI to UltraNet and sp041's port on CORE FDDI are the lab's choice. The
crossbar answers as NSC's PS-32, for the MIB of its maker is not known. GigaRouters send at most 5,000 packets
a second into HIPPI, as the paper's did. The four rings from the first one to the CS-2 are left out. Every
address with more than one way to it is a loopback or on a ring.
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address

from backstay_lab.blueprint import (
    Blueprint,
    End,
    Fabric,
    Flow,
    Hop,
    Link,
    Node,
    Parameters,
    Policy,
    Port,
    Route,
)
from backstay_lab.errors import LabError
from backstay_lab.hippi.config import FabricConfig, HostConfig, SwitchConfig
from backstay_lab.hippi.ifield import IField
from backstay_lab.hippi.service import NAME, hippi_service
from backstay_lab.hippi.snmp import ps32
from backstay_lab.naming import Names
from backstay_lab.sites.cern_plan import (
    CARD,
    CHANNEL_RATE,
    CORE_NET,
    CS2,
    FDDI,
    FEW_RINGS,
    FEWS,
    FIBRE_NS,
    FIRST_PORT,
    GIGAROUTER_SPACING_NS,
    GIGASWITCH,
    GIGASWITCH_HOST,
    GR1,
    GR2,
    HIPPI,
    MAX_SERVERS,
    NA48_FDDI,
    NA48_NET,
    ON_HIPPI,
    RINGS,
    RINGS_NET,
    SERIAL,
    SERVICE_NET,
    SHIFTS,
    SP,
    SP023,
    SP041,
    SP_NET,
    SWITCH,
    SWITCH_SIZE,
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
    MANAGEMENT,
    RELAY,
    UDP_OVERHEAD,
    Circuit,
    alone,
    management_host,
    management_port,
    on,
)

INTERVAL_S = 5


def blueprint(parameters: Parameters) -> Blueprint:
    """The site for these parameters; `nodes` are the DLT servers. LabError when they do not fit."""
    if not RINGS <= parameters.nodes <= MAX_SERVERS:
        raise LabError(
            f"{parameters.nodes} tape servers do not fit on cern's rings.",
            f"Choose {RINGS} to {MAX_SERVERS}.",
        )
    servers = [Server(number) for number in range(parameters.nodes)]
    nodes = tuple(_nodes(servers))
    return Blueprint(
        site="cern",
        title="CERN Computer Centre and NA48, 1996",
        parameters=parameters,
        fabrics=(HIPPI, SERIAL, *map(ring, range(1, RINGS + 1)), FDDI, NA48_FDDI, ULTRANET, SP, MANAGEMENT),
        nodes=nodes,
        links=tuple(_links(nodes)),
        policies=tuple(_policies()),
        flows=tuple(_flows(servers, parameters.rate_scale)),
        relay=RELAY,
        interval_s=INTERVAL_S,
        services=(hippi_service(lambda names: fabric_config(parameters, names), CHANNEL_RATE),),
    )


def _nodes(servers: list[Server]) -> Iterator[Node]:
    for machine in USERS:
        yield _user(machine)
    yield _sp041()
    yield _sp023()
    yield from (_server(server) for server in servers)
    yield _gr1()
    yield _gigaswitch()
    yield _gr2()
    yield from (_few(circuit) for circuit in FEW_RINGS)
    yield _switch()
    yield management_host()


def _user(machine: Machine) -> Node:
    """A machine that uses HIPPI where it can, and what it had before where it cannot."""
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
    """The way beside HIPPI: UltraNet between the Challenges, else CORE FDDI."""
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
    # Without HIPPI it hands on what the tape servers still send it: they do not see its other side.
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


def _hippi_fabric(machine: Machine) -> Fabric:
    return SERIAL if machine == GR2 else HIPPI


def _switch() -> Node:
    ports = (
        Port(f"port{place}", _hippi_fabric(machine).name, None)
        for place, machine in enumerate(ON_HIPPI, start=FIRST_PORT)
    )
    return Node(
        name=SWITCH,
        title="Avaika 16 x 16 HIPPI switch",
        kind="switch",
        role="switch",
        ports=(*ports, management_port(200)),
        service=None,
        watcher="mgmt1",
        object_id=f".{ps32.OBJECT_ID}",
        simulated_by=NAME,
    )


def _links(nodes: tuple[Node, ...]) -> Iterator[Link]:
    bridges = {FDDI.name, ULTRANET.name, SP.name, *(ring(number).name for number in range(1, RINGS + 1))}
    for node in nodes:
        yield from (
            Link(port.fabric, End(node.name, port.name)) for port in node.ports if port.fabric in bridges
        )
    for place, machine in enumerate(ON_HIPPI, start=FIRST_PORT):
        yield Link(
            _hippi_fabric(machine).name, End(machine.name, _hippi_port(machine)), End(SWITCH, f"port{place}")
        )
    yield from (circuit.link for circuit in FEW_RINGS)


def _hippi_port(machine: Machine) -> str:
    return CARD if machine in {GR1, GR2} else "hip0"


def fabric_config(parameters: Parameters, names: Names) -> FabricConfig:
    """What the crossbar's process is told; rates are scaled."""
    scale = parameters.rate_scale
    hosts = tuple(
        HostConfig(
            name=machine.name,
            namespace=names.node(machine.name),
            device=_hippi_port(machine),
            switch=SWITCH,
            port=place,
            rate=round(CHANNEL_RATE * scale),
            ifields=_ifields(machine, parameters.nodes),
            spacing_ns=round(GIGAROUTER_SPACING_NS / scale) if machine in {GR1, GR2} else 0,
            delay_ns=FIBRE_NS if machine == GR2 else 0,
        )
        for place, machine in enumerate(ON_HIPPI, start=FIRST_PORT)
    )
    pathways: dict[int, tuple[int, ...]] = {
        _logical(machine): (place,) for place, machine in enumerate(ON_HIPPI, start=FIRST_PORT)
    }
    return FabricConfig(switches=(SwitchConfig(SWITCH, SWITCH_SIZE, pathways),), hosts=hosts)


def _logical(machine: Machine) -> int:
    """Its HIPPI logical address."""
    return 0x100 + machine.number


def _ifields(machine: Machine, servers: int) -> dict[str, int]:
    """The I-field for every address that lies behind another port of the crossbar, as a HIPPI map has it."""
    behind: dict[IPv4Address, Machine] = {other.hippi.ip: other for other in ON_HIPPI}
    behind |= {user.service: user for user in USERS} | {SP023.service: SP041}
    behind |= {Server(number).address.ip: GR1 for number in range(servers)}
    behind |= {circuit.port(circuit.b.node).interface.ip: GR2 for circuit in FEW_RINGS}
    return {
        str(address): IField(_logical(other), _logical(machine)).word
        for address, other in behind.items()
        if other != machine
    }


def _policies() -> Iterator[Policy]:
    users = tuple(user.name for user in USERS)
    yield Policy(
        name="tapes-over-hippi",
        nodes=users,
        prefix=RINGS_NET,
        gateways=(GR1.name, GIGASWITCH),
        target=Server(0).address.ip,
        note="The HIPPI machines reach the DLT servers through GigaRouter 1, else through the GigaSwitch.",
        probe_interval_ms=100,
    )
    yield Policy(
        name="tapes-to-core",
        nodes=("dlt*",),
        prefix=SERVICE_NET,
        gateways=(GR1.name, GIGASWITCH),
        target=SHIFTS[0].service,
        note="The DLT servers answer through GigaRouter 1, else through the GigaSwitch.",
        probe_interval_ms=100,
    )
    yield Policy(
        name="cernsp-tapes",
        nodes=users,
        prefix=alone(SP023.service),
        gateways=(SP041.name, SP023.name),
        target=SP023.service,
        note="sp023 is reached by HIPPI and the SP switch behind sp041, else directly on CORE FDDI.",
        probe_interval_ms=100,
    )


def _flows(servers: list[Server], scale: float) -> Iterator[Flow]:
    """Staging between the Challenges and the tapes, HIPPI between hosts, and NA48's data to the CS-2."""
    fddi, hippi = FDDI.mtu - UDP_OVERHEAD, HIPPI.mtu - UDP_OVERHEAD
    plan: list[tuple[str, str, float, int]] = []
    for place, server in enumerate(servers):
        shift = SHIFTS[place % len(SHIFTS)]
        share = 0.15 * FDDI.usable_rate * RINGS / len(servers)
        plan += [(shift.name, server.name, share, fddi), (server.name, shift.name, share / 2, fddi)]
    for place, shift in enumerate(SHIFTS):
        neighbour = SHIFTS[(place + 1) % len(SHIFTS)].name
        plan.append((shift.name, neighbour, 0.04 * HIPPI.usable_rate, hippi))
        plan.append((shift.name, SP023.name, 0.01 * HIPPI.usable_rate, hippi))
    # The paper's sustained 5 to 10 MB/s from the experiment, over three workstations.
    plan += [(circuit.b.node, CS2.name, 56_000_000 / FEWS, fddi) for circuit in FEW_RINGS]
    for place, (source, target, rate, size) in enumerate(plan):
        yield Flow(source, target, rate * scale, size, 61.0 + 7 * (place % 8), place * 0.618 % 1)
