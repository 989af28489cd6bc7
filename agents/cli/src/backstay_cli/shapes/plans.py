"""A plan: what differs, what was checked, what failures would do."""

from __future__ import annotations

from backstay_cli.shapes.base import Shape


class CheckOut(Shape):
    """One check of a plan."""

    check: str
    level: str
    text: str
    nodes: list[str]


class DifferenceOut(Shape):
    """One prefix before and after."""

    prefix: str
    before: list[str]
    after: list[str]


class FileDiffOut(Shape):
    """A boot file before and after."""

    path: str
    diff: str


class ShapeOut(Shape):
    """Nodes whose changes read the same."""

    nodes: list[str]
    engine: str
    differences: list[DifferenceOut]
    files: list[FileDiffOut]


class ImpactOut(Shape):
    """What a single failure would do."""

    failure: str
    kind: str
    verdict: str
    text: str
    seconds: float | None


class ArpDifferenceOut(Shape):
    """One thing of one port before and after."""

    port: str
    what: str
    before: str
    after: str


class ArpShapeOut(Shape):
    """Nodes whose ARP changes read the same."""

    nodes: list[str]
    differences: list[ArpDifferenceOut]
    files: list[FileDiffOut]


class ArpHandedEntryOut(Shape):
    """One entry that a device must have."""

    address: str
    mac: str
    node: str
    status: str
    found: str


class ArpHandOverOut(Shape):
    """What a person must set on a device."""

    node: str
    port: str
    done: bool
    reminders: list[str]
    entries: list[ArpHandedEntryOut]


class ArpPlanOut(Shape):
    """What a plan would change of ARP."""

    shapes: list[ArpShapeOut]
    hand_overs: list[ArpHandOverOut]


class PlanOut(Shape):
    """A frozen proposal."""

    digest: str
    stale: bool
    stale_because: str
    blocked: bool
    summary: str
    shapes: list[ShapeOut]
    checks: list[CheckOut]
    impacts: list[ImpactOut]
    waves: list[list[str]]
    arp: ArpPlanOut | None = None
