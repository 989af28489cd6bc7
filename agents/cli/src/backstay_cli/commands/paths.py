"""`paths`, `move`: observed paths and temporary moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, Any

import typer
from rich.text import Text

from backstay_cli import completion, polling
from backstay_cli.commands.status import remind
from backstay_cli.errors import Undone, Usage
from backstay_cli.models import MoveOut, PathGroupOut, PathOut
from backstay_cli.output import Extra, as_json, print_lines, print_note, show, state_label, table
from backstay_cli.reading import read, read_all
from backstay_cli.resources import print_object
from backstay_cli.session import AsJson, AsOf, Reason, Session, Since, Until, View, session
from backstay_cli.states import fact_label
from backstay_cli.text import clock, count, length, milliseconds, seconds_of, shown

HEAD = (
    "id",
    "node",
    Extra("policy"),
    Extra("prefix"),
    "active",
    "path",
    "state",
    "since",
    "standby",
    Extra("last outage"),
    Extra("rtt"),
    Extra("engine"),
)

GROUP_HEAD = ("paths", Extra("policy"), "state", "since", "standby", "root cause")

NOT_KEPT = "not kept"
"""A fact of a past moment that history does not have."""
AT_ONCE = 500
"""Paths of one request for timelines."""
PathName = Annotated[
    str,
    typer.Argument(
        metavar="PATH", help="Number of the path, or name of its node.", autocompletion=completion.paths
    ),
]
PathPolicy = Annotated[
    str | None,
    typer.Option(
        "--policy",
        help="Policy of the path, if the node has several paths.",
        autocompletion=completion.policies,
    ),
]


def paths(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    policy: Annotated[
        str | None, typer.Option(help="Only paths of this policy.", autocompletion=completion.policies)
    ] = None,
    node: Annotated[
        str | None, typer.Option(help="Only paths of this node.", autocompletion=completion.nodes)
    ] = None,
    state: Annotated[
        str | None, typer.Option(help="Only paths in this state: ok, warning, critical, unknown or disabled.")
    ] = None,
    at: AsOf = None,
    view: View = None,
    json: AsJson = False,
) -> None:
    """Show the active and standby gateways of each path.

    With --as-of, what history does not keep is shown as "not kept".
    """
    run = session(context)
    answer = run.listing("/paths", view=view, policy=policy, node=node, state=state, at=at)
    known = read_all(PathOut, answer)
    if json:
        as_json(answer)
        return
    if known:
        show(table(HEAD, [_row(item) for item in known]))
    print_lines(f"{count(len(known), 'path')}, {_summary(known)}")
    remind(run)


def _summary(paths: Sequence[PathOut]) -> str:
    """`1 on a fallback, 2 dead`; states other than working only if a path has them."""
    states = Counter(path.end_to_end for path in paths)
    parts = [f"{sum(path.placement == 'fallback' for path in paths)} on a fallback"]
    parts += [f"{states[state]} {state}" for state in ("dead", "unverified", "unknown") if states[state]]
    return ", ".join(parts)


def _row(path: PathOut) -> tuple[str | Text, ...]:
    active = path.active or "no route"
    if path.placement == "fallback":
        active = f"{active} (fallback of {path.preferred})"
    if path.move is not None and path.move.state == "moved":
        active = f"{active}, moved until {clock(path.move.until)}"
    if path.hold is not None:
        active = f"{active}, {path.hold.text}"
    saved = ", would change on reboot" if path.saved == "would change on reboot" else ""
    return (
        str(path.id),
        path.node,
        path.policy,
        path.prefix,
        active,
        fact_label("end_to_end", path.end_to_end),
        state_label(path.state, path.state_text),
        length(path.age_s),
        _standby(path),
        _outage(path),
        milliseconds(path.rtt_ms),
        NOT_KEPT if path.standby is None else f"{path.engine or 'not managed'}{saved}",
    )


def _outage(path: PathOut) -> str:
    """`300 ms, 2026-11-21 12:00:01`; when it began and how long it lasted."""
    outage = path.last_outage
    return "-" if outage is None else f"{outage.text}, {clock(outage.start)}"


def _standby(path: PathOut) -> Text:
    """The best standby, then the gateways that could not take over."""
    if path.standby is None:
        return Text(NOT_KEPT)
    label = fact_label("standby", path.standby)
    if path.standby_dead and path.standby != "dead":
        label.append(f", dead: {shown(', '.join(path.standby_dead))}", style="red")
    return label


def path_groups(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    policy: Annotated[
        str | None, typer.Option(help="Only paths of this policy.", autocompletion=completion.policies)
    ] = None,
    node: Annotated[
        str | None, typer.Option(help="Only paths of this node.", autocompletion=completion.nodes)
    ] = None,
    state: Annotated[
        str | None, typer.Option(help="Only paths in this state: ok, warning, critical, unknown or disabled.")
    ] = None,
    at: AsOf = None,
    json: AsJson = False,
) -> None:
    """Show paths in groups that share gateway, state and cause, the worst first."""
    run = session(context)
    answer = run.listing("/paths/groups", policy=policy, node=node, state=state, at=at)
    if json:
        as_json(answer)
        return
    known = read_all(PathGroupOut, answer)
    if known:
        show(table(GROUP_HEAD, [_group_row(item) for item in known]))
    paths = sum(item.paths for item in known)
    print_lines(f"{count(paths, 'path')} in {count(len(known), 'group')}")


def _group_row(group: PathGroupOut) -> tuple[str | Text, ...]:
    return (
        f"{group.text} (draft)" if group.in_force is False else group.text,
        group.policy,
        state_label(group.state, group.end_to_end),
        clock(group.since),
        NOT_KEPT if group.standby is None else fact_label("standby", group.standby),
        "-" if group.cause is None else f"{group.cause.text} (incident {group.cause.id})",
    )


def show_path(
    context: typer.Context, path: PathName, policy: PathPolicy = None, json: AsJson = False
) -> None:
    """Show one path: gateways, state, standby, moves, last outage."""
    run = session(context)
    print_object(run.api.get(f"/paths/{run.path(path, policy).id}"), json=json)


def path_history(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    path: Annotated[
        str | None,
        typer.Argument(
            metavar="[PATH]",
            help="Number of a path, or name of its node; default: all.",
            autocompletion=completion.paths,
        ),
    ] = None,
    policy: PathPolicy = None,
    since: Since = None,
    until: Until = None,
    json: AsJson = False,
) -> None:
    """Show the failovers and outages of a path, or of all paths, newest last; default: the last hour."""
    run = session(context)
    if path is None:
        chosen = read_all(PathOut, run.listing("/paths", policy=policy))
    else:
        chosen = [run.path(path, policy)]
    names_of = {item.id: item.name for item in chosen}
    answer: list[dict[str, Any]] = []
    for batch in _batches(list(names_of)):
        answer += run.api.get("/paths/timelines", site=run.site, path=batch, start=since, end=until)
    if json:
        as_json(answer)
        return
    rows = sorted(
        (row for item in answer for row in _steps(names_of[item["path_id"]], item)), key=lambda row: row[0]
    )
    if rows:
        show(table(("at", "path", "event", "outage"), [(clock(at), *texts) for at, *texts in rows]))
    print_lines(f"{count(len(rows), 'event')} of {count(len(names_of), 'path')}")


def _batches(idents: list[int]) -> Iterator[list[int]]:
    for start in range(0, len(idents), AT_ONCE):
        yield idents[start : start + AT_ONCE]


def _steps(name: str, timeline: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """(time, path, event, outage) of each failover, and of each outage that no failover ended."""
    switched = {item["outage_ms"] for item in timeline["switches"]}
    for item in timeline["switches"]:
        event = f"{item['from_gateway'] or 'no route'} to {item['to_gateway'] or 'no route'}"
        yield datetime.fromisoformat(item["at"]), name, event, item["outage_text"] or "-"
    for item in timeline["outages"]:
        if item["duration_ms"] not in switched:
            yield datetime.fromisoformat(item["start"]), name, item["cause_text"], item["text"]


def path_decisions(
    context: typer.Context,
    path: PathName,
    policy: PathPolicy = None,
    since: Since = None,
    json: AsJson = False,
) -> None:
    """Show what the checker of a path's node decided and why, with moves and outages."""
    run = session(context)
    print_object(run.api.get(f"/paths/{run.path(path, policy).id}/timeline", since=since), json=json)


def move(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    path: Annotated[
        str,
        typer.Argument(
            metavar="PATH", help="Number of the path, or name of its node.", autocompletion=completion.paths
        ),
    ],
    gateway: Annotated[
        str | None,
        typer.Argument(
            metavar="[GATEWAY]", help="The path's gateway to move to.", autocompletion=completion.gateways
        ),
    ] = None,
    for_time: Annotated[str, typer.Option("--for", metavar="TIME", help="Duration of the move.")] = "10m",
    policy: Annotated[
        str | None,
        typer.Option(
            help="Policy of the path, if the node has several paths.", autocompletion=completion.policies
        ),
    ] = None,
    back: Annotated[bool, typer.Option("--back", help="End the move now.")] = False,
    reason: Reason = "",
    wait: Annotated[bool, typer.Option("--wait", help="Wait until the node has moved or returned.")] = False,
    json: AsJson = False,
) -> None:
    """Move a path to a gateway for a limited time.

    When the time is over, the node moves the path back by itself, even without Backstay.
    """
    if back == (gateway is not None):
        raise Usage("Use either GATEWAY or --back, not both.")
    seconds = seconds_of(for_time)
    run = session(context)
    found = run.path(path, policy)
    if back:
        answer = run.api.delete(f"/paths/{found.id}/move")
    else:
        body = {"gateway": gateway, "seconds": seconds, "reason": reason}
        answer = run.api.post(f"/paths/{found.id}/move", body)
    asked = read(MoveOut, answer)
    if wait:
        answer = _settled(run, found, asked, back=back) or answer
    _print_move(found, answer, as_answer=json)


def _settled(run: Session, path: PathOut, asked: MoveOut, *, back: bool) -> Any:
    """The move's last answer once it is done or over; None if the path no longer has it."""

    def look() -> Any:
        return run.api.get(f"/paths/{path.id}").get("move")

    def settled(answer: Any) -> bool:
        move = None if answer is None else read(MoveOut, answer)
        if move is None or move.id != asked.id:
            return True
        return move.state in ({"returned", "refused", "failed"} | (set() if back else {"moved"}))

    newest = polling.until(look, settled, show=lambda _: None, silent=lambda error: print_note(str(error)))
    return newest if newest is None or newest["id"] == asked.id else None


def _print_move(path: PathOut, answer: Any, *, as_answer: bool) -> None:
    move = read(MoveOut, answer)
    if as_answer:
        as_json(answer)
    else:
        until = f" until {clock(move.until)}" if move.until is not None else ""
        detail = f": {move.detail}" if move.detail else ""
        print_lines(f"{path.name} to {move.gateway}: {move.state}{until}{detail}")
    if move.state in {"refused", "failed"}:
        raise Undone(f"The move was {move.state}: {shown(move.detail) or 'the node gave no reason'}.")
