"""An archiving process that is killed at any moment loses and doubles nothing."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from backstay.telemetry import partitions
from backstay.telemetry.archive import writer
from backstay.telemetry.archive.reader import archived_samples
from backstay.telemetry.archive_models import ArchivePart
from bench.archive_rows import SampledNode, fill_day, make_nodes

FIRST_DAY = date(2002, 3, 1)
KILLS = 10
LONGEST_S = 0.9
"""About what archiving the day takes on an idle machine."""
BACKEND = Path(__file__).parents[3]
CHILD = """
import os, sys
sys.path.insert(0, os.getcwd())
import django
from django.conf import settings
django.setup()
settings.DATABASES["default"]["NAME"] = sys.argv[1]
settings.HOT_DAYS = 7
from django.utils import timezone
from backstay.inventory.advisory_locks import LockClass, run_in_one_process
from backstay.telemetry import partitions
from backstay.telemetry.archive import writer
writer.PART_ROWS = 5_000
print("ready", flush=True)
run_in_one_process(LockClass.ARCHIVE, lambda: writer.run(timezone.now(), run_s=60))
print("archived", flush=True)
for day in [day for day in partitions.days() if day.year < 2010]:
    assert partitions.release.permits(day) and partitions._dropped(day)
print("dropped", flush=True)
"""


@pytest.fixture
def nodes(transactional_db: None, tmp_path: Path, settings: Settings) -> list[SampledNode]:
    """Eight switches without samples."""
    settings.ARCHIVE = str(tmp_path / "archive")
    return make_nodes("lab", nodes=8, ports=24)


def seen(nodes: list[SampledNode], day: date) -> list[int]:
    """Samples of the database and of the archive, by node."""
    counts = []
    start = datetime(day.year, day.month, day.day, tzinfo=UTC)
    for sampled in nodes:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM telemetry_samples WHERE node_id = %s", [sampled.node])
            stored = cursor.fetchone()[0]
        samples, gaps = archived_samples(sampled.node, sampled.ports[5], start, start + timedelta(days=1))
        assert gaps == []
        counts.append(stored + len(samples.end))
    return counts


def start(archive: str) -> subprocess.Popen[str]:
    name = str(connection.settings_dict["NAME"])
    process = subprocess.Popen(
        [sys.executable, "-c", CHILD, name],
        cwd=BACKEND,
        env={**os.environ, "BACKSTAY_ARCHIVE": archive, "DJANGO_SETTINGS_MODULE": "config.settings"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def kill_at_random(archive: str, moments: random.Random) -> str:
    """Run the child for a random time; what it had done."""
    process = start(archive)
    time.sleep(moments.uniform(0, LONGEST_S))
    os.kill(process.pid, signal.SIGKILL)
    output, _ = process.communicate(timeout=60)
    return (
        output.split()[-1]
        if output
        else f"{ArchivePart.objects.filter(verified_at__isnull=False).count()} parts"
    )


@pytest.mark.slow
@pytest.mark.real_clock
def test_killed_process_loses_and_doubles_nothing(
    nodes: list[SampledNode], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.HOT_DAYS = 7
    monkeypatch.setattr(writer, "PART_ROWS", 5_000)
    moments = random.Random(7)
    for number in range(KILLS):
        day = FIRST_DAY + timedelta(days=number)
        fill_day(day, nodes, length_s=4 * 3600)
        print(day, kill_at_random(settings.ARCHIVE, moments))
        assert seen(nodes, day) == [480] * len(nodes)
        writer.run(timezone.now(), run_s=60)
        partitions.maintain(timezone.now())
        assert seen(nodes, day) == [480] * len(nodes)
        assert day not in partitions.days()
    root = Path(settings.ARCHIVE)
    files = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
    assert files == set(ArchivePart.objects.values_list("path", flat=True))
