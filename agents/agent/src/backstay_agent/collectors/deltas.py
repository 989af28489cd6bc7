"""Counter deltas, decided once at the agent: every odd case is a typed outcome, never a spike.

A counter is a Counter32 or Counter64 (RFC 2578) or a kernel's 64-bit count. Between two readings it grows,
wraps (RFC 2863, section 3.1.6), or is reset; more than the port can carry is absurd. Pure.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from backstay_wire import NO_VALUE, DeltaOutcome

COLUMNS = (
    "in_octets",
    "out_octets",
    "in_packets",
    "out_packets",
    "in_errors",
    "out_errors",
    "in_discards",
    "out_discards",
)
"""Order of the counters of one port, as in the wire's PortSamples."""

Values = Sequence[int | None]
"""One reading of one port, in the order of COLUMNS; None if the device has no such counter."""

OCTETS, PACKETS = 2, 4
"""Columns before these indexes count octets, then packets; the rest count errors and discards."""
_MOST = (1 << 63) - 1
"""Maximum value that is sent, whatever a counter contains."""
SMALLEST_PACKET = 20
"""Octets of an IPv4 header: no port carries more packets than this size allows."""


@dataclass(frozen=True, slots=True)
class Span:
    """The time between two readings of a port."""

    elapsed_ns: int
    """By a monotonic clock, between the moments at which the device took the readings."""
    speed: int = 0
    """Bit/s that the port can carry each way, 0 if unknown or meaningless."""
    widths: Sequence[int] = (64,) * len(COLUMNS)
    """Bits of each counter, 32 or 64."""
    restarted: bool = False
    """The device restarted in between, so deltas start from zero and are invalid."""
    missed: bool = False
    """One or more polls in between failed."""
    slack_ns: int = 0
    """Uncertainty of `elapsed_ns`: the absurdity check uses the value in the port's favour."""


@dataclass(frozen=True, slots=True)
class PortGrowth:
    """Growth of each counter, NO_VALUE if there is none, and its outcome."""

    values: tuple[int, ...]
    outcome: DeltaOutcome


_NOTHING = (NO_VALUE,) * len(COLUMNS)


def port_growth(before: Values | None, now: Values | None, span: Span) -> PortGrowth:
    """Growth of one port's counters over `span`.

    A reset or an absurd value in one counter invalidates the whole port's values: the others of the same
    reading are not trustworthy either. A counter that the device lacks has NO_VALUE and no further effect.
    """
    if span.restarted or span.elapsed_ns <= 0:
        return PortGrowth(_NOTHING, DeltaOutcome.RESET)
    if before is None or now is None:
        return PortGrowth(_NOTHING, DeltaOutcome.MISSING)
    values: list[int] = []
    wrapped = False
    for column, (old, new) in enumerate(zip(before, now, strict=True)):
        if old is None or new is None:
            values.append(NO_VALUE)
            continue
        grown, outcome = _grow(old, new, span.widths[column], _limit(column, span))
        if outcome not in (DeltaOutcome.OK, DeltaOutcome.WRAPPED):
            return PortGrowth(_NOTHING, outcome)
        wrapped |= outcome is DeltaOutcome.WRAPPED
        values.append(grown)
    if span.missed:
        return PortGrowth(tuple(values), DeltaOutcome.GAP)
    return PortGrowth(tuple(values), DeltaOutcome.WRAPPED if wrapped else DeltaOutcome.OK)


def _limit(column: int, span: Span) -> int | None:
    """Maximum growth of that column: 101 % of the line rate, so that clocks may differ slightly."""
    if not span.speed or column >= PACKETS:
        return None
    octets = span.speed * (span.elapsed_ns + span.slack_ns) * 101 // (8 * 100 * 1_000_000_000)
    return min(_MOST, octets if column < OCTETS else octets // SMALLEST_PACKET)


def counter_growth(
    old: int, new: int, width: int, *, restarted: bool, missed: bool
) -> tuple[int, DeltaOutcome]:
    """Growth of one error counter, which has no maximum rate; unless the outcome is OK, WRAPPED or GAP, the
    value is the raw counter `new`."""
    if restarted:
        return new, DeltaOutcome.RESET
    grown, outcome = _grow(old, new, width, None)
    if outcome not in (DeltaOutcome.OK, DeltaOutcome.WRAPPED):
        return new, outcome
    return grown, DeltaOutcome.GAP if missed else outcome


def _grow(old: int, new: int, width: int, limit: int | None) -> tuple[int, DeltaOutcome]:
    if new >= old:
        grown, outcome = new - old, DeltaOutcome.OK
    else:
        grown, outcome = new - old + (1 << width), DeltaOutcome.WRAPPED
        if not _can_wrap(old, width, grown, limit):
            return NO_VALUE, DeltaOutcome.RESET
    if grown > (_MOST if limit is None else limit):
        return NO_VALUE, DeltaOutcome.ABSURD
    return grown, outcome


def _can_wrap(old: int, width: int, grown: int, limit: int | None) -> bool:
    """Whether a counter that decreased may have wrapped rather than been reset.

    With a known speed, a wrap must fit in what the port can carry. Without one, only a counter in the upper
    half can have wrapped: otherwise it would have grown by more than half its range at once. A 64-bit counter
    takes 584 years to fill at 8 Gbit/s, so in its lower half it never wraps.
    """
    if limit is not None:
        return grown <= limit
    return old >= 1 << (width - 1) and grown < 1 << (width - 1)


def width_is_safe(width: int, speed: int, interval_s: float) -> bool:
    """Whether an octet counter can be read each `interval_s` without an ambiguous wrap.

    It must not fill more than half its range at line rate `speed` (bit/s) between two readings; with an
    unknown speed only 64 bits are safe.
    """
    if width >= 64:
        return True
    return speed > 0 and interval_s < (1 << width) * 8 / speed / 2
