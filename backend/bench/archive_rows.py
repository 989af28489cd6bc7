"""A site's nodes and a day of their samples in the database, for tests and `make bench-archive`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime

import numpy as np
from django.db import connection
from django.utils import timezone
from numpy.typing import NDArray

from backstay.inventory.models import Node, Port, Site
from backstay.telemetry import partitions
from backstay.telemetry.ingest import copybinary
from backstay.telemetry.ingest.store import COLUMNS
from backstay.telemetry.models import PortLayout

FIELDS = 16
BUSY = 0.75
"""Fraction of ports that are in use."""
MEMORY, SPREAD = 0.95, 0.5
"""Of the logarithm of a port's load: correlation of neighbouring intervals, and standard deviation."""


@dataclass(frozen=True, slots=True)
class SampledNode:
    """A node with its one layout."""

    node: int
    layout: int
    ports: list[int]


def make_nodes(site: str, nodes: int, ports: int) -> list[SampledNode]:
    """A site with this many nodes of this many ports; added to it if it exists."""
    row, _ = Site.objects.get_or_create(
        name=site, defaults={"title": site, "interval_s": 30, "imported_at": timezone.now()}
    )
    made = []
    for number in range(nodes):
        node = Node.objects.create(site=row, name=f"sw{number:04}-{ports}", kind="switch", role="switch")
        ids = [Port.objects.create(node=node, name=f"Ethernet1/{port}").pk for port in range(1, ports + 1)]
        layout = PortLayout.objects.create(node=node, digest=bytes(16), ports=ids)
        made.append(SampledNode(node.pk, layout.pk, ids))
    return made


def day_growth(
    ports: int, intervals: int, interval_s: int, seed: int, busy: float = BUSY
) -> NDArray[np.int64]:
    """(4, interval, port): in and out octets, in and out packets of one device's day.

    Loads are log-normal and correlated in time; mean loads as those of `bench.traffic`. Packets have 200 to
    1,400 octets.
    """
    random = np.random.default_rng(seed)
    mean = random.lognormal(-4.0, 1.6, (2, 1, ports)) * (random.random((1, 1, ports)) < busy)
    noise = random.normal(0.0, SPREAD * (1 - MEMORY**2) ** 0.5, (2, intervals, ports))
    noise[:, 0] = random.normal(0.0, SPREAD, (2, ports))
    for at in range(1, intervals):
        noise[:, at] += MEMORY * noise[:, at - 1]
    octets = (np.minimum(mean * np.exp(noise), 1.0) * 1.25e9 * interval_s).astype(np.int64)
    size = random.uniform(200, 1400, (2, 1, ports)) * random.uniform(0.95, 1.05, octets.shape)
    return np.concatenate([octets, (octets / size).astype(np.int64)])


def fill_day(
    day: date,
    nodes: list[SampledNode],
    *,
    interval_s: int = 30,
    start_s: int = 0,
    length_s: int = 86_400,
    busy: float = BUSY,
    seed: int = 0,
) -> int:
    """Samples of all nodes in a stretch of the day; the number of rows of the table.

    They grow as `day_growth` with a node's id and `seed` has it.
    """
    partitions.ensure_day(day)
    rows = 0
    for sampled in nodes:
        intervals = length_s // interval_s
        growth = day_growth(len(sampled.ports), intervals, interval_s, sampled.node + seed, busy)
        with (
            connection.cursor() as cursor,
            cursor.copy(f"COPY telemetry_samples ({COLUMNS}) FROM STDIN (FORMAT binary)") as copy,
        ):
            for piece in _rows(day, sampled, growth, interval_s, start_s):
                copy.write(piece)
        rows += intervals
    return rows


def _rows(
    day: date, sampled: SampledNode, growth: NDArray[np.int64], interval_s: int, start_s: int
) -> Iterator[bytes]:
    """Binary COPY; ends and durations vary by some milliseconds, as agents' do."""
    random = np.random.default_rng(sampled.node)
    midnight_us = int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * 1_000_000
    phase, jitter_us = random.integers(0, interval_s * 500_000), random.integers(0, 3000, growth.shape[1] + 1)
    yield copybinary.HEADER
    for at in range(growth.shape[1]):
        length_us = interval_s * 1_000_000 + int(jitter_us[at + 1] - jitter_us[at])
        yield copybinary.scalars(
            FIELDS,
            node=sampled.node,
            at_us=int(midnight_us + (start_s + at * interval_s) * 1_000_000 + phase + jitter_us[at + 1]),
            duration_ns=length_us * 1000,
            shift_ns=0,
            layout=sampled.layout,
        )
        yield b"".join(copybinary.int8_arrays([column.tolist() for column in growth[:, at]]))
        yield copybinary.NULL * (FIELDS - 5 - len(growth))
    yield copybinary.TRAILER
