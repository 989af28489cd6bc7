"""`status`: the overview in the terminal."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from backstay_cli.errors import WRONG, Usage
from backstay_cli.models import ChangeOut, Overview, OverviewTile, PastOverview, PastTile
from backstay_cli.output import as_json, heading, print_lines, print_note, show, state_label, table
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, AsOf, Session, session
from backstay_cli.text import clock, count, length, period, seconds_left, shown

TITLES = {
    "problems": "Problems",
    "nearly_full": "Nearly full",
    "recent_changes": "Recent changes",
    "awaiting_confirmation": "Awaiting confirmation",
    "not_reporting": "Not reporting",
    "worst_paths": "Worst paths",
    "failovers": "Failovers",
    "outages": "Outages",
    "not_measured": "Not measured",
}
RANGES = {"recent_changes", "failovers", "outages"}
"""Tiles whose items have a period."""


def status(
    context: typer.Context,
    brief: Annotated[bool, typer.Option("--brief", help="One line of counts.")] = False,
    at: AsOf = None,
    json: AsJson = False,
) -> None:
    """Show the overview of a site.

    Lists problems, nearly full links, recent changes, changes that await confirmation, and nodes that are not
    reporting. Exit code 1: there are problems. With --as-of, the state at that time with the failovers and
    outages of the six hours before; what history does not keep is named.
    """
    run = session(context)
    if brief and at is not None:
        raise Usage("--brief counts the present: leave it out, or leave out --as-of.")
    if brief:
        _counts(run, json=json)
        return
    if at is not None:
        _past(run, at, json=json)
        return
    answer = run.api.get("/overview", site=run.site)
    overview = read(Overview, answer)
    if json:
        as_json(answer)
    else:
        _print(overview)
    if any(item.kind == "problems" and item.total for item in overview.tiles):
        raise typer.Exit(WRONG)


def _past(run: Session, at: str, *, json: bool) -> None:
    """The overview at a past moment."""
    answer = run.api.get("/overview/past", site=run.site, at=at)
    overview = read(PastOverview, answer)
    if json:
        as_json(answer)
    else:
        _print_head(overview)
        for tile in overview.tiles:
            _print_tile(overview, tile)
        print_lines("")
        print_lines(f"Not kept: {'; '.join(overview.not_kept)}.")
    if any(item.kind == "problems" and item.total for item in overview.tiles):
        raise typer.Exit(WRONG)


def _counts(run: Session, *, json: bool) -> None:
    """Incidents, changes and messages that need somebody, cheap enough to repeat every few seconds."""
    answer = run.api.get("/overview/counts", site=run.site)
    if json:
        as_json(answer)
    else:
        incidents, causes = answer["open_incidents"], answer["root_causes"]
        print_lines(
            f"{count(incidents, 'open incident')}, {count(causes, 'root cause')},"
            f" {count(answer['awaiting'], 'change')} awaiting confirmation,"
            f" {answer['failed_deliveries']} failed messages"
        )
    if answer["root_causes"]:
        raise typer.Exit(WRONG)


def _print(overview: Overview) -> None:
    _print_head(overview)
    for tile in overview.tiles:
        _print_tile(overview, tile)


def _print_head(overview: Overview | PastOverview) -> None:
    scale = overview.site.rate_scale
    lab = f"; rates are {scale:g} of the real ones" if scale != 1 else ""
    print_lines(
        heading(
            f"{overview.site.title or overview.site.name} ({overview.site.name}), {clock(overview.at)}{lab}"
        )
    )
    print_lines(overview.headline)
    print_lines(
        f"Of {count(overview.paths_total, 'path')} {overview.paths_dead} dead,"
        f" {overview.paths_on_fallback} on a fallback, {overview.paths_unknown} unknown;"
        f" {count(overview.open_incidents, 'open incident')}, {count(overview.root_causes, 'root cause')}"
    )
    if overview.held_nodes:
        print_lines(f"{count(overview.held_nodes, 'node')} held: backstay holds")


def _print_tile(overview: Overview | PastOverview, tile: OverviewTile | PastTile) -> None:
    print_lines("")
    print_lines(heading(f"{TITLES.get(tile.kind, tile.kind)}: {tile.total or 'none'}"))
    if tile.lag:
        print_lines(shown(tile.lag))
    if tile.items:
        show(_items(overview, tile))


def _items(overview: Overview | PastOverview, tile: OverviewTile | PastTile) -> Table:
    rows = []
    for item in tile.items:
        since = "" if item.since is None else length((overview.at - item.since).total_seconds())
        detail = Text(shown(item.detail))
        if tile.kind in RANGES and item.since is not None:
            since = period(item.since, item.until)
        if item.confirm_by is not None:
            left = (item.confirm_by - overview.at).total_seconds()
            detail = Text(
                f"{shown(item.detail)}; {length(left)} until the guards roll back", style="bold yellow"
            )
        if item.refusal:
            detail += Text(f" {shown(item.refusal)}", style="dim")
        rows.append((state_label(item.state), item.title, detail, since))
    return table(("state", "what", "", "since"), rows)


def remind(run: Session) -> None:
    """Print running countdowns, with the commands to confirm or roll back, on every list command."""
    for item in read_all(ChangeOut, run.api.items("/changes", site=run.site, state="confirming")):
        print_note(
            f"Change {item.name} is rolled back in {length(seconds_left(item))}:"
            f" backstay confirm {item.id}, or backstay roll-back {item.id} --reason WHY.",
            style="bold yellow",
        )
