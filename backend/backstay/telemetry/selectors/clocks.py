"""Reads of clocks: how far each is off by what source, when it was set, how fast it drifts."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db.models import Q, QuerySet

from backstay.core.diagnosis.clocks import Offset, Rate
from backstay.core.model.figure import Reading
from backstay.inventory.models import Site
from backstay.telemetry.models import ClockState
from backstay.telemetry.selectors.metrics import metrics_now
from backstay.telemetry.states.clocks import points_of

Against = Literal["backend", "ntp"]
CHRONY = "chrony"
_OFFSET, _ERROR, _RATE, _RATE_ERROR = "chrony.offset", "chrony.error", "chrony.frequency", "chrony.skew"


@dataclass(frozen=True, slots=True)
class ClockNow:
    """One source's report of one node's clock."""

    node_id: int
    node: str
    source: str
    against: Against
    """What the offset is measured against: our clock, or NTP's time as chrony has it."""
    at: datetime
    look: Offset
    stepped_at: datetime | None = None
    step_s: float | None = None
    step_at_reboot: bool = False
    rate: Rate | None = None
    """Drift, as seen from here; of chrony, what it makes up for."""
    past: tuple[Offset, ...] = ()


def clocks_now(site: Site, nodes: Collection[int] | None = None) -> list[ClockNow]:
    """Every reported clock, by node and source. Two queries."""
    rows = ClockState.objects.filter(node__site=site)
    if nodes is not None:
        rows = rows.filter(node__in=nodes)
    reported = [*(_clock(row, past=True) for row in _read(rows)), *_chrony(site, nodes)]
    return sorted(reported, key=lambda item: (item.node, item.source))


def worst(clocks: Iterable[ClockNow]) -> dict[int, ClockNow]:
    """Node id -> of its clocks the one that is certainly furthest off."""
    found: dict[int, ClockNow] = {}
    for reported in clocks:
        known = found.get(reported.node_id)
        if known is None or reported.look.certain_s > known.look.certain_s:
            found[reported.node_id] = reported
    return found


def far_off(
    site: Site, least_s: float, also: Collection[int] = (), nodes: Collection[int] | None = None
) -> list[ClockNow]:
    """Clocks that may be off by so much, and all of the nodes in `also`; without their past. One query.

    `nodes`: only theirs.
    """
    least_ms = least_s * 1000
    wanted = Q(offset_ms__gt=least_ms) | Q(offset_ms__lt=-least_ms) | Q(node__in=also)
    rows = ClockState.objects.filter(wanted, node__site=site).defer("recent")
    rows = rows if nodes is None else rows.filter(node__in=nodes)
    return [_clock(row, past=False) for row in _read(rows)]


def _read(rows: QuerySet[ClockState]) -> QuerySet[ClockState]:
    return rows.select_related("node").order_by("node__name", "source")


def _clock(row: ClockState, *, past: bool) -> ClockNow:
    drift = None if row.rate_ppm is None else Rate(row.rate_ppm, row.rate_error_ppm or 0.0)
    return ClockNow(
        node_id=row.node_id,
        node=row.node.name,
        source=row.source,
        against="backend",
        at=row.at,
        look=Offset(row.at.timestamp(), row.offset_ms / 1000, row.error_ms / 1000),
        stepped_at=row.stepped_at,
        step_s=None if row.step_ms is None else row.step_ms / 1000,
        step_at_reboot=row.step_at_reboot,
        rate=drift,
        past=tuple(points_of(row)) if past else (),
    )


def _chrony(site: Site, nodes: Collection[int] | None) -> list[ClockNow]:
    """Hosts whose chrony reports its tracking."""
    reported: dict[tuple[int, str], dict[str, Reading]] = {}
    for figure in metrics_now(site, nodes, [_OFFSET, _ERROR, _RATE, _RATE_ERROR]):
        reported.setdefault((figure.node_id, figure.node), {})[figure.metric] = figure.reading
    found = []
    for (node_id, node), figures in reported.items():
        offset, error = figures.get(_OFFSET), figures.get(_ERROR)
        if offset is None or error is None or offset.number is None or error.number is None:
            continue
        look = Offset(offset.at.timestamp(), offset.number / 1e6, error.number / 1e6)
        drift = _rate(figures.get(_RATE), figures.get(_RATE_ERROR))
        found.append(ClockNow(node_id, node, CHRONY, "ntp", offset.at, look, rate=drift))
    return found


def _rate(ppm: Reading | None, skew: Reading | None) -> Rate | None:
    if ppm is None or ppm.number is None:
        return None
    return Rate(ppm.number, skew.number if skew is not None and skew.number is not None else 0.0)
