"""Switches of a path between gateways: recorded once, completed when the outage is known.

The agent reports a switch twice with one id: immediately, and when probes succeed again; the second report
completes the first and its event: `sp01: 0.0.0.0/0 switched from grf1 to atmgw, outage 131 ms`.
"""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from backstay.core.formatting import precise
from backstay.core.model.event_kinds import EventKind
from backstay.inventory.models import Site
from backstay.policy.models import Path, PathSwitch
from backstay.telemetry import events
from backstay.telemetry.facts import PathSeen, SwitchSeen

_UNSEEN = uuid.UUID("6f2f3f0e-4f0c-5d53-9d7e-9a2d3c1b7a10")
"""UUID namespace (RFC 9562, version 5) of switches that no agent observed."""
_LATE = timedelta(hours=1)
"""Max delay of the agent's report about a switch that the server inferred."""


def record(site: Site, path: Path, gateways: dict[str, int], seen: SwitchSeen) -> bool:
    """Store an observed switch, or complete a stored one; whether anything changed."""
    fields = {
        "at": seen.at,
        "from_gateway": seen.from_gateway,
        "to_gateway": seen.to_gateway,
        "outage_ms": seen.outage_ms,
        "lost_probes": seen.lost_probes,
        "probe_interval_ms": seen.probe_interval_ms,
    }
    switch = _adopted(path, seen)
    if switch is None:
        switch, created = PathSwitch.objects.get_or_create(uid=seen.uid, defaults={"path": path, **fields})
        if created:
            _record_event(site, path, gateways, switch)
            return True
        if switch.path_id != path.pk or seen.outage_ms is None:
            return False
        if switch.outage_ms is not None and seen.outage_ms <= switch.outage_ms:
            return False
    for name, value in fields.items():
        setattr(switch, name, value)
    switch.save()
    message, data = _describe(path, switch)
    if switch.event_id is not None:
        events.amend(site, switch.event_id, message, data)
    return True


def record_unseen(site: Site, path: Path, gateways: dict[str, int], seen: PathSeen) -> None:
    """Record a switch that no agent observed, because its agent was not running."""
    uid = uuid.uuid5(_UNSEEN, f"{path.pk} {seen.at.isoformat()} {seen.active}")
    switch, created = PathSwitch.objects.get_or_create(
        uid=uid,
        defaults={
            "path": path,
            "at": seen.at,
            "from_gateway": path.active_text,
            "to_gateway": seen.active,
            "probe_interval_ms": path.policy.probe_interval_ms,
        },
    )
    if created:
        _record_event(site, path, gateways, switch)


def _adopted(path: Path, seen: SwitchSeen) -> PathSwitch | None:
    """The inferred switch that this report describes."""
    found = (
        PathSwitch.objects.filter(
            path=path,
            from_gateway=seen.from_gateway,
            to_gateway=seen.to_gateway,
            outage_ms__isnull=True,
            at__gte=seen.at,
            at__lte=seen.at + _LATE,
        )
        .exclude(uid=seen.uid)
        .order_by("at")
        .first()
    )
    if found is None or found.uid.version != 5 or PathSwitch.objects.filter(uid=seen.uid).exists():
        return None
    found.uid = seen.uid
    return found


def _record_event(site: Site, path: Path, gateways: dict[str, int], switch: PathSwitch) -> None:
    message, data = _describe(path, switch)
    kind, severity = _kind(list(gateways), switch)
    event = events.record(
        site,
        kind,
        message,
        at=switch.at,
        subject=path.node.name,
        severity=severity,
        node_id=path.node_id,
        data=data,
    )
    PathSwitch.objects.filter(pk=switch.pk).update(event_id=event.pk)


def _kind(order: list[str], switch: PathSwitch) -> tuple[EventKind, str | None]:
    """(kind, severity) of the event: moving down the order is a warning."""
    if not switch.to_gateway:
        return EventKind.PATH_LOST, None
    if not switch.from_gateway:
        return EventKind.PATH_RESTORED, None
    rank = {name: place for place, name in enumerate(order)}
    worse = rank.get(switch.to_gateway, len(order)) > rank.get(switch.from_gateway, len(order))
    return EventKind.PATH_SWITCHED, "warning" if worse else "ok"


def _describe(path: Path, switch: PathSwitch) -> tuple[str, dict[str, Any]]:
    subject = f"{path.node.name}: {path.policy.prefix}"
    if not switch.to_gateway:
        message = f"{subject} lost its route via {switch.from_gateway}"
    elif not switch.from_gateway:
        message = f"{subject} has a route again, via {switch.to_gateway}"
    else:
        message = f"{subject} switched from {switch.from_gateway} to {switch.to_gateway}"
    data = {
        "policy": path.policy.name,
        "prefix": path.policy.prefix,
        "path_id": path.pk,
        "from": switch.from_gateway,
        "to": switch.to_gateway,
        "outage_ms": switch.outage_ms,
        "lost_probes": switch.lost_probes,
        "probe_interval_ms": switch.probe_interval_ms,
    }
    if switch.outage_ms is None:
        return message, data
    return (
        f"{message}, {'outage ' + precise(switch.outage_ms) if switch.outage_ms else 'no outage'}",
        data,
    )
