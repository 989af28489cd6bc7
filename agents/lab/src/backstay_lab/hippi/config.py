"""What a fabric consists of, as values, and as the JSON file that its process reads."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

OC3_RATE = 155_520_000
MAX_STRIPES = 8
BURST_BUFFER = 4 * 1024 * 1024
"""Octets (the paper, figure 1)."""


@dataclass(frozen=True)
class SwitchConfig:
    """A crossbar: how many ports, and which outputs lead to a logical address."""

    name: str
    size: int
    pathways: dict[int, tuple[int, ...]]


@dataclass(frozen=True)
class HostConfig:
    """A host on a switch: its TUN device, and the I-fields that it knows, by address (there is no ARP)."""

    name: str
    namespace: str
    device: str
    switch: str
    port: int
    rate: int
    """Bit/s that its channels carry in each direction."""
    ifields: dict[str, int] = field(default_factory=dict)
    spacing_ns: int = 0
    """Least time between two packets that its software sends."""
    fifo: int = 4
    """Packets that its interface holds; the rest waits in the kernel."""
    delay_ns: int = 0
    """From the switch to the host: a long cable, a fibre extender, or a host's own slow ways."""
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
    """Bit/s that one OC-3 carries."""
    stripes: int
    delay_ns: int
    """One stripe to the far end."""
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
    """The configuration in a JSON text; KeyError, TypeError or ValueError when it is none."""
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
