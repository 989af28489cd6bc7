"""Site file of a small Argonne, for tests and benchmarks.

Wired like the lab: compute nodes, a GigaRouter and an ATM gateway on one switch; servers and the division
router behind them.
"""

from __future__ import annotations

import json
from typing import Any

Json = dict[str, Any]
SCALE = 0.1
INTERVAL_S = 2.0


def _host(name: str, role: str, ports: list[tuple[str, str, str]], **more: Any) -> Json:
    return {
        "name": name,
        "kind": more.pop("kind", "host"),
        "role": role,
        "agent": more.pop("agent", "self"),
        "sources": more.pop("sources", [{"kind": "linux"}]),
        "ports": [{"name": n, "fabric": f, "addresses": [a]} for n, f, a in ports],
        **more,
    }


def site_file(nodes: int = 3, name: str = "argonne") -> str:
    """The site file's text (JSON is YAML) with so many compute nodes."""
    compute = [
        _host(f"sp{n:02}", "compute", [("css0", "sp-switch", f"10.1.{n // 200}.{n % 200 + 20}/16")])
        for n in range(1, nodes + 1)
    ]
    snmp = {"kind": "snmp", "address": "10.255.0.4", "access": {"version": "2c", "community": "hush"}}
    others = [
        _host(
            "grf1",
            "gateway",
            [
                ("gt000", "sp-switch", "10.1.0.16/16"),
                ("gh010", "hippi", "10.2.0.1/30"),
                ("ga030", "atm-oc12", "10.3.0.1/30"),
                ("ga031", "atm-oc12", "10.3.0.5/30"),
            ],
            kind="gateway",
            agent="mgmt1",
            sources=[snmp],
        ),
        _host(
            "atmgw",
            "gateway",
            [("css0", "sp-switch", "10.1.0.15/16"), ("at0", "atm-oc3", "10.3.0.9/30")],
            kind="gateway",
        ),
        _host("onyx1", "server", [("hip0", "hippi", "10.2.0.2/30")]),
        _host("origin1", "server", [("at0", "atm-oc12", "10.3.0.2/30"), ("at1", "atm-oc12", "10.3.0.13/30")]),
        _host(
            "router",
            "router",
            [
                ("at0", "atm-oc12", "10.3.0.6/30"),
                ("at1", "atm-oc3", "10.3.0.10/30"),
                ("at2", "atm-oc12", "10.3.0.14/30"),
            ],
            kind="router",
        ),
        _host("mgmt1", "management", []),
    ]
    return json.dumps(
        {
            "site": name,
            "title": "Argonne SP complex",
            "interval_s": INTERVAL_S,
            "rate_scale": SCALE,
            "fabrics": [
                {"name": "sp-switch", "kind": "sp_switch", "media_rate": "960 Mb/s", "mtu": 65520},
                {"name": "hippi", "kind": "hippi", "media_rate": "800 Mb/s"},
                _atm("atm-oc12", "622.08 Mb/s", "538 Mb/s"),
                _atm("atm-oc3", "155.52 Mb/s", "134.5 Mb/s"),
                {"name": "ib", "kind": "infiniband", "media_rate": "10 Gb/s", "usable_rate": "8 Gb/s"},
            ],
            "nodes": [*compute, *others],
            "links": [
                {"a": "grf1:gh010", "b": "onyx1:hip0"},
                {"a": "grf1:ga030", "b": "origin1:at0", "circuit": "0/130"},
                {"a": "grf1:ga031", "b": "router:at0", "circuit": "0/131"},
                {"a": "atmgw:at0", "b": "router:at1", "circuit": "0/140"},
                {"a": "origin1:at1", "b": "router:at2", "circuit": "0/150"},
            ],
            "failover_policies": [
                _policy("sp-default", ["sp*"], "0.0.0.0/0", ["grf1", "atmgw"], "10.9.0.1"),
                _policy("router-to-sp", ["router"], "10.1.0.0/16", ["grf1", "atmgw"], "10.1.0.21"),
                _policy("origin1-to-sp", ["origin1"], "10.1.0.0/16", ["grf1", "router"], "10.1.0.21"),
            ],
        }
    )


def _atm(name: str, media: str, usable: str) -> Json:
    return {"name": name, "kind": "atm", "media_rate": media, "usable_rate": usable, "mtu": 9180}


def _policy(name: str, nodes: list[str], prefix: str, gateways: list[str], target: str) -> Json:
    policy = {"name": name, "nodes": nodes, "prefix": prefix, "gateways": gateways, "target": target}
    return {**policy, "detection": "bfd"}
