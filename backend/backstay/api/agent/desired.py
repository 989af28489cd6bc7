"""An agent's desired state, from inventory and policy to the wire."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django.utils import timezone
from pydantic import TypeAdapter

from backstay.accounts import secrets
from backstay.inventory.selectors import agent_host
from backstay.inventory.services import sender_names, watched_nodes
from backstay.inventory.sweeps import declared_cables, swept_devices
from backstay.policy.selectors import watches
from backstay.rollout import desired as rollout
from backstay.rollout import management
from backstay.telemetry import recordings
from backstay.throughput import assignments
from backstay_wire import (
    ArpFiles,
    ChangeAssignment,
    Desired,
    Engine,
    GatewayAddress,
    NodeArp,
    NodeHold,
    NodeRouting,
    PathMove,
    PathWatch,
    RecordingRequest,
    Source,
)

if TYPE_CHECKING:
    from backstay.accounts.models import Agent
    from backstay.inventory.models import Node
    from backstay.policy.selectors import Watch

_source: TypeAdapter[Source] = TypeAdapter(Source)
_CABLE = ("node", "port", "peer", "peer_port")


def desired(agent: Agent) -> Desired:
    """The agent's desired state, including secrets of the devices that it collects."""
    host = agent_host(agent)
    nodes = watched_nodes(agent.pk)
    interval_s = host.site.interval_s if host else 0.0
    senders = sender_names(nodes)
    return Desired(
        **_routing(host),
        **_arp(host),
        changes=_changes(host),
        tests=assignments.assignments(host) if host else [],
        generation=agent.generation,
        site=agent.site,
        node=agent.node,
        sources=[source for node in nodes for source in _sources(node, interval_s, senders)],
        paths=[_path(watch) for watch in watches(host)] if host else [],
        recordings=[RecordingRequest(**asdict(item)) for item in recordings.wanted(nodes, timezone.now())],
        managed_again=management.cleared(host) if host else "",
    )


def _routing(host: Node | None) -> dict[str, Any]:
    """The host's intended routing; empty if the site file names no engine."""
    if host is None or not host.routing:
        return {}
    engine = {"kind": host.routing["engine"], **{k: v for k, v in host.routing.items() if k != "engine"}}
    confirmed, hold = rollout.routing(host), rollout.hold(host)
    return {
        "engine": Engine.model_validate(engine),
        "routing": None if confirmed is None else NodeRouting.model_validate(confirmed),
        "moves": [PathMove.model_validate(move) for move in rollout.moves(host)],
        "hold": None if hold is None else NodeHold.model_validate(hold),
    }


def _arp(host: Node | None) -> dict[str, Any]:
    """The host's intended ARP state; empty if the site file names no ARP files."""
    if host is None or not host.arp:
        return {}
    confirmed = rollout.arp(host)
    return {
        "arp_files": ArpFiles.model_validate(host.arp),
        "arp": None if confirmed is None else NodeArp.model_validate(confirmed),
    }


def _changes(host: Node | None) -> list[ChangeAssignment]:
    """Changes in progress, for a host with managed routing or ARP."""
    if host is None or not (host.routing or host.arp):
        return []
    return [ChangeAssignment.model_validate(duty) for duty in rollout.assignments(host)]


def _sources(node: Node, interval_s: float, senders: dict[str, str]) -> list[Source]:
    hidden = secrets.decrypt(node.secrets)
    filled = []
    for source in node.sources:
        values = {"interval_s": interval_s, **source, "device": node.name}
        values |= _from_inventory(node, source, senders)
        if "access" in source:
            values["access"] = _access(source["access"], hidden.get(source["kind"]))
        filled.append(_source.validate_python(values))
    return filled


def _from_inventory(node: Node, source: dict[str, Any], senders: dict[str, str]) -> dict[str, Any]:
    """Add the fields of a source that come from the inventory instead of the site file."""
    if source["kind"] == "infiniband":
        swept = swept_devices(node.site_id, source["fabric"])
        cables = declared_cables(node.site_id, source["fabric"])
        return {
            "devices": {device.guid: device.name for device in swept},
            "cables": [dict(zip(_CABLE, cable, strict=True)) for cable in cables],
        }
    return {"senders": senders} if source["kind"] == "notices" else {}


def _access(shown: Any, hidden: Any) -> Any:
    """One access, or a list of them, with secrets."""
    if isinstance(shown, list):
        secret = hidden["access"] if hidden else []
        return [{**item, **more} for item, more in zip(shown, secret, strict=True)]
    return {**shown, **(hidden or {})}


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
