"""From a device's counter objects to its ports' growth: which objects to ask for, what they sum to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backstay_agent.collectors.deltas import Span, port_growth, width_is_safe
from backstay_agent.collectors.samples import PortRow
from backstay_agent.collectors.snmp.snapshot import Snapshot
from backstay_agent.parsers import ifmib
from backstay_agent.parsers.ifmib import DevicePort, Oid

_TICKS = 1 << 32
_TICK_NS = 10_000_000
_TICK_SLACK = 1000
"""Ten seconds: how far an uptime may be from what our own clock expects and still be the same run."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is polled on one device: its ports with the counters fit for them, and those that have none."""

    ports: Sequence[DevicePort]
    refused: Sequence[str]
    """Ports whose only counters are too narrow for the interval, each with the reason."""

    def oids(self) -> list[Oid]:
        """Every counter object of every port."""
        return [
            (*column, port.state.index)
            for port in self.ports
            for columns in _objects(port)
            for column in columns
        ]


def _objects(port: DevicePort) -> tuple[tuple[Oid, ...], ...]:
    return ifmib.COUNTERS_64 if port.has_64_bit else ifmib.COUNTERS_32


def make_plan(ports: Sequence[DevicePort], interval_s: float) -> Plan:
    """Refuse 32-bit octet counters that could wrap twice unseen: their figures would be guesses."""
    kept: list[DevicePort] = []
    refused: list[str] = []
    for port in ports:
        speed = port.state.speed
        if port.has_64_bit or width_is_safe(32, speed, interval_s):
            kept.append(port)
        elif speed:
            limit = (1 << 32) * 8 / speed / 2
            refused.append(
                f"{port.state.name}: 32-bit counters at {speed} bit/s need a poll each {limit:.0f} s"
            )
        else:
            refused.append(f"{port.state.name}: 32-bit counters and no known speed")
    return Plan(kept, refused)


def _values(port: DevicePort, readings: Mapping[Oid, int]) -> tuple[int | None, ...] | None:
    """One port's counters in the wire's order; None when the device did not give its octets."""
    widths = ifmib.WIDTHS_64 if port.has_64_bit else ifmib.WIDTHS_32
    values = [
        _sum([readings.get((*column, port.state.index)) for column in columns], width)
        for columns, width in zip(_objects(port), widths, strict=True)
    ]
    return None if values[0] is None or values[1] is None else tuple(values)


def _sum(parts: Sequence[int | None], width: int) -> int | None:
    """Sum modulo the counters' width: that way the sum wraps as its parts do. Absent parts count nothing."""
    present = [part for part in parts if part is not None]
    return sum(present) % (1 << width) if present else None


def port_rows(plan: Plan, before: Snapshot, now: Snapshot, *, restarted: bool, missed: bool) -> list[PortRow]:
    """The growth of every port between two snapshots."""
    rows: list[PortRow] = []
    for port in plan.ports:
        span = Span(
            elapsed_ns=now.at_ns - before.at_ns,
            speed=port.state.speed,
            widths=ifmib.WIDTHS_64 if port.has_64_bit else ifmib.WIDTHS_32,
            restarted=restarted,
            missed=missed,
            slack_ns=before.slack_ns + now.slack_ns,
        )
        growth = port_growth(_values(port, before.values), _values(port, now.values), span)
        rows.append(PortRow(port.state.name, growth))
    return rows


def has_restarted(before_ticks: int, now_ticks: int, elapsed_ns: int) -> bool:
    """Whether sysUpTime (RFC 3418: 32 bits of hundredths of a second) says that the agent started anew.

    It passes its width every 497 days: then the growth modulo 2^32 still agrees with our own clock.
    """
    if now_ticks >= before_ticks:
        return False
    grown = (now_ticks - before_ticks) % _TICKS
    return abs(grown - elapsed_ns // _TICK_NS) > _TICK_SLACK
