"""A run as text: state, matrix or grid, causes and remedies. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import ConsoleRenderable
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from backstay_cli.models import (
    ComparisonOut,
    EndsOut,
    ParametersOut,
    TestCellDetail,
    TestGridOut,
    TestRunDetail,
    TestRunOut,
    VerdictOut,
)
from backstay_cli.output import heading, state_label, table
from backstay_cli.text import clock, count, length, milliseconds, percent, rate, shown
from backstay_cli.throughput.cell_lines import unmeasured
from backstay_cli.throughput.grid import Grid, grid_parts, rates_of
from backstay_cli.throughput.kinds import SHAPES
from backstay_cli.throughput.labels import OPEN, cause, cell_label, ends, point, style_of
from backstay_cli.throughput.matrix import cells_parts


def headline(run: TestRunOut) -> Text:
    """`Run #12 of nightly - done`; for a run that has not ended, its progress or what it waits for."""
    if run.source == "paper":
        return heading(f"{run.plan} ({run.id})")
    name = f"Run {run.name} of {run.plan}"
    state_text = run.state_text if run.state in OPEN else run.state
    return Text(shown(f"{name} - "), style="bold") + state_label(style_of(run), state_text)


def brief(run: TestRunOut) -> Text:
    """A run in a list: its state, and its verdict or progress."""
    is_complete = run.state in OPEN or run.state == "done" or run.state in run.state_text
    return state_label(style_of(run), run.state_text if is_complete else f"{run.state}: {run.state_text}")


def particulars(run: TestRunOut) -> str:
    """Requester, time, duration and size."""
    parts = [] if run.source == "paper" else [SHAPES.get(run.shape, run.shape)]
    parts.append(f"{run.cells_over} of {count(run.cells_total, 'cell')} ended")
    parts += [f"{run.cells_bad} without a result"] if run.cells_bad else []
    if run.asked_at is not None:
        parts.append(f"requested by {run.person or 'its schedule'} at {clock(run.asked_at)}")
    if run.began_at is not None and run.ended_at is not None:
        parts.append(f"took {length((run.ended_at - run.began_at).total_seconds())}")
    parts += [run.used] if run.used else []
    parts += ["measured in the lab"] if run.source == "lab" else []
    return "; ".join(parts)


def run_parts(run: TestRunDetail, grid: TestGridOut | None, width: int) -> Iterator[ConsoleRenderable]:
    """Everything about a run except its cells' details."""
    yield headline(run)
    yield Text(shown(particulars(run)), style="dim")
    if run.citation is not None:
        yield Text(shown(f"{run.citation.cite}, {run.citation.figure}: {run.citation.about}"), style="dim")
    if run.outcome:
        yield Text(shown(run.outcome), style="yellow")
    if run.cells:
        yield Text("")
        yield from _figures(run, grid, width)
    if run.verdict is not None:
        yield Text("")
        yield from verdict_parts(run.verdict)
    if run.regression is not None:
        slower = run.regression.outcome == "slower"
        yield Text(
            shown(f"Against earlier runs: {run.regression.sentence}"), style="yellow" if slower else ""
        )
    if len(run.verdicts) > 1:
        yield Text("")
        yield _causes(run)
    if (left := unmeasured(run.cells)) is not None:
        yield Text("")
        yield left
    if run.conclusions:
        yield Text("")
        yield _conclusions(run)


def _figures(run: TestRunDetail, grid: TestGridOut | None, width: int) -> Iterator[ConsoleRenderable]:
    if run.shape != "mesh":
        yield from cells_parts(run.cells, width)
        return
    suspects = [] if grid is None else grid.suspects
    yield from grid_parts(Grid(rates_of(run.cells), suspects), "" if grid is None else grid.sentence, width)


def verdict_parts(verdict: VerdictOut) -> Iterator[ConsoleRenderable]:
    """The sentence, the evidence for and against it, and what to do."""
    yield heading(verdict.sentence) + Text(shown(f" ({verdict.confidence} confidence)"), style="dim")
    rows = [
        (state_label("ok", "for") if item.supports else state_label("warning", "against"), item.text)
        for item in verdict.evidence
    ]
    if rows:
        yield Padding(_headless(rows), (0, 0, 0, 2), expand=False)
    if verdict.remedy:
        what = "Measure next" if verdict.name == "inconclusive" else "Remedy"
        yield Text(shown(f"{what}: {verdict.remedy}"))


def _headless(rows: list[tuple[Text, str]]) -> Table:
    made = table(("", ""), rows)
    made.show_header = False
    made.columns[0].no_wrap = True
    return made


def _causes(run: TestRunDetail) -> Table:
    """Each cause once: its label, its number of cells, and the sentence with the highest confidence."""
    number = len(run.cells)
    rows = [
        (cause(verdict.name), f"{len(verdict.cells)} of {number}", verdict.sentence)
        for verdict in run.verdicts
    ]
    return _tight(table(("cause", "cells", "such as"), rows))


def _conclusions(run: TestRunDetail) -> Table:
    rows = [
        (
            conclusion.row,
            conclusion.paper,
            conclusion.verdict.replace("_", " "),
            state_label("ok", "agrees") if conclusion.agrees else state_label("warning", "differs"),
        )
        for conclusion in run.conclusions
    ]
    return table(("row", "paper", "Backstay", ""), rows)


def _tight(made: Table) -> Table:
    for column in made.columns[:-1]:
        column.no_wrap = True
    return made


def next_step(run: TestRunOut) -> str:
    """The next command; empty if nothing remains to be done."""
    if run.state in OPEN:
        return f"Next: backstay tests show {run.id} --wait"
    return ""


def cell_parts(run: str, cell: TestCellDetail) -> Iterator[ConsoleRenderable]:
    """One cell: its result, its cause with evidence, and each node's part."""
    yield heading(f"Cell {cell.index} of run {run}, {ends(cell.flows)}: {point(cell.parameters)}")
    figure = f"{rate(cell.rate)}{', ' + percent(cell.used) + ' of usable' if cell.used is not None else ''}"
    yield Text(shown(f"{cell_label(cell)}: {figure}" if cell.rate is not None else cell_label(cell)))
    if cell.detail:
        yield Text(shown(cell.detail), style="yellow")
    for flow in cell.flows:
        if flow.path:
            yield Text(shown(f"path: {', '.join(flow.path)}"), style="dim")
    if cell.verdict is not None:
        yield Text("")
        yield from verdict_parts(cell.verdict)
        for other in cell.verdict.others:
            yield Text(shown(f"Also considered: {other.sentence}"), style="dim")
    if cell.assignments:
        rows = [
            (part.node, part.role, state_label("" if part.state == "done" else "warning", part.state),
             _began(part.late_ms), part.detail or part.command)
            for part in cell.assignments
        ]  # fmt: skip
        yield Text("")
        yield _tight(table(("node", "role", "state", "started", "detail"), rows))


def _began(late_ms: float | None) -> str:
    """`0.21 ms late`; a server listens before the client sends: `4630 ms early`."""
    if late_ms is None:
        return milliseconds(None)
    return f"{milliseconds(abs(late_ms))} {'late' if late_ms >= 0 else 'early'}"


def comparison_parts(comparison: ComparisonOut) -> Iterator[ConsoleRenderable]:
    """Two runs cell by cell: significant differences come first."""
    before, after = comparison.before, comparison.after
    yield heading(f"{after.plan} {after.name} against {before.plan} {before.name} before it")
    yield state_label("warning" if comparison.outcome == "slower" else "ok", comparison.sentence)
    order = {"slower": 0, "faster": 1}
    differences = sorted(comparison.differences, key=lambda one: order.get(one.outcome, 2))
    tones = {"slower": "warning", "faster": "ok"}
    rows = [
        (_place(difference.flows, difference.parameters), rate(difference.before), rate(difference.after),
         f"{difference.change * 100:+.0f}%",
         state_label(tones.get(difference.outcome, ""), difference.outcome))
        for difference in differences
    ]  # fmt: skip
    yield Text("")
    made = table(("cell", "before", "after", "change", ""), rows)
    for column in made.columns[1:]:
        column.no_wrap = True
    yield made
    for name, only in (("before", comparison.only_before), ("after", comparison.only_after)):
        if only:
            points = "; ".join(_place(item.flows, item) for item in only)
            yield Text(shown(f"only {name}: {points}"), style="dim")


def _place(flows: Sequence[EndsOut], parameters: ParametersOut) -> str:
    """`sp01 to sp02: 4 streams`: in a mesh the parameters alone would match any pair."""
    between = ends(flows)
    return f"{between}: {point(parameters)}" if between else point(parameters)
