"""Selects the agent whose reports of a device are stored when several sweep one InfiniBand fabric.

Both hosts know the same devices by GUID and report all their ports. The agent that reported a device first
keeps it; after three intervals without its reports the other takes over. Every port is thus stored once, and
a failed sweeping host leaves a gap of three intervals.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from uuid import UUID

from backstay.telemetry.ingest.admission import AcceptedReport
from backstay.telemetry.models import ReporterLease
from backstay_wire import Rejection, RejectionCode

REASON = "another agent reports this device"


def foreign(
    agent: UUID, shared: Collection[int], accepted: list[AcceptedReport], now: datetime, patience: timedelta
) -> list[Rejection]:
    """Refuse the reports of devices whose lease this agent neither holds nor takes over.

    `shared`: node ids that several agents see. The rows are locked, so that concurrent sweeps are serialised.
    """
    asked = sorted({item.node for item in accepted} & set(shared))
    others = set(asked) - set(_held(agent, asked, now, patience)) if asked else set()
    code = RejectionCode.DUPLICATE
    return [Rejection(index=item.index, code=code, reason=REASON) for item in accepted if item.node in others]


def _held(agent: UUID, nodes: list[int], now: datetime, patience: timedelta) -> Iterable[int]:
    rows = _locked(nodes)
    missing = sorted(set(nodes) - {row.node_id for row in rows})
    if missing:
        fresh = [ReporterLease(node_id=node, agent_id=agent, at=now) for node in missing]
        ReporterLease.objects.bulk_create(fresh, ignore_conflicts=True)
        rows += _locked(missing)
    mine = [row.node_id for row in rows if row.agent_id == agent or now - row.at > patience]
    ReporterLease.objects.filter(node_id__in=mine).update(agent_id=agent, at=now)
    return mine


def _locked(nodes: list[int]) -> list[ReporterLease]:
    """Lock the rows in the order that all writers use, which avoids deadlocks."""
    return list(ReporterLease.objects.select_for_update().filter(node_id__in=nodes).order_by("node_id"))
