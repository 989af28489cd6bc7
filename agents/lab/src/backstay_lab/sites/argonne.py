"""Site `argonne`: an IBM SP complex whose traffic leaves through a GigaRouter, as Argonne's did in 1998.

After "Evaluation of the Ascend GRF in an SP complex" (preprint ANL/MCS-P747-1298): nodes on one SP
switch prefer a GigaRouter, which is attached to the switch port of the last frame's 16th slot, and fall
back to a wide node set aside as ATM OC-3 gateway; the division router prefers the GigaRouter inward.
The frame's last node is that wide node: it fills slots 15 and 16, is numbered by 15, and leaves the
switch port of slot 16 free.

Four deviations from the paper. Its 88 thin nodes are a parameter. Each PVC is shaped separately at its
card's usable rate, so two PVCs of one card do not compete. Every address with more than one path is a
loopback (10.9.0.0/24), so that a flow survives the loss of either path. The paper's nodes had static
routes, which detect no failure; here sp05 to sp08 have them, with three different engines, and BFD monitors
the other nodes' routes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Interface, IPv4Network

from backstay_lab.blueprint import (
    Blueprint,
    End,
    EngineName,
    FabricSpec,
    FlowSpec,
    HopSpec,
    LinkSpec,
    NodeSpec,
    Parameters,
    Policy,
    PortSpec,
    RouteSpec,
    SharedRiskSpec,
)
from backstay_lab.errors import LabError
from backstay_lab.sites.parts import (
    DEFAULT,
    GRF400,
    MANAGEMENT,
    RELAY,
    UDP_OVERHEAD,
    CircuitSpec,
    alone,
    management_host,
    management_port,
    on,
)

MAX_NODES = 64
SETTINGS = {"frr": 1.0}
MEANINGS = {"frr": "0: sp05 and sp06 run BIRD too, for hosts where FRR is not installed or cannot run"}
ENGINES: dict[int, EngineName] = {5: "frr", 6: "frr", 7: "gated", 8: "kernel"}
"""Routing engine by compute node number; BIRD with BFD for all others."""
GRF_NEIGHBOURS = 1024
"""Neighbour capacity of the GigaRouter's kernel (gc_thresh3); SNMP has no object for it."""
SLOTS = 16
"""Thin-node slots, and switch ports, of one SP frame."""

SP = FabricSpec(
    name="sp-switch",
    title="SP Switch",
    kind="sp_switch",
    media_rate=960_000_000,
    usable_rate=960_000_000,
    mtu=65520,
    if_type=53,  # propVirtual: IANA never gave css0 a number
    shared=True,
)
HIPPI = FabricSpec(
    name="hippi",
    title="HIPPI-800",
    kind="hippi",
    media_rate=800_000_000,
    usable_rate=800_000_000,
    mtu=65280,
    if_type=47,
)
OC12 = FabricSpec(
    name="atm-oc12",
    title="ATM OC-12",
    kind="atm",
    media_rate=622_080_000,
    usable_rate=538_000_000,
    mtu=9180,
    if_type=37,
)
OC3 = FabricSpec(
    name="atm-oc3",
    title="ATM OC-3",
    kind="atm",
    media_rate=155_520_000,
    usable_rate=134_500_000,
    mtu=9180,
    if_type=37,
)
SP_NET = IPv4Network("10.1.0.0/24")
HIPPI_NET = IPv4Network("10.2.0.0/30")
ROUTER = IPv4Address("10.9.0.1")
ORIGIN = IPv4Address("10.9.0.2")


def blueprint(parameters: Parameters) -> Blueprint:
    """The site for these parameters; LabError when the number of nodes does not fit."""
    if not 1 <= parameters.nodes <= MAX_NODES:
        raise LabError(f"{parameters.nodes} nodes exceed argonne's switch.", f"Choose 1 to {MAX_NODES}.")
    plan = _Plan(parameters.nodes, frr=bool(parameters.settings.get("frr", 1)))
    return Blueprint(
        site="argonne",
        title="Argonne SP complex, 1998",
        parameters=parameters,
        fabrics=(SP, HIPPI, OC12, OC3, MANAGEMENT),
        nodes=plan.nodes(),
        links=plan.links(),
        policies=plan.policies(),
        flows=_flows(plan.compute, parameters.rate_scale),
        relay=RELAY,
        shared_risks=(OC12_CARD,),
        second_person=True,
    )


GRF_ONYX = CircuitSpec(HIPPI, HIPPI_NET, End("grf1", "gh010"), End("onyx1", "hip0"))
GRF_ORIGIN = CircuitSpec(
    OC12, IPv4Network("10.3.0.0/30"), End("grf1", "ga030"), End("origin1", "at0"), circuit="0/130"
)
GRF_ROUTER = CircuitSpec(
    OC12, IPv4Network("10.3.0.4/30"), End("grf1", "ga031"), End("router", "at0"), circuit="0/131"
)
ATMGW_ROUTER = CircuitSpec(
    OC3, IPv4Network("10.3.0.8/30"), End("atmgw", "at0"), End("router", "at1"), circuit="0/140"
)
ORIGIN_ROUTER = CircuitSpec(
    OC12, IPv4Network("10.3.0.12/30"), End("origin1", "at1"), End("router", "at2"), circuit="0/150"
)
OC12_CARD = SharedRiskSpec("grf1-slot3", "card", ("link:grf1:ga030", "link:grf1:ga031"))
"""Both circuits are logical interfaces of one card, as a GRF names them: ga, chassis 0, slot 3, a number."""
CIRCUITS = (GRF_ONYX, GRF_ORIGIN, GRF_ROUTER, ATMGW_ROUTER, ORIGIN_ROUTER)


@dataclass(frozen=True)
class _Plan:
    """The numbering of a complex of `count` compute nodes."""

    count: int
    frr: bool = True
    last: int = field(init=False)
    """Node number of the last frame's 16th slot, the GigaRouter's."""

    def __post_init__(self) -> None:
        frames = -(-(self.count + 2) // SLOTS)  # the wide node needs the last frame's last two slots
        object.__setattr__(self, "last", frames * SLOTS)

    @property
    def compute(self) -> tuple[str, ...]:
        return tuple(f"sp{number:02}" for number in range(1, self.count + 1))

    def _engine(self, number: int) -> EngineName:
        engine = ENGINES.get(number, "bird")
        return engine if self.frr or engine != "frr" else "bird"

    def _routed_by(self, *engines: EngineName) -> tuple[str, ...]:
        named = enumerate(self.compute, start=1)
        return tuple(name for number, name in named if self._engine(number) in engines)

    def nodes(self) -> tuple[NodeSpec, ...]:
        thin = tuple(self._thin(name, number) for number, name in enumerate(self.compute, start=1))
        return (*thin, self._atmgw(), self._grf(), _onyx(), _origin(), self._router(), management_host())

    def links(self) -> tuple[LinkSpec, ...]:
        on_switch = ((name, "css0") for name in (*self.compute, "atmgw"))
        shared = tuple(LinkSpec(SP.name, End(*end)) for end in (*on_switch, ("grf1", "gt000")))
        return shared + tuple(circuit.link for circuit in CIRCUITS)

    def policies(self) -> tuple[Policy, ...]:
        first = _sp_address(1).ip
        # A node with a checker follows the return path and answers via a working gateway.
        checked = [
            _sp_address(number).ip for number in range(1, self.count + 1) if self._engine(number) != "bird"
        ]
        return (
            Policy(
                name="sp-default",
                nodes=self._routed_by("bird"),
                prefix=DEFAULT,
                gateways=("grf1", "atmgw"),
                target=ROUTER,
                note="Nodes leave through the GigaRouter and fall back to the ATM OC-3 gateway node.",
            ),
            *self._static_policy(),
            Policy(
                name="router-to-sp",
                nodes=("router",),
                prefix=SP_NET,
                gateways=("grf1", "atmgw"),
                target=next(iter(checked), first),
                note="Inbound traffic uses the GigaRouter whenever it can. A checker detects what BFD "
                "cannot: a gateway that answers but does not forward.",
                detection="checker",
            ),
            Policy(
                name="origin1-to-sp",
                nodes=("origin1",),
                prefix=SP_NET,
                gateways=("grf1", "router"),
                target=first,
                note="The OC-12 host has its own PVC to the GigaRouter; its fallback is the division router.",
            ),
        )

    def _static_policy(self) -> tuple[Policy, ...]:
        nodes = self._routed_by("frr", "gated", "kernel")
        if not nodes:
            return ()
        return (
            Policy(
                name="sp-static",
                nodes=nodes,
                prefix=DEFAULT,
                gateways=("grf1", "atmgw"),
                target=ROUTER,
                note="Static routes as in the paper: without a checker nothing detects a dead gateway.",
                detection="checker",
                deployed=False,
            ),
        )

    def _thin(self, name: str, number: int) -> NodeSpec:
        return NodeSpec(
            name=name,
            title="SP thin node",
            kind="host",
            role="compute",
            ports=(PortSpec("css0", SP.name, _sp_address(number)), management_port(10 + number)),
            service=_sp_address(number).ip,
            routes=(RouteSpec(DEFAULT, (self._over_switch("grf1"), self._over_switch("atmgw"))),),
            engine=self._engine(number),
            arp=True,
            node_number=number,
            switch_node_number=number - 1,
            labels=_slot(number),
        )

    def _over_switch(self, gateway: str) -> HopSpec:
        number = self.last if gateway == "grf1" else self.last - 1
        return HopSpec(gateway, _sp_address(number).ip, "css0")

    def _atmgw(self) -> NodeSpec:
        number = self.last - 1
        css0 = PortSpec("css0", SP.name, _sp_address(number))
        return NodeSpec(
            name="atmgw",
            title="SP wide node, ATM OC-3 gateway",
            kind="gateway",
            role="gateway",
            ports=(css0, ATMGW_ROUTER.port("atmgw"), management_port(10 + number)),
            service=css0.interface.ip,
            routes=(RouteSpec(DEFAULT, (ATMGW_ROUTER.hop("router"),)), RouteSpec(SP_NET, ())),
            forwards=True,
            announces="css0",
            arp=True,
            node_number=number,
            switch_node_number=number - 1,
            labels=(*_slot(number), ("slots", "2")),
        )

    def _grf(self) -> NodeSpec:
        gt000 = PortSpec("gt000", SP.name, _sp_address(self.last))
        cards = tuple(pvc.port("grf1") for pvc in (GRF_ONYX, GRF_ORIGIN, GRF_ROUTER))
        return NodeSpec(
            name="grf1",
            title="GigaRouter, SP extension node",
            kind="gateway",
            role="gateway",
            ports=(gt000, *cards, management_port(10 + self.last, "de0")),
            service=gt000.interface.ip,
            routes=(
                RouteSpec(DEFAULT, (GRF_ROUTER.hop("router"),)),
                RouteSpec(alone(ORIGIN), (GRF_ORIGIN.hop("origin1"),)),
                RouteSpec(SP_NET, ()),
                RouteSpec(HIPPI_NET, ()),
            ),
            forwards=True,
            announces="gt000",
            node_number=self.last,
            switch_node_number=self.last - 1,
            labels=(*_slot(self.last), ("neighbour_capacity", str(GRF_NEIGHBOURS))),
            extension="gt000",
            watcher="mgmt1",
            object_id=GRF400,
        )

    def _router(self) -> NodeSpec:
        return NodeSpec(
            name="router",
            title="Division router",
            kind="router",
            role="router",
            ports=(
                *(pvc.port("router") for pvc in (GRF_ROUTER, ATMGW_ROUTER, ORIGIN_ROUTER)),
                management_port(203),
            ),
            service=ROUTER,
            routes=(
                RouteSpec(SP_NET, (GRF_ROUTER.hop("grf1"), ATMGW_ROUTER.hop("atmgw"))),
                RouteSpec(HIPPI_NET, (GRF_ROUTER.hop("grf1"),)),
                RouteSpec(alone(ORIGIN), (ORIGIN_ROUTER.hop("origin1"),)),
            ),
            forwards=True,
            loopback=ROUTER,
        )


def _onyx() -> NodeSpec:
    hip0 = GRF_ONYX.port("onyx1")
    return NodeSpec(
        name="onyx1",
        title="Onyx on HIPPI",
        kind="host",
        role="server",
        ports=(hip0, management_port(201)),
        service=hip0.interface.ip,
        routes=(RouteSpec(DEFAULT, (GRF_ONYX.hop("grf1"),)),),
    )


def _origin() -> NodeSpec:
    return NodeSpec(
        name="origin1",
        title="Origin2000 on ATM OC-12",
        kind="host",
        role="server",
        ports=(GRF_ORIGIN.port("origin1"), ORIGIN_ROUTER.port("origin1"), management_port(202)),
        service=ORIGIN,
        routes=(
            RouteSpec(SP_NET, (GRF_ORIGIN.hop("grf1"), ORIGIN_ROUTER.hop("router"))),
            RouteSpec(HIPPI_NET, (GRF_ORIGIN.hop("grf1"),)),
            RouteSpec(alone(ROUTER), (ORIGIN_ROUTER.hop("router"),)),
        ),
        loopback=ORIGIN,
    )


def _sp_address(node_number: int) -> IPv4Interface:
    """Host part minus switch node number is 1 for all, as a switch without ARP would need."""
    return on(SP_NET, node_number)


def _slot(node_number: int) -> tuple[tuple[str, str], ...]:
    """Frame and slot of a node number."""
    frame, slot = divmod(node_number - 1, SLOTS)
    return ("frame", str(frame + 1)), ("slot", str(slot + 1))


def _flows(compute: tuple[str, ...], scale: float) -> tuple[FlowSpec, ...]:
    """Background traffic: neighbours over the switch, and every node with the three hosts outside.

    The flows that can fall back fill about half of the OC-3, so it can carry them.
    """
    outside = [
        # both directions with these hosts: the fabric between, the share of all nodes together, period in s
        ("origin1", OC12, 0.07, 83.0),
        ("router", OC12, 0.05, 61.0),
        ("onyx1", HIPPI, 0.12, 109.0),
    ]
    flows = []
    for place, node in enumerate(compute):
        own = 0.15 * place / len(compute)
        for index, (peer, fabric, share, period) in enumerate(outside):
            rate = share * fabric.usable_rate * scale / len(compute)
            size = fabric.mtu - UDP_OVERHEAD
            flows.append(FlowSpec(node, peer, rate, size, period, (index / 3 + own) % 1))
            flows.append(FlowSpec(peer, node, rate, size, period * 1.3, (index / 3 + 0.5 + own) % 1))
        if len(compute) > 1:
            rate = 0.08 * SP.usable_rate * scale * min(1.0, 8 / len(compute))
            neighbour = compute[(place + 1) % len(compute)]
            flows.append(FlowSpec(node, neighbour, rate, SP.mtu - UDP_OVERHEAD, 71.0, place * 0.618 % 1))
    return tuple(flows)
