"""Each site keeps its levels as long as its file says: rows, partitions, files, charts; and their size."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from backstay.core.retention import checked_at_site, rollup_days
from backstay.inventory import snapshot
from backstay.inventory.models import Site
from backstay.retention import levels
from backstay.retention.levels import remove_expired_bins
from backstay.retention.storage import storage_report
from backstay.telemetry import partitions
from backstay.telemetry.archive import writer
from backstay.telemetry.archive.status import archive_health
from backstay.telemetry.archive_models import ArchiveDay, ArchivePart, ArchiveState
from backstay.telemetry.rollups import execution as rollups
from backstay.telemetry.rollups import partitions as rollup_partitions
from backstay.telemetry.selectors.history import port_history
from bench.archive_rows import SampledNode, fill_day, make_nodes

DAY = date(2031, 5, 1)
NEXT_DAY = datetime(2031, 5, 2, 4, tzinfo=UTC)
DEFAULTS = {"5m": 62, "1h": 400, "1d": 3650}


@pytest.fixture
def nodes(db: None, settings: Settings) -> dict[str, SampledNode]:
    """One switch at each of two sites, with a day of samples and roll-ups."""
    settings.HOT_DAYS, settings.ROLLUP_DAYS = 7, DEFAULTS
    made = {site: make_nodes(site, nodes=1, ports=2)[0] for site in ("brief", "usual")}
    Site.objects.filter(name="brief").update(retention={"rollup_5m": 20, "rollup_1h": 30})
    fill_day(DAY, list(made.values()))
    rollups.run_round(NEXT_DAY)
    return made


def bins(node: SampledNode, level: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM telemetry_rollup_{level} WHERE node_id = %s", [node.node])
        return int(cursor.fetchone()[0])


def test_rows_of_a_site_with_fewer_days_go_and_others_stay(
    nodes: dict[str, SampledNode], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(levels, "ROWS", 5)
    hours = bins(nodes["usual"], "5m")
    assert bins(nodes["brief"], "5m") == hours > 20
    assert remove_expired_bins(NEXT_DAY + timedelta(days=18)) == 0
    assert remove_expired_bins(NEXT_DAY + timedelta(days=21)) == hours
    assert (bins(nodes["brief"], "5m"), bins(nodes["usual"], "5m")) == (0, hours)
    assert (bins(nodes["brief"], "1h"), bins(nodes["brief"], "1d")) == (2, 2), "and the day before"
    assert remove_expired_bins(NEXT_DAY + timedelta(days=31)) == 2
    assert (bins(nodes["brief"], "1h"), bins(nodes["usual"], "1h")) == (0, 2)


def test_rows_of_metrics_go_with_those_of_ports(nodes: dict[str, SampledNode]) -> None:
    with connection.cursor() as cursor:
        for node in nodes.values():
            cursor.execute(
                "INSERT INTO telemetry_metricrollup_5m (node_id, at, layout_id, seconds, samples, places)"
                " VALUES (%s, %s, 1, '{60}', '{1}', '{}')",
                [node.node, datetime(2031, 5, 1, 12, tzinfo=UTC)],
            )
    remove_expired_bins(NEXT_DAY + timedelta(days=21))
    with connection.cursor() as cursor:
        cursor.execute("SELECT node_id FROM telemetry_metricrollup_5m")
        assert cursor.fetchall() == [(nodes["usual"].node,)]


def test_hour_on_the_edge_is_kept_until_it_is_old_as_a_whole(nodes: dict[str, SampledNode]) -> None:
    edge = datetime(2031, 5, 1, 12, 30, tzinfo=UTC) + timedelta(days=20)
    remove_expired_bins(edge)
    with connection.cursor() as cursor:
        cursor.execute("SELECT min(at) FROM telemetry_rollup_5m WHERE node_id = %s", [nodes["brief"].node])
        assert cursor.fetchone()[0] == datetime(2031, 5, 1, 12, tzinfo=UTC)


def test_partition_stays_as_long_as_any_site_keeps_it(nodes: dict[str, SampledNode]) -> None:
    later = NEXT_DAY + timedelta(days=150)
    Site.objects.filter(name="usual").update(retention={"rollup_5m": 200})
    assert ("5m", date(2031, 5, 1)) not in rollup_partitions.maintain(later)
    remove_expired_bins(later)
    assert bins(nodes["brief"], "5m") == 0 < bins(nodes["usual"], "5m")
    Site.objects.update(retention={"rollup_5m": 100})
    assert ("5m", date(2031, 5, 1)) in rollup_partitions.maintain(later)


def test_chart_falls_back_to_the_level_that_the_site_still_has(
    nodes: dict[str, SampledNode], monkeypatch: pytest.MonkeyPatch
) -> None:
    partitions.maintain(NEXT_DAY + timedelta(days=9))
    now = NEXT_DAY + timedelta(days=25)
    monkeypatch.setattr(timezone, "now", lambda: now)
    start = datetime(2031, 5, 1, tzinfo=UTC)
    found = {}
    for site, node in nodes.items():
        port = snapshot.load(Site.objects.get(name=site)).ports[node.ports[0]]
        found[site] = port_history(port, start, start + timedelta(days=1), points=200, interval_s=30)
    assert (found["brief"].level, found["usual"].level) == ("1h", "5m")
    assert found["brief"].bins.coverage > 0.99


def test_archive_keeps_each_site_for_its_days(
    nodes: dict[str, SampledNode], tmp_path: Path, settings: Settings
) -> None:
    settings.ARCHIVE = str(tmp_path)
    settings.ARCHIVE_DAYS = 0
    Site.objects.filter(name="brief").update(retention={"archive": 30})
    writer.run(NEXT_DAY, run_s=600)
    partitions.maintain(NEXT_DAY + timedelta(days=9))
    assert DAY not in partitions.days()
    files = {site: tmp_path / f"samples/site={site}/day={DAY}/part-0.parquet" for site in nodes}
    writer.run(datetime(2031, 5, 31, 12, tzinfo=UTC))
    assert all(path.exists() for path in files.values())
    writer.run(datetime(2031, 6, 1, 12, tzinfo=UTC))
    assert not files["brief"].exists()
    assert files["usual"].exists()
    assert set(ArchivePart.objects.values_list("site", flat=True)) == {"usual"}
    Site.objects.update(retention={"archive": 40})
    writer.run(datetime(2031, 6, 15, tzinfo=UTC))
    assert not ArchiveDay.objects.filter(day=DAY).exists()


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ({"rollup_5m": 8}, "9 to 36500 days, and a coarser level for at least as long"),
        ({"rollup_5m": 500}, "instead of rollup_5m: 500, rollup_1h: 400, rollup_1d: 3650"),
        ({"rollup_1d": 100}, "at least as long"),
        ({"archive": -1}, "0 \\(for ever\\) to 36500 days of archive"),
        ({"rollup_2h": 100}, "archive, rollup_1d, rollup_1h, rollup_5m instead of rollup_2h"),
        ({"sessions": 3}, "instead of sessions"),
    ],
)
def test_days_that_cannot_apply_are_refused(days: dict[str, int], expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        checked_at_site(days, DEFAULTS, 7)


def test_days_that_fit_are_kept() -> None:
    days = {"rollup_5m": 9, "rollup_1d": 400, "archive": 0, "events": 5}
    assert checked_at_site(days, DEFAULTS, 7) == days


def test_changed_defaults_never_keep_a_coarser_level_for_less() -> None:
    assert rollup_days({"rollup_5m": 500}, DEFAULTS, 7) == {"5m": 500, "1h": 500, "1d": 3650}
    assert rollup_days({"rollup_5m": 10}, DEFAULTS, 20) == {"5m": 22, "1h": 400, "1d": 3650}


def test_health_of_the_archive_comes_from_manifest_and_last_run(
    nodes: dict[str, SampledNode], tmp_path: Path, settings: Settings
) -> None:
    assert archive_health(NEXT_DAY) is None
    settings.ARCHIVE = str(tmp_path / "archive")
    late = archive_health(NEXT_DAY + timedelta(days=2))
    assert late is not None
    assert (late.days, late.waiting, late.oldest_waiting) == (0, late.waiting, DAY)
    assert late.problems[0] == "was not run for 15 min: is a worker running?"
    assert "is late with 1 day, from 2031-05-01 on" in late.problems
    (tmp_path / "archive").write_text("a file where the folder should be")
    writer.run(NEXT_DAY, run_s=600)
    failing = archive_health(timezone.now())
    assert failing is not None
    assert failing.succeeded_at is None
    assert failing.problems[0].startswith("has failed to archive 1 day since ")
    (tmp_path / "archive").unlink()
    writer.run(NEXT_DAY, run_s=600)
    good = archive_health(timezone.now())
    assert good is not None
    assert (good.days, good.waiting, good.problems) == (1, 0, [])
    assert good.succeeded_at is not None
    assert good.bytes == sum(path.stat().st_size for path in tmp_path.rglob("*.parquet"))
    ArchivePart.objects.filter(site="usual", table="samples").update(failure="has another checksum")
    damaged = archive_health(timezone.now())
    assert damaged is not None
    assert damaged.problems == ["has 1 damaged file: see manage.py archive"]


def test_invalid_setting_is_an_outcome_too(db: None, settings: Settings) -> None:
    settings.ARCHIVE = "relative/folder"
    with pytest.raises(ValueError, match="absolute path"):
        writer.run(NEXT_DAY)
    assert "absolute path" in ArchiveState.objects.get().failure


def test_storage_is_measured_and_predicted(
    nodes: dict[str, SampledNode],
    tmp_path: Path,
    settings: Settings,
    capsys: pytest.CaptureFixture[str],
) -> None:
    settings.ARCHIVE, settings.ARCHIVE_DAYS = str(tmp_path), 100
    settings.DB_DISK = "/"
    writer.run(NEXT_DAY, run_s=600)
    now = NEXT_DAY + timedelta(days=1)
    report = storage_report(now)
    found = {(item.site, item.level): item for item in report.levels}
    assert len(found) == 2 * 5
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(pg_total_relation_size(relid))"
            " FROM unnest(ARRAY['telemetry_rollup_5m', 'telemetry_metricrollup_5m']::regclass[]) AS parent,"
            " LATERAL pg_partition_tree(parent)"
        )
        (size,) = cursor.fetchone()
    assert sum(found[site, "5m"].use.bytes for site in nodes) == pytest.approx(int(size))
    assert found["brief", "5m"].use.bytes == found["usual", "5m"].use.bytes, "as many ports"
    assert (found["brief", "5m"].days, found["brief", "5m"].is_own) == (20, True)
    assert (found["usual", "5m"].days, found["usual", "5m"].is_own) == (62, False)
    brief, usual = (found[site, "5m"].use.predicted_bytes for site in ("brief", "usual"))
    assert brief is not None
    assert usual is not None
    assert brief < usual
    archived = sum(path.stat().st_size for path in (tmp_path / "samples/site=brief").rglob("*.parquet"))
    archived += sum(path.stat().st_size for path in (tmp_path / "ports/site=brief").rglob("*.parquet"))
    use = found["brief", "archive"].use
    assert (use.bytes, use.daily_bytes, use.predicted_bytes) == (archived, archived, 100 * archived)
    assert all(disk.free_bytes for disk in report.disks)
    with pytest.raises(SystemExit):
        call_command("storage")
    assert "brief                5m" in (text := capsys.readouterr().out)
    assert "20 (site)" in text
    assert " free, full " in text


def test_free_space_that_cannot_be_known_is_unknown(
    nodes: dict[str, SampledNode],
    settings: Settings,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.DB_DISK = "/nowhere"
    (disk,) = storage_report(NEXT_DAY).disks
    assert (disk.free_bytes, disk.full_at) == (None, None)
    with pytest.raises(SystemExit) as end:
        call_command("storage")
    assert end.value.code == 0
    assert "free space unknown (its folder cannot be read on this machine" in capsys.readouterr().out
    settings.DB_DISK = ""
    known = settings.DATABASES["default"]
    monkeypatch.setitem(known, "HOST", "db.example")
    (disk,) = storage_report(NEXT_DAY).disks
    assert disk.why_unknown.startswith("the database is on another host")


def test_growth_is_not_known_before_the_first_whole_day(
    db: None, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.DB_DISK = "/"
    make_nodes("young", nodes=1, ports=2)
    report = storage_report(timezone.now())
    assert not any(item.use.is_measured for item in report.levels)
    (disk,) = report.disks
    assert disk.free_bytes
    assert (disk.full_at, disk.why_unknown) == (None, "growth is measured from the first whole day on")
    with pytest.raises(SystemExit):
        call_command("storage")
    assert "full unknown (growth is measured from the first whole day on)" in capsys.readouterr().out
