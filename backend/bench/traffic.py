"""Counter growth like that of a busy cluster's switches: random, skewed, and different on every port.

Compressibility determines both results of the ingest benchmark, so values are drawn per port: a mean load
(log-normal, most ports lightly used, some saturated), a new load in each interval, packet sizes between 200
and 1400 octets. No value stays zero for long or repeats.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

INTERVAL_S = 30
LINE_RATE = 10_000_000_000
"""bit/s"""
METRICS = ("in_octets", "out_octets", "in_packets", "out_packets")


@dataclass(frozen=True, slots=True)
class Traffic:
    """One interval's growth: an array (device, metric, port) of integers, metrics in the order of METRICS."""

    growth: NDArray[np.int64]

    def columns(self, device: int) -> dict[str, list[int]]:
        """One device's report columns."""
        return {name: self.growth[device, at].tolist() for at, name in enumerate(METRICS)}

    def columns_json(self, device: int) -> str:
        """The same as members of a JSON object."""
        return json.dumps(self.columns(device), separators=(",", ":"))[1:-1]


class Cluster:
    """Growth of a number of devices and ports; `interval` draws the next one."""

    def __init__(self, devices: int, ports: int, seed: int = 1) -> None:
        self._random = np.random.default_rng(seed)
        self._mean = self._random.lognormal(-4.0, 1.6, (devices, 2, ports))
        self._size = self._random.uniform(200, 1400, (devices, 2, ports))

    def interval(self) -> Traffic:
        """Growth of every port in the next interval."""
        load = np.minimum(self._mean * self._random.lognormal(0.0, 0.5, self._mean.shape), 1.0)
        octets = (load * LINE_RATE / 8 * INTERVAL_S).astype(np.int64)
        size = self._size * self._random.uniform(0.9, 1.1, self._size.shape)
        packets = (octets / size).astype(np.int64)
        return Traffic(np.concatenate([octets, packets], axis=1))
