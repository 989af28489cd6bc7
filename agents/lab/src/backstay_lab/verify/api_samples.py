"""The API's samples over time: growths per interval, levels and states. Pure.

A client that polls faster than reports arrive sees each of them. Adjoining intervals are joined to a longer
growth, in which the uncertainty of the ends weighs less.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from backstay_lab.verify.series import Key, Value

JOINT_S = 0.1
"""Seconds by which adjoining intervals may differ: the uncertainty of two clocks."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A growth in an interval that ends `at` (Unix seconds)."""

    at: float
    seconds: float
    amount: float
    rounding: float = 0.0
    """Maximum effect of the API's rounding of a rate on the amount."""


@dataclass(frozen=True, slots=True)
class Growth:
    """A growth over joined intervals."""

    start: float
    end: float
    amount: float
    rounding: float = 0.0


@dataclass(slots=True)
class ApiSamples:
    """All samples, by key.

    Only samples within the time in which the sources were read (Unix seconds) count: the length of a
    metric's first interval is unknown, so it should end before.
    """

    since: float
    until: float
    growths: dict[Key, dict[float, Interval]] = field(default_factory=dict)
    levels: dict[Key, dict[float, Value]] = field(default_factory=dict)

    def port(self, port: Mapping[str, Any]) -> None:
        """Add one item of `GET /ports`: rate times interval is the counted amount."""
        if port["measured_at"] is None or port["in_bps"] is None:
            return
        at, seconds = moment(port["measured_at"]), port["measured_s"]
        for direction in ("in", "out"):
            for quantity, rate in (
                ("octets", port[f"{direction}_bps"] / 8),
                ("packets", port[f"{direction}_pps"]),
                ("errors", port[f"{direction}_errors_ps"]),
            ):
                key = (port["node"], port["name"], f"{direction} {quantity}")
                # Half a bit per second over the interval; below half an octet it has no effect.
                half = seconds / 16 if quantity == "octets" else 0.0
                rounding = 0.0 if half < 0.5 else math.ceil(half)
                self._grew(key, Interval(at, seconds, round(rate * seconds), rounding))

    def figure(self, node: str, figure: Mapping[str, Any], interval_s: float) -> None:
        """Add one item of `GET /nodes/ID/metrics`."""
        key, at = (node, figure["subject"], figure["metric"]), moment(figure["at"])
        if figure["outcome"] != "ok":
            return
        if figure["kind"] == "growth" and figure["value"] is not None:
            known = self.growths.get(key, {})
            last = max((end for end in known if end < at), default=None)
            # A metric does not state its interval; the times show that it follows the last one.
            near = last is not None and at - last < 1.5 * interval_s
            seconds = at - last if near and last is not None else interval_s
            self._grew(key, Interval(at, seconds, figure["value"]))
        elif (value := figure["reported_state"] if figure["value"] is None else figure["value"]) is not None:
            self.levels.setdefault(key, {})[at] = value

    def _grew(self, key: Key, interval: Interval) -> None:
        self.growths.setdefault(key, {}).setdefault(interval.at, interval)

    def counts(self, interval: Interval) -> bool:
        """Whether the interval lies within the observation time."""
        return self.since <= interval.at - interval.seconds and interval.at <= self.until

    def level(self, key: Key) -> tuple[float, Value] | None:
        """The newest level or state of the observation time, and its time."""
        known = {
            at: value for at, value in self.levels.get(key, {}).items() if self.since <= at <= self.until
        }
        return max(known.items(), default=None, key=lambda item: item[0])

    def state(self, key: Key) -> str | None:
        """The newest state of any age: a state holds until another is reported."""
        known = self.levels.get(key, {})
        newest = known[max(known)] if known else None
        return newest if isinstance(newest, str) else None

    def growth(self, key: Key) -> Growth | None:
        """The growth over the newest adjoining intervals."""
        joined: list[Interval] = []
        for interval in sorted(self.growths.get(key, {}).values(), key=lambda item: -item.at):
            if interval.at > self.until:
                continue
            joins = not joined or abs(joined[-1].at - joined[-1].seconds - interval.at) <= JOINT_S
            if not joins or not self.counts(interval):
                break
            joined.append(interval)
        if not joined:
            return None
        start = joined[-1].at - joined[-1].seconds
        return Growth(
            start, joined[0].at, sum(item.amount for item in joined), sum(item.rounding for item in joined)
        )


def moment(text: str) -> float:
    """Unix seconds of an RFC 3339 time."""
    return datetime.fromisoformat(text).timestamp()
