"""The clock of a host read over ssh: the output of `date`, in UTC (POSIX date(1))."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from backstay_agent.collectors.ssh.view import Shell
from backstay_agent.host.clock import Clock

COMMAND = "date -u +%Y-%m-%dT%H:%M:%SZ"
"""The same on every system: POSIX has no finer resolution than seconds."""
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z")
_STEP_NS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class HostDate:
    """One reading of a host's clock."""

    at_ns: int
    """Our estimated wall time of the reading."""
    ns: int
    """Since the epoch, by the host's clock: the middle of the second that it reported."""
    error_ns: int


def parsed(output: str) -> int | None:
    """Nanoseconds since the epoch; None if it is not such a time. A leap second counts as the second
    before."""
    found = _DATE.fullmatch(output.strip())
    if found is None:
        return None
    year, month, day, hour, minute, second = map(int, found.groups())
    try:
        moment = datetime(year, month, day, hour, minute, min(second, 59), tzinfo=UTC)
    except ValueError:
        return None
    seconds = (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(seconds=1)
    return seconds * 1_000_000_000 if seconds >= 0 else None


async def look(shell: Shell, clock: Clock) -> HostDate | None:
    """Read the time; None if the output has another format. Raises SshError, TimeoutError."""
    wall, before = clock.wall_ns(), clock.monotonic_ns()
    ns = parsed(await shell.run(COMMAND))
    round_trip = clock.monotonic_ns() - before
    if ns is None:
        return None
    return HostDate(wall + round_trip // 2, ns + _STEP_NS // 2, (_STEP_NS + round_trip) // 2)
