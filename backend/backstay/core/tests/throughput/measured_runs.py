"""Simulated paths with known limits, and the measurements of a test over them, with noise.

The limit of each rate is known, so that verdicts can be checked. The model differs from the diagnosis:
limits are combined by a soft minimum, queues follow Little's law, congestion loss AIMD, and processors
U = X D.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from backstay.core.model.throughput import (
    Cell,
    Measured,
    Medium,
    NodeCpu,
    Parameters,
    PathHop,
    Role,
    Stalls,
)
from backstay.core.model.throughput_kinds import Direction, Kind

Limit = Literal[
    "medium", "hop", "window", "stall", "write", "packets", "loss", "sender", "receiver", "gateway", "socket"
]
SOFT = 6.0
"""Exponent of the soft minimum: two equal limits carry 11 % less than either."""
BINDS = 1.35
"""A limit within this factor of the lowest one binds too."""
ROLES: dict[str, Role] = {
    "sender": "endpoint_sender",
    "receiver": "endpoint_receiver",
    "gateway": "gateway",
}


@dataclass(frozen=True)
class World:
    """A path and its ends. Rates in bit/s, lengths in bytes, times in seconds."""

    medium: float = 1e9
    rtt: float = 2e-3
    mss: int = 1448
    hop: float | None = None
    """Rate of a narrow hop."""
    packets: float | None = None
    """Forwarding rate of the gateway, packets/s."""
    loss: float = 0.0
    stall: float | None = None
    """Timer of the receiver's delayed ACKs; Nagle holds the tail of each write."""
    write_cost: float = 0.0
    """Cost of each write of a stream, s."""
    demand: dict[str, float] = field(default_factory=dict)
    """Of sender, receiver, gateway: maximum bit/s of its one processor."""
    queue: float = 1.0
    """Depth of the narrowest queue in round trips."""

    def limits(self, cell: Parameters) -> dict[Limit, float]:
        """Limit of each law for all streams together, bit/s."""
        found: dict[Limit, float] = {"medium": self.medium}
        count = cell.streams
        if self.hop:
            found["hop"] = self.hop
        if cell.window and cell.kind != "udp":
            found["window"] = count * 8 * cell.window / self.rtt
        if cell.send_buffer:
            found["socket"] = count * 8 * cell.send_buffer / self.rtt
        if self.packets:
            found["packets"] = self.packets * 8 * (cell.size or self.mss)
        if self.loss and cell.kind == "tcp":
            found["loss"] = count * 8 * self.mss * 1.22 / (self.rtt * self.loss**0.5)
        if cell.buffer and self.write_cost:
            found["write"] = count * 8 * cell.buffer / (self.write_cost + 8 * cell.buffer / self.medium)
        if cell.kind == "request_ack" and cell.buffer:
            wait = self.stall if self.stall and not cell.no_delay and not cell.quick_ack else 0.0
            took = max(wait, self.rtt) + 8 * cell.buffer / self.medium
            found["stall" if wait > self.rtt else "socket"] = count * 8 * cell.buffer / took
        return {**found, **self.demand}  # type: ignore[dict-item]

    def binding(self, cell: Parameters) -> set[Limit]:
        """Binding laws of this cell, including near ones."""
        limits = self.limits(cell)
        least = min(limits.values())
        return {name for name, limit in limits.items() if limit <= BINDS * least}


@dataclass(frozen=True)
class Seen:
    """Results that the test's tools report."""

    medium: bool = True
    hop: bool = True
    idle_rtt: bool = True
    rtt: bool = True
    cpu: bool = True
    retransmits: bool = True
    seconds: bool = True
    packet_limit: bool = False
    stalls: bool = False
    noise: float = 0.02


def matrix(
    kind: Kind = "tcp",
    streams: Iterable[int] = (1,),
    buffers: Iterable[int | None] = (131072,),
    *,
    windows: Iterable[int | None] = (None,),
    sizes: Iterable[int | None] = (None,),
    directions: Iterable[Direction] = ("forward",),
    **fixed: int | bool | None,
) -> list[Parameters]:
    """Every combination."""
    return [
        Parameters(
            kind=kind,
            streams=n,
            buffer=b,
            window=w,
            size=s,
            direction=d,
            **fixed,  # type: ignore[arg-type]
        )
        for d in directions
        for w in windows
        for s in sizes
        for b in buffers
        for n in streams
    ]


def run(
    world: World, cells: Sequence[Parameters], seen: Seen | None = None, seed: int = 1
) -> tuple[list[Cell], Medium]:
    """Every cell measured in the world, with the known medium."""
    how, chance = seen or Seen(), random.Random(seed)
    return [measured(world, one, how, chance) for one in cells], known(world, how)


def known(world: World, seen: Seen) -> Medium:
    """Facts from the inventory."""
    hops = []
    if world.hop and seen.hop:
        hops.append(PathHop("bottleneck", usable=world.hop))
    if world.packets and seen.packet_limit:
        hops.append(PathHop("forwarder", packet_limit=world.packets))
    return Medium(world.medium if seen.medium else None, tuple(hops), world.rtt if seen.idle_rtt else None)


def measured(world: World, cell: Parameters, seen: Seen, chance: random.Random) -> Cell:
    """One cell."""
    limits = world.limits(cell)
    ideal = sum(limit**-SOFT for limit in limits.values()) ** (-1 / SOFT)
    rate = ideal * max(chance.gauss(1.0, seen.noise), 0.5)
    loaded, loss = _under_load(world, cell, limits, rate)
    segments = rate * 10 / (8 * (cell.size or world.mss))
    return Cell(
        cell,
        Measured(
            rate=rate,
            per_stream=(rate / cell.streams,) * cell.streams,
            seconds=tuple(_seconds(rate, loss, limits, chance)) if seen.seconds else (),
            duration_s=10.0,
            retransmits=round(loss * segments) if seen.retransmits and cell.kind == "tcp" else None,
            segments=round(segments) if seen.retransmits else None,
            path_mtu=world.mss + 52,
            rtt_least_s=loaded * 0.93 if seen.rtt else None,
            rtt_s=loaded * chance.gauss(1.0, seen.noise) if seen.rtt else None,
            cpu=tuple(_cpu(world, rate, chance)) if seen.cpu else (),
            stalls=_stalls(world, cell) if seen.stalls else None,
        ),
    )


def _under_load(
    world: World, cell: Parameters, limits: dict[Limit, float], rate: float
) -> tuple[float, float]:
    """(round trip, loss): a shared limit queues until the windows are in flight or its queue overflows."""
    shared = min(limits.get(name, rate * 10) for name in ("medium", "hop", "packets", *ROLES))  # type: ignore[call-overload]
    if rate < 0.85 * shared or cell.kind != "tcp":
        return world.rtt, world.loss
    room = world.rtt * (1 + world.queue)
    if cell.window and 8 * cell.window * cell.streams / rate <= room:
        return max(8 * cell.window * cell.streams / rate, world.rtt), world.loss
    per_stream = rate / cell.streams
    return room, min(world.loss + (8 * world.mss * 1.22 / (room * per_stream)) ** 2, 0.3)


def _seconds(rate: float, loss: float, limits: dict[Limit, float], chance: random.Random) -> Iterable[float]:
    """Loss makes a sum unsteady; a policer does not."""
    swing = 0.12 if limits.get("loss", 1e30) <= 1.2 * min(limits.values()) else 0.015
    return (rate * max(chance.gauss(1.0, swing), 0.1) for _ in range(10))


def _cpu(world: World, rate: float, chance: random.Random) -> Iterable[NodeCpu]:
    for name, role in ROLES.items():
        busy = rate / world.demand[name] if name in world.demand else 0.15
        # The soft minimum leaves a full processor below 100 %; a real one is full.
        level = min(busy * 1.12, 1.0) if busy > 0.85 else busy
        yield NodeCpu(f"{name}-node", role, min(level * chance.gauss(1.0, 0.005), 1.0))


def _stalls(world: World, cell: Parameters) -> Stalls | None:
    if cell.kind != "request_ack" or not world.stall or cell.no_delay or cell.quick_ack:
        return Stalls(0, 1000, 0.0) if cell.kind == "request_ack" else None
    return Stalls(980, 1000, world.stall * 1.03)
