"""Sites of hosts with their own agents, imported and enrolled through the public API."""

from __future__ import annotations

import json
from dataclasses import dataclass

from bench.service.calls import call
from bench.service.processes import Service
from bench.site import AgentIdentity, host_site

PORTS = [f"Ethernet1/{port}" for port in range(1, 9)]


@dataclass(frozen=True, slots=True)
class Sender:
    """An enrolled agent and the node that it runs on."""

    site: str
    node: str
    identity: AgentIdentity


def import_hosts(service: Service, site: str, hosts: int, interval_s: int = 30) -> list[Sender]:
    """Import a site of hosts with 8 ports and enrol each agent. Raises RuntimeError."""
    text = json.dumps({**json.loads(host_site(site, hosts, len(PORTS))), "interval_s": interval_s})
    body = json.dumps({"text": text, "name": f"{site}.yaml"}).encode()
    answer = service.call("POST", "/api/v1/site-files", body)
    if answer.status not in {200, 201}:
        raise RuntimeError(f"{site} was not imported: {answer.status} {answer.body[:300]!r}")
    return [enrol(service, site, f"host{number:03}") for number in range(hosts)]


def enrol(service: Service, site: str, node: str) -> Sender:
    """A new agent of a node."""
    body = json.dumps({"site": site, "node": node}).encode()
    made = service.call("POST", "/api/v1/enrolment-tokens", body)
    if made.status not in {200, 201}:
        raise RuntimeError(f"no token for {node} of {site}: {made.status} {made.body[:300]!r}")
    identity = AgentIdentity()
    headers = {"Content-Type": "application/json"}
    path, sent = "/api/agent/v1/enrol", identity.enrol_body(made.json()["token"])
    reply = call(service.backend.ingest_port, "POST", path, sent, headers)
    if reply.status != 200:
        raise RuntimeError(f"{node} of {site} was not enrolled: {reply.status} {reply.body[:300]!r}")
    identity.enrolled(reply.json())
    return Sender(site, node, identity)
