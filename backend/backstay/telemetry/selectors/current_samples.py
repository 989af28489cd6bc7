"""The newest sample of every port of a site as arrays; a statement with one row for each source of a device.

Each process keeps the arrays and reads only the devices that sampled since. Lists that are sorted by a rate
take `port_values` of all ports from them; `ports` has the same values of the rows of a page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import QuerySet

from backstay.core.alerting.link_rates import Flags, Floats, Ints, NewestSamples
from backstay.inventory.models import Port, Site
from backstay.telemetry.rollups.arrays import Field, fetch_columns, integers, length, ragged
from backstay.telemetry.row_cache import RecentSites, RowVersions, changed_rows, read_versions, version_sql

COUNTERS = tuple(
    f"{direction}_{name}"
    for name in ("octets", "packets", "errors", "discards", "peak")
    for direction in ("in", "out")
)
_USABLE_RATES = "SELECT array_agg(id), array_agg(usable_rate) FROM ({rows}) AS known"
_NEVER_ZERO = frozenset({"in_peak", "out_peak"})
"""NULL means that the source does not measure it; of other counters, that all are zero."""
_NEWEST = f"""
    SELECT (extract(epoch FROM latest.ts) * 1000000)::bigint, latest.duration_ns, layout.ports,
    latest.elsewhere, latest.node_id, {", ".join(f"latest.{name}" for name in COUNTERS)}
    FROM telemetry_latest AS latest
    JOIN inventory_node AS node ON node.id = latest.node_id
    JOIN telemetry_portlayout AS layout ON layout.id = latest.layout_id
    WHERE node.site_id = %(site)s AND cardinality(layout.ports) > 0
"""  # noqa: S608 - only constants of this module are put in
_OF_NODES = f"{_NEWEST} AND latest.node_id = ANY (%(nodes)s)"
# A stored sample is never changed: which of them are a device's newest says everything.
_SOURCES = f"""
    SELECT newest.node_id AS id, bit_xor({version_sql("newest", "layout")}) AS version
    FROM telemetry_newest AS newest
    JOIN inventory_node AS node ON node.id = newest.node_id
    JOIN telemetry_portlayout AS layout ON layout.id = newest.layout_id
    WHERE node.site_id = %(site)s GROUP BY newest.node_id
"""  # noqa: S608 - only names of tables are put in


@dataclass(frozen=True, slots=True)
class KnownSamples:
    """The samples of a site, the device of each, and the versions of all devices' sources."""

    versions: RowVersions
    node: Ints
    samples: NewestSamples


_recent: RecentSites[KnownSamples] = RecentSites()


def newest_samples(site: Site) -> KnownSamples:
    """Of every port of the site that was ever sampled and whose samples are still stored; two queries, one if
    no device sampled since the last call. The caller must not change the arrays: others share them."""
    versions, known = read_versions(_SOURCES, site.pk), _recent.get(site.pk)
    if known is not None and known.versions == versions:
        return known
    changed = changed_rows(None if known is None else known.versions, versions)
    if known is None or 2 * len(changed) > len(versions.id):
        node, samples = _read(_NEWEST, {"site": site.pk})
    else:
        node, samples = _read(_OF_NODES, {"site": site.pk, "nodes": changed.tolist()})
        stays = np.isin(known.node, np.setdiff1d(versions.id, changed, assume_unique=True))
        node, samples = _merged((known.node[stays], known.samples.at_places(stays)), (node, samples))
    found = KnownSamples(versions, node, samples)
    _recent.put(site.pk, found, len(node))
    return found


def _merged(one: tuple[Ints, NewestSamples], other: tuple[Ints, NewestSamples]) -> tuple[Ints, NewestSamples]:
    """The samples of different devices, ascending by port."""
    nodes, samples = np.concatenate([one[0], other[0]]), one[1].joined(other[1])
    order = np.argsort(samples.port, kind="stable")
    return nodes[order], samples.at_places(order)


def _read(statement: str, values: dict[str, object]) -> tuple[Ints, NewestSamples]:
    columns = fetch_columns(statement, values)
    sizes = np.array([length(field) for field in columns[2]], np.int64)
    ports = ragged(columns[2], sizes, "int8", 0)
    at = np.repeat(integers(columns[0]) / 1e6, sizes)
    seconds = np.repeat(integers(columns[1]) / 1e9, sizes)
    nodes = np.repeat(integers(columns[4]), sizes)
    counters = {
        name: _known(ragged(fields, sizes, "int8", -1 if name in _NEVER_ZERO else 0))
        for name, fields in zip(COUNTERS, columns[5:], strict=True)
    }
    kept = _kept(ports, at, columns[3], sizes)
    return nodes[kept], NewestSamples(ports, at, seconds, counters).at_places(kept)


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


def _bps(samples: NewestSamples, direction: str) -> Floats:
    return np.rint(samples.per_second(f"{direction}_octets") * 8)


def _higher(samples: NewestSamples) -> Floats:
    return np.fmax(_bps(samples, "in"), _bps(samples, "out"))


def _errors(samples: NewestSamples) -> Floats:
    """Of both directions, or of the one that is known."""
    both = samples.per_second("in_errors"), samples.per_second("out_errors")
    is_known = ~np.isnan(both[0]) | ~np.isnan(both[1])
    return np.where(is_known, np.nan_to_num(both[0]) + np.nan_to_num(both[1]), np.nan)


RATES: Mapping[str, Callable[[NewestSamples], Floats]] = {
    "in_bps": lambda samples: _bps(samples, "in"),
    "out_bps": lambda samples: _bps(samples, "out"),
    "errors": _errors,
}
SHARES: Mapping[str, Callable[[NewestSamples], Floats]] = {
    "in_utilisation": RATES["in_bps"],
    "out_utilisation": RATES["out_bps"],
    "utilisation": _higher,
}
"""Field -> rate that is a share of the port's usable rate."""
FIELDS = RATES.keys() | SHARES.keys()


def port_values(site: Site, rows: QuerySet[Port], field: str) -> tuple[Ints, Floats]:
    """Ids of rows of `described_ports`, and one of `FIELDS` of each; NaN: no value.

    As many queries as `newest_samples`, and one.
    """
    annotated: QuerySet[Any] = rows
    inner, known = annotated.order_by().values_list("id", "usable_rate").query.sql_with_params()
    columns = fetch_columns(_USABLE_RATES.format(rows=inner), known)
    size = np.array([length(columns[0][0])], np.int64)
    idents, usable = (ragged(fields, size, "int8", 0).astype(np.int64) for fields in columns)
    samples = newest_samples(site).samples
    places = samples.places(idents)
    if field in RATES:
        return idents, samples.taken(RATES[field](samples), places)
    capacity = np.where(usable > 0, usable, np.nan)
    return idents, np.asarray(samples.taken(SHARES[field](samples), places) / capacity)
