"""Circuit planning: from a request to hosts, ports, labels and texts. Stores nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from backstay.api.circuits.schemas import (
    CircuitGroupIn,
    CircuitPlanIn,
    CircuitPlanOut,
    CircuitSize,
    PlannedCircuit,
)
from backstay.core.errors import Invalid
from backstay.core.model.circuit import (
    FIRST_VCI,
    MAX_VCI,
    MAX_VCI_ON_VPI_0,
    MAX_VPI,
    PORT_CAPACITY,
    Circuit,
    Shape,
    places,
)
from backstay.core.model.topology import Topology
from backstay.core.planning.circuits.assignment import Ledger
from backstay.core.planning.circuits.mesh import Group, Mesh, full_count, numbered
from backstay.core.planning.circuits.recommendation import advise
from backstay.core.planning.circuits.routes import SwitchRow, Wanted, plan
from backstay.core.planning.circuits.sizes import Size, sizes
from backstay.core.rendering.gratm import renderer

LISTED = 500
MOST_PLANNED = 10_000
"""Maximum circuits that are assigned labels; larger meshes are only counted."""
LIMITS = (
    f"VPI 0 to {MAX_VPI}; VCI {FIRST_VCI} to {MAX_VCI_ON_VPI_0} on VPI 0, to {MAX_VCI} on the others;"
    f" below {FIRST_VCI} reserved for signalling"
)
_ATM_CARD = re.compile(r"ga0[0-9a-f]{2}")


def plan_out(asked: CircuitPlanIn, topology: Topology, taken: Sequence[Circuit]) -> CircuitPlanOut:
    """Plan the requested circuits. Raises Invalid, and Clash or PortFull of the assignment."""
    mesh = _mesh(asked)
    found = sizes(mesh, asked.switches)
    advice = advise(found, asked.pattern, frozenset(asked.means))
    wanted = next(size for size in found if size.pattern == asked.pattern)
    ports = _ports(asked, topology)
    made = _planned(asked, mesh, wanted, ports, taken)
    device = _device(asked, mesh, ports)
    return CircuitPlanOut(
        members=len(mesh.members),
        pairs=full_count(len(mesh.members)),
        capacity=PORT_CAPACITY,
        limits=LIMITS,
        sizes=[_size_out(size) for size in found],
        advised=advice.pattern,
        advice=advice.text,
        planned=len(made),
        circuits=[_listed(circuit) for circuit in made[:LISTED]],
        device=device,
        text="" if device is None else _text(device, made),
    )


def _size_out(size: Size) -> CircuitSize:
    values = asdict(size)
    return CircuitSize(method=values.pop("pattern"), **values)


def _mesh(asked: CircuitPlanIn) -> Mesh:
    groups = tuple(_group(number, group) for number, group in enumerate(asked.groups))
    names = [name for group in groups for name in group.members]
    if len(set(names)) != len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise Invalid("A host is in one group, once.", fields={"groups": f"each once; twice: {twice[0]}"})
    if asked.pattern == "hub" and asked.hub is None:
        raise Invalid("A hub and its spokes need the hub's name.", fields={"hub": "a host's name"})
    if asked.pattern == "between" and len(groups) < 2:
        raise Invalid("Between groups needs two of them.", fields={"groups": "at least two"})
    return Mesh(groups, asked.hub)


def _group(number: int, group: CircuitGroupIn) -> Group:
    if (group.count is None) == (group.nodes is None):
        raise Invalid("A group is so many hosts, or these.", fields={f"groups.{number}": "count or nodes"})
    return numbered(group.name, group.count) if group.count else Group(group.name, tuple(group.nodes or ()))


def _ports(asked: CircuitPlanIn, topology: Topology) -> dict[str, str]:
    """Known hosts' ports on the requested fabric, or on the first that suits the kind of circuit."""
    kind = "atm" if asked.kind == "pvc" else "ethernet"
    if asked.fabric is not None and asked.fabric not in {item.name for item in topology.fabrics.values()}:
        raise Invalid(
            f"There is no fabric {asked.fabric}.", fields={"fabric": "the name of one of the site's"}
        )
    found: dict[str, str] = {}
    for port in sorted(topology.ports.values(), key=lambda port: port.id):
        fabric = topology.fabrics.get(port.fabric_id or 0)
        if fabric is not None and (fabric.name == asked.fabric if asked.fabric else fabric.kind == kind):
            found.setdefault(topology.nodes[port.node_id].name, port.name)
    return found


def _planned(
    asked: CircuitPlanIn, mesh: Mesh, wanted: Size, ports: Mapping[str, str], taken: Sequence[Circuit]
) -> list[Circuit]:
    if wanted.circuits > MOST_PLANNED or not wanted.fits:
        return []
    outside = mesh.hub is not None and mesh.hub not in mesh.members
    members = (mesh.hub, *mesh.members) if outside and mesh.hub is not None else mesh.members
    switches = [f"switch{number}" for number in range(1, asked.switches + 1)]
    shape = Shape(**asked.shape.model_dump()) if asked.shape is not None else None
    row = SwitchRow(members, switches, ports)
    return plan(Wanted(mesh, asked.pattern, asked.kind, shape), row, Ledger(taken))


def _listed(circuit: Circuit) -> PlannedCircuit:
    sides = [f"{node}:{port} {side.label}" for _, (node, port), side in places(circuit)]
    return PlannedCircuit(name=circuit.name, a=circuit.ends[0], b=circuit.ends[1], sides=sides)


def _device(asked: CircuitPlanIn, mesh: Mesh, ports: Mapping[str, str]) -> str | None:
    """The hub, or else the first host, that is a GigaRouter according to its port's name."""
    if asked.kind != "pvc":
        return None
    hosts = [mesh.hub, *mesh.members] if mesh.hub is not None else list(mesh.members)
    return next(
        (name for name in hosts if name is not None and _ATM_CARD.fullmatch(ports.get(name, ""))), None
    )


def _text(device: str, made: Sequence[Circuit]) -> str:
    try:
        return renderer.write(renderer.statements(device, made))
    except ValueError as problem:
        raise Invalid(f"It cannot be written as {renderer.PATH}: {problem}.") from problem
