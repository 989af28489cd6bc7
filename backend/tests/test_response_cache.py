"""Expensive answers about a site are computed once for all who ask at nearly the same time."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.test import Client

from backstay.api.http import response_cache
from backstay.api.http.response_cache import SharedResponses
from backstay.api.overview import router as overview
from backstay.api.tests.world import World, reader
from backstay.api.topology import router as topology
from backstay.core.errors import Unavailable


class Reading:
    """Counts how often it is done; each time takes `took_s` of processor time and gives another number."""

    def __init__(self, took_s: float) -> None:
        self.took_s = took_s
        self.count = 0

    def __call__(self) -> int:
        self.count += 1
        number, end = self.count, time.thread_time() + self.took_s
        while time.thread_time() < end:
            pass
        return number


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> SharedResponses[int]:
    monkeypatch.setattr(response_cache, "EXPENSIVE_S", 0.05)
    return SharedResponses[int]()


def test_all_who_ask_at_once_get_one_answer(answers: SharedResponses[int]) -> None:
    reading = Reading(0.2)
    with ThreadPoolExecutor(20) as threads:
        found = list(threads.map(lambda _: answers.get("argonne", reading), range(20)))
    assert found == [1] * 20
    assert reading.count == 1


def test_answer_is_computed_again_after_a_multiple_of_its_time(
    answers: SharedResponses[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = Reading(0.06)
    monkeypatch.setattr(response_cache, "FACTOR", 50.0)
    assert answers.get("argonne", reading) == 1
    assert answers.get("argonne", reading) == 1
    time.sleep(0.06 * response_cache.FACTOR + 0.1)
    assert answers.get("argonne", reading) == 2
    assert len(answers._responses) == 1


def test_cheap_private_and_other_answers_are_not_shared(answers: SharedResponses[int]) -> None:
    cheap, private, other = Reading(0), Reading(0.06), Reading(0.06)
    assert [answers.get("cheap", cheap) for _ in range(2)] == [1, 2]
    assert [answers.get("private", private, lambda _: False) for _ in range(2)] == [1, 2]
    assert answers.get("argonne", other) == 1
    assert answers.get("sdsc", other) == 2


def test_failure_is_not_shared_and_nobody_waits_for_ever(
    answers: SharedResponses[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> int:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        answers.get("argonne", fail)
    monkeypatch.setattr(response_cache, "PATIENCE_S", 0.05)
    entered, leave = threading.Event(), threading.Event()

    def hang() -> int:
        entered.set()
        leave.wait(10)
        return 7

    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(answers.get, "argonne", hang)
        assert entered.wait(5)
        with pytest.raises(Unavailable):
            answers.get("argonne", hang)
        leave.set()
        assert first.result() == 7


def test_pages_of_a_large_site_share_overview_and_topology(
    db: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(response_cache, "EXPENSIVE_S", 0.0)
    monkeypatch.setattr(response_cache, "FACTOR", 1e6)
    monkeypatch.setattr(response_cache, "LARGE_NODES", 1)
    monkeypatch.setattr(overview, "_overviews", SharedResponses())
    monkeypatch.setattr(topology, "_maps", SharedResponses())
    world = World.make()
    world.describe()
    get = reader(client)
    for path in ("overview", "topology"):
        first = get(path)["at"]
        assert get(path)["at"] == first
    assert get("overview?start=now-6h")["at"] != get("overview")["at"], "another range is another answer"
