"""Why a path is still on its fallback although its preferred gateway answers again. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from backstay.core.formatting import count, duration
from backstay.core.model.routing import Timers

Why = Literal["manual", "after", "hold_down", "recovering", "daemon"]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A path away from its preferred gateway, which answers."""

    gateway: str
    """The preferred one."""
    answers_since: datetime | None
    moved_at: datetime | None
    """When the path last moved."""


@dataclass(frozen=True, slots=True)
class Failback:
    """The way back that is pending: what it waits for, and until when where that is known."""

    gateway: str
    why: Why
    text: str
    until: datetime | None = None


def pending(path: Waiting, detection: str, timers: Timers, now: datetime) -> Failback:
    """What the way back waits for; a time that is over is not promised."""
    name = path.gateway
    if detection != "checker":
        return Failback(name, "daemon", f"{name} answers; the routing daemon decides when to go back")
    if timers.revert == "manual":
        return Failback(name, "manual", f"{name} answers; going back is left to a person")
    recovered_s = timers.recover_after * timers.interval_ms / 1000
    recovered = _after(path.answers_since, recovered_s)
    if recovered is not None and recovered > now:
        probes = count(timers.recover_after, "probe")
        text = f"{name} answers; it counts as alive after {probes}, {duration(recovered_s)}"
        return Failback(name, "recovering", text, recovered)
    held = _after(path.moved_at, timers.hold_down_s)
    if timers.revert == "after":
        until = _after(path.answers_since, timers.revert_after_s)
        text = f"{name} answers; back after {duration(timers.revert_after_s)} without a failure"
        return Failback(name, "after", text, until if until is not None and until > now else None)
    if held is not None and held > now:
        text = f"{name} answers; no further switch for {duration(timers.hold_down_s)} after the last one"
        return Failback(name, "hold_down", text, held)
    return Failback(name, "recovering", f"{name} answers; its checker has not called it alive yet")


def _after(at: datetime | None, seconds: float) -> datetime | None:
    return None if at is None else at + timedelta(seconds=seconds)
