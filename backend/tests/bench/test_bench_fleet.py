"""The fleet benchmark's schedule is a real agent's, its bodies are valid, and its comparison finds losses."""

from __future__ import annotations

import gzip
import uuid
from collections import Counter
from typing import Any

from backstay_wire import ReportBatch
from bench.fleet.accounts import compare
from bench.fleet.messages import DESIRED, EVERY_S, Author, Schedule

BOOT = str(uuid.uuid4())


def ledger(*acked: int) -> dict[str, Any]:
    return {"agent": "a", "boot": BOOT, "acked": list(acked), "counted": [[100, acked[0]]]}


def test_quiet_agent_sends_two_requests_a_minute_and_asks_each_ten_minutes() -> None:
    schedule, requests = Schedule(seed=7, start=0.0), []
    while schedule.next_s < 600:
        requests.append(schedule.take(schedule.next_s))
    assert Counter(tuple(sorted(kinds)) if DESIRED in kinds else "reports" for kinds in requests) == {
        (DESIRED,): 1,
        "reports": 20,
    }
    kinds = Counter(kind for request in requests for kind in request)
    assert (kinds["ports"], kinds["path"]) == (20, 20)
    assert all(9 <= kinds[kind] <= 10 for kind in ("device", "network", "neighbours", "collectors"))


def test_schedule_repeats_each_kind_at_its_interval() -> None:
    schedule = Schedule(seed=1, start=5.0)
    assert schedule.next_s >= 5.0
    first, second = Counter(schedule.take(605.0)), Counter(schedule.take(1205.0))
    assert first == second == {kind: round(600 / every_s) for kind, every_s in EVERY_S.items()}
    assert first["path"] == 20


def test_bodies_are_valid_batches_with_consecutive_numbers() -> None:
    author = Author("host000", uuid.UUID(BOOT))
    kinds = [kind for kind in EVERY_S if kind != DESIRED]
    batch = ReportBatch.model_validate_json(gzip.decompress(author.body(kinds)))
    assert [report.seq for report in batch.reports] == list(range(1, author.seq + 1))
    assert list(author.counted) == [author.seq], "ports are the last kind"


def test_acknowledged_and_stored_once_is_right() -> None:
    found = compare([ledger(1, 2)], [("a", BOOT, 1, 3)], [("a", 100, 1)])
    assert (found.acked, found.lost, found.doubled) == (2, 0, 0)


def test_acknowledged_report_that_is_missing_in_the_ledger_is_lost() -> None:
    assert compare([ledger(1, 2)], [("a", BOOT, 1, 2)], [("a", 100, 1)]).lost == 1


def test_acknowledged_counters_without_a_sample_are_lost() -> None:
    assert compare([ledger(1)], [("a", BOOT, 1, 2)], []).lost == 1


def test_sample_that_is_stored_twice_is_doubled() -> None:
    assert compare([ledger(1)], [("a", BOOT, 1, 2)], [("a", 100, 1), ("a", 100, 1)]).doubled == 1
