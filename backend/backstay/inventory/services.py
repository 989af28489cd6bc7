"""Writes to the inventory other than the import of a site file: agents and their nodes, and sites that are
no longer watched."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import F

from backstay.accounts import agents
from backstay.accounts.models import Agent
from backstay.inventory.models import Node, Port, Site

DEVICE_ADDRESSED = frozenset({"snmp", "ssh"})
"""Kinds of source whose address is the device's own."""


def attach_agent(agent: Agent) -> Node | None:
    """Link the agent to the node on which it runs; None if the site has no such node."""
    node = Node.objects.filter(site__name=agent.site, name=agent.node).first()
    if node is not None:
        node.agent = agent
        node.save(update_fields=["agent"])
    return node


@transaction.atomic
def enrol(token: str, public_key: str, version: str, now: datetime) -> Agent:
    """Exchange a one-time token for an agent, attached to its node."""
    agent = agents.enrol(token, public_key, version, now)
    attach_agent(agent)
    return agent


def watched_nodes(agent: UUID) -> list[Node]:
    """The nodes that this agent collects, by name."""
    return list(Node.objects.filter(watcher__agent_id=agent).order_by("name"))


def raise_generations(nodes: Iterable[int]) -> None:
    """Mark the desired state of these nodes' agents as changed; the next reply reports the new generation."""
    Agent.objects.filter(host__in=list(nodes)).update(generation=F("generation") + 1)


def archive_sites(but: Iterable[str], now: datetime) -> list[str]:
    """Archive all other sites; returns the names of the newly archived."""
    left = Site.objects.filter(archived_at=None).exclude(name__in=list(but))
    names = sorted(left.values_list("name", flat=True))
    left.update(archived_at=now)
    return names


def sender_names(nodes: Iterable[Node]) -> dict[str, str]:
    """Source address -> node name, to identify senders of notices; ambiguous addresses are omitted."""
    owners: dict[str, set[str]] = {}
    by_id = {node.pk: node for node in nodes}
    for node in by_id.values():
        for source in node.sources:
            if "address" in source and source["kind"] in DEVICE_ADDRESSED:
                owners.setdefault(str(source["address"]), set()).add(node.name)
    for node_id, addresses in Port.objects.filter(node__in=by_id).values_list("node_id", "addresses"):
        for text in addresses:
            owners.setdefault(text.partition("/")[0], set()).add(by_id[node_id].name)
    return {address: names.pop() for address, names in sorted(owners.items()) if len(names) == 1}
