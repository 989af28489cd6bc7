"""Two people at one moment, each in a transaction of their own: one begins, the other is told why not."""

from __future__ import annotations

import threading

import pytest
from django.db import connections

from backstay.core.errors import BackstayError, Refused
from backstay.rollout import changes
from backstay.rollout.changes import Begin
from backstay.rollout.models import Application, Change, Fence
from backstay.rollout.tests.cluster import Cluster

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_of_two_changes_that_share_a_node_one_begins(django_db_setup: None) -> None:
    cluster = Cluster.make(3)
    rivals = [cluster.approved(nodes=["sp01", "sp02"]), cluster.approved(nodes=["sp02", "sp03"])]
    digests = {change.pk: cluster.plan(change).digest for change in rivals}
    start = threading.Barrier(len(rivals))
    refusals: list[BackstayError] = []

    def begin(change: Change) -> None:
        start.wait()
        try:
            changes.apply(change.pk, cluster.actor(), Begin(digests[change.pk]), cluster.now)
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
    assert "is under way on sp02" in refusals[0].message
    assert Fence.objects.get().revision == 1
    assert Application.objects.count() == 2


def test_all_nodes_of_a_wave_tell_at_once_and_nobody_waits_in_a_circle(django_db_setup: None) -> None:
    cluster = Cluster.make(6)
    change = cluster.begin(cluster.approved())
    start = threading.Barrier(len(cluster.names))
    reports = {name: cluster.report(name, change, "prepared") for name in cluster.names}

    def tell(name: str) -> None:
        start.wait()
        try:
            cluster.world.say([reports[name]])
        finally:
            connections.close_all()

    threads = [threading.Thread(target=tell, args=(name,)) for name in reports]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    states = cluster.states(change)
    (canary,) = cluster.waves(change)[0]
    assert states.pop(canary) == "applying"
    assert set(states.values()) == {"prepared"}
