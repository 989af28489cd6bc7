"""Schema of a paper's data file: a typing error raises an error instead of giving a wrong verdict."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from backstay.core.diagnosis.throughput.compare import Outcome
from backstay.core.model.throughput import CellState, Role, VerdictName
from backstay.core.model.throughput_kinds import Direction, Kind

Unit = Literal["KiB/s", "MB/s", "Mb/s"]
BITS: dict[Unit, float] = {"KiB/s": 8 * 1024, "MB/s": 8e6, "Mb/s": 1e6}
"""Bit/s of one of the printed unit."""
Range = Annotated[tuple[float, float], Field(description="least and most, both allowed")]


class Strict(BaseModel):
    """Rejects unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class CpuFacts(Strict):
    """One node's processors."""

    node: str
    role: Role
    busy: float = Field(ge=0)
    cores: int = Field(1, ge=1)


class HopFacts(Strict):
    """A device on the path."""

    name: str
    usable: float | None = None
    mtu: int | None = None
    packet_limit: float | None = None


class MediumFacts(Strict):
    """The path; `stream_rate_of`: the table whose single streams give the rate of a plain stream."""

    usable: float | None = None
    rtt_s: float | None = None
    hops: tuple[HopFacts, ...] = ()
    stream_rate_of: str = ""


class Settings(Strict):
    """Parameters of a cell or of all cells of a table; absent: not printed."""

    kind: Kind | None = None
    streams: int | None = None
    buffer: int | None = None
    window: int | None = None
    direction: Direction | None = None
    size: int | None = None
    mss: int | None = None
    no_delay: bool | None = None
    senders: int | None = None
    receivers: int | None = None


class CellFacts(Settings):
    """One measurement as printed, in the table's unit."""

    key: str
    rate: float | None = None
    per_stream: tuple[float, ...] = ()
    state: CellState = "done"
    cpu: tuple[CpuFacts, ...] = ()
    cpu_seconds: tuple[CpuFacts, ...] = ()
    """`busy` is processor seconds over the whole transfer of the table's `amount`."""
    retransmits: int | None = None
    cwnd: int | None = None
    cwnd_least: int | None = None


class MatrixRow(Strict):
    """One buffer's sums over the table's streams."""

    buffer: int
    rates: tuple[float, ...]


class MatrixFacts(Strict):
    """Buffer x streams; its cells are keyed `<buffer>x<streams>`."""

    streams: tuple[int, ...]
    rows: tuple[MatrixRow, ...]


class Expected(Strict):
    """The paper's conclusion in terms of the diagnosis."""

    verdict: VerdictName
    suspect: str = ""
    numbers: dict[str, Range] = {}


class RowFacts(Strict):
    """Cells that the paper drew one conclusion from: one buffer's, some by key, or all."""

    name: str
    buffer: int | None = None
    cells: tuple[str, ...] = ()
    paper: str
    expected: Expected


class ComparisonFacts(Strict):
    """Two cells that the paper compares; `table/key`: a cell of another table."""

    name: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    paper: str
    expected: Outcome
    change: Range | None = None


class Doubtful(Strict):
    """A value that may be misread, and why."""

    key: str = ""
    buffer: int | None = None
    streams: int | None = None
    note: str


class TableFacts(Strict):
    """One table of a paper."""

    key: str
    figure: str
    about: str
    unit: Unit
    medium: MediumFacts = MediumFacts()
    common: Settings = Settings()
    amount: float | None = None
    """Bytes of each transfer."""
    cpu_per_stream: CpuFacts | None = None
    matrix: MatrixFacts | None = None
    cells: tuple[CellFacts, ...] = ()
    doubtful: tuple[Doubtful, ...] = ()
    rows: tuple[RowFacts, ...] = ()
    comparisons: tuple[ComparisonFacts, ...] = ()


class PaperFacts(Strict):
    """One paper's data file."""

    paper: str
    title: str
    cite: str
    tables: tuple[TableFacts, ...]
