"""Converts a device's counter objects to its ports' growth: which objects to read, and their sums.

The ordinary case, a counter that grew by what its port can carry, is computed for all ports at once; every
other port goes through `deltas.port_growth`, which alone interprets resets, wraps and gaps.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backstay_agent.collectors.deltas import (
    COLUMNS,
    OCTETS,
    PACKETS,
    SMALLEST_PACKET,
    PortGrowth,
    Span,
    port_growth,
    width_is_safe,
)
from backstay_agent.collectors.samples import SampleTable
from backstay_agent.collectors.snmp.snapshot import Snapshot
from backstay_agent.parsers import ifmib
from backstay_agent.parsers.ifmib import DevicePort, Oid
from backstay_wire import NO_VALUE, DeltaOutcome

_TICKS = 1 << 32
_TICK_NS = 10_000_000
_TICK_SLACK = 1000
"""Ten seconds: maximum difference between an uptime and our own clock within the same run."""
_PARTS = max(len(columns) for columns in ifmib.COUNTERS_64)
_UNBOUNDED = 1000.0
_ZERO, _ABSENT = np.zeros(1, dtype=np.uint64), np.zeros(1, dtype=np.bool_)


@dataclass(frozen=True, slots=True)
class Plan:
    """The polling plan of one device: its ports with usable counters, and those without."""

    ports: Sequence[DevicePort]
    refused: Sequence[str]
    """Ports whose only counters are too narrow for the interval, each with the reason."""
    oids: tuple[Oid, ...]
    """Every counter object of every port: the same tuple at each poll."""
    places: NDArray[np.intp]
    """(parts, ports, columns): positions in `oids` of the objects that sum to a column; one past the end
    means none."""
    masks: NDArray[np.uint64]
    """(ports, columns): the widths of the counters as masks."""
    present: NDArray[np.bool_]
    """(ports, columns): the columns present if the device returns every object."""
    is_complete: bool
    """Whether these are all columns."""
    most: NDArray[np.float64]
    """(ports, columns): growth per nanosecond at line rate; if that is unknown, more than any port has."""
    names: list[str]


@dataclass(frozen=True, slots=True)
class CounterTable:
    """A snapshot's counters as a table of (ports, columns), and when the device read them."""

    values: NDArray[np.uint64]
    present: NDArray[np.bool_]
    at_ns: int
    slack_ns: int

    def of_port(self, row: int) -> tuple[int | None, ...] | None:
        """One port's counters in the wire's order; None if the device did not return its octets."""
        if not self.present[row, :OCTETS].all():
            return None
        values, present = self.values[row].tolist(), self.present[row].tolist()
        return tuple(value if there else None for value, there in zip(values, present, strict=True))


def _objects(port: DevicePort) -> tuple[tuple[Oid, ...], ...]:
    return ifmib.COUNTERS_64 if port.has_64_bit else ifmib.COUNTERS_32


def _widths(port: DevicePort) -> tuple[int, ...]:
    return ifmib.WIDTHS_64 if port.has_64_bit else ifmib.WIDTHS_32


def make_plan(ports: Sequence[DevicePort], interval_s: float) -> Plan:
    """Refuse 32-bit octet counters that could wrap twice unnoticed: their metrics would be guesses."""
    kept: list[DevicePort] = []
    refused: list[str] = []
    for port in ports:
        reason = _reason_to_refuse(port, interval_s)
        if reason:
            refused.append(f"{port.state.name}: {reason}")
        else:
            kept.append(port)
    oids: list[Oid] = []
    places = np.full((_PARTS, len(kept), len(COLUMNS)), -1, dtype=np.intp)
    for row, port in enumerate(kept):
        for column, parts in enumerate(_objects(port)):
            for part, where in enumerate(parts):
                places[part, row, column] = len(oids)
                oids.append((*where, port.state.index))
    places[places < 0] = len(oids)
    present = np.logical_or.reduce(places < len(oids), axis=0)
    masks = [[(1 << width) - 1 for width in _widths(port)] for port in kept]
    return Plan(
        ports=kept,
        refused=refused,
        oids=tuple(oids),
        places=places,
        masks=np.array(masks, dtype=np.uint64).reshape(len(kept), len(COLUMNS)),
        present=present,
        is_complete=bool(present.all()),
        most=np.array([_most(port) for port in kept], dtype=np.float64).reshape(len(kept), len(COLUMNS)),
        names=[port.state.name for port in kept],
    )


def _most(port: DevicePort) -> list[float]:
    octets = port.state.speed / 8e9 if port.state.speed else _UNBOUNDED
    rates = [octets] * OCTETS + [octets / SMALLEST_PACKET] * (PACKETS - OCTETS)
    return rates + [_UNBOUNDED] * (len(COLUMNS) - PACKETS)


def _reason_to_refuse(port: DevicePort, interval_s: float) -> str:
    speed = port.state.speed
    if port.has_64_bit or width_is_safe(32, speed, interval_s):
        return ""
    if not speed:
        return "32-bit counters and no known speed"
    return f"32-bit counters at {speed} bit/s need a poll each {(1 << 32) * 8 / speed / 2:.0f} s"


def counts(plan: Plan, snapshot: Snapshot) -> CounterTable:
    """The snapshot's counters by port. A sum is taken modulo its parts' width, so that it wraps as they do.
    Absent parts count as zero."""
    readings = snapshot.values
    values = np.add.reduce(np.concatenate((readings.values_, _ZERO)).take(plan.places), axis=0)
    present = plan.present
    if not np.logical_and.reduce(readings.present):
        present = np.logical_or.reduce(np.concatenate((readings.present, _ABSENT)).take(plan.places), axis=0)
    return CounterTable(values & plan.masks, present, snapshot.at_ns, snapshot.slack_ns)


def growth(plan: Plan, old: CounterTable, new: CounterTable, *, restarted: bool, missed: bool) -> SampleTable:
    """The growth of every port between two readings of the plan's objects."""
    grown = new.values - old.values
    elapsed = new.at_ns - old.at_ns
    values = grown.view(np.int64)
    if new.present is not plan.present or not plan.is_complete:
        values = np.where(new.present, values, NO_VALUE)
    outcomes = [DeltaOutcome.OK] * len(plan.ports)
    if restarted or missed or elapsed <= 0:
        odd = list(range(len(plan.ports)))
    else:
        odd = _odd(plan, old, new, grown, elapsed)
    for row in odd:
        port = plan.ports[row]
        span = Span(
            elapsed_ns=elapsed,
            speed=port.state.speed,
            widths=_widths(port),
            restarted=restarted,
            missed=missed,
            slack_ns=old.slack_ns + new.slack_ns,
        )
        found: PortGrowth = port_growth(old.of_port(row), new.of_port(row), span)
        values[row], outcomes[row] = found.values, found.outcome
    return SampleTable(ports=plan.names, columns=values.T.tolist(), outcomes=outcomes)


def _odd(
    plan: Plan, old: CounterTable, new: CounterTable, grown: NDArray[np.uint64], elapsed_ns: int
) -> list[int]:
    """Ports with a counter that came, went, decreased, or grew by more than the line rate."""
    bad = np.logical_or(grown > plan.most * elapsed_ns, new.values < old.values)
    if new.present is not plan.present or old.present is not plan.present:
        bad &= new.present
        bad |= new.present != old.present
        bad[:, :OCTETS] |= ~new.present[:, :OCTETS]
    if not bad.any():
        return []
    found: list[int] = np.flatnonzero(np.logical_or.reduce(bad, axis=1)).tolist()
    return found


def has_restarted(before_ticks: int, now_ticks: int, elapsed_ns: int) -> bool:
    """Whether sysUpTime (RFC 3418: 32 bits of hundredths of a second) shows that the agent restarted.

    It wraps every 497 days: then the growth modulo 2^32 still agrees with our own clock.
    """
    if now_ticks >= before_ticks:
        return False
    grown = (now_ticks - before_ticks) % _TICKS
    return abs(grown - elapsed_ns // _TICK_NS) > _TICK_SLACK
