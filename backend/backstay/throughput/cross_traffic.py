"""Cross traffic of a cell: other load per hop, and the round trip of the idle path.

At sending ends the agent reports other traffic itself. At any other port it is the port's load minus what
those ends sent; headers are allowed for, so that it is under- rather than overestimated. Where that is
unknown, the load just before the test is used. None: not observed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import harmonic_mean
from typing import Any, Literal

from backstay.core.diagnosis.throughput.available_rate import direction_count, room
from backstay.throughput.models import TestAssignment, TestCell
from backstay.throughput.values import path

Direction = Literal["forward", "reverse"]
Side = Literal["in", "out"]
_HEADERS = 1.07
"""Headers and acknowledgements over the payload, as the agents compute it. Segmentation offload (one port
counts one packet, the next many) changes the count by less."""
_QUIET = 0.5
"""Share of usable: below this load before the test, not all echoes met a queue at the port."""
_OTHER: Mapping[Side, Side] = {"in": "out", "out": "in"}


@dataclass(frozen=True, slots=True)
class _Port:
    """One node's report about one port."""

    load: Mapping[str, Any]
    seconds: float
    """Interval of the counters."""


class CrossTraffic:
    """Cross traffic of one ended cell."""

    def __init__(self, cell: TestCell, assignments: Iterable[TestAssignment]) -> None:
        self._cell = cell
        self._rows = list(assignments)
        self._ports = _ports(cell, self._rows)

    def document(self) -> dict[str, Any]:
        """The cell's medium with cross traffic and the round trip of the idle path."""
        if "seen" not in self._cell.medium:
            # Not started, or started by a release that did not record the ports.
            return dict(self._cell.medium)
        hops = [
            {**hop, "production": self.production(at)} for at, hop in enumerate(self._cell.medium["hops"])
        ]
        value = path({**self._cell.medium, "hops": hops})
        narrowest = room(value, direction_count(self._cell.spec.get("direction", "forward")))
        production = narrowest.hop.production if narrowest and narrowest.hop else None
        return {**self._cell.medium, "hops": hops, "production": production, "rtt_s": self.idle_rtt()}

    def production(self, hop: int) -> float | None:
        """Bit/s of cross traffic on a hop in the test's directions; None: not observed."""
        found = [self._others(hop, direction) for direction in self._directions()]
        return None if any(one is None for one in found) else sum(one for one in found if one is not None)

    def _directions(self) -> list[Direction]:
        direction = self._cell.spec.get("direction", "forward")
        return ["forward", "reverse"] if direction == "both" else [direction]

    def _others(self, hop: int, direction: Direction) -> float | None:
        """The minimum over the hop's ports: each port overestimates by other traffic it counts."""
        seen = [one for one in self._cell.medium["seen"] if one["hop"] == hop]
        if not any((one["node"], one["port"]) in self._ports for one in seen):
            return self._sampled(hop, direction)
        during, before = [], []
        for one in seen:
            port = self._ports.get((one["node"], one["port"]))
            side: Side = one["forward"] if direction == "forward" else _OTHER[one["forward"]]
            if port is not None:
                during.append(self._during([one["node"], one["port"]], port, side, direction))
                before.append(port.load[f"before_{side}"])
        for value in (during, before):
            if known := [one for one in value if one is not None]:
                return float(min(known))
        return None

    def _during(self, which: list[str], port: _Port, side: Side, direction: Direction) -> float | None:
        if side == "out" and which in self._cell.medium["senders"][direction]:
            others: float | None = port.load["others_out"]
            return others
        own, octets = self._own(direction), float(port.load[f"{side}_octets"])
        if own is None or port.seconds <= 0:
            return None
        return max(0.0, octets - _HEADERS * own) * 8 / port.seconds

    def _own(self, direction: Direction) -> float | None:
        """Octets that the test sent in one direction, with headers and retransmissions; None: unknown."""
        total = 0.0
        for node, name in self._cell.medium["senders"][direction]:
            port = self._ports.get((node, name))
            if port is None or port.load["others_out"] is None:
                return None
            total += max(0.0, port.load["out_octets"] - port.load["others_out"] * port.seconds / 8)
        return total

    def _sampled(self, hop: int, direction: Direction) -> float | None:
        """For a hop without agent: samples that contain no test."""
        link, forward = self._cell.medium["links"][hop]
        found = self._cell.medium["sampled"].get(link)
        return float(found["bps"][(direction == "forward") is not forward]) if found else None

    def idle_rtt(self) -> float | None:
        """Seconds; for several pairs the harmonic mean, matching the sum of their window rates.

        None without echo replies, or when the load was so high that echoes may have been queued.
        """
        found = [value / 1e6 for row in self._rows if (value := row.report.get("idle_us"))]
        return harmonic_mean(found) if found and self._was_quiet() else None

    def _was_quiet(self) -> bool:
        for one in self._cell.medium["seen"]:
            port = self._ports.get((one["node"], one["port"]))
            usable = self._cell.medium["hops"][one["hop"]]["usable"]
            if port is not None and usable:
                before = (port.load["before_in"], port.load["before_out"])
                if any(value is not None and value > _QUIET * usable for value in before):
                    return False
        return True


def _ports(cell: TestCell, rows: list[TestAssignment]) -> dict[tuple[str, str], _Port]:
    """(node, port) -> report; flows of one node report the same ports."""
    found: dict[tuple[str, str], _Port] = {}
    for row in rows:
        seconds = 0.0
        if row.started and row.ended and cell.start_at:
            # A server listens before the port counters are first read.
            seconds = (row.ended - max(row.started, cell.start_at)).total_seconds()
        for load in row.report.get("ports", []):
            found.setdefault((row.node.name, load["port"]), _Port(load, seconds))
    return found
