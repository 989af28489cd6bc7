"""Differences for clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backstay.api.differences.schemas import (
    DifferentIncident,
    DifferentObject,
    DifferentPaths,
    SiteDifferences,
)
from backstay.api.events.present import event_out
from backstay.api.http.urls import incident_url, node_url, policy_paths_url, port_url

if TYPE_CHECKING:
    from datetime import datetime

    from backstay.alerts.models import Incident
    from backstay.alerts.selectors.history.differences import Differences, ObjectDifference, PathDifference


def differences_out(found: Differences, known_since: datetime, now: datetime) -> SiteDifferences:
    """All lists with their totals."""
    return SiteDifferences(
        start=found.start,
        end=found.end,
        known_since=known_since,
        headline=found.headline,
        opened=[_incident(row) for row in found.opened.items],
        opened_total=found.opened.total,
        resolved=[_incident(row) for row in found.resolved.items],
        resolved_total=found.resolved.total,
        passed=found.passed,
        nodes=[_object(item) for item in found.nodes.items],
        nodes_total=found.nodes.total,
        ports=[_object(item) for item in found.ports.items],
        ports_total=found.ports.total,
        paths=[_group(item) for item in found.paths.items],
        paths_total=found.moved_paths,
        returned=found.returned,
        actions=[event_out(row, now) for row in found.actions.items],
        actions_total=found.actions.total,
    )


def _incident(row: Incident) -> DifferentIncident:
    return DifferentIncident(
        id=row.pk,
        title=row.title,
        state="critical" if row.severity == "critical" else "warning",
        since=row.opened_at,
        resolved_at=row.resolved_at,
        url=incident_url(row.pk),
    )


def _object(item: ObjectDifference) -> DifferentObject:
    url = None if item.node_id is None else node_url(item.node_id)
    return DifferentObject(
        name=item.name,
        before=item.before,
        after=item.after,
        at=item.at,
        url=url if item.port_id is None else port_url(item.port_id),
    )


def _group(item: PathDifference) -> DifferentPaths:
    return DifferentPaths(
        policy=item.policy,
        before=item.before,
        after=item.after,
        paths=item.paths,
        nodes=list(item.nodes),
        at=item.at,
        url=policy_paths_url(item.policy),
    )
