"""Processor seconds of an operation: this process and PostgreSQL."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.db import OperationalError, connection

from backstay.alerts.budget import BudgetExceededError, limited_to
from bench.processes import cpu_seconds

ENOUGH_S = 0.3
"""Processor seconds after which an operation is not repeated: PostgreSQL's are known to 10 ms."""
MOST = 30
"""Repetitions."""


class Meter:
    """Measures operations, each for at most `limit_s` of elapsed time."""

    def __init__(self, postgres: int, limit_s: float) -> None:
        self._postgres = postgres
        self.limit_s = limit_s

    def seconds(self) -> float:
        """Processor seconds so far."""
        return time.process_time() + cpu_seconds([self._postgres])

    def once(self, work: Callable[[], object], limit_s: float) -> float | None:
        """Processor seconds of an operation that cannot be repeated; None: it took longer than the limit."""
        return self._measured(work, limit_s, 1)

    def repeated(self, work: Callable[[], object]) -> float | None:
        """As `once`, the mean of several."""
        return self._measured(work, self.limit_s, MOST)

    def _measured(self, work: Callable[[], object], limit_s: float, most: int) -> float | None:
        done, spent, began = 0, 0.0, self.seconds()
        try:
            with limited_to(limit_s):
                while done < most and spent < ENOUGH_S:
                    work()
                    spent, done = self.seconds() - began, done + 1
        except BudgetExceededError:
            pass  # What was done until then is a mean of fewer.
        except OperationalError:
            connection.close()  # A statement that was interrupted may cost its connection.
        return spent / done if done else None
