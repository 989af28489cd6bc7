"""How often a limit would have opened an incident: hysteresis over many series of bins at once. Pure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backstay.core.alerting.link_rates import Flags, Floats, Ints


class OpeningCounter:
    """Counts openings of many series; bins come in consecutive parts.

    A series opens after `needed` bins in a row above its raising limit, and resolves after as many below its
    clearing one. A bin without a value (NaN) changes nothing, as stale data in rounds. `needed`: at least 1.
    """

    def __init__(self, raise_at: Floats, clear_at: Floats, needed: Ints, *, above: bool = True) -> None:
        self._sign = 1.0 if above else -1.0
        self._raise_at, self._clear_at, self._needed = self._sign * raise_at, self._sign * clear_at, needed
        self._bad, self._good = np.zeros(len(raise_at), np.int64), np.zeros(len(raise_at), np.int64)
        self._is_open: Flags = np.zeros(len(raise_at), np.bool_)
        self.opened: Ints = np.zeros(len(raise_at), np.int64)
        """By series."""

    def add(self, values: NDArray[np.float64]) -> None:
        """The next bins: (series, bins)."""
        for column in (self._sign * values).T:
            known = ~np.isnan(column)
            over, under = known & (column >= self._raise_at), known & (column < self._clear_at)
            self._bad = np.where(known, np.where(over, self._bad + 1, 0), self._bad)
            self._good = np.where(known, np.where(under, self._good + 1, 0), self._good)
            opens = ~self._is_open & (self._bad >= self._needed)
            resolves = self._is_open & (self._good >= self._needed)
            self.opened += opens
            self._is_open = (self._is_open | opens) & ~resolves
            self._bad[opens], self._good[opens] = 0, 0
