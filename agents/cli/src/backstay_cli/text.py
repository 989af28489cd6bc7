"""Texts and numbers as a terminal shows them. Pure.

Everything received is data: a device chooses its own name, so any character that could move the
cursor, change colours or reverse the writing direction is escaped.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime

from backstay_cli.errors import Usage
from backstay_cli.models import ChangeOut

_UNITS = {"ms": 0.001, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400}
_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|s|min|m|h|d)")
_RATES = ((1e12, "Tb/s"), (1e9, "Gb/s"), (1e6, "Mb/s"), (1e3, "kb/s"))


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
        return f"{seconds * 1000:.0f} ms"
    whole = round(max(seconds, 0))
    for size, unit, smaller, below in ((86_400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s")):
        if whole >= size:
            rest = whole % size // smaller
            return f"{whole // size} {unit}" + (f" {rest} {below}" if rest else "")
    return f"{whole} s"


def milliseconds(figure: float | None) -> str:
    """`12.3 ms`; `-` of None."""
    if figure is None:
        return "-"
    return f"{figure:.0f} ms" if figure >= 100 else f"{figure:.3g} ms"


def three(figure: float) -> str:
    """Three significant figures without trailing zeros and never with an exponent: `0.5`, `53.8`, `1250`."""
    if figure >= 99.95:
        return f"{figure:.0f}"
    text = f"{figure:.{1 if figure >= 9.995 else 2}f}"
    return text.rstrip("0").rstrip(".")


def rate_unit(bps: float) -> tuple[float, str]:
    """Scale (bit/s) and unit in which a rate is shown."""
    return next(((scale, unit) for scale, unit in _RATES if bps >= scale * 0.9995), (1.0, "b/s"))


def rate(bps: float | None) -> str:
    """`53.8 Mb/s`; `-` of None."""
    if bps is None:
        return "-"
    scale, unit = rate_unit(bps)
    return f"{three(bps / scale) if scale > 1 else round(bps)} {unit}"


def clock(moment: datetime | None) -> str:
    """`2026-11-21 16:53:09` in this machine's zone; `-` of None."""
    return "-" if moment is None else moment.astimezone().strftime("%Y-%m-%d %H:%M:%S")


def names(of: Sequence[str], most: int = 8) -> str:
    """`sp01, sp02`; of many `sp01, sp02 and 30 more`."""
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
