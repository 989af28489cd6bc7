"""A site with measured history."""

from __future__ import annotations

from datetime import datetime

from backstay.alerts.models import Incident, SiteRule
from backstay.api.tests.world import World


def measure(world: World, but: tuple[str, ...] = ()) -> None:
    """Twenty seconds of samples of all nodes but some."""
    for _ in range(10):
        world.forward(2)
        world.sample(but=but)


def open_incident(
    world: World, node: str, opened: datetime, resolved: datetime | None = None, severity: str = "critical"
) -> Incident:
    """An incident of a node that was open from `opened` to `resolved`; None: it still is."""
    return Incident.objects.create(
        site=world.site,
        rule=SiteRule.objects.filter(site=world.site, kind="port_down").get(),
        fingerprint=f"port_down:{node}:{opened}",
        phase="open" if resolved is None else "resolved",
        severity=severity,
        own_severity=severity,
        subject=node,
        title=f"{node} has a port down",
        node=world.node(node),
        opened_at=opened,
        last_seen=resolved or opened,
        resolved_at=resolved,
    )
