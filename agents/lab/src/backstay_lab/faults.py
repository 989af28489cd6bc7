"""The three kinds of node faults; applying and undoing are idempotent.

cut        its data ports are down: peers on point-to-point links lose carrier; peers on a shared switch
           stay up, as in reality. The management port stays up, so SNMP can report the fault.
silence    its links stay up, but all ports, including management, drop all packets.
blackhole  it answers but does not forward: neither BFD nor a routing protocol detects it.

A node has one fault at a time; a new one replaces it. A service applies the faults of the nodes that it
simulates (`backstay_lab.blueprint.Service`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from backstay_lab.blueprint import Blueprint, Node
from backstay_lab.errors import LabError
from backstay_lab.programs import run
from backstay_lab.state import Run, StateFolder

TABLE = "backstay_fault"

Action = Callable[[Blueprint, Node, str], None]
"""Blueprint, node, the node's namespace."""


@dataclass(frozen=True)
class FaultKind:
    """How a fault is applied and undone, and its description."""

    apply: Action
    undo: Action
    meaning: str


def _cut(plan: Blueprint, node: Node, namespace: str) -> None:
    _set_data_ports(plan, node, namespace, "down")


def _mend(plan: Blueprint, node: Node, namespace: str) -> None:
    _set_data_ports(plan, node, namespace, "up")


def _set_data_ports(plan: Blueprint, node: Node, namespace: str, state: str) -> None:
    ports = [port for port in plan.data_ports(node) if plan.has_device(node, port)]
    if not ports:
        raise LabError(f"{node.name} has no data link to cut.", "Use `silence`, or cut another node.")
    lines = [f"link set dev {port.name} {state}" for port in ports]
    run(["ip", "-n", namespace, "-batch", "-"], text="\n".join(lines) + "\n")


def _silence(plan: Blueprint, node: Node, namespace: str) -> None:
    devices = ", ".join(f'"{port.name}"' for port in plan.devices(node))
    chains = [
        f"  chain {hook} {{ type filter hook {hook} devices = {{ {devices} }} priority -500; policy drop; }}"
        for hook in ("ingress", "egress")
    ]
    _replace_table(namespace, "netdev", chains)


def _end_silence(_plan: Blueprint, _node: Node, namespace: str) -> None:
    _drop_table(namespace, "netdev")


def _blackhole(_plan: Blueprint, node: Node, namespace: str) -> None:
    if not node.forwards:
        raise LabError(f"{node.name} does not forward packets.", "Choose a gateway or the router.")
    _replace_table(
        namespace, "inet", ["  chain forward { type filter hook forward priority -300; policy drop; }"]
    )


def _forward(_plan: Blueprint, _node: Node, namespace: str) -> None:
    _drop_table(namespace, "inet")


def _replace_table(namespace: str, family: str, chains: list[str]) -> None:
    """One nft(8) transaction that replaces the table."""
    table = f"{family} {TABLE}"
    _nft(namespace, [f"add table {table}", f"delete table {table}", f"table {table} {{", *chains, "}"])


def _drop_table(namespace: str, family: str) -> None:
    table = f"{family} {TABLE}"
    _nft(namespace, [f"add table {table}", f"delete table {table}"])


def _nft(namespace: str, lines: list[str]) -> None:
    run(["ip", "netns", "exec", namespace, "nft", "-f", "-"], text="\n".join(lines) + "\n")


FAULTS: dict[str, FaultKind] = {
    "cut": FaultKind(_cut, _mend, "data links have lost carrier; management stays up"),
    "silence": FaultKind(_silence, _end_silence, "links stay up, but all ports drop all packets"),
    "blackhole": FaultKind(_blackhole, _forward, "answers but does not forward"),
}


def apply(folder: StateFolder, lab: Run, node: Node, kind: str, current: str | None) -> None:
    """Apply the fault, then remove the node's previous one."""
    if node.simulated_by is not None:
        running = folder.running(lab, node.simulated_by)
        running.plan.service_named(node.simulated_by).fault(running, node, kind)
    else:
        FAULTS[kind].apply(lab.plan(), node, lab.names.node(node.name))
    if current is not None and current != kind:
        restore(folder, lab, node, current)


def restore(folder: StateFolder, lab: Run, node: Node, current: str) -> None:
    """End the node's fault."""
    if node.simulated_by is not None:
        running = folder.running(lab, node.simulated_by)
        running.plan.service_named(node.simulated_by).restore(running, node, current)
    else:
        FAULTS[current].undo(lab.plan(), node, lab.names.node(node.name))
