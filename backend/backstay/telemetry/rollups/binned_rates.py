"""Rates of ports over some minutes in equal steps, whatever the times of each device's samples."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from backstay.core.alerting.link_rates import Floats
from backstay.core.rollups.bins import DIRECTIONS, DeviceSamples
from backstay.telemetry.models import PortLayout
from backstay.telemetry.rollups.store import read_samples

_OBSERVED = 0.5
"""Part of a step from which on its rate is known."""


def binned_rates(nodes: Collection[int], edges: Floats) -> dict[int, Floats]:
    """Port id -> bit/s in and out, (2, steps) for `edges` in Unix seconds; NaN: half of it was not observed.

    One statement. Of a port that two sources measure, the first.
    """
    found: dict[int, Floats] = {}
    for series, samples in read_samples(nodes, float(edges[0]), float(edges[-1])):
        rows = PortLayout.objects.filter(pk__in={layout for _, layout in series}).values_list("pk", "ports")
        layouts: dict[int, list[int]] = dict(rows)
        for number, (_, layout) in enumerate(series):
            own = rates_of(samples, number, len(layouts[layout]), edges)
            for place, port in enumerate(layouts[layout]):
                found.setdefault(port, own[:, :, place])
    return found


def rates_of(samples: DeviceSamples, number: int, width: int, edges: Floats) -> Floats:
    """One series, `width` ports: (directions, steps, ports) as in `binned_rates`."""
    chosen = samples.series == number
    end, seconds = samples.end[chosen], samples.seconds[chosen]
    times = np.maximum.accumulate(np.column_stack([end - seconds, end]).ravel())
    rates = np.full((len(DIRECTIONS), len(edges) - 1, width), np.nan)
    for place, direction in enumerate(DIRECTIONS):
        counted = samples.counters[f"{direction}_octets"]
        grown = np.zeros((len(end), width)) if counted is None else counted[chosen].astype(np.float64)
        for port in range(width):
            is_known = grown[:, port] >= 0
            octets = _between(edges, times, np.where(is_known, grown[:, port], 0.0))
            observed = _between(edges, times, np.where(is_known, seconds, 0.0))
            enough = observed >= _OBSERVED * np.diff(edges)
            rates[place, enough, port] = octets[enough] * 8 / observed[enough]
    return rates


def _between(edges: Floats, times: Floats, amounts: Floats) -> Floats:
    """Part of the amounts in each step; each belongs evenly to its own start and end in `times`."""
    total = np.cumsum(np.column_stack([np.zeros_like(amounts), amounts]).ravel())
    return np.diff(np.interp(edges, times, total)) if len(times) else np.zeros(len(edges) - 1)
