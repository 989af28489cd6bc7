"""Commands that misconfigure a device, and restore it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from backstay_lab import clocks, neighbour_flood, reboot
from backstay_lab.atm.table import CircuitRow, file_of, load, relabelled, save
from backstay_lab.blueprint import End, NodeSpec
from backstay_lab.network import resolving
from backstay_lab.programs import run
from backstay_lab.sp import table as dependent
from backstay_lab.state import Run, StateFolder

TABLE = "backstay_miswire"


def miswire(folder: StateFolder, lab: Run, node: NodeSpec, port: str, label: str | None) -> CircuitRow:
    """Set the label of the port's circuit; None: the intended one. Returns the row."""
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
    """One nft(8) transaction that replaces the table: these ports drop all packets."""
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


NodeName = Annotated[str, typer.Argument(metavar="NODE", help="Node of the running lab.")]


def make_label_wrong(
    context: typer.Context,
    node: NodeName,
    port: Annotated[str, typer.Argument(metavar="PORT", help="Port with a circuit, for example ga030.")],
    label: Annotated[
        str | None,
        typer.Argument(metavar="[VPI/VCI]", help="Wrong label; default: restore the intended one."),
    ] = None,
) -> None:
    """Change the VPI/VCI of a router's circuit at one end.

    It then differs from the other end, and no cells arrive.
    """
    folder: StateFolder = context.obj
    with folder.lock():
        lab = folder.require()
        row = miswire(folder, lab, lab.plan().node(node), port, label)
    if row.is_wrong:
        typer.echo(
            f"{node}:{port} now has {row.label}, its other end {row.meant}: no traffic passes."
            f" Undo it with `backstay-lab miswire {node} {port}`."
        )
    else:
        typer.echo(f"{node}:{port} has {row.label}, as intended.")


def set_clock_off(
    context: typer.Context,
    node: NodeName,
    offset: Annotated[str | None, typer.Option(help="-30d, +90s or 2h; default: correct the clock.")] = None,
    at_reboot: Annotated[
        bool, typer.Option("--reboot", help="Reboot the node; the offset applies from then on.")
    ] = False,
) -> None:
    """Offset the clock that a router's snmpd reports."""
    folder: StateFolder = context.obj
    by = None if offset is None else clocks.offset(offset)
    with folder.lock():
        lab = folder.require()
        place = lab.plan().node(node)
        clocks.set_clock(folder, lab, place, by)
        if at_reboot:
            reboot.reboot(folder, lab, place)
    how = "is correct" if by is None else f"has an offset of {offset}"
    typer.echo(f"{node}: its clock {how}{', from its reboot on' if at_reboot else ''}.")


def make_adapter_wrong(
    context: typer.Context,
    node: NodeName,
    attribute: Annotated[
        str | None,
        typer.Argument(
            metavar="[ATTRIBUTE]",
            help="node-number, switch-node-number or host-offset; default: restore all.",
        ),
    ] = None,
    value: Annotated[
        int | None, typer.Argument(metavar="[VALUE]", help="Wrong value of the attribute.")
    ] = None,
) -> None:
    """Misconfigure the adapter of an extension node."""
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
    port: Annotated[str, typer.Argument(metavar="PORT", help="Data port of the node, for example gh010.")],
    rate: Annotated[float, typer.Option(help="ARP broadcasts per second.")] = 300.0,
    seconds: Annotated[float, typer.Option(help="Duration, seconds.")] = 20.0,
    source: Annotated[str | None, typer.Option("--from", help="Sending node on a shared fabric.")] = None,
    disguised: Annotated[
        bool,
        typer.Option(help="Send from fake hardware addresses too; only switches can then trace the sender."),
    ] = False,
) -> None:
    """Fill a port's ARP table with entries of unused addresses.

    Sends ARP broadcasts from unused addresses of the port's fabric.
    """
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
    port: Annotated[str, typer.Argument(metavar="PORT", help="Data port of the node, for example gt000.")],
    forget: Annotated[bool, typer.Option("--forget", help="Remove the entries.")] = False,
) -> None:
    """Set permanent ARP entries of a port's peers.

    An operator does the same on a device without an agent.
    """
    folder: StateFolder = context.obj
    lab = folder.require()
    peers = resolving.enter(lab.plan(), lab.names, End(node, port), forget=forget)
    typer.echo(
        f"{node}:{port} {'removed the entries of' if forget else 'has permanent entries of'} {peers} peers."
    )


VERBS: dict[str, Callable[..., None]] = {
    "miswire": make_label_wrong,
    "clock": set_clock_off,
    "sp-adapter": make_adapter_wrong,
    "flood": fill_table,
    "static-arp": enter_peers,
}
"""By command name."""
