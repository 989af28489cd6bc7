#!/usr/bin/env python3
"""`make bench-archive`: the archive of closed days: octets a port-row, processor time, and reading one hour.

A private PostgreSQL with its usual durability has one day of 10 switches with 48 ports, and one of 40 hosts
with 8, at 30 s. Each day is archived, verified and dropped as in production. Processor time is that of this
process and of PostgreSQL, extrapolated to 50,000 ports. The floor of writing is the same Parquet from values
in memory.

Traffic is that of `archive_rows.day_growth`, correlated in time; a quarter of the ports is unused. `busy` is
the same without unused ports.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
import uuid
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

BACKEND = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BACKEND))

from bench import databases, processes  # noqa: E402

SWITCHES = ("switches", date(2026, 3, 2), 10, 48, 0.75)
HOSTS = ("hosts", date(2026, 3, 3), 40, 8, 0.75)
BUSY = ("busy", date(2026, 3, 4), 10, 48, 1.0)
INTERVALS = 2880
PORTS = 50_000
GOAL_OCTETS, GOAL_CPU_S, GOAL_MS = 11.0, 60.0, 150.0
READS = 25


def main() -> None:
    """Run the benchmark and print its results."""
    stores = databases.start(durable=True)
    try:
        with tempfile.TemporaryDirectory(prefix="backstay-archive-") as folder:
            os.environ |= stores.environment | {
                "BACKSTAY_SECRET_KEYS": uuid.uuid4().hex,
                "DJANGO_SETTINGS_MODULE": "config.settings",
                "BACKSTAY_LOG_LEVEL": "ERROR",
                "BACKSTAY_ARCHIVE": folder,
            }
            figures = _run(stores.pids[0])
    finally:
        stores.stop()
    _print(figures)


def _run(postgres: int) -> dict[str, dict[str, Any]]:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    measured = {case[0]: _archived(postgres, case) for case in (SWITCHES, HOSTS, BUSY)}
    figures = {f"octets_{name}": _octets(found) for name, found in measured.items()}
    rows = PORTS * INTERVALS
    for name in ("switches", "hosts"):
        found = measured[name]
        cpu_s = (found["ours_s"] + found["postgres_s"]) / found["rows"] * rows
        floor_s = found["floor_s"] / found["rows"] * rows
        figures[f"cpu_{name}"] = _judged(cpu_s, GOAL_CPU_S, "CPU-s/day of 50,000 ports", floor=floor_s)
        of_postgres = found["postgres_s"] / found["rows"] * rows
        figures[f"cpu_{name}"]["of_postgresql"] = round(of_postgres, 1)
    for name in ("switches", "hosts"):
        figures[f"hour_{name}"] = _judged(measured[name]["hour_ms"], GOAL_MS, "ms")
    return figures


def _archived(postgres: int, case: tuple[str, date, int, int, float]) -> dict[str, float]:
    """Fill, archive and drop one day; what it took."""
    from django.db.models import Sum

    from backstay.telemetry import partitions
    from backstay.telemetry.archive import writer
    from backstay.telemetry.archive_models import ArchiveDay, ArchivePart
    from bench.archive_rows import fill_day, make_nodes

    site, day, count, ports, busy = case
    nodes = make_nodes(site, count, ports)
    fill_day(day, nodes, busy=busy)
    closed = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1, hours=4)
    before = processes.cpu_seconds([postgres]), time.process_time()
    writer.run(closed, run_s=600)
    postgres_s, ours_s = processes.cpu_seconds([postgres]) - before[0], time.process_time() - before[1]
    if ArchiveDay.objects.get(day=day).verified_at is None:
        raise RuntimeError(ArchiveDay.objects.get(day=day).failure)
    if day not in partitions.maintain(closed + timedelta(days=9)):
        raise RuntimeError("the day was not dropped")
    parts = ArchivePart.objects.filter(day__day=day)
    rows = parts.filter(table="samples").aggregate(rows=Sum("rows"))["rows"]
    if rows != count * ports * INTERVALS:
        raise RuntimeError(f"{rows} port-rows are archived, {count * ports * INTERVALS} were stored")
    return {
        "rows": rows,
        "octets": parts.aggregate(octets=Sum("bytes"))["octets"],
        "ours_s": ours_s,
        "postgres_s": postgres_s,
        "floor_s": _floor_s(parts.filter(table="samples").values_list("path", flat=True)),
        "hour_ms": _hour_ms(day, nodes),
    }


def _floor_s(paths: Any) -> float:
    """Processor seconds of writing the same tables again, from memory to memory."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from backstay.telemetry.archive.schema import GROUP_ROWS, SAMPLES, WRITER_OPTIONS

    spent = 0.0
    for path in paths:
        table = pq.ParquetFile(f"{os.environ['BACKSTAY_ARCHIVE']}/{path}").read()
        before = time.process_time()
        pq.write_table(table, pa.BufferOutputStream(), row_group_size=GROUP_ROWS, **WRITER_OPTIONS[SAMPLES])
        spent += time.process_time() - before
    return spent


def _hour_ms(day: date, nodes: list[Any]) -> float:
    """Median time of reading one hour of one port; a new port and hour each time."""
    from backstay.telemetry.archive.reader import archived_samples

    taken = []
    for number in range(READS):
        sampled = nodes[number * 7 % len(nodes)]
        start = datetime(day.year, day.month, day.day, number % 23, 5, tzinfo=UTC)
        began = time.monotonic()
        samples, gaps = archived_samples(
            sampled.node, sampled.ports[number % len(sampled.ports)], start, start + timedelta(hours=1)
        )
        taken.append((time.monotonic() - began) * 1000)
        if gaps or len(samples.end) != 120:
            raise RuntimeError(f"{len(samples.end)} samples of an hour, {gaps}")
    return statistics.median(taken)


def _octets(found: dict[str, float]) -> dict[str, Any]:
    return _judged(found["octets"] / found["rows"], GOAL_OCTETS, "octets/port-row")


def _judged(ours: float, goal: float, unit: str, floor: float | None = None) -> dict[str, Any]:
    least = {} if floor is None else {"floor": round(floor, 1)}
    return {"ours": round(ours, 1), **least, "goal": goal, "unit": unit, "met": ours <= goal}


def _print(figures: dict[str, dict[str, Any]]) -> None:
    for name, figure in figures.items():
        floor = f", floor {figure['floor']}" if "floor" in figure else ""
        part = f", of it PostgreSQL {figure['of_postgresql']}" if "of_postgresql" in figure else ""
        print(f"{name:18}{figure['ours']:>8} {figure['unit']} (goal {figure['goal']:g}{floor}{part})")
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print("BENCH " + json.dumps({"name": "archive", "figures": figures}))


if __name__ == "__main__":
    main()
