"""Circuits: each hop as declared and as reported, and plans of new ones."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

from backstay.api.http.schemas import Body, State

CircuitKind = Literal["pvc", "vlan"]
CircuitPattern = Literal["full", "between", "hub"]
CircuitMeans = Literal["pvc", "svc", "vlan"]
HostName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")]


class CircuitShape(Body):
    """How fast a sender may send into a circuit."""

    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,31}$")]
    peak: int = Field(gt=0, le=10**12, description="bit/s")
    sustain: int | None = Field(None, gt=0, le=10**12, description="bit/s")
    burst: int | None = Field(None, ge=0, le=2**31 - 1, description="As the device counts it")
    qos: Literal["high", "low"] | None = None


class CircuitSide(BaseModel):
    """Where a circuit enters or leaves a node."""

    port: str
    port_id: int | None
    label: str = Field(description="VPI/VCI, or a VLAN id")
    reported: Literal["up", "down", "unknown", "missing", "off"] | None = Field(
        description="State of the label in the device's own table; null: the table is not read"
    )
    port_up: bool | None = Field(description="The port's operational state")
    strays: list[str] = Field(description="Labels in the port's table that no circuit uses")
    fault: str | None = Field(description="What is wrong here, in a sentence")


class CircuitHop(BaseModel):
    """One node of a circuit, in the circuit's direction."""

    node: str
    node_id: int | None
    into: CircuitSide | None = Field(description="Null of the first hop")
    out: CircuitSide | None = Field(description="Null of the last hop")
    shape: CircuitShape | None
    faults: list[str] = Field(description="What is wrong at this hop, in sentences")
    joins: bool = Field(description="What it sends is what the next hop expects; true of the last one")


class CircuitOut(BaseModel):
    """A circuit from end to end."""

    id: int
    name: str
    kind: CircuitKind
    state: State = Field(description="unknown: no device on its path reports it")
    state_text: str
    ends: list[str] = Field(description="Its first and its last node")
    labels: list[str] = Field(description="Each label on its path once, in order")
    shape: str | None = Field(description="Name of its traffic shape")
    note: str
    hops: list[CircuitHop]
    incident_id: int | None = Field(description="The incident that is open of it")
    url: str


class CircuitGroupIn(Body):
    """Hosts of one sort: so many, or these."""

    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9-]{0,31}$")]
    count: int | None = Field(None, ge=1, le=5000)
    nodes: list[HostName] | None = Field(None, min_length=1, max_length=5000)


class CircuitPlanIn(Body):
    """Which hosts shall reach one another, and what the network has."""

    site: str
    groups: list[CircuitGroupIn] = Field(min_length=1, max_length=16)
    pattern: CircuitPattern = "full"
    hub: HostName | None = Field(None, description="The host that all others reach, or a separate router")
    kind: CircuitKind = "pvc"
    switches: int = Field(1, ge=1, le=64, description="In a row, the hosts spread over them")
    means: list[CircuitMeans] = Field(["pvc"], description="What the network can do")
    fabric: str | None = Field(None, description="On which named hosts have their ports")
    shape: CircuitShape | None = None


class CircuitSize(BaseModel):
    """What one method of joining the hosts costs."""

    method: str
    title: str
    circuits: int = Field(description="To be configured")
    statements: int = Field(description="Lines over all devices")
    per_port: int = Field(description="Circuits on the fullest host's port")
    trunk: int = Field(description="Circuits on the fullest trunk")
    one_more: int = Field(description="Lines that one more host costs")
    fits: bool = Field(description="Whether the fullest port has labels enough")
    note: str


class PlannedCircuit(BaseModel):
    """One circuit of a plan with its labels from hop to hop."""

    name: str
    a: str
    b: str
    sides: list[str] = Field(description="`node:port label`, from end to end")


class CircuitPlanOut(BaseModel):
    """Number of circuits, the best method, and labels that are free."""

    members: int
    pairs: int = Field(description="n(n-1)/2 of all hosts")
    capacity: int = Field(description="Labels of one ATM port")
    limits: str
    sizes: list[CircuitSize]
    advised: str = Field(description="A `method` of the sizes")
    advice: str
    planned: int = Field(description="Circuits that labels were given to")
    circuits: list[PlannedCircuit] = Field(description="The first of them")
    device: str | None = Field(description="The device that `text` configures")
    text: str = Field(description="Statements of its gratm.conf; empty where its format is not known")


class HandOverIn(Body):
    """For which router, and the file that it has now."""

    site: str
    node: HostName
    current: str = Field("", max_length=1_000_000, description="Its /etc/gratm.conf as it is")


class HandOverOut(BaseModel):
    """The file to put onto a router by hand."""

    node: str
    path: str
    before: str
    after: str
    diff: str = Field(description="Unified; empty: nothing is to be done")
    commands: list[str] = Field(description="To be run afterwards, in order")
    unlike: list[str] = Field(description="What the file lacks or has besides, in sentences")
