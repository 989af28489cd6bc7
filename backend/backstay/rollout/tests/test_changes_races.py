"""Concurrent transactions of two users: one succeeds, the other gets the reason."""

from __future__ import annotations

import threading

import pytest
from django.db import connections, transaction

from backstay.core.errors import BackstayError, Refused
from backstay.rollout import tasks
from backstay.rollout.changes import execution, services
from backstay.rollout.changes.services import Begin
from backstay.rollout.models import Application, Change, Fence, PendingNodeReport
from backstay.rollout.tests.cluster import Cluster

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_one_of_two_changes_with_a_common_node_starts(django_db_setup: None) -> None:
    cluster = Cluster.make(3)
    rivals = [cluster.approved(nodes=["sp01", "sp02"]), cluster.approved(nodes=["sp02", "sp03"])]
    digests = {change.pk: cluster.plan(change).digest for change in rivals}
    start = threading.Barrier(len(rivals))
    refusals: list[BackstayError] = []

    def begin(change: Change) -> None:
        start.wait()
        try:
            services.apply(change.pk, cluster.actor(), Begin(digests[change.pk]), cluster.now)
        except BackstayError as refusal:
            refusals.append(refusal)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=begin, args=(change,)) for change in rivals]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    states = sorted(cluster.fresh(change).state for change in rivals)
    assert states == ["approved", "rolling"]
    assert isinstance(refusals[0], Refused)
    assert "is in progress on sp02" in refusals[0].message
    assert Fence.objects.get().revision == 1
    assert Application.objects.count() == 2


def test_simultaneous_reports_do_not_deadlock(django_db_setup: None) -> None:
    cluster = Cluster.make(6)
    change = cluster.begin(cluster.approved())
    start = threading.Barrier(len(cluster.names))
    reports = {name: cluster.report(name, change, "prepared") for name in cluster.names}

    def report(name: str) -> None:
        start.wait()
        try:
            cluster.world.report([reports[name]])
        finally:
            connections.close_all()

    threads = [threading.Thread(target=report, args=(name,)) for name in reports]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    states = cluster.states(change)
    (canary,) = cluster.waves(change)[0]
    assert states.pop(canary) == "applying"
    assert set(states.values()) == {"prepared"}


def test_report_does_not_wait_for_a_locked_change(
    django_db_setup: None,
) -> None:
    cluster = Cluster.make(3)
    change = cluster.begin(cluster.approved())
    taken, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            execution.locked(change.pk)
            taken.set()
            let_go.wait(30)
        connections.close_all()

    holder = threading.Thread(target=hold)
    holder.start()
    assert taken.wait(30)
    for name in cluster.names:
        cluster.world.report([cluster.report(name, change, "prepared")])
    assert PendingNodeReport.objects.count() == 3
    assert set(cluster.states(change).values()) == {"preparing"}
    let_go.set()
    holder.join()
    tasks.changes_due(cluster.now)
    assert PendingNodeReport.objects.count() == 0
    assert sorted(cluster.states(change).values()) == ["applying", "prepared", "prepared"]


def test_one_request_processes_simultaneous_reports(django_db_setup: None) -> None:
    cluster = Cluster.make(3)
    change = cluster.begin(cluster.approved())
    held, reported = threading.Event(), threading.Event()

    def report_last() -> None:
        with transaction.atomic():
            execution.locked(change.pk)
            held.set()
            reported.wait(30)
        cluster.world.report([cluster.report(cluster.names[2], change, "prepared")])
        connections.close_all()

    last = threading.Thread(target=report_last)
    last.start()
    assert held.wait(30)
    for name in cluster.names[:2]:
        cluster.world.report([cluster.report(name, change, "prepared")])
    reported.set()
    last.join()
    assert sorted(cluster.states(change).values()) == ["applying", "prepared", "prepared"]
