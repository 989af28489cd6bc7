"""Whole process trees and their processor seconds, from /proc (proc(5), stat: utime to cstime)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(roots: Iterable[int]) -> float:
    """Of these processes and all their descendants, including ended ones that were waited for."""
    table = _table()
    return sum(table[pid][1] for pid in _tree(table, roots) if pid in table) / TICKS


def tree(roots: Iterable[int]) -> list[int]:
    """These processes and all their living descendants, whatever their sessions."""
    table = _table()
    return [pid for pid in _tree(table, roots) if pid in table]


def _tree(table: dict[int, tuple[int, int]], roots: Iterable[int]) -> list[int]:
    children: dict[int, list[int]] = {}
    for pid, (parent, _) in table.items():
        children.setdefault(parent, []).append(pid)
    found, todo = [], list(roots)
    while todo:
        pid = todo.pop()
        found.append(pid)
        todo += children.get(pid, [])
    return found


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
