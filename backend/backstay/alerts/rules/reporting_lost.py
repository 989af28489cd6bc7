"""Most nodes stopped reporting: the management network or the backend's address, not each node."""

from __future__ import annotations

from backstay.alerts.fault_findings import fault_rule
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.diagnosis.faults.fault import FaultKind

RULE = fault_rule(
    FaultKind.REPORTING_LOST,
    "Nodes stopped reporting",
    severity="critical",
    rank=CauseRank.REPORTING_LOST,
    describe=lambda _, fault: f"{fault.subject} stopped reporting",
    summary="No node of the site reports.",
    about="site",
    advice="Check the management network. Their data paths are not known to be affected.",
)
