"""`track-record`: how far the predictions of the capacity study were off when a gateway failed."""

from __future__ import annotations

from typing import Annotated

import typer

from backstay_cli.models import PredictionCheckOut, TrackRecord
from backstay_cli.output import Cell, as_json, heading, print_lines, show, table
from backstay_cli.reading import read
from backstay_cli.session import AsJson, session
from backstay_cli.text import clock, percent, rate

STATES = {"pending": "pending", "measured": "measured", "not_measured": "not measured"}


def track_record(
    context: typer.Context,
    state: Annotated[
        str | None, typer.Option(help="Only failovers in this state: measured, not_measured or pending.")
    ] = None,
    limit: Annotated[int, typer.Option(help="Failovers at most, the newest first.")] = 50,
    json: AsJson = False,
) -> None:
    """Show each failover of a gateway: the loads that were predicted, and those that were measured."""
    run = session(context)
    answer = run.api.get("/capacity/track-record", site=run.site, state=state, limit=limit)
    found = read(TrackRecord, answer)
    if json:
        as_json(answer)
        return
    print_lines(heading(found.status.headline))
    if found.items:
        head = (
            "began",
            "gateway",
            "cause",
            "result",
            "worst link",
            "predicted",
            "measured",
            "median",
            "worst",
        )
        show(table(head, [_row(item) for item in found.items]))
    if found.next:
        print_lines("More failovers follow: raise --limit.")
    for item in found.items:
        if item.reason:
            print_lines(f"{item.gateway}, {clock(item.started_at)}: not measured. {item.reason}")


def _row(item: PredictionCheckOut) -> tuple[Cell, ...]:
    worst = item.worst
    return (
        clock(item.started_at),
        item.gateway,
        item.cause if item.drill is None else f"drill #{item.drill}",
        STATES.get(item.state, item.state),
        "" if worst is None else worst.name,
        "" if worst is None else rate(worst.after_bps if worst.carried_bps is None else worst.carried_bps),
        "" if worst is None or worst.measured_bps is None else rate(worst.measured_bps),
        _error(item.median_error),
        _error(item.worst_error),
    )


def _error(value: float | None) -> str:
    return "" if value is None else percent(value)
