"""Commands that misconfigure a device, and restore it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from backstay_lab import clocks, neighbour_flood, reboot
from backstay_lab.atm.table import Row, file_of, load, relabelled, save
from backstay_lab.blueprint import End, Node
from backstay_lab.network import resolving
from backstay_lab.programs import run
from backstay_lab.sp import table as dependent
from backstay_lab.state import Run, StateFolder

TABLE = "backstay_miswire"


def miswire(folder: StateFolder, lab: Run, node: Node, port: str, label: str | None) -> Row:
    """Give the port's circuit this label; None: the intended one. Returns the row."""
    file = file_of(folder.node_folder(node.name))
    rows = relabelled(load(file), port, label)
    wrong = [row.port for row in rows if row.is_wrong]
    run(
        ["ip", "netns", "exec", lab.names.node(node.name), "nft", "-f", "-"],
        text="".join(f"{line}\n" for line in ruleset(wrong)),
    )
    save(file, rows)
    return next(row for row in rows if row.port == port)


def ruleset(ports: list[str]) -> list[str]:
    """One nft transaction: nothing passes these ports, whatever was there before (nft(8))."""
    table = f"netdev {TABLE}"
    clear = [f"add table {table}", f"delete table {table}"]
    if not ports:
        return clear
    devices = ", ".join(f'"{port}"' for port in ports)
    chains = [
        f"  chain {hook} {{ type filter hook {hook} devices = {{ {devices} }} priority -490; policy drop; }}"
        for hook in ("ingress", "egress")
    ]
    return [*clear, f"table {table} {{", *chains, "}"]


NodeName = Annotated[str, typer.Argument(metavar="NODE", help="A node of the running lab.")]


def make_label_wrong(
    context: typer.Context,
    node: NodeName,
    port: Annotated[str, typer.Argument(metavar="PORT", help="A port with a circuit, e.g. ga030.")],
    label: Annotated[
        str | None, typer.Argument(metavar="[VPI/VCI]", help="The wrong label; omitted: the intended one.")
    ] = None,
) -> None:
    """Give a router's circuit another VPI/VCI than its other end has: no cell arrives any more."""
    folder: StateFolder = context.obj
    with folder.lock():
        lab = folder.require()
        row = miswire(folder, lab, lab.plan().node(node), port, label)
    if row.is_wrong:
        typer.echo(
            f"{node}:{port} has {row.label} now, and its other end {row.meant}: nothing passes there."
            f" Undo it with `backstay-lab miswire {node} {port}`."
        )
    else:
        typer.echo(f"{node}:{port} has {row.label}, as intended.")


def set_clock_off(
    context: typer.Context,
    node: NodeName,
    offset: Annotated[
        str | None, typer.Option(help="-30d, +90s or 2h; absent: the clock is right again.")
    ] = None,
    at_reboot: Annotated[
        bool, typer.Option("--reboot", help="Reboot the node, and let its clock be wrong from then on.")
    ] = False,
) -> None:
    """Offset the clock that a router's snmpd reports; without --offset, correct it again."""
    folder: StateFolder = context.obj
    by = None if offset is None else clocks.offset(offset)
    with folder.lock():
        lab = folder.require()
        place = lab.plan().node(node)
        clocks.set_clock(folder, lab, place, by)
        if at_reboot:
            reboot.reboot(folder, lab, place)
    how = "is right" if by is None else f"is off by {offset}"
    typer.echo(f"{node}: its clock {how}{', from its reboot on' if at_reboot else ''}.")


def make_adapter_wrong(
    context: typer.Context,
    node: NodeName,
    attribute: Annotated[
        str | None,
        typer.Argument(metavar="[ATTRIBUTE]", help="node-number, switch-node-number or host-offset."),
    ] = None,
    value: Annotated[int | None, typer.Argument(metavar="[VALUE]", help="The wrong one.")] = None,
) -> None:
    """Give an extension node's adapter another number than the SDR has; without a value, the intended one."""
    folder: StateFolder = context.obj
    with folder.lock():
        row = dependent.written(
            folder.require().plan().node(node), folder.node_folder(node), attribute, value
        )
    typer.echo(
        f"{node}:{row.port} is node {row.number} with switch node number {row.switch_number} and host offset"
        f" {row.host_offset}. Without a value, `backstay-lab sp-adapter {node}` restores the intended one."
    )


def fill_table(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    node: NodeName,
    port: Annotated[str, typer.Argument(metavar="PORT", help="A data port of the node, e.g. gh010.")],
    rate: Annotated[float, typer.Option(help="ARP broadcasts a second.")] = 300.0,
    seconds: Annotated[float, typer.Option(help="How long.")] = 20.0,
    source: Annotated[str | None, typer.Option("--from", help="Who of a shared fabric sends them.")] = None,
    disguised: Annotated[
        bool, typer.Option(help="Invent the hardware addresses too, so that only switches know.")
    ] = False,
) -> None:
    """Fill a port's ARP table by broadcasts of invented senders from its fabric."""
    folder: StateFolder = context.obj
    lab = folder.require()
    plan, target = lab.plan(), End(node, port)
    end = neighbour_flood.source_of(plan, target, source)
    done = neighbour_flood.flood(
        plan, lab.names, target, end, neighbour_flood.Flood(rate, seconds, disguised)
    )
    typer.echo(
        f"{end.node}:{end.port} sent {done.frames} ARP broadcasts to {node}:{port} in {done.seconds:.1f} s,"
        f" as {min(done.frames, neighbour_flood.INVENTED)} unused addresses."
    )


def enter_peers(
    context: typer.Context,
    node: NodeName,
    port: Annotated[str, typer.Argument(metavar="PORT", help="A data port of the node, e.g. gt000.")],
    forget: Annotated[bool, typer.Option("--forget", help="Take them away again.")] = False,
) -> None:
    """Set permanent ARP entries of a port's peers, as a person does at a device that has no agent."""
    folder: StateFolder = context.obj
    lab = folder.require()
    peers = resolving.enter(lab.plan(), lab.names, End(node, port), forget=forget)
    typer.echo(f"{node}:{port} {'has forgotten' if forget else 'has permanent entries of'} {peers} peers.")


VERBS: dict[str, Callable[..., None]] = {
    "miswire": make_label_wrong,
    "clock": set_clock_off,
    "sp-adapter": make_adapter_wrong,
    "flood": fill_table,
    "static-arp": enter_peers,
}
"""By the names that people type."""
