"""`views ...`: filters, sort and columns of lists that people saved on the pages."""

from __future__ import annotations

from typing import Annotated

import typer

from backstay_cli.errors import Usage
from backstay_cli.models import SavedViewOut
from backstay_cli.output import print_lines
from backstay_cli.reading import read_all
from backstay_cli.resources import ListSpec, list_all, print_object
from backstay_cli.session import AsJson, Search, session
from backstay_cli.text import shown

VIEWS = ListSpec(
    "/saved-views", "view", ("name", "list_name", "filters", "sort"), ("owner", "is_shared", "changed_at")
)
Of = Annotated[
    str | None, typer.Option("--of", metavar="LIST", help="Only views of this list, such as links.")
]
Name = Annotated[str, typer.Argument(metavar="VIEW", help="Name or number of a view.")]


def list_views(context: typer.Context, of: Of = None, search: Search = None, json: AsJson = False) -> None:
    """List your own saved views and those that are shared with the site."""
    list_all(session(context), VIEWS, json=json, list_name=of, q=search)


def show_view(context: typer.Context, name: Name, of: Of = None, json: AsJson = False) -> None:
    """Show one saved view: filters, sort, columns."""
    answer, _ = session(context).saved_view(name, of)
    print_object(answer, json=json)


def save_view(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the view.")],
    of: Annotated[str, typer.Option("--of", metavar="LIST", help="The list: its path in the API.")],
    filters: Annotated[
        list[str] | None, typer.Option("--filter", help="NAME=VALUE, as the API's list takes it; repeatable.")
    ] = None,
    sort: Annotated[str, typer.Option(help="Field to sort by; - in front: descending.")] = "",
    column: Annotated[
        list[str] | None, typer.Option("--column", help="Id of a column, in their order; repeatable.")
    ] = None,
    share: Annotated[bool, typer.Option("--share", help="Share it with the site.")] = False,
    json: AsJson = False,
) -> None:
    """Save a view of a list, or replace the view with that name."""
    run = session(context)
    pairs = [text.partition("=") for text in filters or []]
    if any(not equals for _, equals, _ in pairs):
        raise Usage("A filter is NAME=VALUE, such as --filter state=critical.")
    body = {
        "site": run.one_site(),
        "list_name": of,
        "name": name,
        "is_shared": share,
        "filters": {key: value for key, _, value in pairs},
        "sort": sort,
        "columns": column or [],
    }
    known = read_all(SavedViewOut, run.api.items("/saved-views", site=run.site, list_name=of, q=name))
    same = sorted((view for view in known if view.name == name), key=lambda view: not view.is_own)
    answer = run.api.put(f"/saved-views/{same[0].id}", body) if same else run.api.post("/saved-views", body)
    print_object(answer, json=json)


def delete_view(context: typer.Context, name: Name, of: Of = None) -> None:
    """Delete a saved view. A shared one needs its owner or an administrator."""
    run = session(context)
    run.one_site()
    _, view = run.saved_view(name, of)
    run.api.delete(f"/saved-views/{view.id}")
    print_lines(f"View {shown(view.name)} of {view.list_name} is deleted.")
