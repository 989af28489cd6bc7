"""The state of a running lab, read from the kernel and the processes, as one JSON-able value."""

from __future__ import annotations

import json
from typing import Any

from backstay_lab import netns, processes
from backstay_lab.blueprint import Blueprint, End, Link, Node
from backstay_lab.daemons import bird
from backstay_lab.programs import run
from backstay_lab.relay import PORT
from backstay_lab.state import Run, StateFolder

Carriers = dict[tuple[str, str], bool]
"""Namespace and device to carrier."""


def status(folder: StateFolder, lab: Run) -> dict[str, Any]:
    """Every node, port, link, daemon and fault; the shape is that of `backstay-lab status --json`."""
    plan = lab.plan()
    carriers = _carriers(plan, lab)
    return {
        "site": lab.site,
        "id": lab.id,
        "rate_scale": lab.parameters.rate_scale,
        "up_since": lab.up_since,
        "ready": lab.ready,
        "backend_inside": f"http://{plan.relay.ip}:{PORT}",
        "backend_port": lab.backend_port,
        "daemons": _daemons(lab, ""),
        "nodes": [_node(folder, lab, plan, node, carriers) for node in plan.nodes],
        "links": [_link(lab, plan, link, carriers) for link in plan.links],
    }


def problems(report: dict[str, Any]) -> list[str]:
    """What is wrong with the lab itself: daemons that have ended. A fault made on purpose is none."""
    own = [("the lab", daemon) for daemon in report["daemons"]]
    own += [(node["name"], daemon) for node in report["nodes"] for daemon in node["daemons"]]
    return [f"{daemon['name']} of {where} has ended" for where, daemon in own if not daemon["running"]]


def _node(folder: StateFolder, lab: Run, plan: Blueprint, node: Node, carriers: Carriers) -> dict[str, Any]:
    namespace = lab.names.node(node.name)
    fault = lab.faults.get(node.name)
    return {
        "name": node.name,
        "namespace": namespace,
        "kind": node.kind,
        "role": node.role,
        "agent": node.watcher or "self",
        "bird_socket": str(folder.bird_socket(node.name)) if bird.routes(node) else None,
        "management": str(plan.management_address(node)),
        "service": str(node.service),
        "fault": fault.kind if fault else None,
        "fault_since": fault.since if fault else None,
        "ports": [
            {
                "name": port.name,
                "fabric": port.fabric,
                "addresses": [str(port.address)],
                "carrier": carriers.get((namespace, port.name), False),
            }
            for port in node.ports
        ],
        "daemons": _daemons(lab, node.name),
    }


def _daemons(lab: Run, node: str) -> list[dict[str, Any]]:
    return [
        {"name": daemon.name, "pid": daemon.pid, "running": processes.running(daemon)}
        for daemon in lab.daemons
        if daemon.node == node
    ]


def _link(lab: Run, plan: Blueprint, link: Link, carriers: Carriers) -> dict[str, Any]:
    fabric = plan.fabric(link.fabric)
    far = (lab.names.fabric(fabric.name), link.a.node) if link.b is None else _place(lab, link.b)
    return {
        "name": link.name,
        "fabric": link.fabric,
        "circuit": link.circuit,
        "mtu": fabric.mtu,
        "rate": plan.wire_rate(fabric),
        "a": {"node": link.a.node, "port": link.a.port},
        "b": {"node": link.b.node, "port": link.b.port} if link.b else None,
        "up": carriers.get(_place(lab, link.a), False) and carriers.get(far, False),
    }


def _place(lab: Run, end: End) -> tuple[str, str]:
    return lab.names.node(end.node), end.port


def _carriers(plan: Blueprint, lab: Run) -> Carriers:
    """Which devices have carrier (IFF_LOWER_UP, netdevice(7)); a namespace that is gone has none."""
    found: Carriers = {}
    for namespace in _namespaces(plan, lab):
        shown = run(["ip", "-n", namespace, "-json", "link", "show"])
        for device in json.loads(shown):
            found[namespace, device["ifname"]] = "LOWER_UP" in device["flags"]
    return found


def _namespaces(plan: Blueprint, lab: Run) -> list[str]:
    """The namespaces of the lab that exist."""
    existing = set(netns.listed(lab.names.prefix))
    return [name for name in lab.names.all(plan) if name in existing]


def table(report: dict[str, Any]) -> list[str]:
    """The report as lines for a terminal."""
    lines = [
        f"{report['site']} (id {report['id']}) up since {report['up_since']}, rates x {report['rate_scale']:g},"
        f" backend inside at {report['backend_inside']}",
        "",
        f"{'node':<9}{'role':<13}{'management':<14}{'fault':<11}{'daemons':<22}ports",
    ]
    for node in report["nodes"]:
        daemons = " ".join(d["name"] + ("" if d["running"] else "(ended)") for d in node["daemons"]) or "-"
        ports = " ".join(port["name"] + ("" if port["carrier"] else "(down)") for port in node["ports"])
        lines.append(
            f"{node['name']:<9}{node['role']:<13}{node['management']:<14}{node['fault'] or '-':<11}{daemons:<22}{ports}"
        )
    lines += ["", f"{'link':<36}{'fabric':<12}{'circuit':<9}{'Mb/s':>8}  state"]
    for link in report["links"]:
        state = "up" if link["up"] else "DOWN"
        lines.append(
            f"{link['name']:<36}{link['fabric']:<12}{link['circuit'] or '-':<9}{link['rate'] / 1e6:>8.2f}  {state}"
        )
    return lines
