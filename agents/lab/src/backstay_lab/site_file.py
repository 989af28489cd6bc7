"""The site file of a blueprint: YAML as `docs/site-file.md` describes it. Pure.

Rates are the real ones; `rate_scale` is the lab's factor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import yaml

from backstay_lab import engines
from backstay_lab.blueprint import (
    Blueprint,
    End,
    FabricSpec,
    LinkSpec,
    NodeSpec,
    Policy,
    PortSpec,
    ReturnPath,
)
from backstay_lab.credentials import Credentials
from backstay_lab.daemons import snmpd
from backstay_lab.node_files import Home
from backstay_lab.sp.table import host_offset

DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
"""libyaml's dumper where PyYAML has it: ten times faster for a site of a thousand nodes."""


def render(plan: Blueprint, credentials: Credentials, home: Callable[[str], Home]) -> str:
    """The file's text; `home` returns the paths of a node's files by its name."""
    document = {
        "site": plan.site,
        "title": plan.title,
        "interval_s": plan.interval_s,
        "rate_scale": plan.parameters.rate_scale,
        "second_person": plan.second_person,
        "fabrics": [_fabric(fabric) for fabric in plan.fabrics if not fabric.management],
        "nodes": [_node(plan, node, credentials, home(node.name)) for node in plan.nodes],
        "links": [_link(link, link.b) for link in plan.links if link.b is not None],
        "failover_policies": [_policy(policy) for policy in plan.policies],
        **_circuits(plan),
        **_shared_risks(plan),
        # net-snmp reports the processors of the machine that all nodes share: no fault of a gateway.
        "rules": [{"rule": "gateway_cpu", "enabled": False}],
    }
    text = yaml.dump(document, Dumper=DUMPER, sort_keys=False, width=110, allow_unicode=True)
    return f"# {plan.title}, as the lab runs it. It holds device credentials: keep it at mode 600.\n{text}"


def rate(bits: int) -> str:
    """A rate as text: 155520000 is `155.52 Mb/s`."""
    return f"{bits / 1e6:.12g} Mb/s"


def _fabric(fabric: FabricSpec) -> dict[str, Any]:
    return {
        "name": fabric.name,
        "title": fabric.title,
        "kind": fabric.kind,
        "media_rate": rate(fabric.media_rate),
        "usable_rate": rate(fabric.usable_rate),
        "mtu": fabric.mtu,
        "arp": fabric.arp,
    }


def _node(plan: Blueprint, node: NodeSpec, credentials: Credentials, home: Home) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "name": node.name,
        "title": node.title,
        "kind": node.kind,
        "role": node.role,
        "node_number": node.node_number,
        "switch_node_number": node.switch_node_number,
        "guid": node.guid or None,
        "labels": dict(node.labels),
        "agent": node.watcher or ("self" if plan.own_agent(node) else None),
        "sources": _sources(plan, node, credentials, home),
        "routing": engines.routing(node, home) if plan.managed(node) else None,
        "arp": {"config": str(home.arp), "settings": str(home.arp_settings)} if node.arp else None,
        "extension": {"port": node.extension, "host_offset": host_offset(node)} if node.extension else None,
        "ports": [_port(plan, port) for port in node.ports],
    }
    return {key: value for key, value in facts.items() if value is not None and value not in ({}, [])}


def _sources(plan: Blueprint, node: NodeSpec, credentials: Credentials, home: Home) -> list[dict[str, Any]]:
    more = [dict(source) for source in node.sources]
    if snmpd.watched(plan, node):
        return [_snmp(str(plan.management_address(node)), _v3(credentials)), *more]
    if node.snmp is not None:
        v2c = {"version": "2c", "community": credentials.community}
        access = _v3(credentials) if node.snmp.version == "3" else v2c
        return [_snmp(str(node.snmp.address), access) | {"timeout_s": node.snmp.timeout_s}, *more]
    sources: list[dict[str, Any]] = [{"kind": "linux"}] if plan.own_agent(node) else []
    return sources + engines.sources(node, home) + more


def _snmp(address: str, access: dict[str, str]) -> dict[str, Any]:
    return {"kind": "snmp", "address": address, "access": access}


def _v3(credentials: Credentials) -> dict[str, str]:
    return {
        "version": "3",
        "user": credentials.user,
        "auth_protocol": "SHA-256",
        "auth_key": credentials.auth_key,
        "priv_protocol": "AES-128",
        "priv_key": credentials.priv_key,
    }


def _port(plan: Blueprint, port: PortSpec) -> dict[str, Any]:
    place = {"management": True} if plan.fabric(port.fabric).management else {"fabric": port.fabric}
    return {"name": port.name, **place} | ({"addresses": [str(port.address)]} if port.address else {})


def _link(link: LinkSpec, far: End) -> dict[str, Any]:
    ends = {"a": f"{link.a.node}:{link.a.port}", "b": f"{far.node}:{far.port}"}
    return ends | ({"circuit": link.circuit} if link.circuit else {})


def _circuits(plan: Blueprint) -> dict[str, Any]:
    """Each labelled link as a circuit of two hops, shaped to its fabric's usable rate."""
    links = [link for link in plan.links if link.circuit and link.b is not None]
    fabrics = [fabric for fabric in plan.fabrics if fabric.name in {link.fabric for link in links}]
    if not links:
        return {}
    return {
        "traffic_shapes": [
            {"name": _shape(fabric.name), "peak": rate(fabric.usable_rate), "qos": "high"}
            for fabric in fabrics
        ],
        "circuits": [_circuit(link, link.b) for link in links if link.b is not None],
    }


def _shared_risks(plan: Blueprint) -> dict[str, Any]:
    risks = [
        {"name": risk.name, "kind": risk.kind, "members": list(risk.members)} for risk in plan.shared_risks
    ]
    return {"shared_risks": risks} if risks else {}


def _circuit(link: LinkSpec, far: End) -> dict[str, Any]:
    return {
        "name": f"{link.a.node}-{far.node}",
        "shape": _shape(link.fabric),
        "hops": [
            {"node": link.a.node, "out": f"{link.a.port} {link.circuit}"},
            {"node": far.node, "in": f"{far.port} {link.circuit}"},
        ],
    }


def _shape(fabric: str) -> str:
    """A name that is valid in gratm.conf."""
    return fabric.replace("-", "_")


def _policy(policy: Policy) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "name": policy.name,
        "nodes": list(policy.nodes),
        "prefix": str(policy.prefix),
        "gateways": list(policy.gateways),
        "detection": policy.detection,
        "target": str(policy.target),
        "probe_interval_ms": policy.probe_interval_ms,
        "note": policy.note,
    }
    if policy.stripe is not None:
        facts["stripe"] = {"backups": policy.stripe.backups, "by_label": policy.stripe.by_label}
    if policy.back is not None:
        facts["return_path"] = _return_path(policy.back)
    if not policy.deployed:
        facts["deployed"] = False
    return facts


def _return_path(back: ReturnPath) -> dict[str, Any]:
    target = {} if back.target is None else {"target": str(back.target)}
    return {"routers": list(back.routers), "prefix": str(back.prefix), **target}
