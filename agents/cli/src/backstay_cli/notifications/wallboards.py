"""`wallboards ...`: screens that show a site without a sign-in."""

from __future__ import annotations

import datetime as clocks
from typing import Annotated, Any
from urllib.parse import urljoin

import typer

from backstay_cli.errors import Usage
from backstay_cli.models import NewWallboardOut, WallboardOut
from backstay_cli.output import as_json, print_lines, show, table
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, Session, number_of, session
from backstay_cli.text import SPEC, clock, count, length, seconds_of, shown

CHOICES = SPEC["wallboard"]
HEAD = ("id", "state", "wallboard", "pages", "each", "expires", "last used", "by")
Number = Annotated[str, typer.Argument(metavar="N", help="Number of a wallboard.")]
Pages = Annotated[
    list[str] | None, typer.Option("--page", help="A page of the rotation; repeatable, in their order.")
]
Seconds = Annotated[str | None, typer.Option("--every", help="How long each page is shown, such as 20s.")]
Theme = Annotated[str | None, typer.Option(help="dark, light or system.")]
Size = Annotated[str | None, typer.Option("--text", help="normal, large or largest.")]
Expires = Annotated[str | None, typer.Option("--expires", help="never, a span such as 90d, or a local time.")]


def wallboards(
    context: typer.Context,
    state: Annotated[str | None, typer.Option(help="active, expired or revoked.")] = None,
    json: AsJson = False,
) -> None:
    """List wallboards. Their links are not shown: they are shown once, when they are made."""
    run = session(context)
    answer = run.api.items("/wallboards", site=run.site, state=state)
    if json:
        as_json(answer)
        return
    known = read_all(WallboardOut, answer)
    if known:
        show(table(HEAD, [_row(item) for item in known]))
    print_lines(count(len(known), "wallboard"))


def show_wallboard(context: typer.Context, number: Number, json: AsJson = False) -> None:
    """Show a wallboard without its link."""
    _print(session(context).api.get(f"/wallboards/{number_of(number)}"), json=json)


def new(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name: where the screen is.")],
    page: Pages = None,
    every: Seconds = None,
    theme: Theme = None,
    text: Size = None,
    expires: Expires = None,
    json: AsJson = False,
) -> None:
    """Create a wallboard and print its link: whoever knows it sees the site. It is shown only now."""
    run = session(context)
    body = {"site": run.one_site(), "name": name, **_settings(page, every, theme, text, expires)}
    _print_link(run, run.api.post("/wallboards", body), json=json)


def change(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    number: Number,
    name: Annotated[str | None, typer.Option(help="Another name.")] = None,
    page: Pages = None,
    every: Seconds = None,
    theme: Theme = None,
    text: Size = None,
    expires: Expires = None,
    json: AsJson = False,
) -> None:
    """Change a wallboard; its link and what is not named stay."""
    run = session(context)
    path = f"/wallboards/{number_of(number)}"
    known = run.api.get(path)
    fields = ("site", "name", "pages", "seconds", "theme", "text_size", "expires_at")
    body = {field: known[field] for field in fields} | _settings(page, every, theme, text, expires)
    _print(run.api.put(path, body | ({} if name is None else {"name": name})), json=json)


def renew(context: typer.Context, number: Number, json: AsJson = False) -> None:
    """Print a new link; the previous one stops working at once."""
    run = session(context)
    _print_link(run, run.api.post(f"/wallboards/{number_of(number)}/renew", {}), json=json)


def revoke(context: typer.Context, number: Number) -> None:
    """Revoke a wallboard for ever: its screens go dark at once."""
    answer = session(context).api.post(f"/wallboards/{number_of(number)}/revoke", {})
    print_lines(f"The wallboard {read(WallboardOut, answer).name} is revoked.")


def _settings(
    pages: list[str] | None, every: str | None, theme: str | None, text: str | None, expires: str | None
) -> dict[str, Any]:
    """The fields of the API that the options set."""
    found: dict[str, Any] = {}
    if pages:
        found["pages"] = [_choice("pages", page) for page in pages]
    if every is not None:
        found["seconds"] = int(seconds_of(every))
    if theme is not None:
        found["theme"] = _choice("themes", theme)
    if text is not None:
        found["text_size"] = _choice("text_sizes", text)
    if expires is not None:
        found["expires_at"] = _expiry(expires)
    return found


def _choice(of: str, value: str) -> str:
    known = [choice["value"] for choice in CHOICES[of]]
    if value not in known:
        raise Usage(f"{shown(value)} is none of the {of.replace('_', ' ')}: use {', '.join(known)}.")
    return value


def _expiry(text: str) -> str | None:
    """RFC 3339; None: never. A time without an offset is of this machine's zone."""
    if text == "never":
        return None
    try:
        return clocks.datetime.fromisoformat(text).astimezone().isoformat()
    except ValueError:
        span = clocks.timedelta(seconds=seconds_of(text))
        return (clocks.datetime.now(clocks.UTC) + span).isoformat()


def _row(item: WallboardOut) -> tuple[str, ...]:
    return (
        str(item.id),
        item.state,
        item.name,
        ", ".join(item.pages),
        length(item.seconds),
        "never" if item.expires_at is None else clock(item.expires_at),
        "never" if item.used_at is None else clock(item.used_at),
        item.created_by or "-",
    )


def _print(answer: Any, *, json: bool) -> None:
    if json:
        as_json(answer)
    else:
        show(table(HEAD, [_row(read(WallboardOut, answer))]))


def _print_link(run: Session, answer: Any, *, json: bool) -> None:
    if json:
        as_json(answer)
    else:
        print_lines(urljoin(run.account.url, read(NewWallboardOut, answer).path))
