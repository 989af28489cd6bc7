"""A worker that is killed while it writes an export: the next one continues; no row is lost or doubled."""

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

from backstay.inventory.models import Site
from backstay.telemetry.export_models import Export
from backstay.telemetry.exports.selectors import file_of
from bench.archive_rows import SampledNode, fill_day, make_nodes

DAY = date(2002, 4, 1)
KILLS = 6
BACKEND = Path(__file__).parents[3]
WORKER = """
import os, sys
sys.path.insert(0, os.getcwd())
import django
from django.conf import settings
django.setup()
settings.DATABASES["default"]["NAME"] = sys.argv[1]
settings.EXPORTS = sys.argv[2]
from backstay.telemetry.exports import execution
from backstay.telemetry.tasks import write_exports
execution.STEP_ROWS, execution.SAVE_S, execution.RETRY_S = 3000, 0.0, -1.0
print("ready", flush=True)
write_exports()
"""


@pytest.fixture
def nodes(transactional_db: None, tmp_path: Path, settings: Settings) -> list[SampledNode]:
    """A day of forty switches."""
    settings.EXPORTS = str(tmp_path)
    made = make_nodes("lab", nodes=40, ports=2)
    fill_day(DAY, made, length_s=6 * 3600)
    return made


def queued(kind: str) -> Export:
    start = datetime(2002, 4, 1, tzinfo=UTC)
    return Export.objects.create(
        site=Site.objects.get(),
        person="vera",
        format=kind,
        level="samples",
        start=start,
        end=start + timedelta(days=1),
        created_at=timezone.now(),
    )


def worker(folder: Path) -> subprocess.Popen[str]:
    name = str(connection.settings_dict["NAME"])
    child = subprocess.Popen(
        [sys.executable, "-c", WORKER, name, str(folder)],
        cwd=BACKEND,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "BACKSTAY_DB_NAME": name},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    return child


def _wait_for_a_step(export: Export) -> None:
    """Until the file has grown or is complete, or half a minute has passed."""
    before = export.bytes
    for _ in range(600):
        export.refresh_from_db()
        if export.bytes > before or export.state == "done":
            return
        time.sleep(0.05)


@pytest.mark.slow
def test_killed_workers_write_the_same_file(nodes: list[SampledNode], tmp_path: Path) -> None:
    whole = queued("csv")
    while whole.state != "done":
        assert worker(tmp_path).wait(60) == 0
        whole.refresh_from_db()
    killed = queued("csv")
    seed = random.Random(4)
    seen = []
    for number in range(KILLS):
        child = worker(tmp_path)
        if number % 2:
            # A step that loses its worker three times fails, and a busy machine may need long for one.
            _wait_for_a_step(killed)
        time.sleep(seed.uniform(0.05, 0.4))
        child.send_signal(signal.SIGKILL)
        child.wait(10)
        killed.refresh_from_db()
        seen.append(killed.bytes)
    assert seen == sorted(seen)
    for _ in range(10):
        if killed.state == "done":
            break
        assert worker(tmp_path).wait(60) == 0
        killed.refresh_from_db()
    assert (killed.state, killed.failure) == ("done", "")
    assert len({*seen, 0}) > 1, "at least one kill came after a step"
    assert file_of(killed).read_bytes() == file_of(whole).read_bytes()
    assert killed.rows == whole.rows == 40 * 2 * 720
