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


def test_agent_sends_ten_kinds_of_report_and_asks_once_a_minute() -> None:
    kinds = Counter(Schedule(seed=7, start=0.0).take(59.999_999))
    assert kinds == {"path": 6, "ports": 2, "device": 1, "collectors": 1, DESIRED: 1}


def test_schedule_repeats_each_kind_at_its_interval() -> None:
    schedule = Schedule(seed=1, start=5.0)
    assert schedule.next_s >= 5.0
    first, second = Counter(schedule.take(605.0)), Counter(schedule.take(1205.0))
    assert first == second == {kind: round(600 / every_s) for kind, every_s in EVERY_S.items()}


def test_bodies_are_valid_batches_with_consecutive_numbers() -> None:
    author = Author("host000", uuid.UUID(BOOT))
    batch = ReportBatch.model_validate_json(
        gzip.decompress(author.body(["path", "ports", "device", "collectors"]))
    )
    assert [report.seq for report in batch.reports] == list(range(1, author.seq + 1))
    assert list(author.counted) == [2]


def test_acknowledged_and_stored_once_is_right() -> None:
    found = compare([ledger(1, 2)], [("a", BOOT, 1, 3)], [("a", 100, 1)])
    assert (found.acked, found.lost, found.doubled) == (2, 0, 0)


def test_acknowledged_report_that_is_missing_in_the_ledger_is_lost() -> None:
    assert compare([ledger(1, 2)], [("a", BOOT, 1, 2)], [("a", 100, 1)]).lost == 1


def test_acknowledged_counters_without_a_sample_are_lost() -> None:
    assert compare([ledger(1)], [("a", BOOT, 1, 2)], []).lost == 1


def test_sample_that_is_stored_twice_is_doubled() -> None:
    assert compare([ledger(1)], [("a", BOOT, 1, 2)], [("a", 100, 1), ("a", 100, 1)]).doubled == 1
