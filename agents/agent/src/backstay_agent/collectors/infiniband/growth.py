"""Growth of one port's counters between two readings: traffic for the columns, the rest as metrics.

Pure. The tool omits error counters that are zero, so an absent one is zero; a device that was not queried has
no reading at all.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass

from backstay_agent.collectors.deltas import PortGrowth, Span, port_growth
from backstay_agent.collectors.infiniband.counters import (
    BY_TOOL,
    DATA_UNIT,
    EXTENDED_MARK,
    MISHAPS,
    TRAFFIC,
    WIDE,
    sticky_growth,
)
from backstay_wire import NO_VALUE, DeltaOutcome, MetricValue

_NARROW = 32
_BITS_NS = 8 * 1_000_000_000
_NO_MISHAPS = (0,) * len(MISHAPS)
_NOTHING = (NO_VALUE,) * (len(TRAFFIC) + len(MISHAPS))


@dataclass(frozen=True, slots=True)
class PortReading:
    """One port's counters by the tool's names, and which of the errors have 64 bits."""

    traffic: Mapping[str, int]
    errors: Mapping[str, int]
    wide: Set[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Window:
    """The time between two readings."""

    elapsed_ns: int
    missed: bool = False
    """One or more readings in between failed."""
    slack_ns: int = 0
    """Uncertainty of `elapsed_ns` for one port among many that are read in sequence."""


def traffic_growth(
    before: PortReading | None, now: PortReading | None, speed: int, window: Window
) -> PortGrowth:
    """Octets, packets, errors and discards of one port, `speed` bit/s; data words are converted to octets."""
    if before is None or now is None:
        return PortGrowth(_NOTHING, DeltaOutcome.MISSING)
    usual = _usual_growth(before.traffic, now.traffic, speed, window)
    if usual is not None:
        outcome = DeltaOutcome.GAP if window.missed else DeltaOutcome.OK
        return PortGrowth(usual + _mishaps(before, now), outcome)
    narrow = EXTENDED_MARK not in now.traffic
    if narrow and any(now.traffic.get(name) == (1 << _NARROW) - 1 for name in TRAFFIC):
        return PortGrowth(_NOTHING, DeltaOutcome.SATURATED)
    span = Span(
        elapsed_ns=window.elapsed_ns,
        speed=speed,
        missed=window.missed,
        slack_ns=window.slack_ns,
    )
    grown = port_growth(_octets_and_packets(before), _octets_and_packets(now), span)
    if grown.outcome not in (DeltaOutcome.OK, DeltaOutcome.GAP):
        return grown
    return PortGrowth(grown.values[: len(TRAFFIC)] + _mishaps(before, now), grown.outcome)


def _usual_growth(
    before: Mapping[str, int], now: Mapping[str, int], speed: int, window: Window
) -> tuple[int, ...] | None:
    """Octets and packets in the simple case: 64 bits, grown, and by no more than the port can carry.
    Thousands of ports per sweep are like that; None leaves the decision to `port_growth`."""
    if EXTENDED_MARK not in now or EXTENDED_MARK not in before or window.elapsed_ns <= 0:
        return None
    units_in, units_out, packets_in, packets_out = [now[name] - before[name] for name in TRAFFIC]
    if min(units_in, units_out, packets_in, packets_out) < 0:
        return None
    if speed and max(units_in, units_out) * DATA_UNIT * _BITS_NS > speed * window.elapsed_ns:
        return None
    # No packet is shorter than a word, so plausible words bound the packets too, unless there are far too
    # many.
    if max(packets_in - units_in, packets_out - units_out) > 0:
        return None
    return units_in * DATA_UNIT, units_out * DATA_UNIT, packets_in, packets_out


def _octets_and_packets(reading: PortReading) -> tuple[int | None, ...]:
    received, sent, packets_in, packets_out = (reading.traffic.get(name) for name in TRAFFIC)
    octets = tuple(None if value is None else value * DATA_UNIT for value in (received, sent))
    return (*octets, packets_in, packets_out, None, None, None, None)


def _mishaps(before: PortReading, now: PortReading) -> tuple[int, ...]:
    if not before.errors and not now.errors:
        return _NO_MISHAPS
    values = []
    for name in MISHAPS:
        grown, outcome = _error_growth(name, before, now)
        values.append(grown if outcome is DeltaOutcome.OK else NO_VALUE)
    return tuple(values)


def _error_growth(name: str, before: PortReading, now: PortReading) -> tuple[int, DeltaOutcome]:
    bits = WIDE if name in now.wide else BY_TOOL[name].bits
    return sticky_growth(before.errors.get(name, 0), now.errors.get(name, 0), bits)


def error_metrics(subject: str, before: PortReading, now: PortReading, *, missed: bool) -> list[MetricValue]:
    """A value for each counter that ever counted anything, even if it does not grow now."""
    metrics: list[MetricValue] = []
    for name in BY_TOOL:
        if name in now.errors or name in before.errors:
            value, outcome = _error_growth(name, before, now)
            metrics.append(_metric_value(subject, BY_TOOL[name].metric, value, outcome, missed=missed))
    return metrics


def _metric_value(
    subject: str, metric: str, value: int, outcome: DeltaOutcome, *, missed: bool
) -> MetricValue:
    if missed and outcome is DeltaOutcome.OK:
        outcome = DeltaOutcome.GAP
    return MetricValue.model_construct(subject=subject, metric=metric, value=value, outcome=outcome)
