"""Values of a site's rows, kept by each process and checked against PostgreSQL whenever they are used.

The version of a row is its place and the transaction that wrote it (`ctid`, `xmin`): every write of a row
changes it, and it becomes visible with the commit, in whatever order transactions commit. Nobody who writes
has to mark anything. Any number of processes may keep values of the same rows.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from backstay.telemetry.rollups.arrays import fetch_columns, length, ragged

MOST_ROWS = 200_000
"""Rows of all sites that a cache keeps; the sites that were read longest ago are dropped."""
Ints = NDArray[np.int64]
Value = TypeVar("Value")
Kept = TypeVar("Kept")


def version_sql(*rows: str) -> str:
    """SQL of the version of joined rows, given their names; a missing row has one as well."""
    parts = (
        f"coalesce(hashtidextended({row}.ctid, {row}.xmin::text::bigint + {place << 40}), {place})"
        for place, row in enumerate(rows)
    )
    return " # ".join(parts)


@dataclass(frozen=True, slots=True, eq=False)
class RowVersions:
    """Versions of rows, ascending by id."""

    id: Ints
    version: Ints

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RowVersions):
            return NotImplemented
        return np.array_equal(self.id, other.id) and np.array_equal(self.version, other.version)

    __hash__ = None  # type: ignore[assignment]

    def digest(self) -> bytes:
        """Equal for equal rows, in every process."""
        return hashlib.blake2b(self.id.tobytes() + self.version.tobytes(), digest_size=16).digest()


def read_versions(statement: str, site_id: int) -> RowVersions:
    """Run a statement of `(id, version)` for `%(site)s`, which may repeat rows; one query."""
    whole = f"SELECT array_agg(id), array_agg(version) FROM ({statement}) AS known"  # noqa: S608
    columns = fetch_columns(whole, {"site": site_id})
    size = np.array([length(columns[0][0])], np.int64)
    ids, versions = (ragged(fields, size, "int8", 0).astype(np.int64) for fields in columns)
    unique, places = np.unique(ids, return_index=True)
    return RowVersions(unique, versions[places])


class RecentSites(Generic[Value]):
    """What a process keeps of the sites that it used last: at most `MOST_ROWS` rows of all of them."""

    _all: ClassVar[list[RecentSites[Any]]] = []

    def __init__(self) -> None:
        self._all.append(self)
        self._known: OrderedDict[int, tuple[Value, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, site_id: int) -> Value | None:
        with self._lock:
            found = self._known.get(site_id)
        return None if found is None else found[0]

    def exchange(self, known: OrderedDict[int, tuple[Value, int]]) -> OrderedDict[int, tuple[Value, int]]:
        """Keep this instead; what was kept."""
        with self._lock:
            before, self._known = self._known, known
        return before

    def put(self, site_id: int, value: Value, rows: int) -> None:
        """Keep a value that consists of so many rows."""
        with self._lock:
            self._known[site_id] = (value, rows)
            self._known.move_to_end(site_id)
            while len(self._known) > 1 and sum(size for _, size in self._known.values()) > MOST_ROWS:
                self._known.popitem(last=False)

    def drop(self, site_id: int) -> None:
        """Forget what is kept of a site."""
        with self._lock:
            self._known.pop(site_id, None)


@dataclass(frozen=True)
class Rows(Generic[Value]):
    """A site's rows. Callers must not change the dictionaries: others share them."""

    epoch: int
    versions: RowVersions
    values: dict[int, Value]
    """Row id -> value, ascending by id."""
    packed: dict[int, bytes]
    """Row id -> value in bytes, in the same order; empty without `pack`."""

    @cached_property
    def digest(self) -> bytes:
        """Equal for equal values, in every process; only with `pack`."""
        ids = np.fromiter(self.packed, np.int64, len(self.packed))
        return hashlib.blake2b(ids.tobytes() + b"".join(self.packed.values()), digest_size=16).digest()


@contextmanager
def new_process() -> Iterator[None]:
    """For tests: nothing is kept in the block; afterwards it is what was kept before."""
    kept = [(recent, recent.exchange(OrderedDict())) for recent in RecentSites._all]
    try:
        yield
    finally:
        for recent, known in kept:
            recent.exchange(known)


class RowCache(Generic[Value]):
    """`read(site id, row ids)` returns the values of rows; a row without a value is left out.

    `pack`: a value in bytes, always as many.
    """

    def __init__(
        self,
        statement: str,
        read: Callable[[int, Sequence[int]], Mapping[int, Value]],
        pack: Callable[[Value], bytes] | None = None,
    ) -> None:
        self._statement, self._read, self._pack = statement, read, pack
        self._recent: RecentSites[Rows[Value]] = RecentSites()

    def rows(self, site_id: int, epoch: int = 0) -> Rows[Value]:
        """As committed now; two queries, one if nothing changed.

        `epoch`: the version of everything else that values depend on; all are read when it changes. A value
        is at least as new as the version it is kept by, so that no change is missed.
        """
        versions = read_versions(self._statement, site_id)
        known = self._recent.get(site_id)
        known = None if known is None or known.epoch != epoch else known
        if known is not None and known.versions == versions:
            return known
        found = self._refreshed(site_id, epoch, known, versions)
        self._recent.put(site_id, found, len(found.values))
        return found

    def _refreshed(
        self, site_id: int, epoch: int, known: Rows[Value] | None, versions: RowVersions
    ) -> Rows[Value]:
        changed = changed_rows(None if known is None else known.versions, versions)
        fresh = self._read(site_id, changed.tolist()) if len(changed) else {}
        packed = {} if self._pack is None else {row: self._pack(value) for row, value in fresh.items()}
        if known is None:
            order = [row for row in versions.id.tolist() if row in fresh]
            return Rows(epoch, versions, _ordered(order, fresh), _ordered(order, packed))
        gone = {*changed.tolist(), *np.setdiff1d(known.versions.id, versions.id, assume_unique=True).tolist()}
        stays = [row for row in known.values if row not in gone]
        order = sorted([*stays, *fresh])
        return Rows(
            epoch,
            versions,
            _ordered(order, {**known.values, **fresh}),
            _ordered(order, {**known.packed, **packed}),
        )


def _ordered(order: Sequence[int], values: Mapping[int, Kept]) -> dict[int, Kept]:
    return {row: values[row] for row in order} if values else {}


def changed_rows(before: RowVersions | None, now: RowVersions) -> Ints:
    """Ids of rows that are new or differ, ascending."""
    if before is None or not len(before.id):
        return now.id
    places = np.minimum(np.searchsorted(before.id, now.id), len(before.id) - 1)
    is_same = (before.id[places] == now.id) & (before.version[places] == now.version)
    return np.asarray(now.id[~is_same], np.int64)
