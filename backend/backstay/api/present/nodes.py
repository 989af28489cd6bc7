"""Nodes and fabrics, on the map and in lists."""

from collections.abc import Mapping
from datetime import datetime

from backstay.alerts.selectors.situation import Situation
from backstay.api.present.common import fabric_url, node_url
from backstay.api.schemas.fabric import FabricOut
from backstay.api.schemas.node import NodeOut
from backstay.api.schemas.state import State
from backstay.api.schemas.topology import TopologyNode
from backstay.core.diagnosis.clocks import chip
from backstay.core.model.state import OpenIncidents, ReportTimes, StateText, node_state, seconds
from backstay.core.model.topology import Fabric, Node
from backstay.inventory import models
from backstay.telemetry.models import NodeState
from backstay.telemetry.selectors.clocks import ClockNow
from backstay.telemetry.selectors.nodes import NodeNow

_TIER_OF_KIND = {"switch": 1, "gateway": 2, "router": 3}
_OUTSIDE = frozenset({"server", "management", "storage", "outside", "router"})
FABRIC_TIER = 1
_UNHEARD = NodeNow(ReportTimes(at=None, watched=False), None)


def tier(node: Node) -> int:
    """Left to right on the map: 0 cluster, 1 fabrics and switches, 2 gateways, 3 outside."""
    if node.role == "gateway":
        return 2
    return _TIER_OF_KIND.get(node.kind, 3 if node.role in _OUTSIDE else 0)


def told_of(
    situation: Situation, node_id: int, troubles: Mapping[int, OpenIncidents]
) -> tuple[NodeNow, StateText]:
    """How a node is heard, and its state in words."""
    known = situation.nodes.get(node_id, _UNHEARD)
    trouble = troubles.get(node_id, OpenIncidents())
    return known, node_state(known.heard, trouble, situation.now, situation.site.interval_s)


def topology_node(situation: Situation, node: Node, troubles: Mapping[int, OpenIncidents]) -> TopologyNode:
    """A node on the map."""
    known, told = told_of(situation, node.id, troubles)
    return TopologyNode(
        key=f"node:{node.id}",
        id=node.id,
        name=node.name,
        title=node.title,
        kind=node.kind,
        role=node.role,
        tier=tier(node),
        state=told.state,
        state_text=told.text,
        since=known.since,
        age_s=seconds(situation.now, known.heard.at),
        incidents=troubles.get(node.id, OpenIncidents()).total,
        url=node_url(node.id),
    )


def topology_fabric(fabric: Fabric, states: list[State]) -> TopologyNode:
    """A shared fabric drawn as a node: as well as the links that hang on it are known."""
    down = sum(state == "critical" for state in states)
    silent = sum(state == "unknown" for state in states)
    told = fabric_state(len(states), down, silent)
    return TopologyNode(
        key=f"fabric:{fabric.id}",
        id=fabric.id,
        name=fabric.name,
        title=fabric.title,
        kind="fabric",
        role=fabric.kind,
        tier=FABRIC_TIER,
        state=told.state,
        state_text=told.text,
        since=None,
        age_s=None,
        incidents=0,
        url=fabric_url(fabric.id),
    )


def fabric_state(ports: int, down: int, silent: int) -> StateText:
    """How well a fabric is, by how many of its ports are down and silent."""
    if silent == ports:
        return StateText("unknown", "no port on it is heard")
    if down == ports:
        return StateText("critical", f"all {ports} ports down")
    if down:
        return StateText("warning", f"{down} of {ports} ports down")
    return StateText("ok", f"{ports - silent} of {ports} ports heard")


def fabric_out(fabric: Fabric, ports: int) -> FabricOut:
    """A fabric in a list."""
    return FabricOut(
        id=fabric.id,
        name=fabric.name,
        title=fabric.title,
        kind=fabric.kind,
        media_rate=fabric.media_rate,
        usable_rate=fabric.usable_rate,
        mtu=fabric.mtu,
        arp=fabric.arp,
        ports=ports,
        url=fabric_url(fabric.id),
    )


def node_out(
    situation: Situation,
    row: models.Node,
    troubles: Mapping[int, OpenIncidents],
    clocks: Mapping[int, ClockNow],
) -> NodeOut:
    """A node in a list or on its page; `row` comes with its state, ports and watcher."""
    known, told = told_of(situation, row.pk, troubles)
    state: NodeState | None = getattr(row, "state", None)
    return NodeOut(
        id=row.pk,
        name=row.name,
        title=row.title,
        kind=row.kind,
        role=row.role,
        state=told.state,
        state_text=told.text,
        since=known.since,
        age_s=seconds(situation.now, known.heard.at),
        node_number=row.node_number,
        switch_node_number=row.switch_node_number,
        management_address=_management(row),
        agent=row.watcher.name if row.watcher else None,
        sys_name=state.sys_name if state else "",
        sys_descr=state.sys_descr if state else "",
        uptime_s=_uptime(state, situation.now),
        clock_offset_s=_offset(state),
        clock_text=chip(clocks[row.pk].look) if row.pk in clocks else "",
        labels={str(name): str(value) for name, value in row.labels.items()},
        engine=row.routing.get("engine") if row.routing else None,
        url=node_url(row.pk),
    )


def _management(row: models.Node) -> str | None:
    addresses = [address for port in row.ports.all() if port.management for address in port.addresses]
    return addresses[0].split("/")[0] if addresses else None


def _uptime(state: NodeState | None, now: datetime) -> float | None:
    return seconds(now, state.booted_at) if state else None


def _offset(state: NodeState | None) -> float | None:
    if state is None or state.clock_offset_ms is None:
        return None
    return round(state.clock_offset_ms / 1000, 3)
