"""Texts and numbers for the terminal. Pure.

Everything received is data: a device chooses its own name, so any character that could move the cursor,
change colours or reverse the writing direction is escaped.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from importlib.resources import files
from itertools import pairwise
from typing import Any

from backstay_cli.errors import Usage
from backstay_cli.models import ChangeOut

_UNITS = {"ms": 0.001, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400}
_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|s|min|m|h|d)")
SPEC: dict[str, Any] = json.loads(files(__package__).joinpath("spec.json").read_text())
"""Facts defined by the server: `x-backstay` of its API document."""
_FORMATS: dict[str, Any] = SPEC["formatting"]


def shown(text: str, *, keep: str = "") -> str:
    """The text with control, format and unassigned characters as `\\x1b` or `\\u202e`; `keep` stays."""
    return "".join(c if c in keep or not _hidden(c) else _escaped(c) for c in text)


def _hidden(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}


def _escaped(character: str) -> str:
    number = ord(character)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def seconds_of(text: str) -> float:
    """`90`, `90s`, `10m`, `1h30m` in seconds."""
    compact = text.replace(" ", "")
    if re.fullmatch(r"\d+(\.\d+)?", compact):
        return float(compact)
    parts = _PART.findall(compact)
    if not parts or "".join(number + unit for number, unit in parts) != compact:
        raise Usage(f"{shown(text)} is not a duration: write 30s, 10m or 1h30m.")
    return float(sum(float(number) * _UNITS[unit] for number, unit in parts))


def length(seconds: float | None) -> str:
    """`150 ms`, `4 s`, `2 min 5 s`, `3 h 4 min`, `2 d 5 h`; `-` of None."""
    if seconds is None:
        return "-"
    if 0 < seconds < 1:
        return milliseconds(seconds * 1000)
    whole = round(max(seconds, 0))
    for (size, unit), (smaller, small_unit) in pairwise(_FORMATS["duration"]["units"]):
        if whole >= size:
            rest = whole % size // smaller
            return f"{whole // size} {unit}" + (f" {rest} {small_unit}" if rest else "")
    return f"{whole} s"


def milliseconds(value: float | None) -> str:
    """`0.03 ms`, `2.1 ms`, `131 ms`, `4.2 s`; `-` of None."""
    if value is None:
        return "-"
    rule = _FORMATS["milliseconds"]
    if value >= rule["duration_from"]:
        return length(value / 1000)
    if value >= rule["seconds_from"] - 0.5:
        return f"{_decimals(value / 1000, 1)} s"
    number = 2 if value < rule["two_decimals_below"] else 1 if value < rule["one_decimal_below"] else 0
    return f"{_decimals(value, number)} ms"


def digits(value: float) -> str:
    """Two decimals below 10, otherwise one, without trailing zeros: `0.5`, `53.8`, `134.5`."""
    rule = _FORMATS["digits"]
    return _decimals(value, 2 if abs(value) < rule["two_decimals_below"] else rule["decimals_from_there"])


def rate_unit(bps: float) -> tuple[float, str]:
    """Scale (bit/s) and unit in which a rate is shown."""
    return _step(bps, _FORMATS["rate"])


def rate(bps: float | None) -> str:
    """`53.8 Mb/s`; `-` of None."""
    return "-" if bps is None else _scaled(bps, _FORMATS["rate"])


def byte_size(number: float) -> str:
    """`64 KiB`, `1.5 MiB`; exact below 10 KiB: `1500 B`."""
    rule = _FORMATS["bytes"]
    return f"{number} B" if number < rule["exact_below"] and number % 1024 else _scaled(number, rule)


def percent(share: float | None) -> str:
    """`87 %` from a fraction 0..1, `8.5 %` below 10 %, `<0.1 %`; empty for None."""
    if share is None:
        return ""
    rule = _FORMATS["share"]
    value = share * 100
    if 0 < value < rule["min_percent"] / 2:
        return f"<{rule['min_percent']} %"
    return f"{_decimals(value, 1 if abs(value) < rule['one_decimal_below_percent'] else 0)} %"


def _decimals(value: float, number: int) -> str:
    text = f"{value:.{number}f}"
    return text.rstrip("0").rstrip(".") if number else text


def _step(value: float, rule: dict[str, Any]) -> tuple[float, str]:
    size = round(abs(value))
    found = (step for step in rule["units"] if size >= step[0] * rule["rollover"])
    scale, unit = next(found, (1, rule["base_unit"]))
    return scale, unit


def _scaled(value: float, rule: dict[str, Any]) -> str:
    scale, unit = _step(value, rule)
    return f"{'-' if round(value) < 0 else ''}{digits(round(abs(value)) / scale)} {unit}"


def clock(moment: datetime | None) -> str:
    """`2026-11-21 16:53:09` in this machine's zone; `-` of None."""
    return "-" if moment is None else moment.astimezone().strftime("%Y-%m-%d %H:%M:%S")


def period(start: datetime, end: datetime | None) -> str:
    """`2026-11-21 14:09:10 to 14:10:02`; `since ...` while it lasts; one time if both are the same second."""
    first, last = clock(start), clock(end)
    if end is None:
        return f"since {first}"
    if first == last:
        return first
    return f"{first} to {last[11:] if first[:10] == last[:10] else last}"


def names(of: Sequence[str], most: int = 8) -> str:
    """`sp01, sp02`; for many `sp01, sp02 and 30 more`."""
    if len(of) <= most:
        return ", ".join(of)
    return f"{', '.join(of[: most - 1])} and {len(of) - most + 1} more"


def count(number: int, noun: str) -> str:
    """`1 node`, `2 nodes`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def seconds_left(change: ChangeOut) -> float | None:
    """Seconds until the guards act, by the backend's clock; None: nothing awaits confirmation."""
    if change.confirm_by is None:
        return None
    return max((change.confirm_by - change.since).total_seconds() - change.age_s, 0.0)
