"""Current ports."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from backstay.api.http.urls import link_url, node_url
from backstay.api.ports.schemas import PortOut
from backstay.core.model.state import PortView, carrier_of, port_state, seconds

if TYPE_CHECKING:
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
        url=node_url(port.node_id) if port.link_id is None else link_url(port.link_id),
    )


def _share(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
