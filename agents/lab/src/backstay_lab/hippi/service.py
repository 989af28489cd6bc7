"""The fabric as a service of a site: its process, what snmpd asks it, the faults of the boxes it plays."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

from backstay_lab import netns
from backstay_lab.blueprint import Node
from backstay_lab.errors import LabError
from backstay_lab.hippi import config as configs
from backstay_lab.hippi.config import FabricConfig, HostConfig
from backstay_lab.hippi.control import ask
from backstay_lab.hippi.snmp.agent import SUBTREES
from backstay_lab.hippi.snmp.ps32 import ENTERPRISE
from backstay_lab.hippi.snmp.value import dotted
from backstay_lab.naming import Names
from backstay_lab.programs import run
from backstay_lab.services import Running, Service

NAME = "hippi"
KERNEL_QUEUE = 64
"""Packets that a host's kernel queues while its interface is full; 64 of 64 KB are 4 MB."""
OVERRIDE_PRIORITY = 50
"""Lower than the default 127 of snmpd's own tables, so ours are asked first (snmpd.conf(5))."""
CONGESTION_CONTROL = "cubic"


def hippi_service(build: Callable[[Names], FabricConfig], speed: int) -> Service:
    """A site's HIPPI fabric. `build` knows the namespaces' names; `speed` is a channel's bit/s, unscaled."""

    def prepare(site: Running) -> None:
        fabric = build(site.names)
        config_file(site).write_text(configs.dump(fabric))
        for host in fabric.hosts:
            if host.carries_ip:
                _prepare_host(host)

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
    """Where the running fabric is asked."""
    return site.folder / "control"


def _argv(site: Running) -> list[str]:
    files = (config_file(site), control_socket(site), site.alive)
    return [sys.executable, "-m", "backstay_lab.hippi.process", *map(str, files)]


def _prepare_host(host: HostConfig) -> None:
    """A short queue, and cubic for its connections.

    By route (ip-route(8), congctl): a sysctl of a namespace may only name what the machine allows all.
    """
    enter = ["ip", "-n", host.namespace]
    run([*enter, "link", "set", "dev", host.device, "txqueuelen", str(KERNEL_QUEUE)])
    for route in json.loads(run([*enter, "-json", "route", "show", "dev", host.device])):
        way = ["dev", host.device, "proto", "kernel", "scope", "link", "src", route["prefsrc"]]
        run([*enter, "route", "change", route["dst"], *way, "congctl", CONGESTION_CONTROL])
    netns.inside(host.namespace, _forget_metrics)


def _forget_metrics() -> None:
    """Each connection starts afresh: what an earlier one met says nothing about the next experiment."""
    Path("/proc/sys/net/ipv4/tcp_no_metrics_save").write_text("1")


def _kind(node: Node) -> str:
    return "switch" if node.kind == "switch" else "gateway"


def _snmpd_lines(site: Running, node: Node, speed: int) -> list[str]:
    """pass_persist for the subtrees, and one who may write: the lab's tuner, from the management network."""
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


def _fault(site: Running, node: Node, kind: str) -> None:
    """A switch that is cut has no port, a gateway that is cut no stripe; a gateway may lose all it carries."""
    if (node.kind, kind) == ("switch", "cut"):
        _enable_ports(site, node, enabled=False)
    elif (node.kind, kind) == ("gateway", "cut"):
        _signal(site, node, up=False)
    elif (node.kind, kind) == ("gateway", "blackhole"):
        ask(control_socket(site), verb="blackhole", gateway=node.name, on=True)
    else:
        raise LabError(f"{node.name}, a HIPPI {node.kind}, knows no {kind}.", "Cut it.")


def _restore(site: Running, node: Node, kind: str) -> None:
    if node.kind == "switch":
        _enable_ports(site, node, enabled=True)
    elif kind == "cut":
        _signal(site, node, up=True)
    else:
        ask(control_socket(site), verb="blackhole", gateway=node.name, on=False)


def _enable_ports(site: Running, node: Node, *, enabled: bool) -> None:
    socket = control_socket(site)
    for number, port in enumerate(ask(socket, verb="show")["switches"][node.name]["ports"]):
        if port["attached"] is not None:
            ask(socket, verb="port", switch=node.name, port=number, enabled=enabled)


def _signal(site: Running, node: Node, *, up: bool) -> None:
    """All stripes of the line, which has two ends."""
    socket = control_socket(site)
    gateways = ask(socket, verb="show")["gateways"]
    installed = gateways[node.name]["installed"] if up else 0
    for name in (node.name, gateways[node.name]["peer"]):
        ask(socket, verb="stripes", gateway=name, stripes=installed)
