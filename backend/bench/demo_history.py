#!/usr/bin/env python3
"""`make demo-year`: adds the site `generated-year`, a generated year of 10,000 ports, to the running demo.

Nothing of it was measured: no agent reports the site, and its fabric is named `generated`, as each of its
links is. The year is that of `BASES` switches, whose bins are computed like those of real samples: rates with
days, weeks, growth and noise, and one gap of six hours. The other switches have copies of them. 5-minute bins
exist as long as they are kept, hourly and daily ones for the year. A second run completes an interrupted one.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

BACKEND = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BACKEND))

SITE, FABRIC = "generated-year", "generated"
PORTS, BASES, DAYS = 48, 4, 366
SAMPLE_S, PER_HOUR = 300, 12
LINE_RATE = 1.25e9
"""Of each port, octets/s."""
GAP_DAY, GAP_HOURS = 100, range(9, 15)
"""Days ago, and hours of it, in which nothing was collected."""
BYTES_PER_PORT_DAY = 288 * 79.0
"""Disk use of 5-minute bins, the most that was measured (docs/benchmarks.md)."""


def main() -> None:
    """Fill the site and print its address."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--demo", type=Path, required=True, help="the data folder of a running demo")
    parser.add_argument("--switches", type=int, default=210)
    options = parser.parse_args()
    os.environ.update(_environment(options.demo))
    began = time.monotonic()
    fill(options.demo, options.switches)
    url = json.loads((options.demo / "demo.json").read_text())["url"]
    ports = options.switches * PORTS
    print(f"{ports:,} ports with a generated year in {time.monotonic() - began:.0f} s: {url}/?site={SITE}")


def _environment(data: Path) -> dict[str, str]:
    """That of the demo's web server, which knows the database and its password."""
    run = data / "run.json"
    if not run.is_file():
        raise SystemExit(f"No demo runs in {data}: start it with make demo.")
    pid = json.loads(run.read_text())["children"]["web"]["pid"]
    pairs = Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
    found = dict(pair.split("=", 1) for pair in pairs if "=" in pair)
    return {name: found[name] for name in found if name.startswith(("BACKSTAY_", "DJANGO_"))}


def fill(data: Path, switches: int) -> None:
    """Fill the site in the database of the environment; `data`: a folder on its disk. Raises SystemExit."""
    import django

    django.setup()
    from django.conf import settings

    need = switches * PORTS * BYTES_PER_PORT_DAY * (settings.ROLLUP_DAYS["5m"] + DAYS / 12)
    if shutil.disk_usage(data).free < 1.5 * need:
        raise SystemExit(
            f"A generated year of {switches} switches needs {1.5 * need / 1e9:.0f} GB of free disk."
        )
    end = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    layouts = _site(switches)
    bases = dict(list(layouts.items())[:BASES])
    _compute(bases, end)
    _copy(bases, list(layouts.items())[BASES:], end)


def _site(switches: int) -> dict[int, int]:
    """Import the site; node -> layout of its ports."""
    from django.db import connection
    from django.utils import timezone

    from backstay.intake.site_files import import_text
    from backstay.inventory.models import Node, Port
    from backstay.telemetry.models import PortLayout
    from bench.site import switch_site

    text = switch_site(SITE, switches, PORTS, agents=1, fabric=FABRIC)
    import_text(text, f"{SITE}.yaml", timezone.now())
    nodes = list(
        Node.objects.filter(site__name=SITE, kind="switch").order_by("name").values_list("pk", flat=True)
    )
    ports: dict[int, list[int]] = {}
    for pk, node in Port.objects.filter(node__in=nodes).order_by("pk").values_list("pk", "node_id"):
        ports.setdefault(node, []).append(pk)
    made = (PortLayout(node_id=node, digest=b"generated", ports=ports[node]) for node in nodes)
    PortLayout.objects.bulk_create(made, ignore_conflicts=True)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE inventory_node, inventory_port, telemetry_portlayout")
    layouts = PortLayout.objects.filter(node__in=nodes, digest=b"generated").order_by("node__name")
    return dict(layouts.values_list("node_id", "pk"))


def _compute(bases: dict[int, int], end: datetime) -> None:
    """Bins of all levels of the bases, an hour and a day at a time, like the roll-up's."""
    from django.db import transaction

    from backstay.core.rollups.bins import fine_rows
    from backstay.core.rollups.levels import DAY_S, FINE, HOUR_S
    from backstay.telemetry.rollup_models import RollupMark
    from backstay.telemetry.rollups import partitions
    from backstay.telemetry.rollups.kinds import PORTS as PORT_KIND
    from backstay.telemetry.rollups.store import SeriesRows, replace_rows

    series = sorted(bases.items())
    first = (end - timedelta(days=DAYS)).replace(hour=0)
    until = end.timestamp()
    for rates, day in _days(first, end, len(series)):
        partitions.ensure_rollups(day.date())
        start = day.timestamp()
        with transaction.atomic():
            for hour in range(24):
                at = start + hour * HOUR_S
                if at < until and not ((end - day).days == GAP_DAY and hour in GAP_HOURS):
                    samples = _samples(rates[:, hour * PER_HOUR : (hour + 1) * PER_HOUR], at)
                    replace_rows(
                        FINE, list(bases), at, [SeriesRows(series, fine_rows(samples, at, len(series)))]
                    )
            if start + DAY_S <= until:
                PORT_KIND.write_days(list(bases), start)
    coarse_until = end.replace(hour=0)
    marks = (
        RollupMark(node_id=node, since=first, fine_until=end, coarse_until=coarse_until) for node in bases
    )
    # The worker may have begun to roll up the new devices.
    RollupMark.objects.bulk_create(
        marks,
        update_conflicts=True,
        unique_fields=["node"],
        update_fields=["since", "fine_until", "coarse_until"],
    )


def _days(first: datetime, end: datetime, switches: int) -> Iterator[tuple[np.ndarray[Any, Any], datetime]]:
    """Rates of each day in octets/s, (switches, samples, directions, ports)."""
    random = np.random.default_rng(1997)
    shape = (switches, 2, PORTS)
    level, growth = random.uniform(11, 18, shape), random.uniform(0, 1.2, shape)
    state = np.zeros(shape)
    count = 86_400 // SAMPLE_S
    clock = np.arange(count) / count
    by_day = 0.9 * np.sin(2 * np.pi * (clock - 0.35))
    for number in range(DAYS + 1):
        day = first + timedelta(days=number)
        if day >= end:
            return
        weekend = -1.1 if day.weekday() >= 5 else 0.0
        rates = np.empty((switches, count, 2, PORTS))
        noise = random.normal(0, 0.25, (count, *shape))
        for place in range(count):
            state = 0.9 * state + noise[place]
            trend = growth * (number + clock[place]) / DAYS
            rates[:, place] = np.minimum(
                np.exp(level + trend + by_day[place] + weekend + state), 0.9 * LINE_RATE
            )
        yield rates, day


def _samples(rates: np.ndarray[Any, Any], at: float) -> Any:
    """One hour as `DeviceSamples`."""
    from backstay.core.rollups.bins import DeviceSamples

    switches, count = rates.shape[:2]
    octets = (rates * SAMPLE_S).astype(np.int64).reshape(switches * count, 2, PORTS)
    peaks = np.minimum(rates.reshape(octets.shape) * 1.4, LINE_RATE).astype(np.int64)
    counters: dict[str, Any] = {}
    for place, direction in enumerate(("in", "out")):
        counters |= {
            f"{direction}_octets": octets[:, place],
            f"{direction}_packets": octets[:, place] // 700,
            f"{direction}_peak": peaks[:, place],
            f"{direction}_errors": None,
            f"{direction}_discards": None,
        }
    ends = np.tile(at + SAMPLE_S * np.arange(1, count + 1), switches)
    return DeviceSamples(
        np.repeat(np.arange(switches), count), ends, np.full(len(ends), float(SAMPLE_S)), counters, None
    )


def _copy(bases: dict[int, int], others: Sequence[tuple[int, int]], end: datetime) -> None:
    """Rows of the bases to the other switches, a week of a level at a time."""
    from django.conf import settings
    from django.db import connection

    from backstay.core.rollups.levels import LEVELS
    from backstay.telemetry.rollups import partitions

    if not others:
        return
    pairs = [(list(bases)[place % len(bases)], *other) for place, other in enumerate(others)]
    for level in LEVELS:
        kept = end - timedelta(days=min(settings.ROLLUP_DAYS[level.name], DAYS + 31))
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT string_agg(attname, ', ' ORDER BY attnum) FROM pg_attribute"
                " WHERE attrelid = %s::regclass AND attnum > 3 AND NOT attisdropped",
                [level.table],
            )
            columns = cursor.fetchone()[0]
            for ago in range(DAYS // 7 + 1):
                last = end - timedelta(days=7 * ago)
                cursor.execute(
                    f"INSERT INTO {level.table} (node_id, at, layout_id, {columns})"  # noqa: S608
                    f" SELECT pair.node, at, pair.layout, {columns} FROM {level.table} AS base"
                    " JOIN unnest(%s::bigint[], %s::bigint[], %s::bigint[]) AS pair (base, node, layout)"
                    " ON pair.base = base.node_id WHERE at >= %s AND at >= %s AND at < %s"
                    " ORDER BY at, pair.node ON CONFLICT DO NOTHING",
                    [*map(list, zip(*pairs, strict=True)), kept, last - timedelta(days=7), last],
                )
            cursor.execute(f"ANALYZE {level.table}")
        print(f"level {level.name}: done", flush=True)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO telemetry_rollupmark (node_id, since, fine_until, coarse_until)"
            " SELECT pair.node, since, fine_until, coarse_until FROM telemetry_rollupmark AS mark"
            " JOIN unnest(%s::bigint[], %s::bigint[]) AS pair (base, node) ON pair.base = mark.node_id"
            " ON CONFLICT (node_id) DO UPDATE SET since = EXCLUDED.since, fine_until = EXCLUDED.fine_until,"
            " coarse_until = EXCLUDED.coarse_until",
            [[base for base, _, _ in pairs], [node for _, node, _ in pairs]],
        )
    partitions.maintain(end)


if __name__ == "__main__":
    main()
