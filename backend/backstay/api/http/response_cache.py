"""Responses about a whole site that are expensive: computed once for all who ask at nearly the same time.

After a fault every open page asks at once. What took much processor time is the answer for several times
that time, so that at most a third of a processor computes it, however many ask. Cheap answers, and those of
small sites, are never shared. An answer that can say whether anything has changed since is the answer until
then, at most for `KEPT_S`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from backstay.core.errors import Unavailable

EXPENSIVE_S = 0.05
"""Of processor time of the process, which other work on the machine does not prolong."""
FACTOR, LONGEST_S = 6.0, 5.0
"""PostgreSQL takes up to twice the process's own time, which is not known here."""
LARGE_NODES = 500
"""A site with fewer nodes is never expensive: only a process that has just begun takes as long for it."""
KEPT_S = 60.0
PATIENCE_S = 15.0
"""How long a request waits for the one that computes."""
ValueT = TypeVar("ValueT")


def is_large(nodes: int) -> bool:
    """Whether answers about a site of so many nodes may be shared."""
    return nodes >= LARGE_NODES


@dataclass(slots=True)
class _Shared(Generic[ValueT]):
    """The answer for one key."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    value: ValueT | None = None
    until: float = 0.0
    """For all who ask; monotonic seconds, as `kept_until`."""
    kept_until: float = 0.0
    """While nothing has changed."""

    @property
    def current(self) -> ValueT | None:
        return self.value if time.monotonic() < self.until else None

    @property
    def kept(self) -> ValueT | None:
        return self.value if time.monotonic() < self.kept_until else None


class SharedResponses(Generic[ValueT]):
    """Answers by key, of this process."""

    def __init__(self) -> None:
        self._responses: dict[Hashable, _Shared[ValueT]] = {}
        self._lock = threading.Lock()

    def get(
        self,
        key: Hashable,
        compute: Callable[[], ValueT],
        is_shared: Callable[[ValueT], bool] = lambda _: True,
        is_current: Callable[[ValueT], bool] | None = None,
    ) -> ValueT:
        """The shared answer, or a new one. Raises Unavailable.

        `is_shared`: whether others may get it; `is_current`: whether nothing has changed since.
        """
        with self._lock:
            self._forget()
            shared = self._responses.setdefault(key, _Shared())
        if (known := shared.current) is not None:
            return known
        if not shared.lock.acquire(timeout=PATIENCE_S):
            raise Unavailable("The site is being read for another request; try again.", retry_after_s=2)
        try:
            if (known := shared.current) is not None:
                return known
            if is_current is not None and shared.kept is not None and is_current(shared.kept):
                return shared.kept
            began = time.thread_time()
            value = compute()
            took_s = time.thread_time() - began
            if took_s >= EXPENSIVE_S and is_shared(value):
                now = time.monotonic()
                shared.value, shared.until = value, now + min(FACTOR * took_s, LONGEST_S)
                shared.kept_until = shared.until if is_current is None else now + KEPT_S
            return value
        finally:
            shared.lock.release()

    def _forget(self) -> None:
        """Old answers, so that they do not grow with the number of keys."""
        old = [key for key, one in self._responses.items() if one.kept is None and not one.lock.locked()]
        for key in old:
            del self._responses[key]
