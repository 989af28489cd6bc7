"""Figures and times in words, as titles, messages and state texts say them.

Rates are bit/s with SI prefixes, shares whole percents, durations one or two units. Pure.
"""

from __future__ import annotations

_PREFIXES = ((1e12, "Tb/s"), (1e9, "Gb/s"), (1e6, "Mb/s"), (1e3, "kb/s"))
_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def rate(bps: float) -> str:
    """`53.8 Mb/s`: three significant figures from 1 to 999 of a unit, without trailing zeros."""
    for scale, unit in _PREFIXES:
        if bps >= scale * 0.9995:
            return f"{_three(bps / scale)} {unit}"
    return f"{round(bps)} b/s"


def _three(value: float) -> str:
    decimals = 0 if value >= 99.95 else 1 if value >= 9.995 else 2
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def share(part: float) -> str:
    """`98 %` of a fraction 0..1."""
    return f"{part * 100:.0f} %"


def duration(seconds: float) -> str:
    """`4 s`, `2 min 5 s`, `3 h 4 min`, `2 d 5 h`; below a second in milliseconds."""
    if 0 < seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    whole = round(max(seconds, 0))
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return _pair(whole, _MINUTE, "min", 1, "s")
    if whole < _DAY:
        return _pair(whole, _HOUR, "h", _MINUTE, "min")
    return _pair(whole, _DAY, "d", _HOUR, "h")


def _pair(seconds: int, big: int, big_unit: str, small: int, small_unit: str) -> str:
    rest = seconds % big // small
    return f"{seconds // big} {big_unit}" + (f" {rest} {small_unit}" if rest else "")


def milliseconds(value: float) -> str:
    """An outage: `131 ms`, `4 ms`, and from ten seconds on as a duration."""
    return f"{value:.0f} ms" if value < 10_000 else duration(value / 1000)


def grouped(number: int) -> str:
    """`29 975`: thousands apart by a narrow no-break space (SI brochure, 5.4.4), as the pages group them."""
    return f"{number:,}".replace(",", "\u202f")


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 path`, `2 paths`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def listing(names: list[str], most: int = 4) -> str:
    """`a, b and c`; `a, b, c, d and 3 more` when there are more than `most`."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)
