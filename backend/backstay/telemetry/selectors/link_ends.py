"""Current state of ports and the rates of their newest sample, in one statement.

`telemetry_latest` holds one row per source of a device with one array per metric. A port's index in the
arrays is its slot in the row's port layout; `elsewhere` lists ports taken from another source. A negative
value means that the source had none for that interval.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import nan
from struct import pack
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backstay.core.model.load import PortRates
from backstay.inventory.models import Site
from backstay.inventory.sql import fetch_rows
from backstay.telemetry.rollups.arrays import fetch_columns, length, ragged
from backstay.telemetry.row_cache import RowCache, Rows, version_sql

_ENDS = """
    SELECT port.id, state.oper_up, state.admin_up, extract(epoch FROM state.since)::float8,
           extract(epoch FROM newest.ts)::float8, newest.duration_ns,
           newest.in_octets, newest.out_octets,
           newest.in_peak, newest.out_peak
    FROM inventory_port AS port
    LEFT JOIN telemetry_portstate AS state ON state.port_id = port.id
    LEFT JOIN LATERAL (
        SELECT latest.ts, latest.duration_ns,
               latest.in_octets[slot] AS in_octets, latest.out_octets[slot] AS out_octets,
               latest.in_peak[slot] AS in_peak, latest.out_peak[slot] AS out_peak
        FROM telemetry_latest AS latest
        JOIN telemetry_portlayout AS layout ON layout.id = latest.layout_id
        CROSS JOIN LATERAL array_position(layout.ports, port.id) AS slot
        WHERE latest.node_id = port.node_id AND slot IS NOT NULL
          AND (port.id = ANY (latest.elsewhere)) IS NOT TRUE
    ) AS newest ON true
    WHERE port.id = ANY(%s)
"""


@dataclass(frozen=True, slots=True)
class EndNow:
    """The current state of one port; `oper_up` None: never described by its device."""

    oper_up: bool | None
    admin_up: bool | None
    since: datetime | None
    reading: PortRates | None
    lacks_address: bool = False
    """Whether its report lacks an address that the site file declares; only of `port_rows`."""


def ends_now(port_ids: Collection[int]) -> dict[int, EndNow]:
    """Port id -> current state."""
    rows = fetch_rows(_ENDS, [list(port_ids)])
    return {row[0]: EndNow(row[1], row[2], _time(row[3]), _reading(row[4:])) for row in rows}


def _time(seconds: float | None) -> datetime | None:
    """Runs thousands of times per round: parsing the server's text form is five times slower."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _reading(columns: tuple[Any, ...]) -> PortRates | None:
    seconds, duration_ns, in_octets, out_octets, in_peak, out_peak = columns
    at = _time(seconds)
    if at is None:
        return None
    return PortRates(
        at=at,
        in_bps=_mean(in_octets, duration_ns),
        out_bps=_mean(out_octets, duration_ns),
        in_peak=_second(in_peak),
        out_peak=_second(out_peak),
    )


def _mean(octets: int, duration_ns: int) -> int | None:
    return None if octets < 0 else round(octets * 8 * 1_000_000_000 / duration_ns)


def _second(octets: int | None) -> int | None:
    return None if octets is None or octets < 0 else octets * 8


_LINKED = f"""
    SELECT linked.port AS id, {version_sql("state")} AS version
    FROM (
        SELECT a_id AS port FROM inventory_link WHERE site_id = %(site)s
        UNION ALL SELECT b_id FROM inventory_link WHERE site_id = %(site)s AND b_id IS NOT NULL
    ) AS linked LEFT JOIN telemetry_portstate AS state ON state.port_id = linked.port
"""  # noqa: S608 - only names of tables are put in
_STATES = """
    SELECT port.id, state.oper_up, state.admin_up, extract(epoch FROM state.since)::float8,
        coalesce(
            port.declared AND NOT port.management AND NOT (state.addresses @> port.addresses::varchar[]),
            false
        )
    FROM inventory_port AS port LEFT JOIN telemetry_portstate AS state ON state.port_id = port.id
    WHERE port.id = ANY (%s::bigint[])
"""


def _states(_: int, ports: Sequence[int]) -> dict[int, EndNow]:
    rows = fetch_rows(_STATES, [list(ports)])
    return {row[0]: EndNow(row[1], row[2], _time(row[3]), None, row[4]) for row in rows}


def _packed(end: EndNow) -> bytes:
    seconds = nan if end.since is None else end.since.timestamp()
    return pack("=bbd?", _number(end.oper_up), _number(end.admin_up), seconds, end.lacks_address)


def _number(is_up: bool | None) -> int:
    return -1 if is_up is None else is_up


_known = RowCache(_LINKED, _states, _packed)


def port_rows(site: Site) -> Rows[EndNow]:
    """By port id: current state without its sample, of every linked port; two queries, one if unchanged."""
    return _known.rows(site.pk, site.version)


_UP = "SELECT array_agg(port_id) FROM telemetry_portstate WHERE oper_up AND port_id BETWEEN %s AND %s"


def ports_up_between(first: int, last: int) -> NDArray[np.int64]:
    """Ids of the ports from `first` to `last` that are reported up, of all sites; one query."""
    ((field,),) = fetch_columns(_UP, [first, last])
    return ragged([field], np.array([length(field)], np.int64), "int8", 0).astype(np.int64)


_NOT_UP = """
    SELECT known.port, state.oper_up, state.admin_up, extract(epoch FROM state.since)::float8
    FROM inventory_link AS link
    CROSS JOIN LATERAL (VALUES (link.a_id), (link.b_id)) AS known (port)
    LEFT JOIN telemetry_portstate AS state ON state.port_id = known.port
    WHERE link.site_id = %s AND known.port IS NOT NULL AND state.oper_up IS NOT TRUE
"""


def ends_not_up(site: Site) -> dict[int, EndNow]:
    """Port id -> current state without its sample, of linked ports that are not reported up; one query."""
    return {
        port: EndNow(oper_up, admin_up, _time(since), None)
        for port, oper_up, admin_up, since in fetch_rows(_NOT_UP, [site.pk])
    }
