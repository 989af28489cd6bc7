"""Site `casa`: two HIPPI LANs a hundred miles apart, joined by HIPPI-SONET gateways, as in the CASA testbed.

After Chinoy and Fall, "TCP/IP and HIPPI performance in the CASA gigabit testbed" (San Diego, 1994): a Cray
C90 and a Sun on a PS-32 switch in San Diego, a Cray Y-MP behind the switch at Caltech, and between the
switches two gateways over four of eight OC-3 stripes, with burst buffers of 4 MB. The Sun can block the C90.

Unlike the other sites it runs at real rates: hold time and blocking factor are real times, and with scaled
rates it would be another experiment. `--rate-scale` still applies.

Deviations from the paper. The delay, including the equipment, is 2 ms in each direction: the paper's round
trip of 4 ms. The paper does not say what limited its TCP to 314.4 Mb/s; here the C90's software spaces its
packets by the corresponding 1.66 ms, so the unblocked rate is an input. Extra hosts on both LANs
(`--nodes`) are the lab's own; two supercomputers at Caltech without IP are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Network

from backstay_lab.blueprint import (
    Blueprint,
    End,
    FabricSpec,
    FlowSpec,
    LinkSpec,
    NodeSpec,
    Parameters,
    PortSpec,
)
from backstay_lab.errors import LabError
from backstay_lab.hippi.config import (
    BlockerConfig,
    FabricConfig,
    GatewayConfig,
    HostConfig,
    SwitchConfig,
)
from backstay_lab.hippi.ifield import IField
from backstay_lab.hippi.service import NAME, hippi_service
from backstay_lab.hippi.snmp import hsg, ps32
from backstay_lab.naming import Names
from backstay_lab.sites.parts import (
    MANAGEMENT,
    RELAY,
    UDP_OVERHEAD,
    management_host,
    management_port,
    on,
)

CHANNEL_RATE = 800_000_000
OC3_RATE, OC3_PAYLOAD = 155_520_000, 149_760_000
"""An OC-3 and its synchronous payload envelope (260 of 270 columns), bit/s."""
STRIPES = 4
DELAY_NS = 2_000_000
EXTENDER_NS = 50_000
"""Ten kilometres of fibre between Caltech and JPL."""
C90_SPACING_NS = 1_660_000
"""65,240 octets of TCP payload at 314.4 Mb/s."""
SWITCH_SIZE = 32
FIRST_PORT, GATEWAY_PORT = 8, 16
"""Switch ports of the first host and of the gateway."""
MAX_EXTRA = 4
HIPPI_NET = IPv4Network("10.4.0.0/24")
"""One network over both LANs: the gateways do not route IP."""
TICKS_PER_MS = 50


@dataclass(frozen=True)
class Lan:
    """One of the two HIPPI LANs; `number` determines its addresses."""

    place: str
    title: str
    number: int

    @property
    def switch(self) -> str:
        return f"ps32-{self.place}"

    @property
    def gateway(self) -> str:
        return f"hsg-{self.place}"

    @property
    def fabric(self) -> FabricSpec:
        return FabricSpec(
            name=f"hippi-{self.place}",
            title=f"HIPPI LAN, {self.title}",
            kind="hippi",
            media_rate=CHANNEL_RATE,
            usable_rate=CHANNEL_RATE,
            mtu=65280,
            if_type=47,
            wiring="tun",
            arp="none",
        )


SDSC = Lan("sdsc", "San Diego", 0)
CALTECH = Lan("cit", "Caltech", 1)
LANS = (SDSC, CALTECH)
SONET = FabricSpec(
    name="sonet",
    title="SONET OC-3 stripes between the gateways",
    kind="hippi",  # the paper's "pseudo-HIPPI connection"
    media_rate=OC3_RATE,
    usable_rate=OC3_PAYLOAD,
    mtu=65280,
    if_type=39,
    wiring="none",
    arp="none",
)
BLOCKED, BLOCKING, FAR = "c90", "sun1", "ymp"

SETTINGS = {"hold_ms": 0.0, "blocking_ms": 0.0, "blocking_duty": 1.0}
MEANINGS = {
    "hold_ms": "the gateways' hold time in ms, 0: no limit",
    "blocking_ms": "the blocking factor of sun1 towards c90 in ms, 0: off",
    "blocking_duty": "share of time that sun1 requests c90's port, above 0 and at most 1",
}


@dataclass(frozen=True)
class Attached:
    """A host on a LAN."""

    name: str
    title: str
    lan: Lan
    port: int
    role: str = "compute"
    spacing_ns: int = 0
    delay_ns: int = 0

    @property
    def number(self) -> int:
        """Determines its addresses: each LAN has 32."""
        return self.lan.number * 32 + self.port - FIRST_PORT + 1

    @property
    def logical(self) -> int:
        """Its HIPPI logical address."""
        return 0x100 + self.number


def blueprint(parameters: Parameters) -> Blueprint:
    """The site for these parameters; LabError when one is out of range."""
    if not 0 <= parameters.nodes <= MAX_EXTRA:
        raise LabError(f"{parameters.nodes} extra hosts exceed a LAN.", f"Choose 0 to {MAX_EXTRA}.")
    _check(parameters)
    hosts = _hosts(parameters.nodes)
    boxes = [box for lan in LANS for box in (_switch(lan, hosts), _gateway(lan))]
    return Blueprint(
        site="casa",
        title="CASA gigabit testbed, San Diego and Caltech, 1994",
        parameters=parameters,
        fabrics=(SDSC.fabric, CALTECH.fabric, SONET, MANAGEMENT),
        nodes=(*(_host(host) for host in hosts), *boxes, management_host()),
        links=tuple(_links(hosts)),
        policies=(),
        flows=tuple(_flows(hosts, parameters.rate_scale)),
        relay=RELAY,
        services=(hippi_service(lambda names: fabric_config(parameters, names), CHANNEL_RATE),),
    )


def _check(parameters: Parameters) -> None:
    if not 0 <= parameters.setting("hold_ms") <= 655:
        raise LabError("A gateway's hold time is 0.02 to 655 ms, or 0 for no limit.", "Correct hold_ms.")
    if (
        not 0 <= parameters.setting("blocking_ms") <= 10_000
        or not 0 < parameters.setting("blocking_duty") <= 1
    ):
        raise LabError(
            "A blocking factor is 0 to 10000 ms, its duty above 0 and at most 1.", "Correct the settings."
        )


def _hosts(extra: int) -> list[Attached]:
    hosts = [
        Attached(BLOCKED, "Cray C90", SDSC, FIRST_PORT, spacing_ns=C90_SPACING_NS),
        Attached(BLOCKING, "Sun workstation, the blocking source", SDSC, FIRST_PORT + 1, role="server"),
        Attached(FAR, "Cray Y-MP of JPL, by fibre extender", CALTECH, FIRST_PORT, delay_ns=EXTENDER_NS),
    ]
    for number in range(1, extra + 1):
        hosts.append(Attached(f"sd{number}", "HIPPI host in San Diego", SDSC, FIRST_PORT + 1 + number))
        hosts.append(Attached(f"ct{number}", "HIPPI host at Caltech", CALTECH, FIRST_PORT + number))
    return hosts


def fabric_config(parameters: Parameters, names: Names) -> FabricConfig:
    """The configuration of the fabric's process; rates are scaled, times are not."""
    scale, hosts = parameters.rate_scale, _hosts(parameters.nodes)
    hold_ms = parameters.setting("hold_ms")
    by_name = {host.name: host for host in hosts}
    return FabricConfig(
        switches=tuple(SwitchConfig(lan.switch, SWITCH_SIZE, _pathways(lan, hosts)) for lan in LANS),
        hosts=tuple(_host_config(host, hosts, names, scale) for host in hosts),
        gateways=tuple(
            GatewayConfig(
                name=lan.gateway,
                switch=lan.switch,
                port=GATEWAY_PORT,
                peer=LANS[1 - lan.number].gateway,
                media_rate=round(CHANNEL_RATE * scale),
                stripe_rate=round(OC3_PAYLOAD * scale),
                stripes=STRIPES,
                delay_ns=DELAY_NS,
                hold_ticks=round(hold_ms * TICKS_PER_MS) or None,
            )
            for lan in LANS
        ),
        blockers=(
            BlockerConfig(
                host=BLOCKING,
                target=IField(by_name[BLOCKED].logical, by_name[BLOCKING].logical).value,
                factor_ns=round(parameters.setting("blocking_ms") * 1e6),
                duty=parameters.setting("blocking_duty"),
            ),
        ),
    )


def _pathways(lan: Lan, hosts: list[Attached]) -> dict[int, tuple[int, ...]]:
    """Local hosts via their ports, all others via the gateway."""
    return {host.logical: (host.port if host.lan == lan else GATEWAY_PORT,) for host in hosts}


def _host_config(host: Attached, hosts: list[Attached], names: Names, scale: float) -> HostConfig:
    others = [other for other in hosts if other != host]
    return HostConfig(
        name=host.name,
        namespace=names.node(host.name),
        device="hip0",
        switch=host.lan.switch,
        port=host.port,
        rate=round(CHANNEL_RATE * scale),
        ifields={
            str(on(HIPPI_NET, other.number).ip): IField(other.logical, host.logical).value for other in others
        },
        spacing_ns=round(host.spacing_ns / scale),
        delay_ns=host.delay_ns,
    )


def _host(host: Attached) -> NodeSpec:
    hip0 = PortSpec("hip0", host.lan.fabric.name, on(HIPPI_NET, host.number))
    return NodeSpec(
        name=host.name,
        title=host.title,
        kind="host",
        role=host.role,
        ports=(hip0, management_port(10 + host.number)),
        service=hip0.interface.ip,
        labels=(("place", host.lan.title),),
    )


def _switch(lan: Lan, hosts: list[Attached]) -> NodeSpec:
    numbers = [*sorted(host.port for host in hosts if host.lan == lan), GATEWAY_PORT]
    return NodeSpec(
        name=lan.switch,
        title=f"NSC PS-32 HIPPI switch, {lan.title}",
        kind="switch",
        role="switch",
        ports=(
            *(PortSpec(f"port{number}", lan.fabric.name, None) for number in numbers),
            management_port(200 + 2 * lan.number),
        ),
        service=None,
        labels=(("place", lan.title),),
        watcher="mgmt1",
        object_id=f".{ps32.OBJECT_ID}",
        simulated_by=NAME,
    )


def _gateway(lan: Lan) -> NodeSpec:
    stripes = (PortSpec(f"oc3-{number}", SONET.name, None) for number in range(STRIPES))
    return NodeSpec(
        name=lan.gateway,
        title=f"HIPPI-SONET gateway, {lan.title}",
        kind="gateway",
        role="gateway",
        ports=(PortSpec("hippi0", lan.fabric.name, None), *stripes, management_port(201 + 2 * lan.number)),
        service=None,
        labels=(("place", lan.title),),
        watcher="mgmt1",
        object_id=f".{hsg.OBJECT_ID}",
        simulated_by=NAME,
    )


def _links(hosts: list[Attached]) -> Iterator[LinkSpec]:
    for host in hosts:
        yield LinkSpec(host.lan.fabric.name, End(host.name, "hip0"), End(host.lan.switch, f"port{host.port}"))
    for lan in LANS:
        yield LinkSpec(lan.fabric.name, End(lan.switch, f"port{GATEWAY_PORT}"), End(lan.gateway, "hippi0"))
    for number in range(STRIPES):
        port = f"oc3-{number}"
        yield LinkSpec(SONET.name, End(SDSC.gateway, port), End(CALTECH.gateway, port))


def _flows(hosts: list[Attached], scale: float) -> Iterator[FlowSpec]:
    """Light traffic between and on the LANs; almost none to the C90, whose port is blocked."""
    extra = sorted(host.name for host in hosts if host.name[:2] in {"sd", "ct"})
    pairs = [(BLOCKED, FAR, 0.02, 83.0), (FAR, BLOCKING, 0.02, 61.0), (FAR, BLOCKED, 0.001, 71.0)]
    for name in extra:
        far, near = (FAR, BLOCKING) if name.startswith("sd") else (BLOCKING, FAR)
        pairs += [(name, far, 0.01, 109.0), (name, near, 0.02, 97.0)]
    for place, (source, target, share, period) in enumerate(pairs):
        rate = share * CHANNEL_RATE * scale
        yield FlowSpec(source, target, rate, 65280 - UDP_OVERHEAD, period, place * 0.618 % 1)
