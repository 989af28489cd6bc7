"""Rates of all ports of a site as arrays, for lists that are sorted by one of them.

The samples are those that each process keeps (`current_samples`); `ports` has the same values of the rows of
a page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from django.db.models import QuerySet

from backstay.core.alerting.link_rates import Floats, Ints, NewestSamples
from backstay.inventory.models import Port, Site
from backstay.telemetry.rollups.arrays import fetch_columns, length, ragged
from backstay.telemetry.selectors.current_samples import newest_samples

_COLUMNS = "SELECT array_agg(id), array_agg(usable_rate) FROM ({rows}) AS known"


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
    columns = fetch_columns(_COLUMNS.format(rows=inner), known)
    size = np.array([length(columns[0][0])], np.int64)
    idents, usable = (ragged(fields, size, "int8", 0).astype(np.int64) for fields in columns)
    samples = newest_samples(site).samples
    places = samples.places(idents)
    if field in RATES:
        return idents, samples.taken(RATES[field](samples), places)
    capacity = np.where(usable > 0, usable, np.nan)
    return idents, np.asarray(samples.taken(SHARES[field](samples), places) / capacity)
