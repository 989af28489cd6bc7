"""An archiving process that is killed at any moment loses and doubles nothing."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from django.db import connection
from pytest_django import Settings

from backstay.telemetry import partitions
from backstay.telemetry.archive.reader import archived_samples
from backstay.telemetry.archive_models import ArchivePart
from bench.archive_rows import SampledNode, fill_day, make_nodes

DAY = date(2002, 3, 1)
START = datetime(2002, 3, 1, tzinfo=UTC)
KILLS = 10
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
from backstay.telemetry.archive import archiver
archiver.PART_ROWS = 20_000
print("ready", flush=True)
run_in_one_process(LockClass.ARCHIVE, lambda: archiver.run(timezone.now(), run_s=60))
print("archived", flush=True)
partitions._dropped(partitions.days()[0]) if partitions.release.permits(partitions.days()[0]) else None
print("dropped", flush=True)
"""


@pytest.fixture
def nodes(transactional_db: None, tmp_path: Path, settings: Settings) -> Iterator[list[SampledNode]]:
    """Eight switches with four hours of samples of a day long ago."""
    settings.ARCHIVE = str(tmp_path / "archive")
    made = make_nodes("lab", nodes=8, ports=24)
    fill_day(DAY, made, length_s=4 * 3600)
    yield made
    partitions._known.discard(DAY)
    with connection.cursor() as cursor:
        cursor.execute("SELECT telemetry_drop_day(%s)", [DAY])


def seen(nodes: list[SampledNode]) -> list[int]:
    """Samples of the database and of the archive, by node."""
    counts = []
    for sampled in nodes:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM telemetry_samples WHERE node_id = %s", [sampled.node])
            stored = cursor.fetchone()[0]
        samples, gaps = archived_samples(
            sampled.node, sampled.ports[5], START - timedelta(days=1), START + timedelta(days=2)
        )
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


@pytest.mark.slow
@pytest.mark.real_clock
def test_killed_process_loses_and_doubles_nothing(nodes: list[SampledNode], settings: Settings) -> None:
    moments = random.Random(7)
    dropped = 0
    for _ in range(KILLS):
        process = start(settings.ARCHIVE)
        time.sleep(moments.uniform(0, 0.6))
        os.kill(process.pid, signal.SIGKILL)
        process.communicate(timeout=60)
        assert seen(nodes) == [480] * len(nodes)
        dropped += ArchivePart.objects.filter(released_at__isnull=False).exists()
    last = start(settings.ARCHIVE)
    output, _ = last.communicate(timeout=120)
    assert "dropped" in output
    assert seen(nodes) == [480] * len(nodes)
    assert DAY not in partitions.days()
    files = {str(path.relative_to(settings.ARCHIVE)) for path in Path(settings.ARCHIVE).rglob("*") if path.is_file()}
    assert files == set(ArchivePart.objects.values_list("path", flat=True))
