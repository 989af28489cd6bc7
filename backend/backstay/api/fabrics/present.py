"""Fabrics in lists and on their pages."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from backstay.api.fabrics.schemas import FabricDetail, FabricOut
from backstay.api.http.urls import fabric_url
from backstay.api.metrics.present import counters_out
from backstay.core.model.state import fabric_state
from backstay.core.model.topology import Fabric

if TYPE_CHECKING:
    from backstay.telemetry.selectors.metrics import Summary
    from backstay.telemetry.selectors.ports import PortTotals


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


REPORTS = {"infiniband": "/infiniband/{}", "hippi": "/hippi/{}"}
"""Technologies with their own report, and its page."""


@dataclass(frozen=True, slots=True)
class FabricNow:
    """Input of a fabric's page."""

    fabric: Fabric
    totals: PortTotals
    links: int
    contradicted: int
    counters: list[Summary]


def detail_out(now: FabricNow) -> FabricDetail:
    """The whole page."""
    totals, carriers = now.totals, Counter(now.totals.carriers)
    status, ports = fabric_state(carriers), carriers.total()
    report = REPORTS.get(now.fabric.kind)
    return FabricDetail(
        **fabric_out(now.fabric, ports).model_dump(),
        state=status.state,
        state_text=status.text if ports else "no ports",
        nodes=totals.nodes,
        links=now.links,
        ports_up=carriers["up"],
        ports_down=carriers["down"],
        ports_unknown=carriers["unknown"],
        in_bps=totals.in_bps,
        out_bps=totals.out_bps,
        errors_ps=round(totals.errors_ps, 3),
        contradicted_links=now.contradicted,
        counters=counters_out(now.counters),
        report=None if report is None else report.format(now.fabric.id),
    )
