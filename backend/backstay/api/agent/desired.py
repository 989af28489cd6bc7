"""What an agent is to do, from inventory and policy to the wire."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from backstay.accounts import secrets
from backstay.accounts.models import Agent
from backstay.inventory.models import Node
from backstay.inventory.services import watched_nodes
from backstay.policy.watches import Watch, watches
from backstay_wire import Desired, GatewayAddress, PathWatch, Source

_source: TypeAdapter[Source] = TypeAdapter(Source)


def desired(agent: Agent) -> Desired:
    """The whole of the agent's duty; it holds the secrets of the devices that it collects."""
    host = Node.objects.select_related("site").filter(agent=agent).first()
    nodes = watched_nodes(agent.pk)
    interval_s = host.site.interval_s if host else 0.0
    return Desired(
        generation=agent.generation,
        site=agent.site,
        node=agent.node,
        sources=[source for node in nodes for source in _sources(node, interval_s)],
        paths=[_path(watch) for watch in watches(host)] if host else [],
    )


def _sources(node: Node, interval_s: float) -> list[Source]:
    hidden = secrets.decrypt(node.secrets)
    return [_source.validate_python(_filled(node, source, hidden, interval_s)) for source in node.sources]


def _filled(node: Node, source: dict[str, Any], hidden: dict[str, Any], interval_s: float) -> dict[str, Any]:
    values = {"interval_s": interval_s, **source, "device": node.name}
    if "access" in source:
        values["access"] = {**source["access"], **hidden.get(source["kind"], {})}
    return values


def _path(watch: Watch) -> PathWatch:
    return PathWatch.model_validate(
        {
            "policy": watch.policy,
            "prefix": watch.prefix,
            "gateways": [GatewayAddress.model_validate({"name": n, "address": a}) for n, a in watch.gateways],
            "target": watch.target,
            "probe_interval_ms": watch.probe_interval_ms,
        }
    )
