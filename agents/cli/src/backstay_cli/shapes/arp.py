"""ARP by fabric: policies, what runs, the address rule."""

from __future__ import annotations

from typing import Any

from backstay_cli.shapes.base import Shape


class ArpPolicyOut(Shape):
    """One fabric's ARP policy."""

    id: int
    mode: str
    settings: dict[str, int]
    ports: list[dict[str, Any]]
    table: dict[str, int]
    note: str
    state: str
    state_text: str


class ArpFabricOut(Shape):
    """One fabric as its nodes run it."""

    fabric: str
    declared: str
    running: str
    state: str
    state_text: str
    policy: ArpPolicyOut | None


class ArpRuleLine(Shape):
    """One member under the address rule."""

    node: str
    address: str
    host_part: int | None
    switch_node_number: int | None
    difference: int | None
    verdict: str
    text: str


class ArpRuleOut(Shape):
    """The address rule over one fabric."""

    constant: int | None
    broken: int
    applies: bool
    text: str
    lines: list[ArpRuleLine]
