"""A run as CSV (RFC 4180): one line per cell, units in the headings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from backstay.core import csv_text
from backstay.throughput.selectors import CellResult


def _measured(name: str) -> Callable[[CellResult], Any]:
    return lambda cell: None if cell.value.measured is None else getattr(cell.value.measured, name)


def _parameter(name: str) -> Callable[[CellResult], Any]:
    return lambda cell: getattr(cell.parameters, name)


def _verdict(name: str) -> Callable[[CellResult], Any]:
    return lambda cell: None if cell.verdict is None else cell.verdict[name]


def _ends(cell: CellResult) -> str:
    return " ".join(f"{one}>{other}" for one, other in cell.flows)


def _cpu(cell: CellResult) -> str:
    measured = cell.value.measured
    return "" if measured is None else " ".join(f"{one.node}={one.busy:.2f}" for one in measured.cpu)


COLUMNS: dict[str, Callable[[CellResult], Any]] = {
    "index": lambda cell: cell.index,
    "key": lambda cell: cell.value.key,
    "ends": _ends,
    "senders": _parameter("senders"),
    "receivers": _parameter("receivers"),
    "kind": _parameter("kind"),
    "program": _parameter("program"),
    "direction": _parameter("direction"),
    "streams": _parameter("streams"),
    "buffer_bytes": _parameter("buffer"),
    "window_bytes": _parameter("window"),
    "send_buffer_bytes": _parameter("send_buffer"),
    "size_bytes": _parameter("size"),
    "offered_bit_s": _parameter("offered_rate"),
    "offered_packets_s": _parameter("offered_pps"),
    "mtu_bytes": _parameter("mtu"),
    "mss_bytes": _parameter("mss"),
    "no_delay": _parameter("no_delay"),
    "quick_ack": _parameter("quick_ack"),
    "congestion": _parameter("congestion"),
    "other": _parameter("other"),
    "state": lambda cell: cell.state,
    "detail": lambda cell: cell.detail,
    "start": lambda cell: None if cell.start_at is None else cell.start_at.isoformat(),
    "rate_bit_s": lambda cell: cell.rate,
    "share_of_usable": lambda cell: cell.used,
    "duration_s": _measured("duration_s"),
    "retransmits": _measured("retransmits"),
    "loss": _measured("loss"),
    "packets_s": _measured("pps"),
    "rtt_s": _measured("rtt_s"),
    "cwnd_bytes": _measured("cwnd"),
    "path_mtu": _measured("path_mtu"),
    "processors_busy": _cpu,
    "verdict": _verdict("name"),
    "confidence": _verdict("confidence"),
    "sentence": _verdict("sentence"),
}


def as_csv(cells: Iterable[CellResult]) -> str:
    """The whole table with its headings."""
    return csv_text.table(COLUMNS, ([column(cell) for column in COLUMNS.values()] for cell in cells))
