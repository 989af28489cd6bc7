"""Evidence about one node: what its agent, or the agent that polls it, reported, and when."""

from __future__ import annotations

from datetime import datetime

from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.diagnosis.faults.fault import EvidenceSource, FaultEvidence

MAX_EVIDENCE = 8
"""Observations that an incident lists of one kind."""
MAX_TEXT = 500
"""Characters of a text; devices write some of them."""


def observed(
    snapshot: SiteSnapshot,
    node_id: int,
    text: str,
    at: datetime | None = None,
    *,
    source: EvidenceSource | None = None,
    supports: bool = True,
) -> FaultEvidence:
    """An observation at `at`, else at the node's last report. Source: SNMP if another node's agent reports
    it, else the node's own report."""
    known = snapshot.nodes.get(node_id)
    reporter = node_id if known is None or known.watcher_id is None else known.watcher_id
    moment = at if at is not None or known is None else known.report_times.at
    polled: EvidenceSource = "report" if reporter == node_id else "snmp"
    name = snapshot.topology.nodes[reporter].name
    return FaultEvidence(source or polled, text[:MAX_TEXT], moment, name, supports)
