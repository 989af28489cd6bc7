#!/usr/bin/env python3
"""`make bench-history`: roll-ups of a switch of 48 ports and of a host of 8, and charts of one port.

Each device has samples of `--days` days each 30 s, with lognormal rates that are correlated in time, and
busiest seconds. They are rolled up by `telemetry.rollups`. The rest of a year is made of copies of the
rolled-up days.

    bytes      of a port-row of each level: table and TOAST; the indexes apart
    roll-up    port-rows of samples a processor second, of this process and PostgreSQL; alone: the arrays
    metrics    the same of device metrics: reports of a gateway and an InfiniBand switch of one day each 30 s;
               a metric-row is one metric of one report, of which most are zero
    baseline   of a port's week of hours, from 8 weeks of hourly roll-ups
    --kills    none of this: processes that roll up, archive and drop are killed at random moments, and the
               levels are compared with sums that were calculated beforehand
    chart      one port's history at 600 points, the median of several: the time in which the client waits for
               PostgreSQL, and the rest of the function
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

BACKEND = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BACKEND))

from bench import databases  # noqa: E402

INTERVAL_S, POINTS = 30, 600
HERTZ = os.sysconf("SC_CLK_TCK")
END = datetime(2031, 6, 15, tzinfo=UTC)
DEVICES = {"switch": 48, "host": 8}
MORE = 5
"""Further devices of each kind with one day of samples: a batch of the roll-up is many devices."""
GOALS_MS = {"24 h": (15, 20), "7 d": (30, 20), "1 y": (50, 20)}
"""Range -> most milliseconds in the database, and in Python."""
ROLL_UP_GOAL = 5_000_000
METRIC_SETS = {"gateway": (120, 0.35), "InfiniBand switch": (36 * 14, 0.15)}
"""Name -> metrics of one report, and the fraction of them that is not zero."""
METRIC_DEVICES = 6


def main() -> None:
    """Measure, print tables and one line `BENCH {...}`."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--days", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--kills", type=int, help="instead: kill each task so often (bench.history_kills)")
    options = parser.parse_args()
    servers = databases.start(durable=True)
    try:
        os.environ.update(
            servers.environment,
            DJANGO_SETTINGS_MODULE="config.settings",
            BACKSTAY_SECRET_KEYS=secrets.token_hex(),
        )
        if options.kills:
            figures = _killed(options.kills, servers.folder / "archive")
        else:
            figures = _measured(servers, options.days, options.rounds)
    finally:
        servers.stop()
    print("BENCH " + json.dumps({"name": "history", "figures": figures}))


def _measured(servers: databases.PrivateDatabases, days: int, rounds: int) -> dict[str, Any]:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    nodes = _site()
    for name, of_kind in nodes.items():
        for node in of_kind:
            _seed(node, DEVICES[name], days if node == of_kind[0] else 1)
    figures: dict[str, Any] = {"samples_bytes": _bytes("telemetry_samples", "")}
    figures |= _rolled_up(servers, days)
    figures["computation_port_rows_per_cpu_s"] = _computation()
    figures |= _metrics(servers, [node for of_kind in nodes.values() for node in of_kind][:METRIC_DEVICES])
    _fill_year(days)
    for level in ("5m", "1h", "1d"):
        figures[f"bytes_{level}"] = _bytes(f"telemetry_rollup_{level}", "samples")
    figures["baseline"] = _baseline(nodes["switch"][0], rounds)
    for name, of_kind in nodes.items():
        for text in GOALS_MS:
            figures[f"chart_{name}_{text.replace(' ', '')}"] = _chart(name, of_kind[0], text, rounds)
    return figures


def _killed(kills: int, archive: Path) -> dict[str, Any]:
    """Kill roll-ups, archive and drop; raises AssertionError if a sample is missing or counted twice."""
    import django
    from django.conf import settings
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from bench import history_kills

    settings.ARCHIVE, settings.HOT_DAYS = str(archive), 7
    history = history_kills.make_history(kills + kills // 2, seed=int(time.time()))
    figures: dict[str, Any] = {}
    for name, task in history_kills.TASKS.items():
        began = time.monotonic()
        done = task(history, kills)
        figures[name] = {
            "kills": sum(kill.at_work for kill in done),
            "before_commit": sum(kill.in_transaction for kill in done),
            "too_late": sum(not kill.at_work for kill in done),
            "seconds": round(time.monotonic() - began),
        }
        print(f"{name}: {figures[name]}")
    history_kills.assert_levels(history)
    history_kills.assert_archive(history)
    figures |= {"port_samples": sum(known[0] for known in history.ports.values()), "unequal": 0}
    print(
        f"each of {figures['port_samples']:,} port samples is once in the archive and in each roll-up level"
    )
    return figures


def _site() -> dict[str, list[int]]:
    """Kind -> devices; charts are of the first one."""
    from django.utils import timezone

    from backstay.intake.site_files import import_text
    from backstay.inventory.models import Node
    from bench.site import switch_site

    found: dict[str, list[int]] = {}
    for name, ports in DEVICES.items():
        text = switch_site(name, devices=1 + MORE, ports=ports, agents=1)
        import_text(text, f"{name}.yaml", timezone.now())
        found[name] = list(
            Node.objects.filter(site__name=name, kind="switch").order_by("name").values_list("pk", flat=True)
        )
    return found


def _seed(node: int, ports: int, days: int) -> None:
    """Samples up to `END`, by binary COPY, a day at a time."""
    import psycopg
    from django.db import connection

    from backstay.inventory.models import Port
    from backstay.telemetry import partitions
    from backstay.telemetry.ingest import copybinary, store
    from backstay.telemetry.models import PortLayout

    ids = list(Port.objects.filter(node=node).order_by("pk").values_list("pk", flat=True))[:ports]
    layout = PortLayout.objects.create(node_id=node, digest=b"bench", ports=ids)
    random = np.random.default_rng(node)
    count = 86_400 // INTERVAL_S
    for day in range(days):
        start = END - timedelta(days=days - day)
        partitions.ensure_day(start.date())
        partitions.ensure_day((start + timedelta(days=1)).date())
        rates = _rates(random, count, ports)
        pieces = [copybinary.HEADER]
        for number in range(count):
            octets = (rates[number] * INTERVAL_S).astype(np.int64)
            columns = [*octets, *(octets // 700), *(rates[number] * 1.4).astype(np.int64)]
            end_us = round(start.timestamp() * 1e6) + (number + 1) * INTERVAL_S * 1_000_000
            pieces.append(
                copybinary.scalars(
                    store.FIELDS,
                    node=node,
                    at_us=end_us,
                    duration_ns=INTERVAL_S * 10**9,
                    shift_ns=0,
                    layout=layout.pk,
                )
            )
            fields = copybinary.int8_arrays([column.tolist() for column in columns])
            pieces += [*fields[:4], copybinary.NULL * 4, *fields[4:], copybinary.NULL]
        pieces.append(copybinary.TRAILER)
        with psycopg.Cursor(connection.connection).copy(store._COPY) as copy:
            copy.write(b"".join(pieces))
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE telemetry_samples")


def _rates(random: np.random.Generator, count: int, ports: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Octets per second, (samples, directions, ports): an AR(1) process under an exponential."""
    noise = random.normal(0, 0.3, (count, 2, ports))
    level = random.uniform(10, 17, (2, ports))
    state = np.zeros((2, ports))
    found = np.empty_like(noise)
    for number in range(count):
        state = 0.95 * state + noise[number]
        found[number] = np.exp(level + state)
    return found


def _rolled_up(servers: databases.PrivateDatabases, days: int) -> dict[str, Any]:
    from backstay.telemetry.rollups import execution

    port_rows = sum(DEVICES.values()) * (days + MORE) * 86_400 // INTERVAL_S
    began, served = time.process_time(), _cpu_of(servers.pids[0])
    while execution.run_round(END + timedelta(hours=1), 600):
        pass
    ours, theirs = time.process_time() - began, _cpu_of(servers.pids[0]) - served
    rate = round(port_rows / (ours + theirs))
    print(
        f"roll-up of {port_rows:,} port-rows, all levels: {rate:,} per CPU-s"
        f" ({ours:.2f} s here, {theirs:.2f} s PostgreSQL)"
    )
    return {"roll_up_port_rows_per_cpu_s": {"ours": rate, "goal": ROLL_UP_GOAL, "met": rate >= ROLL_UP_GOAL}}


def _metrics(servers: databases.PrivateDatabases, nodes: list[int]) -> dict[str, Any]:
    """Roll up one day of metrics of each device, and one chart of it."""
    from backstay.telemetry.rollup_models import MetricRollupMark
    from backstay.telemetry.rollups import execution
    from backstay.telemetry.selectors.metric_history import MetricKey, metric_history

    reports = 86_400 // INTERVAL_S
    start = END - timedelta(days=1)
    for number, node in enumerate(nodes):
        _seed_metrics(node, *list(METRIC_SETS.values())[number % len(METRIC_SETS)], start)
    MetricRollupMark.objects.filter(node__in=nodes).update(since=start, fine_until=start, coarse_until=start)
    began, served = time.process_time(), _cpu_of(servers.pids[0])
    while execution.run_round(END + timedelta(hours=1), 600):
        pass
    ours, theirs = time.process_time() - began, _cpu_of(servers.pids[0]) - served
    sizes = [size for size, _ in METRIC_SETS.values()]
    rows = sum(reports * sizes[number % len(sizes)] for number in range(len(nodes)))
    found: dict[str, Any] = {"metric_rows_per_cpu_s": round(rows / (ours + theirs))}
    print(
        f"roll-up of {rows:,} metric-rows, all levels: {found['metric_rows_per_cpu_s']:,} per CPU-s"
        f" ({ours:.2f} s here, {theirs:.2f} s PostgreSQL)"
    )
    for table in ("history", "rollup_5m", "rollup_1h", "rollup_1d"):
        found[f"metric_bytes_{table}"] = _metric_bytes(f"telemetry_metric{table}", rows // reports)
    key = MetricKey(nodes[0], "ib.symbol_errors", "0", None, is_growth=True)
    began = time.perf_counter()
    metric_history(key, start, END, points=240, interval_s=INTERVAL_S)
    found["metric_chart_24h_ms"] = round((time.perf_counter() - began) * 1000, 1)
    print(f"chart of one metric, 24 h: {found['metric_chart_24h_ms']} ms")
    return found


def _seed_metrics(node: int, size: int, share: float, start: datetime) -> None:
    """A day of reports; some metrics are always other than zero, the others hardly ever."""
    import psycopg
    from django.db import connection

    from backstay.telemetry.models import MetricLayout

    names = ["ib.symbol_errors" if place % 3 else "host.processor_load" for place in range(1, size + 1)]
    layout = MetricLayout.objects.create(
        node_id=node,
        collector="bench",
        digest=b"bench",
        metrics=names,
        subjects=[str(place) for place in range(size)],
    )
    random = np.random.default_rng(node)
    busy = random.random(size) < share
    statement = (
        "COPY telemetry_metrichistory (node_id, ts, duration_ns, layout_id, places, numbers) FROM STDIN"
    )
    with psycopg.Cursor(connection.connection).copy(statement) as copy:
        for number in range(1, 86_400 // INTERVAL_S + 1):
            present = np.flatnonzero(busy | (random.random(size) < 0.001))
            values = random.integers(1, 10**7, len(present)).astype(float).tolist()
            at = start + timedelta(seconds=INTERVAL_S * number)
            places = (present + 1).tolist()
            copy.write_row((node, at, INTERVAL_S * 10**9, layout.pk, places, values))


def _metric_bytes(table: str, metrics: int) -> dict[str, Any]:
    """A day of one metric: with TOAST, and the indexes of it."""
    from backstay.inventory.sql import fetch_rows

    with_indexes = "SELECT sum(pg_table_size(inhrelid)), sum(pg_indexes_size(inhrelid)) FROM pg_inherits"
    ((whole, indexes),) = fetch_rows(f"{with_indexes} WHERE inhparent = %s::regclass", [table])
    found = {
        "table": round(float(whole) / metrics, 1),
        "indexes": round(float(indexes) / metrics, 1),
        "unit": "B a day of one metric",
    }
    print(f"{table}: {found['table']} B a day of one metric, indexes {found['indexes']}")
    return found


def _baseline(node: int, rounds: int) -> float:
    """Milliseconds of the baseline of a week of hours, the median of several."""
    from backstay.core.model.topology import Port as PortView
    from backstay.inventory.models import Port
    from backstay.telemetry.selectors.history import port_baselines, port_history

    port = Port.objects.filter(node=node).order_by("pk")[3]
    view = PortView(port.pk, node, port.name, None, False, ())
    start = END - timedelta(days=7)
    bins = port_history(view, start, END, points=POINTS, interval_s=INTERVAL_S).bins
    times = []
    for _ in range(rounds + 1):
        began = time.perf_counter()
        inward, _ = port_baselines(view, bins)
        times.append((time.perf_counter() - began) * 1000)
    found = round(statistics.median(times[1:]), 1)
    print(f"baseline of 7 d in {len(bins.at)} bins: {found} ms; weeks {sorted(set(inward.weeks.tolist()))}")
    return found


def _computation() -> dict[str, Any]:
    """The arrays alone, of 32 switches' hour."""
    from backstay.core.rollups.bins import DeviceSamples, fine_rows

    series, count, ports = 32, 3600 // INTERVAL_S, DEVICES["switch"]
    octets = np.random.default_rng(1).integers(0, 10**9, (series * count, ports))
    names = ("octets", "packets", "peak")
    counters = {
        f"{one}_{name}": octets if name in names else None
        for one in ("in", "out")
        for name in (*names, "errors", "discards")
    }
    end = np.tile(1_800_000_000.0 + 30 * np.arange(1, count + 1) + 11, series)
    samples = DeviceSamples(np.repeat(np.arange(series), count), end, np.full(len(end), 30.0), counters, None)
    began = time.process_time()
    for _ in range(5):
        fine_rows(samples, 1_800_000_000.0, series)
    rate = round(5 * octets.size / (time.process_time() - began))
    print(f"computation alone: {rate:,} port-rows per CPU-s")
    return {"ours": rate, "goal": ROLL_UP_GOAL, "met": rate >= ROLL_UP_GOAL}


def _cpu_of(postmaster: int) -> float:
    """Processor seconds of PostgreSQL's processes, ended ones included."""
    total = 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(stat.parent.name) == postmaster:
            total += sum(map(int, fields[11:15])) / HERTZ
        elif int(fields[1]) == postmaster:
            total += sum(map(int, fields[11:13])) / HERTZ
    return total


def _bytes(table: str, bins: str) -> dict[str, Any]:
    """Per port-row of all partitions: with TOAST, and the indexes of it. `bins`: an array with an element a
    bin."""
    from backstay.inventory.sql import fetch_rows

    per_row = f"cardinality({bins})" if bins else "1"
    ((rows,),) = fetch_rows(f"SELECT sum({per_row} * array_length(in_octets, 1)) FROM {table}", [])  # noqa: S608
    ((whole, indexes),) = fetch_rows(
        "SELECT sum(pg_table_size(inhrelid)), sum(pg_indexes_size(inhrelid)) FROM pg_inherits"
        " WHERE inhparent = %s::regclass",
        [table],
    )
    found = {
        "table": round(float(whole / rows), 1),
        "indexes": round(float(indexes / rows), 1),
        "unit": "B a port-row",
    }
    print(f"{table}: {found['table']} B a port-row, indexes {found['indexes']}, of {rows:,}")
    return found


def _fill_year(days: int) -> None:
    """Copies of the rolled-up days back to a year; 5-minute rows for the 62 days that they are kept."""
    from django.conf import settings
    from django.db import connection

    from backstay.telemetry.rollup_models import RollupMark
    from backstay.telemetry.rollups import partitions

    copies = {"5m": -(-settings.ROLLUP_DAYS["5m"] // days), "1h": -(-366 // days), "1d": -(-366 // days)}
    for ago in range(0, 400, 27):
        partitions.ensure_rollups((END - timedelta(days=ago)).date())
    with connection.cursor() as cursor:
        for level, count in copies.items():
            cursor.execute(
                "SELECT string_agg(attname, ', ' ORDER BY attnum) FROM pg_attribute"
                " WHERE attrelid = %s::regclass AND attnum > 3 AND NOT attisdropped",
                [f"telemetry_rollup_{level}"],
            )
            columns = cursor.fetchone()[0]
            cursor.execute(
                f"INSERT INTO telemetry_rollup_{level} (node_id, at, layout_id, {columns})"  # noqa: S608
                f" SELECT node_id, at - n * %s * interval '1 day', layout_id, {columns}"
                f" FROM telemetry_rollup_{level} CROSS JOIN generate_series(1, %s) AS n"
                " WHERE at >= %s ORDER BY 2",
                [days, count - 1, END - timedelta(days=days)],
            )
            cursor.execute(f"VACUUM ANALYZE telemetry_rollup_{level}")
    RollupMark.objects.update(since=END - timedelta(days=366))
    partitions.maintain(END)


def _chart(name: str, node: int, text: str, rounds: int) -> dict[str, Any]:
    """Milliseconds, the median of `rounds` after one that fills the caches."""
    from backstay.core.model.topology import Port as PortView
    from backstay.inventory.models import Port
    from backstay.telemetry.selectors.history import port_history

    port = Port.objects.filter(node=node).order_by("pk")[3]
    view = PortView(port.pk, node, port.name, None, False, ())
    length = {"24 h": timedelta(days=1), "7 d": timedelta(days=7), "1 y": timedelta(days=365)}[text]
    wholes, waits = [], []
    for _ in range(rounds + 1):
        with _waiting() as waited:
            began = time.perf_counter()
            history = port_history(view, END - length, END, points=POINTS, interval_s=INTERVAL_S)
            wholes.append((time.perf_counter() - began) * 1000)
        waits.append(waited[0] * 1000)
    database = statistics.median(waits[1:])
    python = statistics.median(wholes[1:]) - database
    most = GOALS_MS[text]
    print(
        f"{name} {text}: {database:.1f} ms in the database, {python:.1f} ms in Python; level {history.level},"
        f" coverage {history.bins.coverage}, p95 exact: {history.is_p95_exact}"
    )
    return {
        "database": round(database, 1),
        "python": round(python, 1),
        "first": round(wholes[0], 1),
        "goal": most,
        "unit": "ms",
        "level": history.level,
        "met": database <= most[0] and python <= most[1],
    }


@contextmanager
def _waiting() -> Iterator[list[float]]:
    """Adds up the seconds of psycopg's waits for replies."""
    import psycopg

    waited = [0.0]
    real = psycopg.Cursor.execute

    def execute(*args: Any, **kwargs: Any) -> Any:
        began = time.perf_counter()
        try:
            return real(*args, **kwargs)
        finally:
            waited[0] += time.perf_counter() - began

    psycopg.Cursor.execute = execute  # type: ignore[method-assign]
    try:
        yield waited
    finally:
        psycopg.Cursor.execute = real  # type: ignore[method-assign]


if __name__ == "__main__":
    main()
