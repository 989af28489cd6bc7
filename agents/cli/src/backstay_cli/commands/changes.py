"""`changes`, `change`, `approve`, `apply`, `confirm`, `roll-back`, `discard`, `undo`, `retire`: changes."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.console import Group

from backstay_cli import completion
from backstay_cli.commands.plans import Number, planned
from backstay_cli.commands.status import remind
from backstay_cli.errors import OK, UNDONE, Denied, Usage
from backstay_cli.follower import Left
from backstay_cli.models import ChangeDetail, ChangeOut
from backstay_cli.output import Extra, as_json, console, print_lines, print_note, show, table
from backstay_cli.plan_view import headline, next_step, particulars
from backstay_cli.progress import confirm as confirm_wave
from backstay_cli.progress import exit_code, follow, members_table
from backstay_cli.progress import roll_back as put_back
from backstay_cli.reading import read, read_all
from backstay_cli.resources import print_object
from backstay_cli.session import AsJson, Reason, Session, View, number_of, session
from backstay_cli.states import progress_label
from backstay_cli.text import clock, count, length, names, seconds_of, shown

Wait = Annotated[bool, typer.Option("--wait", help="Follow the change to its end.")]
HEAD = ("id", "kind", "title", "state", "confirmed", *map(Extra, ("since", "by", "ticket")))
LEAST_DIGITS = 8


def changes(
    context: typer.Context,
    state: Annotated[
        str | None,
        typer.Option(help="Only changes in this state, e.g. planned or done; current: not ended."),
    ] = None,
    policy: Annotated[
        str | None, typer.Option(help="Only changes of this policy.", autocompletion=completion.policies)
    ] = None,
    view: View = None,
    json: AsJson = False,
) -> None:
    """List a site's changes, newest first."""
    run = session(context)
    answer = run.listing("/changes", view=view, state=state, policy=policy)
    known = read_all(ChangeOut, answer)
    if json:
        as_json(answer)
        return
    rows = [
        (
            str(item.id),
            item.kind,
            item.title or names(item.policies),
            progress_label("change", item.state, item.state_text),
            f"{item.confirmed} of {item.nodes}",
            length(item.age_s),
            item.author or "Backstay",
            item.ticket,
        )
        for item in known
    ]
    if rows:
        show(table(HEAD, rows))
    print_lines(count(len(known), "change"))
    remind(run)


def change(context: typer.Context, number: Number, wait: Wait = False, json: AsJson = False) -> None:
    """Show one change: nodes, evidence, approvals and history.

    Exit code 5: the change was rolled back.
    """
    _finish(session(context), number_of(number), wait=wait, as_answer=json, whole=True)


def change_node(
    context: typer.Context,
    number: Number,
    node: Annotated[
        str, typer.Argument(metavar="NODE", help="A node of the change.", autocompletion=completion.nodes)
    ],
    json: AsJson = False,
) -> None:
    """Show one node of a change: state, evidence, text before and after."""
    run = session(context)
    print_object(run.api.get(f"/changes/{number_of(number)}/nodes/{run.node(node)}"), json=json)


def approve(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    number: Number,
    digest: Annotated[
        str,
        typer.Option(metavar="DIGEST", help="Digest of the reviewed plan: at least its first eight digits."),
    ],
    accept_warnings: Annotated[
        bool, typer.Option("--accept-warnings", help="Accept the plan's warnings.")
    ] = False,
    comment: Annotated[str, typer.Option(help="Comment, stored with the approval.")] = "",
    json: AsJson = False,
) -> None:
    """Approve the plan of a change, identified by its digest.

    Refused if the change has been planned again since.
    """
    run = session(context)
    found = run.change(number_of(number))
    body = {"digest": _digest(found, digest), "comment": comment, "accept_warnings": accept_warnings}
    _brief(run.api.post(f"/changes/{found.id}/approve", body), as_answer=json)


def _digest(found: ChangeDetail, typed: str | None) -> str:
    """The plan's full digest, if the typed digits are its beginning."""
    whole = planned(found).digest
    if typed is None:
        return whole
    if len(typed) < LEAST_DIGITS:
        raise Usage(f"Give at least {LEAST_DIGITS} digits of the digest: backstay plan show {found.id}.")
    if not whole.startswith(typed.lower()):
        raise Denied(
            f"The plan of change {shown(found.name)} has changed"
            f" (it is now {shown(whole[:12])}): read it with backstay plan show {found.id}."
        )
    return whole


def apply(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    number: Number,
    timeout: Annotated[
        str, typer.Option(metavar="TIME", help="Time until the guards roll back an unconfirmed wave.")
    ] = "120s",
    auto_confirm: Annotated[
        bool, typer.Option("--auto-confirm", help="Confirm each wave when all its probes pass.")
    ] = False,
    digest: Annotated[str | None, typer.Option(help="Start only if the plan has this digest.")] = None,
    wait: Wait = False,
    json: AsJson = False,
) -> None:
    """Start an approved change.

    All nodes prepare. Then the change is applied wave by wave, each under guard. --wait follows it to its
    end; on a terminal, it shows a countdown and accepts keys to confirm and roll back.
    """
    seconds = seconds_of(timeout)
    run = session(context)
    found = run.change(number_of(number))
    body = {"digest": _digest(found, digest), "timeout_s": seconds, "auto_confirm": auto_confirm}
    answer = run.api.post(f"/changes/{found.id}/apply", body)
    if wait:
        _finish(run, found.id, wait=True, as_answer=json)
    else:
        _brief(answer, as_answer=json)


def confirm(context: typer.Context, number: Number, wait: Wait = False, json: AsJson = False) -> None:
    """Confirm the wave that awaits confirmation.

    Its nodes save the new state, and the next wave starts.
    """
    run = session(context)
    answer = confirm_wave(run, run.change(number_of(number)))
    if wait:
        _finish(run, number_of(number), wait=True, as_answer=json)
    else:
        _brief(answer, as_answer=json)


def roll_back(
    context: typer.Context, number: Number, reason: Reason = "", wait: Wait = False, json: AsJson = False
) -> None:
    """Roll back the current wave; confirmed waves stay.

    With --wait, exit code 0 means that the wave's nodes are restored.
    """
    run = session(context)
    answer = put_back(run, number_of(number), reason)
    if not wait:
        _brief(answer, as_answer=json)
        return
    ended = _finish(run, number_of(number), wait=True, as_answer=json, asked_back=True)
    if ended is not None and ended.state not in {"rolled_back", "stopped"}:
        raise typer.Exit(UNDONE)


def discard(context: typer.Context, number: Number, json: AsJson = False) -> None:
    """Discard a change that has not started."""
    _brief(session(context).api.post(f"/changes/{number_of(number)}/discard"), as_answer=json)


def undo(context: typer.Context, number: Number, reason: Reason = "", json: AsJson = False) -> None:
    """Plan the inverse of a confirmed change.

    The new change returns the nodes to their previous state. Nothing changes until it is approved and
    applied.
    """
    answer = session(context).api.post(f"/changes/{number_of(number)}/undo", {"reason": reason})
    _brief(answer, as_answer=json)


def retire(
    context: typer.Context,
    policy: Annotated[
        str,
        typer.Argument(
            metavar="POLICY", help="Name or number of the policy.", autocompletion=completion.policies
        ),
    ],
    json: AsJson = False,
) -> None:
    """Delete a policy.

    If the policy is deployed, plans the change that removes its routes first.
    """
    run = session(context)
    answer = run.api.delete(f"/failover-policies/{run.policy(policy).id}")
    if answer is not None:
        _brief(answer, as_answer=json)
    elif not json:
        print_lines(shown(f"{policy} was deleted; it was not deployed on any node."))


def _brief(answer: Any, *, as_answer: bool) -> None:
    change = read(ChangeDetail, answer)
    if as_answer:
        as_json(answer)
        return
    print_lines(headline(change))
    if following := next_step(change):
        print_lines(following)


def _finish(
    run: Session,
    number: int,
    *,
    wait: bool,
    as_answer: bool,
    whole: bool = False,
    asked_back: bool = False,
) -> ChangeDetail | None:
    """Follow to the end if requested, print the state and exit with its code; None: left early."""
    try:
        if wait:
            follow(run, number, as_json=as_answer)
    except (Left, KeyboardInterrupt):
        print_note(f"The change continues. To follow it again: backstay change {number} --wait")
        return None
    answer = run.whole_change(run.api.get(f"/changes/{number}"))
    change = read(ChangeDetail, answer)
    if as_answer:
        as_json(answer)
    elif whole or change.state != "done" or not console().is_terminal:
        show(_whole(change))
    else:
        print_lines(headline(change))
    code = exit_code(change)
    if code != OK and not asked_back:
        raise typer.Exit(code)
    return change


def _whole(change: ChangeDetail) -> Group:
    parts: list[Any] = [headline(change), particulars(change)]
    if change.members:
        parts += ["", members_table(change)]
    if change.approvals:
        rows = [
            (approval.person, clock(approval.at), approval.digest[:12], approval.comment)
            for approval in change.approvals
        ]
        parts += ["", table(("approved by", "at", "plan", "comment"), rows)]
    if change.history:
        steps = [(clock(item.at), item.person or "Backstay", item.text) for item in change.history]
        parts += ["", table(("at", "by", "event"), steps)]
    if following := next_step(change):
        parts += ["", shown(following)]
    return Group(*(shown(part) if isinstance(part, str) else part for part in parts))
