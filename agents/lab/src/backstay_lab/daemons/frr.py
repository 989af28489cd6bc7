"""FRR (zebra, staticd, an idle ripd) on a node: static routes by distance. It does not monitor gateways.
Pure.

The daemons drop to the user frr, who cannot enter a state folder below a home directory: their sockets are
in a separate folder. frr.conf belongs to the operator, is in the state folder, and is loaded by vtysh.
"""

from __future__ import annotations

from pathlib import Path

from backstay_lab.blueprint import Blueprint, NodeSpec

FIRST_DISTANCE = 60
"""Of the first route (lower wins); each following one has 10 more."""
PROGRAMS = Path("/usr/lib/frr")
DAEMONS = ("zebra", "staticd", "ripd")
"""In start order."""


def config(plan: Blueprint, node: NodeSpec) -> str:
    """The whole frr.conf of a node."""
    lines = [f"! {node.name} of {plan.site}: {node.title}", f"hostname {node.name}", "!"]
    for route in node.routes:
        lines += [
            f"ip route {route.prefix} {hop.address} {FIRST_DISTANCE + 10 * place}"
            for place, hop in enumerate(route.hops)
        ]
        lines += [] if route.hops else [f"ip route {route.prefix} reject"]
    return "\n".join([*lines, "!"]) + "\n"


def argv(daemon: str, vty: Path) -> list[str]:
    """Command line; in the foreground, without a TCP port."""
    files = [
        "-f",
        str(vty / f"{daemon}.conf"),
        "-i",
        str(vty / f"{daemon}.pid"),
        "-z",
        str(vty / "zserv.api"),
    ]
    return [str(PROGRAMS / daemon), *files, "--vty_socket", str(vty), "-P", "0", "--log", "stdout"]


def socket(daemon: str, vty: Path) -> Path:
    """Exists when the daemon is ready."""
    return vty / f"{daemon}.vty"


def load_argv(config_path: Path, vty: Path) -> list[str]:
    """Command line that loads frr.conf into the daemons."""
    return ["vtysh", "--vty_socket", str(vty), "-f", str(config_path)]
