"""`status`: the first page in a terminal."""

from __future__ import annotations

import typer
from rich.table import Table
from rich.text import Text

from backstay_cli.errors import WRONG
from backstay_cli.models import ChangeOut, Overview, OverviewTile
from backstay_cli.output import as_json, heading, say, show, table, tell, word
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, Session, session
from backstay_cli.text import clock, length, seconds_left, shown

TITLES = {
    "problems": "Problems",
    "nearly_full": "Nearly full",
    "recent_changes": "Recent changes",
    "awaiting_confirmation": "Awaiting confirmation",
    "not_reporting": "Not reporting",
}


def status(context: typer.Context, json: AsJson = False) -> None:
    """Problems, nearly full links, recent and waiting changes, nodes not reporting. Exit code 1: problems."""
    run = session(context)
    answer = run.api.get("/overview", site=run.site)
    told = read(Overview, answer)
    if json:
        as_json(answer)
    else:
        _print(told)
    if any(item.kind == "problems" and item.total for item in told.tiles):
        raise typer.Exit(WRONG)


def _print(told: Overview) -> None:
    scale = told.site.rate_scale
    lab = f"; rates are {scale:g} of the real ones" if scale != 1 else ""
    say(heading(f"{told.site.title or told.site.name} ({told.site.name}), {clock(told.at)}{lab}"))
    say(told.headline)
    say(
        f"{told.paths_on_fallback} of {told.paths_total} paths on a fallback,"
        f" {told.open_incidents} open incident{'' if told.open_incidents == 1 else 's'}"
    )
    for tile in told.tiles:
        say("")
        say(heading(f"{TITLES.get(tile.kind, tile.kind)}: {tile.total or 'none'}"))
        if tile.items:
            show(_items(told, tile))


def _items(told: Overview, tile: OverviewTile) -> Table:
    rows = []
    for item in tile.items:
        since = "" if item.since is None else length((told.at - item.since).total_seconds())
        detail = Text(shown(item.detail))
        if item.confirm_by is not None:
            left = (item.confirm_by - told.at).total_seconds()
            detail = Text(f"{shown(item.detail)}; {length(left)} until the guards act", style="bold yellow")
        rows.append((word(item.state), item.title, detail, since))
    return table(("state", "what", "", "since"), rows)


def remind(run: Session) -> None:
    """On every command that lists: a countdown that runs, and the commands that answer it."""
    for item in read_all(ChangeOut, run.api.items("/changes", site=run.site, state="confirming")):
        tell(
            f"Change {item.name} is rolled back in {length(seconds_left(item))}:"
            f" backstay confirm {item.id}, or backstay roll-back {item.id} --reason WHY.",
            style="bold yellow",
        )
