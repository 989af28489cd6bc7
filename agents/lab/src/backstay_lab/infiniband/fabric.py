"""An InfiniBand fabric as values: its switches and adapters, and the cables between them. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Place = tuple[str, int]
"""(node name, port number)."""

WIDTH_1X, WIDTH_4X = 1, 2
SDR, DDR, QDR = 1, 2, 4
"""Bits of LinkWidthEnabled and LinkSpeedEnabled (IBTA volume 1, 14.2.5.6)."""
LANE_RATE = {SDR: 2_500_000_000, DDR: 5_000_000_000, QDR: 10_000_000_000}
"""Signalling rate of one lane, bit/s."""
LANES = {WIDTH_1X: 1, WIDTH_4X: 4}
PAYLOAD = 0.8
"""Data share of the signalling rate with 8b/10b coding."""

_BASE = 0x0002_C902_0000_0000
"""First GUID of the lab, with an assigned prefix."""
_STEP = 0x10


@dataclass(frozen=True)
class IbNode:
    """A switch or a host's adapter. `number` determines its GUIDs."""

    name: str
    kind: Literal["switch", "ca"]
    ports: int
    number: int
    adapter: str = ""
    """The host's name of its adapter."""

    @property
    def guid_value(self) -> int:
        """Node GUID; its port GUIDs follow."""
        return _BASE + _STEP * self.number

    @property
    def guid(self) -> str:
        """As written by tools and the site file."""
        return f"0x{self.guid_value:016x}"

    @property
    def identity(self) -> str:
        """Its name in the net file and on the console."""
        return f"{'S' if self.kind == 'switch' else 'H'}-{self.guid_value:016x}"

    @property
    def description(self) -> str:
        """Its NodeDescription."""
        return f"{self.name} {self.adapter}".rstrip()

    def port_name(self, number: int) -> str:
        """The port's name in the site file."""
        return f"{self.adapter}/{number}" if self.adapter else str(number)


@dataclass(frozen=True)
class IbCable:
    """A cable and its trained width and speed."""

    a: Place
    b: Place
    width: int = WIDTH_4X
    speed: int | None = None
    """None: the fabric's."""


@dataclass(frozen=True)
class IbFabric:
    """A fabric. Its subnet manager and the sweeping tools are attached to the first node."""

    nodes: tuple[IbNode, ...]
    cables: tuple[IbCable, ...]
    speed: int

    @cached_property
    def by_name(self) -> dict[str, IbNode]:
        """The nodes by name."""
        return {node.name: node for node in self.nodes}

    @cached_property
    def ends(self) -> dict[Place, Place]:
        """Each cabled port to the port at its other end."""
        return {one: other for cable in self.cables for one, other in _both(cable)}

    @property
    def rate(self) -> int:
        """Signalling rate of a 4X link, bit/s."""
        return LANE_RATE[self.speed] * LANES[WIDTH_4X]


def _both(cable: IbCable) -> Iterator[tuple[Place, Place]]:
    yield cable.a, cable.b
    yield cable.b, cable.a
