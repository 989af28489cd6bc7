"""Following a change: each turn that it takes, its countdown, and how it ended.

On a terminal a board is redrawn and keys act (c confirms, r rolls back, q leaves, and the change goes on);
elsewhere one line is printed for each thing that happened.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Group
from rich.live import Live
from rich.text import Text

from backstay_operator import waiting
from backstay_operator.api import Api
from backstay_operator.errors import OK, UNDONE, WRONG, OperatorError, Unreachable
from backstay_operator.keys import keys, none_pressed
from backstay_operator.output import console, say, table, tell, word
from backstay_operator.plan_view import headline
from backstay_operator.session import Session
from backstay_operator.shapes.base import read
from backstay_operator.shapes.changes import ChangeDetail, ChangeNodeOut
from backstay_operator.text import clock, length, shown

RUNNING = frozenset({"rolling", "confirming"})
_ENDS = {"done": OK, "rolled_back": UNDONE, "failed": UNDONE, "superseded": WRONG}
QUICK_S = 3.0
"""A look that takes longer counts as silence: the countdown must go on, and keys must act."""
AT_TERMINAL = "asked for at the terminal"


class Left(Exception):  # noqa: N818 - it is no error
    """The person stopped looking; the change goes on."""


class Screen(Protocol):
    """Where a change is shown as it moves on."""

    def show(self, change: ChangeDetail) -> None:
        """What stands now."""

    def note(self, text: str) -> None:
        """A sentence beside it."""


def exit_code(change: ChangeDetail) -> int:
    """How it ended, for scripts; 0 too while it waits for somebody."""
    return _ENDS.get(change.state, OK)


def news(before: ChangeDetail | None, after: ChangeDetail) -> Iterator[str]:
    """What happened between two looks, a line each. Pure."""
    known = 0 if before is None else len(before.history)
    for step in after.history[known:] if before is not None else ():
        yield f"{clock(step.at)} {step.person + ': ' if step.person else ''}{step.text}"
    was = {} if before is None else {member.node: member.state for member in before.members}
    for member in after.members:
        if was.get(member.node) != member.state and (before is not None or member.state != "pending"):
            yield f"{member.node}: {member.state.replace('_', ' ')}{_because(member)}"
    if after.confirm_by is not None and (before is None or before.confirm_by != after.confirm_by):
        yield f"{after.state_text}; confirm by {clock(after.confirm_by)}: backstay confirm {after.id}"


def _because(member: ChangeNodeOut) -> str:
    by = " (by its guard)" if member.by == "guard" else ""
    return f"{by}: {member.reason}" if member.reason else by


class Silent:
    """For `--json`: only the end is printed."""

    def show(self, change: ChangeDetail) -> None:
        """Nothing."""

    def note(self, text: str) -> None:
        """Nothing."""


class Lines:
    """For pipes and logs."""

    def __init__(self) -> None:
        self._last: ChangeDetail | None = None
        self._noted = ""

    def show(self, change: ChangeDetail) -> None:
        """What is new."""
        for line in news(self._last, change):
            say(line)
        self._last, self._noted = change, ""

    def note(self, text: str) -> None:
        """To standard error, once in a row."""
        if text != self._noted:
            tell(text)
        self._noted = text


class Board:
    """For terminals: a table that is redrawn."""

    def __init__(self, live: Live, *, acts: bool) -> None:
        self._live = live
        self._acts = acts
        self._change: ChangeDetail | None = None
        self._heard = 0.0

    def show(self, change: ChangeDetail) -> None:
        """Redraw."""
        self._change, self._heard = change, time.monotonic()
        self._draw("")

    def note(self, text: str) -> None:
        """Below the table."""
        self._draw(text)

    def _draw(self, note: str) -> None:
        if self._change is not None:
            old_s = time.monotonic() - self._heard
            self._live.update(board(self._change, note, acts=self._acts, old_s=old_s), refresh=True)


def board(change: ChangeDetail, note: str = "", *, acts: bool = False, old_s: float = 0.0) -> Group:
    """The nodes of a change by wave, its countdown and the keys that act; `old_s`: age of the answer."""
    parts: list[Text] = [headline(change)]
    left = change.left_s()
    if left is not None:
        left = max(left - old_s, 0.0)
        style = "bold red" if left < 15 else "bold yellow"
        parts.append(Text(f"{length(left)} until the guards roll back", style=style))
    offered = [f"{key} {what}" for key, (action, what) in _KEYS.items() if action in change.may]
    if acts:
        parts.append(Text("  ".join([*offered, "q leave, it goes on"]), style="dim"))
    if note:
        parts.append(Text(shown(note), style="yellow"))
    return Group(members_table(change), *parts)


_KEYS = {"c": ("confirm", "confirm"), "r": ("roll_back", "roll back")}


def members_table(change: ChangeDetail) -> Group:
    """Each node: where it stands, and what was found there."""
    rows = []
    for each in change.members:
        failing = [f"{found.what}: {found.found}" for found in each.evidence if not found.ok]
        good = sum(found.ok for found in each.evidence)
        seen = "; ".join(failing) or (f"{good} of {len(each.evidence)} good" if each.evidence else "")
        why = each.reason + (" (by its guard)" if each.by == "guard" else "")
        rows.append((str(each.wave + 1), each.node, each.engine or "-", word(each.state), seen, why))
    return Group(table(("wave", "node", "engine", "state", "evidence", "why"), rows))


@contextmanager
def screen(as_json: bool) -> Iterator[tuple[Screen, Callable[[float], str]]]:
    """Where to show it, and how to wait for a key."""
    out = console()
    if as_json or not out.is_terminal:
        yield (Silent() if as_json else Lines()), none_pressed
        return
    with keys() as pressed, Live(console=out, auto_refresh=False) as live:
        yield Board(live, acts=pressed is not none_pressed), pressed


def follow(run: Session, number: int, *, as_json: bool = False) -> ChangeDetail:
    """Show a change until it has ended, or nobody works on it."""
    api = Api(run.account, timeout_s=QUICK_S, tries=1)
    with screen(as_json) as (shows, pressed):
        return waiting.until(
            lambda: read(ChangeDetail, api.get(f"/changes/{number}")),
            lambda change: change.state not in RUNNING,
            show=shows.show,
            silent=lambda error: shows.note(f"{error} Still trying; the guards need no connection."),
            pause=lambda change: _act(run, change, pressed(waiting.EACH_S), shows),
        )


def _act(run: Session, change: ChangeDetail | None, key: str, shows: Screen) -> None:
    """What a key asks for; a refusal is shown and changes nothing."""
    if key == "q":
        raise Left
    action = _KEYS.get(key, ("", ""))[0]
    if change is None or action not in change.may:
        return
    try:
        if action == "confirm":
            confirm(run, change)
        else:
            roll_back(run, change.id, AT_TERMINAL)
    except OperatorError as error:
        if isinstance(error, Unreachable):
            return
        shows.note(str(error))


def confirm(run: Session, change: ChangeDetail) -> object:
    """Confirm the wave that was seen to wait, and no later one."""
    body = {} if change.wave is None else {"wave": change.wave}
    return run.api.post(f"/changes/{change.id}/confirm", body)


def roll_back(run: Session, number: int, reason: str) -> object:
    """Put the wave under way back."""
    return run.api.post(f"/changes/{number}/roll-back", {"reason": reason})
