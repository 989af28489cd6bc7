"""A process that rolls up is killed at random moments: each sample and report is in each level once."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from backstay.core.rollups.levels import LEVELS
from backstay.intake.site_files import import_text
from backstay.inventory.models import Node
from backstay.telemetry import partitions
from backstay.telemetry.rollups import execution
from backstay.telemetry.rollups import partitions as rollup_partitions
from backstay.telemetry.tests.test_metric_rollups import late_metrics, steady_metrics, stored_metrics
from backstay.telemetry.tests.test_rollups import DAY, NOW, finish, mark_late, steady, stored
from bench.site import switch_site

BACKEND = Path(__file__).resolve().parents[3]
KILLS = 15
LONGEST_S = 0.9
"""Of a child's work before it is killed: less than all of it takes."""
CHILD = """
import sys
from datetime import datetime
import django
django.setup()
from django.db import connection
from backstay.telemetry.rollups import execution
execution.SAMPLES_OF_A_BATCH, execution.LATE_HOURS = 60, 1
connection.ensure_connection()
print("ready", flush=True)
while execution.run_round(datetime.fromisoformat(sys.argv[1]), 0.01):
    pass
"""

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def nodes(transactional_db: None) -> Iterator[list[Node]]:
    import_text(switch_site("lab", devices=3, ports=2, agents=1), "lab.yaml", timezone.now())
    days = [(DAY + timedelta(days=number)).date() for number in range(4)]
    for day in days:
        partitions.ensure_day(day)
    try:
        yield list(Node.objects.filter(kind="switch").order_by("name"))
    finally:
        for day in days:
            partitions._drop(day)
        with connection.cursor() as cursor:
            for level in LEVELS:
                cursor.execute("SELECT telemetry_drop_rollup(%s, %s)", [level.name, DAY.date()])
            cursor.execute("DELETE FROM telemetry_rolluplate")
            cursor.execute("DELETE FROM telemetry_metricrolluplate")
        rollup_partitions._known.clear()


def killed_child(after_s: float) -> bool:
    """Start a process that rolls up and kill it; whether it was at work."""
    environment = {
        **os.environ,
        "BACKSTAY_DB_NAME": connection.settings_dict["NAME"],
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    command = [sys.executable, "-c", CHILD, NOW.isoformat()]
    with subprocess.Popen(command, cwd=BACKEND, env=environment, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        time.sleep(after_s)
        was_working = child.poll() is None
        child.send_signal(signal.SIGKILL)
        child.wait(10)
    return was_working


@pytest.mark.real_clock
def test_each_sample_counts_once_after_kills(nodes: list[Node], monkeypatch: pytest.MonkeyPatch) -> None:
    for node in nodes:
        steady(node, DAY, DAY + timedelta(hours=72))
        steady_metrics(node, DAY, DAY + timedelta(hours=72))
    moments = random.Random(11)
    killed = 0
    for number in range(KILLS):
        for node in nodes:
            mark_late(node, DAY + timedelta(hours=number))
            late_metrics(node, DAY + timedelta(hours=number))
        killed += killed_child(moments.uniform(0, LONGEST_S))
    assert killed >= KILLS // 3, "the children were killed at work"
    deadline = time.monotonic() + 30
    while not execution.run_round(NOW) and time.monotonic() < deadline:
        time.sleep(0.1)  # PostgreSQL may still run the last statement of a killed process.
    finish()
    octets = 72 * 3600 * 1_000_000
    for level in LEVELS:
        assert stored(level.name) == [octets, 2 * octets] * len(nodes)
        assert stored_metrics(level.name, "samples") == 72 * 60 * len(nodes)
        assert stored_metrics(level.name) == 72 * 60 * 8.5 * len(nodes)
        with connection.cursor() as cursor:
            for table in (level.table, level.metric_table):
                cursor.execute(f"SELECT count(*) FROM {table}")
                assert cursor.fetchone() == (72 * 3 if level.name == "5m" else 3 * 3,)
