"""Why a failback is pending although the preferred gateway responds again. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from backstay.core.formatting import count, duration
from backstay.core.model.routing import Timers

Why = Literal["manual", "after", "hold_down", "recovering", "daemon"]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A path on its fallback whose preferred gateway responds."""

    gateway: str
    """The preferred gateway."""
    answers_since: datetime | None
    moved_at: datetime | None
    """Last switch of the path."""


@dataclass(frozen=True, slots=True)
class Failback:
    """A pending failback: its condition and, if known, its time."""

    gateway: str
    why: Why
    text: str
    until: datetime | None = None


def pending(path: Waiting, detection: str, timers: Timers, now: datetime) -> Failback:
    """The condition of the failback; `until` is never in the past."""
    name = path.gateway
    if detection != "checker":
        return Failback(name, "daemon", f"{name} responds; the routing daemon decides on the failback")
    if timers.revert == "manual":
        return Failback(name, "manual", f"{name} responds; manual failback required")
    recovered_s = timers.recover_after * timers.interval_ms / 1000
    recovered = _after(path.answers_since, recovered_s)
    if recovered is not None and recovered > now:
        probes = count(timers.recover_after, "probe")
        text = f"{name} responds; up after {probes}, {duration(recovered_s)}"
        return Failback(name, "recovering", text, recovered)
    held = _after(path.moved_at, timers.hold_down_s)
    if timers.revert == "after":
        until = _after(path.answers_since, timers.revert_after_s)
        text = f"{name} responds; failback after {duration(timers.revert_after_s)} without a failure"
        return Failback(name, "after", text, until if until is not None and until > now else None)
    if held is not None and held > now:
        text = f"{name} responds; hold-down of {duration(timers.hold_down_s)} after the last switch"
        return Failback(name, "hold_down", text, held)
    return Failback(name, "recovering", f"{name} responds; its checker does not consider it up yet")


def _after(at: datetime | None, seconds: float) -> datetime | None:
    return None if at is None else at + timedelta(seconds=seconds)
