"""`notify deliveries`: what was sent to whom, and why it failed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import typer
from rich.text import Text

from backstay_cli import completion
from backstay_cli.commands.status import remind
from backstay_cli.models import DeliveryDetail, DeliveryOut
from backstay_cli.notifications.settings import CHANNEL, named
from backstay_cli.output import as_json, heading, print_lines, show, state_label, table
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, number_of, session
from backstay_cli.text import clock, milliseconds

HEAD = ("delivery", "time", "to", "state", "attempts", "message")
_STATES = {"sent": "ok", "failed": "critical", "queued": "warning", "sending": "warning"}


def deliveries(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    number: Annotated[
        str | None, typer.Argument(metavar="[N]", help="One delivery by its number: show its message.")
    ] = None,
    status: Annotated[
        Literal["queued", "sending", "sent", "failed"] | None, typer.Option(help="Only in this state.")
    ] = None,
    channel: Annotated[
        str | None, typer.Option(help="Only to this channel.", autocompletion=completion.channels)
    ] = None,
    most: Annotated[int, typer.Option("-n", min=1, max=500, help="At most so many.")] = 50,
    json: AsJson = False,
) -> None:
    """List deliveries of messages, newest first, or show one with its message."""
    run = session(context)
    if number is not None:
        answer = run.api.get(f"/deliveries/{number_of(number)}")
        if json:
            as_json(answer)
        else:
            _show_one(read(DeliveryDetail, answer))
        return
    channel_id = None if channel is None else named(run, CHANNEL, channel)["id"]
    answer = run.api.newest("/deliveries", most, site=run.site, status=status, channel_id=channel_id)
    known = read_all(DeliveryOut, answer)
    if json:
        as_json(answer)
        return
    if known:
        show(table(HEAD, [_row(item) for item in known]))
    older = "; there are older ones: raise -n" if answer.get("next") else ""
    print_lines(("1 delivery" if len(known) == 1 else f"{len(known)} deliveries") + older)
    remind(run)


def _row(item: DeliveryOut) -> Sequence[str | Text]:
    text = f"{item.status}: {item.failure}" if item.failure else item.status
    return (
        str(item.id),
        clock(item.created_at),
        item.target,
        state_label(_STATES.get(item.status, "unknown"), text),
        str(item.attempts),
        item.name,
    )


def _show_one(item: DeliveryDetail) -> None:
    print_lines(heading(item.name))
    show(table(HEAD[:-1], [_row(item)[:-1]]))
    if item.took_ms is not None:
        print_lines(f"The newest attempt took {milliseconds(item.took_ms)}.")
    if item.next_at is not None:
        print_lines(f"Next attempt: {clock(item.next_at)}")
    print_lines("", *item.text.splitlines())
