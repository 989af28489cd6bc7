"""Clocks against ours."""

from __future__ import annotations

from datetime import datetime

from backstay_cli.shapes.base import Shape
from backstay_cli.shapes.neighbours import TableIncident


class ClockStep(Shape):
    """When a clock was last seen to have been set."""

    at: datetime
    text: str


class ClockOut(Shape):
    """One node's clock as one source tells of it."""

    node: str
    source: str
    against: str
    state: str
    text: str
    offset_s: float
    error_s: float
    age_s: float
    drift_ppm: float | None
    drift_error_ppm: float | None
    step: ClockStep | None
    incident: TableIncident | None
