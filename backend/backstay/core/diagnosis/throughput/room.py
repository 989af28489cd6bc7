"""What a path has left for a test: the narrowest place, counted with others' traffic on it.

A hop's own rate and what others take of it are kept apart: a narrow hop is one that is slow by itself, a
busy one is as fast as the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

from backstay.core.model.throughput import Direction, Hop, Medium

SURPLUS = 1.05
"""More than this much of a limit cannot have come: then the limit is not what it was told to be."""
_NARROW = 0.9
"""Of what the ends' fabric carries: below this a hop is slow by itself."""
_NOTABLE = 0.01
"""Of a place's own rate: others' traffic below this is not worth a word."""


@dataclass(frozen=True, slots=True)
class Room:
    """The place with the least left, bit/s of all directions that the test uses together."""

    usable: float
    """Its own rate."""
    production: float
    """Others' traffic on it."""
    hop: Hop | None
    """None: only the way as a whole is known."""
    narrow: bool
    """Its own rate is below that of the ends' fabric."""

    @property
    def left(self) -> float:
        """What others leave."""
        return max(self.usable - self.production, 0.0)

    @property
    def busy(self) -> bool:
        """Whether others take a notable part."""
        return self.production >= _NOTABLE * self.usable

    def available(self, rate: float) -> float | None:
        """What there was for a test that carried `rate`; None: its own rate is not what it was told to be.

        Where both together are more than the place carries, others' traffic is not believed. Others' share is
        counted on the wire and ours in the programs, so what came may be a little more than was left.
        """
        if rate > SURPLUS * self.usable:
            return None
        if not self.fits(rate):
            return self.usable
        return max(self.left, rate) if self.production else self.usable

    def fits(self, rate: float) -> bool:
        """Whether a test of this rate and others' traffic have room side by side."""
        return rate + self.production <= SURPLUS * self.usable


def room(medium: Medium, direction_count: int) -> Room | None:
    """The narrowest place for a test that uses one or both directions; None: no rate is known."""
    places = [_place(hop, hop.usable, medium, direction_count) for hop in medium.hops if hop.usable]
    if medium.usable:
        others = 0.0 if places else medium.production or 0.0
        places.append(Room(medium.usable * direction_count, others, None, narrow=False))
    return min(places, key=lambda place: place.left, default=None)


def direction_count(direction: Direction) -> int:
    """Directions that a rate is the sum of."""
    return 2 if direction == "both" else 1


def _place(hop: Hop, usable: float, medium: Medium, directions: int) -> Room:
    own = usable * (1 if hop.shared else directions)
    ends = medium.ends or medium.usable
    return Room(own, hop.production or 0.0, hop, narrow=ends is None or usable < _NARROW * ends)
