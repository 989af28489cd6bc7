"""The archive's file format: columns, encodings, paths. docs/archive.md describes it for other programs."""

from __future__ import annotations

from datetime import date
from typing import Any

import pyarrow as pa

from backstay.telemetry.ingest.store import METRICS

FORMAT_VERSION = 1
SAMPLES, PORTS = "samples", "ports"
_ABOUT = {"backstay.format_version": str(FORMAT_VERSION)}

COUNTERS = METRICS
"""int64 columns; null: no value."""
SAMPLE_SCHEMA = pa.schema(
    [
        pa.field("node_id", pa.int64(), nullable=False),
        pa.field("port_id", pa.int64(), nullable=False),
        pa.field("ts", pa.timestamp("us", tz="UTC"), nullable=False),
        pa.field("duration_ns", pa.int64(), nullable=False),
        pa.field("shift_ns", pa.int64(), nullable=False),
        *(pa.field(name, pa.int64()) for name in COUNTERS),
        pa.field("outcome", pa.int32(), nullable=False),
    ],
    metadata={**_ABOUT, "backstay.table": SAMPLES},
)
PORT_SCHEMA = pa.schema(
    [
        pa.field("node_id", pa.int64(), nullable=False),
        pa.field("port_id", pa.int64(), nullable=False),
        pa.field("node", pa.string(), nullable=False),
        pa.field("port", pa.string()),
        pa.field("fabric", pa.string()),
        pa.field("speed_bit_s", pa.int64()),
    ],
    metadata={**_ABOUT, "backstay.table": PORTS},
)
TOTALLED = (*COUNTERS, "outcome", "duration_ns")
"""Columns whose sums are compared with PostgreSQL's."""

GROUP_ROWS = 160_000
"""Most rows of a row group, the least that a reader decodes: 50 ports at 30 s."""

_REPEATED = ("node_id", "ts", "duration_ns", "shift_ns", "outcome")
"""All ports of a device share these values: a dictionary costs a tenth of DELTA_BINARY_PACKED."""
_INTEGERS = ("port_id", *COUNTERS)
_COMMON: dict[str, Any] = {"compression": "zstd", "compression_level": 3, "write_page_checksum": True}
WRITER_OPTIONS: dict[str, dict[str, Any]] = {
    SAMPLES: {
        **_COMMON,
        "use_dictionary": list(_REPEATED),
        "column_encoding": dict.fromkeys(_INTEGERS, "DELTA_BINARY_PACKED"),
    },
    PORTS: _COMMON,
}
"""Options of `pyarrow.parquet.ParquetWriter`, by table."""


def folder(table: str, site: str, day: date) -> str:
    """The folder of a site's day, in Hive's layout."""
    return f"{table}/site={site}/day={day.isoformat()}"


def part_path(table: str, site: str, day: date, number: int) -> str:
    """A part's path below the archive's root."""
    return f"{folder(table, site, day)}/part-{number}.parquet"
