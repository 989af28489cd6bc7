"""Current ports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING

from backstay.api.http.urls import port_url
from backstay.api.links.schemas import CapacityStepOut, HistoryGapOut
from backstay.api.ports.schemas import PortHistoryOut, PortOut, PortTrendsOut
from backstay.core.model.history import Capacity, PortHistory, utilisation_shares
from backstay.core.model.state import PortView, carrier_of, port_state, seconds

if TYPE_CHECKING:
    from backstay.telemetry.rollups.port_trends import PortTrends
    from backstay.telemetry.selectors.ports import PortNow


def port_out(port: PortNow, now: datetime) -> PortOut:
    """A port in a list or on its node's page."""
    view = PortView(port.name, port.oper_up, port.admin_up, port.since, port.is_fresh, port.is_used)
    status = port_state(view, now)
    return PortOut(
        id=port.id,
        name=port.name,
        kind=port.kind,
        node=port.node_name,
        node_id=port.node_id,
        fabric=port.fabric_name,
        link_id=port.link_id,
        state=status.state,
        state_text=status.text,
        carrier=carrier_of(view),
        since=port.since,
        age_s=seconds(now, port.last_reported_at),
        if_type=port.if_type or 0,
        speed=port.speed or 0,
        contradicted_speed=port.contradicted_speed or None,
        usable_rate=port.usable_rate,
        mtu=port.mtu or 0,
        mac=port.mac or "",
        addresses=port.current_addresses,
        measured_at=port.at,
        measured_s=port.seconds,
        in_bps=port.in_bps,
        out_bps=port.out_bps,
        in_pps=port.in_pps,
        out_pps=port.out_pps,
        in_utilisation=_share(port.in_utilisation),
        out_utilisation=_share(port.out_utilisation),
        utilisation=_share(port.utilisation),
        in_errors_ps=port.in_errors_ps,
        out_errors_ps=port.out_errors_ps,
        url=port_url(port.id),
    )


def port_history_out(
    history: PortHistory, counters: Mapping[str, list[float | None]], capacity: Capacity
) -> PortHistoryOut:
    """A port's charts; `counters` has a value per bin of the history."""
    bins = history.bins
    in_shares, out_shares = (utilisation_shares(found, capacity.now) for found in history.five_minutes)
    return PortHistoryOut(
        usable_rate=capacity.now,
        capacity=[CapacityStepOut(start=step.start, usable_rate=step.usable_rate) for step in capacity.steps],
        step_s=bins.step_s,
        at=bins.at,
        in_mean=bins.inward.mean,
        in_max=bins.inward.max,
        out_mean=bins.outward.mean,
        out_max=bins.outward.max,
        in_p95=bins.inward.p95,
        out_p95=bins.outward.p95,
        **counters,
        in_shares=in_shares,
        out_shares=out_shares,
        resets=bins.resets,
        level=history.level,
        coverage=bins.coverage,
        p95_exact=history.is_p95_exact,
        gaps=[HistoryGapOut(start=gap.start, end=gap.end, text=gap.text) for gap in history.gaps],
    )


def port_trends_out(trends: PortTrends) -> PortTrendsOut:
    """Trends of a table's rows."""
    return PortTrendsOut.model_validate(asdict(trends))


def _share(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
