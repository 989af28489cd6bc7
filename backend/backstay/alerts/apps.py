"""Creates missing rules of every site after each `migrate`, so that an upgrade adds new ones."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.apps import apps as current_apps
from django.apps.registry import Apps
from django.db.models.signals import post_migrate


class AlertsConfig(AppConfig):
    """The app of rules and incidents."""

    name = "backstay.alerts"

    def ready(self) -> None:
        """Connect `ensure_all_rules`, the windows in which no throughput test starts, and the limits that the
        study of capacity compares packet rates with.
        """
        from backstay.alerts.rules.load.gateway_packets import packet_limits
        from backstay.alerts.windows.coverage import paused_resources
        from backstay.rollout.capacity.packets import LIMITED_BY
        from backstay.throughput.site_context import PAUSED_BY

        PAUSED_BY.append(paused_resources)
        LIMITED_BY.append(packet_limits)
        post_migrate.connect(ensure_all_rules, sender=self)


def ensure_all_rules(*, using: str, apps: Apps = current_apps, **_: Any) -> None:
    """Create missing rules; `apps`: the state after the migration (not sent by `flush`)."""
    from backstay.alerts.services import default_rules

    try:
        rules, sites = apps.get_model("alerts", "SiteRule"), apps.get_model("inventory", "Site")
    except LookupError:  # an older state
        return
    rows = [row for site in sites.objects.using(using).all() for row in default_rules(rules, site)]
    rules.objects.using(using).bulk_create(rows, ignore_conflicts=True)
