"""Processor seconds of whole process trees, from /proc (proc(5), stat: utime to cstime)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(roots: Iterable[int]) -> float:
    """Of these processes and all their descendants, including ended ones that were waited for."""
    table = _table()
    children: dict[int, list[int]] = {}
    for pid, (parent, _) in table.items():
        children.setdefault(parent, []).append(pid)
    ticks, todo = 0, list(roots)
    while todo:
        pid = todo.pop()
        ticks += table[pid][1] if pid in table else 0
        todo += children.get(pid, [])
    return ticks / TICKS


def _table() -> dict[int, tuple[int, int]]:
    """Process id -> (parent, ticks)."""
    found: dict[int, tuple[int, int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                text = (entry / "stat").read_text()
            except OSError:
                continue  # The process has just ended.
            # The name in parentheses may contain spaces and parentheses.
            fields = text[text.rindex(")") + 2 :].split()
            found[int(entry.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    return found
