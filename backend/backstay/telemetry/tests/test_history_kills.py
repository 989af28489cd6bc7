"""Processes that roll up, archive and drop are killed at random: each sample is in each level once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from django.db import connection, transaction
from pytest_django import Settings

from backstay.core.rollups.levels import LEVELS
from backstay.telemetry import partitions
from backstay.telemetry.archive import writer
from backstay.telemetry.archive_models import ArchivePart
from backstay.telemetry.rollups import partitions as rollup_partitions
from bench import history_kills
from bench.history_kills import History, make_history

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.real_clock]
KILLS = {"roll-up": 15, "archive": 6, "drop": 6}


@pytest.fixture
def history(
    request: pytest.FixtureRequest,
    transactional_db: None,
    tmp_path: Path,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[History]:
    settings.ARCHIVE, settings.HOT_DAYS = str(tmp_path / "archive"), 7
    monkeypatch.setattr(writer, "PART_ROWS", history_kills.PART_ROWS)
    try:
        yield make_history(getattr(request, "param", max(KILLS.values())), seed=11)
    finally:
        settings.ARCHIVE = ""
        for day in partitions.days():
            if day.year == history_kills.FIRST_DAY.year:
                partitions._drop(day)
        with connection.cursor() as cursor:
            for level in LEVELS:
                start = history_kills.FIRST_DAY if level.period == "month" else date(2002, 1, 1)
                cursor.execute("SELECT telemetry_drop_rollup(%s, %s)", [level.name, start])
            cursor.execute("DELETE FROM telemetry_rolluplate")
            cursor.execute("DELETE FROM telemetry_metricrolluplate")
        partitions._known.clear()
        rollup_partitions._known.clear()


def test_each_sample_is_in_each_level_once_after_kills(history: History, settings: Settings) -> None:
    for name, task in history_kills.TASKS.items():
        done = task(history, KILLS[name])
        print(name, sum(kill.in_transaction for kill in done), "of", len(done), "before a commit")
    history_kills.assert_levels(history)
    history_kills.assert_archive(history)
    root = Path(settings.ARCHIVE)
    files = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
    assert files == set(ArchivePart.objects.values_list("path", flat=True))


@pytest.mark.parametrize("history", [2], indirect=True)
def test_comparison_finds_one_octet_sample_or_value_too_many(history: History) -> None:
    history.add_late()
    history_kills.roll_up_kills(history, 0)
    history_kills.assert_levels(history)
    for table, change in (
        ("telemetry_rollup_1h", "in_octets[1][9] = in_octets[1][9] + 1"),
        ("telemetry_rollup_1d", "samples[1] = samples[1] + 1"),
        ("telemetry_metricrollup_1d", "total[1][1] = total[1][1] + 1"),
    ):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"UPDATE {table} SET {change} WHERE ctid = (SELECT min(ctid) FROM {table})")
            with pytest.raises(AssertionError, match="differ"):
                history_kills.assert_levels(history)
            transaction.set_rollback(True)
