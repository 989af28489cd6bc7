"""Rates of all ports and link directions of a site at once, as arrays: 50,000 ports in a few milliseconds.

The same rates as `core.model.load.link_loads` computes of one link: the end that reported last counts.
Arrays of directions have the shape (2, links): forward, then back. NaN: no value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from backstay.core.model.freshness import max_age_s
from backstay.core.model.load import Load
from backstay.core.model.topology import Topology

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
NO_PORT = -1
DIRECTIONS = ("forward", "back")
_TINY_S = 1e-9


@dataclass(frozen=True, slots=True)
class NewestSamples:
    """The newest sample of each port, ascending by port id: parallel arrays."""

    port: Ints
    at: Floats
    """End of the interval, Unix seconds."""
    seconds: Floats
    counters: Mapping[str, Floats]
    """`in_octets` and so on -> growth in the interval; of `in_peak`: octets of the busiest second."""

    def at_places(self, places: Ints | Flags) -> NewestSamples:
        """Those at positions, in their order."""
        counters = {name: values[places] for name, values in self.counters.items()}
        return NewestSamples(self.port[places], self.at[places], self.seconds[places], counters)

    def joined(self, other: NewestSamples) -> NewestSamples:
        """These, then others; not in order."""
        counters = {
            name: np.concatenate([values, other.counters[name]]) for name, values in self.counters.items()
        }
        return NewestSamples(
            np.concatenate([self.port, other.port]),
            np.concatenate([self.at, other.at]),
            np.concatenate([self.seconds, other.seconds]),
            counters,
        )

    def places(self, ports: Ints) -> Ints:
        """Positions of these ports; -1: it has no sample."""
        if not len(self.port):
            return np.full(len(ports), NO_PORT)
        found = np.minimum(np.searchsorted(self.port, ports), len(self.port) - 1)
        return np.where(self.port[found] == ports, found, NO_PORT)

    def taken(self, values: Floats, places: Ints) -> Floats:
        """Values at positions; NaN at -1."""
        if not len(values):
            return np.full(len(places), np.nan)
        return np.where(places >= 0, values[places], np.nan)

    def per_second(self, name: str) -> Floats:
        """Growth of a counter per second."""
        return np.asarray(self.counters[name] / np.maximum(self.seconds, _TINY_S))

    def rate(self, port: int, direction: str) -> tuple[int, datetime] | None:
        """Mean rate of one port in bit/s, and the end of its interval; None: no value."""
        place = int(self.places(np.array([port], np.int64))[0])
        octets = np.nan if place == NO_PORT else self.counters[f"{direction}_octets"][place]
        if np.isnan(octets):
            return None
        bps = round(float(octets) * 8 / max(float(self.seconds[place]), _TINY_S))
        return bps, datetime.fromtimestamp(float(self.at[place]), UTC)

    def is_fresh(self, now: datetime, interval_s: float) -> Flags:
        """Whether each sample is current, as `core.model.freshness.is_fresh`."""
        return np.asarray(now.timestamp() - self.at <= max_age_s(interval_s))


@dataclass(frozen=True, slots=True)
class LinkTable:
    """The links of a topology in its order: parallel arrays."""

    id: Ints
    a: Ints
    b: Ints
    """Port ids; b: -1 of a shared medium."""
    usable: Floats
    """bit/s; 0: unknown."""

    @classmethod
    def of(cls, topology: Topology) -> LinkTable:
        """From the values of a site."""
        links = list(topology.links.values())
        rates = {fabric.id: fabric.usable_rate for fabric in topology.fabrics.values()}
        return cls(
            np.array([link.id for link in links], np.int64),
            np.array([link.a for link in links], np.int64),
            np.array([NO_PORT if link.b is None else link.b for link in links], np.int64),
            np.array([rates[link.fabric_id] for link in links], np.float64),
        )


@dataclass(frozen=True, slots=True)
class PortNodes:
    """The ports of a topology with their nodes, ascending by id: parallel arrays."""

    id: Ints
    node: Ints

    @classmethod
    def of(cls, topology: Topology) -> PortNodes:
        """From the values of a site."""
        idents = np.fromiter(topology.ports, np.int64, len(topology.ports))
        ports = topology.ports.values()
        nodes = np.fromiter((port.node_id for port in ports), np.int64, len(topology.ports))
        order = np.argsort(idents)
        return cls(idents[order], nodes[order])

    def nodes_of(self, ports: Ints) -> Ints:
        """The node of each port; -1: there is no such port."""
        if not len(self.id):
            return np.full(len(ports), NO_PORT)
        places = np.minimum(np.searchsorted(self.id, ports), len(self.id) - 1)
        return np.where(self.id[places] == ports, self.node[places], NO_PORT)


@dataclass(frozen=True, slots=True)
class LinkRates:
    """The loads of all links, by position in the link table."""

    bps: Floats
    peak_bps: Floats
    """In the busiest second of the interval; NaN: not measured."""
    at: Floats
    used: Floats
    """Share of the usable rate, to four digits; NaN: no value, or the usable rate is unknown."""
    used_peak: Floats
    fresh: Flags
    has_capacity: Flags
    """By link."""

    def load(self, direction: int, place: int) -> Load | None:
        """One direction as a value; None: no end reports it."""
        at = (direction, place)
        if np.isnan(self.bps[at]):
            return None
        peak = self.peak_bps[at]
        return Load(
            bps=int(self.bps[at]),
            utilisation=0.0 if np.isnan(self.used[at]) else float(self.used[at]),
            peak_bps=None if np.isnan(peak) else int(peak),
            at=datetime.fromtimestamp(float(self.at[at]), UTC),
            fresh=bool(self.fresh[at]),
        )

    def loads(self, direction: int) -> list[Load | None]:
        """As `load`, of every link; links that share an interval share its time."""
        nothing = np.isnan(self.bps[direction])
        used = np.nan_to_num(self.used[direction], nan=0.0).tolist()
        bps = np.nan_to_num(self.bps[direction], nan=0.0).astype(np.int64).tolist()
        peaks = self.peak_bps[direction]
        peak_bps = [None if peak != peak else int(peak) for peak in peaks.tolist()]  # noqa: PLR0124 - NaN
        ends, places = np.unique(np.nan_to_num(self.at[direction], nan=0.0), return_inverse=True)
        at = [datetime.fromtimestamp(end, UTC) for end in ends.tolist()]
        fresh = self.fresh[direction].tolist()
        rows = zip(nothing.tolist(), bps, used, peak_bps, places.tolist(), fresh, strict=True)
        return [
            None if is_unknown else Load(rate, share, peak, at[place], is_fresh)
            for is_unknown, rate, share, peak, place, is_fresh in rows
        ]


def link_rates(table: LinkTable, samples: NewestSamples, now: datetime, interval_s: float) -> LinkRates:
    """Rates of every link in both directions from the newest samples of its ports."""
    ends = [samples.places(table.a), samples.places(table.b)]
    at = [samples.taken(samples.at, places) for places in ends]
    sent, received = (np.rint(samples.per_second(f"{direction}_octets") * 8) for direction in ("out", "in"))
    sent_peak, received_peak = (samples.counters[f"{direction}_peak"] * 8 for direction in ("out", "in"))
    found = []
    for by_a, by_b in (
        ((sent, sent_peak), (received, received_peak)),
        ((received, received_peak), (sent, sent_peak)),
    ):
        rates = [samples.taken(by_a[0], ends[0]), samples.taken(by_b[0], ends[1])]
        peaks = [samples.taken(by_a[1], ends[0]), samples.taken(by_b[1], ends[1])]
        takes_b = ~np.isnan(rates[1]) & (np.isnan(rates[0]) | (at[1] > at[0]))
        found.append([np.where(takes_b, pair[1], pair[0]) for pair in (rates, peaks, at)])
    bps, peak_bps, ended = (np.stack([direction[number] for direction in found]) for number in range(3))
    has_capacity = table.usable > 0
    capacity = np.where(has_capacity, table.usable, np.nan)
    return LinkRates(
        bps,
        peak_bps,
        ended,
        np.round(bps / capacity, 4),
        np.round(peak_bps / capacity, 4),
        ~np.isnan(bps) & (now.timestamp() - ended <= max_age_s(interval_s)),
        has_capacity,
    )


@dataclass(frozen=True, slots=True)
class HighLoad:
    """One direction of a link whose load is current and high."""

    link: int
    direction: int
    """Index of `DIRECTIONS`."""
    load: Load


@dataclass(frozen=True, slots=True)
class LoadSummary:
    """What is worth naming of the loads of all links."""

    busiest: tuple[int, ...]
    """Ids of the links with the highest current utilisation of either direction."""
    high: tuple[HighLoad, ...]
    """The highest first."""
    measured_at: datetime | None
    """End of the newest interval of any link."""
    links: int
    measured: int
    """Links with a current load."""


def load_summary(table: LinkTable, rates: LinkRates, busiest: int, high: float) -> LoadSummary:
    """Of all links; `busiest`: number of links, `high`: least utilisation of `LoadSummary.high`."""
    used = np.where(rates.fresh, np.nan_to_num(rates.used, nan=0.0), -1.0)
    most = used.max(axis=0, initial=-1.0)
    known = np.flatnonzero(most >= 0)
    order = known[np.lexsort((table.id[known], -most[known]))[:busiest]]
    places = np.argwhere(high <= used.T)
    found = [(int(direction), int(place), rates.load(direction, place)) for place, direction in places]
    loads = [HighLoad(int(table.id[place]), direction, load) for direction, place, load in found if load]
    at = rates.at[~np.isnan(rates.bps)]
    return LoadSummary(
        busiest=tuple(int(link) for link in table.id[order]),
        high=tuple(sorted(loads, key=lambda item: (-item.load.utilisation, item.link))),
        measured_at=datetime.fromtimestamp(float(at.max()), UTC) if len(at) else None,
        links=len(table.id),
        measured=int(rates.fresh.any(axis=0).sum()),
    )
