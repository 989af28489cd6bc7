"""What it costs to let a standby answer a read (`make bench-stores`), on private durable servers.

A read is one trivial statement. It is measured on the primary, and on the standby: quiet, and beside a
program that commits without a pause.
"""

from __future__ import annotations

import os
import statistics
import threading
import time
from collections.abc import Callable

import psycopg

from bench import databases

READS, WARM = 500, 20


def main() -> None:
    """Three lines with medians and 99th percentiles."""
    servers = databases.start(durable=True)
    try:
        with databases.standby(servers.folder) as standby:
            more = {"BACKSTAY_READ_DB_HOST": str(standby.folder), "BACKSTAY_SECRET_KEYS": "of a benchmark"}
            os.environ |= {**servers.environment, **more, "DJANGO_SETTINGS_MODULE": "config.settings"}
            measure(servers.dsn)
    finally:
        servers.stop()


def measure(dsn: str) -> None:
    """With Django set up for both servers."""
    import django

    django.setup()
    from django.db import connection, connections

    from backstay.inventory import standby_reads

    def read() -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_is_in_recovery()")
            return bool(cursor.fetchone()[0])

    probe = threading.Thread(target=standby_reads.status)
    probe.start()
    probe.join()
    show("primary", read)
    show("standby", standby_reads.reads_standby(read))
    with psycopg.connect(dsn, autocommit=True) as own:
        own.execute("CREATE TABLE written (number int, filler text)")
    stopping = threading.Event()
    writer = threading.Thread(target=write, args=[dsn, stopping])
    writer.start()
    try:
        show("standby beside commits", standby_reads.reads_standby(read))
    finally:
        stopping.set()
        writer.join()
    for alias in connections:
        connections[alias].close()
        connections[alias].close_pool()  # type: ignore[attr-defined]


def write(dsn: str, stopping: threading.Event) -> None:
    """Commit rows of a kilobyte."""
    with psycopg.connect(dsn, autocommit=True) as own:
        number = 0
        while not stopping.is_set():
            number += 1
            own.execute("INSERT INTO written VALUES (%s, repeat('x', 1000))", [number])


def show(title: str, read: Callable[[], bool]) -> None:
    """Milliseconds of a read, and the part that the standby answered."""
    took: list[float] = []
    answered = 0
    for number in range(READS + WARM):
        began = time.perf_counter()
        is_standby = read()
        if number >= WARM:
            took.append((time.perf_counter() - began) * 1000)
            answered += is_standby
    p99 = sorted(took)[int(READS * 0.99)]
    median, part = statistics.median(took), answered / READS
    print(f"{title}: median {median:.2f} ms, p99 {p99:.1f} ms, {part:.0%} by the standby")


if __name__ == "__main__":
    main()
