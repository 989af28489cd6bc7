"""Batches that arrive while their site is being evaluated share one evaluation and do not wait for it."""

from __future__ import annotations

import queue
import threading
import time

import pytest

from backstay.alerts.evaluation_triggers import TriggeredEvaluations

PATIENCE_S = 60.0


class Evaluator:
    """Evaluations that begin at once and end when released."""

    def __init__(self) -> None:
        self.began: queue.Queue[tuple[int, frozenset[str], str]] = queue.Queue()
        self.release: queue.Queue[Exception | None] = queue.Queue()

    def __call__(self, site: int, kinds: frozenset[str]) -> None:
        self.began.put((site, kinds, threading.current_thread().name))
        problem = self.release.get(timeout=PATIENCE_S)
        if problem is not None:
            raise problem

    def next(self) -> tuple[int, frozenset[str]]:
        return self.began.get(timeout=PATIENCE_S)[:2]


def started(evaluations: TriggeredEvaluations, site: int, *kinds: str) -> threading.Thread:
    thread = threading.Thread(target=evaluations.trigger, args=(site, kinds), daemon=True)
    thread.start()
    return thread


def test_idle_site_is_evaluated_by_the_calling_thread() -> None:
    evaluator = Evaluator()
    evaluator.release.put(None)
    TriggeredEvaluations(evaluator).trigger(1, ["a"])
    assert evaluator.began.get_nowait() == (1, frozenset({"a"}), threading.current_thread().name)


def test_batches_during_an_evaluation_return_at_once_and_share_the_next() -> None:
    evaluator = Evaluator()
    evaluations = TriggeredEvaluations(evaluator)
    first = started(evaluations, 1, "a")
    assert evaluator.next() == (1, frozenset({"a"}))
    for kind in ("b", "c", "b"):
        evaluations.trigger(1, [kind])
    assert evaluator.began.empty()
    evaluator.release.put(None)
    assert evaluator.next() == (1, frozenset({"b", "c"}))
    first.join(PATIENCE_S)
    assert not first.is_alive()
    evaluations.trigger(1, ["d"])
    evaluator.release.put(None)
    assert evaluator.next() == (1, frozenset({"d"}))
    evaluator.release.put(None)


def test_other_sites_are_evaluated_meanwhile() -> None:
    evaluator = Evaluator()
    evaluations = TriggeredEvaluations(evaluator)
    threads = [started(evaluations, site, "a") for site in (1, 2)]
    assert {evaluator.next(), evaluator.next()} == {(1, frozenset({"a"})), (2, frozenset({"a"}))}
    for _ in threads:
        evaluator.release.put(None)
    for thread in threads:
        thread.join(PATIENCE_S)


def test_following_evaluations_use_at_most_a_quarter_of_the_time() -> None:
    spans: list[tuple[float, float]] = []
    wanted = threading.Semaphore(0)

    def evaluate(site: int, kinds: frozenset[str]) -> None:
        began = time.monotonic()
        if len(spans) < 2:
            evaluations.trigger(site, kinds)
        time.sleep(0.1)
        spans.append((began, time.monotonic()))
        wanted.release()

    evaluations = TriggeredEvaluations(evaluate)
    evaluations.trigger(1, ["a"])
    assert all(wanted.acquire(timeout=PATIENCE_S) for _ in range(3))
    assert spans[2][0] - spans[1][1] >= 0.3


@pytest.mark.parametrize("follows", [True, False])
def test_evaluation_that_fails_does_not_stop_later_ones(follows: bool) -> None:
    evaluator = Evaluator()
    evaluations = TriggeredEvaluations(evaluator)

    def failing() -> None:
        with pytest.raises(ValueError, match="broken"):
            evaluations.trigger(1, ["a"])

    first = threading.Thread(target=failing, daemon=True)
    first.start()
    assert evaluator.next() == (1, frozenset({"a"}))
    if follows:
        evaluations.trigger(1, ["b"])
    evaluator.release.put(ValueError("broken"))
    if follows:
        assert evaluator.next() == (1, frozenset({"b"}))
        evaluations.trigger(1, ["c"])
        evaluator.release.put(ValueError("broken"))
    first.join(PATIENCE_S)
    if not follows:
        first = started(evaluations, 1, "c")
    assert evaluator.next() == (1, frozenset({"c"}))
    evaluator.release.put(None)
    first.join(PATIENCE_S)
