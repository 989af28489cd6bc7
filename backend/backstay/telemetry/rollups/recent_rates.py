"""Mean rates of all ports of devices over the last minute."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from backstay.core.alerting.link_rates import Floats
from backstay.core.rollups.bins import DIRECTIONS, DeviceSamples
from backstay.telemetry.models import PortLayout
from backstay.telemetry.rollups.store import Series, read_samples

WINDOW_S = 60.0
_COLUMNS = tuple(f"{direction}_{name}" for name in ("octets", "packets") for direction in DIRECTIONS)


@dataclass(frozen=True, slots=True)
class RecentRates:
    """Means of one port; None: no sample of the window has a value."""

    in_bps: int | None
    out_bps: int | None
    in_pps: float | None
    out_pps: float | None


def recent_rates(groups_of_nodes: Iterable[Collection[int]], now: datetime) -> dict[int, RecentRates]:
    """Port id -> means of the samples that ended in the last minute; a port without one is missing.

    One statement for each group of devices.
    """
    end = now.timestamp()
    found: dict[int, RecentRates] = {}
    for nodes in groups_of_nodes:
        groups = list(read_samples(nodes, end - WINDOW_S, end))
        layouts = _layouts(layout for series, _ in groups for _, layout in series)
        sums: dict[int, Floats] = {}
        for series, samples in groups:
            _add(sums, series, samples, layouts)
        found.update((port, _rates(sum_)) for port, sum_ in sums.items())
    return found


def _layouts(wanted: Iterable[int]) -> dict[int, list[int]]:
    return dict(PortLayout.objects.filter(pk__in=set(wanted)).values_list("pk", "ports"))


def _add(
    sums: dict[int, Floats],
    series: Collection[Series],
    samples: DeviceSamples,
    layouts: Mapping[int, list[int]],
) -> None:
    """Add growth and seconds by port: (columns, 2). A port that two sources measure has the mean of both."""
    ports = np.array([layouts[layout] for _, layout in series], np.int64)
    totals = np.zeros((len(_COLUMNS), 2, *ports.shape))
    for place, name in enumerate(_COLUMNS):
        counted = samples.counters[name]
        grown = np.zeros((len(samples.end), ports.shape[1])) if counted is None else counted
        is_known = grown >= 0
        np.add.at(totals[place, 0], samples.series, np.where(is_known, grown, 0))
        np.add.at(totals[place, 1], samples.series, np.where(is_known, samples.seconds[:, None], 0.0))
    for place, port in enumerate(ports.ravel().tolist()):
        own = totals.reshape(len(_COLUMNS), 2, -1)[:, :, place]
        sums[port] = sums[port] + own if port in sums else own


def _rates(sums: Floats) -> RecentRates:
    in_octets, out_octets, in_packets, out_packets = (
        None if seconds <= 0 else float(grown / seconds) for grown, seconds in sums.tolist()
    )
    return RecentRates(_bps(in_octets), _bps(out_octets), in_packets, out_packets)


def _bps(octets_per_s: float | None) -> int | None:
    return None if octets_per_s is None else round(octets_per_s * 8)
