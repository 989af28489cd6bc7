"""From a device's counter objects to its ports' growth: which objects to ask for, what they sum to.

The ordinary case, a counter that grew by what its port can carry, is worked out for all ports at once; every
port with anything else goes through `deltas.port_growth`, which alone says what odd cases mean.
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
from backstay_agent.collectors.samples import Table
from backstay_agent.collectors.snmp.snapshot import Snapshot
from backstay_agent.parsers import ifmib
from backstay_agent.parsers.ifmib import DevicePort, Oid
from backstay_wire import NO_VALUE, DeltaOutcome

_TICKS = 1 << 32
_TICK_NS = 10_000_000
_TICK_SLACK = 1000
"""Ten seconds: how far an uptime may be from what our own clock expects and still be the same run."""
_PARTS = max(len(columns) for columns in ifmib.COUNTERS_64)
_UNBOUNDED = float(1 << 62)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is polled on one device: its ports with the counters fit for them, and those that have none."""

    ports: Sequence[DevicePort]
    refused: Sequence[str]
    """Ports whose only counters are too narrow for the interval, each with the reason."""
    oids: tuple[Oid, ...]
    """Every counter object of every port: the same tuple at each poll."""
    places: NDArray[np.intp]
    """(ports, columns, parts): positions in `oids` of the objects whose sum a column is; one past the end is
    none."""
    masks: NDArray[np.uint64]
    """(ports, columns): the widths of the counters as masks."""
    speeds: NDArray[np.float64]
    """(ports): bit/s, 0 when unknown."""
    names: list[str]


@dataclass(frozen=True, slots=True)
class Counts:
    """A snapshot's counters as a table of (ports, columns)."""

    values: NDArray[np.uint64]
    present: NDArray[np.bool_]

    def of_port(self, row: int) -> tuple[int | None, ...] | None:
        """One port's counters in the wire's order; None when the device did not give its octets."""
        if not self.present[row, :OCTETS].all():
            return None
        values, present = self.values[row].tolist(), self.present[row].tolist()
        return tuple(value if there else None for value, there in zip(values, present, strict=True))


def _objects(port: DevicePort) -> tuple[tuple[Oid, ...], ...]:
    return ifmib.COUNTERS_64 if port.has_64_bit else ifmib.COUNTERS_32


def _widths(port: DevicePort) -> tuple[int, ...]:
    return ifmib.WIDTHS_64 if port.has_64_bit else ifmib.WIDTHS_32


def make_plan(ports: Sequence[DevicePort], interval_s: float) -> Plan:
    """Refuse 32-bit octet counters that could wrap twice unseen: their figures would be guesses."""
    kept: list[DevicePort] = []
    refused: list[str] = []
    for port in ports:
        reason = _reason_to_refuse(port, interval_s)
        if reason:
            refused.append(f"{port.state.name}: {reason}")
        else:
            kept.append(port)
    oids: list[Oid] = []
    places = np.full((len(kept), len(COLUMNS), _PARTS), -1, dtype=np.intp)
    for row, port in enumerate(kept):
        for column, parts in enumerate(_objects(port)):
            for part, where in enumerate(parts):
                places[row, column, part] = len(oids)
                oids.append((*where, port.state.index))
    places[places < 0] = len(oids)
    masks = [[(1 << width) - 1 for width in _widths(port)] for port in kept]
    return Plan(
        ports=kept,
        refused=refused,
        oids=tuple(oids),
        places=places,
        masks=np.array(masks, dtype=np.uint64).reshape(len(kept), len(COLUMNS)),
        speeds=np.array([port.state.speed for port in kept], dtype=np.float64),
        names=[port.state.name for port in kept],
    )


def _reason_to_refuse(port: DevicePort, interval_s: float) -> str:
    speed = port.state.speed
    if port.has_64_bit or width_is_safe(32, speed, interval_s):
        return ""
    if not speed:
        return "32-bit counters and no known speed"
    return f"32-bit counters at {speed} bit/s need a poll each {(1 << 32) * 8 / speed / 2:.0f} s"


def counts(plan: Plan, snapshot: Snapshot) -> Counts:
    """The snapshot's counters by port. A sum is taken modulo its parts' width: that way it wraps as they do.
    Absent parts count nothing."""
    readings = snapshot.values
    values = np.append(readings.values_, np.uint64(0))[plan.places].sum(axis=2, dtype=np.uint64)
    present = np.append(readings.present, np.False_)[plan.places]
    return Counts(values & plan.masks, np.logical_or.reduce(present, axis=2))


def growth(plan: Plan, before: Snapshot, now: Snapshot, *, restarted: bool, missed: bool) -> Table:
    """The growth of every port between two snapshots of the plan's objects."""
    old, new = counts(plan, before), counts(plan, now)
    grown = new.values - old.values
    elapsed = now.at_ns - before.at_ns
    values = np.where(new.present, grown.astype(np.int64), NO_VALUE)
    outcomes = [DeltaOutcome.OK] * len(plan.ports)
    if restarted or missed or elapsed <= 0:
        odd = list(range(len(plan.ports)))
    else:
        odd = np.flatnonzero(~_ordinary(plan, old, new, grown, elapsed)).tolist()
    for row in odd:
        port = plan.ports[row]
        span = Span(
            elapsed_ns=elapsed,
            speed=port.state.speed,
            widths=_widths(port),
            restarted=restarted,
            missed=missed,
            slack_ns=before.slack_ns + now.slack_ns,
        )
        found: PortGrowth = port_growth(old.of_port(row), new.of_port(row), span)
        values[row], outcomes[row] = found.values, found.outcome
    return Table(ports=plan.names, columns=values.T.tolist(), outcomes=outcomes)


def _ordinary(
    plan: Plan, old: Counts, new: Counts, grown: NDArray[np.uint64], elapsed_ns: int
) -> NDArray[np.bool_]:
    """Ports of which every counter is there as before and grew by no more than the line rate."""
    octets = np.where(plan.speeds > 0, plan.speeds * (elapsed_ns / 8e9), _UNBOUNDED)
    fits = (new.values >= old.values) & (grown < _UNBOUNDED)
    fits[:, :OCTETS] &= grown[:, :OCTETS] <= octets[:, None]
    fits[:, OCTETS:PACKETS] &= grown[:, OCTETS:PACKETS] <= octets[:, None] / SMALLEST_PACKET
    there: NDArray[np.bool_] = (new.present == old.present).all(axis=1) & new.present[:, :OCTETS].all(axis=1)
    ordinary: NDArray[np.bool_] = (fits | ~new.present).all(axis=1) & there
    return ordinary


def has_restarted(before_ticks: int, now_ticks: int, elapsed_ns: int) -> bool:
    """Whether sysUpTime (RFC 3418: 32 bits of hundredths of a second) says that the agent started anew.

    It passes its width every 497 days: then the growth modulo 2^32 still agrees with our own clock.
    """
    if now_ticks >= before_ticks:
        return False
    grown = (now_ticks - before_ticks) % _TICKS
    return abs(grown - elapsed_ns // _TICK_NS) > _TICK_SLACK
