"""The same rows in PostgreSQL alone: binary COPY into our table and into a conventional wide one.

The first is the ceiling: no HTTP, validation, ledger or newest row. The second is the peer: one row per port
and interval, as in most systems.
"""

from __future__ import annotations

import numpy as np
import psycopg

from backstay.telemetry.ingest import copybinary
from bench.traffic import INTERVAL_S, METRICS, Traffic

WIDE = """
CREATE TABLE bench_wide (
    port_id bigint NOT NULL, ts timestamptz NOT NULL, duration_ns bigint NOT NULL,
    in_octets bigint NOT NULL, out_octets bigint NOT NULL,
    in_packets bigint NOT NULL, out_packets bigint NOT NULL,
    PRIMARY KEY (port_id, ts)
)
"""
FIELDS = 16
FIRST_NODE = 1_000_000
"""Nodes that the inventory does not have: nothing else touches these rows."""
DURATION_NS = INTERVAL_S * 1_000_000_000


def array_rows(traffic: Traffic, at_us: int) -> bytes:
    """One interval of all devices as a COPY of `telemetry_samples`."""
    pieces = [copybinary.HEADER]
    for device, metrics in enumerate(traffic.growth):
        pieces.append(
            copybinary.scalars(
                FIELDS,
                node=FIRST_NODE + device,
                at_us=at_us,
                duration_ns=DURATION_NS,
                shift_ns=0,
                layout=1,
            )
        )
        pieces += copybinary.int8_arrays([column.tolist() for column in metrics])
        pieces.append(copybinary.NULL * (FIELDS - 5 - len(METRICS)))
    return b"".join([*pieces, copybinary.TRAILER])


def wide_rows(traffic: Traffic, at_us: int) -> bytes:
    """The same interval as a COPY of the wide table."""
    devices, _, ports = traffic.growth.shape
    columns = 7
    item = np.dtype([("fields", ">i2"), ("cells", [("length", ">i4"), ("value", ">i8")], columns)])
    rows = np.empty(devices * ports, item)
    rows["fields"] = columns
    rows["cells"]["length"] = 8
    values = rows["cells"]["value"]
    values[:, 0] = np.arange(devices * ports)
    values[:, 1] = at_us - copybinary.POSTGRES_EPOCH_US
    values[:, 2] = DURATION_NS
    values[:, 3:] = traffic.growth.transpose(0, 2, 1).reshape(-1, len(METRICS))
    return copybinary.HEADER + rows.tobytes() + copybinary.TRAILER


def copy(connection: psycopg.Connection[tuple[object, ...]], table: str, data: bytes) -> None:
    """One COPY, one transaction."""
    statement = f"COPY {table} FROM STDIN (FORMAT binary)".encode()
    with connection.transaction(), connection.cursor() as cursor, cursor.copy(statement) as method:
        method.write(data)
