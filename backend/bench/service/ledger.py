"""Reads the agents' ledger: latencies of a period, and what the database holds compared with it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.service.processes import Service

Key = tuple[str, str, int]
"""Site, node, time in us."""

STORED = """
SELECT site.name, node.name,
    (extract(epoch FROM sample.ts) * 1000000)::bigint + ceil(sample.shift_ns / 1000.0)::bigint,
    sample.in_octets[1]
FROM telemetry_samples AS sample
JOIN inventory_node AS node ON node.id = sample.node_id
JOIN inventory_site AS site ON site.id = node.site_id
"""
"""The agent's own time of each sample: `ts` is corrected by `shift_ns` after a slow request."""
STORED_OF = STORED + "WHERE site.name = %s AND node.name = %s"


@dataclass(frozen=True, slots=True)
class Period:
    """What the agents saw between two times; latencies in seconds, from making a report to its storing."""

    latencies_s: list[float]
    waiting: int
    """Reports made in it and unacknowledged at its end: their age so far is among the latencies."""
    failures: Counter[int]
    """Failed requests by status."""

    def quantile(self, part: float) -> float:
        """Latency in seconds; infinite without reports."""
        ordered = sorted(self.latencies_s)
        return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else float("inf")


def lines(path: Path) -> Iterator[list[Any]]:
    """All complete lines."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            if line.endswith("\n"):
                yield json.loads(line)


def period(path: Path, start: float, end: float) -> Period:
    """Reports made between two times (Unix seconds)."""
    made: dict[Key, float] = {}
    acked: dict[Key, float] = {}
    failures: Counter[int] = Counter()
    for kind, site, node, seq, at_us, when in lines(path):
        if kind == "made" and start <= when < end:
            made[site, node, at_us] = when
        elif kind == "acked":
            acked[site, node, at_us] = when
        elif kind == "failed" and start <= when < end:
            failures[seq] += 1
    ends = {key: min(acked.get(key, end), end) for key in made}
    waiting = sum(1 for key in made if acked.get(key, end) >= end)
    return Period([ends[key] - made[key] for key in made], waiting, failures)


def acked_since(path: Path, when: float) -> set[tuple[str, str]]:
    """Agents (site, node) with a report that was made and acknowledged after `when`."""
    made_at: dict[Key, float] = {}
    found = set()
    for kind, site, node, _, at_us, at in lines(path):
        if kind == "made" and at >= when:
            made_at[site, node, at_us] = at
        elif kind == "acked" and (site, node, at_us) in made_at:
            found.add((site, node))
    return found


@dataclass(frozen=True, slots=True)
class Comparison:
    """The ledger against the rows of the database."""

    acked: int
    refused: int
    lost: int
    """Acknowledged and not stored."""
    doubled: int
    altered: int
    """Stored with another value than was sent."""
    foreign: int
    """Stored and never made."""

    @property
    def is_right(self) -> bool:
        return not (self.lost or self.doubled or self.altered or self.foreign or self.refused)

    def __str__(self) -> str:
        return (
            f"{self.acked:,} reports acknowledged: {self.lost} lost, {self.doubled} doubled,"
            f" {self.altered} altered, {self.foreign} never sent, {self.refused} refused"
        )


def compare(path: Path, service: Service) -> Comparison:
    """Every acknowledged report is stored exactly once with its value."""
    made: dict[Key, int] = {}
    acked: set[Key] = set()
    refused = 0
    for kind, site, node, seq, at_us, _ in lines(path):
        if kind == "made":
            made[site, node, at_us] = seq
        elif kind == "acked":
            acked.add((site, node, at_us))
        elif kind == "refused":
            refused += 1
    sites = {site for site, _, _ in made}
    stored: Counter[Key] = Counter()
    altered = foreign = 0
    first = min((at_us for _, _, at_us in made), default=0)
    for site, node, at_us, value in service.rows(STORED):
        if site not in sites or at_us < first:
            continue  # Of another run with the same data.
        key = (site, node, int(at_us))
        stored[key] += 1
        foreign += key not in made
        altered += key in made and made[key] != value
    return Comparison(
        acked=len(acked),
        refused=refused,
        lost=sum(1 for key in acked if not stored[key]),
        doubled=sum(1 for count in stored.values() if count > 1),
        altered=altered,
        foreign=foreign,
    )


def stored_of(service: Service, site: str, node: str) -> Counter[tuple[int, int]]:
    """One node's samples: (time in us, value) -> how often it is stored."""
    rows = service.rows(STORED_OF, site, node)
    return Counter((int(at_us), value) for _, _, at_us, value in rows)
