"""Commands that break nodes and shared fabrics, and restore them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated

import typer

from backstay_lab import faults
from backstay_lab.blueprint import Blueprint, FabricSpec
from backstay_lab.state import NodeFault, Run, StateFolder

Name = Annotated[str, typer.Argument(metavar="NODE", help="Node of the running lab.")]
NodeOrFabric = Annotated[
    str, typer.Argument(metavar="NAME", help="Node or shared fabric of the running lab.")
]
Port = Annotated[str | None, typer.Option("--port", help="Only this data port of the node.")]


def cut(context: typer.Context, name: NodeOrFabric, port: Port = None) -> None:
    """Take the data ports of a node or fabric down.

    Their links lose carrier.
    """
    _break(context.obj, name, "cut", port)


def silence(context: typer.Context, name: NodeOrFabric) -> None:
    """Drop all packets of a node or fabric; its links stay up."""
    _break(context.obj, name, "silence")


def blackhole(context: typer.Context, name: Name) -> None:
    """Stop a node from forwarding; it remains reachable."""
    _break(context.obj, name, "blackhole")


def drop_sent(context: typer.Context, name: Name) -> None:
    """Drop all packets that a node's data ports send.

    The ports still receive.
    """
    _break(context.obj, name, "one-way")


def no_management(context: typer.Context, name: Name) -> None:
    """Drop all packets of a node's management port.

    Its data ports keep working.
    """
    _break(context.obj, name, "no-management")


def restore(context: typer.Context, name: NodeOrFabric) -> None:
    """Remove the fault of a node or fabric."""
    folder: StateFolder = context.obj
    with folder.lock():
        lab = folder.require()
        fabric = _fabric(lab.plan(), name)
        node = lab.plan().node(name) if fabric is None else None
        had = lab.faults.get(name)
        if had is not None:
            if fabric is not None:
                faults.restore_fabric(lab, fabric)
            if node is not None:
                faults.restore(folder, lab, node, had.kind)
            folder.save(lab.with_fault(name, None))
    typer.echo(f"{name}: restored from {had.kind}." if had else f"{name} had no fault.")


def _break(folder: StateFolder, name: str, kind: str, port: str | None = None) -> None:
    with folder.lock():
        lab = folder.require()
        had = lab.faults.get(name)
        _apply(folder, lab, (name, kind, port), had)
        if had is None or had.kind != kind:
            since = datetime.now(UTC).isoformat(timespec="milliseconds")
            folder.save(lab.with_fault(name, NodeFault(kind, since)))
    before = f" (replaces {had.kind}, since {had.since})" if had else ""
    where = name if port is None else f"{name}:{port}"
    typer.echo(f"{where}: {kind}{before}: {faults.FAULTS[kind].meaning}.")


def _apply(folder: StateFolder, lab: Run, what: tuple[str, str, str | None], had: NodeFault | None) -> None:
    name, kind, port = what
    plan = lab.plan()
    fabric = _fabric(plan, name)
    if fabric is not None:
        faults.apply_to_fabric(lab, fabric, kind)
    elif port is not None:
        node = plan.node(name)
        if had is not None and had.kind != kind:
            faults.restore(folder, lab, node, had.kind)
        faults.cut_port(plan, node, lab.names.node(name), port)
    else:
        faults.apply(folder, lab, plan.node(name), kind, had.kind if had else None)


def _fabric(plan: Blueprint, name: str) -> FabricSpec | None:
    """The fabric of that name, unless a node has it."""
    if any(node.name == name for node in plan.nodes):
        return None
    return next((fabric for fabric in plan.fabrics if fabric.name == name), None)


VERBS: dict[str, Callable[..., None]] = {
    "cut": cut,
    "silence": silence,
    "blackhole": blackhole,
    "one-way": drop_sent,
    "no-management": no_management,
    "restore": restore,
}
"""By command name."""
