"""What the program reads of extension nodes."""

from __future__ import annotations

from backstay_cli.shapes.base import Shape
from backstay_cli.shapes.plans import CheckOut


class ExtensionAttribute(Shape):
    """One attribute, intended and as the router tells it."""

    title: str
    sdr: str
    object: str
    intended: str | None
    reported: str | None
    verdict: str
    text: str


class ExtensionOut(Shape):
    """One extension node."""

    name: str
    state: str
    state_text: str
    place: str
    node_number: int | None
    switch_node_number: int | None
    address: str | None
    attributes: list[ExtensionAttribute]
    checks: list[CheckOut]


class ExtensionValue(Shape):
    """An attribute that a command is given."""

    name: str
    value: str


class ExtensionStep(Shape):
    """One thing to do by hand."""

    command: str
    text: str
    values: list[ExtensionValue]


class ExtensionProposal(Shape):
    """What an extension node is given."""

    frame: int | None
    slot: int | None
    node_number: int | None
    switch_node_number: int | None
    address: str | None


class ExtensionCheckOut(Shape):
    """Whether a gateway can be attached."""

    node: str
    fabric: str
    attachable: bool
    proposal: ExtensionProposal
    checks: list[CheckOut]
    steps: list[ExtensionStep]
    site_file: str
