"""The one crossing from ARP policies' rows to the planner's values."""

from __future__ import annotations

from typing import Any

from backstay.core.model.arp import ArpIntent, PortSettings, Settings
from backstay.inventory.models import Site
from backstay.policy.models import ArpPolicy


def arp_intents(site: Site) -> dict[int, ArpIntent]:
    """Policy id -> what it wants; one query."""
    return {row.pk: intent(row) for row in ArpPolicy.objects.filter(site=site).order_by("pk")}


def intent(row: ArpPolicy) -> ArpIntent:
    """One policy's."""
    return ArpIntent(
        id=row.pk,
        fabric=row.fabric_id,
        mode=row.mode,  # type: ignore[arg-type]  # one of the column's choices
        settings=settings(row.settings),
        ports=tuple(PortSettings(port["pattern"], settings(port["settings"])) for port in row.ports),
        table=settings(row.table),
    )


def settings(stored: dict[str, Any]) -> Settings:
    """By name."""
    return tuple(sorted(stored.items()))
