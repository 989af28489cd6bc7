"""Lengths, times and packet rates as verdicts say them; rates and shares are `core.words`."""

from __future__ import annotations

_KIB = 1024


def length(octets: float) -> str:
    """`64 KiB`, `293 KiB`, `1.5 MiB`; below a KiB in bytes."""
    if octets < _KIB:
        return f"{octets:.0f} B"
    for scale, unit in ((_KIB**3, "GiB"), (_KIB**2, "MiB")):
        if octets >= scale:
            return f"{_short(octets / scale)} {unit}"
    return f"{_short(octets / _KIB)} KiB"


def interval(seconds: float) -> str:
    """`3.1 ms`, `200 ms`, `43 µs`, `1.2 s`."""
    if seconds >= 1:
        return f"{_short(seconds)} s"
    if seconds >= 1e-3:
        return f"{_short(seconds * 1e3)} ms"
    return f"{_short(seconds * 1e6)} µs"


def per_second(number: float, what: str) -> str:
    """`5 writes/s`, `4640 packets/s`."""
    digits = round(number, -1) if number >= 1000 else number
    return f"{digits:.0f} {what}/s" if number >= 100 else f"{_short(number)} {what}/s"


def _short(value: float) -> str:
    text = f"{value:.0f}" if value >= 99.95 else f"{value:.1f}"
    return text.removesuffix(".0")
