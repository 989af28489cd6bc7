"""`events differences`: what is different at the site than at an earlier moment."""

from __future__ import annotations

from typing import Annotated

import typer

from backstay_cli.models import DifferentIncident, DifferentObject, DifferentPaths, SiteDifferences
from backstay_cli.output import Cell, as_json, heading, print_lines, show, table
from backstay_cli.reading import read
from backstay_cli.session import AsJson, session
from backstay_cli.text import clock, count


def differences(
    context: typer.Context,
    since: Annotated[str, typer.Option(help="The earlier moment: yesterday, now-8h, 13:50.")] = "now-1d",
    until: Annotated[str, typer.Option(help="The later moment.")] = "now",
    json: AsJson = False,
) -> None:
    """Compare two moments: new and resolved incidents, nodes, ports, paths, and what people did.

    What changed in between and is as it was is only counted.
    """
    run = session(context)
    answer = run.api.get("/differences", site=run.site, start=since, end=until)
    if json:
        as_json(answer)
        return
    found = read(SiteDifferences, answer)
    print_lines(f"{clock(found.end)} compared with {clock(found.start)}", heading(found.headline))
    _incidents("New incidents", found.opened, found.opened_total)
    _incidents("Resolved incidents", found.resolved, found.resolved_total)
    _objects("Nodes", found.nodes, found.nodes_total)
    _objects("Ports", found.ports, found.ports_total)
    _paths(found.paths, found.paths_total)
    if found.actions:
        print_lines("", heading(f"Changes and actions: {found.actions_total}"))
        show(table(("time", "what"), [(clock(item.since), item.message) for item in found.actions]))
    if found.passed:
        print_lines("", f"{count(found.passed, 'incident')} opened and resolved in between.")
    if found.returned:
        print_lines(f"{count(found.returned, 'object')} changed in between and returned.")
    if found.start < found.known_since:
        print_lines(f"Events before {clock(found.known_since)} are removed: earlier differences are missing.")


def _incidents(title: str, items: list[DifferentIncident], total: int) -> None:
    if items:
        rows: list[tuple[Cell, ...]] = [
            (f"#{item.id}", item.state, clock(item.since), clock(item.resolved_at), item.title)
            for item in items
        ]
        print_lines("", heading(f"{title}: {total}"))
        show(table(("id", "severity", "since", "resolved", "title"), rows))


def _objects(title: str, items: list[DifferentObject], total: int) -> None:
    if items:
        print_lines("", heading(f"{title}: {total}"))
        rows: list[tuple[Cell, ...]] = [
            (item.name, item.before, item.after, clock(item.at)) for item in items
        ]
        show(table(("name", "before", "after", "changed"), rows))


def _paths(items: list[DifferentPaths], total: int) -> None:
    if items:
        print_lines("", heading(f"Paths: {total}"))
        rows: list[tuple[Cell, ...]] = [
            (
                item.policy,
                item.before or "none",
                item.after or "none",
                str(item.paths),
                ", ".join(item.nodes),
                clock(item.at),
            )
            for item in items
        ]
        show(table(("policy", "before", "after", "paths", "nodes", "changed"), rows))
