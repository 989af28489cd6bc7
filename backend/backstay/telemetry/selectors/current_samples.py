"""The newest sample of every port of a site as arrays; one statement, one row for each source of a device."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from backstay.core.alerting.link_rates import Flags, Floats, Ints, NewestSamples
from backstay.inventory.models import Site
from backstay.telemetry.rollups.arrays import Field, fetch_columns, integers, length, ragged

COUNTERS = tuple(
    f"{direction}_{name}"
    for name in ("octets", "packets", "errors", "discards", "peak")
    for direction in ("in", "out")
)
_NEVER_ZERO = frozenset({"in_peak", "out_peak"})
"""NULL means that the source does not measure it; of other counters, that all are zero."""
_NEWEST = f"""
    SELECT (extract(epoch FROM latest.ts) * 1000000)::bigint, latest.duration_ns, layout.ports,
    latest.elsewhere, {", ".join(f"latest.{name}" for name in COUNTERS)}
    FROM telemetry_latest AS latest
    JOIN inventory_node AS node ON node.id = latest.node_id
    JOIN telemetry_portlayout AS layout ON layout.id = latest.layout_id
    WHERE node.site_id = %(site)s AND cardinality(layout.ports) > 0
"""  # noqa: S608 - only constants of this module are put in


def newest_samples(site: Site) -> NewestSamples:
    """Of every port of the site that was ever sampled and whose samples are still stored."""
    columns = fetch_columns(_NEWEST, {"site": site.pk})
    sizes = np.array([length(field) for field in columns[2]], np.int64)
    ports = ragged(columns[2], sizes, "int8", 0)
    at = np.repeat(integers(columns[0]) / 1e6, sizes)
    seconds = np.repeat(integers(columns[1]) / 1e9, sizes)
    counters = {
        name: _known(ragged(fields, sizes, "int8", -1 if name in _NEVER_ZERO else 0))
        for name, fields in zip(COUNTERS, columns[4:], strict=True)
    }
    kept = _kept(ports, at, columns[3], sizes)
    return NewestSamples(
        ports[kept], at[kept], seconds[kept], {name: values[kept] for name, values in counters.items()}
    )


def _known(values: Ints) -> Floats:
    """A negative value: the source had none for the interval."""
    return np.where(values < 0, np.nan, values.astype(np.float64))


def _kept(ports: Ints, at: Floats, elsewhere: Sequence[Field], sizes: Ints) -> Ints:
    """Positions of each port's newest row, ascending by port, without ports shown from another source."""
    order = np.lexsort((at, ports))
    taken_elsewhere = _taken_elsewhere(ports, elsewhere, sizes)
    order = order[~taken_elsewhere[order]]
    ordered = ports[order]
    is_last = np.ones(len(order), np.bool_)
    is_last[:-1] = ordered[1:] != ordered[:-1]
    return np.asarray(order[is_last], np.int64)


def _taken_elsewhere(ports: Ints, elsewhere: Sequence[Field], sizes: Ints) -> Flags:
    """Whether each position is of a port that is shown from another source of its device."""
    found = np.zeros(len(ports), np.bool_)
    ends = np.cumsum(sizes)
    for row, field in enumerate(elsewhere):
        if number := length(field):  # Nearly always NULL.
            named = ragged([field], np.array([number]), "int8", 0)
            span = slice(int(ends[row] - sizes[row]), int(ends[row]))
            found[span] = np.isin(ports[span], named)
    return found
