"""`circuits`: PVCs and VLANs hop by hop, now and at an earlier time, and the planner of meshes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import typer

from backstay_cli.commands.status import remind
from backstay_cli.errors import WRONG, Usage
from backstay_cli.models import (
    CircuitHop,
    CircuitOut,
    CircuitPlanOut,
    CircuitSide,
    CircuitVersionOut,
    DeclaredHop,
)
from backstay_cli.output import Cell, as_json, heading, print_lines, show, state_label, table
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, Session, session
from backstay_cli.text import clock, count, rate, shown

PLAN = "plan"
SHOWN = 10
"""Default number of planned circuits printed."""
_REPORTED_STATES = {
    "up": "ok",
    "down": "critical",
    "missing": "critical",
    "off": "disabled",
    "unknown": "unknown",
}


def circuits(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    what: Annotated[
        str | None,
        typer.Argument(metavar="[CIRCUIT|plan]", help="Circuit to show hop by hop; plan: plan new ones."),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Show circuits as they were declared at this time, e.g. now-7d."),
    ] = None,
    group: Annotated[
        list[str] | None,
        typer.Option(
            "--group", metavar="NAME=N|NAME=HOST,HOST", help="With plan: a group of hosts; repeatable."
        ),
    ] = None,
    pattern: Annotated[
        Literal["full", "between", "hub"],
        typer.Option(help="With plan: connect all hosts, hosts of different groups, or all with one hub."),
    ] = "full",
    hub: Annotated[str | None, typer.Option(help="With plan: the host that all others connect to.")] = None,
    switches: Annotated[int, typer.Option(min=1, max=64, help="With plan: number of ATM switch hops.")] = 1,
    fabric: Annotated[str | None, typer.Option(help="With plan: fabric of the named hosts' ports.")] = None,
    svc: Annotated[
        bool, typer.Option("--svc", help="With plan: the switches support signalling (SVCs).")
    ] = False,
    vlan: Annotated[
        bool, typer.Option("--vlan", help="With plan: compare with Ethernet VLANs as well.")
    ] = False,
    labels: Annotated[
        int, typer.Option(min=0, max=500, help="With plan: number of planned circuits to print.")
    ] = SHOWN,
    json: AsJson = False,
) -> None:
    """Show circuits and their states, or plan new ones.

    Exit code 1: a circuit carries no traffic.
    """
    run = session(context)
    if what == PLAN:
        means = ["pvc", *(["svc"] if svc else []), *(["vlan"] if vlan else [])]
        body = {"pattern": pattern, "hub": hub, "switches": switches, "fabric": fabric, "means": means}
        _plan(run, {**body, "groups": [_group(text) for text in group or []]}, labels, as_answer=json)
        return
    if at is not None:
        _versions(run, what, at, as_answer=json)
        return
    answer = run.api.items("/circuits", site=run.site)
    if what is not None:
        answer["items"] = [
            item for item in answer["items"] if what in {item.get("name"), str(item.get("id"))}
        ]
        if not answer["items"]:
            raise Usage(f"No circuit is called {shown(what)}: see backstay circuits.")
    known = read_all(CircuitOut, answer)
    if json:
        as_json(answer)
    elif what is None:
        _list(known)
        remind(run)
    else:
        _hops(known[0])
        _history(run, known[0].name)
    if any(item.state == "critical" for item in known):
        raise typer.Exit(WRONG)


def _list(known: list[CircuitOut]) -> None:
    rows = [
        (
            item.name,
            item.kind,
            state_label(item.state),
            " > ".join(item.labels),
            str(len(item.hops)),
            item.state_text,
        )
        for item in known
    ]
    if rows:
        show(table(("circuit", "kind", "state", "labels", "hops", "description"), rows))
    broken = sum(item.state == "critical" for item in known)
    print_lines(f"{count(len(known), 'circuit')}, {broken} of them not carrying traffic")


def _hops(circuit: CircuitOut) -> None:
    show(heading(f"{circuit.name}, from {circuit.ends[0]} to {circuit.ends[-1]}: {circuit.state_text}"))
    rows: list[tuple[Cell, ...]] = []
    for number, hop in enumerate(circuit.hops, 1):
        rows += [
            (str(number), hop.node, direction, side.port, side.label, _reported(side))
            for direction, side in _sides(hop)
        ]
        if not hop.joins:
            rows.append(("", "", "", "", state_label("critical", "does not fit"), ""))
    show(table(("hop", "node", "", "port", "label", "reported"), rows))
    for hop in circuit.hops:
        print_lines(*hop.faults)


def _history(run: Session, name: str) -> None:
    found = read_all(CircuitVersionOut, run.api.items("/circuits/history", site=run.site, name=name))
    rows = [
        (_since(item), _until(item), " > ".join(item.labels), _shapes(item.hops), _path(item.hops))
        for item in found
    ]
    if rows:
        print_lines("")
        show(table(("declared since", "until", "labels", "shape", "hops"), rows))


def _versions(run: Session, name: str | None, at: str, *, as_answer: bool) -> None:
    answer = run.api.items("/circuits/history", site=run.site, name=name, at=at, sort="name")
    if as_answer:
        as_json(answer)
        return
    known = read_all(CircuitVersionOut, answer)
    rows = [
        (item.name, item.kind, _since(item), _until(item), _shapes(item.hops), _path(item.hops))
        for item in known
    ]
    if rows:
        show(table(("circuit", "kind", "declared since", "until", "shape", "hops"), rows))
    print_lines(f"{count(len(known), 'circuit')} declared at {shown(at)}")


def _since(item: CircuitVersionOut) -> str:
    return "before the record" if item.since is None else clock(item.since)


def _until(item: CircuitVersionOut) -> str:
    return "now" if item.until is None else clock(item.until)


def _shapes(hops: Sequence[DeclaredHop]) -> str:
    shapes = {hop.shape.name: hop.shape.peak for hop in hops if hop.shape is not None}
    return ", ".join(f"{name} {rate(peak)}" for name, peak in shapes.items()) or "-"


def _path(hops: Sequence[DeclaredHop]) -> str:
    """`gw:at0 0/130 > sw:1A1 0/130, 1A2 0/131 > far:at0 0/131`."""
    sides = [
        [f"{side.port} {side.label}" for side in (hop.into, hop.out) if side is not None] for hop in hops
    ]
    return " > ".join(f"{hop.node}:{', '.join(found)}" for hop, found in zip(hops, sides, strict=True))


def _sides(hop: CircuitHop) -> list[tuple[str, CircuitSide]]:
    return [(direction, side) for direction, side in (("in", hop.into), ("out", hop.out)) if side is not None]


def _reported(side: CircuitSide) -> Any:
    if side.reported is None:
        return state_label("unknown", "no report")
    strays = f", also has {', '.join(side.strays)}" if side.strays else ""
    return state_label(_REPORTED_STATES.get(side.reported, "unknown"), side.reported + strays)


def _group(text: str) -> dict[str, object]:
    name, equals, hosts = text.partition("=")
    if not (name and equals and hosts):
        raise Usage(f"{shown(text)} is not a group: write nodes=98, or atm=onyx1,origin1.")
    return (
        {"name": name, "count": int(hosts)}
        if hosts.isdecimal()
        else {"name": name, "nodes": hosts.split(",")}
    )


def _plan(run: Session, body: dict[str, Any], labels: int, *, as_answer: bool) -> None:
    if not body["groups"]:
        raise Usage("Name the hosts to connect, for example --group nodes=98 --group atm=12.")
    answer = run.api.post("/circuits/plan", {"site": run.one_site(), **body})
    if as_answer:
        as_json(answer)
        return
    plan = read(CircuitPlanOut, answer)
    print_lines(
        f"{plan.members} hosts make {plan.pairs} pairs. A port has {plan.capacity} labels: {plan.limits}."
    )
    rows = [
        (
            size.title,
            *map(str, (size.circuits, size.statements, size.one_more, size.per_port, size.trunk)),
            state_label("ok" if size.fits else "critical", "fits" if size.fits else "too many"),
            state_label("ok", "advised") if size.method == plan.advised else "",
        )
        for size in plan.sizes
    ]
    head = ("direction", "circuits", "lines", "one more host", "on one port", "on one trunk", "labels", "")
    show(table(head, rows))
    print_lines(plan.advice)
    if plan.circuits and labels:
        print_lines("")
        show(table(("circuit", "port and label"), _planned(plan, labels)))
        printed = min(labels, len(plan.circuits))
        print_lines(f"{printed} of {count(plan.planned, 'planned circuit')}; nothing is stored")
    if plan.device is not None and plan.text:
        print_lines("", f"gratm.conf of {plan.device}:", *plan.text.rstrip("\n").split("\n"))


def _planned(plan: CircuitPlanOut, labels: int) -> list[tuple[str, str]]:
    return [(circuit.name, " > ".join(circuit.sides)) for circuit in plan.circuits[:labels]]
