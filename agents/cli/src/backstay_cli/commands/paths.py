"""`paths`, `policies`, `move`: what each node does, what it should, and moving it for a time."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.text import Text

from backstay_cli import completion, waiting
from backstay_cli.commands.status import remind
from backstay_cli.errors import Undone, Usage
from backstay_cli.models import MoveOut, PathOut, PolicyOut
from backstay_cli.output import as_json, say, show, table, tell, word
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, Reason, Session, session
from backstay_cli.text import clock, count, length, milliseconds, names, seconds_of, shown

HEAD = (
    "id",
    "node",
    "policy",
    "prefix",
    "active",
    "state",
    "since",
    "rtt",
    "last outage",
    "standby",
    "engine",
)


def paths(
    context: typer.Context,
    policy: Annotated[
        str | None, typer.Option(help="Only this policy's.", autocompletion=completion.policies)
    ] = None,
    node: Annotated[
        str | None, typer.Option(help="Only this node's.", autocompletion=completion.nodes)
    ] = None,
    state: Annotated[
        str | None, typer.Option(help="Only in this state: ok, warning, critical, unknown, disabled.")
    ] = None,
    json: AsJson = False,
) -> None:
    """The gateway that each node uses now, since when, and what stands by."""
    run = session(context)
    answer = run.api.items("/paths", site=run.site, policy=policy, node=node, state=state)
    known = read_all(PathOut, answer)
    if json:
        as_json(answer)
        return
    if known:
        show(table(HEAD, [_row(item) for item in known]))
    fallback = sum(item.on_fallback for item in known)
    say(f"{count(len(known), 'path')}, {fallback} on a fallback")
    remind(run)


def _row(path: PathOut) -> tuple[str | Text, ...]:
    active = path.active or "no route"
    if path.on_fallback:
        active = f"{active} (fallback of {path.preferred})"
    if path.move is not None and path.move.state == "moved":
        active = f"{active}, moved until {clock(path.move.until)}"
    standby = f"dead: {', '.join(path.standby_dead)}" if path.standby_dead else "alive"
    if not any(gateway.alive is not None for gateway in path.gateways):
        standby = "not probed"
    saved = ", would change on reboot" if path.saved == "would change on reboot" else ""
    return (
        str(path.id),
        path.node,
        path.policy,
        path.prefix,
        active,
        word(path.state, path.state_text),
        length(path.age_s),
        milliseconds(path.rtt_ms),
        milliseconds(path.last_outage_ms),
        Text(shown(standby), style="red" if path.standby_dead else ""),
        f"{path.engine or 'not managed'}{saved}",
    )


def policies(context: typer.Context, json: AsJson = False) -> None:
    """Failover policies as wanted, and how far each is brought about."""
    run = session(context)
    answer = run.api.items("/failover-policies", site=run.site)
    known = read_all(PolicyOut, answer)
    if json:
        as_json(answer)
        return
    rows = [
        (
            str(item.id),
            item.name,
            item.prefix,
            ", then ".join(item.gateways) if len(item.gateways) < 4 else names(item.gateways),
            names(item.nodes, 6),
            item.detection,
            item.origin,
            item.progress.text,
        )
        for item in known
    ]
    if rows:
        show(
            table(
                ("id", "name", "prefix", "gateways", "nodes", "detection", "kept by", "brought about"), rows
            )
        )
    say(count(len(known), "failover policy").replace("policys", "policies"))
    remind(run)


def move(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    path: Annotated[
        str,
        typer.Argument(metavar="PATH", help="Its number, or its node.", autocompletion=completion.paths),
    ],
    gateway: Annotated[
        str | None,
        typer.Argument(
            metavar="[GATEWAY]", help="One of the path's gateways.", autocompletion=completion.gateways
        ),
    ] = None,
    for_time: Annotated[str, typer.Option("--for", metavar="TIME", help="Then the node goes back.")] = "10m",
    policy: Annotated[
        str | None,
        typer.Option(help="Of a node with several paths.", autocompletion=completion.policies),
    ] = None,
    back: Annotated[bool, typer.Option("--back", help="End the path's move now.")] = False,
    reason: Reason = "",
    wait: Annotated[bool, typer.Option("--wait", help="Until the node has moved, or is back.")] = False,
    json: AsJson = False,
) -> None:
    """Keep a path on a gateway for a time; the node goes back by itself, also without Backstay."""
    if back == (gateway is not None):
        raise Usage("Name the gateway to move to, or --back to end a move, and not both.")
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
    _say_move(found, answer, as_answer=json)


def _settled(run: Session, path: PathOut, asked: MoveOut, *, back: bool) -> Any:
    """The move's newest answer once it is what was asked for, or over; None when it is gone from the path."""

    def look() -> Any:
        return run.api.get(f"/paths/{path.id}").get("move")

    def settled(answer: Any) -> bool:
        told = None if answer is None else read(MoveOut, answer)
        if told is None or told.id != asked.id:
            return True
        return told.state in ({"returned", "refused", "failed"} | (set() if back else {"moved"}))

    newest = waiting.until(look, settled, show=lambda _: None, silent=lambda error: tell(str(error)))
    return newest if newest is None or newest["id"] == asked.id else None


def _say_move(path: PathOut, answer: Any, *, as_answer: bool) -> None:
    told = read(MoveOut, answer)
    if as_answer:
        as_json(answer)
    else:
        until = f" until {clock(told.until)}" if told.until is not None else ""
        detail = f": {told.detail}" if told.detail else ""
        say(f"{path.name} to {told.gateway}: {told.state}{until}{detail}")
    if told.state in {"refused", "failed"}:
        raise Undone(f"The move was {told.state}: {shown(told.detail) or 'the node gave no reason'}.")
