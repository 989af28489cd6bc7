"""`sign-in`, `sign-out`: store an address and a token for later commands."""

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
from backstay_cli.output import as_json, print_lines, print_note
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, session
from backstay_cli.text import names, shown

_HERE = {"localhost", "127.0.0.1", "::1"}


def sign_in(
    context: typer.Context,
    url: Annotated[
        str | None,
        typer.Argument(
            metavar="[URL]", help="Address of Backstay, e.g. https://backstay.example; default: a prompt."
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Test the server's address and a token, and store them.

    The command prompts for the token without echo, or reads it from standard input. The token is never an
    argument, because every user of the machine can read arguments. `backstay --site NAME sign-in` stores the
    site as well.
    """
    known = account.origin(
        url or os.environ.get("BACKSTAY_URL") or typer.prompt("Address of Backstay", err=True)
    )
    parts = urlsplit(known)
    if parts.scheme == "http" and parts.hostname not in _HERE:
        print_note(
            f"{known} is not encrypted: others on the network can read the token. Use https.", style="yellow"
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
        at = f", at site {site}" if site else ""
        print_lines(f"Signed in at {known} as {person.username} ({person.role}){at}. Stored in {path}.")


def _token() -> str:
    if sys.stdin.isatty():
        token: str = typer.prompt("Token", hide_input=True, err=True)
    else:
        token = sys.stdin.readline()
    if not token.strip():
        raise Usage("No token was given: type it, or pipe it in as one line.")
    return token.strip()


def _site(api: Api, wanted: str | None) -> str:
    if wanted is None:
        return ""
    known = [item.name for item in read_all(SiteListed, api.get("/sites"))]
    if wanted not in known:
        raise Usage(f"No site named {shown(wanted)}; available: {shown(names(known))}.")
    return wanted


def sign_out() -> None:
    """Delete the stored address and token."""
    gone = account.forget(os.environ)
    print_lines("The stored address and token were deleted." if gone else "No sign-in was stored.")
    if os.environ.get("BACKSTAY_TOKEN"):
        print_note("BACKSTAY_TOKEN is set and still signs you in: unset it.", style="yellow")
