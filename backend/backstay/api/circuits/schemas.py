"""Circuits: each hop as declared and as reported, and plans of new ones."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from backstay.api.http.schemas import Body, State
from backstay.core.model.circuit import Kind, Qos
from backstay.core.planning.circuits.mesh import Pattern
from backstay.core.planning.circuits.recommendation import Means
from backstay.telemetry.selectors.circuits import SideState

HostName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")]


class CircuitShape(Body):
    """Traffic shape of a circuit."""

    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,31}$")]
    peak: int = Field(gt=0, le=10**12, description="bit/s")
    sustain: int | None = Field(None, gt=0, le=10**12, description="bit/s")
    burst: int | None = Field(None, ge=0, le=2**31 - 1, description="Burst size in the device's unit")
    qos: Qos | None = None


class CircuitSide(BaseModel):
    """Ingress or egress of a circuit at a node."""

    port: str
    port_id: int | None
    label: str = Field(description="VPI/VCI, or a VLAN id")
    reported: SideState | None = Field(
        description="State of the label in the device's own table; null: the table is not read"
    )
    port_up: bool | None = Field(description="The port's operational state")
    strays: list[str] = Field(description="Labels in the port's table that no circuit uses")
    fault: str | None = Field(description="The fault, as a sentence")


class CircuitHop(BaseModel):
    """One node of a circuit, in the circuit's direction."""

    node: str
    node_id: int | None
    into: CircuitSide | None = Field(description="Null for the first hop")
    out: CircuitSide | None = Field(description="Null for the last hop")
    shape: CircuitShape | None
    faults: list[str] = Field(description="Faults of this hop, as sentences")
    joins: bool = Field(
        description="Whether its egress matches the next hop's ingress; true for the last hop"
    )


class CircuitOut(BaseModel):
    """A circuit from end to end."""

    id: int
    name: str
    kind: Kind
    state: State = Field(description="unknown: no device on its path reports it")
    state_text: str
    ends: list[str] = Field(description="Its first and its last node")
    labels: list[str] = Field(description="Distinct labels on its path, in order")
    shape: str | None = Field(description="Name of its traffic shape")
    note: str
    hops: list[CircuitHop]
    incident_id: int | None = Field(description="Its open incident")
    url: str


class DeclaredSide(BaseModel):
    """Declared ingress or egress of a circuit at a node."""

    port: str
    label: str = Field(description="VPI/VCI, or a VLAN id")


class DeclaredHop(BaseModel):
    """One node of a circuit as declared, in the circuit's direction."""

    node: str
    into: DeclaredSide | None = Field(description="Null for the first hop")
    out: DeclaredSide | None = Field(description="Null for the last hop")
    shape: CircuitShape | None
    joins: bool = Field(
        description="Whether its egress matches the next hop's ingress; true for the last hop"
    )


class CircuitVersionOut(BaseModel):
    """A circuit as the site file declared it from one import to another."""

    id: int
    name: str
    kind: Kind
    since: datetime | None = Field(description="Import that declared it; null: before imports were recorded")
    until: datetime | None = Field(description="Import that replaced or removed it; null: in force")
    ends: list[str] = Field(description="Its first and its last node")
    labels: list[str] = Field(description="Distinct labels on its path, in order")
    note: str
    hops: list[DeclaredHop]
    circuit_id: int | None = Field(description="The circuit of this name now; null: none is declared")
    url: str | None


class CircuitGroupIn(Body):
    """A group of hosts: a count, or names."""

    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9-]{0,31}$")]
    count: int | None = Field(None, ge=1, le=5000)
    nodes: list[HostName] | None = Field(None, min_length=1, max_length=5000)


class CircuitPlanIn(Body):
    """Required connectivity and the network's properties."""

    site: str
    groups: list[CircuitGroupIn] = Field(min_length=1, max_length=16)
    pattern: Pattern = "full"
    hub: HostName | None = Field(None, description="The host that all others reach, or a separate router")
    kind: Kind = "pvc"
    switches: int = Field(
        1, ge=1, le=64, description="Number of switches in series, with the hosts spread over them"
    )
    means: list[Means] = Field(["pvc"], description="Supported kinds of circuits")
    fabric: str | None = Field(None, description="Fabric of the named hosts' ports")
    shape: CircuitShape | None = None


class CircuitSize(BaseModel):
    """Cost of one method of connecting the hosts."""

    method: str
    title: str
    circuits: int = Field(description="Circuits to configure")
    statements: int = Field(description="Configuration lines on all devices")
    per_port: int = Field(description="Circuits on the fullest host's port")
    trunk: int = Field(description="Circuits on the fullest trunk")
    one_more: int = Field(description="Configuration lines for one more host")
    fits: bool = Field(description="Whether the fullest port has enough labels")
    note: str


class PlannedCircuit(BaseModel):
    """One planned circuit with its labels hop by hop."""

    name: str
    a: str
    b: str
    sides: list[str] = Field(description="`node:port label`, from end to end")


class CircuitPlanOut(BaseModel):
    """Number of circuits, the best method, and free labels."""

    members: int
    pairs: int = Field(description="Pairs of all hosts: n(n-1)/2")
    capacity: int = Field(description="Labels of one ATM port")
    limits: str
    sizes: list[CircuitSize]
    advised: str = Field(description="The recommended `method` of the sizes")
    advice: str
    planned: int = Field(description="Circuits with assigned labels")
    circuits: list[PlannedCircuit] = Field(description="The first circuits")
    device: str | None = Field(description="The device that `text` configures")
    text: str = Field(description="Statements for its gratm.conf; empty: its format is not known")


class HandOverIn(Body):
    """The router and its current file."""

    site: str
    node: HostName
    current: str = Field("", max_length=1_000_000, description="Current content of its /etc/gratm.conf")


class HandOverOut(BaseModel):
    """The file to install on a router manually."""

    node: str
    path: str
    before: str
    after: str
    diff: str = Field(description="Unified; empty: no difference")
    commands: list[str] = Field(description="Commands to run afterwards, in order")
    unlike: list[str] = Field(
        description="Differences of the file: missing or additional content, as sentences"
    )
