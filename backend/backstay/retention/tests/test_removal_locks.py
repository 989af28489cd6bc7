"""Removal during other transactions: it neither waits for ingest and rules nor makes them wait."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.db import connections, transaction
from django.utils import timezone

from backstay.core.retention import BY_NAME, Table
from backstay.inventory.advisory_locks import LockClass, run_in_one_process
from backstay.inventory.models import Site
from backstay.retention import services
from backstay.retention.models import RetentionRun
from backstay.retention.services import remove_expired
from backstay.retention.tasks import remove_expired as task
from backstay.telemetry.models import Event

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
EVENTS = [BY_NAME["events"]]
WAIT_S = 60.0


def old_event() -> Event:
    now = timezone.now()
    site, _ = Site.objects.get_or_create(
        name="a", defaults={"title": "", "interval_s": 2, "imported_at": now}
    )
    at = now - timedelta(days=100)
    return Event.objects.create(site=site, kind="a", at=at, subject="", message="")


class Holder(threading.Thread):
    """Holds a row's lock, as another process would, until `release`."""

    def __init__(self, row: Event) -> None:
        super().__init__(daemon=True)
        self._row, self._held, self._release = row, threading.Event(), threading.Event()

    def run(self) -> None:
        with transaction.atomic():
            Event.objects.select_for_update().get(pk=self._row.pk)
            self._held.set()
            self._release.wait(WAIT_S)
        connections.close_all()

    def __enter__(self) -> None:
        self.start()
        assert self._held.wait(WAIT_S)

    def __exit__(self, *_: object) -> None:
        self._release.set()
        self.join(WAIT_S)


def test_rows_that_another_transaction_holds_are_left_for_the_next_round() -> None:
    held, free = old_event(), old_event()
    with Holder(held):
        assert remove_expired(timezone.now(), rules=EVENTS) == {"telemetry.Event": 1}
        assert list(Event.objects.all()) == [held], free.pk
        state = RetentionRun.objects.get()
        assert (state.failing_since, state.behind_since) == (None, None)
    assert remove_expired(timezone.now(), rules=EVENTS) == {"telemetry.Event": 1}


def test_one_process_removes_at_a_time() -> None:
    old_event()
    results: list[bool] = []

    def second() -> None:
        results.append(task())
        connections.close_all()

    def other() -> None:
        thread = threading.Thread(target=second, daemon=True)
        thread.start()
        thread.join(WAIT_S)

    assert run_in_one_process(LockClass.RETENTION, other)
    assert (results, Event.objects.count()) == ([False], 1)
    assert task()
    assert not Event.objects.exists()


def test_a_killed_round_keeps_its_batches_and_the_next_one_continues(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(5):
        old_event()
    real, sizes = services.remove_batch, []

    def killed(table: Table, group: services.Expired, size: int) -> int:
        sizes.append(size)
        if len(sizes) == 2:
            raise SystemExit
        return real(table, group, 3)

    monkeypatch.setattr(services, "remove_batch", killed)
    with pytest.raises(SystemExit):
        remove_expired(timezone.now(), rules=EVENTS)
    connections.close_all()
    assert Event.objects.count() == 2
    monkeypatch.undo()
    assert remove_expired(timezone.now(), rules=EVENTS) == {"telemetry.Event": 2}
