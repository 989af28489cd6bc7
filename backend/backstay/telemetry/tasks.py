"""Celery tasks of telemetry."""

from __future__ import annotations

import logging
from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from backstay.core.thresholds import FORECAST_PERIOD_S
from backstay.inventory.advisory_locks import LockClass, run_in_one_process
from backstay.inventory.models import Site
from backstay.telemetry import change_counters, partitions
from backstay.telemetry.archive import writer
from backstay.telemetry.exports import execution as exports
from backstay.telemetry.forecasts import services as forecasts
from backstay.telemetry.ingest import store
from backstay.telemetry.rollups import execution
from backstay.telemetry.rollups import partitions as rollup_partitions
from backstay.telemetry.states import neighbours

log = logging.getLogger(__name__)
ARCHIVE_S = 300
"""Longest run of the archive: one part of a slow store."""
BEHIND = timedelta(hours=6)
EXPORT_S = 120
"""Longest round of exports: one step, or the conversion of the largest file to Parquet."""


@shared_task
def maintain_partitions() -> None:
    """Create coming partitions and delete expired data."""
    now = timezone.now()
    gone = partitions.maintain(now)
    for level, start in rollup_partitions.maintain(now):
        log.info("dropped the roll-ups %s from %s", level, start)
    nodes = partitions.forget_removed_nodes()
    ledgers = store.forget_ledgers(partitions.kept_from(now) - partitions.GRACE)
    sources = partitions.forget_expired_newest()
    neighbours.forget_settled()
    if gone or nodes or ledgers or sources:
        log.info(
            "dropped %d days, %d removed nodes, %d old ledgers, %d silent sources",
            len(gone),
            nodes,
            ledgers,
            sources,
        )


@shared_task
def merge_change_counters() -> None:
    """Sum up the counters of changes, so that reading them stays short."""
    change_counters.merge()


@shared_task(soft_time_limit=ARCHIVE_S - 60, time_limit=ARCHIVE_S)
def archive_days() -> bool:
    """Archive closed days for a few seconds; False while another worker does."""
    return run_in_one_process(LockClass.ARCHIVE, lambda: writer.run(timezone.now()), longest_s=ARCHIVE_S + 10)


@shared_task
def roll_up_samples() -> None:
    """Roll up the hours and days that are complete; warns while it cannot keep up."""
    now = timezone.now()
    execution.run_round(now)
    behind = execution.behind_by(now)
    if behind > BEHIND:
        log.warning("the roll-ups are %s behind", behind)


@shared_task(soft_time_limit=EXPORT_S - 30, time_limit=EXPORT_S)
def write_exports() -> bool:
    """Continue exports for a few seconds; False while another worker does."""
    return run_in_one_process(
        LockClass.EXPORTS, lambda: exports.run_round(timezone.now()), longest_s=EXPORT_S + 10
    )


@shared_task(soft_time_limit=10, time_limit=15)
def forecast_loads() -> int:
    """Send the task of each site; their number. A task that is not due any more expires."""
    sites = list(Site.objects.filter(archived_at=None).order_by("pk").values_list("pk", flat=True))
    for site in sites:
        forecast_site_loads.apply_async((site,), expires=FORECAST_PERIOD_S)
    return len(sites)


@shared_task(soft_time_limit=50, time_limit=60)
def forecast_site_loads(site_id: int) -> bool:
    """Compute a site's forecasts that are due; False while another worker does, or if the site is gone."""
    site = Site.objects.filter(pk=site_id, archived_at=None).first()
    if site is None:
        return False
    return run_in_one_process(LockClass.FORECASTS, lambda: forecasts.refresh(site, timezone.now()), site.pk)
