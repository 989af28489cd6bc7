"""Evaluations that batches trigger, in the ingest: one at a time for each site.

An idle site is evaluated at once, by the thread that stored the batch, unless it stored a group. Batches that
arrive meanwhile share one evaluation, which follows on a thread of its own, so that no acknowledgement waits
for it: when all agents of a site start together, each sends a first report of its paths, and an evaluation
reads the whole site.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

from django.db import connections
from django.utils import timezone

from backstay.alerts.evaluation import evaluate_triggered
from backstay.inventory.models import Site

log = logging.getLogger(__name__)

FOLLOWING = 4
"""Sites whose following evaluations run at the same time; each has a database connection."""
RESTS, LONGEST_REST_S = 3, 2.0
"""Pause after a following evaluation, in multiples of its length: the ingest must keep time for reports. A
round follows after 2 s in any case."""


class TriggeredEvaluations:
    """Runs `evaluate(site id, kinds)`, never twice at the same time for a site."""

    def __init__(self, evaluate: Callable[[int, frozenset[str]], object]) -> None:
        self._evaluate = evaluate
        self._lock = threading.Lock()
        self._waiting: dict[int, frozenset[str]] = {}
        """Site that is being evaluated -> kinds of rules to evaluate after it."""
        self._pool = ThreadPoolExecutor(FOLLOWING, thread_name_prefix="evaluation")

    def trigger(self, site_id: int, kinds: Iterable[str], *, waits: bool = True) -> None:
        """Evaluate now, or after the evaluation that is running; raises what `evaluate` raises.

        A caller that does not wait leaves the evaluation to another thread.
        """
        wanted = frozenset(kinds)
        with self._lock:
            running = self._waiting.get(site_id)
            self._waiting[site_id] = frozenset() if running is None else running | wanted
        if running is not None:
            return
        if not waits:
            self._pool.submit(self._follow, site_id, wanted)
            return
        try:
            self._evaluate(site_id, wanted)
        finally:
            if rest := self._take(site_id):
                self._pool.submit(self._follow, site_id, rest)

    @property
    def is_idle(self) -> bool:
        """Whether no evaluation runs or waits."""
        with self._lock:
            return not self._waiting

    def _take(self, site_id: int) -> frozenset[str]:
        """The kinds that wait. Without any, the site is idle from now on."""
        with self._lock:
            kinds = self._waiting.pop(site_id)
            if kinds:
                self._waiting[site_id] = frozenset()
            return kinds

    def _follow(self, site_id: int, kinds: frozenset[str]) -> None:
        """Evaluate until nothing waits, at most a quarter of the time."""
        while kinds:
            began = time.monotonic()
            try:
                self._evaluate(site_id, kinds)
            except Exception:
                log.exception("evaluating site %s failed; the next round repeats it", site_id)
            finally:
                connections.close_all()
            time.sleep(min(RESTS * (time.monotonic() - began), LONGEST_REST_S))
            kinds = self._take(site_id)


def _evaluate_site(site_id: int, kinds: frozenset[str]) -> None:
    evaluate_triggered(Site.objects.get(pk=site_id), kinds, timezone.now())


evaluations = TriggeredEvaluations(_evaluate_site)
"""Of this process."""
