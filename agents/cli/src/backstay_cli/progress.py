"""Following a change: its progress, countdown and result.

On a terminal c confirms, r rolls back, q leaves while the change continues.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group
from rich.text import Text

from backstay_cli import polling
from backstay_cli.api import Api
from backstay_cli.errors import OK, UNDONE, WRONG, OperatorError, Unreachable
from backstay_cli.follower import QUICK_S, Left, Screen, screen
from backstay_cli.models import ChangeDetail, ChangeNodeOut, WaveOut
from backstay_cli.output import table
from backstay_cli.plan_view import headline
from backstay_cli.reading import read
from backstay_cli.session import Session
from backstay_cli.states import progress_label
from backstay_cli.text import clock, count, length, seconds_left, shown

RUNNING = frozenset({"rolling", "confirming"})
_ENDS = {"done": OK, "rolled_back": UNDONE, "stopped": UNDONE, "failed": UNDONE, "superseded": WRONG}
AT_TERMINAL = "requested at the terminal"


def exit_code(change: ChangeDetail) -> int:
    """The exit code of its result; 0 also while it awaits an action."""
    return _ENDS.get(change.state, OK)


def news(before: ChangeDetail | None, after: ChangeDetail) -> Iterator[str]:
    """Changes between two snapshots, one line each. Pure."""
    known = 0 if before is None else len(before.history)
    for step in after.history[known:] if before is not None else ():
        yield f"{clock(step.at)} {step.person + ': ' if step.person else ''}{step.text}"
    yield from _news_of_nodes(before, after) if after.has_all_members else _news_of_waves(before, after)
    if after.confirm_by is not None and (before is None or before.confirm_by != after.confirm_by):
        yield f"{after.state_text}; confirm by {clock(after.confirm_by)}: backstay confirm {after.id}"


def _news_of_nodes(before: ChangeDetail | None, after: ChangeDetail) -> Iterator[str]:
    was = {} if before is None else {member.node: member.state for member in before.members}
    for member in after.members:
        if was.get(member.node) != member.state and (before is not None or member.state != "pending"):
            yield f"{member.node}: {member.state.replace('_', ' ')}{_because(member)}"


def _news_of_waves(before: ChangeDetail | None, after: ChangeDetail) -> Iterator[str]:
    was = {} if before is None else {wave.wave: wave.states for wave in before.progress}
    for wave in after.progress:
        if was.get(wave.wave) != wave.states and (before is not None or set(wave.states) != {"pending"}):
            yield f"wave {wave.wave + 1}: {_counted(wave)}"


def _counted(wave: WaveOut) -> str:
    """`40 applied, 2 applying of 42 nodes`."""
    states = (f"{number} {state.replace('_', ' ')}" for state, number in wave.states.items())
    return f"{', '.join(states)} of {count(wave.nodes, 'node')}"


def _because(member: ChangeNodeOut) -> str:
    by = " (by its guard)" if member.by == "guard" else ""
    return f"{by}: {member.reason}" if member.reason else by


def board(change: ChangeDetail, note: str = "", *, acts: bool = False, old_s: float = 0.0) -> Group:
    """The nodes of a change by wave, its countdown and the keys that act; `old_s`: age of the answer."""
    parts: list[Text] = [headline(change)]
    left = seconds_left(change)
    if left is not None:
        left = max(left - old_s, 0.0)
        style = "bold red" if left < 15 else "bold yellow"
        parts.append(Text(f"{length(left)} until the guards roll back", style=style))
    offered = [f"{key} {what}" for key, (action, what) in _KEYS.items() if action in change.may]
    if acts:
        parts.append(Text("  ".join([*offered, "q leave (it continues)"]), style="dim"))
    if note:
        parts.append(Text(shown(note), style="yellow"))
    return Group(members_table(change), *parts)


_KEYS = {"c": ("confirm", "confirm"), "r": ("roll_back", "roll back")}


def members_table(change: ChangeDetail) -> Group:
    """Each node with its state and evidence; of a large change each wave."""
    if not change.has_all_members:
        waves = [(str(wave.wave + 1), str(wave.nodes), _counted(wave)) for wave in change.progress]
        return Group(table(("wave", "nodes", "progress"), waves))
    rows = []
    for member in change.members:
        failing = [f"{found.what}: {found.found}" for found in member.failed]
        good = sum(stage.good for stage in member.checks)
        total = sum(stage.total for stage in member.checks)
        seen = "; ".join(failing) or (f"{good} of {total} good" if total else "")
        why = member.reason + (" (by its guard)" if member.by == "guard" else "")
        rows.append(
            (
                str(member.wave + 1),
                member.node,
                member.engine or "-",
                progress_label("change_node", member.state),
                seen,
                why,
            )
        )
    return Group(table(("wave", "node", "engine", "state", "evidence", "reason"), rows))


def follow(run: Session, number: int, *, as_json: bool = False) -> ChangeDetail:
    """Show a change until it has ended or is idle."""
    api = Api(run.account, timeout_s=QUICK_S, tries=1)
    with screen(as_json, board, news) as (shows, pressed):
        return polling.until(
            lambda: read(ChangeDetail, api.get(f"/changes/{number}", plan=False)),
            lambda change: change.state not in RUNNING,
            show=shows.show,
            silent=lambda error: shows.note(f"{error} Retrying; the guards need no connection."),
            pause=lambda change: _act(run, change, pressed(polling.EACH_S), shows),
        )


def _act(run: Session, change: ChangeDetail | None, key: str, shows: Screen[ChangeDetail]) -> None:
    """Perform a key's action; a refusal is shown and changes nothing."""
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
    """Confirm the displayed wave and no later one."""
    body = {} if change.wave is None else {"wave": change.wave}
    return run.api.post(f"/changes/{change.id}/confirm", body)


def roll_back(run: Session, number: int, reason: str) -> object:
    """Roll back the current wave."""
    return run.api.post(f"/changes/{number}/roll-back", {"reason": reason})
