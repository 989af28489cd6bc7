"""The fabric as a service: its process, its snmpd subtrees, and faults of simulated devices."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from backstay_lab.blueprint import NodeSpec, Running, Service
from backstay_lab.errors import LabError
from backstay_lab.hippi import config as configs
from backstay_lab.hippi.config import FabricConfig
from backstay_lab.hippi.control import ask
from backstay_lab.hippi.snmp.ps32 import ENTERPRISE
from backstay_lab.hippi.snmp.subtrees import SUBTREES
from backstay_lab.hippi.snmp.value import dotted
from backstay_lab.naming import Names

NAME = "hippi"
OVERRIDE_PRIORITY = 50
"""Below the default 127 of snmpd's own tables, so ours take precedence (snmpd.conf(5))."""


def hippi_service(build: Callable[[Names], FabricConfig], speed: int) -> Service:
    """A site's HIPPI fabric. `build` gets the namespaces' names; `speed` is a channel's unscaled bit/s."""

    def prepare(site: Running) -> None:
        config_file(site).write_text(configs.dump(build(site.names)))

    return Service(
        name=NAME,
        argv=_argv,
        prepare=prepare,
        ready=lambda site: control_socket(site).exists(),
        snmpd_lines=lambda site, node: _snmpd_lines(site, node, speed),
        fault=_fault,
        restore=_restore,
    )


def config_file(site: Running) -> Path:
    """The fabric's configuration."""
    return site.folder / "fabric.json"


def control_socket(site: Running) -> Path:
    """The running fabric's control socket."""
    return site.folder / "control"


def _argv(site: Running) -> list[str]:
    files = (config_file(site), control_socket(site), site.alive)
    return [sys.executable, "-m", "backstay_lab.hippi.process", *map(str, files)]


def _kind(node: NodeSpec) -> str:
    return "switch" if node.kind == "switch" else "gateway"


def _snmpd_lines(site: Running, node: NodeSpec, speed: int) -> list[str]:
    """pass_persist lines of the subtrees; write access for the lab's tuner from the management network."""
    if node.simulated_by != NAME:
        return []
    program = f"{sys.executable} -m backstay_lab.hippi.snmp.agent"
    device = f"{control_socket(site)} {_kind(node)} {node.name} {speed}"
    lines = [
        f"pass_persist -p {OVERRIDE_PRIORITY} {dotted(root)} {program} {device} {subtree}"
        for subtree, root in SUBTREES.items()
    ]
    network = next(port.interface.network for port in node.ports if port.fabric == "management")
    return [*lines, f"rwcommunity {site.credentials.tuner} {network} {dotted(ENTERPRISE)}"]


def _fault(site: Running, node: NodeSpec, kind: str) -> None:
    """Cut disables a switch's ports or a gateway's stripes; other faults drop all its packets."""
    if (node.kind, kind) == ("switch", "cut"):
        _enable_ports(site, node, enabled=False)
    elif (node.kind, kind) == ("gateway", "cut"):
        _signal(site, node, up=False)
    elif (node.kind, kind) == ("gateway", "blackhole"):
        ask(control_socket(site), verb="blackhole", gateway=node.name, on=True)
    else:
        raise LabError(f"{node.name}, a HIPPI {node.kind}, does not support {kind}.", "Cut it.")


def _restore(site: Running, node: NodeSpec, kind: str) -> None:
    if node.kind == "switch":
        _enable_ports(site, node, enabled=True)
    elif kind == "cut":
        _signal(site, node, up=True)
    else:
        ask(control_socket(site), verb="blackhole", gateway=node.name, on=False)


def _enable_ports(site: Running, node: NodeSpec, *, enabled: bool) -> None:
    socket = control_socket(site)
    for number in ask(socket, verb="show")["switches"][node.name]["ports"]:
        ask(socket, verb="port", switch=node.name, port=int(number), enabled=enabled)


def _signal(site: Running, node: NodeSpec, *, up: bool) -> None:
    """Set all stripes of the line, at both ends."""
    socket = control_socket(site)
    gateways = ask(socket, verb="show")["gateways"]
    installed = gateways[node.name]["installed"] if up else 0
    for name in (node.name, gateways[node.name]["peer"]):
        ask(socket, verb="stripes", gateway=name, stripes=installed)
