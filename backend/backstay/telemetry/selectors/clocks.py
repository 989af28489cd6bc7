"""Reads of clocks: offset by source, steps and drift."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db.models import Q

from backstay.core.diagnosis.clocks import Offset, Rate
from backstay.inventory.models import Site
from backstay.telemetry.models import ClockReading, ClockState
from backstay.telemetry.states.clocks import points_of

Against = Literal["backend", "ntp"]


@dataclass(frozen=True, slots=True)
class ClockNow:
    """One source's report of one node's clock."""

    node_id: int
    node: str
    source: str
    against: Against
    """Reference of the offset: our clock, or NTP's time according to chrony."""
    at: datetime
    look: Offset
    stepped_at: datetime | None = None
    step_s: float | None = None
    step_at_reboot: bool = False
    rate: Rate | None = None
    """Drift as measured here; for chrony, the drift that it compensates."""
    past: tuple[Offset, ...] = ()


def clock_now(row: ClockReading) -> ClockNow:
    """A clock with its history."""
    return _clock(row, against="ntp" if row.against == "ntp" else "backend", past=tuple(points_of(row)))


def worst(clocks: Iterable[ClockNow]) -> dict[int, ClockNow]:
    """Node id -> its clock with the largest certain offset."""
    found: dict[int, ClockNow] = {}
    for reported in clocks:
        known = found.get(reported.node_id)
        if known is None or reported.look.certain_s > known.look.certain_s:
            found[reported.node_id] = reported
    return found


def far_off(
    site: Site, least_s: float, also: Collection[int] = (), nodes: Collection[int] | None = None
) -> list[ClockNow]:
    """Clocks that may exceed the offset, and all clocks of `also`; without history. One query.

    `nodes`: only theirs.
    """
    least_ms = least_s * 1000
    wanted = Q(offset_ms__gt=least_ms) | Q(offset_ms__lt=-least_ms) | Q(node__in=also)
    rows = ClockState.objects.filter(wanted, node__site=site).defer("recent")
    rows = rows if nodes is None else rows.filter(node__in=nodes)
    return [_clock(row) for row in rows.select_related("node").order_by("node__name", "source")]


def _clock(
    row: ClockState | ClockReading, *, against: Against = "backend", past: tuple[Offset, ...] = ()
) -> ClockNow:
    drift = None if row.rate_ppm is None else Rate(row.rate_ppm, row.rate_error_ppm or 0.0)
    return ClockNow(
        node_id=row.node_id,
        node=row.node.name,
        source=row.source,
        against=against,
        at=row.at,
        look=Offset(row.at.timestamp(), row.offset_ms / 1000, row.error_ms / 1000),
        stepped_at=row.stepped_at,
        step_s=None if row.step_ms is None else row.step_ms / 1000,
        step_at_reboot=row.step_at_reboot,
        rate=drift,
        past=past,
    )
