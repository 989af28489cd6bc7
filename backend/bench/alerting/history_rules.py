"""Rules that read roll-ups, at the site of `bench.alerting.rules`: p95 over hours, and load below history.

Some devices get samples from yesterday's midnight on, which the product rolls up; their rows are copied to
the other devices and to the weeks before. Of 50 ports one is nearly full, and one carries less than before.
The rules read them every 5 and 10 minutes, so this is what such a round costs in addition.
"""

from __future__ import annotations

import statistics
import time
from datetime import datetime, timedelta
from typing import Any

from bench.growth.cpu import Meter

KINDS = ("saturation_p95", "load_below_usual")
SOURCES = 20
"""Devices with samples of their own."""
WEEKS = 8
_SEED = """
INSERT INTO telemetry_samples (node_id, ts, duration_ns, shift_ns, layout_id, in_octets, out_octets,
    in_packets, out_packets)
SELECT layout.node_id, at, %(seconds)s * 1000000000::bigint, 0, layout.id, load.octets, load.octets,
    load.octets, load.octets
FROM (SELECT id, node_id, ports FROM telemetry_portlayout ORDER BY node_id LIMIT %(sources)s) AS layout
CROSS JOIN generate_series(%(start)s::timestamptz + %(seconds)s * interval '1 second', %(end)s,
    %(seconds)s * interval '1 second') AS at
CROSS JOIN LATERAL (
    SELECT array_agg((1.25e9 * %(seconds)s * CASE
        WHEN place = 7 THEN 0.9
        WHEN place = 9 AND at > %(end)s - interval '3 hours' THEN 0.05
        ELSE 0.3 + 0.1 * random()
    END)::bigint) AS octets
    FROM generate_subscripts(layout.ports, 1) AS place
    WHERE at IS NOT NULL
) AS load
"""
_COPY = """
WITH layouts AS (
    SELECT id, node_id, row_number() OVER (ORDER BY node_id) - 1 AS number FROM telemetry_portlayout
)
INSERT INTO {table} (node_id, at, layout_id, {columns})
SELECT other.node_id, row.at - back.days * interval '1 day', other.id, {columns}
FROM {table} AS row
JOIN layouts AS source ON source.id = row.layout_id
JOIN layouts AS other ON other.number %% %(sources)s = source.number
CROSS JOIN unnest(%(days)s::integer[]) AS back (days)
WHERE row.at >= %(start)s AND (other.id <> source.id OR back.days <> 0)
"""


def measure(now: datetime, interval_s: int, server_pid: int, rounds: int = 5) -> dict[str, float]:
    """Median ms of each rule, by the clock and of processors (PostgreSQL included), and its findings."""
    _fill(now, interval_s)
    figures: dict[str, float] = {}
    for kind in KINDS:
        found = [_evaluation(kind, now, server_pid) for _ in range(rounds)]
        for name in found[0]:
            figures[f"{kind}_{name}"] = statistics.median(item[name] for item in found)
    return figures


def _fill(now: datetime, interval_s: int) -> None:
    from django.db import connection

    from backstay.core.rollups.levels import HOUR_S, closed_until
    from backstay.telemetry import partitions
    from backstay.telemetry.models import PortLayout
    from backstay.telemetry.rollup_models import RollupMark
    from backstay.telemetry.rollups import execution
    from backstay.telemetry.rollups.partitions import ensure_rollups
    from backstay.telemetry.rollups.store import moment

    end = moment(closed_until(now.timestamp(), HOUR_S))
    start = now.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=1)
    for day in range(-1, 2):
        partitions.ensure_day((now + timedelta(days=day)).date())
    for week in range(WEEKS + 1):
        ensure_rollups((now - timedelta(weeks=week)).date())
    values: dict[str, Any] = {"start": start, "end": end, "seconds": interval_s, "sources": SOURCES}
    with connection.cursor() as cursor:
        cursor.execute(_SEED, values)
        cursor.execute("ANALYZE telemetry_samples")
    while execution.run_round(now, 600):
        pass
    # A day before the current weekday stands for each of the weeks before.
    weeks = [7 * week - more for week in range(1, WEEKS + 1) for more in (0, 1)]
    for table, days in (("telemetry_rollup_5m", [0]), ("telemetry_rollup_1h", [0, *weeks])):
        _copy(table, {**values, "days": days})
    marks = RollupMark.objects.filter(node__in=PortLayout.objects.values("node_id"))
    marks.update(
        since=now - timedelta(weeks=WEEKS + 1), fine_until=end, coarse_until=start + timedelta(days=1)
    )


def _copy(table: str, values: dict[str, Any]) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT string_agg(attname, ', ' ORDER BY attnum) FROM pg_attribute"
            " WHERE attrelid = %s::regclass AND attnum > 3 AND NOT attisdropped",
            [table],
        )
        columns = cursor.fetchone()[0]
        cursor.execute(_COPY.format(table=table, columns=columns), values)
        cursor.execute(f"VACUUM ANALYZE {table}")


def _evaluation(kind: str, now: datetime, server_pid: int) -> dict[str, float]:
    from backstay.alerts.models import SiteRule
    from backstay.alerts.rule_settings import evaluate_with_overrides
    from backstay.alerts.rules import RULES
    from backstay.alerts.selectors import cadence
    from backstay.alerts.selectors.site_snapshot import SiteSnapshot
    from backstay.inventory.models import Site

    row = SiteRule.objects.get(kind=kind)
    row.enabled = True
    snapshot = SiteSnapshot(Site.objects.get(), now)
    _ = snapshot.topology, snapshot.override_targets
    cadence.forget()
    meter = Meter(server_pid, 60.0)
    began, worked = time.perf_counter(), meter.seconds()
    result = evaluate_with_overrides(RULES[kind], row, snapshot, {})
    return {
        "ms": (time.perf_counter() - began) * 1000,
        "cpu_ms": (meter.seconds() - worked) * 1000,
        "findings": len(result.findings),
    }
