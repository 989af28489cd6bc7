"""Nodes in lists and on their pages."""

from collections.abc import Mapping
from datetime import datetime

from django.utils import timezone

from backstay.alerts.selectors import incidents
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.api.http.urls import node_url
from backstay.api.nodes.schemas import NodeOut
from backstay.core.diagnosis.clocks import SKEWED_S, chip
from backstay.core.model.state import OpenIncidents, ReportTimes, StateText, node_state, seconds
from backstay.inventory import models
from backstay.telemetry.models import NodeState
from backstay.telemetry.selectors.clocks import ClockNow, far_off, worst
from backstay.telemetry.selectors.nodes import NodeNow

_NEVER_REPORTED = NodeNow(ReportTimes(at=None, watched=False), None)


def node_status(
    snapshot: SiteSnapshot, node_id: int, troubles: Mapping[int, OpenIncidents]
) -> tuple[NodeNow, StateText]:
    """When a node last reported, and its state."""
    known = snapshot.nodes.get(node_id, _NEVER_REPORTED)
    trouble = troubles.get(node_id, OpenIncidents())
    return known, node_state(known.report_times, trouble, snapshot.now, snapshot.site.interval_s)


def node_out(
    snapshot: SiteSnapshot,
    row: models.Node,
    troubles: Mapping[int, OpenIncidents],
    clocks: Mapping[int, ClockNow],
) -> NodeOut:
    """A node in a list or on its page; `row` comes with its state, ports and watcher."""
    known, status = node_status(snapshot, row.pk, troubles)
    state: NodeState | None = getattr(row, "state", None)
    return NodeOut(
        id=row.pk,
        name=row.name,
        title=row.title,
        kind=row.kind,
        role=row.role,
        state=status.state,
        state_text=status.text,
        since=known.since,
        age_s=seconds(snapshot.now, known.report_times.at),
        node_number=row.node_number,
        switch_node_number=row.switch_node_number,
        management_address=_management(row),
        agent=row.watcher.name if row.watcher else None,
        sys_name=state.sys_name if state else "",
        sys_descr=state.sys_descr if state else "",
        uptime_s=_uptime(state, snapshot.now),
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


class NodeContext:
    """What all nodes of a site are presented with."""

    def __init__(self, site: models.Site) -> None:
        self.snapshot = SiteSnapshot(site, timezone.now())
        self._troubles = incidents.by_node(incidents.current(site))
        self._clocks = worst(far_off(site, SKEWED_S))

    def node_out(self, row: models.Node) -> NodeOut:
        return node_out(self.snapshot, row, self._troubles, self._clocks)
