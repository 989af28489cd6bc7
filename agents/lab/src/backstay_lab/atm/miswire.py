"""One VCI made wrong at one hop: the router's table has another label, and no cell of the circuit arrives.

A port discards cells whose VPI/VCI it does not know, and sends its own under a label that the other end does
not know (ITU-T I.361). Each circuit of the lab has a port of its own, so that is all that passes there.
"""

from __future__ import annotations

from backstay_lab.atm.table import Row, file_of, load, relabelled, save
from backstay_lab.blueprint import Node
from backstay_lab.programs import run
from backstay_lab.state import Run, StateFolder

TABLE = "backstay_miswire"


def miswire(folder: StateFolder, lab: Run, node: Node, port: str, label: str | None) -> Row:
    """Give the port's circuit this label; None: the one that is meant. The row as it is now."""
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
