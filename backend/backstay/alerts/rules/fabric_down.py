"""A fabric that is down: all or most of its ports lost carrier, or no gateway on it answers."""

from __future__ import annotations

from backstay.alerts.fault_findings import fault_rule, path_or_port_changed
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.diagnosis.faults.fault import FaultKind

RULE = fault_rule(
    FaultKind.FABRIC_DOWN,
    "Fabric down",
    severity="critical",
    rank=CauseRank.FABRIC_DOWN,
    describe=lambda _, fault: f"{fault.subject} is down",
    summary="All ports of a fabric lose their carrier, or no gateway on it answers.",
    about="site",
    advice="Check the power and the management of its switches.",
    after_s=1.0,
    triggers=path_or_port_changed,
)
