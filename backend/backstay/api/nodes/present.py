"""Nodes for lists and pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from shlex import quote
from typing import TYPE_CHECKING, Any

from backstay.api.holds.present import hold_out
from backstay.api.http.urls import node_url
from backstay.api.nodes.schemas import CollectorOut, GatewayOut, ManagementOut, NodeOut
from backstay.core.diagnosis.clocks import chip
from backstay.core.model.state import (
    GatewayStatus,
    OpenIncidents,
    StateText,
    collector_state,
    node_state,
    reporting,
    seconds,
)
from backstay.rollout import management
from backstay.telemetry.states.tables import SNMP_POLL

if TYPE_CHECKING:
    from backstay.alerts.selectors.history.history_nodes import PastNodes
    from backstay.alerts.selectors.site_snapshot import SiteSnapshot
    from backstay.inventory import models
    from backstay.policy.models import Hold
    from backstay.rollout.models import NodeManagement
    from backstay.telemetry.models import NodeState
    from backstay.telemetry.selectors.clocks import ClockNow
    from backstay.telemetry.selectors.nodes import CollectorNow, NodeNow


def node_status(
    snapshot: SiteSnapshot, node_id: int, troubles: Mapping[int, OpenIncidents]
) -> tuple[NodeNow, StateText]:
    """When a node last reported, and its state."""
    known = snapshot.node_now(node_id)
    trouble = troubles.get(node_id, OpenIncidents())
    return known, node_state(known.report_times, trouble, snapshot.now, snapshot.site.interval_s)


@dataclass(frozen=True, slots=True)
class NodeContext:
    """Data shown with nodes of a site, by node id."""

    site: models.Site
    now: datetime
    known: Mapping[int, NodeNow]
    holds: Mapping[int, Hold]
    troubles: Mapping[int, OpenIncidents]
    gateways: Mapping[int, GatewayStatus]
    released: Mapping[int, NodeManagement]
    clocks: Mapping[int, ClockNow]


def node_out(context: NodeContext, row: models.Node) -> NodeOut:
    """A node for a list or its page; `row` has its state, ports and collecting node loaded."""
    known = context.known[row.pk]
    trouble, clock = context.troubles.get(row.pk, OpenIncidents()), context.clocks.get(row.pk)
    status = node_state(known.report_times, trouble, context.now, context.site.interval_s)
    state: NodeState | None = getattr(row, "state", None)
    return NodeOut(
        **_declared(row),
        state=status.state,
        state_text=status.text,
        reporting=reporting(known.report_times, context.now, context.site.interval_s),
        gateway=gateway_out(context.gateways.get(row.pk)),
        since=known.since,
        age_s=seconds(context.now, known.report_times.at),
        agent=row.watcher.name if row.watcher else None,
        sys_name=state.sys_name if state else "",
        sys_descr=state.sys_descr if state else "",
        uptime_s=_uptime(state, context.now),
        clock_offset_s=_offset(state),
        clock_text="" if clock is None else chip(clock.look),
        management=_management_out(row.name, context.released.get(row.pk)),
        hold=None if (hold := context.holds.get(row.pk)) is None else hold_out(hold, context.now),
    )


def past_node_out(past: PastNodes, row: models.Node) -> NodeOut:
    """A node at a past moment; `row` is one of `nodes_at`."""
    status, booted = past.status(row.pk), getattr(row, "booted_then", None)
    return NodeOut(
        **_declared(row),
        state=status.state,
        state_text=status.text,
        reporting="reporting" if row.pk in past.measured else None,
        gateway=None,
        since=None,
        age_s=None,
        agent=None,
        sys_name="",
        sys_descr="",
        uptime_s=seconds(past.at, booted),
        clock_offset_s=None,
        clock_text="",
        management=None,
        hold=None,
    )


def _declared(row: models.Node) -> dict[str, Any]:
    """What the site file has of a node."""
    return {
        "id": row.pk,
        "name": row.name,
        "title": row.title,
        "kind": row.kind,
        "role": row.role,
        "node_number": row.node_number,
        "switch_node_number": row.switch_node_number,
        "management_address": _management(row),
        "labels": {str(name): str(value) for name, value in row.labels.items()},
        "engine": row.routing.get("engine") if row.routing else None,
        "url": node_url(row.pk),
    }


def gateway_out(status: GatewayStatus | None) -> GatewayOut | None:
    """A gateway's role; None: no policy names the node."""
    if status is None:
        return None
    return GatewayOut(
        role=status.role,
        text=status.text,
        reachability=status.reachability,
        answering=status.counts.answering,
        silent=status.counts.silent,
        uses=dict(status.counts.uses),
    )


_RECORD = "backstay-agent record {device} --state /var/lib/backstay-agent --output recording.snmprec"


def collector_out(run: CollectorNow, node: models.Node, now: datetime) -> CollectorOut:
    """One collector of a node, with its state now."""
    status = collector_state(run.outcome, run.at, now, node.site.interval_s)
    return CollectorOut.model_validate(
        {
            **asdict(run),
            "id": run.name,
            "state": status.state,
            "state_text": status.text,
            "age_s": seconds(now, run.at),
            "record_command": _RECORD.format(device=quote(node.name)) if run.name == SNMP_POLL else "",
            "url": node_url(node.pk),
        }
    )


def _management_out(name: str, row: NodeManagement | None) -> ManagementOut | None:
    if row is None:
        return None
    return ManagementOut.model_validate(
        {
            "state": row.state,
            "scope": row.scope,
            "policies": row.policies,
            "since": row.since,
            "by": row.by,
            "text": management.sentence(name, row),
            "cleared_by": row.cleared_by if management.is_pending(row) else "",
        }
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
