"""How long receivers hold an acknowledgement back, by system."""

from __future__ import annotations

PERIODS: dict[float, str] = {
    0.04: "Linux's shortest",
    0.1: "Solaris's",
    0.2: "BSD's fast timer",
    0.5: "the longest that RFC 1122 allows",
}
"""Delays of acknowledgements, s."""


def period_of(seconds: float) -> float | None:
    """The timer that a time per write, with its transfer, would be."""
    return next((one for one in PERIODS if 0.9 * one <= seconds <= 1.25 * one), None)
