"""A device's metrics beyond traffic: errors, rejects, temperatures, card and ring states.

Metrics are defined once, in `backstay_wire.metrics`: the report names them, the backend describes them.
"""

from typing import Annotated, Literal

from pydantic import Field

from backstay_wire.base import Message, Name
from backstay_wire.report import DeltaOutcome, ReportBase

MAX_METRICS = 100_000
"""Metrics in one report: 1,000 ports with a hundred each."""


class MetricValue(Message):
    """One metric of one port or part of a device.

    `value` is an integer or float for a growth or a level, otherwise one of the metric's states.
    """

    subject: Annotated[str, Field(max_length=128)] = ""
    """Name of the port or part (`card 3`, `fan`); empty: the device as a whole."""
    metric: Name
    """A key of `backstay_wire.metrics.METRICS`."""
    value: int | float | Annotated[str, Field(max_length=256)]
    outcome: DeltaOutcome = DeltaOutcome.OK
    """Outcome of a growth; unless OK, WRAPPED or GAP, `value` is the raw counter and no growth is known."""


class MetricReport(ReportBase):
    """All metrics of one collector about one device. They replace those of its previous report."""

    kind: Literal["metrics"] = "metrics"
    collector: Name
    duration_ns: Annotated[int, Field(gt=0, lt=2**62)] | None = None
    """Interval of the growths; None if the report holds none."""
    metrics: Annotated[list[MetricValue], Field(max_length=MAX_METRICS)]
