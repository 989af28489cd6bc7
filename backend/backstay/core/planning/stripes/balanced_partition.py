"""Distribute sizes over bins of given capacity, and rebalance with few moves."""

from __future__ import annotations

from collections.abc import Sequence

_MOST_MOVES = 4
"""Per size; each move lowers the sum of squares, so this only bounds the time."""


def quotas(many: int, capacities: Sequence[float]) -> list[int]:
    """`many` items in proportion to the capacities, by largest remainder; ties to the first."""
    total = sum(capacities)
    shares = [many * capacity / total if total else many / len(capacities) for capacity in capacities]
    found = [int(share) for share in shares]
    spare = sorted(range(len(shares)), key=lambda at: (found[at] - shares[at], at))
    for at in spare[: many - sum(found)]:
        found[at] += 1
    return found


class Bins:
    """The bin of each size; bins of capacity 0 stay empty while another bin has capacity."""

    def __init__(self, sizes: Sequence[int], capacities: Sequence[float]) -> None:
        self.sizes = list(sizes)
        self.where: list[int | None] = [None] * len(sizes)
        usable = any(capacities)
        self._capacity = [capacity if usable else 1.0 for capacity in capacities]
        self._full = [0] * len(capacities)

    def put(self, at: int, place: int) -> None:
        """Put a size into a bin, removing it from its current bin."""
        before = self.where[at]
        if before is not None:
            self._full[before] -= self.sizes[at]
        self.where[at] = place
        self._full[place] += self.sizes[at]

    def left(self) -> list[int]:
        """Sizes that are in no bin yet."""
        return [at for at, place in enumerate(self.where) if place is None]

    def emptiest(self, size: int) -> int:
        """The bin that is least full after adding `size`."""
        return min(range(len(self._full)), key=lambda place: (self._fullness(place, size), place))

    def room(self, many: int) -> list[int]:
        """Number of equal items that each bin receives so that all are even in the end."""
        count = [self.where.count(place) for place in range(len(self._full))]
        open_bins = list(range(len(count)))
        while True:
            inside = sum(count[place] for place in open_bins)
            share = quotas(many + inside, [self._capacity[place] for place in open_bins])
            over = [place for place, want in zip(open_bins, share, strict=True) if want < count[place]]
            if not over:
                break
            open_bins = [place for place in open_bins if place not in over]
        wanted = dict(zip(open_bins, share, strict=True))
        return [wanted.get(place, count[place]) - count[place] for place in range(len(count))]

    def even_out(self, settled: float) -> None:
        """Move or exchange from the fullest bin to the emptiest while the imbalance exceeds `settled`."""
        for _ in range(_MOST_MOVES * len(self.sizes)):
            if self.imbalance() <= settled or not self._step():
                return

    def imbalance(self) -> float:
        """The fullest bin over the mean, minus 1; bins of capacity 0 do not count."""
        places = [place for place, item in enumerate(self._capacity) if item]
        mean = sum(self._full) / sum(self._capacity)
        return max(self._fullness(place) for place in places) / mean - 1 if mean else 0.0

    def _fullness(self, place: int, more: int = 0) -> float:
        capacity = self._capacity[place]
        return (self._full[place] + more) / capacity if capacity else float("inf")

    def _step(self) -> bool:
        places = range(len(self._full))
        usable = [place for place in places if self._capacity[place]]
        fullest = max(usable, key=lambda place: (self._fullness(place), -place))
        emptiest = min(usable, key=lambda place: (self._fullness(place), place))
        if fullest == emptiest:
            return False
        best = self._best_exchange(fullest, emptiest)
        if best is None:
            return False
        give, take = best
        self.put(give, emptiest)
        if take is not None:
            self.put(take, fullest)
        return True

    def _best_exchange(self, source: int, sink: int) -> tuple[int, int | None] | None:
        """The move, otherwise the exchange, that lowers the sum of squares most; a move changes
        fewer units.
        """
        inside = [at for at, place in enumerate(self.where) if place == source and self.sizes[at]]
        moves = [(self._gain(self.sizes[at], source, sink), -at) for at in inside]
        gain, at = max(moves, default=(0.0, 0))
        if gain > 0:
            return -at, None
        beyond = [at for at, place in enumerate(self.where) if place == sink]
        sizes_there = {self.sizes[at]: at for at in reversed(beyond)}
        swaps = [
            (self._gain(self.sizes[at] - size, source, sink), -at, -other)
            for at in inside
            for size, other in sizes_there.items()
            if self.sizes[at] > size
        ]
        gain, at, other = max(swaps, default=(0.0, 0, 0))
        return (-at, -other) if gain > 0 else None

    def _gain(self, size: int, source: int, sink: int) -> float:
        """Half of the decrease of the sum of size squared over capacity."""
        down = (self._full[source] - size / 2) / self._capacity[source]
        up = (self._full[sink] + size / 2) / self._capacity[sink]
        gain = size * (down - up)
        return gain if gain > 1e-9 * size else 0.0
