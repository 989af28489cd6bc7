"""Follows a run: what it waits for, each finished cell, the time left.

On a terminal x cancels, q leaves while the run continues.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import ConsoleRenderable, Group
from rich.progress_bar import ProgressBar
from rich.text import Text

from backstay_cli import polling
from backstay_cli.api import Api
from backstay_cli.errors import OperatorError, Unreachable
from backstay_cli.follower import QUICK_S, Left, Screen, screen
from backstay_cli.models import TestCellOut, TestRunDetail
from backstay_cli.output import state_label, table
from backstay_cli.reading import read
from backstay_cli.session import Session
from backstay_cli.text import length, percent, rate, shown
from backstay_cli.throughput.cell_lines import what
from backstay_cli.throughput.labels import OPEN, cell_label, ends, point
from backstay_cli.throughput.run_view import headline

COMING = frozenset({"queued", "running"})
NEWEST = 8
"""Cells on the board."""
CANCEL = "x"


def each_s(run: TestRunDetail | None) -> float:
    """Seconds between two reads: an answer with hundreds of cells is read less often."""
    return polling.EACH_S * (2 + (0 if run is None else run.cells_total / 64))


def news(before: TestRunDetail | None, after: TestRunDetail) -> Iterator[str]:
    """Changes between two snapshots, one line each. Pure."""
    if after.state == "waiting" and (before is None or before.waits_for != after.waits_for):
        yield f"Run {after.name} {after.waits_for}"
    elif after.state == "running" and (before is None or before.state != "running"):
        yield f"Run {after.name} runs: {after.state_text}"
    known = set() if before is None else {item.index for item in before.cells if item.state not in COMING}
    for cell in after.cells:
        if cell.state not in COMING and cell.index not in known:
            yield f"{cell.index + 1} of {after.cells_total}: {describe_cell(cell)}"


def describe_cell(cell: TestCellOut) -> str:
    """A cell's result on one line."""
    if cell.rate is None:
        return f"{what(cell)}: {cell_label(cell)}" + (f", {cell.detail}" if cell.detail else "")
    used = f", {percent(cell.used)} of usable" if cell.used is not None else ""
    return f"{what(cell)}: {rate(cell.rate)}{used}, {cell_label(cell)}"


def board(run: TestRunDetail, note: str = "", *, acts: bool = False, old_s: float = 0.0) -> Group:
    """Progress, the latest cells, what it waits for, and the available keys."""
    over = [cell for cell in run.cells if cell.state not in COMING]
    now = [cell for cell in run.cells if cell.state == "running"]
    rows = [
        (str(cell.index + 1), ends(cell.flows), point(cell.parameters), rate(cell.rate), percent(cell.used),
         state_label("ok" if cell.state == "running" else "", cell_label(cell)))
        for cell in [*over[-NEWEST:], *now]
    ]  # fmt: skip
    parts: list[ConsoleRenderable] = []
    if rows:
        parts.append(table(("cell", "ends", "with", "rate", "of usable", "cause"), rows))
    parts.append(headline(run))
    if run.state == "running":
        parts.append(ProgressBar(total=max(run.cells_total, 1), completed=len(over), width=60))
    if run.remaining_s is not None:
        left = max(run.remaining_s - (old_s if run.state == "running" else 0.0), 0.0)
        parts.append(Text(f"about {length(left)} {_from_when(run)}", style="bold"))
    if acts:
        offered = [f"{CANCEL} cancel the run"] if run.may_cancel else []
        parts.append(Text("  ".join([*offered, "q leave (it continues)"]), style="dim"))
    if note:
        parts.append(Text(shown(note), style="yellow"))
    return Group(*parts)


def _from_when(run: TestRunDetail) -> str:
    if run.state == "running":
        return "left"
    return "once it starts" if run.began_at is None else "once it continues"


def follow(run: Session, ident: str, *, as_json: bool = False) -> TestRunDetail:
    """Show a run until it has ended."""
    api = Api(run.account, timeout_s=QUICK_S, tries=1)
    with screen(as_json, board, news) as (shows, pressed):
        return polling.until(
            lambda: read(TestRunDetail, api.get(f"/test-runs/{ident}")),
            lambda run: run.state not in OPEN,
            show=shows.show,
            silent=lambda error: shows.note(f"{error} Retrying; the run does not need this connection."),
            pause=lambda seen: _act(run, seen, pressed(each_s(seen)), shows),
        )


def _act(run: Session, seen: TestRunDetail | None, key: str, shows: Screen[TestRunDetail]) -> None:
    """Perform a key's action; a refusal is shown and changes nothing."""
    if key == "q":
        raise Left
    if key != CANCEL or seen is None or not seen.may_cancel:
        return
    try:
        run.api.post(f"/test-runs/{seen.id}/cancel")
    except Unreachable:
        return
    except OperatorError as error:
        shows.note(str(error))
