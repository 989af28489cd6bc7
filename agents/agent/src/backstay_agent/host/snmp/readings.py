"""A poll's values as arrays, in the order of the request."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from backstay_agent.host.snmp.values import Oid


class Readings(Mapping[Oid, int]):
    """Numbers of a device at one moment. As a mapping, it holds those that the device had.

    Comparing two of the same request costs no more than comparing their octets.
    """

    __slots__ = ("_places", "oids", "present", "values_")

    def __init__(self, oids: Sequence[Oid], values: NDArray[np.uint64], present: NDArray[np.bool_]) -> None:
        self.oids = oids
        self.values_ = values
        """One number per object, 0 if there is none."""
        self.present = present
        self._places: dict[Oid, int] | None = None

    @classmethod
    def of(cls, metrics: Mapping[Oid, int]) -> "Readings":
        """The readings of a mapping, in its order."""
        values = np.array(list(metrics.values()), dtype=np.uint64)
        return cls(tuple(metrics), values, np.ones(len(metrics), dtype=np.bool_))

    def __getitem__(self, oid: Oid) -> int:
        if self._places is None:
            self._places = {oid: place for place, oid in enumerate(self.oids) if self.present[place]}
        return int(self.values_[self._places[oid]])

    def number(self, place: int) -> int | None:
        """The value of the object at `place` of the request; None if the device has none."""
        return int(self.values_[place]) if self.present[place] else None

    def __iter__(self) -> Iterator[Oid]:
        return (oid for oid, present in zip(self.oids, self.present, strict=True) if present)

    def __len__(self) -> int:
        return int(self.present.sum())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Readings):
            return NotImplemented
        if self.oids is not other.oids and tuple(self.oids) != tuple(other.oids):
            return False
        return (
            self.values_.tobytes() == other.values_.tobytes()
            and self.present.tobytes() == other.present.tobytes()
        )

    __hash__ = None  # type: ignore[assignment]
