"""`notify devices`: browsers in which the person turned on push."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.text import Text

from backstay_cli.errors import WRONG, Usage
from backstay_cli.models import PushDeviceOut, PushOut
from backstay_cli.output import as_json, print_lines, show, state_label, table
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, session
from backstay_cli.text import clock, shown

Row = Sequence[str | Text]
HEAD = ("number", "device", "push service", "state", "last delivery")


def devices(
    context: typer.Context,
    number: Annotated[int | None, typer.Argument(metavar="[DEVICE]", help="Number of a device.")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Turn off push on it.")] = False,
    json: AsJson = False,
) -> None:
    """List your devices with push, or remove one. A browser turns it on: Notifications, Push.

    Exit code 1: a device fails.
    """
    run = session(context)
    if remove:
        if number is None:
            raise Usage("Name the device to remove: backstay notify devices NUMBER --remove.")
        run.api.delete(f"/push-devices/{number}")
        print_lines(f"Push is off on device {number}.")
        return
    answer = run.api.items("/push-devices", site=run.site)
    if number is not None:
        answer["items"] = [item for item in answer["items"] if item["id"] == number]
    known = read_all(PushDeviceOut, answer)
    if number is not None and not known:
        raise Usage(f"You have no device {number}: backstay notify devices lists them.")
    if json:
        as_json(answer)
    else:
        _print(known, read(PushOut, run.api.get("/push", site=run.site)))
    if any(device.failing_since is not None for device in known):
        raise typer.Exit(WRONG)


def _print(known: list[PushDeviceOut], push: PushOut) -> None:
    if known:
        show(table(HEAD, [_row(device) for device in known]))
    if not push.is_allowed:
        print_lines(f"{push.site} does not allow push: an administrator creates a channel of the kind push.")
    elif not push.is_routed:
        print_lines(f"No notification route of {push.site} uses its push channel: nothing is sent.")
    elif not known:
        print_lines("You have no device with push.")


def _row(device: PushDeviceOut) -> Row:
    failing = device.failing_since is not None
    state = state_label("critical", shown(device.failure)) if failing else state_label("ok")
    last = "never" if device.delivered_at is None else clock(device.delivered_at)
    return (str(device.id), shown(device.label), shown(device.service), state, last)
