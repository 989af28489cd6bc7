"""Parse times: `now`, `now-1h30m`, `yesterday`, `13:50`, RFC 3339 or Unix seconds; `now` is an argument.

The browser has the same grammar (`frontend/src/util/time.ts`); both are tested with the cases of
`frontend/src/util/timeCases.json`.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from backstay.core.errors import Invalid

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800, "y": 31_536_000}
_RELATIVE = re.compile(r"now(?:([+-])((?:\d{1,9}[smhdwy])+))?")
_PARTS = re.compile(r"(\d+)([smhdwy])")
_CLOCK = re.compile(r"([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?")
_DAYS_AGO = {"today": 0, "now/d": 0, "yesterday": 1}
_EXPECTED = (
    "expected now, now-15m or now-1h30m (units s m h d w y), today, yesterday,"
    " a time of day such as 13:50 (UTC), an RFC 3339 time, or Unix seconds"
)
_EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
_LATEST = datetime(2200, 1, 1, tzinfo=UTC)
LONGEST_PAST = timedelta(days=366)
"""How far back a past state may be asked for; what is kept for less time is unknown."""


def moment(text: str, now: datetime, field: str) -> datetime:
    """Parse `text` to a UTC time; a time without a zone is UTC.

    `today` and `yesterday` are their first second; a time of day is the latest one that is not in the future.

    Raises `Invalid`, naming `field`, for any other text and for years before 1990 or after 2199.
    """
    try:
        found = _relative(text, now) or _of_day(text, now) or _unix(text) or _absolute(text)
    except (ValueError, OverflowError) as cause:
        raise Invalid(f"{field} is not a time: {_EXPECTED}.", fields={field: _EXPECTED}) from cause
    if not _EARLIEST <= found < _LATEST:
        expected = "expected a year from 1990 to 2199"
        raise Invalid(f"{field} is out of range: {expected}.", fields={field: expected})
    return found


def past_moment(text: str, now: datetime, field: str) -> datetime:
    """As `moment`; raises `Invalid` for a time in the future, or before `LONGEST_PAST`, too."""
    found = moment(text, now, field)
    if found > now:
        raise Invalid("The moment is in the future.", fields={field: "expected a past moment"})
    if found < now - LONGEST_PAST:
        expected = f"expected a moment of the last {LONGEST_PAST.days} days"
        raise Invalid(f"The moment is too long ago: {expected}.", fields={field: expected})
    return found


def span(start: str, end: str, now: datetime) -> tuple[datetime, datetime]:
    """(start, end) with start before end; raises `Invalid`."""
    since, until = moment(start, now, "start"), moment(end, now, "end")
    if since >= until:
        raise Invalid("start must be before end.", fields={"start": "expected a time before end"})
    return since, until


def _relative(text: str, now: datetime) -> datetime | None:
    match = _RELATIVE.fullmatch(text)
    if match is None:
        return None
    sign, parts = match.groups()
    if parts is None:
        return now
    offset = timedelta(seconds=sum(int(number) * _UNITS[unit] for number, unit in _PARTS.findall(parts)))
    return now + offset if sign == "+" else now - offset


def _of_day(text: str, now: datetime) -> datetime | None:
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if text in _DAYS_AGO:
        return midnight - timedelta(days=_DAYS_AGO[text])
    match = _CLOCK.fullmatch(text)
    if match is None:
        return None
    hour, minute, second = (int(part or 0) for part in match.groups())
    found = midnight + timedelta(hours=hour, minutes=minute, seconds=second)
    return found if found <= now else found - timedelta(days=1)


def _unix(text: str) -> datetime | None:
    if not re.fullmatch(r"\d{1,10}(\.\d{1,9})?", text):
        return None
    return datetime.fromtimestamp(float(text), UTC)


def _absolute(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
