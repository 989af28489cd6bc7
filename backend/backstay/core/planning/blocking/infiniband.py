"""InfiniBand's counterpart of blocking: the head-of-queue lifetime of a switch port, and its transmit wait.

A packet that waits for credits at the head of a port's queue is discarded after the port's head-of-queue
lifetime (HOQLife of PortInfo), as a HIPPI gateway discards after the hold time h; PortXmitWait counts the
time in which it waits, PortXmitDiscards what was discarded. Encoding and the value without a limit are those
that OpenSM's options file states (`head_of_queue_lifetime`); they were not verified on hardware.
"""

from __future__ import annotations

from dataclasses import dataclass

from backstay.core.planning.blocking.hold import expiry_share

UNIT_S = 4.096e-6
"""Lifetime of code 0; each further code doubles it."""
UNLIMITED_CODE = 0x14
OPENSM_CODE, OPENSM_LEAF_CODE = 0x12, 0x10
"""OpenSM's defaults between switches, and toward hosts."""
SOURCE = (
    "4.096 µs x 2^code and 0x14 for no limit, as OpenSM's options file states; not verified on hardware."
    " The loss"
    " is that of the HIPPI model: one blocked queue, exponential blocking."
)


@dataclass(frozen=True, slots=True)
class Lifetime:
    """One code of HOQLife."""

    code: int
    seconds: float | None
    """None: no limit."""
    loss: float | None
    """Share of blocked packets discarded at a mean blocking time, 0..1; None: that time is unknown."""
    note: str


def lifetime_s(code: int) -> float | None:
    """Seconds of a code; None: no limit. ValueError outside of its five bits."""
    if not 0 <= code < 32:
        raise ValueError(f"HOQLife has five bits: 0 to 31, not {code}")
    return None if code >= UNLIMITED_CODE else UNIT_S * 2**code


def code_for(hold_s: float | None) -> int:
    """The smallest code whose lifetime is at least this hold time; without a limit for None or more."""
    if hold_s is None:
        return UNLIMITED_CODE
    return next(
        (code for code in range(UNLIMITED_CODE) if UNIT_S * 2**code >= hold_s * (1 - 1e-9)), UNLIMITED_CODE
    )


def lifetimes(blocking_s: float | None) -> list[Lifetime]:
    """Every code, with the loss at a mean blocking time."""
    notes = {
        OPENSM_CODE: "OpenSM's default between switches",
        OPENSM_LEAF_CODE: "OpenSM's default toward hosts",
        UNLIMITED_CODE: "no limit",
    }
    found = []
    for code in range(UNLIMITED_CODE + 1):
        seconds = lifetime_s(code)
        loss = None if blocking_s is None else 0.0 if seconds is None else expiry_share(blocking_s, seconds)
        found.append(Lifetime(code, seconds, loss, notes.get(code, "")))
    return found


def wait_share(ticks: float, seconds: float, tick_s: float | None) -> float | None:
    """Share of time, 0..1, in which a port waited for credits; None: the length of a tick is unknown.

    The tick is the device's own (PortSamplesControl), which no collector reads.
    """
    if tick_s is None or seconds <= 0:
        return None
    return min(ticks * tick_s / seconds, 1.0)
