"""`windows ...`: maintenance windows, and their exchange with calendars."""

from __future__ import annotations

import datetime as clocks
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urljoin

import typer

from backstay_cli.errors import Usage
from backstay_cli.models import (
    CalendarFeedOut,
    CalendarFileOut,
    FabricOut,
    MaintenanceWindowDetail,
    MaintenanceWindowOut,
    NewCalendarFeedOut,
    PortOut,
)
from backstay_cli.output import as_json, heading, print_lines, show, table
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, Reason, Session, number_of, session
from backstay_cli.text import clock, count, length, names, period, seconds_of, shown

KEPT = ("site", "excluded", "added", "mutes_notifications", "pauses_rules", "pauses_tests")
HEAD = ("id", "state", "window", "for", "current or next", "recurs", "stops")
Objects = Annotated[
    list[str],
    typer.Option(
        "--for",
        help="An object: site, node:NAME, link:NAME, port:NODE:PORT, fabric:NAME, policy:NAME; repeatable.",
    ),
]
Notify = Annotated[bool, typer.Option("--notify", help="Notifications are sent.")]
NoRules = Annotated[bool, typer.Option("--no-incidents", help="No incident opens.")]
Tests = Annotated[bool, typer.Option("--tests", help="Throughput tests start.")]
Number = Annotated[str, typer.Argument(metavar="N", help="Number of a window.")]


def windows(
    context: typer.Context,
    state: Annotated[str | None, typer.Option(help="active, scheduled or over.")] = None,
    json: AsJson = False,
) -> None:
    """List maintenance windows, the next one first."""
    run = session(context)
    answer = run.api.items("/maintenance-windows", site=run.site, state=state)
    if json:
        as_json(answer)
        return
    known = read_all(MaintenanceWindowOut, answer)
    if known:
        show(table(HEAD, [_row(item) for item in known]))
    print_lines(count(len(known), "maintenance window"))


def show_window(context: typer.Context, number: Number, json: AsJson = False) -> None:
    """Show a window: what it covers, and its next times."""
    _print(session(context).api.get(f"/maintenance-windows/{number_of(number)}"), json=json)


def new(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the window.")],
    objects: Objects,
    start: Annotated[
        str, typer.Option("--from", help="Start: now, or a local time such as 2026-12-01T22:00.")
    ] = "now",
    lasts: Annotated[str, typer.Option("--lasts", help="Length of each occurrence.")] = "1h",
    zone: Annotated[str, typer.Option(help="IANA time zone in which it recurs.")] = "UTC",
    rule: Annotated[str, typer.Option(help="RRULE of RFC 5545, e.g. FREQ=WEEKLY;BYDAY=SU.")] = "",
    reason: Reason = "",
    notify: Notify = False,
    no_incidents: NoRules = False,
    tests: Tests = False,
    json: AsJson = False,
) -> None:
    """Plan a maintenance window, once or recurring."""
    run = session(context)
    body = {
        "site": run.one_site(),
        "name": name,
        "reason": reason,
        "starts_at": _start(start),
        "duration_s": int(seconds_of(lasts)),
        "zone": zone,
        "rule": rule,
        "targets": _targets(run, objects),
        **_switches(notify, no_incidents, tests),
    }
    _print(run.api.post("/maintenance-windows", body), json=json)


def change(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    number: Number,
    name: Annotated[str | None, typer.Option("--name", help="Name of the window.")] = None,
    objects: Annotated[
        list[str] | None,
        typer.Option("--for", metavar="OBJECT", help="All its objects, as of windows new; repeatable."),
    ] = None,
    start: Annotated[str | None, typer.Option("--from", help="Start: now, or a local time.")] = None,
    lasts: Annotated[str | None, typer.Option("--lasts", help="Length of each occurrence.")] = None,
    zone: Annotated[str | None, typer.Option(help="IANA time zone in which it recurs.")] = None,
    rule: Annotated[str | None, typer.Option(help="RRULE of RFC 5545; empty: once.")] = None,
    reason: Annotated[str | None, typer.Option("--reason", help="Reason, stored with the window.")] = None,
    json: AsJson = False,
) -> None:
    """Change a maintenance window; what is not named stays."""
    run = session(context)
    path = f"/maintenance-windows/{number_of(number)}"
    known = run.api.get(path)
    given = {
        "name": name,
        "reason": reason,
        "starts_at": None if start is None else _start(start),
        "duration_s": None if lasts is None else int(seconds_of(lasts)),
        "zone": zone,
        "rule": rule,
        "targets": None if objects is None else _targets(run, objects),
    }
    kept = {field: known[field] for field in (*given, *KEPT)}
    kept["targets"] = [{"kind": item["kind"], "id": item["id"]} for item in known["targets"]]
    _print(
        run.api.put(path, kept | {field: value for field, value in given.items() if value is not None}),
        json=json,
    )


def end(context: typer.Context, number: Number, json: AsJson = False) -> None:
    """End the occurrence that takes place now; later ones stay."""
    _print(session(context).api.post(f"/maintenance-windows/{number_of(number)}/end", {}), json=json)


def remove(context: typer.Context, number: Number) -> None:
    """Delete a window; one that takes place now ends."""
    session(context).api.delete(f"/maintenance-windows/{number_of(number)}")
    print_lines("The maintenance window is deleted.")


def import_file(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="iCalendar file.", exists=True, dir_okay=False)
    ],
    objects: Objects,
    zone: Annotated[str, typer.Option(help="Time zone of times without one.")] = "UTC",
    notify: Notify = False,
    no_incidents: NoRules = False,
    tests: Tests = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what it would do.")] = False,
    json: AsJson = False,
) -> None:
    """Make windows of the events of a calendar file; events that were imported before change theirs.

    Exit code 1: some events cannot be imported.
    """
    run = session(context)
    body = {
        "site": run.one_site(),
        "text": file.read_text(encoding="utf-8", errors="replace"),
        "zone": zone,
        "targets": _targets(run, objects),
        "dry_run": dry_run,
        **_switches(notify, no_incidents, tests),
    }
    answer = run.api.post("/maintenance-windows/import", body)
    done = read(CalendarFileOut, answer)
    if json:
        as_json(answer)
    else:
        for event in done.events:
            following = [clock(item.begins_at) for item in event.upcoming[:3]]
            print_lines(f"{event.name}: {', '.join(following) or 'over'}")
        for problem in done.problems:
            print_lines(f"Left out: {problem.name} {problem.text}")
        print_lines(f"{count(done.created, 'window')} created, {done.changed} changed.")
    if done.problems:
        raise typer.Exit(1)


def feed(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the feed: who reads it.")],
    json: AsJson = False,
) -> None:
    """Make a secret address at which a calendar reads the windows; it is shown only now."""
    run = session(context)
    answer = run.api.post("/calendar-feeds", {"site": run.one_site(), "name": name})
    if json:
        as_json(answer)
    else:
        print_lines(urljoin(run.account.url, read(NewCalendarFeedOut, answer).path))


def feeds(
    context: typer.Context,
    delete: Annotated[str | None, typer.Option(metavar="N", help="Delete feed N.")] = None,
    json: AsJson = False,
) -> None:
    """List calendar feeds, or delete one: its address stops working."""
    run = session(context)
    if delete is not None:
        run.api.delete(f"/calendar-feeds/{number_of(delete)}")
        print_lines("The calendar feed is deleted.")
        return
    answer = run.api.items("/calendar-feeds", site=run.site)
    if json:
        as_json(answer)
        return
    known = read_all(CalendarFeedOut, answer)
    rows = [(str(item.id), item.name, item.author or "-", clock(item.created_at)) for item in known]
    show(table(("id", "feed", "by", "created"), rows))


def _row(item: MaintenanceWindowOut) -> tuple[str, ...]:
    stops = [
        *(["notifications"] if item.mutes_notifications else []),
        *(["incidents"] if item.pauses_rules else []),
        *(["tests"] if item.pauses_tests else []),
    ]
    when = "-" if item.begins_at is None else period(item.begins_at, item.ends_at)
    about = names([target.name for target in item.targets])
    return (str(item.id), item.state, item.name, about, when, item.rule or "once", ", ".join(stops) or "-")


def _print(answer: Any, *, json: bool) -> None:
    if json:
        as_json(answer)
        return
    window = read(MaintenanceWindowDetail, answer)
    print_lines(heading(f"{window.id}: {window.name}"), f"{window.state}, {length(window.duration_s)} each")
    covered = f"{count(window.nodes, 'node')}, {count(window.links, 'link')}, {count(window.paths, 'path')}"
    print_lines(f"Covers {'the whole site' if window.everything else covered}.")
    show(table(HEAD, [_row(window)]))
    for item in window.upcoming:
        print_lines(period(item.begins_at, item.ends_at))


def _switches(notify: bool, no_incidents: bool, tests: bool) -> dict[str, bool]:
    return {"mutes_notifications": not notify, "pauses_rules": no_incidents, "pauses_tests": not tests}


def _start(text: str) -> str:
    """RFC 3339; a time without an offset is of this machine's zone."""
    if text == "now":
        return clocks.datetime.now(clocks.UTC).isoformat()
    try:
        return clocks.datetime.fromisoformat(text).astimezone().isoformat()
    except ValueError as cause:
        raise Usage(f"{shown(text)} is not a time: write now or 2026-12-01T22:00.") from cause


def _targets(run: Session, texts: list[str]) -> list[dict[str, Any]]:
    return [_target(run, text) for text in texts]


def _target(run: Session, text: str) -> dict[str, Any]:
    kind, _, name = text.partition(":")
    if kind == "site":
        return {"kind": "site"}
    if not name:
        raise Usage(f"{shown(text)} is no object: write site, node:NAME, link:NAME or the like.")
    if kind == "node":
        return {"kind": kind, "id": run.node(name)}
    if kind == "link":
        return {"kind": kind, "id": run.link(name)}
    if kind == "policy":
        return {"kind": kind, "id": run.policy(name).id}
    if kind == "fabric":
        fabrics = read_all(FabricOut, run.api.items("/fabrics", site=run.one_site(), q=name))
        return {"kind": kind, "id": _named(kind, name, {item.name: item.id for item in fabrics})}
    if kind == "port":
        node, _, port = name.partition(":")
        ports = read_all(PortOut, run.api.items("/ports", site=run.one_site(), node=node))
        return {"kind": kind, "id": _named(kind, port, {item.name: item.id for item in ports})}
    raise Usage(f"{shown(kind)} is no kind of object: use site, node, link, port, fabric or policy.")


def _named(kind: str, name: str, known: dict[str, int]) -> int:
    if name not in known:
        raise Usage(f"No {kind} named {shown(name)}: there are {shown(names(sorted(known)))}.")
    return known[name]
