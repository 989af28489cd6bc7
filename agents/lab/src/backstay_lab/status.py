"""The state of a running lab, read from the kernel and the processes, as one JSON-able value."""

from __future__ import annotations

import json
from ipaddress import IPv4Address
from typing import Any

from backstay_lab import processes
from backstay_lab.blueprint import RELAY_PORT, Blueprint, End, LinkSpec, NodeSpec
from backstay_lab.daemons import bird
from backstay_lab.network import netns
from backstay_lab.programs import run
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
        "backend_inside": f"http://{plan.relay.ip}:{RELAY_PORT}",
        "backend_port": lab.backend_port,
        "daemons": _daemons(lab, ""),
        "nodes": [_node(folder, lab, plan, node, carriers) for node in plan.nodes],
        "links": [_link(lab, plan, link, carriers) for link in plan.links],
    }


def problems(report: dict[str, Any]) -> list[str]:
    """The lab's own problems: ended daemons. Injected faults are not problems."""
    own = [("the lab", daemon) for daemon in report["daemons"]]
    own += [(node["name"], daemon) for node in report["nodes"] for daemon in node["daemons"]]
    return [f"{daemon['name']} of {where} has ended" for where, daemon in own if not daemon["running"]]


def _node(
    folder: StateFolder, lab: Run, plan: Blueprint, node: NodeSpec, carriers: Carriers
) -> dict[str, Any]:
    namespace = lab.names.node(node.name)
    fault = lab.faults.get(node.name)
    return {
        "name": node.name,
        "namespace": namespace if plan.in_namespace(node) else None,
        "kind": node.kind,
        "role": node.role,
        "agent": node.watcher or ("self" if plan.own_agent(node) else None),
        "engine": node.engine if node.routes else None,
        "bird_socket": str(folder.bird_socket(node.name)) if bird.routes(node) else None,
        "management": _text(node.snmp.address if node.snmp else plan.management_address(node)),
        "service": _text(node.service),
        "simulated_by": node.simulated_by,
        "fault": fault.kind if fault else None,
        "fault_since": fault.since if fault else None,
        "ports": [
            {
                "name": port.name,
                "fabric": port.fabric,
                "addresses": [str(port.address)] if port.address else [],
                "carrier": carriers.get((namespace, port.name), False)
                if plan.has_device(node, port)
                else None,
            }
            for port in node.ports
        ],
        "daemons": _daemons(lab, node.name),
    }


def _text(address: IPv4Address | None) -> str | None:
    return None if address is None else str(address)


def _daemons(lab: Run, node: str) -> list[dict[str, Any]]:
    return [
        {"name": daemon.name, "pid": daemon.pid, "running": processes.running(daemon)}
        for daemon in lab.daemons
        if daemon.node == node
    ]


def _link(lab: Run, plan: Blueprint, link: LinkSpec, carriers: Carriers) -> dict[str, Any]:
    fabric = plan.fabric(link.fabric)
    ends = [_place(lab, end) for end in (link.a, link.b) if end and plan.device_of(end)]
    if link.b is None and fabric.wiring == "veth":
        ends.append((lab.names.fabric(fabric.name), link.a.node))
    return {
        "name": link.name,
        "fabric": link.fabric,
        "circuit": link.circuit,
        "mtu": fabric.mtu,
        "rate": plan.wire_rate(fabric),
        "a": {"node": link.a.node, "port": link.a.port},
        "b": {"node": link.b.node, "port": link.b.port} if link.b else None,
        "up": all(carriers.get(end, False) for end in ends) if ends else None,
    }


def _place(lab: Run, end: End) -> tuple[str, str]:
    return lab.names.node(end.node), end.port


def _carriers(plan: Blueprint, lab: Run) -> Carriers:
    """The devices with carrier (IFF_LOWER_UP, netdevice(7)); a deleted namespace has none."""
    found: Carriers = {}
    for namespace in _namespaces(plan, lab):
        shown = run(["ip", "-n", namespace, "-json", "link", "show"])
        for device in json.loads(shown):
            found[namespace, device["ifname"]] = "LOWER_UP" in device["flags"]
    return found


def _namespaces(plan: Blueprint, lab: Run) -> list[str]:
    """The lab's existing namespaces."""
    existing = set(netns.listed(lab.names.prefix))
    return [name for name in plan.namespaces(lab.names) if name in existing]


def table(report: dict[str, Any]) -> list[str]:
    """The report as lines for a terminal."""
    head = "{site} (id {id}) up since {up_since}, rates x {rate_scale:g}, backend inside at {backend_inside}"
    nodes = [_row(NODE_WIDTHS, "node", "role", "management", "fault", "daemons", "ports")]
    nodes += [_node_row(node) for node in report["nodes"]]
    links = [_row(LINK_WIDTHS, "link", "fabric", "circuit", "Mb/s", "state")]
    links += [_link_row(link) for link in report["links"]]
    return [head.format_map(report), "", *nodes, "", *links]


NODE_WIDTHS = (9, 12, 14, 10, 22, 0)
LINK_WIDTHS = (35, 11, 8, 8, 0)


def _row(widths: tuple[int, ...], *cells: str) -> str:
    return " ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()


def _node_row(node: dict[str, Any]) -> str:
    daemons = [daemon["name"] + ("" if daemon["running"] else "(ended)") for daemon in node["daemons"]]
    ports = [port["name"] + ("(down)" if port["carrier"] is False else "") for port in node["ports"]]
    cells = (node["name"], node["role"], node["management"] or "-", node["fault"] or "-")
    return _row(NODE_WIDTHS, *cells, " ".join(daemons) or "-", " ".join(ports))


def _link_row(link: dict[str, Any]) -> str:
    rate = f"{link['rate'] / 1e6:.2f}".rjust(7)
    state = {True: "up", False: "DOWN", None: "simulated"}[link["up"]]
    return _row(LINK_WIDTHS, link["name"], link["fabric"], link["circuit"] or "-", rate, state)
