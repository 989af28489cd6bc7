"""Faults that cut a node off from its controller while a change waits there for its confirmation.

Each is one function of the node, so that tests and benchmarks share them. After every one of them the node
must return to its state before the change by itself, within the change's timeout and five seconds.
"""

import contextlib
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from backstay_testing.change_node import ChangedNode
from backstay_testing.engines import BEHIND, wait_until
from backstay_wire import EngineKind

Fault = Callable[[ChangedNode], None]
DAEMONS = frozenset({EngineKind.BIRD, EngineKind.FRR, EngineKind.GATED})
_CUT_S = 10.0
"""Seconds in which a fault must cut the node off: a daemon withdraws its routes later."""


@dataclass(frozen=True, slots=True)
class Cutoff:
    """One kind of cut-off."""

    name: str
    inflict: Fault
    engines: frozenset[EngineKind] = frozenset(EngineKind)
    gateways: tuple[str, ...] = ("atmgw", "grf1")
    """Gateways of the change, best first."""
    cuts: bool = True
    """Whether the node no longer reaches the controller; else a process that takes part in the change is
    gone."""
    detected: bool = True
    """Whether a verification fails; else the node may confirm the change."""
    by_itself: bool = False
    """The change is the fault: the node rolls back without a request."""

    def apply(self, node: ChangedNode) -> None:
        """Inflict it and wait until it works. Raises TimeoutError, CalledProcessError."""
        self.inflict(node)
        if self.cuts and not self.by_itself:
            wait_until(lambda: not node.reaches_controller(), _CUT_S)


def _ip(line: str) -> Fault:
    return lambda node: node.node.space.run(*line.split())


def _no_default_route(node: ChangedNode) -> None:
    with contextlib.suppress(subprocess.CalledProcessError):
        while True:  # until ip(8) finds none
            node.node.space.run("route", "delete", "default")


def _both_ports_down(node: ChangedNode) -> None:
    for port in ("p2", "p1"):
        node.node.space.run("link", "set", port, "down")


def _packet_filter(node: ChangedNode) -> None:
    rules = "add table inet cut; add chain inet cut o { type filter hook output priority 0; }; "
    node.node.ask("nft", f"{rules}add rule inet cut o ip daddr {BEHIND} drop")


def _strict_source_filter(node: ChangedNode) -> None:
    """Replies arrive at the other port, and the change makes the node drop them."""
    node.node.far.run("route", "add", "10.77.2.2/32", "via", "10.77.1.2", "dev", "q1")
    node.node.ask("sysctl", "-w", "net.ipv4.conf.all.rp_filter=1", "net.ipv4.conf.p1.rp_filter=1")


def _daemon_killed(node: ChangedNode) -> None:
    node.engine.kill()


def _daemon_misconfigured(node: ChangedNode) -> None:
    """Somebody makes the daemon read a configuration without a default route."""
    engine = node.engine.engine
    if engine.kind is EngineKind.FRR:
        lines = ["configure terminal"]
        lines += [f"no ip route 0.0.0.0/0 {via}" for via in ("10.77.2.1 60", "10.77.1.1 70")]
        commands = [part for line in lines for part in ("-c", line)]
        node.node.ask("vtysh", "--vty_socket", engine.control, *commands)
    elif engine.kind is EngineKind.BIRD:
        other = Path(engine.config).with_name("other.conf")
        other.write_text(
            "router id 10.77.1.2;\nprotocol device { }\nprotocol kernel { ipv4 { export all; }; }\n"
        )
        node.node.ask("birdc", "-s", engine.control, "configure", f'"{other}"')
    else:
        Path(engine.config).write_text("rip no ;\nredirect no ;\n")
        node.node.ask(engine.control, "reconfig")


def _agent_killed(node: ChangedNode) -> None:
    node.kill_driver()


def _guard_killed(node: ChangedNode) -> None:
    node.kill_guard()


def _reboot(node: ChangedNode) -> None:
    node.reboot()


def _nothing(node: ChangedNode) -> None:
    """The change is the fault."""


CUTOFFS = (
    # gated and FRR put a deleted route back within milliseconds: what cuts off their nodes is "daemon
    # misconfigured".
    Cutoff("no default route", _no_default_route, engines=frozenset({EngineKind.KERNEL, EngineKind.BIRD})),
    Cutoff("interface down", _both_ports_down),  # one alone makes the kernel use the other gateway
    Cutoff("nft drop rule", _packet_filter),
    Cutoff("black hole", _ip(f"route add blackhole {BEHIND}/32")),
    Cutoff("wrong ARP", _ip("neighbour replace 10.77.2.1 lladdr 02:00:00:00:00:99 dev p2 nud permanent")),
    Cutoff("rp_filter", _strict_source_filter),
    # A connection opens and no answer arrives: Linux announces segments of 256 octets however small the MTU.
    Cutoff("MTU", _ip("link set p2 mtu 68")),
    Cutoff("wrong gateway", _nothing, gateways=("nobody", "atmgw"), by_itself=True),
    Cutoff("daemon killed", _daemon_killed, engines=DAEMONS, cuts=False),
    Cutoff("daemon misconfigured", _daemon_misconfigured, engines=DAEMONS),
    Cutoff("agent killed", _agent_killed, cuts=False, detected=False),
    Cutoff("guard killed", _guard_killed, cuts=False, detected=False),
    Cutoff("reboot", _reboot, cuts=False),
)
"""BIRD and FRR killed or misconfigured are two kinds of the promise (R21); here they are columns."""
