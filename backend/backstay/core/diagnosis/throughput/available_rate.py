"""Available rate of a path: the narrowest place, with other traffic subtracted.

A hop's own rate and the traffic of others on it are separate values: a narrow hop is slow by itself, a busy
hop is as fast as the others.
"""

from __future__ import annotations

from dataclasses import dataclass

from backstay.core.model.throughput import Medium, PathHop
from backstay.core.model.throughput_kinds import Direction

SURPLUS = 1.05
"""A cell cannot exceed a limit by more than this factor; if it does, the declared limit is wrong."""
_NARROW = 0.9
"""A hop is narrow below this share of the rate of the ends' fabric."""
_NOTABLE = 0.01
"""Other traffic below this share of a place's rate is ignored."""


@dataclass(frozen=True, slots=True)
class Room:
    """The place with the least available rate; bit/s over all directions of the test."""

    usable: float
    """Rate of the place itself."""
    production: float
    """Other traffic on it."""
    hop: PathHop | None
    """None if only the path as a whole is known."""
    narrow: bool
    """Whether its rate is below that of the ends' fabric."""

    @property
    def left(self) -> float:
        """Rate that other traffic leaves."""
        return max(self.usable - self.production, 0.0)

    @property
    def busy(self) -> bool:
        """Whether other traffic takes a notable share."""
        return self.production >= _NOTABLE * self.usable

    def available(self, rate: float) -> float | None:
        """Rate that was available to a test that carried `rate`; None if the declared rate is wrong.

        If test and other traffic together exceed the place's rate, the other traffic is ignored as wrong.
        Other traffic is counted on the wire and the test in the programs, so `rate` may slightly exceed what
        is left.
        """
        if rate > SURPLUS * self.usable:
            return None
        if not self.fits(rate):
            return self.usable
        return max(self.left, rate) if self.production else self.usable

    def fits(self, rate: float) -> bool:
        """Whether the place can carry a test of this rate and the other traffic together."""
        return rate + self.production <= SURPLUS * self.usable


def room(medium: Medium, direction_count: int) -> Room | None:
    """The narrowest place for a test in one or both directions; None if no rate is known."""
    places = [_place(hop, hop.usable, medium, direction_count) for hop in medium.hops if hop.usable]
    if medium.usable:
        others = 0.0 if places else medium.production or 0.0
        places.append(Room(medium.usable * direction_count, others, None, narrow=False))
    return min(places, key=lambda place: place.left, default=None)


def direction_count(direction: Direction) -> int:
    """Number of directions that a rate includes."""
    return 2 if direction == "both" else 1


def _place(hop: PathHop, usable: float, medium: Medium, directions: int) -> Room:
    own = usable * (1 if hop.shared else directions)
    ends = medium.ends or medium.usable
    return Room(own, hop.production or 0.0, hop, narrow=ends is None or usable < _NARROW * ends)
