"""A fabric's configuration, as values and as the JSON file of its process."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

MAX_STRIPES = 8
BURST_BUFFER = 4 * 1024 * 1024
"""Octets (the paper, figure 1)."""


@dataclass(frozen=True)
class SwitchConfig:
    """A crossbar: number of ports, and outputs by logical address."""

    name: str
    size: int
    pathways: dict[int, tuple[int, ...]]


@dataclass(frozen=True)
class HostConfig:
    """A host on a switch: its TUN device, and its I-fields by address (HIPPI has no ARP)."""

    name: str
    namespace: str
    device: str
    switch: str
    port: int
    rate: int
    """Bit/s of its channels per direction."""
    ifields: dict[str, int] = field(default_factory=dict)
    spacing_ns: int = 0
    """Minimum time between two packets that its software sends."""
    fifo: int = 4
    """Packets in its interface's queue; further ones wait in the kernel."""
    delay_ns: int = 0
    """Delay from the switch to the host: a long cable, a fibre extender, or the host itself."""
    carries_ip: bool = True


@dataclass(frozen=True)
class GatewayConfig:
    """A HIPPI-SONET gateway on a switch port."""

    name: str
    switch: str
    port: int
    peer: str
    media_rate: int
    """Bit/s of its HIPPI channels."""
    stripe_rate: int
    """Bit/s of one OC-3."""
    stripes: int
    delay_ns: int
    """Delay to the far end."""
    buffer: int = BURST_BUFFER
    hold_ticks: int | None = None


@dataclass(frozen=True)
class BlockerConfig:
    """A host that can block another's port."""

    host: str
    target: int
    """I-field."""
    factor_ns: int = 0
    duty: float = 1.0
    seed: int = 1


@dataclass(frozen=True)
class FabricConfig:
    """A whole fabric."""

    switches: tuple[SwitchConfig, ...]
    hosts: tuple[HostConfig, ...]
    gateways: tuple[GatewayConfig, ...] = ()
    blockers: tuple[BlockerConfig, ...] = ()


def dump(config: FabricConfig) -> str:
    """The configuration as JSON."""
    return json.dumps(asdict(config), indent=1)


def load(text: str) -> FabricConfig:
    """The configuration in a JSON text; KeyError, TypeError or ValueError when invalid."""
    raw: dict[str, list[dict[str, Any]]] = json.loads(text)
    return FabricConfig(
        switches=tuple(_switch(item) for item in raw["switches"]),
        hosts=tuple(HostConfig(**item) for item in raw["hosts"]),
        gateways=tuple(GatewayConfig(**item) for item in raw["gateways"]),
        blockers=tuple(BlockerConfig(**item) for item in raw["blockers"]),
    )


def _switch(item: dict[str, Any]) -> SwitchConfig:
    pathways = {int(address): tuple(ports) for address, ports in item["pathways"].items()}
    return SwitchConfig(item["name"], item["size"], pathways)
