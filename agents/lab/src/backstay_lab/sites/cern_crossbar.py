"""The 16 x 16 HIPPI crossbar of site `cern`: the host on each port, and the paths between them. Pure."""

from __future__ import annotations

from ipaddress import IPv4Address

from backstay_lab.blueprint import (
    FabricSpec,
    NodeSpec,
    Parameters,
    PortSpec,
)
from backstay_lab.hippi.config import FabricConfig, HostConfig, SwitchConfig
from backstay_lab.hippi.ifield import IField
from backstay_lab.hippi.service import NAME
from backstay_lab.hippi.snmp import ps32
from backstay_lab.naming import Names
from backstay_lab.sites.cern_plan import (
    CARD,
    CHANNEL_RATE,
    FEW_RINGS,
    FIBRE_NS,
    FIRST_PORT,
    GIGAROUTER_SPACING_NS,
    GR1,
    GR2,
    HIPPI,
    ON_HIPPI,
    SERIAL,
    SP023,
    SP041,
    SWITCH,
    SWITCH_SIZE,
    SYSTEM_NS,
    USERS,
    Machine,
    Server,
)
from backstay_lab.sites.parts import (
    management_port,
)


def switch() -> NodeSpec:
    """The crossbar as a node: a port for each machine on it."""
    ports = (
        PortSpec(f"port{place}", fabric_of(machine).name, None)
        for place, machine in enumerate(ON_HIPPI, start=FIRST_PORT)
    )
    return NodeSpec(
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


def fabric_of(machine: Machine) -> FabricSpec:
    """Parallel HIPPI; GigaRouter 2 has ten kilometres of serial HIPPI."""
    return SERIAL if machine == GR2 else HIPPI


def port_of(machine: Machine) -> str:
    """The machine's name of its HIPPI port."""
    return CARD if machine in {GR1, GR2} else "hip0"


def fabric_config(parameters: Parameters, names: Names) -> FabricConfig:
    """The configuration of the crossbar's process; rates are scaled."""
    scale = parameters.rate_scale
    hosts = tuple(
        HostConfig(
            name=machine.name,
            namespace=names.node(machine.name),
            device=port_of(machine),
            switch=SWITCH,
            port=place,
            rate=round(CHANNEL_RATE * scale),
            ifields=_ifields(machine, parameters.nodes),
            spacing_ns=round(GIGAROUTER_SPACING_NS / scale) if machine in {GR1, GR2} else 0,
            delay_ns=_delay_ns(machine, scale),
        )
        for place, machine in enumerate(ON_HIPPI, start=FIRST_PORT)
    )
    pathways: dict[int, tuple[int, ...]] = {
        _logical(machine): (place,) for place, machine in enumerate(ON_HIPPI, start=FIRST_PORT)
    }
    return FabricConfig(switches=(SwitchConfig(SWITCH, SWITCH_SIZE, pathways),), hosts=hosts)


def _delay_ns(machine: Machine, scale: float) -> int:
    """Delay from the switch into the machine, scaled like the rates, or nothing would queue."""
    if machine == GR2:
        return FIBRE_NS
    on_the_wire = HIPPI.mtu * 8 * 1_000_000_000 // CHANNEL_RATE
    return round((SYSTEM_NS - on_the_wire) / 2 / scale) if machine in USERS else 0


def _logical(machine: Machine) -> int:
    """Its HIPPI logical address."""
    return 0x100 + machine.number


def _ifields(machine: Machine, servers: int) -> dict[str, int]:
    """The I-field for every address behind another port of the crossbar, as in a HIPPI map."""
    behind: dict[IPv4Address, Machine] = {other.hippi.ip: other for other in ON_HIPPI}
    behind |= {user.service: user for user in USERS} | {SP023.service: SP041}
    behind |= {Server(number).address.ip: GR1 for number in range(servers)}
    behind |= {circuit.port(circuit.b.node).interface.ip: GR2 for circuit in FEW_RINGS}
    return {
        str(address): IField(_logical(other), _logical(machine)).value
        for address, other in behind.items()
        if other != machine
    }
