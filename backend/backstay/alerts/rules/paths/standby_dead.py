"""Paths that work but have a standby that could not take over, for a reason of their own nodes."""

from __future__ import annotations

from backstay.alerts.fault_findings import fault_rule
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.diagnosis.faults.fault import FaultKind

RULE = fault_rule(
    FaultKind.STANDBY_DEAD,
    "Standby path dead",
    severity="warning",
    rank=CauseRank.EFFECT,
    describe=lambda _, fault: f"{fault.subject} cannot take over",
    summary="A path works, but a standby gateway could not take over.",
    group="paths",
    advice="Check the route from these nodes to the gateway, and from the gateway to the target.",
    after_s=20.0,
)
