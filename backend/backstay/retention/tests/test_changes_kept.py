"""A change goes only when no node runs it and no undo needs it; edits go when they count no more."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from pytest_django import DjangoDbBlocker

from backstay.api.tests.world import kept
from backstay.core.retention import BY_NAME
from backstay.inventory.models import Port
from backstay.policy.models import FailoverPolicy
from backstay.retention.services import remove_expired
from backstay.rollout.changes import services
from backstay.rollout.changes.selectors import authors
from backstay.rollout.changes.undo import remaining
from backstay.rollout.models import Application, Change, InputEdit, PlanRecord, Step
from backstay.rollout.tests.cluster import Cluster
from backstay.rollout.tests.test_undo_and_retire import ONE, gateways, reorder, run, undo

CHANGES = BY_NAME["changes"]


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Cluster]:
    with kept(django_db_blocker):
        made = Cluster.make()
        for name in made.names:
            Port.objects.create(node=made.world.node(name), name="mgmt", management=True)
        yield made


@pytest.fixture
def cluster(made: Cluster, db: None) -> Cluster:
    made = made.copy()
    FailoverPolicy.objects.filter(site=made.world.site).update(origin="operator")
    for name in made.names:
        made.report_routing(name, ONE)
    return made


def removed(cluster: Cluster, years: float = 3.0) -> set[int]:
    """Ids of the changes that rounds remove so many years later."""
    before = set(Change.objects.values_list("pk", flat=True))
    remove_expired(cluster.now + timedelta(days=365 * years), rules=[CHANGES])
    return before - set(Change.objects.values_list("pk", flat=True))


def test_a_change_in_force_stays_whatever_its_age_and_can_be_undone(cluster: Cluster) -> None:
    change = run(cluster, cluster.propose())
    assert removed(cluster, 30) == set()
    run(cluster, undo(cluster, change))
    assert gateways(cluster) == {()}, "the prefix is the operator's again"


def test_a_replaced_change_goes_with_its_parts_once_the_later_one_is_old_too(cluster: Cluster) -> None:
    first = run(cluster, cluster.propose())
    second = reorder(cluster)
    Change.objects.filter(pk=first.pk).update(since=cluster.now - timedelta(days=3000))
    assert removed(cluster, 1) == set(), "the later one is young"
    assert removed(cluster) == {first.pk}
    for rows in (PlanRecord.objects, Application.objects, Step.objects):
        assert set(rows.values_list("change", flat=True)) == {second.pk}
    run(cluster, undo(cluster, second))


def test_a_change_that_an_undo_brought_back_into_force_stays(cluster: Cluster) -> None:
    first = run(cluster, cluster.propose())
    second = reorder(cluster)
    back = run(cluster, undo(cluster, second))
    assert removed(cluster, 30) == set()
    assert (remaining(first), remaining(second), bool(back.pk)) == (cluster.names, [], True)
    run(cluster, undo(cluster, first))
    assert gateways(cluster) == {()}, "the prefix is the operator's again"


def test_drafts_and_changes_in_progress_stay(cluster: Cluster) -> None:
    draft = cluster.propose()
    rolling = cluster.begin(cluster.approved(nodes=["sp01"]))
    gone = cluster.propose()
    services.discard(gone.pk, cluster.actor(), cluster.now)
    assert removed(cluster, 30) == {gone.pk}
    assert {draft.pk, rolling.pk} <= set(Change.objects.values_list("pk", flat=True))


def test_an_edit_that_no_plan_carried_out_counts_for_ever(cluster: Cluster) -> None:
    early = InputEdit.objects.create(
        site=cluster.world.site, policy=cluster.policy, person=cluster.bob, at=cluster.now
    )
    cluster.world.forward(1)
    first = run(cluster, cluster.propose())
    second = reorder(cluster)
    late = InputEdit.objects.create(
        site=cluster.world.site, policy=cluster.policy, person=cluster.bob, at=cluster.now
    )
    assert removed(cluster) == {first.pk}
    assert set(InputEdit.objects.values_list("pk", flat=True)) == {late.pk}, early.pk
    draft = cluster.propose()
    assert cluster.bob.pk in authors(draft, cluster.plan(draft))
    assert second.pk in set(Change.objects.values_list("pk", flat=True))
