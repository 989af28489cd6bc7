"""`circuits`: PVCs and VLANs hop by hop, now and at an earlier time, and the planner of meshes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from backstay_cli import completion
from backstay_cli.commands.status import remind
from backstay_cli.errors import WRONG, Usage
from backstay_cli.lookup import CIRCUIT
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
from backstay_cli.session import AsJson, AsOf, Session, session
from backstay_cli.text import clock, count, rate, shown

SHOWN = 10
"""Default number of planned circuits printed."""
_REPORTED_STATES = {
    "up": "ok",
    "down": "critical",
    "missing": "critical",
    "off": "disabled",
    "unknown": "unknown",
}
Group = Annotated[
    list[str] | None,
    typer.Option("--group", metavar="NAME=N|NAME=HOST,HOST", help="A group of hosts; repeatable."),
]
Pattern = Annotated[
    Literal["full", "between", "hub"],
    typer.Option(help="Connect all hosts, hosts of different groups, or all with one hub."),
]
Hub = Annotated[str | None, typer.Option(help="The host that all others connect to.")]
Switches = Annotated[int, typer.Option(min=1, max=64, help="Number of ATM switch hops.")]
PlanFabric = Annotated[str | None, typer.Option(help="Fabric of the named hosts' ports.")]
Svc = Annotated[bool, typer.Option("--svc", help="The switches support signalling (SVCs).")]
Vlan = Annotated[bool, typer.Option("--vlan", help="Compare with Ethernet VLANs as well.")]
Labels = Annotated[int, typer.Option(min=0, max=500, help="Number of planned circuits to print.")]


def circuits(
    context: typer.Context,
    circuit: Annotated[
        str | None, typer.Argument(metavar="[CIRCUIT]", help="Circuit to show hop by hop; default: list all.")
    ] = None,
    at: AsOf = None,
    json: AsJson = False,
) -> None:
    """List circuits, or show one."""
    if circuit is None:
        list_circuits(context, at=at, json=json)
    else:
        show_circuit(context, circuit, at, json)


def list_circuits(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    kind: Annotated[str | None, typer.Option(help="Only pvc or vlan.")] = None,
    node: Annotated[
        str | None, typer.Option(help="Only circuits of this node.", autocompletion=completion.nodes)
    ] = None,
    state: Annotated[str | None, typer.Option(help="Only in this state, e.g. critical.")] = None,
    at: AsOf = None,
    json: AsJson = False,
) -> None:
    """List circuits and their states, or as the site file declared them at a time.

    Exit code 1: a circuit carries no traffic.
    """
    run = session(context)
    if at is not None:
        if kind is not None or state is not None:
            raise Usage("--kind and --state are those of now: leave them out, or leave out --as-of.")
        _versions(run, None, at, node=node, as_answer=json)
        return
    answer = run.listing("/circuits", kind=kind, node=node, state=state)
    known = read_all(CircuitOut, answer)
    if json:
        as_json(answer)
    else:
        _list(known)
        remind(run)
    if any(item.state == "critical" for item in known):
        raise typer.Exit(WRONG)


def show_circuit(
    context: typer.Context,
    circuit: Annotated[str, typer.Argument(metavar="CIRCUIT", help="Name or number of the circuit.")],
    at: AsOf = None,
    json: AsJson = False,
) -> None:
    """Show one circuit hop by hop, with its earlier versions.

    Exit code 1: it carries no traffic.
    """
    run = session(context)
    if at is not None:
        _versions(run, circuit, at, as_answer=json)
        return
    answer = run.api.get(f"/circuits/{run.one(CIRCUIT, circuit)}")
    known = read(CircuitOut, answer)
    if json:
        as_json(answer)
    else:
        _hops(known)
        _history(run, known.name)
    if known.state == "critical":
        raise typer.Exit(WRONG)


def plan_circuits(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    group: Group = None,
    pattern: Pattern = "full",
    hub: Hub = None,
    switches: Switches = 1,
    fabric: PlanFabric = None,
    svc: Svc = False,
    vlan: Vlan = False,
    labels: Labels = SHOWN,
    json: AsJson = False,
) -> None:
    """Calculate how many circuits connect groups of hosts, and propose free labels. Nothing is stored."""
    means = ["pvc", *(["svc"] if svc else []), *(["vlan"] if vlan else [])]
    body = {"pattern": pattern, "hub": hub, "switches": switches, "fabric": fabric, "means": means}
    groups = [_group(text) for text in group or []]
    _plan(session(context), {**body, "groups": groups}, labels, as_answer=json)


def hand_over(
    context: typer.Context,
    node: Annotated[
        str,
        typer.Argument(metavar="NODE", help="Gateway of the circuits.", autocompletion=completion.gateways),
    ],
    current: Annotated[
        Path | None,
        typer.Option(
            "--current", metavar="FILE", help="Its present configuration file.", exists=True, dir_okay=False
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Print the circuits of a gateway as its configuration file, with the difference and the commands."""
    run = session(context)
    text = "" if current is None else current.read_text(encoding="utf-8", errors="replace")
    answer = run.api.post("/circuits/hand-over", {"site": run.one_site(), "node": node, "current": text})
    if json:
        as_json(answer)
        return
    print_lines(heading(f"{answer['path']} of {shown(answer['node'])}"))
    print_lines(*(answer["diff"].splitlines() or ["No differences."]))
    if answer["commands"]:
        print_lines("", "Commands:", *answer["commands"])
    print_lines(*answer["unlike"])


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


def _versions(run: Session, name: str | None, at: str, *, node: str | None = None, as_answer: bool) -> None:
    answer = run.listing("/circuits/history", name=name, node=node, at=at, sort="name")
    if name is not None and not answer["items"]:
        run.one(CIRCUIT, name)
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
