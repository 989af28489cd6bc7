"""`sites list|import`, `storage`, `health`, `whoami`: the installation and its sites."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from backstay_cli.errors import WRONG
from backstay_cli.output import as_json, print_lines
from backstay_cli.resources import ListSpec, list_all, print_list, print_object
from backstay_cli.session import AsJson, session
from backstay_cli.text import byte_size

SITES = ListSpec(
    "/sites", "site", ("name", "title", "last_reported_at", "imported_at", "interval_s"), ("rate_scale", "id")
)
LEVELS = ListSpec(
    "/storage",
    "level",
    ("level", "days", "bytes", "daily_bytes", "predicted_bytes"),
    ("is_own", "all_sites_bytes"),
)
DISKS = ListSpec("/storage", "disk", ("name", "free_bytes", "full_at", "why_unknown"))


def list_sites(context: typer.Context, json: AsJson = False) -> None:
    """List the sites that you may see."""
    list_all(session(context), SITES, json=json)


def import_site(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Site file.", exists=True, dir_okay=False)],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show how much it would change.")] = False,
    json: AsJson = False,
) -> None:
    """Create or change a site from its site file (YAML)."""
    run = session(context)
    body = {"text": file.read_text(encoding="utf-8", errors="replace"), "name": file.name, "dry_run": dry_run}
    answer = run.api.post("/site-files", body)
    if json:
        as_json(answer)
        return
    numbers = ", ".join(f"{answer[name]} {name}" for name in ("created", "changed", "removed", "unchanged"))
    print_lines(f"{answer['site']}: {numbers}" + ("; nothing was stored" if dry_run else ""))


def storage(context: typer.Context, json: AsJson = False) -> None:
    """Show how much the history of a site takes, how it grows, and when disks are full."""
    run = session(context)
    answer: Any = run.api.get("/storage", site=run.site)
    if json:
        as_json(answer)
        return
    print_list(LEVELS, {"items": answer["levels"]}, json=False)
    print_lines("")
    print_list(DISKS, {"items": answer["disks"]}, json=False)
    print_lines(f"Database: {byte_size(answer['database_bytes'])}")
    archive = answer.get("archive")
    if archive is not None:
        print_lines(
            f"Archive: {archive['days']} days, {byte_size(archive['bytes'])}, {archive['waiting']} waiting"
        )
        print_lines(*archive["problems"])


def health(context: typer.Context, json: AsJson = False) -> None:
    """Show whether Backstay itself works: database, queue, ingest, workers, alert rules.

    Exit code 1: a part has failed.
    """
    answer = session(context).api.get("/health")
    print_object(answer, json=json)
    if answer.get("failures"):
        raise typer.Exit(WRONG)


def whoami(context: typer.Context, json: AsJson = False) -> None:
    """Show as whom you are signed in, and with which role."""
    run = session(context)
    answer = run.api.get("/session")
    if json:
        as_json(answer)
    else:
        name = f" ({answer['name']})" if answer.get("name") else ""
        print_lines(f"{answer['username']}{name}, {answer['role']} at {run.api.url}")
