"""A gateway that is down: without links, without answers, or answering and not forwarding (a blackhole)."""

from __future__ import annotations

from backstay.alerts.fault_findings import fault_rule, path_or_port_changed
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.diagnosis.faults.fault import Fault, FaultKind


def describe_unreachable(snapshot: SiteSnapshot, fault: Fault) -> str:
    """`grf1 is unreachable`, or `grf1 is unreachable on sp-switch`."""
    fabric = snapshot.topology.fabrics.get(fault.fabric_id or 0)
    return f"{fault.subject} is unreachable" + (f" on {fabric.name}" if fabric is not None else "")


ISOLATED = fault_rule(
    FaultKind.GATEWAY_ISOLATED,
    "Gateway lost all links",
    severity="critical",
    rank=CauseRank.GATEWAY_DOWN,
    describe=lambda _, fault: f"{fault.subject} lost all links",
    summary="All links of a gateway have lost their carrier.",
    advice="Check its power and its cables.",
    after_s=1.0,
    triggers=path_or_port_changed,
)
UNREACHABLE = fault_rule(
    FaultKind.GATEWAY_UNREACHABLE,
    "Gateway unreachable",
    severity="critical",
    rank=CauseRank.GATEWAY_DOWN,
    describe=describe_unreachable,
    summary="No node gets an answer from a gateway.",
    advice="Check its console: it may have stopped, restarted, or filter all packets.",
    triggers=path_or_port_changed,
)
NOT_FORWARDING = fault_rule(
    FaultKind.GATEWAY_NOT_FORWARDING,
    "Gateway not forwarding",
    severity="critical",
    rank=CauseRank.GATEWAY_DOWN,
    describe=lambda _, fault: f"{fault.subject} is reachable but not forwarding",
    summary="A gateway answers, but nothing beyond it does.",
    advice="Check its routes, its filters and whether forwarding is enabled.",
    triggers=path_or_port_changed,
)
