"""Sites of hosts whose agents are enrolled without a request each: 10,000 in one go."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from bench.fleet.messages import GATEWAYS, INTERVAL_S, POLICY, PREFIX
from bench.service.sites import PORTS

HOSTS_PER_SITE = 500


@dataclass(frozen=True, slots=True)
class Enrolled:
    """An agent with a valid credential."""

    node: str
    agent: str
    authorization: str


def populate(agents: int) -> list[Enrolled]:
    """Import the sites and enrol the agents, in this process's database."""
    return [one for first in range(0, agents, HOSTS_PER_SITE) for one in _site(first, agents)]


def site_file(name: str, hosts: int) -> str:
    """Hosts with 8 ports, and one policy that all of them follow (JSON, a subset of YAML)."""
    names = [f"host{number:03}" for number in range(hosts)]
    nodes = [_node(host, "host", number + 10) for number, host in enumerate(names)]
    nodes += [_node(gateway, "gateway", number + 1) for number, gateway in enumerate(GATEWAYS)]
    policy = {"name": POLICY, "nodes": names, "prefix": PREFIX, "gateways": GATEWAYS, "detection": "bfd"}
    fabric = {"name": "lan", "kind": "ethernet", "media_rate": "10 Gb/s"}
    site = {"site": name, "interval_s": INTERVAL_S, "fabrics": [fabric], "nodes": nodes}
    return json.dumps({**site, "failover_policies": [policy]})


def _node(name: str, kind: str, number: int) -> dict[str, object]:
    ports: list[dict[str, object]] = [{"name": port, "fabric": "lan"} for port in PORTS]
    ports[0]["addresses"] = [f"10.1.{number // 250}.{number % 250 + 1}/16"]
    return {"name": name, "kind": kind, "agent": "self", "sources": [{"kind": "linux"}], "ports": ports}


def _site(first: int, agents: int) -> Iterator[Enrolled]:
    from django.utils import timezone

    from backstay.accounts import credentials
    from backstay.accounts.models import Agent
    from backstay.intake.site_files import import_text
    from backstay.inventory.models import Node

    name, hosts = f"fleet{first // HOSTS_PER_SITE}", min(HOSTS_PER_SITE, agents - first)
    now = timezone.now()
    import_text(site_file(name, hosts), f"{name}.yaml", now)
    nodes = list(Node.objects.filter(site__name=name, name__startswith="host").order_by("name"))
    made = [Agent(site=name, node=node.name, public_key=bytes(32), version="1.0") for node in nodes]
    Agent.objects.bulk_create(made)
    for node, agent in zip(nodes, made, strict=True):
        node.agent = agent
        yield Enrolled(node.name, str(agent.pk), f"Bearer {credentials.issue(agent.pk, now).text}")
    Node.objects.bulk_update(nodes, ["agent"], batch_size=500)
