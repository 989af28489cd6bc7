"""`notify channels`, `routes`, `schedules`, `save`: who is notified, when, and by which channel."""

from __future__ import annotations

import json as json_text
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.text import Text

from backstay_cli import completion
from backstay_cli.errors import WRONG, Usage
from backstay_cli.models import ChannelOut, ChannelTestOut, NotificationRouteOut, ScheduleOut
from backstay_cli.output import as_json, print_lines, show, state_label, table
from backstay_cli.reading import read
from backstay_cli.resources import ListSpec, list_all
from backstay_cli.session import AsJson, Session, session
from backstay_cli.text import clock, count, length, milliseconds, names, shown

Row = Sequence[str | Text]
Remove = Annotated[bool, typer.Option("--remove", help="Remove it.")]
PEOPLE = ListSpec("/people", "person", ("name", "has_channel"), ("id",), plural="people")
_STATES = {"ok": "ok", "failing": "critical", "untried": "unknown", "disabled": "disabled"}


@dataclass(frozen=True)
class Noun:
    """A collection of the API and how a list shows its items."""

    path: str
    label: str
    head: tuple[str, ...]
    row: Callable[[Any], Row]


def channels(
    context: typer.Context,
    name: Annotated[
        str | None, typer.Argument(metavar="[CHANNEL]", autocompletion=completion.channels)
    ] = None,
    test: Annotated[bool, typer.Option("--test", help="Send a test message now.")] = False,
    remove: Remove = False,
    json: AsJson = False,
) -> None:
    """List channels, or show, test or remove one. Secrets are never shown.

    Exit code 1: a channel fails, or the test message was not delivered.
    """
    run = session(context)
    if test:
        _test(run, named(run, CHANNEL, name), json=json)
        return
    items = _list_or_one(run, CHANNEL, name, remove=remove, json=json)
    if any(item["state"] == "failing" for item in items):
        raise typer.Exit(WRONG)


def _test(run: Session, channel: dict[str, Any], *, json: bool) -> None:
    answer = run.api.post(f"/channels/{channel['id']}/test")
    result = read(ChannelTestOut, answer)
    if json:
        as_json(answer)
    elif result.delivered:
        print_lines(f"Delivered to {channel['name']} after {milliseconds(result.took_ms)}.")
    else:
        print_lines(f"Not delivered to {channel['name']}: {result.reason}")
    if not result.delivered:
        raise typer.Exit(WRONG)


def routes(
    context: typer.Context,
    name: Annotated[
        str | None, typer.Argument(metavar="[ROUTE]", autocompletion=completion.notification_routes)
    ] = None,
    remove: Remove = False,
    json: AsJson = False,
) -> None:
    """List notification routes in the order in which they are tried, or show or remove one."""
    _list_or_one(session(context), ROUTE, name, remove=remove, json=json)


def people(context: typer.Context, json: AsJson = False) -> None:
    """List the people who can be notified or own an incident."""
    list_all(session(context), PEOPLE, json=json)


def schedules(
    context: typer.Context,
    name: Annotated[
        str | None, typer.Argument(metavar="[SCHEDULE]", autocompletion=completion.schedules)
    ] = None,
    remove: Remove = False,
    json: AsJson = False,
) -> None:
    """List on-call schedules with who is on call, or show or remove one."""
    run = session(context)
    items = _list_or_one(run, SCHEDULE, name, remove=remove, json=json)
    if name is not None and not json and not remove:
        shifts = read(ScheduleOut, items[0]).shifts
        show(
            table(
                ("person", "from", "to"), [(one.person, clock(one.start), clock(one.end)) for one in shifts]
            )
        )


def save(
    context: typer.Context,
    noun: Annotated[
        Literal["channel", "route", "schedule"], typer.Argument(metavar="channel|route|schedule")
    ],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON as in the API; - reads standard input.")],
    json: AsJson = False,
) -> None:
    """Create a channel, route or schedule, or replace the one of the same name.

    The file has the fields of the API; `--json` of the list shows them. A channel's secrets stay unless the
    file has new ones. They are never arguments, because every user of the machine can read arguments.
    """
    run, kind = session(context), NOUNS[noun]
    body = {"site": run.one_site(), **_body(file)}
    known = {item["name"]: item["id"] for item in run.api.items(kind.path, site=body["site"])["items"]}
    if body.get("name") in known:
        answer = run.api.put(f"{kind.path}/{known[body['name']]}", body)
    else:
        answer = run.api.post(kind.path, body)
    if json:
        as_json(answer)
    else:
        show(table(kind.head, [kind.row(answer)]))


def _body(file: Path) -> dict[str, Any]:
    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text()
        found = json_text.loads(text)
    except OSError as error:
        raise Usage(f"{shown(str(file))} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise Usage(f"{shown(str(file))} is not JSON: {error}.") from None
    if not isinstance(found, dict):
        raise Usage(f"{shown(str(file))} is not a JSON object.")
    return found


def _list_or_one(
    run: Session, noun: Noun, name: str | None, *, remove: bool, json: bool
) -> list[dict[str, Any]]:
    """Print what was asked for; the items."""
    if remove:
        item = named(run, noun, name)
        run.api.delete(f"{noun.path}/{item['id']}")
        print_lines(f"The {noun.label} {item['name']} was removed.")
        return []
    if name is not None:
        items = [run.api.get(f"{noun.path}/{named(run, noun, name)['id']}")]
        answer: Any = items[0]
    else:
        answer = run.api.items(noun.path, site=run.site)
        items = answer["items"]
    if json:
        as_json(answer)
        return items
    if items:
        show(table(noun.head, [noun.row(item) for item in items]))
    if name is None:
        print_lines(count(len(items), noun.label))
    return items


def named(run: Session, noun: Noun, name: str | None) -> dict[str, Any]:
    """The item with that name or number; Usage if there is none."""
    if name is None:
        raise Usage(f"Name the {noun.label}.")
    known: list[dict[str, Any]] = run.api.items(noun.path, site=run.one_site())["items"]
    for item in known:
        if name in {item["name"], str(item["id"])}:
            return item
    has = f"there are {names([item['name'] for item in known])}" if known else "none exists yet"
    raise Usage(f"No {noun.label} named {shown(name)}: {shown(has)}.")


def _channel_row(answer: Any) -> Row:
    item = read(ChannelOut, answer)
    text = f"{item.state}: {item.failure}" if item.failure else item.state
    return (
        item.name,
        item.label,
        item.person or "-",
        state_label(_STATES.get(item.state, "unknown"), text),
        clock(item.worked_at),
        str(item.waiting),
    )


def _route_row(answer: Any) -> Row:
    item = read(NotificationRouteOut, answer)
    matched = item.matchers
    chosen = [*matched.severities, *matched.kinds, *matched.roles, *matched.fabrics]
    chosen += [f"{key}={value}" for key, value in matched.labels.items()]
    steps = [f"{length(step.after_s)}: {', '.join(step.targets) or '-'}" for step in item.steps]
    return (
        str(item.position),
        item.name,
        ", ".join(chosen) or "all incidents",
        "; ".join(steps),
        "enabled" if item.enabled else "disabled",
    )


def _schedule_row(answer: Any) -> Row:
    item = read(ScheduleOut, answer)
    unreachable = f"no channel: {names(item.without_channel)}" if item.without_channel else "-"
    return (item.name, item.on_call or "nobody", names(item.people), item.zone, unreachable)


CHANNEL = Noun(
    "/channels", "channel", ("channel", "kind", "person", "state", "delivered", "waiting"), _channel_row
)
ROUTE = Noun(
    "/notification-routes",
    "notification route",
    ("order", "route", "incidents", "steps", "state"),
    _route_row,
)
SCHEDULE = Noun(
    "/schedules", "schedule", ("schedule", "on call", "people", "zone", "problems"), _schedule_row
)
NOUNS = {"channel": CHANNEL, "route": ROUTE, "schedule": SCHEDULE}
