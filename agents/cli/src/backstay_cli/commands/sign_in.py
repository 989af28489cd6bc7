"""`sign-in`, `sign-out`: keep an address and a token for the next commands."""

from __future__ import annotations

import os
import sys
from typing import Annotated
from urllib.parse import urlsplit

import typer

from backstay_cli import account
from backstay_cli.api import Api
from backstay_cli.errors import Usage
from backstay_cli.models import Person, SiteListed
from backstay_cli.output import as_json, say, tell
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, session
from backstay_cli.text import names, shown

_HERE = {"localhost", "127.0.0.1", "::1"}


def sign_in(
    context: typer.Context,
    url: Annotated[
        str | None, typer.Argument(metavar="[URL]", help="Where Backstay is, e.g. https://backstay.example.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Keep address and token, after trying them.

    The token is asked for unseen, or read as a line of standard input; it is never an argument, because
    those can be read by every user of the machine. `backstay --site NAME sign-in` keeps the site too.
    """
    known = account.origin(
        url or os.environ.get("BACKSTAY_URL") or typer.prompt("Address of Backstay", err=True)
    )
    parts = urlsplit(known)
    if parts.scheme == "http" and parts.hostname not in _HERE:
        tell(
            f"{known} is not encrypted: whoever is on the way can read the token. Use https.", style="yellow"
        )
    token = _token()
    api = Api(account.Account(known, token))
    answer = api.get("/session")
    person = read(Person, answer)
    site = _site(api, session(context).named_site)
    path = account.keep(account.Account(known, token, site), os.environ)
    if json:
        as_json(answer)
    else:
        at = f", at the site {site}" if site else ""
        say(f"Signed in at {known} as {person.username} ({person.role}){at}. Kept in {path}.")


def _token() -> str:
    if sys.stdin.isatty():
        token: str = typer.prompt("Token", hide_input=True, err=True)
    else:
        token = sys.stdin.readline()
    if not token.strip():
        raise Usage("There was no token: type it, or pipe it in as one line.")
    return token.strip()


def _site(api: Api, wanted: str | None) -> str:
    if wanted is None:
        return ""
    known = [item.name for item in read_all(SiteListed, api.get("/sites"))]
    if wanted not in known:
        raise Usage(f"There is no site {shown(wanted)} that you may see; there are: {shown(names(known))}.")
    return wanted


def sign_out() -> None:
    """Forget address and token on this machine."""
    gone = account.forget(os.environ)
    say("Address and token are forgotten here." if gone else "Nobody was signed in here.")
    if os.environ.get("BACKSTAY_TOKEN"):
        tell("BACKSTAY_TOKEN is set and still signs you in: unset it.", style="yellow")
