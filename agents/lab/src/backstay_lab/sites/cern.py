"""Site `cern`: HIPPI, FDDI and UltraNet in a computer centre, and serial HIPPI to an experiment.

After Segal, Kaim, Dimou and Gyori, "HIPPI in the CERN Computer Centre" (CN/96/13): four SGI Challenges, an
SP-2 through its gateway node sp041, and a Meiko CS-2 on a 16 x 16 crossbar. A GigaRouter leads from HIPPI
to the DLT tape servers on four FDDI rings. The rest of CORE reaches them through its GigaSwitch, which is
also the fallback of the HIPPI machines, because they are on CORE FDDI too. A second GigaRouter, 10 km away,
forwards NA48's data.

Deviations from the paper. The GigaSwitch bridged the rings and CORE; here it routes, so that its path is a
gateway's. A ring is a switch of 100 Mb/s ports. The paper gives only UltraNet's measured rate, not its line
rate; its MTU, the fallback from HIPPI to UltraNet and sp041's port on CORE FDDI are the lab's choice. The
crossbar reports NSC's PS-32 MIB, because its vendor's MIB is unknown. GigaRouters send at most 5,000
packets per second into HIPPI, as in the paper. The four rings from the first one to the CS-2 are left out.
Every address with more than one path is a loopback or on a ring.
"""

from __future__ import annotations

from collections.abc import Iterator

from backstay_lab.blueprint import (
    Blueprint,
    End,
    FlowSpec,
    LinkSpec,
    NodeSpec,
    Parameters,
    Policy,
)
from backstay_lab.errors import LabError
from backstay_lab.hippi.service import hippi_service
from backstay_lab.sites.cern_crossbar import fabric_config, fabric_of, port_of
from backstay_lab.sites.cern_nodes import machines
from backstay_lab.sites.cern_plan import (
    CHANNEL_RATE,
    CS2,
    FDDI,
    FEW_RINGS,
    FEWS,
    FIRST_PORT,
    GIGASWITCH,
    GR1,
    HIPPI,
    MAX_SERVERS,
    NA48_FDDI,
    ON_HIPPI,
    RINGS,
    RINGS_NET,
    SERIAL,
    SERVICE_NET,
    SHIFTS,
    SP,
    SP023,
    SP041,
    SWITCH,
    ULTRANET,
    USERS,
    Server,
    ring,
)
from backstay_lab.sites.parts import (
    MANAGEMENT,
    RELAY,
    UDP_OVERHEAD,
    alone,
)

INTERVAL_S = 5


def blueprint(parameters: Parameters) -> Blueprint:
    """The site for these parameters; `nodes` are the DLT servers. LabError when they do not fit."""
    if not RINGS <= parameters.nodes <= MAX_SERVERS:
        raise LabError(
            f"{parameters.nodes} tape servers exceed cern's rings.",
            f"Choose {RINGS} to {MAX_SERVERS}.",
        )
    servers = [Server(number) for number in range(parameters.nodes)]
    nodes = tuple(machines(servers))
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


def _links(nodes: tuple[NodeSpec, ...]) -> Iterator[LinkSpec]:
    bridges = {FDDI.name, ULTRANET.name, SP.name, *(ring(number).name for number in range(1, RINGS + 1))}
    for node in nodes:
        yield from (
            LinkSpec(port.fabric, End(node.name, port.name)) for port in node.ports if port.fabric in bridges
        )
    for place, machine in enumerate(ON_HIPPI, start=FIRST_PORT):
        yield LinkSpec(
            fabric_of(machine).name, End(machine.name, port_of(machine)), End(SWITCH, f"port{place}")
        )
    yield from (circuit.link for circuit in FEW_RINGS)


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


def _flows(servers: list[Server], scale: float) -> Iterator[FlowSpec]:
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
        yield FlowSpec(source, target, rate * scale, size, 61.0 + 7 * (place % 8), place * 0.618 % 1)
