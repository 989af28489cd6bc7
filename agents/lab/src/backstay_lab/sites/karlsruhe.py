"""Sites `karlsruhe` (InfiniBand at Forschungszentrum Karlsruhe, 2004) and `karlsruhe-large`.

After Heiss, Schwickerath and Ganis, "InfiniBand for high energy physics": 13 dual-Xeon compute nodes, an
interactive one and a 4-way Opteron file server, all on one 16-port 4X switch. The Xeons read files from the
Opteron (RFIO over InfiniBand) and run MPI programs. The large site is a fat-tree of 648 hosts, typical ten
years later: 36 leaf switches, 18 spines, 4X QDR.

ibsim simulates switches and adapters, a real OpenSM manages them, and real tools sweep them from `mgmt1`,
which is attached at the interactive node. Data traffic is not real: a model sets the ports' counters in
ibsim; management packets are counted by ibsim. Rates are real unless `--rate-scale` is set.
"""

from __future__ import annotations

from dataclasses import replace

from backstay_lab.blueprint import Blueprint, End, FabricSpec, LinkSpec, NodeSpec, Parameters, PortSpec
from backstay_lab.errors import LabError
from backstay_lab.infiniband.fabric import PAYLOAD, SDR, IbFabric, IbNode, Place
from backstay_lab.infiniband.model import Flaw
from backstay_lab.infiniband.service import NAME, infiniband_service
from backstay_lab.infiniband.shapes import exchange, fat_tree, jobs, reads, star, with_flaws
from backstay_lab.infiniband.site import Build, IbSite
from backstay_lab.sites.parts import MANAGEMENT, RELAY, management_host

SMALL, LARGE = "karlsruhe", "karlsruhe-large"
FABRIC = "infiniband"
SWITCH, LOGIN, SERVER = "ib-sw1", "fzk-login", "opteron1"
SWITCH_PORTS = 16
ADAPTER, LARGE_ADAPTER = "mthca0", "mlx4_0"
MAX_COMPUTE = SWITCH_PORTS - 2
READ_RATE, MPI_RATE = 240e6, 300e6
"""Mean bit/s that a node reads, and sends to each neighbour: small compared with the link's 8 Gb/s."""
INTERVAL_S = {SMALL: 2, LARGE: 10}
BUSY, LOAD = 1 / 3, 0.12
"""Share of the large site's hosts that compute, and their mean link utilisation."""
RADICES = (4, 8, 12, 18, 24, 36)
SETTINGS = {"flaws": 1.0}
MEANINGS = {"flaws": "1: a few bad cables, 0: none"}


def _hosts(compute: int) -> list[str]:
    """The interactive node first: tools are attached there."""
    return [LOGIN, *(f"fzk{number:02}" for number in range(1, compute + 1)), SERVER]


def small_fabric(parameters: Parameters) -> IbSite:
    """One switch. With flaws, the last compute node's cable counts symbol errors."""
    if not 1 <= parameters.nodes <= MAX_COMPUTE:
        raise LabError(
            f"{parameters.nodes} compute nodes exceed a {SWITCH_PORTS}-port switch.",
            f"Choose 1 to {MAX_COMPUTE}.",
        )
    hosts = _hosts(parameters.nodes)
    compute = hosts[1:-1]
    scale = parameters.rate_scale
    flows = reads(compute, SERVER, READ_RATE * scale) + exchange(compute, MPI_RATE * scale)
    fabric = star(SWITCH, SWITCH_PORTS, hosts, ADAPTER, SDR)
    flaws = (Flaw((compute[-1], 1), "SymbolErrorCounter", 7.0),) if parameters.setting("flaws") else ()
    return IbSite(fabric, tuple(flows), flaws)


def large_fabric(parameters: Parameters) -> IbSite:
    """A fat-tree of `parameters.nodes` hosts. With flaws: two slow cables and three ports with errors."""
    radix = next((radix for radix in RADICES if radix * radix // 2 == parameters.nodes), None)
    if radix is None:
        sizes = ", ".join(str(radix * radix // 2) for radix in RADICES)
        raise LabError(f"No full fat-tree has {parameters.nodes} hosts.", f"Choose one of: {sizes}.")
    fabric = fat_tree(radix, LARGE_ADAPTER)
    hosts = [node.name for node in fabric.nodes if node.kind == "ca"]
    flows = jobs(fabric, hosts[radix // 2 :], BUSY, LOAD * parameters.rate_scale)
    if not parameters.setting("flaws"):
        return IbSite(fabric, tuple(flows))
    middle, last = len(hosts) // 2, len(fabric.cables) - 1
    spoilt: list[tuple[Place, str, float]] = [
        (fabric.cables[middle + 1].b, "SymbolErrorCounter", 4.0),
        (fabric.cables[last - radix].a, "PortRcvErrors", 9.0),
        (fabric.cables[last - radix].b, "LinkErrorRecoveryCounter", 45.0),
    ]
    flaws = tuple(Flaw(*item) for item in spoilt)
    return IbSite(with_flaws(fabric, narrow=[middle], slow=[last]), tuple(flows), flaws)


FABRICS: dict[str, Build] = {SMALL: small_fabric, LARGE: large_fabric}


def blueprint(parameters: Parameters) -> Blueprint:
    """Site `karlsruhe`; LabError when the number of compute nodes does not fit."""
    return _blueprint(SMALL, "Forschungszentrum Karlsruhe, InfiniBand 2004", parameters)


def large_blueprint(parameters: Parameters) -> Blueprint:
    """Site `karlsruhe-large`; LabError when the hosts do not make a full fat-tree."""
    return _blueprint(LARGE, "Karlsruhe grown: an InfiniBand fat-tree", parameters)


def _blueprint(site: str, title: str, parameters: Parameters) -> Blueprint:
    fabric = FABRICS[site](parameters).fabric
    host = management_host()
    sweep = {"kind": "infiniband", "fabric": FABRIC}
    return Blueprint(
        site=site,
        title=title,
        parameters=parameters,
        interval_s=INTERVAL_S[site],
        fabrics=(_fabric(fabric), MANAGEMENT),
        nodes=(*(_node(fabric, node, host.name) for node in fabric.nodes), replace(host, sources=(sweep,))),
        links=tuple(
            LinkSpec(FABRIC, _end(fabric, cable.a), _end(fabric, cable.b)) for cable in fabric.cables
        ),
        policies=(),
        flows=(),
        relay=RELAY,
        services=(infiniband_service(host.name),),
    )


def _fabric(fabric: IbFabric) -> FabricSpec:
    return FabricSpec(
        name=FABRIC,
        title="InfiniBand 4X SDR" if fabric.speed == SDR else "InfiniBand 4X QDR",
        kind="infiniband",
        media_rate=fabric.rate,
        usable_rate=round(fabric.rate * PAYLOAD),
        mtu=2044,
        if_type=199,
        wiring="none",
    )


def _node(fabric: IbFabric, node: IbNode, watcher: str) -> NodeSpec:
    ports = [port for port in range(1, node.ports + 1) if (node.name, port) in fabric.ends]
    return NodeSpec(
        name=node.name,
        title=_title(node),
        kind="switch" if node.kind == "switch" else "host",
        role="switch" if node.kind == "switch" else ("server" if node.name == SERVER else "compute"),
        ports=tuple(PortSpec(node.port_name(port), FABRIC, None) for port in ports),
        service=None,
        watcher=watcher,
        simulated_by=NAME,
        guid=node.guid,
    )


def _title(node: IbNode) -> str:
    if node.kind == "switch":
        return f"InfiniBand switch, {node.ports} ports"
    return {
        SERVER: "Opteron file server (RFIO)",
        LOGIN: "Interactive dual-Xeon node",
    }.get(node.name, "Compute node" if node.adapter == LARGE_ADAPTER else "Dual-Xeon compute node")


def _end(fabric: IbFabric, place: Place) -> End:
    return End(place[0], fabric.by_name[place[0]].port_name(place[1]))
