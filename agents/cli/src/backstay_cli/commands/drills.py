"""`drill`, `drills`: failover drills and their results."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import typer
from rich.console import Group

from backstay_cli import completion, polling
from backstay_cli.commands.status import remind
from backstay_cli.errors import DENIED, UNDONE, WRONG, Usage
from backstay_cli.models import DrillOut
from backstay_cli.output import Extra, as_json, heading, print_lines, print_note, show, table
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, Reason, number_of, session
from backstay_cli.states import progress_label
from backstay_cli.text import clock, count, length, milliseconds, rate, seconds_of, shown

Number = Annotated[
    str, typer.Argument(metavar="N", help="Number of the drill.", autocompletion=completion.drills)
]
_OPEN = frozenset({"running", "returning"})
_CODES = {"refused": DENIED, "failed": UNDONE, "cancelled": WRONG}


def drills(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    number: Annotated[
        str | None,
        typer.Argument(
            metavar="[N]", help="Number of a drill: show it with its nodes.", autocompletion=completion.drills
        ),
    ] = None,
    policy: Annotated[
        str | None, typer.Option(help="Only drills of this policy.", autocompletion=completion.policies)
    ] = None,
    state: Annotated[
        str | None, typer.Option(help="Only drills in this state, e.g. scheduled or passed.")
    ] = None,
    cancel: Annotated[
        bool, typer.Option("--cancel", help="Cancel drill N; moved paths return at once.")
    ] = False,
    json: AsJson = False,
) -> None:
    """List scheduled, running and finished drills, or show one."""
    if number is None and cancel:
        raise Usage("Name the drill: backstay drills cancel N.")
    if number is None:
        list_drills(context, policy, state, json)
    elif cancel:
        cancel_drill(context, number, json)
    else:
        show_drill(context, number, json)


def show_drill(context: typer.Context, number: Number, json: AsJson = False) -> None:
    """Show one drill with its nodes and their outages.

    Exit codes: 3 refused, 5 failed.
    """
    _print_drill(session(context).api.get(f"/drills/{number_of(number)}"), as_answer=json)


def cancel_drill(context: typer.Context, number: Number, json: AsJson = False) -> None:
    """Cancel a drill; moved paths return at once."""
    _print_drill(session(context).api.delete(f"/drills/{number_of(number)}"), as_answer=json)


def list_drills(
    context: typer.Context,
    policy: Annotated[
        str | None, typer.Option(help="Only drills of this policy.", autocompletion=completion.policies)
    ] = None,
    state: Annotated[
        str | None, typer.Option(help="Only drills in this state, e.g. scheduled or passed.")
    ] = None,
    json: AsJson = False,
) -> None:
    """List scheduled, running and finished drills."""
    run = session(context)
    answer = run.listing("/drills", policy=policy, state=state)
    known = read_all(DrillOut, answer)
    if json:
        as_json(answer)
        return
    if known:
        show(table(HEAD, [_row(item) for item in known]))
    print_lines(count(len(known), "drill"))
    remind(run)


HEAD = (
    *("id", "policy", "gateway", "state", "at"),
    *map(Extra, ("for", "again", "worst outage", "fallback carried", "by")),
)


def _row(drill: DrillOut) -> tuple[Any, ...]:
    return (
        str(drill.id),
        drill.policy,
        drill.gateway or "each node's next",
        progress_label("drill", drill.state, drill.state_text),
        clock(drill.at),
        length(drill.seconds),
        "" if drill.every_days is None else f"every {count(drill.every_days, 'day')}",
        milliseconds(drill.worst_outage_ms),
        rate(drill.fallback_bps),
        drill.author,
    )


def drill(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    policy: Annotated[
        str,
        typer.Argument(
            metavar="POLICY", help="Name or number of the policy.", autocompletion=completion.policies
        ),
    ],
    node: Annotated[
        list[str] | None,
        typer.Option(help="Only this node; repeatable.", autocompletion=completion.nodes),
    ] = None,
    gateway: Annotated[
        str,
        typer.Option(
            help="Gateway to fail over to; default: each node's next one.",
            autocompletion=completion.gateways,
        ),
    ] = "",
    for_time: Annotated[str, typer.Option("--for", metavar="TIME", help="Time on the fallback.")] = "30s",
    at: Annotated[
        str, typer.Option(metavar="TIME", help="Start, local time, e.g. 2026-12-01T06:00; default: now.")
    ] = "",
    every: Annotated[
        int | None,
        typer.Option(metavar="DAYS", min=1, max=366, help="Repeat after this many days; default: never."),
    ] = None,
    reason: Reason = "",
    wait: Annotated[bool, typer.Option("--wait", help="Wait until the drill has ended.")] = False,
    json: AsJson = False,
) -> None:
    """Fail over a policy on purpose and measure the outage.

    The nodes fail back when the time on the fallback is over. Exit codes: 3 refused, with reasons; 5 failed.
    """
    run = session(context)
    body = {
        "policy": run.policy(policy).id,
        "nodes": node or [],
        "gateway": gateway,
        "seconds": seconds_of(for_time),
        "at": _moment(at),
        "every_days": every,
        "reason": reason,
    }
    answer = run.api.post("/drills", body)
    made = read(DrillOut, answer)
    if wait and made.state not in _CODES:
        answer = polling.until(
            lambda: run.api.get(f"/drills/{made.id}"),
            lambda drill: read(DrillOut, drill).state not in _OPEN | {"scheduled"},
            show=_StatePrinter(quiet=json).show,
            silent=lambda error: print_note(str(error)),
        )
    _print_drill(answer, as_answer=json)


class _StatePrinter:
    """Prints each state change of a drill once, to standard error."""

    def __init__(self, *, quiet: bool) -> None:
        self._last = "" if not quiet else None

    def show(self, answer: Any) -> None:
        """The newest look."""
        drill = read(DrillOut, answer)
        if self._last is not None and drill.state != self._last:
            print_note(f"Drill {drill.name}: {drill.state_text}")
            self._last = drill.state


def _moment(text: str) -> str | None:
    """RFC 3339 of a time; without a zone it is this machine's; None of None."""
    if not text:
        return None
    try:
        return datetime.fromisoformat(text).astimezone().isoformat()
    except (ValueError, OverflowError):
        raise Usage(f"{shown(text)} is not a time: write 2026-12-01T06:00, or with a zone +01:00.") from None


def _print_drill(answer: Any, *, as_answer: bool) -> None:
    drill = read(DrillOut, answer)
    if as_answer:
        as_json(answer)
    else:
        show(_whole(drill))
    if drill.state in {"refused", "failed"}:
        raise typer.Exit(_CODES[drill.state])


def _whole(drill: DrillOut) -> Group:
    to = drill.gateway or "each node's next gateway"
    parts: list[Any] = [
        heading(
            f"Drill {drill.name} of {drill.policy} to {to} for {length(drill.seconds)}, {clock(drill.at)}"
        ),
        progress_label("drill", drill.state, drill.state_text),
        *(shown(f"Refused: {item}") for item in drill.refused_because),
    ]
    if drill.members:
        rows = [
            (
                member.node,
                member.gateway,
                progress_label("move", member.state),
                milliseconds(member.outage_out_ms),
                milliseconds(member.outage_back_ms),
                milliseconds(member.rtt_ms),
                member.detail,
            )
            for member in drill.members
        ]
        parts.append(table(("node", "gateway", "state", "outage out", "outage back", "rtt", "detail"), rows))
        parts.append(
            f"worst outage {milliseconds(drill.worst_outage_ms)};"
            f" the fallback carried up to {rate(drill.fallback_bps)}"
        )
    return Group(*parts)
