"""The fabric's traffic and the ports' counters, second by second. Pure.

ibsim counts only management packets; the lab sets all other counters. Flows oscillate slowly around their
means. Ports without flows keep ibsim's counters. Ports with flows grow far faster than management packets
could make them, so their counters never decrease.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field

from backstay_lab.infiniband.fabric import IbFabric, Place


class Routes:
    """Paths through a fabric, by destination."""

    def __init__(self, fabric: IbFabric) -> None:
        self._fabric = fabric
        self._neighbours: dict[str, list[tuple[int, Place]]] = {node.name: [] for node in fabric.nodes}
        for (name, port), other in fabric.ends.items():
            self._neighbours[name].append((port, other))
        self._distances: dict[str, dict[str, int]] = {}

    def path(self, source: str, target: str) -> list[tuple[Place, Place]]:
        """(sending port, receiving port) of each cable on the path; empty when there is none."""
        distances = self._to(target)
        at, steps = source, []
        if at not in distances:
            return []
        while at != target:
            better = sorted(
                (port, other)
                for port, other in self._neighbours[at]
                if distances.get(other[0], len(distances)) < distances[at]
            )
            port, other = better[self._fabric.by_name[target].number % len(better)]
            steps.append(((at, port), other))
            at = other[0]
        return steps

    def _to(self, target: str) -> dict[str, int]:
        """Number of cables between each node and `target`."""
        if target not in self._distances:
            found, waiting = {target: 0}, deque([target])
            while waiting:
                at = waiting.popleft()
                for _, (name, _) in self._neighbours[at]:
                    if name not in found:
                        found[name] = found[at] + 1
                        waiting.append(name)
            self._distances[target] = found
        return self._distances[target]


MTU = 2048
"""Octets of payload in a packet."""
HEADERS = 30
"""LRH, BTH, RETH's share, ICRC and VCRC."""
SWING = 0.6
DATA_UNIT = 4
STICKY_32, STICKY_16, STICKY_8 = (1 << 32) - 1, (1 << 16) - 1, (1 << 8) - 1
"""The limits of the counters of PortCounters."""


@dataclass(frozen=True)
class IbFlow:
    """Data from one host to another; `rate` is the mean on the wire, bit/s."""

    source: str
    target: str
    rate: float
    period_s: float
    phase: float
    """Initial phase, in rotations (0..1)."""

    def offered(self, at: float) -> float:
        """Bit/s, `at` seconds on a monotonic clock."""
        return self.rate * (1 + SWING * math.sin(2 * math.pi * (at / self.period_s + self.phase)))


@dataclass(frozen=True)
class Flaw:
    """A port that counts occasional errors."""

    place: Place
    counter: str
    every_s: float


@dataclass(slots=True)
class IbPort:
    """The model's counters of one port."""

    sent: float = 0.0
    received: float = 0.0
    """Octets on the wire."""
    errors: dict[str, int] = field(default_factory=dict)

    def counters(self) -> Iterator[tuple[str, int]]:
        """(attribute.field, value) for the console; narrow counters only while they change."""
        for name, octets in (("Xmit", self.sent), ("Rcv", self.received)):
            units, packets = int(octets) // DATA_UNIT, int(octets) // (MTU + HEADERS)
            if not units:
                continue
            for kind, value in (("Data", units), ("Pkts", packets)):
                yield f"PortCountersExtended.Port{name}{kind}", value
                yield f"PortCounters.Port{name}{kind}", min(value, STICKY_32)
        for counter, count in self.errors.items():
            yield f"PortCounters.{counter}", min(count, STICKY_8 if counter.startswith("Link") else STICKY_16)


class Model:
    """Counts traffic; keeps which ports are down."""

    def __init__(
        self, fabric: IbFabric, flows: Iterable[IbFlow], flaws: Sequence[Flaw], start: float
    ) -> None:
        routes = Routes(fabric)
        self._fabric = fabric
        self._flows = [(flow, routes.path(flow.source, flow.target)) for flow in flows]
        self._flaws = [(flaw, start) for flaw in flaws]
        self._at = start
        self._ports: dict[Place, IbPort] = {}
        self._down: set[Place] = set()

    def cut(self, places: Set[Place]) -> set[Place]:
        """Set exactly these ports down. Returns those that counted a lost link."""
        ends = set(places) | {self._fabric.ends[place] for place in places if place in self._fabric.ends}
        lost = ends - self._down
        for place in lost:
            errors = self._port(place).errors
            errors["LinkDownedCounter"] = errors.get("LinkDownedCounter", 0) + 1
        self._down = ends
        return lost

    def tick(self, now: float) -> dict[Place, IbPort]:
        """Advance the flows to `now`; returns the ports whose counters changed."""
        elapsed, self._at = now - self._at, now
        moved: dict[Place, IbPort] = {}
        for flow, path in self._flows:
            if any(sender in self._down for sender, _ in path):
                continue
            octets = flow.offered(now) * elapsed / 8
            for sender, receiver in path:
                out, into = self._port(sender), self._port(receiver)
                out.sent += octets
                into.received += octets
                moved[sender], moved[receiver] = out, into
        for place, (flaw, due) in enumerate(self._flaws):
            if now >= due + flaw.every_s and flaw.place not in self._down:
                errors = self._port(flaw.place).errors
                errors[flaw.counter] = errors.get(flaw.counter, 0) + 1
                moved[flaw.place] = self._port(flaw.place)
                self._flaws[place] = (flaw, now)
        return moved

    def port(self, place: Place) -> IbPort:
        """The port's counters."""
        return self._port(place)

    def _port(self, place: Place) -> IbPort:
        return self._ports.setdefault(place, IbPort())
