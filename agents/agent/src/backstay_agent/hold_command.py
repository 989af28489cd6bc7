"""`backstay-agent hold`: keep an operator's own routes on this node for a time, with or without a backend."""

import os
import pwd
import re
import time
from pathlib import Path
from typing import Annotated, NoReturn
from uuid import uuid4

import typer

from backstay_agent.host import locks
from backstay_agent.host.clock import HostClock
from backstay_agent.host.files import private_dir
from backstay_agent.host.hold_file import Hold, HoldFile, HoldFileError, Holds
from backstay_agent.probes.holds import described, moment
from backstay_wire import MAX_HOLD_S

_UNITS = {"s": 1, "m": 60, "h": 3600}
_TEXT = re.compile(r"(?:\d{1,6}[smh])+")
_APPLIED_S = 5.0
"""A running agent takes a hold up within a second."""
_POLL_S = 0.05

State = Annotated[Path, typer.Option("--state", help="The agent's state folder.")]
Duration = Annotated[
    str | None,
    typer.Argument(metavar="[DURATION]", help="30m, 2h or 1h30m; at most 24h; without it, show holds."),
]
Reason = Annotated[str, typer.Option("--reason", help="Reason, shown with the hold.")]
End = Annotated[bool, typer.Option("--end", help="End every hold of this node now.")]


def command(state: State, duration: Duration = None, reason: Reason = "", end: End = False) -> None:
    """Hold this node: the checker does not change its routes.

    A held node does not fail over. A hold needs no backend and survives a restart of the agent and a reboot.
    When it ends, the checker restores the managed routes and reports what it found. Exit status: 0 done;
    1 not done.
    """
    file = HoldFile(state.absolute())
    try:
        if end:
            _end(file, state)
        elif duration is not None:
            _begin(file, state, seconds_of(duration), reason)
        else:
            _show(file)
    except (OSError, HoldFileError, ValueError) as error:
        _fail(str(error))


def seconds_of(text: str) -> int:
    """`1h30m` in seconds. Raises ValueError with the expected format."""
    if not _TEXT.fullmatch(text):
        raise ValueError(f"{text!r} is not a duration: use 30m, 2h or 1h30m")
    seconds = sum(int(number) * _UNITS[unit] for number, unit in re.findall(r"(\d+)([smh])", text))
    if not 0 < seconds <= MAX_HOLD_S:
        raise ValueError(f"a hold lasts from 1s to {MAX_HOLD_S / 3600:.0f}h, not {text}")
    return seconds


def _begin(file: HoldFile, state: Path, seconds: int, reason: str) -> None:
    """Replaces an earlier hold of this node, but not the backend's."""
    private_dir(state)
    now = moment(HostClock())
    hold = Hold(
        id=f"node-{uuid4().hex[:16]}",
        origin="node",
        by=_person(),
        reason=reason[:1000],
        seconds=seconds,
        began_ns=now.wall_ns,
        written=now,
        left_ns=seconds * 1_000_000_000,
    )

    def replace(holds: Holds) -> Holds:
        kept = tuple(other for other in holds.holds if other.origin == "backend")
        return holds.model_copy(update={"holds": (*kept, hold)})

    file.update(replace)
    _confirm(file, state, hold)


def _confirm(file: HoldFile, state: Path, hold: Hold) -> None:
    """Print what applies now; a running agent must have confirmed it."""
    text = described(hold, moment(HostClock()))
    if locks.free(state / "lock"):
        typer.echo(f"{text}; no agent runs here, it takes effect when one starts")
        return
    deadline = time.monotonic() + _APPLIED_S
    while time.monotonic() < deadline:
        if any(known.id == hold.id and known.applied for known in file.read().holds):
            typer.echo(f"{text}; the agent leaves the managed routes alone")
            return
        time.sleep(_POLL_S)
    _fail(f"{text}, but the agent has not confirmed it within {_APPLIED_S:.0f} s: see its log")


def _end(file: HoldFile, state: Path) -> None:
    before = file.read().holds

    def none(holds: Holds) -> Holds:
        ended = tuple(hold.id for hold in holds.holds if hold.origin == "backend")
        return holds.model_copy(update={"holds": (), "ended": (*holds.ended, *ended)})

    if not before:
        typer.echo("not held")
        return
    file.update(none)
    restores = "when an agent starts" if locks.free(state / "lock") else "now"
    typer.echo(f"the hold has ended; the managed routes are restored {restores}")


def _show(file: HoldFile) -> None:
    now = moment(HostClock())
    lines = [
        f"{described(hold, now)}" + (f": {hold.reason}" if hold.reason else "")
        for hold in file.read().holds
        if hold.left(now) > 0
    ]
    typer.echo("\n".join(lines or ["not held"]))


def _person() -> str:
    """The requesting user, also through sudo(8)."""
    name = os.environ.get("SUDO_USER")
    if name:
        return name[:128]
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"uid {os.getuid()}"


def _fail(text: str) -> NoReturn:
    typer.echo(f"backstay-agent: {text}", err=True)
    raise typer.Exit(1)
