"""A mesh as a grid: senders down, receivers across, suspects marked. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.console import ConsoleRenderable
from rich.table import Table
from rich.text import Text

from backstay_cli.models import SuspectOut, TestCellOut
from backstay_cli.output import heading, table
from backstay_cli.text import digits, rate_unit, shown

LONGEST_NAME = 8
"""Columns with longer names use numbers as headers."""
GAP = 2
LEAST = 6
"""Columns of a rate with its mark."""
MARK = "*"
Pair = tuple[str, str]


def rates_of(cells: Sequence[TestCellOut]) -> dict[Pair, float | None]:
    """(sender, receiver) -> the best rate of its cells, bit/s; None: none is measured."""
    found: dict[Pair, float | None] = {}
    for cell in cells:
        for flow in cell.flows:
            pair = (flow.sender, flow.receiver)
            known = [item for item in (found.get(pair), cell.rate) if item is not None]
            found[pair] = max(known, default=None)
    return found


def marked(pair: Pair, suspects: Sequence[SuspectOut]) -> bool:
    """Whether a suspect's pattern contains this pair."""
    sender, receiver = pair
    return any(
        (suspect.side in {"sends", "both"} and sender == suspect.host)
        or (suspect.side in {"receives", "both"} and receiver == suspect.host)
        or (suspect.side == "path" and pair == (suspect.host, suspect.peer))
        for suspect in suspects
    )


@dataclass(frozen=True, slots=True)
class Grid:
    """Data of the grid."""

    rates: Mapping[Pair, float | None]
    suspects: Sequence[SuspectOut]

    @property
    def hosts(self) -> list[str]:
        """Every end once, in the plan's order."""
        return list(dict.fromkeys(host for pair in self.rates for host in pair))

    @property
    def unit(self) -> tuple[float, str]:
        """Of all rates."""
        return rate_unit(max((rate for rate in self.rates.values() if rate is not None), default=0.0))

    @property
    def numbered(self) -> bool:
        """Whether columns use numbers as headers."""
        return max(map(len, self.hosts), default=0) > LONGEST_NAME


def grid_parts(grid: Grid, sentence: str, width: int) -> Iterator[ConsoleRenderable]:
    """The grid in blocks of columns that fit, a legend, and the overall result."""
    yield heading(f"{grid.unit[1]}; senders on the left, receivers above")
    for block in _blocks(grid, width):
        yield _block(grid, block)
    if any(marked(pair, grid.suspects) for pair in grid.rates):
        yield Text(f"{MARK} suspects", style="yellow")
    if sentence:
        yield Text(shown(sentence))


def _blocks(grid: Grid, width: int) -> Iterator[Sequence[str]]:
    """Receivers, in blocks that fit next to the senders' names."""
    hosts = grid.hosts
    first = max(map(len, hosts), default=0) + (3 if grid.numbered else 0) + GAP
    cell_width = (LEAST if grid.numbered else max([LEAST, *map(len, hosts)])) + GAP
    fits = max((width - first) // cell_width, 1)
    for start in range(0, len(hosts), fits):
        yield hosts[start : start + fits]


def _block(grid: Grid, receivers: Sequence[str]) -> Table:
    numbers = {host: str(at) for at, host in enumerate(grid.hosts, 1)}
    made = table(("", *(numbers[one] if grid.numbered else one for one in receivers)), [])
    for host in grid.hosts:
        name = f"{numbers[host]:>2} {host}" if grid.numbered else host
        made.add_row(Text(shown(name)), *(_spot((host, other), grid) for other in receivers))
    for column in made.columns:
        column.no_wrap = True
    for column in made.columns[1:]:
        column.justify = "right"
    return made


def _spot(pair: Pair, grid: Grid) -> Text:
    if pair[0] == pair[1]:
        return Text(".", style="dim")
    rate = grid.rates.get(pair)
    if rate is None:
        return Text("none", style="yellow")
    is_marked = marked(pair, grid.suspects)
    return Text(
        digits(rate / grid.unit[0]) + (MARK if is_marked else ""), style="yellow" if is_marked else ""
    )
