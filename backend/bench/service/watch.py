"""Samples a service from outside: memory, disk, and how late the rounds of evaluation are."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from bench.service.processes import Service

EVERY_S = 0.5
SIZES_EVERY_S = 2.0
ROUND_S = 2.0
"""A round of evaluation is due at this interval (`config.celery.EVALUATE_S`)."""
PER_SITE = "SELECT to_regclass('alerts_siteround') IS NOT NULL"
OLDEST_OF_SITES = """
SELECT extract(epoch FROM min(round.finished_at)) FROM alerts_siteround AS round
JOIN inventory_site AS site ON site.id = round.site_id WHERE site.name <> ALL(%s)
"""
OLDEST_OF_ALL = "SELECT extract(epoch FROM min(finished_at)) FROM alerts_round WHERE name <> 'ingest'"
"""Of a backend that evaluates all sites in one round."""
MEGABYTE = 1_000_000


@dataclass(slots=True)
class Sizes:
    """Bytes."""

    memory: int = 0
    disk: int = 0


@dataclass(slots=True)
class Watched:
    """Maxima of a period."""

    start: Sizes = field(default_factory=Sizes)
    peak: Sizes = field(default_factory=Sizes)
    late_s: float = 0.0
    """Longest age of the newest round beyond its interval."""
    blind_s: float = 0.0
    """Time in which the database did not answer."""
    restarted: list[str] = field(default_factory=list)

    @property
    def rounds_late(self) -> int:
        return int(self.late_s / ROUND_S)

    @property
    def memory_growth_mb(self) -> float:
        return (self.peak.memory - self.start.memory) / MEGABYTE

    @property
    def disk_growth_mb(self) -> float:
        return (self.peak.disk - self.start.disk) / MEGABYTE


class Watcher(threading.Thread):
    """Watches until stopped; `begin` starts a new period and returns its record."""

    def __init__(self, service: Service, ignores: Sequence[str] = ()) -> None:
        super().__init__(name="watcher", daemon=True)
        self._service = service
        self._stopped = threading.Event()
        self._connection: psycopg.Connection[tuple[Any, ...]] | None = None
        self._now = Watched()
        self._sized = 0.0
        self.ignores = ignores
        """Sites whose rounds do not count: the attacker's own."""
        self.revives = True
        """Whether children that end by themselves are restarted, as the demo's supervisor does."""

    def begin(self) -> Watched:
        """A new period."""
        size = self._sizes()
        self._now = Watched(size, Sizes(size.memory, size.disk))
        return self._now

    def run(self) -> None:
        """Until `stop`."""
        while not self._stopped.wait(EVERY_S):
            now, began = self._now, time.monotonic()
            if self.revives:
                now.restarted += self._service.revive()
            self._look_at_rounds(now)
            if time.monotonic() > self._sized + SIZES_EVERY_S:
                size = self._sizes()
                now.peak.memory = max(now.peak.memory, size.memory)
                now.peak.disk = max(now.peak.disk, size.disk)
                self._sized = time.monotonic()
            took = time.monotonic() - began
            now.blind_s = max(now.blind_s, took - EVERY_S)
        if self._connection is not None:
            self._connection.close()

    def stop(self) -> None:
        """End it."""
        self._stopped.set()
        self.join(10)

    def _look_at_rounds(self, now: Watched) -> None:
        try:
            if self._connection is None:
                self._connection = self._service.connect()
            oldest = oldest_round(self._connection, self.ignores)
        except psycopg.Error:
            self._connection = None
        else:
            now.late_s = max(now.late_s, time.time() - oldest - ROUND_S if oldest else 0.0)

    def _sizes(self) -> Sizes:
        pids = self._service.processes()
        disk = used(self._service.layout.data) + sum(map(unlinked, pids))
        return Sizes(sum(map(memory, pids)), disk)


def oldest_round(
    connection: psycopg.Connection[tuple[Any, ...]], ignores: Sequence[str] = ()
) -> float | None:
    """End of the newest round of the site that was evaluated longest ago, Unix seconds; None: never."""
    has_sites = connection.execute(PER_SITE).fetchone()
    if has_sites is not None and has_sites[0]:
        row = connection.execute(OLDEST_OF_SITES, [list(ignores)]).fetchone()
    else:
        row = connection.execute(OLDEST_OF_ALL).fetchone()
    return None if row is None or row[0] is None else float(row[0])


def memory(pid: int) -> int:
    """A process's share of memory (Pss of proc_pid_smaps_rollup(5)), bytes; 0 when it is gone."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def used(folder: Path) -> int:
    """Bytes on disk below a folder."""
    total = 0
    for parent, _, files in os.walk(folder):
        for name in files:
            try:
                total += (Path(parent) / name).lstat().st_blocks * 512
            except OSError:
                continue  # Deleted meanwhile.
    return total


def unlinked(pid: int) -> int:
    """Bytes of a process's open files that have no name any more, such as spooled uploads."""
    total = 0
    try:
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            target = str(descriptor.readlink())
            if target.startswith("/") and not target.startswith("/memfd:") and target.endswith(" (deleted)"):
                total += descriptor.stat().st_blocks * 512
    except OSError:
        pass
    return total
