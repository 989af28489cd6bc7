"""Data files as runs: cells and medium in the diagnosis' values and units."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median

import yaml

from backstay.core.model.throughput import Cell, Measured, Medium, NodeCpu, Parameters, PathHop
from backstay.throughput.papers.schema import (
    BITS,
    CellFacts,
    CpuFacts,
    PaperFacts,
    Settings,
    TableFacts,
)

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class ReferenceRun:
    """One table of a paper as a run."""

    paper: PaperFacts
    table: TableFacts
    cells: tuple[Cell, ...]
    medium: Medium

    @property
    def key(self) -> str:
        """`cern96/fig4`."""
        return f"{self.paper.paper}/{self.table.key}"

    @property
    def ident(self) -> str:
        """`cern96.fig4`: the key in addresses."""
        return self.key.replace("/", ".")


@cache
def papers() -> tuple[PaperFacts, ...]:
    """Every data file, by name. Raises pydantic.ValidationError for an invalid file."""
    return tuple(
        PaperFacts.model_validate(yaml.safe_load(path.read_text())) for path in sorted(DATA.glob("*.yaml"))
    )


@cache
def reference_runs() -> tuple[ReferenceRun, ...]:
    """Every table of every paper."""
    return tuple(_run(paper, table) for paper in papers() for table in paper.tables)


def _run(paper: PaperFacts, table: TableFacts) -> ReferenceRun:
    return ReferenceRun(paper, table, _cells(table), _medium(paper, table))


def _cells(table: TableFacts) -> tuple[Cell, ...]:
    printed = [*_matrix(table), *table.cells]
    return tuple(
        Cell(_parameters(table.common, one), _measured(table, one), one.state, one.key) for one in printed
    )


def _matrix(table: TableFacts) -> list[CellFacts]:
    """Raises ValueError when a row has not one rate for each count of streams."""
    if table.matrix is None:
        return []
    return [
        CellFacts(key=f"{row.buffer}x{streams}", buffer=row.buffer, streams=streams, rate=rate)
        for row in table.matrix.rows
        for streams, rate in zip(table.matrix.streams, row.rates, strict=True)
    ]


def _parameters(common: Settings, own: Settings) -> Parameters:
    names = Settings.model_fields
    given = {name: one for name in names if (one := getattr(common, name)) is not None}
    given |= {name: one for name in names if (one := getattr(own, name)) is not None}
    return Parameters(**given)


def _measured(table: TableFacts, one: CellFacts) -> Measured | None:
    if one.rate is None:
        return None
    scale = BITS[table.unit]
    rate = one.rate * scale
    seconds = 8 * table.amount / rate if table.amount else None
    return Measured(
        rate=rate,
        per_stream=tuple(stream_rate * scale for stream_rate in one.per_stream),
        duration_s=seconds,
        retransmits=one.retransmits,
        cwnd=one.cwnd,
        cwnd_least=one.cwnd_least,
        cpu=_cpu(table, one, seconds),
    )


def _cpu(table: TableFacts, one: CellFacts, seconds: float | None) -> tuple[NodeCpu, ...]:
    shares = [_node(cpu) for cpu in one.cpu]
    if seconds:
        shares += [_node(cpu, 1 / seconds) for cpu in one.cpu_seconds]
    if table.cpu_per_stream and one.streams:
        shares.append(_node(table.cpu_per_stream, one.streams))
    return tuple(shares)


def _node(cpu: CpuFacts, times: float = 1.0) -> NodeCpu:
    return NodeCpu(cpu.node, cpu.role, cpu.busy * times, cpu.cores)


def _medium(paper: PaperFacts, table: TableFacts) -> Medium:
    facts = table.medium
    hops = tuple(PathHop(hop.name, hop.usable, hop.mtu, hop.packet_limit) for hop in facts.hops)
    return Medium(facts.usable, hops, facts.rtt_s, stream_rate=_stream_rate(paper, facts.stream_rate_of))


def _stream_rate(paper: PaperFacts, key: str) -> float | None:
    """Median of another table's single streams. Raises ValueError for an unknown key."""
    if not key:
        return None
    found = [table for table in paper.tables if table.key == key]
    if not found:
        raise ValueError(f"{paper.paper} has no table {key}")
    return median(
        cell.measured.rate for cell in _cells(found[0]) if cell.measured and cell.parameters.streams == 1
    )
