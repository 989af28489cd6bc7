"""Daily loads of link directions, from the roll-ups of 1 day.

The value of a day is the 95th percentile of its 5-minute means: the load that is exceeded for 72 minutes. The
roll-ups hold it, so that half a year is 182 short rows of each device.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta

import numpy as np
from numpy.typing import NDArray

from backstay.core.model.history import Floats
from backstay.core.model.topology import Link, Topology
from backstay.core.rollups.bins import Ints
from backstay.core.rollups.levels import DAY_S
from backstay.telemetry.models import PortLayout
from backstay.telemetry.rollups.arrays import Kind, decoded, fetch_columns, integers, length
from backstay.telemetry.selectors.loads import port_ids

LEAST_OBSERVED = 0.5
"""Part of a day that must be observed."""
_DAYS = """
    SELECT past.layout_id, (extract(epoch FROM past.at) * 1000000)::bigint, past.seconds,
           past.in_missing, past.in_p95, past.out_missing, past.out_p95
    FROM telemetry_rollup_1d AS past
    WHERE past.node_id = ANY (%(nodes)s) AND past.at >= %(start)s AND past.at < %(end)s
"""


def day_loads(topology: Topology, links: Sequence[Link], first: date, days: int) -> Floats:
    """bit/s of these links, (links, 2, days) from `first` on (UTC), forward and back; NaN: unknown.

    What end a measures, else end b. One query, and one of layouts.
    """
    wanted = np.array(sorted(port_ids(links)), np.int64)
    nodes = {topology.ports[port].node_id for port in wanted.tolist()}
    loads = _port_loads(nodes, wanted, first, days)
    unknown = np.full((2, days), np.nan)
    place = {port: loads[number] for number, port in enumerate(wanted.tolist())}
    found = np.empty((len(links), 2, days))
    for number, link in enumerate(links):
        a, b = place[link.a], unknown if link.b is None else place[link.b]
        # Forward is out of a and into b.
        found[number] = np.where(np.isnan(a[::-1]), b, a[::-1])
    return found


def _port_loads(nodes: Collection[int], wanted: Ints, first: date, days: int) -> Floats:
    """(ports, 2, days), in and out. Several layouts of a device in one day, after a change of its ports, are
    one."""
    loads, seconds = np.full((len(wanted) * days, 2), np.nan), np.zeros((len(wanted) * days, 2))
    for ports, day, observed, p95 in _day_rows(nodes, first, days):
        place = np.minimum(np.searchsorted(wanted, ports), len(wanted) - 1)
        row, slot = np.nonzero(wanted[place] == ports)
        chosen = place[row, slot] * days + day[row]
        np.fmax.at(loads, chosen, p95[row, slot])
        np.add.at(seconds, chosen, observed[row, slot])
    loads[seconds < LEAST_OBSERVED * DAY_S] = np.nan
    return loads.reshape(len(wanted), days, 2).transpose(0, 2, 1)


def _day_rows(nodes: Collection[int], first: date, days: int) -> Iterator[tuple[Ints, Ints, Floats, Floats]]:
    """Groups of rows with equally many ports: ports (rows, ports), days (rows,), observed seconds and p95
    (rows, ports, 2)."""
    start = datetime.combine(first, time(), UTC)
    values = {"nodes": list(nodes), "start": start, "end": start + timedelta(days=days)}
    columns = fetch_columns(_DAYS, values)
    layouts = integers(columns[0])
    ports = dict(PortLayout.objects.filter(pk__in=set(layouts.tolist())).values_list("pk", "ports"))
    day = np.round((integers(columns[1]) / 1e6 - start.timestamp()) / DAY_S).astype(np.int64)
    widths = np.array([length(field) for field in columns[4]], np.int64)
    for width in np.unique(widths[widths > 0]).tolist():
        rows = np.nonzero(widths == width)[0].tolist()

        def column(number: int, width: int, kind: Kind, rows: list[int] = rows) -> NDArray[np.float64]:
            fields = [columns[number][row] for row in rows]
            return decoded(fields, width, kind, 0).astype(np.float64)

        observed = [column(2, 1, "double") - column(number, width, "real") for number in (3, 5)]
        p95 = [column(number, width, "real") for number in (4, 6)]
        named = np.array([ports[layout] for layout in layouts[rows].tolist()], np.int64)
        yield named, day[rows], np.stack(observed, axis=-1), np.stack(p95, axis=-1)
