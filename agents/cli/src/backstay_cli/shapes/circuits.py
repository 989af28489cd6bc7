"""The parts of the API's answers about circuits that this program shows; as `shapes`."""

from __future__ import annotations

from backstay_cli.shapes.base import Shape


class CircuitSide(Shape):
    """Where a circuit enters or leaves a node."""

    port: str
    label: str
    reported: str | None
    strays: list[str]
    fault: str | None


class CircuitHop(Shape):
    """One node of a circuit."""

    node: str
    into: CircuitSide | None
    out: CircuitSide | None
    faults: list[str]
    joins: bool


class CircuitOut(Shape):
    """A circuit from end to end."""

    id: int
    name: str
    kind: str
    state: str
    state_text: str
    ends: list[str]
    labels: list[str]
    hops: list[CircuitHop]


class CircuitSize(Shape):
    """What one way of joining hosts costs."""

    method: str
    title: str
    circuits: int
    statements: int
    per_port: int
    trunk: int
    one_more: int
    fits: bool


class PlannedCircuit(Shape):
    """One circuit of a plan."""

    name: str
    sides: list[str]


class CircuitPlanOut(Shape):
    """How many circuits, and which way is best."""

    members: int
    pairs: int
    capacity: int
    limits: str
    sizes: list[CircuitSize]
    advised: str
    advice: str
    planned: int
    circuits: list[PlannedCircuit]
    device: str | None
    text: str
