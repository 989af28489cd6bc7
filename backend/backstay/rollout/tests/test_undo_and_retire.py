"""Undo of confirmed changes and removal of policies, over rows; who may approve on a two-person site."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoDbBlocker

from backstay.api.tests.world import kept
from backstay.core.errors import Conflict, Refused
from backstay.core.formatting import listing
from backstay.inventory.models import Port, Site
from backstay.policy.models import FailoverPolicy
from backstay.rollout import desired, policy_editing
from backstay.rollout.changes import services
from backstay.rollout.changes.selectors import change_detail
from backstay.rollout.changes.services import ChangeProposal
from backstay.rollout.changes.undo import refusal
from backstay.rollout.models import Application, Change, InputEdit, Intended
from backstay.rollout.policy_protection import ensure_file_keeps
from backstay.rollout.retirement import removals
from backstay.rollout.tests.cluster import BOOT_FILE, Cluster

ONE = (("10.1.0.15", 60),)
"""atmgw only: what the nodes ran before the first deployment."""


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


def run(cluster: Cluster, change: Change) -> Change:
    """Approve, apply and confirm; the nodes run and save what the plan says."""
    plan = cluster.plan(change)
    assert not plan.blocked, [item for item in plan.document["checks"] if item["level"] == "failed"]
    services.approve(change.pk, cluster.actor(cluster.bob), plan.digest, cluster.now, accept_warnings=True)
    change = cluster.begin(cluster.fresh(change), auto=True)
    waves = cluster.waves(change)
    change = cluster.report_phase(change, "prepared", *[name for wave in waves for name in wave])
    for wave in waves:
        change = cluster.report_phase(change, "applied", *wave)
        change = cluster.report_phase(change, "confirmed", *wave)
    assert change.state == "done"
    for name in (name for wave in waves for name in wave):
        follow(cluster, name)
    return change


def follow(cluster: Cluster, name: str) -> None:
    """Report that the node runs and has saved its intended state; without our routes, what it ran first."""
    intended = desired.routing(cluster.world.node(name))
    assert intended is not None
    hops = [(hop["address"], hop["preference"]) for route in intended["routes"] for hop in route["hops"]]
    hops = hops or list(ONE)
    text = next(file["text"] for file in intended["files"] if file["path"] == BOOT_FILE)
    cluster.report_routing(name, hops, text)


def boot_text(cluster: Cluster, name: str) -> str:
    """The boot file's intended text."""
    intended = desired.routing(cluster.world.node(name))
    assert intended is not None
    return str(next(file["text"] for file in intended["files"] if file["path"] == BOOT_FILE))


def gateways(cluster: Cluster) -> set[tuple[str, ...]]:
    """The gateways of every node's intended routes; one entry per different list."""
    rows = Intended.objects.filter(node__name__in=cluster.names).values_list("routing", flat=True)
    return {tuple(hop["gateway"] for route in row["routes"] for hop in route["hops"]) for row in rows if row}


def undo(cluster: Cluster, change: Change) -> Change:
    return services.undo(change.pk, cluster.actor(), cluster.now, reason="a test")


def reorder(cluster: Cluster) -> Change:
    """Deploy the policy with another target."""
    FailoverPolicy.objects.filter(pk=cluster.policy.pk).update(probe_interval_ms=100)
    Site.objects.filter(pk=cluster.world.site.pk).update(version=cluster.world.site.version + 1)
    cluster.world.site.refresh_from_db()
    return run(cluster, cluster.propose())


def test_undo_of_a_first_deployment_restores_what_the_nodes_ran(cluster: Cluster) -> None:
    change = run(cluster, cluster.propose())
    assert gateways(cluster) == {("grf1", "atmgw")}
    back = undo(cluster, change)
    assert (back.kind, back.undoes_id, back.nodes) == ("undo", change.pk, cluster.names)
    assert cluster.plan(back).document["shapes"][0]["differences"] == [
        {
            "prefix": "0.0.0.0/0",
            "before": ["via grf1 10.1.0.16 pref 60", "via atmgw 10.1.0.15 pref 70"],
            "after": ["via atmgw 10.1.0.15 pref 60"],
        }
    ]
    text = cluster.plan(back).document["shapes"][0]["files"][0]["after"]
    assert "backstay" not in text
    assigned = cluster.plan(back).assignments[str(cluster.world.node("sp01").pk)]
    assert (assigned["handed_back"], assigned["routing"]["routes"]) == (["0.0.0.0/0"], [])
    assert [probe["address"] for probe in assigned["probes"]] == ["10.1.0.15"]
    run(cluster, back)
    assert gateways(cluster) == {()}
    with pytest.raises(Refused, match="No node keeps this change"):
        undo(cluster, change)


def test_undo_restores_the_hand_written_lines_of_the_boot_file(cluster: Cluster) -> None:
    by_hand = "route add default via 10.1.0.15 dev css0 metric 60\n"
    for name in cluster.names:
        cluster.report_routing(name, ONE, by_hand)
    change = run(cluster, cluster.propose())
    assert by_hand not in boot_text(cluster, "sp01")
    run(cluster, undo(cluster, change))
    assert {boot_text(cluster, name) for name in cluster.names} == {by_hand}


def test_undo_over_an_edited_boot_file_is_blocked_by_name(cluster: Cluster) -> None:
    change = run(cluster, cluster.propose())
    edited = boot_text(cluster, "sp02") + "link set css0 mtu 9000\n"
    cluster.report_routing("sp02", [("10.1.0.16", 60), ("10.1.0.15", 70)], edited)
    back = undo(cluster, change)
    plan = cluster.plan(back)
    (check,) = [item for item in plan.document["checks"] if item["check"] == "boot_file"]
    assert (plan.blocked, check["nodes"]) == (True, ["sp02"])
    assert "edited outside of Backstay's blocks" in check["text"]


def test_page_of_a_change_reads_the_state_before_of_all_nodes_at_once(cluster: Cluster) -> None:
    """Its nodes are read without their assignments, which then must not be read one by one."""
    pk = run(cluster, cluster.propose()).pk
    page = change_detail(pk)
    assert page is not None
    with CaptureQueriesContext(connection) as queries:
        assert refusal(page) == ""
    assert len(queries) == 5
    assert len(cluster.names) > 1
    for row in Application.objects.filter(change=pk):
        Application.objects.filter(pk=row.pk).update(assignment={**row.assignment, "files_before": []})
    unknown = "the boot file before the change is not recorded; remove or deploy the wanted policy instead"
    assert refusal(page) == f"{listing(cluster.names)}: {unknown}."


def test_undo_of_a_later_change_comes_first(cluster: Cluster) -> None:
    first = run(cluster, cluster.propose())
    second = reorder(cluster)
    with pytest.raises(Refused, match=f"Change #{second.pk} changed .* undo change #{second.pk} first"):
        undo(cluster, first)
    back = undo(cluster, second)
    with pytest.raises(Refused, match=f"Change #{back.pk} already undoes it"):
        undo(cluster, second)
    run(cluster, back)
    intended = desired.routing(cluster.world.node("sp01"))
    assert intended is not None
    assert intended["routes"][0]["timers"]["interval_ms"] == 50
    run(cluster, undo(cluster, first))
    assert gateways(cluster) == {()}


def test_undo_of_an_undo_deploys_the_change_again(cluster: Cluster) -> None:
    change = run(cluster, cluster.propose())
    back = run(cluster, undo(cluster, change))
    again = run(cluster, undo(cluster, back))
    assert gateways(cluster) == {("grf1", "atmgw")}
    with pytest.raises(Refused, match=f"undo change #{again.pk} first"):
        undo(cluster, change)
    run(cluster, undo(cluster, again))
    assert gateways(cluster) == {()}


def test_undo_covers_only_the_nodes_that_keep_a_stopped_change(cluster: Cluster) -> None:
    change = cluster.begin(cluster.approved(), auto=True)
    waves = cluster.waves(change)
    change = cluster.report_phase(change, "prepared", *cluster.names)
    change = cluster.report_phase(change, "applied", *waves[0])
    change = cluster.report_phase(change, "confirmed", *waves[0])
    change = cluster.report_phase(change, "rolled_back", *waves[1], reason="no answer")
    assert change.state == "stopped"
    for name in waves[0]:
        follow(cluster, name)
    assert undo(cluster, change).nodes == waves[0]


def test_undo_before_confirmation_is_refused(cluster: Cluster) -> None:
    with pytest.raises(Conflict, match="nodes have confirmed"):
        undo(cluster, cluster.approved())


def test_plan_of_an_undo_is_not_renewed_over_a_later_change(cluster: Cluster) -> None:
    first = run(cluster, cluster.propose())
    back = undo(cluster, first)
    second = reorder(cluster)
    with pytest.raises(Refused, match="stale"):
        services.approve(back.pk, cluster.actor(cluster.bob), cluster.plan(back).digest, cluster.now)
    with pytest.raises(Refused, match=f"undo change #{second.pk} first"):
        services.plan_again(back.pk, cluster.actor(), cluster.now)


def test_deleted_policy_goes_with_its_routes(cluster: Cluster) -> None:
    run(cluster, cluster.propose())
    policy = cluster.policy
    change = policy_editing.delete_policy(policy, cluster.actor(), cluster.now)
    assert change is not None
    assert policy_editing.delete_policy(policy, cluster.actor(), cluster.now) == change, "asked twice"
    assert removals([policy.pk]) == {policy.pk: change.pk}
    shape = cluster.plan(change).document["shapes"][0]
    assert (sorted(shape["nodes"]), shape["differences"][0]["after"]) == (cluster.names, [])
    assert "backstay" not in shape["files"][0]["after"]
    run(cluster, change)
    assert not FailoverPolicy.objects.filter(pk=policy.pk).exists()
    assert gateways(cluster) == {()}
    with pytest.raises(Refused, match="sp-default, which was deleted"):
        undo(cluster, change)


def test_removal_reaches_nodes_whose_route_is_already_gone(cluster: Cluster) -> None:
    run(cluster, cluster.propose())
    cluster.report_routing("sp02", (), "")
    change = policy_editing.delete_policy(cluster.policy, cluster.actor(), cluster.now)
    assert change is not None
    assert sorted(name for wave in cluster.waves(change) for name in wave) == cluster.names


def test_retired_policy_of_the_site_file_stays_until_the_file_drops_it(cluster: Cluster) -> None:
    run(cluster, cluster.propose())
    FailoverPolicy.objects.filter(site=cluster.world.site).update(origin="file")
    change = policy_editing.delete_policy(cluster.policy, cluster.actor(), cluster.now)
    assert change is not None
    with pytest.raises(Refused, match="drops sp-default, which 4 nodes still have: retire sp-default first"):
        ensure_file_keeps(cluster.world.site, [])
    run(cluster, change)
    assert gateways(cluster) == {()}
    lines = list(change.steps.values_list("text", flat=True))
    assert "No node has sp-default any more. The site file defines it: remove it there." in lines
    ensure_file_keeps(cluster.world.site, [])
    with pytest.raises(Refused, match="The site file owns sp-default: remove it there"):
        policy_editing.delete_policy(cluster.policy, cluster.actor(), cluster.now)


def test_policy_never_deployed_is_deleted_at_once(cluster: Cluster) -> None:
    assert policy_editing.delete_policy(cluster.policy, cluster.actor(), cluster.now) is None
    assert not FailoverPolicy.objects.filter(name="sp-default").exists()


def test_policy_stays_while_its_removal_was_stopped(cluster: Cluster) -> None:
    run(cluster, cluster.propose())
    change = policy_editing.delete_policy(cluster.policy, cluster.actor(), cluster.now)
    assert change is not None
    digest = cluster.plan(change).digest
    services.approve(change.pk, cluster.actor(cluster.bob), digest, cluster.now, accept_warnings=True)
    change = cluster.begin(cluster.fresh(change), auto=True)
    change = cluster.report_phase(change, "prepared", *cluster.names)
    waves = cluster.waves(change)
    change = cluster.report_phase(change, "applied", *waves[0])
    change = cluster.report_phase(change, "confirmed", *waves[0])
    change = cluster.report_phase(change, "rolled_back", *waves[1])
    assert change.state == "stopped"
    assert FailoverPolicy.objects.filter(name="sp-default").exists()


def removed(cluster: Cluster) -> Change:
    """The change that removed the routes of `sp-default`; the policy stays, without nodes."""
    run(cluster, cluster.propose())
    cluster.policy.paths.all().delete()
    proposal = ChangeProposal("policies", [cluster.policy.pk])
    return run(cluster, services.propose(cluster.world.site, cluster.actor(), proposal, cluster.now))


def test_undo_is_not_applied_after_its_policy_was_deleted(cluster: Cluster) -> None:
    back = undo(cluster, removed(cluster))
    digest = cluster.plan(back).digest
    services.approve(back.pk, cluster.actor(cluster.bob), digest, cluster.now, accept_warnings=True)
    assert policy_editing.delete_policy(cluster.policy, cluster.actor(), cluster.now) is None
    with pytest.raises(Refused, match="belong to sp-default, which was deleted"):
        cluster.begin(cluster.fresh(back))


def test_policy_is_not_deleted_while_an_undo_restores_its_routes(cluster: Cluster) -> None:
    back = undo(cluster, removed(cluster))
    digest = cluster.plan(back).digest
    services.approve(back.pk, cluster.actor(cluster.bob), digest, cluster.now, accept_warnings=True)
    cluster.begin(cluster.fresh(back))
    with pytest.raises(Conflict, match=f"Change #{back.pk} alters routes of sp-default"):
        policy_editing.delete_policy(cluster.policy, cluster.actor(), cluster.now)


def test_emptied_group_is_planned_as_a_removal(cluster: Cluster) -> None:
    run(cluster, cluster.propose())
    cluster.policy.paths.all().delete()
    change = services.propose(
        cluster.world.site, cluster.actor(), ChangeProposal("policies", [cluster.policy.pk]), cluster.now
    )
    plan = cluster.plan(change)
    assert not plan.blocked, [item for item in plan.document["checks"] if item["level"] == "failed"]
    assert plan.nodes == len(cluster.names)
    run(cluster, change)
    assert gateways(cluster) == {()}
    assert FailoverPolicy.objects.filter(name="sp-default").exists(), "only its routes are gone"


def test_editor_and_planner_cannot_approve_on_a_two_person_site(cluster: Cluster) -> None:
    Site.objects.filter(pk=cluster.world.site.pk).update(second_person=True)
    cluster.world.site.refresh_from_db()
    edit = InputEdit.objects.create(
        site=cluster.world.site, policy=cluster.policy, person=cluster.bob, at=cluster.now
    )
    change = cluster.propose()

    def approve() -> None:
        digest = cluster.plan(change).digest
        services.approve(change.pk, cluster.actor(cluster.bob), digest, cluster.now, accept_warnings=True)

    with pytest.raises(Refused, match="You edited sp-default, which this plan deploys; another approver"):
        approve()
    edit.delete()
    services.plan_again(change.pk, cluster.actor(cluster.bob), cluster.now + timedelta(seconds=1))
    with pytest.raises(Refused, match="You made this plan; another approver"):
        approve()
    services.plan_again(change.pk, cluster.actor(), cluster.now + timedelta(seconds=2))
    approve()


def test_edit_counts_until_it_was_carried_out(cluster: Cluster) -> None:
    InputEdit.objects.create(
        site=cluster.world.site,
        policy=cluster.policy,
        person=cluster.bob,
        at=cluster.now - timedelta(hours=1),
    )
    change = run(cluster, cluster.propose())
    Site.objects.filter(pk=cluster.world.site.pk).update(second_person=True)
    cluster.world.site.refresh_from_db()
    run(cluster, undo(cluster, change))
