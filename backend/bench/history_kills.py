"""Processes that roll up, archive and drop are killed at random moments; each sample is in each level once.

Shared by the tests and `make bench-history KILLS=50`. A child does one task as the worker does, in small
batches, and is killed with SIGKILL. What the levels must contain is calculated from the random numbers before
PostgreSQL sees them: of each port the number of samples and the sum of octets in both directions, of each
device the number and the sum of its metric's values.

    roll-up    of ports and metrics, hours, days and hours with late samples
    archive    a day's files, of the oldest days first
    drop       of archived days, oldest first
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import numpy as np
import psycopg
import pyarrow.dataset as ds
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from backstay.core.rollups.levels import LEVELS
from backstay.inventory.advisory_locks import LockClass, run_in_one_process
from backstay.inventory.sql import fetch_rows
from backstay.telemetry import partitions
from backstay.telemetry.archive import release, writer
from backstay.telemetry.archive_models import ArchivePart
from backstay.telemetry.models import MetricLayout
from backstay.telemetry.rollups import execution
from backstay.telemetry.rollups.kinds import KINDS
from bench.archive_rows import SampledNode, day_growth, fill_day, make_nodes

BACKEND = Path(__file__).resolve().parent.parent
FIRST_DAY = date(2002, 3, 1)
NODES, PORTS, INTERVAL_S = 4, 12, 30
FILLED = (6 * 3600, 4 * 3600)
"""Start and length of a day's samples, seconds: the other hours are empty, or filled late."""
LATE_S = 600
PART_ROWS = 5000
"""Port-rows of a file: several a day."""
ATTEMPTS = 4
"""Children for each kill that hits one at work."""
TASK_S = {"roll-up": 0.6, "archive": 0.2, "drop": 0.07}
"""Longest time before a kill: about what a few batches, a day's archive, or a drop take."""
CLOSED = timedelta(hours=4)
"""After the last day, when its hours are complete."""
FINISH_S = 600.0
APPLICATION = "history-kill"
"""Name of the children's sessions."""
CHILD = "import django; django.setup(); from bench import history_kills; history_kills.run_task()"


@dataclass(frozen=True, slots=True)
class Kill:
    """One child that was killed."""

    at_work: bool
    """It had not finished, and left something to do."""
    in_transaction: bool
    """Its transaction had written something and was not committed."""


@dataclass(slots=True)
class History:
    """Stored samples, and what the levels must contain of them."""

    nodes: list[SampledNode]
    metric_layouts: dict[int, int]
    """Node -> layout of its one metric."""
    days: int
    random: np.random.Generator
    rows: int = 0
    """Rows of `telemetry_samples` that were inserted."""
    ports: dict[int, list[int]] = field(default_factory=dict)
    """Port -> samples, octets in, octets out."""
    metrics: dict[int, list[int]] = field(default_factory=dict)
    """Node -> values, and their sum."""
    filled: set[tuple[date, int]] = field(default_factory=set)
    """Days and hours with late samples."""

    @property
    def until(self) -> datetime:
        """When all hours and days are complete."""
        return _midnight(FIRST_DAY + timedelta(days=self.days)) + CLOSED

    def add(self, day: date, start_s: int, length_s: int, *, is_late: bool = False) -> None:
        """Samples of all ports and values of all metrics; late ones with their hours, as the ingest does."""
        seed = day.toordinal() * 100_000 + start_s
        partitions.ensure_day(day)
        with transaction.atomic():
            filled = fill_day(
                day, self.nodes, interval_s=INTERVAL_S, start_s=start_s, length_s=length_s, seed=seed
            )
            self._add_metrics(_midnight(day) + timedelta(seconds=start_s), length_s // INTERVAL_S)
            if is_late:
                self._mark_late(day, start_s, length_s)
        self.rows += filled
        for sampled in self.nodes:
            growth = day_growth(PORTS, length_s // INTERVAL_S, INTERVAL_S, sampled.node + seed)
            for place, port in enumerate(sampled.ports):
                known = self.ports.setdefault(port, [0, 0, 0])
                for number, more in enumerate((growth.shape[1], *growth[:2, :, place].sum(axis=1).tolist())):
                    known[number] += more

    def _add_metrics(self, start: datetime, number: int) -> None:
        copy = (
            "COPY telemetry_metrichistory (node_id, ts, duration_ns, layout_id, places, numbers) FROM STDIN"
        )
        for node, layout in self.metric_layouts.items():
            values = self.random.integers(1, 1000, number).tolist()
            with psycopg.Cursor(connection.connection).copy(copy.encode()) as rows:
                for place, value in enumerate(values, 1):
                    at = start + timedelta(seconds=INTERVAL_S * place)
                    rows.write_row((node, at, INTERVAL_S * 10**9, layout, [1], [float(value)]))
            known = self.metrics.setdefault(node, [0, 0])
            known[0] += number
            known[1] += sum(values)

    def _mark_late(self, day: date, start_s: int, length_s: int) -> None:
        hours = {(start_s - 1) // 3600, (start_s + length_s + INTERVAL_S) // 3600}
        times = [_midnight(day) + timedelta(hours=hour) for hour in hours]
        with connection.cursor() as cursor:
            for table in ("telemetry_rolluplate", "telemetry_metricrolluplate"):
                cursor.executemany(
                    f"INSERT INTO {table} VALUES (%s, %s)",  # noqa: S608 - a constant
                    [(sampled.node, at) for sampled in self.nodes for at in times],
                )

    def add_late(self) -> None:
        """Ten minutes of samples of all devices in a random empty hour."""
        day = FIRST_DAY + timedelta(days=int(self.random.integers(self.days)))
        free = [hour for hour in range(12, 24) if (day, hour) not in self.filled]
        if free:
            hour = free[int(self.random.integers(len(free)))]
            self.filled.add((day, hour))
            self.add(day, hour * 3600 + int(self.random.integers(60, 2900)), LATE_S, is_late=True)


def make_history(days: int, seed: int) -> History:
    """Devices of a new site with samples of some hours of each day, from FIRST_DAY on."""
    nodes = make_nodes("kills", nodes=NODES, ports=PORTS)
    layouts = {
        sampled.node: MetricLayout.objects.create(
            node_id=sampled.node,
            collector="kills",
            digest=b"kills",
            metrics=["host.processor_load"],
            subjects=[""],
        ).pk
        for sampled in nodes
    }
    history = History(nodes, layouts, days, np.random.default_rng(seed))
    for number in range(days):
        history.add(FIRST_DAY + timedelta(days=number), *FILLED)
    return history


def run_task() -> None:
    """The child: `TASK UNTIL`, which it does until nothing is left."""
    until = datetime.fromisoformat(sys.argv[2])
    connection.ensure_connection()
    print("ready", flush=True)
    match sys.argv[1]:
        case "roll-up":
            # An hour of one device, a day of two, an hour with late samples: a batch takes milliseconds.
            execution.SAMPLES_OF_A_BATCH, execution.LATE_HOURS = 200, 1
            while execution.run_round(until, 0.01):
                pass
        case "archive":
            _archive()
        case "drop":
            partitions.maintain(timezone.now())
    print("done", flush=True)


def roll_up_kills(history: History, kills: int) -> list[Kill]:
    """Kill processes that roll up, while samples come late; then finish."""
    done = list(_kills("roll-up", history, kills, history.add_late, lambda: not _is_rolled_up(history)))
    _finish(lambda: not execution.run_round(history.until) and _is_rolled_up(history))
    return done


def archive_kills(history: History, kills: int) -> list[Kill]:
    """Kill processes that archive; then finish."""

    def before() -> None:
        assert_rows(history)
        if not writer.due_days(timezone.now()):
            # As after samples that came late: the days are written again.
            for day in _stored_days():
                release.reopen(day)

    done = list(_kills("archive", history, kills, before, lambda: bool(writer.due_days(timezone.now()))))
    _finish(lambda: _archive() and not writer.due_days(timezone.now()))
    assert_rows(history)
    return done


def drop_kills(history: History, kills: int) -> list[Kill]:
    """Kill processes that drop archived days; then finish."""
    done = list(_kills("drop", history, kills, lambda: assert_rows(history), lambda: bool(_stored_days())))
    _finish(lambda: not partitions.maintain(timezone.now()) and not _stored_days())
    assert_rows(history)
    return done


def _kills(
    task: str, history: History, kills: int, before: Callable[[], None], has_work: Callable[[], bool]
) -> Iterator[Kill]:
    hits = 0
    for _ in range(kills * ATTEMPTS):
        before()
        kill = _killed(task, history, float(history.random.uniform(0, TASK_S[task])))
        kill = replace(kill, at_work=kill.at_work and has_work())
        hits += kill.at_work
        yield kill
        if hits >= kills:
            return
    if hits < kills:
        raise AssertionError(f"only {hits} of {kills} kills hit a process at work: {task}")


def _killed(task: str, history: History, after_s: float) -> Kill:
    """Start a child, and kill it so long after it began to work."""
    environment = {
        **os.environ,
        "BACKSTAY_DB_NAME": str(connection.settings_dict["NAME"]),
        "BACKSTAY_ARCHIVE": settings.ARCHIVE,
        "BACKSTAY_HOT_DAYS": "7",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PGAPPNAME": APPLICATION,
    }
    command = [sys.executable, "-c", CHILD, task, history.until.isoformat()]
    with subprocess.Popen(command, cwd=BACKEND, env=environment, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        try:
            assert child.stdout.readline() == b"ready\n"
            time.sleep(after_s)
            child.send_signal(signal.SIGSTOP)
            in_transaction = _has_transaction()
        finally:
            child.kill()
        output = child.stdout.read()
        child.wait(10)
    return Kill(output != b"done\n", output != b"done\n" and in_transaction)


def _has_transaction() -> bool:
    statement = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = %s"
        " AND backend_xid IS NOT NULL"
    )
    ((number,),) = fetch_rows(statement, [APPLICATION])
    return bool(number)


def _finish(step: Callable[[], bool]) -> None:
    """Repeat until it is done: PostgreSQL may still run the last statement of a killed process."""
    deadline = time.monotonic() + FINISH_S
    while not step():
        if time.monotonic() > deadline:
            raise AssertionError(f"not finished within {FINISH_S:.0f} s")
        time.sleep(0.1)


def _is_rolled_up(history: History) -> bool:
    end = history.until - CLOSED
    for kind in KINDS:
        if kind.marks.objects.filter(coarse_until__lt=end).exists():
            return False
        if fetch_rows(f"SELECT FROM {kind.late} LIMIT 1", []):
            return False
    return True


def _archive() -> bool:
    """Archive what is due; whether no session of a killed process had the lock."""
    writer.PART_ROWS = PART_ROWS
    return run_in_one_process(LockClass.ARCHIVE, lambda: writer.run(timezone.now(), run_s=FINISH_S))


def _stored_days() -> list[date]:
    return [day for day in partitions.days() if day.year == FIRST_DAY.year]


def assert_rows(history: History) -> None:
    """Each inserted row is in a partition or in a released file."""
    days = [_midnight(FIRST_DAY), history.until]
    # In a database of tests, other ones may have left samples of today.
    ((stored,),) = fetch_rows("SELECT count(*) FROM telemetry_samples WHERE ts BETWEEN %s AND %s", days)
    released = ArchivePart.objects.filter(table="samples", released_at__isnull=False)
    archived = sum(released.values_list("source_rows", flat=True))
    if stored + archived != history.rows:
        raise AssertionError(f"{stored} stored and {archived} archived rows of {history.rows}")


def assert_levels(history: History) -> None:
    """Each roll-up level has each sample and each value of a metric once. Raises AssertionError."""
    for level in LEVELS:
        octets = {port: known[1:] for port, known in history.ports.items()}
        _assert_equal(f"octets of {level.name}", _octets(level.name), octets)
        samples = {sampled.node: [history.ports[sampled.ports[0]][0]] for sampled in history.nodes}
        _assert_equal(f"samples of {level.name}", _by_node(level.table, "samples"), samples)
        counts, sums = _by_node(level.metric_table, "samples"), _by_node(level.metric_table, "total")
        found = {node: [*counts[node], *sums[node]] for node in counts}
        _assert_equal(f"metrics of {level.name}", found, history.metrics)


def assert_archive(history: History) -> None:
    """The archive's folder has each sample once, whatever its manifest says. Raises AssertionError."""
    folder = Path(settings.ARCHIVE) / "samples"
    table = ds.dataset(folder, partitioning="hive", exclude_invalid_files=False).to_table(
        columns=["port_id", "in_octets", "out_octets"]
    )
    grouped = table.group_by("port_id").aggregate(
        [("port_id", "count"), ("in_octets", "sum"), ("out_octets", "sum")]
    )
    found = {
        row["port_id"]: [row["port_id_count"], row["in_octets_sum"], row["out_octets_sum"]]
        for row in grouped.to_pylist()
    }
    _assert_equal("archive", found, history.ports)


def _octets(level: str) -> dict[int, list[int]]:
    statement = """
        SELECT port, sum(octets) FILTER (WHERE direction = 'in')::int8,
            sum(octets) FILTER (WHERE direction = 'out')::int8
        FROM telemetry_rollup_{level} AS past
        JOIN telemetry_portlayout AS layout ON layout.id = past.layout_id
        CROSS JOIN LATERAL unnest(layout.ports) WITH ORDINALITY AS slot (port, number)
        CROSS JOIN LATERAL (
            SELECT 'in', unnest(past.in_octets[slot.number:slot.number])
            UNION ALL SELECT 'out', unnest(past.out_octets[slot.number:slot.number])
        ) AS value (direction, octets)
        GROUP BY port
    """
    rows = fetch_rows(statement.format(level=level), [])
    return {port: [inward, outward] for port, inward, outward in rows}


def _by_node(table: str, column: str) -> dict[int, list[int]]:
    statement = f"SELECT node_id, sum(value) FROM {table}, unnest({column}) AS value GROUP BY node_id"  # noqa: S608
    return {node: [int(total)] for node, total in fetch_rows(statement, [])}


def _assert_equal(name: str, found: dict[int, list[int]], expected: dict[int, list[int]]) -> None:
    unequal = [
        f"{key}: {found.get(key)} instead of {expected.get(key)}"
        for key in sorted(found.keys() | expected.keys())
        if found.get(key) != expected.get(key)
    ]
    if unequal:
        raise AssertionError(f"{name}: {len(unequal)} of {len(expected)} differ; {unequal[0]}")


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


TASKS: Mapping[str, Callable[[History, int], list[Kill]]] = {
    "roll-up": roll_up_kills,
    "archive": archive_kills,
    "drop": drop_kills,
}
"""In this order: a day is archived once it is rolled up, and dropped once it is archived."""
