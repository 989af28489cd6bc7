"""Converts the port growth of one interval to the wire's columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from backstay_agent.collectors.deltas import COLUMNS, PortGrowth
from backstay_wire import NO_VALUE, DeltaOutcome, PortSamples

_ALWAYS = 4
"""The first four columns (octets, packets) are always sent; errors and discards only if not all are zero."""


@dataclass(frozen=True, slots=True)
class PortRow:
    """One port's part of a report."""

    name: str
    growth: PortGrowth
    in_peak: int = NO_VALUE
    """Octets of the busiest second; NO_VALUE if seconds are not measured."""
    out_peak: int = NO_VALUE


@dataclass(frozen=True, slots=True)
class SampleTable:
    """A whole device's growth, column by column."""

    ports: list[str]
    columns: list[list[int]]
    """One list per wire column, in the order of COLUMNS."""
    outcomes: list[DeltaOutcome]
    in_peak: list[int] | None = None
    out_peak: list[int] | None = None


def port_samples(
    rows: Sequence[PortRow], *, boot: UUID, seq: int, device: str, at: int, duration_ns: int
) -> PortSamples:
    """The report of one interval; `rows` must not be empty."""
    in_peak, out_peak = [row.in_peak for row in rows], [row.out_peak for row in rows]
    measured = any(value != NO_VALUE for value in in_peak)
    table = SampleTable(
        ports=[row.name for row in rows],
        columns=[list(column) for column in zip(*(row.growth.values for row in rows), strict=True)],
        outcomes=[row.growth.outcome for row in rows],
        in_peak=in_peak if measured else None,
        out_peak=out_peak if measured else None,
    )
    return table_samples(table, boot=boot, seq=seq, device=device, at=at, duration_ns=duration_ns)


def table_samples(
    table: SampleTable, *, boot: UUID, seq: int, device: str, at: int, duration_ns: int
) -> PortSamples:
    """The report of one interval; `table` must not be empty."""
    sent = {
        name: column
        for index, (name, column) in enumerate(zip(COLUMNS, table.columns, strict=True))
        if index < _ALWAYS or any(column)
    }
    odd = table.outcomes.count(DeltaOutcome.OK) < len(table.outcomes)
    return PortSamples(
        boot=boot,
        seq=seq,
        device=device,
        at=at,
        duration_ns=duration_ns,
        ports=table.ports,
        in_octets=sent["in_octets"],
        out_octets=sent["out_octets"],
        in_packets=sent["in_packets"],
        out_packets=sent["out_packets"],
        in_errors=sent.get("in_errors"),
        out_errors=sent.get("out_errors"),
        in_discards=sent.get("in_discards"),
        out_discards=sent.get("out_discards"),
        in_peak=table.in_peak,
        out_peak=table.out_peak,
        outcome=table.outcomes if odd else None,
    )
