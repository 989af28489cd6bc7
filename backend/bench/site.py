"""A site of any size, and an agent's side of the protocol, for benchmarks and tests."""

from __future__ import annotations

import base64
import gzip
import json
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

Json = dict[str, Any]


def switch_site(name: str, devices: int, ports: int, *, agents: int, fabric: str = "lan") -> str:
    """Site file (JSON, a subset of YAML) of switches polled by management hosts, their ports on a fabric."""
    hosts = [f"mgmt{number}" for number in range(agents)]
    nodes: list[Json] = [
        {"name": host, "kind": "host", "role": "management", "agent": "self", "sources": [{"kind": "linux"}]}
        for host in hosts
    ]
    nodes += [
        _switch(f"sw{number:03}", hosts[number % agents], number, ports, fabric) for number in range(devices)
    ]
    fabrics = [{"name": fabric, "kind": "ethernet", "media_rate": "10 Gb/s"}]
    return json.dumps({"site": name, "interval_s": 30, "fabrics": fabrics, "nodes": nodes})


def _switch(name: str, agent: str, number: int, ports: int, fabric: str) -> Json:
    return {
        "name": name,
        "kind": "switch",
        "agent": agent,
        "sources": [
            {
                "kind": "snmp",
                "address": f"10.255.{number // 250}.{number % 250 + 1}",
                "access": {"version": "2c", "community": f"secret of {name}"},
            }
        ],
        "ports": [{"name": f"Ethernet1/{port}", "fabric": fabric} for port in range(1, ports + 1)],
    }


@dataclass
class AgentIdentity:
    """An agent's key and credential."""

    key: Ed25519PrivateKey = field(default_factory=Ed25519PrivateKey.generate)
    agent: str = ""
    credential: str = ""

    def enrol_body(self, token: str) -> bytes:
        """Body of `POST /enrol`."""
        public = base64.b64encode(self.key.public_key().public_bytes_raw()).decode()
        return json.dumps(
            {"token": token, "public_key": public, "hostname": "host", "agent_version": "1.0"}
        ).encode()

    def enrolled(self, reply: Mapping[str, Any]) -> None:
        """Store the response to `enrol_body`."""
        self.agent = reply["agent"]
        self.credential = reply["credential"]["credential"]

    def renew_body(self, nonce: str, at: int | None = None) -> bytes:
        """Body of `POST /credential`."""
        at = int(time.time()) if at is None else at
        text = f"backstay-credential-v1\n{self.agent}\n{at}\n{nonce}"
        signature = base64.b64encode(self.key.sign(text.encode())).decode()
        return json.dumps({"agent": self.agent, "at": at, "nonce": nonce, "signature": signature}).encode()

    @property
    def authorization(self) -> str:
        """Value of the `Authorization` header."""
        return f"Bearer {self.credential}"


def port_samples(
    device: str, ports: Sequence[str], seq: int, *, boot: uuid.UUID, at: int, **values: object
) -> Json:
    """One device's report; `values` replaces or adds keys."""
    count = len(ports)
    report: Json = {
        "kind": "ports",
        "boot": str(boot),
        "seq": seq,
        "device": device,
        "at": at,
        "duration_ns": 30_000_000_000,
        "ports": list(ports),
        "in_octets": [seq] * count,
        "out_octets": [2 * seq] * count,
        "in_packets": [1] * count,
        "out_packets": [1] * count,
    }
    return {**report, **values}


def batch(reports: Sequence[Json], *, sent: int, **values: object) -> bytes:
    """Gzip body of `POST /reports`, packed like an agent's."""
    text = json.dumps({"wire": 2, "sent": sent, "reports": list(reports), **values}, separators=(",", ":"))
    return gzip.compress(text.encode(), 1)


def packed(reports: Sequence[str]) -> Callable[[], bytes]:
    """Packs reports that are already JSON, stamped with the time of packing."""

    def pack() -> bytes:
        text = f'{{"wire":2,"sent":{time.time_ns()},"reports":[{",".join(reports)}]}}'
        return gzip.compress(text.encode(), 1)

    return pack


def host_site(name: str, devices: int, ports: int) -> str:
    """Site file of hosts, each with its own agent."""
    fabric = {"name": "lan", "kind": "ethernet", "media_rate": "10 Gb/s"}
    nodes = [
        {
            "name": f"host{number:03}",
            "kind": "host",
            "agent": "self",
            "sources": [{"kind": "linux"}],
            "ports": [{"name": f"Ethernet1/{port}", "fabric": "lan"} for port in range(1, ports + 1)],
        }
        for number in range(devices)
    ]
    return json.dumps({"site": name, "interval_s": 30, "fabrics": [fabric], "nodes": nodes})


def notice_site(
    name: str, *, address: str, snmp_port: int, trap_port: int, syslog_port: int, community: str
) -> str:
    """Site file of mgmt0, which polls grf1 at a port of `address` and receives its notices on 127.0.0.1."""
    receiving = {
        "kind": "notices",
        "address": "127.0.0.1",
        "trap_port": trap_port,
        "syslog_port": syslog_port,
        "access": [{"version": "2c", "community": community}],
    }
    polled = {
        "kind": "snmp",
        "address": address,
        "port": snmp_port,
        "timeout_s": 0.2,
        "retries": 0,
        "access": {"version": "2c", "community": community},
    }
    nodes = [
        {"name": "mgmt0", "kind": "host", "role": "management", "agent": "self", "sources": [receiving]},
        {"name": "grf1", "kind": "router", "agent": "mgmt0", "sources": [polled]}
        | {"ports": [{"name": "gh010", "fabric": "lan"}]},
    ]
    fabric = {"name": "lan", "kind": "ethernet", "media_rate": "1 Gb/s"}
    return json.dumps({"site": name, "interval_s": 1, "fabrics": [fabric], "nodes": nodes})
