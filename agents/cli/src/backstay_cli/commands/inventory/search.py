"""`find`: search over every object of a site."""

from __future__ import annotations

from typing import Annotated

import typer

from backstay_cli.models import SearchResults
from backstay_cli.output import as_json, print_lines, show, table
from backstay_cli.reading import read
from backstay_cli.session import AsJson, session


def find(
    context: typer.Context,
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="Words, an address, a prefix or a hardware address.")
    ],
    limit: Annotated[int, typer.Option(min=1, max=20, help="Most results of each kind.")] = 5,
    json: AsJson = False,
) -> None:
    """Find objects by name, address or hardware address.

    Similar names are listed if no object contains the words.
    """
    run = session(context)
    answer = run.api.get("/search", site=run.site, q=text, limit=limit)
    if json:
        as_json(answer)
        return
    found = read(SearchResults, answer)
    rows = [(item.kind, item.name, item.detail, item.why, item.url) for item in found.items]
    if rows:
        show(table(("kind", "name", "detail", "why", "page"), rows))
    else:
        print_lines(f"Nothing matches {found.query!r}.")
