"""An SNMP device's own clock: hrSystemDate (RFC 2790), or date and time of a PS-32 HIPPI switch.

A clock with a resolution of whole seconds is anywhere within its second: the middle is reported, with half a
step plus half of the round trip as the error, and one tick: time(2), which agents read, is that old at most.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from backstay_agent.host.clock import Clock
from backstay_agent.host.snmp.interface import SnmpSession
from backstay_agent.parsers import ifmib, ps32
from backstay_agent.parsers.ifmib import Oid, Value

OIDS: tuple[Oid, ...] = (ifmib.HR_SYSTEM_DATE, ps32.DATE, ps32.TIME)
_SECOND = 1_000_000_000
_TICK_NS = 10_000_000
"""Timer tick of a host at 100 Hz; clock_gettime(2), CLOCK_REALTIME_COARSE."""
SUSPECT_NS = 3 * _SECOND
"""A clock that deviates from ours by more, beyond both errors, is reported at once."""


@dataclass(frozen=True, slots=True)
class DeviceClock:
    """A device's clock at a time of ours."""

    ns: int
    """Since the epoch, by the device's clock."""
    error_ns: int
    source: str
    monotonic_ns: int
    """Our monotonic time when it was read."""

    def has_moved(self, later: "DeviceClock") -> bool:
        """Whether it was set between two reads; a stopped clock was not set."""
        gone = later.ns - self.ns
        passed = later.monotonic_ns - self.monotonic_ns
        return gone != 0 and abs(gone - passed) > SUSPECT_NS + self.error_ns + later.error_ns


def read(
    scalars: Mapping[Oid, Value], local_offset: timedelta, *, round_trip_ns: int, monotonic_ns: int
) -> DeviceClock | None:
    """The clock in a reply that took `way_ns` and was read in the middle of it; None: the device has none."""
    raw = scalars.get(ifmib.HR_SYSTEM_DATE)
    ns, step, source = ifmib.device_clock(raw, local_offset), ifmib.clock_step_ns(raw), "hrSystemDate"
    if ns is None:
        ns = ps32.device_clock(scalars.get(ps32.DATE), scalars.get(ps32.TIME), local_offset)
        step, source = _SECOND, "ps32"
    if ns is None:
        return None
    return DeviceClock(ns + step // 2, (step + round_trip_ns) // 2 + _TICK_NS, source, monotonic_ns)


async def look(
    session: SnmpSession, clock: Clock, local_offset: timedelta, source: str
) -> DeviceClock | None:
    """Read only the clock, of a device with a clock in `source`. Raises the session's errors."""
    oids = OIDS[:1] if source == "hrSystemDate" else OIDS[1:]
    before = clock.monotonic_ns()
    scalars = await session.get(oids)
    after = clock.monotonic_ns()
    return read(scalars, local_offset, round_trip_ns=after - before, monotonic_ns=(before + after) // 2)
