"""A row of the table: how often a fault was tried and how often the result was right."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from bench.faults.environment import World


@dataclass(slots=True)
class Score:
    """Tries of one row, from many threads."""

    done: int = 0
    right: int = 0
    remarks: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    """Why a try was not right; the first ones."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, is_right: bool, why: str = "") -> None:
        """One try."""
        with self._lock:
            self.done += 1
            self.right += is_right
            if not is_right and why and why not in self.wrong and len(self.wrong) < 6:
                self.wrong.append(why)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One promise: `run` makes `tries` tries."""

    name: str
    title: str
    tries: int
    run: Callable[[World, int], Score | None]
    """None: it cannot run here."""
    needs_service: bool = True
