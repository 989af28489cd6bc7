"""Wait before the next attempt: doubling, with full jitter, and never less than Retry-After."""

import random
from collections.abc import Callable

_FIRST_S = 0.5
_LONGEST_S = 30.0


class Backoff:
    """Waits of one series of failures. `jitter` gives [0, 1): many agents must not return in step."""

    def __init__(self, jitter: Callable[[], float] = random.random) -> None:
        self._jitter = jitter
        self._failures = 0

    def next(self, reported: float | None = None) -> float:
        """Seconds to wait after one more failure: at least `reported` (Retry-After), at most a quarter
        more."""
        ceiling: float = min(_LONGEST_S, _FIRST_S * 2**self._failures)
        self._failures = min(self._failures + 1, 16)
        wait = ceiling * (0.5 + self._jitter() / 2)
        return wait if reported is None else max(wait, reported * (1 + self._jitter() / 4))

    def reset(self) -> None:
        """An attempt succeeded."""
        self._failures = 0
