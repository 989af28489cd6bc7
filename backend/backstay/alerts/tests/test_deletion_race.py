"""A policy that is deleted while a round evaluates it: neither the round nor the deletion fails."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection, connections

from backstay.alerts import budget
from backstay.alerts.evaluation import evaluate_rules
from backstay.alerts.models import Incident
from backstay.alerts.rule import Finding, RuleResult
from backstay.alerts.rules import RULES
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.api.tests.world import World
from backstay.policy import services
from backstay.policy.models import FailoverPolicy, Origin, Path

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
WAIT_S = 60.0


class Worker(threading.Thread):
    """Runs `work` on a connection of its own and keeps its error."""

    def __init__(self, work: Callable[[], object]) -> None:
        super().__init__(daemon=True)
        self._work = work
        self.error: Exception | None = None

    def run(self) -> None:
        try:
            self._work()
        except Exception as error:
            self.error = error
        finally:
            connections.close_all()


def is_blocked() -> bool:
    """Whether a connection of this database waits for a lock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock')"
        )
        return bool(cursor.fetchone()[0])


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_policy_is_deleted_between_reading_and_writing_of_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World.make()
    world.all_paths()
    policy = FailoverPolicy.objects.get(name="sp-default")
    FailoverPolicy.objects.filter(pk=policy.pk).update(origin=Origin.OPERATOR)
    policy.refresh_from_db()
    has_read, may_write = threading.Event(), threading.Event()

    def evaluate(snapshot: SiteSnapshot, *_: Any) -> RuleResult:
        paths = tuple(Path.objects.filter(policy=policy).values_list("pk", flat=True))
        has_read.set()
        assert may_write.wait(WAIT_S)
        return RuleResult((Finding("cable:1", "x", "y", "", since=snapshot.now, path_ids=paths),))

    monkeypatch.setitem(RULES, "cable", replace(RULES["cable"], evaluate=evaluate))
    monkeypatch.setattr(budget, "RULE_S", WAIT_S)
    monkeypatch.setattr(budget, "ROUND_S", 2 * WAIT_S)
    round_ = Worker(lambda: evaluate_rules(world.site, ["cable"], world.now))
    deletion = Worker(lambda: services.delete(policy))
    round_.start()
    assert has_read.wait(WAIT_S)
    deletion.start()
    wait_until(lambda: not deletion.is_alive() or is_blocked())
    may_write.set()
    round_.join(WAIT_S)
    deletion.join(WAIT_S)
    assert (round_.error, deletion.error) == (None, None)
    assert Incident.objects.filter(fingerprint="cable:1").exists()
    assert not FailoverPolicy.objects.filter(pk=policy.pk).exists()
    assert Incident.objects.get(fingerprint="cable:1").paths.count() == 0
