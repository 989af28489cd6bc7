"""How many reports to send at once, by how long the backend took over those before. Pure.

A batch that outlasts the request's time limit is stored and yet sent again, so size must follow speed: a
backend that is slow gets less at once, and more again when it is quick.
"""

from dataclasses import dataclass

from backstay_wire import MAX_REPORTS

SLOW_S = 3.0
"""Well below the time limit of a request (client.py)."""
QUICK_S = 1.0


@dataclass(slots=True)
class Pace:
    """The largest batch that is sensible now."""

    most: int = MAX_REPORTS

    def answered(self, count: int, seconds: float) -> None:
        """A batch of so many reports was answered after so long."""
        if seconds > SLOW_S:
            self.too_much(count)
        elif seconds < QUICK_S:
            self.most = min(MAX_REPORTS, self.most * 2)

    def too_much(self, count: int) -> None:
        """So many were too large, or were not answered in time."""
        self.most = max(1, count // 2)
