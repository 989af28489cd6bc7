"""`forecast`: when links are full."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import typer

from backstay_cli.models import ForecastListed, ForecastOut, Forecasts
from backstay_cli.output import Cell, as_json, heading, print_lines, show, state_label, table
from backstay_cli.reading import read
from backstay_cli.session import AsJson, session
from backstay_cli.text import count, percent, rate

MONTH = 30


def forecast(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    link: Annotated[str | None, typer.Argument(help="Part of the link's name. Default: all links.")] = None,
    node: Annotated[str | None, typer.Option(help="Only links of this node.")] = None,
    fabric: Annotated[str | None, typer.Option(help="Only links of this fabric.")] = None,
    state: Annotated[
        str | None,
        typer.Option(help="Only these: saturated, within_year, not_within_year or unknown."),
    ] = None,
    limit: Annotated[int, typer.Option(help="Link directions at most, the first to be full first.")] = 50,
    json: AsJson = False,
) -> None:
    """Show when each link is full, with the 80 % interval and the error of the back-test.

    If LINK names one link, its history and trend as well.
    """
    run = session(context)
    wanted = {"q": link, "node": node, "fabric": fabric, "forecast": state, "limit": limit}
    answer = run.api.get("/capacity/forecast", site=run.site, **wanted)
    found = read(Forecasts, answer)
    if json:
        as_json(answer)
        return
    print_lines(heading(found.status.headline))
    if found.items:
        head = ("link", "from", "current", "usable", "full on", "80 % interval", "back-test error")
        show(table(head, [_row(item) for item in found.items]))
    if link is not None and len({item.link for item in found.items}) == 1:
        for item in found.items:
            print_lines(_history(read(ForecastOut, run.api.get(f"/capacity/forecast/{item.id}"))))
    if found.next:
        print_lines("More link directions follow: raise --limit.")
    if found.status.error:
        print_lines(f"The last attempt failed: {found.status.error}")


def _row(item: ForecastListed) -> tuple[Cell, ...]:
    return (
        item.name,
        item.start,
        rate(item.current_bps),
        rate(item.usable_rate),
        state_label(item.state, _full_on(item)),
        _interval(item),
        "" if item.error is None else f"{percent(item.error)} (last value: {percent(item.naive_error)})",
    )


def _full_on(item: ForecastListed) -> str:
    if item.is_stale:
        return f"no forecast: the newest is of {item.day}"
    match item.forecast:
        case "saturated":
            return "saturated"
        case "within_year":
            return str(item.full_on)
        case "not_within_year":
            return "not within a year"
        case _:
            return f"no forecast: {item.reason}"


def _interval(item: ForecastListed) -> str:
    if item.is_stale or item.earliest is None:
        return ""
    return f"{item.earliest} to {_later(item.latest)}"


def _history(item: ForecastOut) -> str:
    """Its days, and the trend on the newest one and a month later."""
    known = sum(value is not None for value in item.values)
    text = f"From {item.start}: {count(known, 'day')} with a value since {item.days[0]}"
    newest = item.days.index(item.day) if item.day in item.days else -1
    if item.is_stale or newest < 0 or len(item.trend) <= newest + MONTH:
        return f"{text}."
    return f"{text}; trend {rate(item.trend[newest])}, in {MONTH} days {rate(item.trend[newest + MONTH])}."


def _later(day: date | None) -> str:
    return "later" if day is None else str(day)
