"""Numbers and times as text: one rule for messages, pages and the command line.

`FORMAT_SPEC` states the rule as data with golden examples. The frontend and the command line take their
constants from it (`core.client_spec`) and test the same examples. They show a missing value as a dash, never
as zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise

_RATE_UNITS = ((1e12, "Tb/s"), (1e9, "Gb/s"), (1e6, "Mb/s"), (1e3, "kb/s"))
_BYTE_UNITS = ((2**40, "TiB"), (2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"))
_ROLLOVER = 0.99995
"""From this fraction of a unit on, the smaller unit would read 1000 (or 1024)."""
_EXACT_BYTES_BELOW = 10 * 1024
_DURATION_UNITS = ((86_400, "d"), (3600, "h"), (60, "min"), (1, "s"))
_SECONDS_FROM_MS, _DURATION_FROM_MS = 1000, 10_000
_MIN_PERCENT = 0.1
_GROUP_SEPARATOR = "\u202f"
_LISTED = 4


def digits(value: float) -> str:
    """Two decimals below 10, one from 10 on (OC-3: 134.5 Mb/s), without trailing zeros."""
    return _decimals(value, 2 if abs(value) < 9.995 else 1)


def _decimals(value: float, number: int) -> str:
    text = f"{value:.{number}f}"
    return text.rstrip("0").rstrip(".") if number else text


def _scaled(value: float, units: Sequence[tuple[float, str]], base: str) -> str:
    size = round(abs(value))
    scale, unit = next((step for step in units if size >= step[0] * _ROLLOVER), (1, base))
    return f"{'-' if value < 0 and size else ''}{digits(size / scale)} {unit}"


def rate(bps: float) -> str:
    """`53.8 Mb/s`, `134.5 Mb/s`: bit/s with SI prefixes."""
    return _scaled(bps, _RATE_UNITS, "b/s")


def byte_size(number: float) -> str:
    """`64 KiB`, `1.5 MiB`: IEC prefixes; exact below 10 KiB (`1500 B`, `9000 B`, but `8 KiB`)."""
    exact = number < _EXACT_BYTES_BELOW and round(number) % 1024
    return f"{number:.0f} B" if exact else _scaled(number, _BYTE_UNITS, "B")


def share(part: float) -> str:
    """`98 %` of a fraction 0..1, `8.5 %` below 10 %, `<0.1 %`; only exactly zero is `0 %`."""
    percent = part * 100
    if 0 < percent < _MIN_PERCENT / 2:
        return f"<{_MIN_PERCENT} %"
    return f"{_decimals(percent, 1 if abs(percent) < 9.95 else 0)} %"


def milliseconds(value: float) -> str:
    """`0.03 ms`, `2.1 ms`, `131 ms`, `4.2 s`; a duration from ten seconds on."""
    if value >= _DURATION_FROM_MS:
        return duration(value / 1000)
    if value >= _SECONDS_FROM_MS - 0.5:
        return f"{_decimals(value / 1000, 1)} s"
    return f"{_decimals(value, 2 if value < 1 else 1 if value < 9.95 else 0)} ms"


def duration(seconds: float) -> str:
    """`250 ms`, `4 s`, `2 min 5 s`, `3 h 4 min`, `2 d 5 h`: at most two units."""
    if 0 < seconds < 1:
        return milliseconds(seconds * 1000)
    whole = round(max(seconds, 0))
    for (size, unit), (smaller, small_unit) in pairwise(_DURATION_UNITS):
        if whole >= size:
            rest = whole % size // smaller
            return f"{whole // size} {unit}" + (f" {rest} {small_unit}" if rest else "")
    return f"{whole} s"


def precise(ms: float) -> str:
    """`131 ms`, `20.35 s`, `1 min 5.3 s`: a measured time to the millisecond; `duration` from an hour on."""
    whole = max(round(ms), 1 if ms > 0 else 0)
    if whole < _SECONDS_FROM_MS:
        return f"{whole} ms"
    if whole >= 3_600_000:
        return duration(whole / 1000)
    minutes, rest = divmod(whole, 60_000)
    seconds = f"{_decimals(rest / 1000, 3)} s" if rest else ""
    return " ".join(part for part in (f"{minutes} min" if minutes else "", seconds) if part)


def interval(seconds: float) -> str:
    """`43 µs`, `3.1 ms`, `200 ms`, `1.2 s`: round trips and pauses of a measurement."""
    for scale, unit in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= scale:
            return f"{_decimals(seconds / scale, 1 if seconds / scale < 99.95 else 0)} {unit}"
    return f"{_decimals(seconds * 1e6, 1 if seconds < 99.95e-6 else 0)} µs"


def clock_time(at: datetime, now: datetime | None = None) -> str:
    """`2026-11-23 14:32 UTC`; `14:32 UTC` if `now` is on the same day."""
    moment = at.astimezone(UTC)
    is_today = now is not None and moment.date() == now.astimezone(UTC).date()
    return f"{moment:%H:%M} UTC" if is_today else f"{moment:%Y-%m-%d %H:%M} UTC"


def per_second(number: float, noun: str) -> str:
    """`5 writes/s`, `4640 packets/s`."""
    rounded = round(number, -1) if number >= 1000 else number
    return f"{_decimals(rounded, 1 if number < 99.95 else 0)} {noun}/s"


def grouped(number: int) -> str:
    """`29 975`: thousands separated by a narrow no-break space (SI brochure, 5.4.4)."""
    return f"{number:,}".replace(",", _GROUP_SEPARATOR)


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 path`, `2 paths`, `10 080 links`."""
    return f"{grouped(number)} {noun if number == 1 else plural or noun + 's'}"


def part_of(part: int, total: int, noun: str, plural: str = "") -> str:
    """`3 of 8 nodes`, `9 600 of 10 080 links`."""
    return f"{grouped(part)} of {count(total, noun, plural)}"


def listing(names: Sequence[str], most: int = _LISTED) -> str:
    """`a, b and c`; `a, b, c, d and 3 more` when there are more than `most`."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


FORMAT_SPEC: dict[str, object] = {
    "digits": {"two_decimals_below": 9.995, "decimals_from_there": 1, "trailing_zeros": False},
    "rate": {"units": [list(step) for step in _RATE_UNITS], "base_unit": "b/s", "rollover": _ROLLOVER},
    "bytes": {
        "units": [list(step) for step in _BYTE_UNITS],
        "base_unit": "B",
        "rollover": _ROLLOVER,
        "exact_below": _EXACT_BYTES_BELOW,
    },
    "share": {"one_decimal_below_percent": 9.95, "min_percent": _MIN_PERCENT},
    "milliseconds": {
        "two_decimals_below": 1,
        "one_decimal_below": 9.95,
        "seconds_from": _SECONDS_FROM_MS,
        "duration_from": _DURATION_FROM_MS,
    },
    "duration": {"units": [list(step) for step in _DURATION_UNITS], "max_units": 2},
    "grouped": {"separator": _GROUP_SEPARATOR},
    "listing": {"most": _LISTED},
    "examples": {
        "rate": [
            [0, "0 b/s"],
            [999, "999 b/s"],
            [1000, "1 kb/s"],
            [8_800_000, "8.8 Mb/s"],
            [9_994_000, "9.99 Mb/s"],
            [12_400_000, "12.4 Mb/s"],
            [53_800_000, "53.8 Mb/s"],
            [96_000_000, "96 Mb/s"],
            [134_500_000, "134.5 Mb/s"],
            [622_080_000, "622.1 Mb/s"],
            [999_960_000, "1 Gb/s"],
            [1_250_000_000, "1.25 Gb/s"],
            [400_000_000_000, "400 Gb/s"],
            [2_500_000_000_000_000, "2500 Tb/s"],
            [-2_500_000, "-2.5 Mb/s"],
        ],
        "bytes": [
            [0, "0 B"],
            [512, "512 B"],
            [1500, "1500 B"],
            [8192, "8 KiB"],
            [9000, "9000 B"],
            [65_536, "64 KiB"],
            [310_700, "303.4 KiB"],
            [1_572_864, "1.5 MiB"],
            [1_073_741_824, "1 GiB"],
        ],
        "share": [
            [0, "0 %"],
            [0.00008, "<0.1 %"],
            [0.004, "0.4 %"],
            [0.0949, "9.5 %"],
            [0.0996, "10 %"],
            [0.964, "96 %"],
            [1.02, "102 %"],
        ],
        "milliseconds": [
            [0, "0 ms"],
            [0.034, "0.03 ms"],
            [0.412, "0.41 ms"],
            [2.13, "2.1 ms"],
            [12.3, "12 ms"],
            [131.4, "131 ms"],
            [999.7, "1 s"],
            [4210, "4.2 s"],
            [75_000, "1 min 15 s"],
        ],
        "duration": [
            [0, "0 s"],
            [-3, "0 s"],
            [0.25, "250 ms"],
            [45, "45 s"],
            [60, "1 min"],
            [849, "14 min 9 s"],
            [3600, "1 h"],
            [11_100, "3 h 5 min"],
            [86_460, "1 d"],
            [273_600, "3 d 4 h"],
        ],
        "grouped": [[999, "999"], [65_520, f"65{_GROUP_SEPARATOR}520"]],
        "listing": [
            [[], ""],
            [["a"], "a"],
            [["a", "b"], "a and b"],
            [["a", "b", "c", "d"], "a, b, c and d"],
            [["a", "b", "c", "d", "e", "f"], "a, b, c, d and 2 more"],
        ],
    },
}
"""[input, text] pairs under `examples`; times in seconds, except `milliseconds`."""
