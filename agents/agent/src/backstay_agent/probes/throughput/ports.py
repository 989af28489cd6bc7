"""The ports during a test: their traffic, the share of cross traffic, and whether that is too much. Pure.

A test's own octets are those that its program read and wrote, plus a little for headers. The sender's are
counted as they enter the socket, so the first second of a test underestimates cross traffic and never
overestimates it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backstay_agent.host.kernel.port_statistics import Counters
from backstay_wire import PortLoad, QuietLink

_HEADERS = 1.07
"""Ethernet, IP and TCP headers over a payload of 1448 octets with timestamps, and the acknowledgements."""
_SECOND = 1_000_000_000
_SHORTEST_NS = _SECOND // 4
"""A shorter span gives no usable rate."""


@dataclass(frozen=True, slots=True)
class CounterReading:
    """Counters of every port by interface index at one moment, and the test's own octets so far."""

    at_ns: int
    """Monotonic."""
    counters: Mapping[int, Counters]
    read: int = 0
    """By the test's program."""
    written: int = 0


@dataclass(frozen=True, slots=True)
class Traffic:
    """Bit/s in and out."""

    came: float
    left: float


def rate(before: CounterReading, now: CounterReading, index: int) -> Traffic | None:
    """Traffic of a port; None if the span is too short, or the port came or went."""
    span, old, new = now.at_ns - before.at_ns, before.counters.get(index), now.counters.get(index)
    if span < _SHORTEST_NS or old is None or new is None or new[0] < old[0] or new[1] < old[1]:
        return None
    return Traffic((new[0] - old[0]) * 8 * _SECOND / span, (new[1] - old[1]) * 8 * _SECOND / span)


def others(before: CounterReading, now: CounterReading, index: int) -> Traffic | None:
    """The same without the test's own traffic."""
    whole = rate(before, now, index)
    if whole is None:
        return None
    span = now.at_ns - before.at_ns
    came = (now.read - before.read) * 8 * _SECOND / span
    left = (now.written - before.written) * 8 * _SECOND / span
    # Acknowledgements go in the other direction: at most a twentieth of the data.
    return Traffic(
        max(0.0, whole.came - came * _HEADERS - left / 20),
        max(0.0, whole.left - left * _HEADERS - came / 20),
    )


def too_much(quiet: QuietLink, found: Traffic) -> str:
    """Why there is too much cross traffic on the port, in a sentence; empty if there is not."""
    percent = 100 * max(found.came, found.left) / quiet.usable
    if percent <= quiet.most_percent:
        return ""
    load = f"{percent:.1f} % of {quiet.usable / 1e6:g} Mbit/s"
    return f"{quiet.port} carries other traffic of {load}, at most {quiet.most_percent:g} % is allowed"


@dataclass(frozen=True, slots=True)
class PortFacts:
    """Facts about a port besides its counters."""

    index: int
    name: str
    mtu: int
    speed: int


def load(
    port: PortFacts, before: CounterReading | None, readings: Sequence[CounterReading], *, own: bool
) -> PortLoad | None:
    """A port over the test; None if it came or went. `own`: the test's own octets are known."""
    if len(readings) < 2:
        return None
    first, last = readings[0], readings[-1]
    old, new = first.counters.get(port.index), last.counters.get(port.index)
    if old is None or new is None or any(now < was for was, now in zip(old, new, strict=True)):
        return None
    came, left, in_packets, out_packets, in_errors, out_errors, in_lost, out_lost = (
        now - was for was, now in zip(old, new, strict=True)
    )
    other = others(first, last, port.index) if own else None
    quiet = rate(before, first, port.index) if before is not None else None
    return PortLoad(
        port=port.name,
        mtu=port.mtu,
        speed=port.speed,
        in_octets=came,
        out_octets=left,
        in_packets=in_packets,
        out_packets=out_packets,
        in_errors=in_errors,
        out_errors=out_errors,
        in_discards=in_lost,
        out_discards=out_lost,
        others_in=other.came if other else None,
        others_out=other.left if other else None,
        before_in=quiet.came if quiet else None,
        before_out=quiet.left if quiet else None,
    )
