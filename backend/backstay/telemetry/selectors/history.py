"""One port's samples over a time range, across all port layouts of its device."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from backstay.core.model.history import Bins, Floats, Samples, binned
from backstay.core.model.topology import Port
from backstay.inventory.sql import fetch_rows

RESET_OUTCOME = 2
"""`backstay_wire.DeltaOutcome.RESET`."""
MOST_SAMPLES = 1_000_000
_SAMPLES = """
    SELECT extract(epoch FROM sample.ts)::float8, sample.duration_ns / 1e9::float8,
           sample.in_octets[slot]::float8, sample.out_octets[slot]::float8,
           sample.in_peak[slot]::float8, sample.out_peak[slot]::float8,
           coalesce(sample.outcome[slot], 0)::float8
    FROM telemetry_samples AS sample
    JOIN telemetry_portlayout AS layout ON layout.id = sample.layout_id
    CROSS JOIN LATERAL array_position(layout.ports, %(port)s::bigint) AS slot
    WHERE sample.node_id = %(node)s AND sample.ts > %(start)s
      AND sample.ts <= %(end)s + make_interval(secs => %(interval)s) AND slot IS NOT NULL
    ORDER BY sample.ts
    LIMIT %(most)s
"""
_COUNTS = """
    SELECT port.id, count(*) FROM inventory_port AS port
    JOIN telemetry_samples AS sample ON sample.node_id = port.node_id
    JOIN telemetry_portlayout AS layout ON layout.id = sample.layout_id AND port.id = ANY(layout.ports)
    WHERE port.id = ANY(%s) AND sample.ts > %s AND sample.ts <= %s
    GROUP BY port.id
"""


def port_history(port: Port, start: datetime, end: datetime, *, points: int, interval_s: float) -> Bins:
    """The port's history in at most `points` + 1 bins (they are aligned, so both edges may be cut)."""
    known = {
        "node": port.node_id,
        "port": port.id,
        "start": start,
        "end": end,
        "interval": interval_s,
        "most": MOST_SAMPLES,
    }
    return binned(
        _samples(fetch_rows(_SAMPLES, known)), start.timestamp(), end.timestamp(), points, interval_s
    )


def best_measured(port_ids: list[int], start: datetime, end: datetime) -> int:
    """The port with the most samples in the range; the first if none has any."""
    counts: dict[int, int] = dict(fetch_rows(_COUNTS, [port_ids, start, end]))
    return max(port_ids, key=lambda port: counts.get(port, 0))


def _samples(rows: list[tuple[float, ...]]) -> Samples:
    table = np.array(rows, dtype=np.float64).reshape(len(rows), 7)
    return Samples(
        end=table[:, 0],
        seconds=table[:, 1],
        in_octets=_without_no_value(table[:, 2]),
        out_octets=_without_no_value(table[:, 3]),
        in_peak=_without_no_value(table[:, 4]),
        out_peak=_without_no_value(table[:, 5]),
        reset=table[:, 6] == RESET_OUTCOME,
    )


def _without_no_value(column: Floats) -> Floats:
    """Replace negative values, NO_VALUE of the wire format."""
    return np.where(column < 0, np.nan, column)
