"""The clock of a PS-32 HIPPI switch: ps32SwitchDate and ps32SwitchTime (NSCPS32-MIB), two strings."""

import re
from datetime import UTC, datetime, timedelta, timezone

from backstay_agent.parsers.ifmib import Oid, Value

_GENERAL: Oid = (1, 3, 6, 1, 4, 1, 10, 2, 1, 4, 1)
DATE: Oid = (*_GENERAL, 3, 0)
TIME: Oid = (*_GENERAL, 4, 0)

_DATE = re.compile(rb"\s*(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})\s*")
_TIME = re.compile(rb"\s*(\d{1,2}):(\d{2}):(\d{2})\s*")
_CENTURY_PIVOT = 69
"""Two-digit years below this are in the 21st century, as in POSIX's strptime(3)."""


def device_clock(date: Value | None, time: Value | None, local_offset: timedelta) -> int | None:
    """`10/14/98` and `13:37:00` in nanoseconds since the epoch; None if absent or impossible.

    The switch keeps no time zone: that of this host, `local_offset`, is assumed.
    """
    if not isinstance(date, bytes) or not isinstance(time, bytes):
        return None
    day, hour = _DATE.fullmatch(date), _TIME.fullmatch(time)
    if day is None or hour is None:
        return None
    year = int(day[3])
    if year < 100:
        year += 2000 if year < _CENTURY_PIVOT else 1900
    try:
        moment = datetime(
            year,
            int(day[1]),
            int(day[2]),
            int(hour[1]),
            int(hour[2]),
            int(hour[3]),
            tzinfo=timezone(local_offset),
        )
    except ValueError:
        return None
    seconds = (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(seconds=1)
    return seconds * 1_000_000_000 if seconds >= 0 else None
