"""Storage: how much disk history takes and will take, and the archive's state."""

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from backstay.api.health.router import archive_out
from backstay.api.http.auth import site_of
from backstay.api.http.list_query import Text
from backstay.api.http.schemas import READ
from backstay.api.storage.schemas import StorageDiskOut, StorageLevelOut, StorageOut
from backstay.retention.storage import LevelReport, StorageReport, storage_report, totals
from backstay.telemetry.archive.status import archive_health

router = Router(tags=["storage"])


@router.get("/storage", response={200: StorageOut, **READ}, operation_id="get_storage")
def get_storage(request: HttpRequest, site: Text | None = None) -> StorageOut:
    """Days, size, growth and predicted size of a site's levels of history; when the disks are full."""
    row, now = site_of(request, site), timezone.now()
    report = storage_report(now)
    health = archive_health(now)
    return StorageOut(
        site=row.name,
        at=now,
        levels=[_level_out(item, report) for item in report.levels if item.site == row.name],
        disks=[
            StorageDiskOut(
                name=disk.name,
                free_bytes=disk.free_bytes,
                why_unknown=disk.why_unknown,
                full_at=disk.full_at,
            )
            for disk in report.disks
        ],
        database_bytes=report.database_bytes,
        archive=None if health is None else archive_out(health),
    )


def _level_out(item: LevelReport, report: StorageReport) -> StorageLevelOut:
    whole, _, predicted = totals(report.levels)[item.level]
    return StorageLevelOut(
        level=item.level,
        days=item.days,
        is_own=item.is_own,
        bytes=round(item.use.bytes),
        daily_bytes=round(item.use.daily_bytes) if item.use.is_measured else None,
        predicted_bytes=_rounded(item.use.predicted_bytes) if item.use.is_measured else None,
        all_sites_bytes=round(whole),
        all_sites_predicted_bytes=_rounded(predicted) if item.use.is_measured else None,
    )


def _rounded(size: float | None) -> int | None:
    return None if size is None else round(size)
