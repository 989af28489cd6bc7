"""`backstay-lab verify`: compare Backstay's reports with the lab's own sources."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from backstay_lab.errors import LabError
from backstay_lab.network.privilege import has_real_root
from backstay_lab.state import StateFolder
from backstay_lab.verify.api_client import ApiClient
from backstay_lab.verify.checks import lines, total
from backstay_lab.verify.session import VerifySession

SECONDS = 24.0


def verify(
    context: typer.Context,
    demo: Annotated[Path, typer.Option(help="demo.json of the running demo, for address and token.")],
    seconds: Annotated[
        float,
        typer.Option(
            min=1, max=600, help="Observation time, seconds; at least four of the site's intervals."
        ),
    ] = SECONDS,
    failures: Annotated[bool, typer.Option("--failures", help="Show only failures.")] = False,
) -> None:
    """Compare the values of the API with those of its sources.

    The sources are the kernel, snmpget, the HIPPI fabric and perfquery.
    """
    folder: StateFolder = context.obj
    lab = folder.require()
    try:
        settings = json.loads(demo.read_text(encoding="utf-8"))
        api = ApiClient(settings["url"], settings["token"], lab.site)
    except (OSError, ValueError, KeyError) as error:
        raise LabError(f"{demo} cannot be read: {error}.", "Name the demo.json of a running demo.") from error
    _hurry()
    tables = VerifySession(folder, lab, api, lambda text: typer.echo(text, err=True)).run(seconds)
    for table in tables:
        typer.echo("\n".join(lines(table, failures_only=failures)))
    passed, failed = total(tables)
    typer.echo(f"{passed} passed, {failed} failed")
    raise SystemExit(1 if failed else 0)


def _hurry() -> None:
    """Raise our priority above the observed programs: delayed readings prove less."""
    if has_real_root():
        os.nice(-10)
